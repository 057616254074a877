//! Tests and benches of Gallite as plain OpenGL programs, and what they share.
//!
//! Owns: the loader of EGL and GL ([`egl`], [`gl`]), the runner that sends every test through every
//! lane ([`harness`]), the drawing helpers the tests share ([`draw`]), and what the demo and the
//! benches need beside ([`client`]). The tests themselves are in `tests/gl/`, one folder per part of
//! the specification.
//!
//! Must not know: any other crate of this workspace. Everything here sees Gallite only through the
//! built library, as an unmodified program would, so the same executables judge any other GL too.
//!
//! Begin reading at [`harness::Test`], then at any file of `tests/gl/`.

pub mod client;
pub mod draw;
pub mod egl;
pub mod gl;
pub mod harness;
