//! Shaders and programs as programs of OpenGL 1.5 make them: ARB_shader_objects, ARB_vertex_shader, ARB_fragment_shader,
//! ARB_shading_language_100, ARB_draw_buffers.

use gallite_tests::draw::{Target, expect_error, expect_no_error, get_i32, has_extension};
use gallite_tests::gl;
use gallite_tests::gl::legacy as old;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

use super::{GREEN, RED, cover, image};

gl_tests! {
    render compatibility(8, 8): an_old_program, several_buffers_by_extension;
    every compatibility(8, 8): properties_of_objects, old_names_are_listed;
    every core(3, 3): core_lists_what_it_has;
}

const PROGRAM_OBJECT: u32 = 0x8B40;
const SHADER_OBJECT: u32 = 0x8B48;
const OBJECT_TYPE: u32 = 0x8B4E;
const OBJECT_SUBTYPE: u32 = 0x8B4F;

const VERTEX: &str = "void main() { gl_Position = ftransform(); }";
const FRAGMENT: &str = "uniform vec4 colour; void main() { gl_FragColor = colour; }";

fn shader(kind: u32, source: &str) -> u32 {
    let shader = old::CreateShaderObjectARB(kind);
    old::ShaderSourceARB(shader, 1, &source.as_ptr().cast(), &(source.len() as i32));
    old::CompileShaderARB(shader);
    shader
}

fn property(object: u32, pname: u32) -> i32 {
    let (mut value, mut float) = (-1, -1.0);
    old::GetObjectParameterivARB(object, pname, &mut value);
    old::GetObjectParameterfvARB(object, pname, &mut float);
    assert_eq!(float, value as f32);
    value
}

fn linked(sources: &[(u32, &str)]) -> u32 {
    let program = old::CreateProgramObjectARB();
    for (kind, source) in sources {
        let shader = shader(*kind, source);
        old::AttachObjectARB(program, shader);
        old::DeleteObjectARB(shader);
    }
    old::LinkProgramARB(program);
    program
}

fn an_old_program(_: &Env) {
    let program = linked(&[(gl::VERTEX_SHADER, VERTEX), (gl::FRAGMENT_SHADER, FRAGMENT)]);
    assert_eq!(property(program, gl::LINK_STATUS), 1);
    assert_eq!(old::GetHandleARB(PROGRAM_OBJECT), 0);
    old::UseProgramObjectARB(program);
    assert_eq!(old::GetHandleARB(PROGRAM_OBJECT), program);
    old::ValidateProgramARB(program);
    assert_eq!(property(program, gl::VALIDATE_STATUS), 1);
    old::Uniform4fARB(old::GetUniformLocationARB(program, c"colour".as_ptr()), 0.0, 1.0, 0.0, 1.0);
    cover();
    assert_eq!(image().at(3, 3), GREEN);
    // In use, it lives on.
    old::DeleteObjectARB(program);
    assert_eq!(property(program, gl::DELETE_STATUS), 1);
    old::UseProgramObjectARB(0);
    assert_eq!((old::GetHandleARB(PROGRAM_OBJECT), gl::IsProgram(program)), (0, 0));
    expect_no_error("an old program");
    old::GetHandleARB(SHADER_OBJECT);
    expect_error(gl::INVALID_ENUM, "what is in use is a program");
}

fn properties_of_objects(_: &Env) {
    let good = shader(gl::FRAGMENT_SHADER, FRAGMENT);
    assert_eq!(property(good, OBJECT_TYPE) as u32, SHADER_OBJECT);
    assert_eq!(property(good, OBJECT_SUBTYPE) as u32, gl::FRAGMENT_SHADER);
    assert_eq!(property(good, gl::COMPILE_STATUS), 1);
    assert_eq!(property(good, gl::SHADER_SOURCE_LENGTH), FRAGMENT.len() as i32 + 1);
    let bad = shader(gl::VERTEX_SHADER, "void main() { unknown; }");
    assert_eq!(property(bad, gl::COMPILE_STATUS), 0);
    let mut log = vec![0_u8; property(bad, gl::INFO_LOG_LENGTH) as usize];
    let mut length = 0;
    old::GetInfoLogARB(bad, log.len() as i32, &mut length, log.as_mut_ptr().cast());
    assert_eq!(length as usize + 1, log.len());
    assert!(String::from_utf8_lossy(&log).contains("unknown"));
    let program = old::CreateProgramObjectARB();
    assert_eq!(property(program, OBJECT_TYPE) as u32, PROGRAM_OBJECT);
    old::AttachObjectARB(program, good);
    assert_eq!(property(program, gl::ATTACHED_SHADERS), 1);
    let (mut count, mut objects) = (0, [0; 2]);
    old::GetAttachedObjectsARB(program, 2, &mut count, objects.as_mut_ptr());
    assert_eq!((count, objects), (1, [good, 0]));
    expect_no_error("properties");
    for (object, pname, error) in [
        (program, OBJECT_SUBTYPE, gl::INVALID_OPERATION),
        (program, gl::COMPILE_STATUS, gl::INVALID_OPERATION),
        (good, gl::LINK_STATUS, gl::INVALID_OPERATION),
        (good, gl::TEXTURE_2D, gl::INVALID_ENUM),
        (0, OBJECT_TYPE, gl::INVALID_VALUE),
        (0, gl::LINK_STATUS, gl::INVALID_VALUE),
    ] {
        let mut value = 7;
        old::GetObjectParameterivARB(object, pname, &mut value);
        expect_error(error, "a property that is none");
        assert_eq!(value, 7);
    }
    old::DeleteObjectARB(0);
    expect_no_error("no object to delete");
    [good, bad, program].into_iter().for_each(|object| old::DeleteObjectARB(object));
}

/// ARB_draw_buffers: the command and, in sources that ask for it, `gl_FragData`.
fn several_buffers_by_extension(_: &Env) {
    let target = Target::new(8, 8);
    let second = Target::new(8, 8);
    gl::BindFramebuffer(gl::FRAMEBUFFER, target.framebuffer);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0 + 1, gl::TEXTURE_2D, second.colour, 0);
    gl::DrawBuffersARB(2, [gl::COLOR_ATTACHMENT0 + 1, gl::COLOR_ATTACHMENT0].as_ptr());
    assert_eq!(get_i32(gl::DRAW_BUFFER0 + 1) as u32, gl::COLOR_ATTACHMENT0);
    let fragment = "#version 110
#extension GL_ARB_draw_buffers : require
void main() { gl_FragData[0] = vec4(1.0, 0.0, 0.0, 1.0); gl_FragData[1] = vec4(0.0, 1.0, 0.0, 1.0); }
";
    let program = linked(&[(gl::VERTEX_SHADER, VERTEX), (gl::FRAGMENT_SHADER, fragment)]);
    old::UseProgramObjectARB(program);
    cover();
    expect_no_error("two buffers");
    assert_eq!(target.image().at(3, 3), GREEN);
    gl::BindFramebuffer(gl::FRAMEBUFFER, second.framebuffer);
    assert_eq!(second.image().at(3, 3), RED);
}

fn old_names_are_listed(_: &Env) {
    for name in [
        "GL_ARB_draw_buffers",
        "GL_ARB_fragment_shader",
        "GL_ARB_shader_objects",
        "GL_ARB_shading_language_100",
        "GL_ARB_vertex_shader",
    ] {
        assert!(has_extension(name), "{name}");
    }
}

/// Handles and the built-in variables of fixed function are not in the core profile; several draw buffers are.
fn core_lists_what_it_has(_: &Env) {
    assert!(has_extension("GL_ARB_draw_buffers"));
    for name in ["GL_ARB_fragment_shader", "GL_ARB_shader_objects", "GL_ARB_vertex_shader"] {
        assert!(!has_extension(name), "{name}");
    }
}
