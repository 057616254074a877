//! Textures: GL 3.3 core 3.8 and 6.1.4.

pub mod compressed;
pub mod copies;
pub mod errors;
pub mod fills;
pub mod filters;
pub mod formats;
pub mod mipmaps;
pub mod s3tc;
pub mod stencils;
pub mod storage;
pub mod targets;
pub mod transfers;
pub mod views;

use gallite_tests::draw::{Program, SOLID_VS, expect_no_error, gen_texture, program, run_float, run_int, run_uint};
use gallite_tests::gl;

fn lookup_program(sampler: &str, output: &str, expression: &str) -> Program {
    let fragment = format!(
        "#version 330 core
uniform {sampler} t;
out {output} result;
void main() {{ result = {output}({expression}); }}
"
    );
    program(SOLID_VS, &fragment)
}

/// The value of an expression over `t`, a float sampler at unit 0.
#[track_caller]
pub fn lookup(sampler: &str, expression: &str) -> [f32; 4] {
    let program = lookup_program(sampler, "vec4", expression);
    let value = run_float(program);
    program.delete();
    value
}

/// The same for a signed sampler.
#[track_caller]
pub fn lookup_int(sampler: &str, expression: &str) -> [i32; 4] {
    let program = lookup_program(sampler, "ivec4", expression);
    let value = run_int(program);
    program.delete();
    value
}

/// The same for an unsigned sampler.
#[track_caller]
pub fn lookup_uint(sampler: &str, expression: &str) -> [u32; 4] {
    let program = lookup_program(sampler, "uvec4", expression);
    let value = run_uint(program);
    program.delete();
    value
}

/// A new texture bound to `target`, with nearest filters and clamped coordinates.
pub fn nearest(target: u32) -> u32 {
    let name = gen_texture();
    gl::BindTexture(target, name);
    for (parameter, value) in [
        (gl::TEXTURE_MIN_FILTER, gl::NEAREST),
        (gl::TEXTURE_MAG_FILTER, gl::NEAREST),
        (gl::TEXTURE_WRAP_S, gl::CLAMP_TO_EDGE),
        (gl::TEXTURE_WRAP_T, gl::CLAMP_TO_EDGE),
        (gl::TEXTURE_WRAP_R, gl::CLAMP_TO_EDGE),
    ] {
        gl::TexParameteri(target, parameter, value as i32);
    }
    name
}

/// `glGetTexImage` into a vector of `count` values.
#[track_caller]
pub fn texture_image<T: Copy + Default>(target: u32, level: i32, format: u32, kind: u32, count: usize) -> Vec<T> {
    let mut values = vec![T::default(); count];
    gl::GetTexImage(target, level, format, kind, values.as_mut_ptr().cast());
    expect_no_error("glGetTexImage");
    values
}

/// `glGetTexLevelParameteriv` of one value.
pub fn level_parameter(target: u32, level: i32, name: u32) -> i32 {
    let mut value = i32::MIN;
    gl::GetTexLevelParameteriv(target, level, name, &mut value);
    value
}
