//! The context itself: its state tables, its errors, names, debug output, and dispatch.

pub mod debug;
pub mod defaults;
pub mod direct_access;
pub mod dispatch;
pub mod errors;
pub mod formats;
pub mod later;
pub mod names;
pub mod resets;
pub mod robustness;
pub mod typed_queries;
