//! A GL program's view of the implementation under test: EGL from a shared library, GL through `eglGetProcAddress`.

mod egl;
mod gl;

pub use egl::{Egl, EglContext, EglError};
pub use gl::{Gl, consts};

/// Names the shared library that exports `egl*`: `GALLITE_TEST_LIB` when set, the system's `libEGL.so.1` otherwise.
pub fn library_name() -> String {
    std::env::var("GALLITE_TEST_LIB").unwrap_or_else(|_| String::from("libEGL.so.1"))
}
