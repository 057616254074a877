//! What a draw case changes between one draw and the next.

use std::ptr::null;

use gallite_tests::gl;

use crate::world::{ATTRIBUTES, BLOCKS, TEXTURES, UNIFORM_ARRAY, UNIFORMS, World, point_attribute};

/// One case: `prepare` runs once, `step` before each draw with the number of that draw.
pub struct Case {
    pub name: &'static str,
    pub indexed: bool,
    pub prepare: fn(&World),
    pub step: fn(&World, u32),
}

const fn case(name: &'static str, prepare: fn(&World), step: fn(&World, u32)) -> Case {
    Case { name, indexed: false, prepare, step }
}

fn nothing(_: &World) {}

/// Enables on odd draws, disables on even ones.
fn toggle(cap: u32, draw: u32) {
    if draw & 1 == 1 { gl::Enable(cap) } else { gl::Disable(cap) }
}

fn set_of(draw: u32) -> usize {
    (draw & 1) as usize
}

fn textures(world: &World, count: u32, draw: u32) {
    for unit in 0..count {
        gl::ActiveTexture(gl::TEXTURE0 + unit);
        gl::BindTexture(gl::TEXTURE_2D, world.textures[set_of(draw)][unit as usize]);
    }
}

fn blocks(world: &World, count: u32, draw: u32) {
    for index in 0..count {
        gl::BindBufferBase(gl::UNIFORM_BUFFER, index, world.blocks[set_of(draw)][index as usize]);
    }
}

/// All cases in the order of the table.
pub static CASES: &[Case] = &[
    case("no change", nothing, |_, _| {}),
    Case { name: "no change, indexed", indexed: true, prepare: nothing, step: |_, _| {} },
    case("1 attribute", nothing, |_, draw| point_attribute(0, (draw & 1) as usize * 16)),
    case(
        "16 attributes",
        |w| {
            gl::UseProgram(w.attributes);
            gl::BindVertexArray(w.wide_arrays[0]);
            gl::BindBuffer(gl::ARRAY_BUFFER, w.vertices[0]);
        },
        |_, draw| {
            for index in 0..ATTRIBUTES {
                point_attribute(index, (index + (draw & 1)) as usize * 16);
            }
        },
    ),
    case("vertex array, 1 attribute", nothing, |w, draw| gl::BindVertexArray(w.arrays[set_of(draw)])),
    case(
        "vertex array, 16 attributes",
        |w| gl::UseProgram(w.attributes),
        |w, draw| gl::BindVertexArray(w.wide_arrays[set_of(draw)]),
    ),
    case("program", nothing, |w, draw| gl::UseProgram(w.plain[set_of(draw)])),
    case("1 texture", |w| gl::UseProgram(w.one_texture), |w, draw| textures(w, 1, draw)),
    case("8 textures", |w| gl::UseProgram(w.eight_textures), |w, draw| textures(w, 8, draw)),
    case("16 textures", |w| gl::UseProgram(w.all_textures), |w, draw| textures(w, TEXTURES, draw)),
    case("1 of 16 textures", |w| gl::UseProgram(w.all_textures), |w, draw| textures(w, 1, draw)),
    case("1 uniform block", |w| gl::UseProgram(w.one_block), |w, draw| blocks(w, 1, draw)),
    case("12 uniform blocks", |w| gl::UseProgram(w.all_blocks), |w, draw| blocks(w, BLOCKS, draw)),
    case(
        "1 uniform",
        |w| gl::UseProgram(w.few_uniforms),
        |w, draw| gl::Uniform4f(w.few_location, draw as f32, 0.0, 0.0, 0.0),
    ),
    case(
        "16 uniforms",
        |w| gl::UseProgram(w.many_uniforms),
        |w, draw| {
            for location in w.many_locations.iter().take(UNIFORMS) {
                gl::Uniform4f(*location, draw as f32, 0.0, 0.0, 0.0);
            }
        },
    ),
    case(
        "array of 100 uniforms",
        |w| gl::UseProgram(w.many_uniforms),
        |w, draw| {
            let values = [draw as f32; UNIFORM_ARRAY * 4];
            gl::Uniform4fv(w.array_location, UNIFORM_ARRAY as i32, values.as_ptr());
        },
    ),
    case(
        "uniform buffer update",
        |w| {
            gl::UseProgram(w.one_block);
            gl::BindBuffer(gl::UNIFORM_BUFFER, w.blocks[0][0]);
        },
        |_, draw| {
            let bytes = [draw as u8; 64];
            gl::BufferSubData(gl::UNIFORM_BUFFER, 0, 64, bytes.as_ptr().cast());
        },
    ),
    case("blend", nothing, |_, draw| toggle(gl::BLEND, draw)),
    case(
        "blend function",
        |_| gl::Enable(gl::BLEND),
        |_, draw| {
            let target = if draw & 1 == 1 { gl::ONE } else { gl::ONE_MINUS_SRC_ALPHA };
            gl::BlendFunc(gl::SRC_ALPHA, target);
        },
    ),
    case("depth test", nothing, |_, draw| toggle(gl::DEPTH_TEST, draw)),
    case("stencil test", nothing, |_, draw| toggle(gl::STENCIL_TEST, draw)),
    case("cull face", nothing, |_, draw| toggle(gl::CULL_FACE, draw)),
    case("scissor test", nothing, |_, draw| toggle(gl::SCISSOR_TEST, draw)),
    case("scissor box", |_| gl::Enable(gl::SCISSOR_TEST), |_, draw| gl::Scissor(0, 0, 32 + (draw & 1) as i32, 32)),
    case("viewport", nothing, |_, draw| gl::Viewport(0, 0, 32 + (draw & 1) as i32, 32)),
    case(
        "texture, block, uniform, array",
        |w| gl::UseProgram(w.mixed),
        |w, draw| {
            gl::Uniform4f(w.mixed_location, draw as f32, 0.0, 0.0, 0.0);
            textures(w, 1, draw);
            blocks(w, 1, draw);
            gl::BindVertexArray(w.arrays[set_of(draw)]);
        },
    ),
    case("framebuffer", nothing, |w, draw| gl::BindFramebuffer(gl::FRAMEBUFFER, w.framebuffers[set_of(draw)])),
];

impl Case {
    /// One frame: a clear and `draws` draws, given to the driver.
    pub fn frame(&self, world: &World, draws: u32) {
        gl::Clear(gl::COLOR_BUFFER_BIT | gl::DEPTH_BUFFER_BIT);
        if self.indexed {
            for draw in 0..draws {
                (self.step)(world, draw);
                gl::DrawElements(gl::TRIANGLES, 3, gl::UNSIGNED_SHORT, null());
            }
        } else {
            for draw in 0..draws {
                (self.step)(world, draw);
                gl::DrawArrays(gl::TRIANGLES, 0, 3);
            }
        }
        gl::Flush();
    }
}
