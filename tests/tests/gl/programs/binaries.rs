//! Program binaries: GL 4.6 core 7.5.

use gallite_tests::draw::{
    Image, Target, expect_error, expect_no_error, get_i32, link, program, program_with, quad, require_extension,
    shader_status,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): loaded_binaries_draw, refused_binaries_leave_what_is_in_use;
    every core(3, 3): queries_and_errors, damaged_binaries_are_refused, refused_binaries_stay_separable;
    render compatibility(8, 8): completed_programs_come_back;
}

const VERTEX: &str = "#version 330 core\nlayout(location = 0) in vec2 position;
    void main() { gl_Position = vec4(position, 0.0, 1.0); }";
const FRAGMENT: &str = "#version 330 core\nuniform vec4 tint = vec4(0.0, 1.0, 0.0, 1.0); uniform float more[2];
    out vec4 colour; void main() { colour = tint + vec4(more[0], 0.0, more[1], 0.0); }";
const GREEN: [u8; 4] = [0, 255, 0, 255];

/// The binary of a linked program.
fn binary(program: u32) -> (u32, Vec<u8>) {
    let mut length = 0;
    gl::GetProgramiv(program, gl::PROGRAM_BINARY_LENGTH, &mut length);
    assert!(length > 0);
    let mut bytes = vec![0u8; length as usize];
    let (mut written, mut format) = (0, 0);
    gl::GetProgramBinary(program, length, &mut written, &mut format, bytes.as_mut_ptr().cast());
    assert_eq!(written, length);
    expect_no_error("glGetProgramBinary");
    (format, bytes)
}

fn load(program: u32, format: u32, bytes: &[u8]) -> bool {
    gl::ProgramBinary(program, format, bytes.as_ptr().cast(), bytes.len() as i32);
    expect_no_error("glProgramBinary");
    let mut ok = -1;
    gl::GetProgramiv(program, gl::LINK_STATUS, &mut ok);
    ok == 1
}

/// Uniforms begin with their initial values, not with those they had.
fn loaded_binaries_draw(_: &Env) {
    require_extension("GL_ARB_get_program_binary");
    let target = Target::new(4, 4);
    target.bind();
    let first = program(VERTEX, FRAGMENT);
    first.bind();
    first.set4f("tint", [1.0, 0.0, 0.0, 1.0]);
    let (format, bytes) = binary(first.0);
    let second = gl::CreateProgram();
    assert!(load(second, format, &bytes));
    gl::UseProgram(second);
    quad();
    target.image().expect_all(GREEN);
    let location = gl::GetUniformLocation(second, c"more[1]".as_ptr());
    assert_eq!(location, first.location("more[1]"));
    gl::Uniform1f(location, 1.0);
    quad();
    target.image().expect_all([0, 255, 255, 255]);
    // The first one is another program.
    first.bind();
    quad();
    target.image().expect_all([255, 0, 0, 255]);
    // Loaded over a program in use, it is used at once, and links its own shaders again when asked.
    assert!(load(first.0, format, &bytes));
    quad();
    target.image().expect_all(GREEN);
    assert_eq!(binary(second).1, bytes);
}

/// 7.3: as a failed link, a refused binary leaves the executable with those who use it.
fn refused_binaries_leave_what_is_in_use(_: &Env) {
    require_extension("GL_ARB_get_program_binary");
    let target = Target::new(4, 4);
    target.bind();
    let used = program(VERTEX, FRAGMENT);
    used.bind();
    let (format, bytes) = binary(used.0);
    assert!(!load(used.0, format, &bytes[..bytes.len() - 1]));
    quad();
    target.image().expect_all(GREEN);
    gl::UseProgram(used.0);
    expect_error(gl::INVALID_OPERATION, "use of a program without a valid binary");
    let mut length = -1;
    gl::GetProgramiv(used.0, gl::PROGRAM_BINARY_LENGTH, &mut length);
    assert_eq!(length, 0);
    gl::GetProgramiv(used.0, gl::INFO_LOG_LENGTH, &mut length);
    assert!(length > 1, "a log says why");
}

fn queries_and_errors(_: &Env) {
    require_extension("GL_ARB_get_program_binary");
    assert_eq!(get_i32(gl::NUM_PROGRAM_BINARY_FORMATS), 1);
    let linked = program(VERTEX, FRAGMENT).0;
    let (format, bytes) = binary(linked);
    assert_eq!(get_i32(gl::PROGRAM_BINARY_FORMATS) as u32, format);
    let mut room = vec![7u8; bytes.len()];
    let (mut written, mut kind) = (-1, 0);
    gl::GetProgramBinary(linked, bytes.len() as i32 - 1, &mut written, &mut kind, room.as_mut_ptr().cast());
    expect_error(gl::INVALID_OPERATION, "too little room");
    assert!(room.iter().all(|b| *b == 7) && written == -1);
    gl::GetProgramBinary(linked, -1, &mut written, &mut kind, room.as_mut_ptr().cast());
    expect_error(gl::INVALID_VALUE, "negative room");
    let empty = gl::CreateProgram();
    gl::GetProgramBinary(empty, 100, &mut written, &mut kind, room.as_mut_ptr().cast());
    expect_error(gl::INVALID_OPERATION, "not linked");
    gl::ProgramBinary(linked, format ^ 1, bytes.as_ptr().cast(), bytes.len() as i32);
    expect_error(gl::INVALID_ENUM, "another format");
    gl::ProgramBinary(linked, format, bytes.as_ptr().cast(), -1);
    expect_error(gl::INVALID_VALUE, "a negative length");
    gl::ProgramBinary(12345, format, bytes.as_ptr().cast(), bytes.len() as i32);
    expect_error(gl::INVALID_VALUE, "no program");
    let mut ok = 0;
    gl::GetProgramiv(linked, gl::LINK_STATUS, &mut ok);
    assert_eq!(ok, 1, "errors change nothing");
    let hint = |value: i32| gl::ProgramParameteri(linked, gl::PROGRAM_BINARY_RETRIEVABLE_HINT, value);
    let mut value = -1;
    gl::GetProgramiv(linked, gl::PROGRAM_BINARY_RETRIEVABLE_HINT, &mut value);
    assert_eq!(value, 0);
    hint(1);
    gl::GetProgramiv(linked, gl::PROGRAM_BINARY_RETRIEVABLE_HINT, &mut value);
    assert_eq!(value, 1);
    hint(2);
    expect_error(gl::INVALID_VALUE, "neither true nor false");
    gl::ProgramParameteri(linked, gl::LINK_STATUS, 1);
    expect_error(gl::INVALID_ENUM, "no parameter");
}

fn damaged_binaries_are_refused(_: &Env) {
    require_extension("GL_ARB_get_program_binary");
    let (format, bytes) = binary(program(VERTEX, FRAGMENT).0);
    let target = gl::CreateProgram();
    for at in (0..bytes.len()).step_by(37) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        assert!(!load(target, format, &damaged), "byte {at}");
        assert!(!load(target, format, &bytes[..at]), "{at} bytes");
    }
    assert!(load(target, format, &bytes));
}

/// 7.5: what a program does whose stored binary is refused: it links its shaders, for a pipeline as was asked for.
fn refused_binaries_stay_separable(_: &Env) {
    require_extension("GL_ARB_get_program_binary");
    require_extension("GL_ARB_separate_shader_objects");
    let (format, _) = binary(program(VERTEX, FRAGMENT).0);
    let p = gl::CreateProgram();
    gl::ProgramParameteri(p, gl::PROGRAM_SEPARABLE, 1);
    assert!(!load(p, format, b"made by another driver"));
    gl::AttachShader(p, shader_status(gl::FRAGMENT_SHADER, FRAGMENT).0);
    assert_eq!(link(p), Ok(()));
    let pipeline = gallite_tests::draw::gen_pipeline();
    gl::UseProgramStages(pipeline, gl::FRAGMENT_SHADER_BIT, p);
    expect_no_error("a separable program");
    // A binary that is taken says itself whether it is.
    let (format, bytes) = binary(program(VERTEX, FRAGMENT).0);
    assert!(load(p, format, &bytes));
    gl::UseProgramStages(pipeline, gl::FRAGMENT_SHADER_BIT, p);
    expect_error(gl::INVALID_OPERATION, "a program that isn't separable");
}

/// A program of one stage, which other state links anew.
fn completed_programs_come_back(_: &Env) {
    let fragment =
        "#version 120\nuniform float blue; void main() { gl_FragColor = gl_Color + vec4(0.0, 0.0, blue, 0.0); }";
    let program = program_with(&[(gl::FRAGMENT_SHADER, fragment)], |_| {}).0;
    let (format, bytes) = binary(program);
    let loaded = gl::CreateProgram();
    assert!(load(loaded, format, &bytes));
    gl::UseProgram(loaded);
    gl::Uniform1f(gl::GetUniformLocation(loaded, c"blue".as_ptr()), 1.0);
    gallite_tests::gl::legacy::Color3f(0.0, 1.0, 0.0);
    gallite_tests::gl::legacy::Rectf(-1.0, -1.0, 1.0, 1.0);
    Image::read(0, 0, 8, 8).expect_all([0, 255, 255, 255]);
}
