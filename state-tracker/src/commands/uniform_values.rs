//! glUniform* and glProgramUniform* (GL 4.6 core 7.6.1): each value goes to the program in use or to a named one.

use gallite_shader::gl_type::{Scalar, Shape};

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::error::GlResult;
use crate::gl::*;

use super::uniforms::{Given, elements, set_current, set_of_program, vector};

macro_rules! scalars {
    ($($current:ident, $named:ident: $scalar:ident, $rows:literal, $ty:ty, ($($value:ident),+);)+) => {
        $(
            pub fn $current(ctx: &mut Context, location: GLint, $($value: $ty),+) -> GlResult {
                let (shape, values) = (vector(Scalar::$scalar, $rows), [$($value),+]);
                let (command, words) = (concat!("gl", stringify!($current)), bytemuck::cast_slice(&values));
                set_current(ctx, location, Given { command, shape, transpose: false, count: 1, words })
            }
            pub fn $named(ctx: &mut Context, program: GLuint, location: GLint, $($value: $ty),+) -> GlResult {
                let (shape, values) = (vector(Scalar::$scalar, $rows), [$($value),+]);
                let (command, words) = (concat!("gl", stringify!($named)), bytemuck::cast_slice(&values));
                set_of_program(ctx, program, location, Given { command, shape, transpose: false, count: 1, words })
            }
        )+
    };
}

macro_rules! vectors {
    ($($current:ident, $named:ident: $scalar:ident, $rows:literal, $ty:ty;)+) => {
        $(
            pub fn $current(ctx: &mut Context, location: GLint, count: GLsizei, value: ClientPtr<$ty>) -> GlResult {
                let (shape, values) = (vector(Scalar::$scalar, $rows), value.read(elements(count, $rows)));
                let (command, words) = (concat!("gl", stringify!($current)), bytemuck::cast_slice(&values));
                set_current(ctx, location, Given { command, shape, transpose: false, count, words })
            }
            pub fn $named(
                ctx: &mut Context,
                program: GLuint,
                location: GLint,
                count: GLsizei,
                value: ClientPtr<$ty>,
            ) -> GlResult {
                let (shape, values) = (vector(Scalar::$scalar, $rows), value.read(elements(count, $rows)));
                let (command, words) = (concat!("gl", stringify!($named)), bytemuck::cast_slice(&values));
                set_of_program(ctx, program, location, Given { command, shape, transpose: false, count, words })
            }
        )+
    };
}

macro_rules! matrices {
    ($($current:ident, $named:ident: $scalar:ident, $columns:literal, $rows:literal, $ty:ty;)+) => {
        $(
            pub fn $current(
                ctx: &mut Context,
                location: GLint,
                count: GLsizei,
                transpose: GLboolean,
                value: ClientPtr<$ty>,
            ) -> GlResult {
                let shape = Shape { scalar: Scalar::$scalar, columns: $columns, rows: $rows };
                let (transpose, values) = (transpose != 0, value.read(elements(count, $columns * $rows)));
                let (command, words) = (concat!("gl", stringify!($current)), bytemuck::cast_slice(&values));
                set_current(ctx, location, Given { command, shape, transpose, count, words })
            }
            pub fn $named(
                ctx: &mut Context,
                program: GLuint,
                location: GLint,
                count: GLsizei,
                transpose: GLboolean,
                value: ClientPtr<$ty>,
            ) -> GlResult {
                let shape = Shape { scalar: Scalar::$scalar, columns: $columns, rows: $rows };
                let (transpose, values) = (transpose != 0, value.read(elements(count, $columns * $rows)));
                let (command, words) = (concat!("gl", stringify!($named)), bytemuck::cast_slice(&values));
                set_of_program(ctx, program, location, Given { command, shape, transpose, count, words })
            }
        )+
    };
}

// gl-commands: Uniform1f Uniform2f Uniform3f Uniform4f Uniform1i Uniform2i Uniform3i Uniform4i Uniform1ui Uniform2ui
// gl-commands: Uniform3ui Uniform4ui Uniform1d Uniform2d Uniform3d Uniform4d ProgramUniform1f ProgramUniform2f
// gl-commands: ProgramUniform3f ProgramUniform4f ProgramUniform1i ProgramUniform2i ProgramUniform3i ProgramUniform4i
// gl-commands: ProgramUniform1ui ProgramUniform2ui ProgramUniform3ui ProgramUniform4ui ProgramUniform1d
// gl-commands: ProgramUniform2d ProgramUniform3d ProgramUniform4d
// gl-commands: Uniform1i64ARB Uniform2i64ARB Uniform3i64ARB Uniform4i64ARB Uniform1ui64ARB Uniform2ui64ARB
// gl-commands: Uniform3ui64ARB Uniform4ui64ARB ProgramUniform1i64ARB ProgramUniform2i64ARB ProgramUniform3i64ARB
// gl-commands: ProgramUniform4i64ARB ProgramUniform1ui64ARB ProgramUniform2ui64ARB ProgramUniform3ui64ARB
// gl-commands: ProgramUniform4ui64ARB
scalars! {
    Uniform1f, ProgramUniform1f: Float, 1, GLfloat, (v0);
    Uniform2f, ProgramUniform2f: Float, 2, GLfloat, (v0, v1);
    Uniform3f, ProgramUniform3f: Float, 3, GLfloat, (v0, v1, v2);
    Uniform4f, ProgramUniform4f: Float, 4, GLfloat, (v0, v1, v2, v3);
    Uniform1i, ProgramUniform1i: Int, 1, GLint, (v0);
    Uniform2i, ProgramUniform2i: Int, 2, GLint, (v0, v1);
    Uniform3i, ProgramUniform3i: Int, 3, GLint, (v0, v1, v2);
    Uniform4i, ProgramUniform4i: Int, 4, GLint, (v0, v1, v2, v3);
    Uniform1ui, ProgramUniform1ui: Uint, 1, GLuint, (v0);
    Uniform2ui, ProgramUniform2ui: Uint, 2, GLuint, (v0, v1);
    Uniform3ui, ProgramUniform3ui: Uint, 3, GLuint, (v0, v1, v2);
    Uniform4ui, ProgramUniform4ui: Uint, 4, GLuint, (v0, v1, v2, v3);
    Uniform1d, ProgramUniform1d: Double, 1, GLdouble, (v0);
    Uniform2d, ProgramUniform2d: Double, 2, GLdouble, (v0, v1);
    Uniform3d, ProgramUniform3d: Double, 3, GLdouble, (v0, v1, v2);
    Uniform4d, ProgramUniform4d: Double, 4, GLdouble, (v0, v1, v2, v3);
    Uniform1i64ARB, ProgramUniform1i64ARB: Int64, 1, GLint64, (v0);
    Uniform2i64ARB, ProgramUniform2i64ARB: Int64, 2, GLint64, (v0, v1);
    Uniform3i64ARB, ProgramUniform3i64ARB: Int64, 3, GLint64, (v0, v1, v2);
    Uniform4i64ARB, ProgramUniform4i64ARB: Int64, 4, GLint64, (v0, v1, v2, v3);
    Uniform1ui64ARB, ProgramUniform1ui64ARB: Uint64, 1, GLuint64, (v0);
    Uniform2ui64ARB, ProgramUniform2ui64ARB: Uint64, 2, GLuint64, (v0, v1);
    Uniform3ui64ARB, ProgramUniform3ui64ARB: Uint64, 3, GLuint64, (v0, v1, v2);
    Uniform4ui64ARB, ProgramUniform4ui64ARB: Uint64, 4, GLuint64, (v0, v1, v2, v3);
}

// gl-commands: Uniform1fv Uniform2fv Uniform3fv Uniform4fv Uniform1iv Uniform2iv Uniform3iv Uniform4iv Uniform1uiv
// gl-commands: Uniform2uiv Uniform3uiv Uniform4uiv Uniform1dv Uniform2dv Uniform3dv Uniform4dv ProgramUniform1fv
// gl-commands: ProgramUniform2fv ProgramUniform3fv ProgramUniform4fv ProgramUniform1iv ProgramUniform2iv
// gl-commands: ProgramUniform3iv ProgramUniform4iv ProgramUniform1uiv ProgramUniform2uiv ProgramUniform3uiv
// gl-commands: ProgramUniform4uiv ProgramUniform1dv ProgramUniform2dv ProgramUniform3dv ProgramUniform4dv
// gl-commands: Uniform1i64vARB Uniform2i64vARB Uniform3i64vARB Uniform4i64vARB Uniform1ui64vARB Uniform2ui64vARB
// gl-commands: Uniform3ui64vARB Uniform4ui64vARB ProgramUniform1i64vARB ProgramUniform2i64vARB ProgramUniform3i64vARB
// gl-commands: ProgramUniform4i64vARB ProgramUniform1ui64vARB ProgramUniform2ui64vARB ProgramUniform3ui64vARB
// gl-commands: ProgramUniform4ui64vARB
vectors! {
    Uniform1fv, ProgramUniform1fv: Float, 1, GLfloat;
    Uniform2fv, ProgramUniform2fv: Float, 2, GLfloat;
    Uniform3fv, ProgramUniform3fv: Float, 3, GLfloat;
    Uniform4fv, ProgramUniform4fv: Float, 4, GLfloat;
    Uniform1iv, ProgramUniform1iv: Int, 1, GLint;
    Uniform2iv, ProgramUniform2iv: Int, 2, GLint;
    Uniform3iv, ProgramUniform3iv: Int, 3, GLint;
    Uniform4iv, ProgramUniform4iv: Int, 4, GLint;
    Uniform1uiv, ProgramUniform1uiv: Uint, 1, GLuint;
    Uniform2uiv, ProgramUniform2uiv: Uint, 2, GLuint;
    Uniform3uiv, ProgramUniform3uiv: Uint, 3, GLuint;
    Uniform4uiv, ProgramUniform4uiv: Uint, 4, GLuint;
    Uniform1dv, ProgramUniform1dv: Double, 1, GLdouble;
    Uniform2dv, ProgramUniform2dv: Double, 2, GLdouble;
    Uniform3dv, ProgramUniform3dv: Double, 3, GLdouble;
    Uniform4dv, ProgramUniform4dv: Double, 4, GLdouble;
    Uniform1i64vARB, ProgramUniform1i64vARB: Int64, 1, GLint64;
    Uniform2i64vARB, ProgramUniform2i64vARB: Int64, 2, GLint64;
    Uniform3i64vARB, ProgramUniform3i64vARB: Int64, 3, GLint64;
    Uniform4i64vARB, ProgramUniform4i64vARB: Int64, 4, GLint64;
    Uniform1ui64vARB, ProgramUniform1ui64vARB: Uint64, 1, GLuint64;
    Uniform2ui64vARB, ProgramUniform2ui64vARB: Uint64, 2, GLuint64;
    Uniform3ui64vARB, ProgramUniform3ui64vARB: Uint64, 3, GLuint64;
    Uniform4ui64vARB, ProgramUniform4ui64vARB: Uint64, 4, GLuint64;
}

// gl-commands: UniformMatrix2fv UniformMatrix3fv UniformMatrix4fv UniformMatrix2x3fv UniformMatrix3x2fv
// gl-commands: UniformMatrix2x4fv UniformMatrix4x2fv UniformMatrix3x4fv UniformMatrix4x3fv UniformMatrix2dv
// gl-commands: UniformMatrix3dv UniformMatrix4dv UniformMatrix2x3dv UniformMatrix3x2dv UniformMatrix2x4dv
// gl-commands: UniformMatrix4x2dv UniformMatrix3x4dv UniformMatrix4x3dv ProgramUniformMatrix2fv
// gl-commands: ProgramUniformMatrix3fv ProgramUniformMatrix4fv ProgramUniformMatrix2x3fv ProgramUniformMatrix3x2fv
// gl-commands: ProgramUniformMatrix2x4fv ProgramUniformMatrix4x2fv ProgramUniformMatrix3x4fv
// gl-commands: ProgramUniformMatrix4x3fv ProgramUniformMatrix2dv ProgramUniformMatrix3dv ProgramUniformMatrix4dv
// gl-commands: ProgramUniformMatrix2x3dv ProgramUniformMatrix3x2dv ProgramUniformMatrix2x4dv
// gl-commands: ProgramUniformMatrix4x2dv ProgramUniformMatrix3x4dv ProgramUniformMatrix4x3dv
matrices! {
    UniformMatrix2fv, ProgramUniformMatrix2fv: Float, 2, 2, GLfloat;
    UniformMatrix3fv, ProgramUniformMatrix3fv: Float, 3, 3, GLfloat;
    UniformMatrix4fv, ProgramUniformMatrix4fv: Float, 4, 4, GLfloat;
    UniformMatrix2x3fv, ProgramUniformMatrix2x3fv: Float, 2, 3, GLfloat;
    UniformMatrix3x2fv, ProgramUniformMatrix3x2fv: Float, 3, 2, GLfloat;
    UniformMatrix2x4fv, ProgramUniformMatrix2x4fv: Float, 2, 4, GLfloat;
    UniformMatrix4x2fv, ProgramUniformMatrix4x2fv: Float, 4, 2, GLfloat;
    UniformMatrix3x4fv, ProgramUniformMatrix3x4fv: Float, 3, 4, GLfloat;
    UniformMatrix4x3fv, ProgramUniformMatrix4x3fv: Float, 4, 3, GLfloat;
    UniformMatrix2dv, ProgramUniformMatrix2dv: Double, 2, 2, GLdouble;
    UniformMatrix3dv, ProgramUniformMatrix3dv: Double, 3, 3, GLdouble;
    UniformMatrix4dv, ProgramUniformMatrix4dv: Double, 4, 4, GLdouble;
    UniformMatrix2x3dv, ProgramUniformMatrix2x3dv: Double, 2, 3, GLdouble;
    UniformMatrix3x2dv, ProgramUniformMatrix3x2dv: Double, 3, 2, GLdouble;
    UniformMatrix2x4dv, ProgramUniformMatrix2x4dv: Double, 2, 4, GLdouble;
    UniformMatrix4x2dv, ProgramUniformMatrix4x2dv: Double, 4, 2, GLdouble;
    UniformMatrix3x4dv, ProgramUniformMatrix3x4dv: Double, 3, 4, GLdouble;
    UniformMatrix4x3dv, ProgramUniformMatrix4x3dv: Double, 4, 3, GLdouble;
}
