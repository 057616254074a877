//! The GL objects that the draw cases use, created once per child.

use std::fmt::Write as _;
use std::ptr::{null, without_provenance};

use gallite_tests::client::{Gl, consts as gl_enum};

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
    pub fn new(gl: &Gl) -> Result<Self, String> {
        let framebuffers = [framebuffer(gl)?, framebuffer(gl)?];
        gl.BindFramebuffer(gl_enum::FRAMEBUFFER, framebuffers[0]);
        gl.Viewport(0, 0, SIZE, SIZE);
        let vertices = [vertex_buffer(gl), vertex_buffer(gl)];
        let few_uniforms = program(gl, &vertex("uniform vec4 u;", "u", 1), "")?;
        let many_uniforms = many_uniforms(gl)?;
        let mixed = mixed(gl)?;
        Ok(Self {
            arrays: [vertex_array(gl, vertices[0], 1), vertex_array(gl, vertices[1], 1)],
            wide_arrays: [vertex_array(gl, vertices[0], ATTRIBUTES), vertex_array(gl, vertices[1], ATTRIBUTES)],
            vertices,
            plain: [program(gl, &vertex("", "vec4(0)", 1), "")?, program(gl, &vertex("", "vec4(0.5)", 1), "")?],
            attributes: program(gl, &vertex("", "vec4(0)", ATTRIBUTES), "")?,
            one_texture: textured(gl, 1)?,
            eight_textures: textured(gl, 8)?,
            all_textures: textured(gl, TEXTURES)?,
            one_block: blocks(gl, 1)?,
            all_blocks: blocks(gl, BLOCKS)?,
            mixed_location: gl.uniform(mixed, "u"),
            mixed,
            few_location: gl.uniform(few_uniforms, "u"),
            many_locations: (0..UNIFORMS).map(|i| gl.uniform(many_uniforms, &format!("u{i}"))).collect(),
            array_location: gl.uniform(many_uniforms, "big"),
            few_uniforms,
            many_uniforms,
            textures: [0, 1].map(|_| (0..TEXTURES).map(|_| texture(gl, gl_enum::RGBA8)).collect()),
            blocks: [0, 1].map(|_| {
                let make = |_| gl.buffer_with(gl_enum::UNIFORM_BUFFER, &[0; 256], gl_enum::DYNAMIC_DRAW);
                (0..BLOCKS).map(make).collect()
            }),
            framebuffers,
        })
    }

    /// Brings the context to where every case starts from.
    pub fn reset(&self, gl: &Gl) {
        for cap in
            [gl_enum::BLEND, gl_enum::DEPTH_TEST, gl_enum::STENCIL_TEST, gl_enum::CULL_FACE, gl_enum::SCISSOR_TEST]
        {
            gl.Disable(cap);
        }
        gl.BindFramebuffer(gl_enum::FRAMEBUFFER, self.framebuffers[0]);
        gl.Viewport(0, 0, SIZE, SIZE);
        gl.Scissor(0, 0, SIZE, SIZE);
        gl.BlendFunc(gl_enum::SRC_ALPHA, gl_enum::ONE_MINUS_SRC_ALPHA);
        gl.UseProgram(self.plain[0]);
        gl.BindVertexArray(self.arrays[0]);
        gl.BindBuffer(gl_enum::ARRAY_BUFFER, self.vertices[0]);
        for unit in (0..TEXTURES).rev() {
            gl.ActiveTexture(gl_enum::TEXTURE0 + unit);
            gl.BindTexture(gl_enum::TEXTURE_2D, self.textures[0][unit as usize]);
        }
        for index in 0..BLOCKS {
            gl.BindBufferBase(gl_enum::UNIFORM_BUFFER, index, self.blocks[0][index as usize]);
        }
    }
}

/// Points attribute `index` of the bound vertex array at the bound buffer, `offset` bytes in.
pub fn point_attribute(gl: &Gl, index: u32, offset: usize) {
    gl.VertexAttribPointer(index, 4, gl_enum::FLOAT, 0, 16, without_provenance(offset));
}

/// Whether the implementation really executes: a clear that can be read back.
pub fn executes(gl: &Gl, world: &World) -> bool {
    world.reset(gl);
    gl.ClearColor(0.2, 0.4, 0.6, 0.8);
    gl.Clear(gl_enum::COLOR_BUFFER_BIT);
    gl.ClearColor(0.0, 0.0, 0.0, 0.0);
    let mut pixel = [0_u8; 4];
    let data = pixel.as_mut_ptr().cast();
    gl.ReadPixels(1, 1, 1, 1, gl_enum::RGBA, gl_enum::UNSIGNED_BYTE, data);
    pixel == [51, 102, 153, 204]
}

fn vertex_buffer(gl: &Gl) -> u32 {
    gl.buffer_with(gl_enum::ARRAY_BUFFER, &[0; 1024], gl_enum::STATIC_DRAW)
}

fn vertex_array(gl: &Gl, buffer: u32, attributes: u32) -> u32 {
    let array = Gl::one(|n, p| gl.GenVertexArrays(n, p));
    gl.BindVertexArray(array);
    gl.BindBuffer(gl_enum::ARRAY_BUFFER, buffer);
    for index in 0..attributes {
        point_attribute(gl, index, index as usize * 16);
        gl.EnableVertexAttribArray(index);
    }
    let indices: Vec<u8> = [0_u16, 1, 2].iter().flat_map(|i| i.to_ne_bytes()).collect();
    gl.buffer_with(gl_enum::ELEMENT_ARRAY_BUFFER, &indices, gl_enum::STATIC_DRAW);
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
fn program(gl: &Gl, vertex: &str, fragment: &str) -> Result<u32, String> {
    let constant = "#version 330 core\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1.0); }\n";
    gl.program(vertex, if fragment.is_empty() { constant } else { fragment })
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

fn textured(gl: &Gl, count: u32) -> Result<u32, String> {
    let program = program(gl, &vertex("", "vec4(0)", 1), &texture_sum(count))?;
    gl.UseProgram(program);
    for i in 0..count {
        gl.Uniform1i(gl.uniform(program, &format!("t{i}")), i as i32);
    }
    Ok(program)
}

fn blocks(gl: &Gl, count: u32) -> Result<u32, String> {
    let mut declarations = String::new();
    let mut sum = String::from("vec4(0)");
    for i in 0..count {
        let _ = writeln!(declarations, "layout(std140) uniform Block{i} {{ vec4 b{i}[4]; }};");
        let _ = write!(sum, " + b{i}[3]");
    }
    let program = program(gl, &vertex(&declarations, &sum, 1), "")?;
    for i in 0..count {
        gl.bind_block(program, &format!("Block{i}"), i);
    }
    Ok(program)
}

/// A texture, a block and a uniform: what one draw of an ordinary program changes.
fn mixed(gl: &Gl) -> Result<u32, String> {
    let declarations = "layout(std140) uniform Block0 { vec4 b0[4]; };\nuniform vec4 u;";
    let program = program(gl, &vertex(declarations, "b0[3] + u", 1), &texture_sum(1))?;
    gl.bind_block(program, "Block0", 0);
    Ok(program)
}

fn many_uniforms(gl: &Gl) -> Result<u32, String> {
    let mut declarations = format!("uniform vec4 big[{UNIFORM_ARRAY}];\n");
    let mut sum = String::from("big[int(a0.x) + gl_VertexID]");
    for i in 0..UNIFORMS {
        let _ = writeln!(declarations, "uniform vec4 u{i};");
        let _ = write!(sum, " + u{i}");
    }
    program(gl, &vertex(&declarations, &sum, 1), "")
}

fn texture(gl: &Gl, internal: u32) -> u32 {
    let texture = Gl::one(|n, p| gl.GenTextures(n, p));
    gl.BindTexture(gl_enum::TEXTURE_2D, texture);
    let (format, kind) = if internal == gl_enum::DEPTH24_STENCIL8 {
        (0x84F9 /* DEPTH_STENCIL */, 0x84FA /* UNSIGNED_INT_24_8 */)
    } else {
        (gl_enum::RGBA, gl_enum::UNSIGNED_BYTE)
    };
    gl.TexImage2D(gl_enum::TEXTURE_2D, 0, internal as i32, SIZE, SIZE, 0, format, kind, null());
    gl.TexParameteri(gl_enum::TEXTURE_2D, gl_enum::TEXTURE_MIN_FILTER, gl_enum::NEAREST);
    gl.TexParameteri(gl_enum::TEXTURE_2D, gl_enum::TEXTURE_MAG_FILTER, gl_enum::NEAREST);
    texture
}

fn framebuffer(gl: &Gl) -> Result<u32, String> {
    let (color, depth) = (texture(gl, gl_enum::RGBA8), texture(gl, gl_enum::DEPTH24_STENCIL8));
    let framebuffer = Gl::one(|n, p| gl.GenFramebuffers(n, p));
    gl.BindFramebuffer(gl_enum::FRAMEBUFFER, framebuffer);
    for (attachment, texture) in [(gl_enum::COLOR_ATTACHMENT0, color), (gl_enum::DEPTH_STENCIL_ATTACHMENT, depth)] {
        gl.FramebufferTexture2D(gl_enum::FRAMEBUFFER, attachment, gl_enum::TEXTURE_2D, texture, 0);
    }
    match gl.CheckFramebufferStatus(gl_enum::FRAMEBUFFER) {
        gl_enum::FRAMEBUFFER_COMPLETE => Ok(framebuffer),
        status => Err(format!("framebuffer status {status:#06x}")),
    }
}
