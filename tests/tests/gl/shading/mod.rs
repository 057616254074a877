//! What OpenGL 4 added to shaders: doubles, tessellation, and the rest of GLSL 4.00 and later.

pub mod atomics;
pub mod doubles;
pub mod groups;
pub mod int64;
pub mod outputs;
pub mod shader5;
pub mod streams;
pub mod subroutines;
pub mod tessellation;

use gallite_tests::draw::{Program, SOLID_VS, program, require_extension, run_float};

/// The language that tests of an extension's types are written in.
pub struct Language {
    /// Of the fragment shaders.
    pub version: u32,
    /// What they ask for.
    pub extension: &'static str,
}

impl Language {
    /// A fragment shader with the extension; `result` is its output.
    pub fn fragment(&self, declarations: &str, body: &str) -> String {
        let Self { version, extension } = self;
        format!(
            "#version {version} core
#extension {extension} : require
{declarations}
out vec4 result;
void main() {{ {body} }}
"
        )
    }

    /// A program of it, made current.
    #[track_caller]
    pub fn with(&self, declarations: &str, body: &str) -> Program {
        require_extension(self.extension);
        program(SOLID_VS, &self.fragment(declarations, body))
    }

    /// Runs a body that leaves `good` true where everything is as it should be.
    #[track_caller]
    pub fn expect_true(&self, declarations: &str, body: &str, prepare: impl FnOnce(Program)) {
        let body = format!("bool good = true; {body} result = good ? vec4(1.0) : vec4(0.5);");
        let program = self.with(declarations, &body);
        prepare(program);
        assert_eq!(run_float(program), [1.0; 4], "{declarations}\n{body}");
        program.delete();
    }
}
