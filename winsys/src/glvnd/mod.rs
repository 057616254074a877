//! libglvnd: the vendor library ABI of EGL.
//!
//! libglvnd's libEGL.so.1 loads vendor libraries, asks each `__egl_Main` for its callbacks, and sends every display to
//! the vendor that made it. [`abi`] has the structures, [`vendor`] our side.

pub mod abi;
pub mod vendor;
