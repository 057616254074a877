//! The OpenGL state tracker: everything the GL specification says, over the pipe interface.
//!
//! It owns GL's objects, state, validation and errors, and the C entry points. It must not know a window system, a
//! device API or a driver: surfaces come from the winsys as [`Drawable`](drawable::Drawable)s, work goes to `dyn`
//! [`gallite_pipe::Screen`] and [`gallite_pipe::Context`], shaders to `gallite_shader`.
//!
//! # Where to begin
//! - [`entry`]: from a C call to a command, current context, panics.
//! - [`commands`]: what each command does, by chapter of the specification.
//! - [`context`], [`state`], [`objects`], [`share`]: what commands change.
//! - [`verb`] and [`atoms`]: how changed state reaches the driver when something is drawn.
//! - `generated/`: written by `cargo xtask gen` from the registry; never edited.
//!
//! # For a winsys
//! [`device::Device`] wraps a screen once. [`context::Context::new`] makes a context, [`context::Context::set_surfaces`] and
//! [`entry::make_current`] bind it, [`entry::proc_address`] finds entry points, [`entry::with_current`] reaches the
//! current context.

#![deny(unsafe_code)]

pub mod atoms;
#[allow(unsafe_code)]
pub mod client_memory;
pub mod commands;
pub mod context;
pub mod conv;
pub mod cso;
pub mod debug;
pub mod device;
pub mod dirty;
mod draw_lowering;
pub mod drawable;
pub mod ending;
#[allow(unsafe_code)]
pub mod entry;
pub mod error;
pub mod events;
pub mod executable_cache;
pub mod extensions;
pub mod fixed_function;
mod formats;
pub mod gl;
pub mod limits;
pub mod matrix;
pub mod names;
pub mod objects;
pub mod pixels;
pub mod program_resources;
pub mod resolved_reads;
mod sample_lowering;
pub mod share;
pub mod stand_ins;
pub mod state;
pub(crate) mod state_values;
pub mod verb;
mod version;
mod vertex_convert;

/// Written by `cargo xtask gen`.
#[allow(missing_docs, nonstandard_style, unsafe_code, clippy::all)]
#[rustfmt::skip]
pub mod generated {
    pub mod entry_points;
    pub mod enums;
    pub mod names;
}
