//! EGL 1.5.
//!
//! `generated/entry_points.rs` holds the exported C functions. Each builds safe wrappers of its pointers ([`client`]) and
//! calls the function of the same name in [`commands`] within the frame of [`entry`].
//!
//! Objects: a [`display`] lives for ever, its session from eglInitialize to eglTerminate; [`config`]s, [`context`]s,
//! [`surface`]s and [`sync`]s belong to a session. [`thread`] and [`current`] are about what a thread has bound.

pub mod client;
pub mod commands;
pub mod config;
pub mod config_choose;
pub mod context;
pub mod current;
pub mod debug;
pub mod device;
pub mod display;
pub mod entry;
pub mod error;
pub mod strings;
pub mod surface;
pub mod surface_attributes;
pub mod sync;
pub mod thread;
pub mod types;

/// Written by `gallite-egl-generator` from `winsys/registry/egl.xml`.
#[allow(
    missing_docs,
    non_upper_case_globals,
    non_snake_case,
    unsafe_code,
    unused_imports,
    clippy::all,
    clippy::missing_safety_doc,
    clippy::undocumented_unsafe_blocks
)]
#[rustfmt::skip]
pub mod generated {
    pub mod dispatch;
    pub mod entry_points;
    pub mod enums;
}
