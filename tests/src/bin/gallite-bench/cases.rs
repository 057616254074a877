//! What a draw case changes between one draw and the next.

use std::ptr::null;

use gallite_tests::client::{Gl, consts as gl_enum};

use crate::world::{ATTRIBUTES, BLOCKS, TEXTURES, UNIFORM_ARRAY, UNIFORMS, World, point_attribute};

/// One case: `prepare` runs once, `step` before each draw with the number of that draw.
pub struct Case {
    pub name: &'static str,
    pub indexed: bool,
    pub prepare: fn(&Gl, &World),
    pub step: fn(&Gl, &World, u32),
}

const fn case(name: &'static str, prepare: fn(&Gl, &World), step: fn(&Gl, &World, u32)) -> Case {
    Case { name, indexed: false, prepare, step }
}

fn nothing(_: &Gl, _: &World) {}

/// Enables on odd draws, disables on even ones.
fn toggle(gl: &Gl, cap: u32, draw: u32) {
    if draw & 1 == 1 { gl.Enable(cap) } else { gl.Disable(cap) }
}

fn set_of(draw: u32) -> usize {
    (draw & 1) as usize
}

fn textures(gl: &Gl, world: &World, count: u32, draw: u32) {
    for unit in 0..count {
        gl.ActiveTexture(gl_enum::TEXTURE0 + unit);
        gl.BindTexture(gl_enum::TEXTURE_2D, world.textures[set_of(draw)][unit as usize]);
    }
}

fn blocks(gl: &Gl, world: &World, count: u32, draw: u32) {
    for index in 0..count {
        gl.BindBufferBase(gl_enum::UNIFORM_BUFFER, index, world.blocks[set_of(draw)][index as usize]);
    }
}

/// All cases in the order of the table.
pub static CASES: &[Case] = &[
    case("no change", nothing, |_, _, _| {}),
    Case { name: "no change, indexed", indexed: true, prepare: nothing, step: |_, _, _| {} },
    case("1 attribute", nothing, |gl, _, draw| point_attribute(gl, 0, (draw & 1) as usize * 16)),
    case(
        "16 attributes",
        |gl, w| {
            gl.UseProgram(w.attributes);
            gl.BindVertexArray(w.wide_arrays[0]);
            gl.BindBuffer(gl_enum::ARRAY_BUFFER, w.vertices[0]);
        },
        |gl, _, draw| {
            for index in 0..ATTRIBUTES {
                point_attribute(gl, index, (index + (draw & 1)) as usize * 16);
            }
        },
    ),
    case("vertex array, 1 attribute", nothing, |gl, w, draw| gl.BindVertexArray(w.arrays[set_of(draw)])),
    case(
        "vertex array, 16 attributes",
        |gl, w| gl.UseProgram(w.attributes),
        |gl, w, draw| gl.BindVertexArray(w.wide_arrays[set_of(draw)]),
    ),
    case("program", nothing, |gl, w, draw| gl.UseProgram(w.plain[set_of(draw)])),
    case("1 texture", |gl, w| gl.UseProgram(w.one_texture), |gl, w, draw| textures(gl, w, 1, draw)),
    case("8 textures", |gl, w| gl.UseProgram(w.eight_textures), |gl, w, draw| textures(gl, w, 8, draw)),
    case("16 textures", |gl, w| gl.UseProgram(w.all_textures), |gl, w, draw| textures(gl, w, TEXTURES, draw)),
    case("1 of 16 textures", |gl, w| gl.UseProgram(w.all_textures), |gl, w, draw| textures(gl, w, 1, draw)),
    case("1 uniform block", |gl, w| gl.UseProgram(w.one_block), |gl, w, draw| blocks(gl, w, 1, draw)),
    case("12 uniform blocks", |gl, w| gl.UseProgram(w.all_blocks), |gl, w, draw| blocks(gl, w, BLOCKS, draw)),
    case(
        "1 uniform",
        |gl, w| gl.UseProgram(w.few_uniforms),
        |gl, w, draw| gl.Uniform4f(w.few_location, draw as f32, 0.0, 0.0, 0.0),
    ),
    case(
        "16 uniforms",
        |gl, w| gl.UseProgram(w.many_uniforms),
        |gl, w, draw| {
            for location in w.many_locations.iter().take(UNIFORMS) {
                gl.Uniform4f(*location, draw as f32, 0.0, 0.0, 0.0);
            }
        },
    ),
    case(
        "array of 100 uniforms",
        |gl, w| gl.UseProgram(w.many_uniforms),
        |gl, w, draw| {
            let values = [draw as f32; UNIFORM_ARRAY * 4];
            gl.Uniform4fv(w.array_location, UNIFORM_ARRAY as i32, values.as_ptr());
        },
    ),
    case(
        "uniform buffer update",
        |gl, w| {
            gl.UseProgram(w.one_block);
            gl.BindBuffer(gl_enum::UNIFORM_BUFFER, w.blocks[0][0]);
        },
        |gl, _, draw| {
            let bytes = [draw as u8; 64];
            gl.BufferSubData(gl_enum::UNIFORM_BUFFER, 0, 64, bytes.as_ptr().cast());
        },
    ),
    case("blend", nothing, |gl, _, draw| toggle(gl, gl_enum::BLEND, draw)),
    case(
        "blend function",
        |gl, _| gl.Enable(gl_enum::BLEND),
        |gl, _, draw| {
            let target = if draw & 1 == 1 { gl_enum::ONE } else { gl_enum::ONE_MINUS_SRC_ALPHA };
            gl.BlendFunc(gl_enum::SRC_ALPHA, target);
        },
    ),
    case("depth test", nothing, |gl, _, draw| toggle(gl, gl_enum::DEPTH_TEST, draw)),
    case("stencil test", nothing, |gl, _, draw| toggle(gl, gl_enum::STENCIL_TEST, draw)),
    case("cull face", nothing, |gl, _, draw| toggle(gl, gl_enum::CULL_FACE, draw)),
    case("scissor test", nothing, |gl, _, draw| toggle(gl, gl_enum::SCISSOR_TEST, draw)),
    case(
        "scissor box",
        |gl, _| gl.Enable(gl_enum::SCISSOR_TEST),
        |gl, _, draw| gl.Scissor(0, 0, 32 + (draw & 1) as i32, 32),
    ),
    case("viewport", nothing, |gl, _, draw| gl.Viewport(0, 0, 32 + (draw & 1) as i32, 32)),
    case(
        "texture, block, uniform, array",
        |gl, w| gl.UseProgram(w.mixed),
        |gl, w, draw| {
            gl.Uniform4f(w.mixed_location, draw as f32, 0.0, 0.0, 0.0);
            textures(gl, w, 1, draw);
            blocks(gl, w, 1, draw);
            gl.BindVertexArray(w.arrays[set_of(draw)]);
        },
    ),
    case("framebuffer", nothing, |gl, w, draw| gl.BindFramebuffer(gl_enum::FRAMEBUFFER, w.framebuffers[set_of(draw)])),
];

impl Case {
    /// One frame: a clear and `draws` draws, given to the driver.
    pub fn frame(&self, gl: &Gl, world: &World, draws: u32) {
        gl.Clear(gl_enum::COLOR_BUFFER_BIT | gl_enum::DEPTH_BUFFER_BIT);
        if self.indexed {
            for draw in 0..draws {
                (self.step)(gl, world, draw);
                gl.DrawElements(gl_enum::TRIANGLES, 3, gl_enum::UNSIGNED_SHORT, null());
            }
        } else {
            for draw in 0..draws {
                (self.step)(gl, world, draw);
                gl.DrawArrays(gl_enum::TRIANGLES, 0, 3);
            }
        }
        gl.Flush();
    }
}
