//! The GL objects that the draw cases use, created once per child.

use std::fmt::Write as _;
use std::ptr::without_provenance;

use gallite_tests::draw::{buffer, buffer_data, gen_buffer, gen_framebuffer, gen_vertex_array, texture_2d};
use gallite_tests::{client, gl};

/// Attributes of the widest program: the minimum of MAX_VERTEX_ATTRIBS (GL 3.3 core, table 6.48).
pub const ATTRIBUTES: u32 = 16;
/// Textures of the widest program: the minimum of MAX_TEXTURE_IMAGE_UNITS.
pub const TEXTURES: u32 = 16;
/// Uniform blocks of the widest program: the minimum of MAX_VERTEX_UNIFORM_BLOCKS.
pub const BLOCKS: u32 = 12;
/// Separate vec4 uniforms of the "many" program.
pub const UNIFORMS: usize = 16;
/// Elements of its uniform array.
pub const UNIFORM_ARRAY: usize = 100;

const SIZE: i32 = 64;

/// Everything that a case may bind.
pub struct World {
    pub arrays: [u32; 2],
    pub wide_arrays: [u32; 2],
    pub vertices: [u32; 2],
    pub plain: [u32; 2],
    pub attributes: u32,
    pub one_texture: u32,
    pub eight_textures: u32,
    pub all_textures: u32,
    pub one_block: u32,
    pub all_blocks: u32,
    pub few_uniforms: u32,
    pub many_uniforms: u32,
    pub mixed: u32,
    pub mixed_location: i32,
    pub few_location: i32,
    pub many_locations: Vec<i32>,
    pub array_location: i32,
    pub textures: [Vec<u32>; 2],
    pub blocks: [Vec<u32>; 2],
    pub framebuffers: [u32; 2],
}

impl World {
    pub fn new() -> Result<Self, String> {
        let framebuffers = [framebuffer()?, framebuffer()?];
        gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffers[0]);
        gl::Viewport(0, 0, SIZE, SIZE);
        let vertices = [vertex_buffer(), vertex_buffer()];
        let few_uniforms = program(&vertex("uniform vec4 u;", "u", 1), "")?;
        let many_uniforms = many_uniforms()?;
        let mixed = mixed()?;
        Ok(Self {
            arrays: [vertex_array(vertices[0], 1), vertex_array(vertices[1], 1)],
            wide_arrays: [vertex_array(vertices[0], ATTRIBUTES), vertex_array(vertices[1], ATTRIBUTES)],
            vertices,
            plain: [program(&vertex("", "vec4(0)", 1), "")?, program(&vertex("", "vec4(0.5)", 1), "")?],
            attributes: program(&vertex("", "vec4(0)", ATTRIBUTES), "")?,
            one_texture: textured(1)?,
            eight_textures: textured(8)?,
            all_textures: textured(TEXTURES)?,
            one_block: blocks(1)?,
            all_blocks: blocks(BLOCKS)?,
            mixed_location: client::uniform(mixed, "u"),
            mixed,
            few_location: client::uniform(few_uniforms, "u"),
            many_locations: (0..UNIFORMS).map(|i| client::uniform(many_uniforms, &format!("u{i}"))).collect(),
            array_location: client::uniform(many_uniforms, "big"),
            few_uniforms,
            many_uniforms,
            textures: [0, 1].map(|_| (0..TEXTURES).map(|_| texture(gl::RGBA8)).collect()),
            blocks: [0, 1].map(|_| {
                let make = |_| {
                    let name = gen_buffer();
                    gl::BindBuffer(gl::UNIFORM_BUFFER, name);
                    buffer_data(gl::UNIFORM_BUFFER, &[0_u8; 256], gl::DYNAMIC_DRAW);
                    name
                };
                (0..BLOCKS).map(make).collect()
            }),
            framebuffers,
        })
    }

    /// Brings the context to where every case starts from.
    pub fn reset(&self) {
        for cap in [gl::BLEND, gl::DEPTH_TEST, gl::STENCIL_TEST, gl::CULL_FACE, gl::SCISSOR_TEST] {
            gl::Disable(cap);
        }
        gl::BindFramebuffer(gl::FRAMEBUFFER, self.framebuffers[0]);
        gl::Viewport(0, 0, SIZE, SIZE);
        gl::Scissor(0, 0, SIZE, SIZE);
        gl::BlendFunc(gl::SRC_ALPHA, gl::ONE_MINUS_SRC_ALPHA);
        gl::UseProgram(self.plain[0]);
        gl::BindVertexArray(self.arrays[0]);
        gl::BindBuffer(gl::ARRAY_BUFFER, self.vertices[0]);
        for unit in (0..TEXTURES).rev() {
            gl::ActiveTexture(gl::TEXTURE0 + unit);
            gl::BindTexture(gl::TEXTURE_2D, self.textures[0][unit as usize]);
        }
        for index in 0..BLOCKS {
            gl::BindBufferBase(gl::UNIFORM_BUFFER, index, self.blocks[0][index as usize]);
        }
    }
}

/// Points attribute `index` of the bound vertex array at the bound buffer, `offset` bytes in.
pub fn point_attribute(index: u32, offset: usize) {
    gl::VertexAttribPointer(index, 4, gl::FLOAT, 0, 16, without_provenance(offset));
}

/// Whether the implementation really executes: a clear that can be read back.
pub fn executes(world: &World) -> bool {
    world.reset();
    gl::ClearColor(0.2, 0.4, 0.6, 0.8);
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::ClearColor(0.0, 0.0, 0.0, 0.0);
    let mut pixel = [0_u8; 4];
    let data = pixel.as_mut_ptr().cast();
    gl::ReadPixels(1, 1, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, data);
    pixel == [51, 102, 153, 204]
}

fn vertex_buffer() -> u32 {
    buffer(gl::ARRAY_BUFFER, &[0_u8; 1024])
}

fn vertex_array(vertices: u32, attributes: u32) -> u32 {
    let array = gen_vertex_array();
    gl::BindVertexArray(array);
    gl::BindBuffer(gl::ARRAY_BUFFER, vertices);
    for index in 0..attributes {
        point_attribute(index, index as usize * 16);
        gl::EnableVertexAttribArray(index);
    }
    buffer(gl::ELEMENT_ARRAY_BUFFER, &[0_u16, 1, 2]);
    array
}

/// A vertex shader that adds up `attributes` attributes and `term`.
fn vertex(declarations: &str, term: &str, attributes: u32) -> String {
    let mut text = format!("#version 330 core\n{declarations}\n");
    for i in 0..attributes {
        let _ = writeln!(text, "layout(location = {i}) in vec4 a{i};");
    }
    let _ = write!(text, "void main() {{ gl_Position = {term}");
    for i in 0..attributes {
        let _ = write!(text, " + a{i}");
    }
    text + "; }\n"
}

/// Links `vertex` with a fragment shader of the given body, or of a constant colour when it is empty.
fn program(vertex: &str, fragment: &str) -> Result<u32, String> {
    let constant = "#version 330 core\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1.0); }\n";
    client::program(vertex, if fragment.is_empty() { constant } else { fragment })
}

/// A fragment shader that adds up `count` textures.
fn texture_sum(count: u32) -> String {
    let mut text = String::from("#version 330 core\nlayout(location = 0) out vec4 color;\n");
    for i in 0..count {
        let _ = writeln!(text, "uniform sampler2D t{i};");
    }
    text.push_str("void main() { color = vec4(0.0)");
    for i in 0..count {
        let _ = write!(text, " + texture(t{i}, gl_FragCoord.xy)");
    }
    text + "; }\n"
}

fn textured(count: u32) -> Result<u32, String> {
    let program = program(&vertex("", "vec4(0)", 1), &texture_sum(count))?;
    gl::UseProgram(program);
    for i in 0..count {
        gl::Uniform1i(client::uniform(program, &format!("t{i}")), i as i32);
    }
    Ok(program)
}

fn blocks(count: u32) -> Result<u32, String> {
    let mut declarations = String::new();
    let mut sum = String::from("vec4(0)");
    for i in 0..count {
        let _ = writeln!(declarations, "layout(std140) uniform Block{i} {{ vec4 b{i}[4]; }};");
        let _ = write!(sum, " + b{i}[3]");
    }
    let program = program(&vertex(&declarations, &sum, 1), "")?;
    for i in 0..count {
        client::bind_block(program, &format!("Block{i}"), i);
    }
    Ok(program)
}

/// A texture, a block and a uniform: what one draw of an ordinary program changes.
fn mixed() -> Result<u32, String> {
    let declarations = "layout(std140) uniform Block0 { vec4 b0[4]; };\nuniform vec4 u;";
    let program = program(&vertex(declarations, "b0[3] + u", 1), &texture_sum(1))?;
    client::bind_block(program, "Block0", 0);
    Ok(program)
}

fn many_uniforms() -> Result<u32, String> {
    let mut declarations = format!("uniform vec4 big[{UNIFORM_ARRAY}];\n");
    let mut sum = String::from("big[int(a0.x) + gl_VertexID]");
    for i in 0..UNIFORMS {
        let _ = writeln!(declarations, "uniform vec4 u{i};");
        let _ = write!(sum, " + u{i}");
    }
    program(&vertex(&declarations, &sum, 1), "")
}

fn texture(internal: u32) -> u32 {
    let (format, kind) = if internal == gl::DEPTH24_STENCIL8 {
        (gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8)
    } else {
        (gl::RGBA, gl::UNSIGNED_BYTE)
    };
    texture_2d::<u8>(internal, SIZE, SIZE, format, kind, None)
}

fn framebuffer() -> Result<u32, String> {
    let (color, depth) = (texture(gl::RGBA8), texture(gl::DEPTH24_STENCIL8));
    let framebuffer = gen_framebuffer();
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    for (attachment, texture) in [(gl::COLOR_ATTACHMENT0, color), (gl::DEPTH_STENCIL_ATTACHMENT, depth)] {
        gl::FramebufferTexture2D(gl::FRAMEBUFFER, attachment, gl::TEXTURE_2D, texture, 0);
    }
    match gl::CheckFramebufferStatus(gl::FRAMEBUFFER) {
        gl::FRAMEBUFFER_COMPLETE => Ok(framebuffer),
        status => Err(format!("framebuffer status {status:#06x}")),
    }
}
