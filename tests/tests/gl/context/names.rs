//! Names of objects: GL 3.3 core appendix D and the sections of each kind.

use gallite_tests::draw::{expect_error, expect_no_error, shader_status};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): generated_names_are_new_and_no_objects, names_become_objects_when_bound, names_of_deleted_objects,
        unknown_names_are_ignored_by_delete, negative_counts, only_generated_names_bind, many_names, shaders_and_programs_share_names,
        flagged_shaders_and_programs_stay;
}

type Gen = fn(i32, *mut u32);
type Delete = fn(i32, *const u32);
type Is = fn(u32) -> u8;
type Bind = fn(u32);

/// Each kind with glGen*, glDelete*, glIs* and a bind that makes it an object.
const KINDS: [(&str, Gen, Delete, Is, Bind); 7] = [
    ("buffer", gl::GenBuffers, gl::DeleteBuffers, gl::IsBuffer, |name| gl::BindBuffer(gl::ARRAY_BUFFER, name)),
    ("texture", gl::GenTextures, gl::DeleteTextures, gl::IsTexture, |name| gl::BindTexture(gl::TEXTURE_2D, name)),
    ("renderbuffer", gl::GenRenderbuffers, gl::DeleteRenderbuffers, gl::IsRenderbuffer, |name| {
        gl::BindRenderbuffer(gl::RENDERBUFFER, name);
    }),
    ("framebuffer", gl::GenFramebuffers, gl::DeleteFramebuffers, gl::IsFramebuffer, |name| {
        gl::BindFramebuffer(gl::FRAMEBUFFER, name);
    }),
    ("vertex array", gl::GenVertexArrays, gl::DeleteVertexArrays, gl::IsVertexArray, |name| gl::BindVertexArray(name)),
    ("sampler", gl::GenSamplers, gl::DeleteSamplers, gl::IsSampler, |name| gl::BindSampler(0, name)),
    ("query", gl::GenQueries, gl::DeleteQueries, gl::IsQuery, |name| {
        if name != 0 {
            gl::BeginQuery(gl::SAMPLES_PASSED, name);
            gl::EndQuery(gl::SAMPLES_PASSED);
        }
    }),
];

fn generated_names_are_new_and_no_objects(_: &Env) {
    for (kind, generate, _, is, _) in KINDS {
        let mut names = [0; 8];
        generate(8, names.as_mut_ptr());
        let mut sorted = names;
        sorted.sort_unstable();
        assert!(sorted[0] > 0 && sorted.windows(2).all(|pair| pair[0] != pair[1]), "{kind}: {names:?}");
        // 3.8.2: a generated sampler is an object at once.
        let made = if kind == "sampler" { gl::TRUE } else { gl::FALSE };
        assert!(names.iter().all(|name| is(*name) == made), "{kind}");
        assert_eq!(is(0), gl::FALSE, "{kind}");
    }
    expect_no_error("names");
}

fn names_become_objects_when_bound(_: &Env) {
    for (kind, generate, delete, is, bind) in KINDS {
        let mut name = 0;
        generate(1, &mut name);
        bind(name);
        assert_eq!(is(name), gl::TRUE, "{kind}");
        bind(0);
        assert_eq!(is(name), gl::TRUE, "{kind}");
        delete(1, &name);
        assert_eq!(is(name), gl::FALSE, "{kind}");
        expect_no_error(kind);
    }
}

/// Deleted while bound: unbound, and the name can't be bound again.
fn names_of_deleted_objects(_: &Env) {
    for (kind, generate, delete, _, bind) in KINDS {
        let mut name = 0;
        generate(1, &mut name);
        bind(name);
        delete(1, &name);
        expect_no_error(kind);
        bind(name);
        expect_error(gl::INVALID_OPERATION, kind);
    }
}

fn unknown_names_are_ignored_by_delete(_: &Env) {
    for (kind, _, delete, is, _) in KINDS {
        delete(4, [0, 77_777, 77_777, u32::MAX].as_ptr());
        expect_no_error(kind);
        assert_eq!(is(77_777), gl::FALSE, "{kind}");
        delete(0, std::ptr::null());
        expect_no_error(kind);
    }
}

fn negative_counts(_: &Env) {
    for (kind, generate, delete, ..) in KINDS {
        generate(-1, std::ptr::null_mut());
        expect_error(gl::INVALID_VALUE, kind);
        delete(-1, std::ptr::null());
        expect_error(gl::INVALID_VALUE, kind);
    }
}

/// Core profile: a name must come from glGen*.
fn only_generated_names_bind(_: &Env) {
    for (kind, _, _, is, bind) in KINDS {
        bind(77_777);
        expect_error(gl::INVALID_OPERATION, kind);
        assert_eq!(is(77_777), gl::FALSE, "{kind}");
    }
}

fn many_names(_: &Env) {
    for (kind, generate, delete, _, _) in KINDS {
        let mut names = vec![0; 5000];
        generate(5000, names.as_mut_ptr());
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 5000, "{kind}");
        delete(5000, names.as_ptr());
    }
    expect_no_error("many names");
}

/// 2.11.1: one space of names; the wrong kind is INVALID_OPERATION, no name at all INVALID_VALUE.
fn shaders_and_programs_share_names(_: &Env) {
    let (shader, _) = shader_status(gl::VERTEX_SHADER, "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n");
    let program = gl::CreateProgram();
    assert_ne!(shader, program);
    assert_eq!((gl::IsShader(program), gl::IsProgram(shader)), (gl::FALSE, gl::FALSE));
    gl::CompileShader(program);
    expect_error(gl::INVALID_OPERATION, "a program is no shader");
    gl::LinkProgram(shader);
    expect_error(gl::INVALID_OPERATION, "a shader is no program");
    gl::UseProgram(shader);
    expect_error(gl::INVALID_OPERATION, "a shader is no program");
    gl::CompileShader(77_777);
    expect_error(gl::INVALID_VALUE, "no name");
    gl::UseProgram(77_777);
    expect_error(gl::INVALID_VALUE, "no name");
    gl::DeleteShader(program);
    expect_error(gl::INVALID_OPERATION, "a program is no shader");
    gl::DeleteProgram(77_777);
    expect_error(gl::INVALID_VALUE, "no name");
    gl::DeleteProgram(0);
    gl::DeleteShader(0);
    expect_no_error("deleting zero");
    assert_eq!(gl::CreateShader(gl::TEXTURE_2D), 0);
    expect_error(gl::INVALID_ENUM, "stage");
}

/// 2.11.1, 2.11.3: deleted while attached or in use is flagged only.
fn flagged_shaders_and_programs_stay(_: &Env) {
    let (shader, _) = shader_status(gl::VERTEX_SHADER, "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n");
    let program = gl::CreateProgram();
    gl::AttachShader(program, shader);
    gl::AttachShader(program, shader);
    expect_error(gl::INVALID_OPERATION, "attached twice");
    gl::DeleteShader(shader);
    assert_eq!(gl::IsShader(shader), gl::TRUE);
    let mut flagged = 0;
    gl::GetShaderiv(shader, gl::DELETE_STATUS, &mut flagged);
    assert_eq!(flagged, 1);
    gl::LinkProgram(program);
    gl::UseProgram(program);
    gl::DeleteProgram(program);
    assert_eq!(gl::IsProgram(program), gl::TRUE);
    gl::UseProgram(0);
    assert_eq!((gl::IsProgram(program), gl::IsShader(shader)), (gl::FALSE, gl::FALSE), "both are gone");
    gl::DetachShader(program, shader);
    expect_error(gl::INVALID_VALUE, "no such program");
}
