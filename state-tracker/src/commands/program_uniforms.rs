//! Uniform values of named programs (GL 4.6 core 7.6.1): glProgramUniform*.

use gallite_shader::gl_type::{Scalar, Shape};

use crate::client_memory::ClientPtr;
use crate::context::Context;
use crate::error::GlResult;
use crate::gl::*;

use super::uniforms::{Given, elements, set_of_program, vector};

macro_rules! program_uniform_scalars {
    ($($name:ident: $scalar:ident, $rows:literal, $ty:ty, ($($value:ident),+);)+) => {
        $(pub fn $name(ctx: &mut Context, program: GLuint, location: GLint, $($value: $ty),+) -> GlResult {
            let values: [$ty; $rows] = [$($value),+];
            let shape = vector(Scalar::$scalar, $rows);
            let command = concat!("gl", stringify!($name));
            let words = bytemuck::cast_slice(&values);
            set_of_program(ctx, program, location, Given { command, shape, transpose: false, count: 1, words })
        })+
    };
}

macro_rules! program_uniform_vectors {
    ($($name:ident: $scalar:ident, $rows:literal, $ty:ty;)+) => {
        $(pub fn $name(
            ctx: &mut Context,
            program: GLuint,
            location: GLint,
            count: GLsizei,
            value: ClientPtr<$ty>,
        ) -> GlResult {
            let values = value.read(elements(count, $rows));
            let shape = vector(Scalar::$scalar, $rows);
            let command = concat!("gl", stringify!($name));
            let words = bytemuck::cast_slice(&values);
            set_of_program(ctx, program, location, Given { command, shape, transpose: false, count, words })
        })+
    };
}

macro_rules! program_uniform_matrices {
    ($($name:ident: $scalar:ident, $columns:literal, $rows:literal, $ty:ty;)+) => {
        $(pub fn $name(
            ctx: &mut Context,
            program: GLuint,
            location: GLint,
            count: GLsizei,
            transpose: GLboolean,
            value: ClientPtr<$ty>,
        ) -> GlResult {
            let values = value.read(elements(count, $columns * $rows));
            let shape = Shape { scalar: Scalar::$scalar, columns: $columns, rows: $rows };
            let command = concat!("gl", stringify!($name));
            let words = bytemuck::cast_slice(&values);
            set_of_program(ctx, program, location, Given { command, shape, transpose: transpose != 0, count, words })
        })+
    };
}

// gl-commands: ProgramUniform1f ProgramUniform2f ProgramUniform3f ProgramUniform4f ProgramUniform1i ProgramUniform2i
// gl-commands: ProgramUniform3i ProgramUniform4i ProgramUniform1ui ProgramUniform2ui ProgramUniform3ui
// gl-commands: ProgramUniform4ui ProgramUniform1d ProgramUniform2d ProgramUniform3d ProgramUniform4d
program_uniform_scalars! {
    ProgramUniform1f: Float, 1, GLfloat, (v0);
    ProgramUniform2f: Float, 2, GLfloat, (v0, v1);
    ProgramUniform3f: Float, 3, GLfloat, (v0, v1, v2);
    ProgramUniform4f: Float, 4, GLfloat, (v0, v1, v2, v3);
    ProgramUniform1i: Int, 1, GLint, (v0);
    ProgramUniform2i: Int, 2, GLint, (v0, v1);
    ProgramUniform3i: Int, 3, GLint, (v0, v1, v2);
    ProgramUniform4i: Int, 4, GLint, (v0, v1, v2, v3);
    ProgramUniform1ui: Uint, 1, GLuint, (v0);
    ProgramUniform2ui: Uint, 2, GLuint, (v0, v1);
    ProgramUniform3ui: Uint, 3, GLuint, (v0, v1, v2);
    ProgramUniform4ui: Uint, 4, GLuint, (v0, v1, v2, v3);
    ProgramUniform1d: Double, 1, GLdouble, (v0);
    ProgramUniform2d: Double, 2, GLdouble, (v0, v1);
    ProgramUniform3d: Double, 3, GLdouble, (v0, v1, v2);
    ProgramUniform4d: Double, 4, GLdouble, (v0, v1, v2, v3);
}

// gl-commands: ProgramUniform1fv ProgramUniform2fv ProgramUniform3fv ProgramUniform4fv ProgramUniform1iv
// gl-commands: ProgramUniform2iv ProgramUniform3iv ProgramUniform4iv ProgramUniform1uiv ProgramUniform2uiv
// gl-commands: ProgramUniform3uiv ProgramUniform4uiv ProgramUniform1dv ProgramUniform2dv ProgramUniform3dv
// gl-commands: ProgramUniform4dv
program_uniform_vectors! {
    ProgramUniform1fv: Float, 1, GLfloat;
    ProgramUniform2fv: Float, 2, GLfloat;
    ProgramUniform3fv: Float, 3, GLfloat;
    ProgramUniform4fv: Float, 4, GLfloat;
    ProgramUniform1iv: Int, 1, GLint;
    ProgramUniform2iv: Int, 2, GLint;
    ProgramUniform3iv: Int, 3, GLint;
    ProgramUniform4iv: Int, 4, GLint;
    ProgramUniform1uiv: Uint, 1, GLuint;
    ProgramUniform2uiv: Uint, 2, GLuint;
    ProgramUniform3uiv: Uint, 3, GLuint;
    ProgramUniform4uiv: Uint, 4, GLuint;
    ProgramUniform1dv: Double, 1, GLdouble;
    ProgramUniform2dv: Double, 2, GLdouble;
    ProgramUniform3dv: Double, 3, GLdouble;
    ProgramUniform4dv: Double, 4, GLdouble;
}

// gl-commands: ProgramUniformMatrix2fv ProgramUniformMatrix3fv ProgramUniformMatrix4fv ProgramUniformMatrix2x3fv
// gl-commands: ProgramUniformMatrix3x2fv ProgramUniformMatrix2x4fv ProgramUniformMatrix4x2fv
// gl-commands: ProgramUniformMatrix3x4fv ProgramUniformMatrix4x3fv ProgramUniformMatrix2dv ProgramUniformMatrix3dv
// gl-commands: ProgramUniformMatrix4dv ProgramUniformMatrix2x3dv ProgramUniformMatrix3x2dv ProgramUniformMatrix2x4dv
// gl-commands: ProgramUniformMatrix4x2dv ProgramUniformMatrix3x4dv ProgramUniformMatrix4x3dv
program_uniform_matrices! {
    ProgramUniformMatrix2fv: Float, 2, 2, GLfloat;
    ProgramUniformMatrix3fv: Float, 3, 3, GLfloat;
    ProgramUniformMatrix4fv: Float, 4, 4, GLfloat;
    ProgramUniformMatrix2x3fv: Float, 2, 3, GLfloat;
    ProgramUniformMatrix3x2fv: Float, 3, 2, GLfloat;
    ProgramUniformMatrix2x4fv: Float, 2, 4, GLfloat;
    ProgramUniformMatrix4x2fv: Float, 4, 2, GLfloat;
    ProgramUniformMatrix3x4fv: Float, 3, 4, GLfloat;
    ProgramUniformMatrix4x3fv: Float, 4, 3, GLfloat;
    ProgramUniformMatrix2dv: Double, 2, 2, GLdouble;
    ProgramUniformMatrix3dv: Double, 3, 3, GLdouble;
    ProgramUniformMatrix4dv: Double, 4, 4, GLdouble;
    ProgramUniformMatrix2x3dv: Double, 2, 3, GLdouble;
    ProgramUniformMatrix3x2dv: Double, 3, 2, GLdouble;
    ProgramUniformMatrix2x4dv: Double, 2, 4, GLdouble;
    ProgramUniformMatrix4x2dv: Double, 4, 2, GLdouble;
    ProgramUniformMatrix3x4dv: Double, 3, 4, GLdouble;
    ProgramUniformMatrix4x3dv: Double, 4, 3, GLdouble;
}
