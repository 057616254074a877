//! What the programs in `tests/` share: a client of OpenGL that loads the implementation under test at run time.
//!
//! It owns the loader of EGL and GL ([`client`]). It must not know any other crate of this workspace: everything here
//! sees Gallite only through the built library, as an unmodified program would, so the same binaries also run on
//! other GL implementations. Begin reading at [`client::Egl`].

pub mod client;
