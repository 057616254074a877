//! Shaders and programs.

use crate::gl;
use std::ffi::CString;

/// A linked program with the calls a test makes on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program(pub u32);

/// Vertex shader of [`solid`]: attribute 0 is a clip-space position.
pub const SOLID_VS: &str = "#version 330 core
layout(location = 0) in vec4 position;
void main() { gl_Position = position; }
";

/// Fragment shader of [`solid`].
pub const SOLID_FS: &str = "#version 330 core
uniform vec4 colour;
out vec4 result;
void main() { result = colour; }
";

/// Compiles a shader and returns its name, whatever came of it.
pub fn shader_status(stage: u32, source: &str) -> (u32, bool) {
    let shader = gl::CreateShader(stage);
    let text = source.as_ptr().cast();
    let length = source.len() as i32;
    gl::ShaderSource(shader, 1, &text, &length);
    gl::CompileShader(shader);
    let mut status = 0;
    gl::GetShaderiv(shader, gl::COMPILE_STATUS, &mut status);
    (shader, status == 1)
}

/// Info log of a shader.
pub fn compile_log(shader: u32) -> String {
    let mut length = 0;
    gl::GetShaderiv(shader, gl::INFO_LOG_LENGTH, &mut length);
    let mut bytes = vec![0_u8; length.max(1) as usize];
    let mut written = 0;
    gl::GetShaderInfoLog(shader, bytes.len() as i32, &mut written, bytes.as_mut_ptr().cast());
    bytes.truncate(written.max(0) as usize);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Compiles a shader that must compile.
#[track_caller]
pub fn compile(stage: u32, source: &str) -> u32 {
    let (shader, ok) = shader_status(stage, source);
    assert!(ok, "shader does not compile:\n{}\n{source}", compile_log(shader));
    shader
}

/// Links `program`; the info log when that fails.
pub fn link(program: u32) -> Result<(), String> {
    gl::LinkProgram(program);
    let mut status = 0;
    gl::GetProgramiv(program, gl::LINK_STATUS, &mut status);
    if status == 1 {
        return Ok(());
    }
    let mut length = 0;
    gl::GetProgramiv(program, gl::INFO_LOG_LENGTH, &mut length);
    let mut bytes = vec![0_u8; length.max(1) as usize];
    let mut written = 0;
    gl::GetProgramInfoLog(program, bytes.len() as i32, &mut written, bytes.as_mut_ptr().cast());
    bytes.truncate(written.max(0) as usize);
    Err(String::from_utf8_lossy(&bytes).into_owned())
}

/// Compiles and links; `prepare` runs between attaching and linking.
///
/// # Errors
/// The first info log that tells of a failure.
pub fn try_program(stages: &[(u32, &str)], prepare: impl FnOnce(u32)) -> Result<Program, String> {
    let program = gl::CreateProgram();
    for (stage, source) in stages {
        let (shader, ok) = shader_status(*stage, source);
        if !ok {
            let log = compile_log(shader);
            gl::DeleteShader(shader);
            gl::DeleteProgram(program);
            return Err(format!("compile: {log}\n{source}"));
        }
        gl::AttachShader(program, shader);
        gl::DeleteShader(shader);
    }
    prepare(program);
    match link(program) {
        Ok(()) => Ok(Program(program)),
        Err(log) => {
            gl::DeleteProgram(program);
            Err(format!("link: {log}"))
        }
    }
}

/// Compiles and links stages that must succeed.
#[track_caller]
pub fn program_with(stages: &[(u32, &str)], prepare: impl FnOnce(u32)) -> Program {
    match try_program(stages, prepare) {
        Ok(program) => program,
        Err(log) => panic!("{log}"),
    }
}

/// A program of a vertex and a fragment shader, made current.
#[track_caller]
pub fn program(vertex: &str, fragment: &str) -> Program {
    let stages = [(gl::VERTEX_SHADER, vertex), (gl::FRAGMENT_SHADER, fragment)];
    let program = program_with(&stages, |_| {});
    program.bind();
    program
}

/// A current program that paints one colour at the positions of attribute 0.
#[track_caller]
pub fn solid(colour: [f32; 4]) -> Program {
    let program = program(SOLID_VS, SOLID_FS);
    program.set4f("colour", colour);
    program
}

/// As [`solid`], with every vertex at this depth (normalised device coordinates).
#[track_caller]
pub fn solid_at_depth(colour: [f32; 4], depth: f32) -> Program {
    let vertex = "#version 330 core
layout(location = 0) in vec4 position;
uniform float depth;
void main() { gl_Position = vec4(position.xy, depth, 1.0); }
";
    let program = program(vertex, SOLID_FS);
    program.set4f("colour", colour);
    program.set1f("depth", depth);
    program
}

/// Location of a uniform that must exist.
#[track_caller]
pub fn uniform(program: u32, name: &str) -> i32 {
    let location = Program(program).location(name);
    assert!(location >= 0, "no uniform '{name}'");
    location
}

impl Program {
    /// `glUseProgram`.
    pub fn bind(self) {
        gl::UseProgram(self.0);
    }

    /// `glGetUniformLocation`.
    pub fn location(self, name: &str) -> i32 {
        let name = CString::new(name).unwrap_or_default();
        gl::GetUniformLocation(self.0, name.as_ptr())
    }

    /// `glGetAttribLocation`.
    pub fn attribute(self, name: &str) -> i32 {
        let name = CString::new(name).unwrap_or_default();
        gl::GetAttribLocation(self.0, name.as_ptr())
    }

    /// `glGetUniformBlockIndex`.
    pub fn block(self, name: &str) -> u32 {
        let name = CString::new(name).unwrap_or_default();
        gl::GetUniformBlockIndex(self.0, name.as_ptr())
    }

    /// Sets an integer or sampler uniform of the current program.
    #[track_caller]
    pub fn set1i(self, name: &str, value: i32) {
        gl::Uniform1i(uniform(self.0, name), value);
    }

    /// Sets a float uniform of the current program.
    #[track_caller]
    pub fn set1f(self, name: &str, value: f32) {
        gl::Uniform1f(uniform(self.0, name), value);
    }

    /// Sets a vec2 uniform of the current program.
    #[track_caller]
    pub fn set2f(self, name: &str, value: [f32; 2]) {
        gl::Uniform2fv(uniform(self.0, name), 1, value.as_ptr());
    }

    /// Sets a vec4 uniform of the current program.
    #[track_caller]
    pub fn set4f(self, name: &str, value: [f32; 4]) {
        gl::Uniform4fv(uniform(self.0, name), 1, value.as_ptr());
    }

    /// `glGetProgramiv` of one value.
    pub fn get(self, name: u32) -> i32 {
        let mut value = i32::MIN;
        gl::GetProgramiv(self.0, name, &mut value);
        value
    }

    /// `glDeleteProgram`.
    pub fn delete(self) {
        gl::DeleteProgram(self.0);
    }
}
