//! A driver that proves, at each verb, that the state it was pushed is the state it should have.
//!
//! Dirty bits may fire too often, never too rarely. This driver wraps any other: it holds what was pushed so far, and a
//! screen that shows the VERIFY feature is told the whole state a second time before each verb, derived from nothing
//! remembered, between `verify_begin` and `verify_end`. The two are compared, and the first field that differs is
//! named in a VERIFY_MISMATCH event, in the log and in the counters. The re-derivation never reaches the inner
//! driver, so what is on the screen is what the tracker pushed by its dirty bits.
//!
//! A draw or dispatch that came without a re-derivation is a mismatch too: a tracker that never verifies must not
//! look like one that is always right. It must not know OpenGL, any device API or any driver.
//!
//! Begin reading at [`VerifyScreen`], then `state.rs`.

#![forbid(unsafe_code)]

mod context;
mod screen;
mod state;

pub use screen::VerifyScreen;
