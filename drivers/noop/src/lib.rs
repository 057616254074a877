//! A driver that accepts everything and executes nothing: for tests of the API without a device, and for measuring the
//! state tracker alone.
//!
//! It owns host memory for the bytes of buffers and textures, so that writes, copies and reads of them work, and
//! counts calls. It never looks at shaders or state: draws, dispatches, clears of attachments, blits and mipmap
//! generation leave every byte as it was, queries answer 0, fences are signalled at once, windows show nothing.
//! It must not know OpenGL or any device API. It is also the smallest complete driver, to begin another from.
//!
//! Begin reading at [`NoopScreen`], then `context.rs`.

#![forbid(unsafe_code)]

mod caps;
mod context;
mod counters;
mod image;
mod screen;
mod store;

pub use caps::{every_cap, every_format_use};
pub use screen::NoopScreen;
