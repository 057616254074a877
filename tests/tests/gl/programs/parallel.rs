//! Compiles and links that run beside the program: KHR_parallel_shader_compile, and the order GL promises without it.

use std::time::{Duration, Instant};

use gallite_tests::draw::{SOLID_VS, Target, compile, expect_no_error, link, quad};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): programs_used_without_a_question, objects_deleted_while_they_compile;
    every core(3, 3): completion_comes_without_a_wait, no_threads_complete_in_the_command,
        a_source_changed_after_the_compile_is_for_the_next;
}

/// Its own text each time, so that no cache has it.
fn fragment(number: u32) -> String {
    format!(
        "#version 330 core\nout vec4 r;\nvoid main() {{ r = vec4({}.0 / 255.0, {}.0, 0.0, 1.0); }}\n",
        number % 256,
        number / 256
    )
}

/// Creates and compiles without asking how it went.
fn unasked(kind: u32, source: &str) -> u32 {
    let shader = gl::CreateShader(kind);
    let (text, length) = (source.as_ptr().cast(), source.len() as i32);
    gl::ShaderSource(shader, 1, &raw const text, &raw const length);
    gl::CompileShader(shader);
    shader
}

/// A program whose shaders are deleted at once; nothing is asked.
fn unasked_program(number: u32) -> u32 {
    let program = gl::CreateProgram();
    for (kind, text) in [(gl::VERTEX_SHADER, SOLID_VS.to_owned()), (gl::FRAGMENT_SHADER, fragment(number))] {
        let shader = unasked(kind, &text);
        gl::AttachShader(program, shader);
        gl::DeleteShader(shader);
    }
    gl::LinkProgram(program);
    program
}

fn program_value(program: u32, name: u32) -> i32 {
    let mut value = -1;
    gl::GetProgramiv(program, name, &raw mut value);
    value
}

fn shader_value(shader: u32, name: u32) -> i32 {
    let mut value = -1;
    gl::GetShaderiv(shader, name, &raw mut value);
    value
}

/// GL 4.6 core 7.3: what follows a link sees its outcome, whatever ran beside.
fn programs_used_without_a_question(_: &Env) {
    let target = Target::new(2, 2);
    let programs: Vec<u32> = (0..24).map(unasked_program).collect();
    for (number, program) in programs.iter().enumerate().rev() {
        gl::UseProgram(*program);
        quad();
        target.image().expect_all([number as u8, 0, 0, 255]);
    }
    // A link of the program in use takes effect at once.
    let shader = unasked(gl::FRAGMENT_SHADER, &fragment(200));
    let mut attached = [0; 2];
    gl::GetAttachedShaders(programs[0], 2, std::ptr::null_mut(), attached.as_mut_ptr());
    gl::DetachShader(programs[0], attached[1]);
    gl::AttachShader(programs[0], shader);
    gl::LinkProgram(programs[0]);
    quad();
    target.image().expect_all([200, 0, 0, 255]);
    expect_no_error("programs");
}

fn objects_deleted_while_they_compile(_: &Env) {
    let target = Target::new(2, 2);
    for number in 300..330 {
        gl::DeleteShader(unasked(gl::FRAGMENT_SHADER, &fragment(number)));
        gl::DeleteProgram(unasked_program(number));
    }
    gl::UseProgram(unasked_program(40));
    quad();
    target.image().expect_all([40, 0, 0, 255]);
    expect_no_error("deletions");
}

/// The question itself never waits; the outcome comes without another call that would.
fn completion_comes_without_a_wait(_: &Env) {
    let programs: Vec<u32> = (400..416).map(unasked_program).collect();
    let began = Instant::now();
    while programs.iter().any(|program| program_value(*program, gl::COMPLETION_STATUS_KHR) == 0) {
        assert!(began.elapsed() < Duration::from_secs(60), "links that never complete");
        std::thread::sleep(Duration::from_millis(1));
    }
    for program in programs {
        assert_eq!(program_value(program, gl::LINK_STATUS), 1);
    }
}

fn no_threads_complete_in_the_command(_: &Env) {
    gl::MaxShaderCompilerThreadsKHR(0);
    let mut threads = -1;
    gl::GetIntegerv(gl::MAX_SHADER_COMPILER_THREADS_KHR, &raw mut threads);
    assert_eq!(threads, 0);
    let shader = unasked(gl::FRAGMENT_SHADER, &fragment(500));
    assert_eq!(shader_value(shader, gl::COMPLETION_STATUS_KHR), 1);
    assert_eq!(program_value(unasked_program(501), gl::COMPLETION_STATUS_KHR), 1);
    gl::MaxShaderCompilerThreadsKHR(u32::MAX);
    gl::GetIntegerv(gl::MAX_SHADER_COMPILER_THREADS_KHR, &raw mut threads);
    assert_eq!(threads as u32, u32::MAX);
}

/// GL 4.6 core 7.1: a compile takes the source as it is when the command is called.
fn a_source_changed_after_the_compile_is_for_the_next(_: &Env) {
    let shader = unasked(gl::FRAGMENT_SHADER, &fragment(600));
    let (text, length) = (c"nonsense".as_ptr(), 8);
    gl::ShaderSource(shader, 1, &raw const text, &raw const length);
    assert_eq!(shader_value(shader, gl::COMPILE_STATUS), 1);
    let program = gl::CreateProgram();
    gl::AttachShader(program, compile(gl::VERTEX_SHADER, SOLID_VS));
    gl::AttachShader(program, shader);
    link(program).expect("the shader as compiled");
    gl::CompileShader(shader);
    assert_eq!(shader_value(shader, gl::COMPILE_STATUS), 0);
    assert!(link(program).is_err());
}
