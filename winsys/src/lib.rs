//! Window-system side of Gallite: EGL 1.5, and libglvnd's vendor interface to it.
//!
//! Owns displays, configs, surfaces with the textures behind them, contexts as the window system sees them, what is
//! current on a thread, and the environment. It must not know how a GL command works (that is `gallite-gl`) nor any
//! driver by name: the cdylib registers those ([`drivers::register`]).
//!
//! # Where to begin
//! - [`egl`]: the commands and the objects behind their handles.
//! - [`native`]: window systems; [`native::x11`] is the one there is.
//! - [`glvnd`]: how libglvnd reaches the same commands.
//! - [`drivers`] and [`environment`]: which driver and device a display opens.
//!
//! # A frame
//! eglMakeCurrent hands a surface to the context as a [`Drawable`](gallite_gl::drawable::Drawable). Its stamp moves at each
//! presentation, so the first verb of a frame asks for the buffers again; only then is the window's size looked up, and
//! textures of another size are made. eglSwapBuffers is one pipe call, `present`: the back image was rendered in place, top
//! row first, and nothing is copied.
#![deny(unsafe_code)]

pub mod caps;
pub mod counter;
pub mod drivers;
pub mod egl;
pub mod environment;
pub mod glvnd;
#[allow(non_snake_case)]
pub mod glx;
pub mod log;
pub mod native;
mod process_end;
