//! Modules of SPIR-V for tests: assembled, specialised, linked, and judged by SPIRV-Tools.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use gallite_shader::{
    CompileOptions, CompiledShader, Limits, LinkInput, LinkResult, LinkedProgram, SpirvModule, Stage, link, specialize,
};

/// Everything that modules can ask for.
pub const EXTENSIONS: &[&str] = &[
    "GL_ARB_cull_distance",
    "GL_ARB_derivative_control",
    "GL_ARB_gpu_shader5",
    "GL_ARB_gpu_shader_fp64",
    "GL_ARB_sample_shading",
    "GL_ARB_shader_atomic_counter_ops",
    "GL_ARB_shader_atomic_counters",
    "GL_ARB_shader_draw_parameters",
    "GL_ARB_shader_group_vote",
    "GL_ARB_shader_image_load_store",
    "GL_ARB_shader_storage_buffer_object",
    "GL_ARB_tessellation_shader",
    "GL_ARB_texture_cube_map_array",
    "GL_ARB_viewport_array",
];

pub fn options() -> CompileOptions {
    let limits = Limits { max_glsl_version: 460, max_image_samples: 4, ..Limits::default() };
    CompileOptions {
        limits: Arc::new(limits),
        extensions: EXTENSIONS.iter().map(|name| (*name).to_owned()).collect(),
        ..CompileOptions::default()
    }
}

/// Runs a program of the package spirv-tools over bytes.
pub fn tool(name: &str, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let mut child = Command::new(name)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("spirv-tools is installed");
    let mut stdin = child.stdin.take().expect("piped");
    let bytes = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A tool that gives up early closes its end.
        let _ = stdin.write_all(&bytes);
    });
    let out = child.wait_with_output().expect("runs");
    writer.join().expect("writes");
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    if out.status.success() { Ok(out.stdout) } else { Err(said) }
}

pub fn assemble(text: &str) -> Vec<u32> {
    let bytes =
        tool("spirv-as", &["--preserve-numeric-ids", "--target-env", "spv1.0", "-o", "-", "-"], text.as_bytes());
    let bytes = bytes.unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

pub fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

pub fn disassemble(words: &[u32]) -> String {
    let text = tool("spirv-dis", &["-"], &bytes(words)).unwrap_or_default();
    String::from_utf8_lossy(&text).into_owned()
}

/// What is wrong with the stages of a program, a text for each that is not valid.
pub fn faults(program: &LinkedProgram) -> Vec<String> {
    let check = |words: &Arc<[u32]>| tool("spirv-val", &["--target-env", "vulkan1.1", "-"], &bytes(words)).err();
    program.stages.iter().flatten().filter_map(check).collect()
}

/// Takes words for a module's and specialises its entry point `main`.
pub fn special(stage: Stage, words: &[u32], constants: &[(u32, u32)]) -> CompiledShader {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
    match SpirvModule::read(&bytes) {
        Ok(module) => specialize(stage, &module, "main", constants, &options()),
        Err(fault) => CompiledShader::failed(stage, fault),
    }
}

pub fn linked(shaders: &[CompiledShader], separable: bool) -> LinkResult {
    link(&LinkInput { shaders, separable, limits: options().limits, ..LinkInput::default() })
}

/// Where instructions begin, as far as lengths make sense.
pub fn instructions(words: &[u32]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 5;
    while at < words.len() {
        let len = (words[at] >> 16) as usize;
        if len == 0 || at + len > words.len() {
            break;
        }
        starts.push(at);
        at += len;
    }
    if starts.is_empty() { vec![5.min(words.len() - 1)] } else { starts }
}

/// Time that one module may take on a machine with other things to do.
pub const MOST_TIME: Duration = Duration::from_secs(20);
