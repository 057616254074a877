//! A driver that turns every call into bytes and back before it reaches another driver.
//!
//! This is the loopback form: both ends live in one process and each call is encoded, checked, decoded and answered on
//! the spot. It keeps the interface honest (no pointers, no hidden answers, no handle that the other side cannot
//! check), and its server end is what a transport to another thread, process or host attaches to.
//!
//! It owns the two ends: [`StreamScreen`], the client, which encodes, and [`Server`], which trusts nothing it reads: opcodes, lengths,
//! enum values, handle kinds and generations are the codec's to check, ranges are checked by [`RangeCheck`].
//! The first bad record ends the session with a [`StreamError`] that names it; from then on the client's calls do
//! nothing and its screen says that it was reset. It must not know OpenGL, any device API or any driver.
//!
//! What cannot cross a wire stays on the client's side: a mapping is memory of the client's own, filled by
//! `buffer_read` and written back by `buffer_write`. A mapping that lasts is compared with what the server knows before each
//! call that may read it, and follows what the device wrote once a fence was waited for. Making contexts and windows and exchanging external memory go straight to the inner driver.
//!
//! Begin reading at [`Server::screen_record`], then `client.rs`.

#![forbid(unsafe_code)]

mod client;
mod guard;
mod live;
mod lost;
mod mappings;
mod ranges;
mod server;

pub use client::StreamScreen;
pub use ranges::{RangeCheck, RangeError};
pub use server::{Server, ServerContext, StreamError};
