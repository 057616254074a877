//! GL's scalar types and constants under the names the specification gives them.

#![allow(missing_docs)]

pub use crate::generated::enums::*;

pub type GLenum = u32;
pub type GLbitfield = u32;
pub type GLboolean = u8;
pub type GLbyte = i8;
pub type GLubyte = u8;
pub type GLchar = u8;
pub type GLcharARB = u8;
pub type GLshort = i16;
pub type GLushort = u16;
pub type GLint = i32;
pub type GLuint = u32;
pub type GLsizei = i32;
pub type GLfloat = f32;
pub type GLclampf = f32;
pub type GLdouble = f64;
pub type GLclampd = f64;
pub type GLfixed = i32;
pub type GLclampx = i32;
pub type GLhalfNV = u16;
pub type GLhandleARB = u32;
pub type GLintptr = isize;
pub type GLintptrARB = isize;
pub type GLsizeiptr = isize;
pub type GLsizeiptrARB = isize;
pub type GLint64 = i64;
pub type GLint64EXT = i64;
pub type GLuint64 = u64;
pub type GLuint64EXT = u64;
pub type GLvdpauSurfaceNV = isize;
/// A sync object: an opaque value of pointer size, never followed.
pub type GLsync = usize;
