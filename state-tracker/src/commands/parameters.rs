//! Commands that set a named parameter, in the forms f, i, fv and iv.

use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::gl::*;

/// The values of a vector parameter, integers converted as the parameter says.
#[derive(Clone, Copy)]
pub(super) enum Params {
    /// glXfv.
    Floats(ClientPtr<GLfloat>),
    /// glXiv.
    Ints(ClientPtr<GLint>),
    /// glXf, glXi.
    One(f32),
}

impl Params {
    /// Value `index`, integers as they are.
    pub fn plain(self, index: usize) -> f32 {
        match self {
            Self::Floats(p) => p.read_at(index),
            Self::Ints(p) => p.read_at(index) as f32,
            Self::One(value) => value,
        }
    }

    /// A colour: integers are signed normalized numbers (GL 4.6 compatibility 2.3.5).
    pub fn color(self) -> [f32; 4] {
        match self {
            Self::Ints(p) => std::array::from_fn(|i| (f64::from(p.read_at(i)) / 2147483647.0).max(-1.0) as f32),
            other => other.plain4(),
        }
    }

    /// Four values.
    pub fn plain4(self) -> [f32; 4] {
        std::array::from_fn(|i| self.plain(i))
    }

    /// The first value as an enum.
    pub fn as_enum(self) -> GLenum {
        match self {
            Self::Ints(p) => p.read_at(0) as GLenum,
            other => other.plain(0) as GLenum,
        }
    }

    /// Whether it is one value and not a list.
    pub fn is_scalar(self) -> bool {
        matches!(self, Self::One(_))
    }
}

/// The four forms of a command, by what sets the parameter.
macro_rules! parameter_commands {
    ($set:ident($($name:ident),+): $float:ident, $int:ident, $floats:ident, $ints:ident) => {
        pub fn $float(ctx: &mut Context, $($name: GLenum,)+ param: GLfloat) -> GlResult {
            $set(ctx, concat!("gl", stringify!($float)), $($name,)+ Params::One(param))
        }
        pub fn $int(ctx: &mut Context, $($name: GLenum,)+ param: GLint) -> GlResult {
            $set(ctx, concat!("gl", stringify!($int)), $($name,)+ Params::One(param as f32))
        }
        pub fn $floats(ctx: &mut Context, $($name: GLenum,)+ params: ClientPtr<GLfloat>) -> GlResult {
            $set(ctx, concat!("gl", stringify!($floats)), $($name,)+ Params::Floats(params))
        }
        pub fn $ints(ctx: &mut Context, $($name: GLenum,)+ params: ClientPtr<GLint>) -> GlResult {
            $set(ctx, concat!("gl", stringify!($ints)), $($name,)+ Params::Ints(params))
        }
    };
}
pub(super) use parameter_commands;

/// GL 4.6 compatibility 2.2.2: colours as signed normalized integers, other floats rounded.
pub(super) fn write_ints(params: ClientPtrMut<GLint>, (values, is_color): (Vec<f32>, bool)) {
    let convert = |v: &f32| {
        if is_color { (f64::from(*v) * 2147483647.0).round() as i32 } else { v.round() as i32 }
    };
    params.write(&values.iter().map(convert).collect::<Vec<_>>());
}
