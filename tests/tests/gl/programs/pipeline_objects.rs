//! Program pipelines as objects, what is answered about them, and what is refused: GL 4.6 core 7.4 and 11.1.3.11.

use gallite_tests::draw::{
    Program, Target, expect_error, expect_no_error, gen_pipeline, gen_vertex_array, get_i32, has_extension, link,
    shader_status,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::ffi::CString;

use super::pipelines::{BOTH, FRAGMENT, HEAD, VERTEX, of_stages, pipeline, pipeline_value, separable, two};

gl_tests! {
    every core(3, 3): objects, stages_are_answered, one_shader_programs, validation, errors, draws_refused, active_program;
}

fn objects(_: &Env) {
    let name = gen_pipeline();
    assert_ne!(name, 0);
    assert_eq!(gl::IsProgramPipeline(name), 0);
    gl::BindProgramPipeline(name);
    assert_eq!(gl::IsProgramPipeline(name), 1);
    assert_eq!(get_i32(gl::PROGRAM_PIPELINE_BINDING) as u32, name);
    let mut created = 0;
    if has_extension("GL_ARB_direct_state_access") {
        gl::CreateProgramPipelines(1, &mut created);
        assert_eq!(gl::IsProgramPipeline(created), 1);
    }
    if has_extension("GL_KHR_debug") {
        gl::ObjectLabel(gl::PROGRAM_PIPELINE, name, -1, c"both".as_ptr());
        let (mut bytes, mut length) = ([0_u8; 8], 0);
        gl::GetObjectLabel(gl::PROGRAM_PIPELINE, name, 8, &mut length, bytes.as_mut_ptr().cast());
        assert_eq!((length, &bytes[..4]), (4, &b"both"[..]));
    }
    gl::DeleteProgramPipelines(1, &name);
    assert_eq!((gl::IsProgramPipeline(name), get_i32(gl::PROGRAM_PIPELINE_BINDING)), (0, 0));
    gl::DeleteProgramPipelines(1, &0);
    gl::DeleteProgramPipelines(1, &name);
    expect_no_error("pipeline objects");
    gl::BindProgramPipeline(name);
    expect_error(gl::INVALID_OPERATION, "a pipeline that is no more");
    gl::GenProgramPipelines(-1, &mut created);
    expect_error(gl::INVALID_VALUE, "a negative number");
}

fn stages_are_answered(_: &Env) {
    let (v, f) = two();
    let name = gen_pipeline();
    gl::UseProgramStages(name, gl::ALL_SHADER_BITS, v.0);
    gl::UseProgramStages(name, BOTH[1], f.0);
    assert_eq!(gl::IsProgramPipeline(name), 1);
    assert_eq!(pipeline_value(name, gl::VERTEX_SHADER) as u32, v.0);
    assert_eq!(pipeline_value(name, gl::FRAGMENT_SHADER) as u32, f.0);
    assert_eq!(pipeline_value(name, gl::GEOMETRY_SHADER), 0);
    // 7.4: a program without the stage leaves none there.
    gl::UseProgramStages(name, BOTH[1], v.0);
    assert_eq!(pipeline_value(name, gl::FRAGMENT_SHADER), 0);
    assert_eq!(pipeline_value(name, gl::ACTIVE_PROGRAM), 0);
    assert_eq!(pipeline_value(name, gl::VALIDATE_STATUS), 0);
    assert_eq!(pipeline_value(name, gl::INFO_LOG_LENGTH), 0);
    assert_eq!((v.get(gl::PROGRAM_SEPARABLE), f.get(gl::PROGRAM_SEPARABLE)), (1, 1));
    assert_eq!(Program(gl::CreateProgram()).get(gl::PROGRAM_SEPARABLE), 0);
    expect_no_error("stages");
}

fn one_shader_programs(_: &Env) {
    let create = |stage, source: &str| {
        let text = CString::new(source).unwrap_or_default();
        Program(gl::CreateShaderProgramv(stage, 1, &text.as_ptr()))
    };
    let good = create(gl::FRAGMENT_SHADER, &format!("{HEAD}{FRAGMENT}"));
    assert_eq!((good.get(gl::LINK_STATUS), good.get(gl::PROGRAM_SEPARABLE)), (1, 1));
    assert_eq!(good.get(gl::ATTACHED_SHADERS), 0);
    let bad = create(gl::FRAGMENT_SHADER, "#version 330 core\nvoid main() { nothing; }\n");
    assert_ne!(bad.0, 0);
    assert_eq!(bad.get(gl::LINK_STATUS), 0);
    assert!(bad.get(gl::INFO_LOG_LENGTH) > 1);
    expect_no_error("programs of one shader");
    assert_eq!(create(gl::TEXTURE_2D, "").0, 0);
    expect_error(gl::INVALID_ENUM, "no stage");
    assert_eq!(gl::CreateShaderProgramv(gl::FRAGMENT_SHADER, -1, std::ptr::null()), 0);
    expect_error(gl::INVALID_VALUE, "a negative number of strings");
}

fn validation(_: &Env) {
    let (v, f) = two();
    let valid = |parts: &[(u32, Program)]| {
        let name = pipeline(parts);
        gl::ValidateProgramPipeline(name);
        let ok = pipeline_value(name, gl::VALIDATE_STATUS) == 1;
        let length = pipeline_value(name, gl::INFO_LOG_LENGTH);
        let (mut bytes, mut written) = ([0_u8; 256], -1);
        gl::GetProgramPipelineInfoLog(name, 256, &mut written, bytes.as_mut_ptr().cast());
        assert_eq!(written + 1, length.max(1));
        assert_eq!(ok, length == 0);
        ok
    };
    assert!(valid(&[(BOTH[0], v), (BOTH[1], f)]));
    let whole = of_stages(&[(gl::VERTEX_SHADER, VERTEX), (gl::FRAGMENT_SHADER, FRAGMENT)]);
    assert!(valid(&[(gl::ALL_SHADER_BITS, whole)]));
    // GLSL 4.60 7.1.1: what is handed on in the built-in block is redeclared.
    let geometry = "layout(triangles) in; layout(points, max_vertices = 1) out; out gl_PerVertex { vec4 gl_Position; };
        void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }";
    let p = gl::CreateProgram();
    gl::ProgramParameteri(p, gl::PROGRAM_SEPARABLE, 1);
    for (stage, source) in [(gl::VERTEX_SHADER, VERTEX), (gl::GEOMETRY_SHADER, geometry)] {
        gl::AttachShader(p, shader_status(stage, &format!("{HEAD}{source}")).0);
    }
    assert!(link(p).is_err());
    // 11.1.3.11: a program is used for all of its stages or for none.
    assert!(!valid(&[(BOTH[0], whole), (BOTH[1], f)]));
    expect_no_error("validation");
}

fn errors(_: &Env) {
    let (v, f) = two();
    let plain = gallite_tests::draw::solid([1.0; 4]);
    let name = gen_pipeline();
    let shader = gl::CreateShader(gl::VERTEX_SHADER);
    for (stages, program, error) in [
        (BOTH[0], plain.0, gl::INVALID_OPERATION),
        (BOTH[0], shader, gl::INVALID_OPERATION),
        (BOTH[0], 9999, gl::INVALID_VALUE),
        (BOTH[0], gl::CreateProgram(), gl::INVALID_OPERATION),
        (0x4000_0000, v.0, gl::INVALID_VALUE),
    ] {
        gl::UseProgramStages(name, stages, program);
        expect_error(error, &format!("program {program} for stages {stages:#x}"));
    }
    gl::UseProgramStages(9999, BOTH[0], v.0);
    expect_error(gl::INVALID_OPERATION, "stages of no pipeline");
    gl::BindProgramPipeline(9999);
    expect_error(gl::INVALID_OPERATION, "no pipeline");
    for (program, error) in
        [(9999, gl::INVALID_VALUE), (shader, gl::INVALID_OPERATION), (gl::CreateProgram(), gl::INVALID_OPERATION)]
    {
        gl::ActiveShaderProgram(name, program);
        expect_error(error, "no program to be active");
    }
    gl::ActiveShaderProgram(9999, f.0);
    expect_error(gl::INVALID_OPERATION, "an active program of no pipeline");
    gl::ValidateProgramPipeline(9999);
    expect_error(gl::INVALID_OPERATION, "validation of no pipeline");
    pipeline_value(9999, gl::VERTEX_SHADER);
    expect_error(gl::INVALID_OPERATION, "a value of no pipeline");
    pipeline_value(name, gl::TEXTURE_2D);
    expect_error(gl::INVALID_ENUM, "no such value");
    gl::GetProgramPipelineInfoLog(name, -1, std::ptr::null_mut(), std::ptr::null_mut());
    expect_error(gl::INVALID_VALUE, "a negative size");
    gl::ProgramParameteri(v.0, gl::PROGRAM_SEPARABLE, 2);
    expect_error(gl::INVALID_VALUE, "neither true nor false");
    gl::ProgramParameteri(v.0, gl::LINK_STATUS, 1);
    expect_error(gl::INVALID_ENUM, "no parameter");
    gl::ProgramParameteri(9999, gl::PROGRAM_SEPARABLE, 1);
    expect_error(gl::INVALID_VALUE, "no program");
}

/// 11.1.3.11: what a pipeline may not be when a draw uses it.
fn draws_refused(_: &Env) {
    let (v, f) = two();
    let draw = |error: u32, what: &str| {
        let target = Target::new(2, 2);
        gl::BindVertexArray(gen_vertex_array());
        gl::DrawArrays(gl::TRIANGLES, 0, 3);
        expect_error(error, what);
        target.delete();
    };
    let whole = of_stages(&[(gl::VERTEX_SHADER, VERTEX), (gl::FRAGMENT_SHADER, FRAGMENT)]);
    pipeline(&[(BOTH[0], whole), (BOTH[1], f)]);
    draw(gl::INVALID_OPERATION, "half of a program");
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    draw(gl::NO_ERROR, "two programs");
    gl::ProgramParameteri(f.0, gl::PROGRAM_SEPARABLE, 0);
    assert_eq!(link(f.0), Ok(()));
    draw(gl::INVALID_OPERATION, "a program linked anew and not separable");
    gl::ProgramParameteri(f.0, gl::PROGRAM_SEPARABLE, 1);
    assert_eq!(link(f.0), Ok(()));
    draw(gl::NO_ERROR, "separable again");
    let g = separable(
        gl::GEOMETRY_SHADER,
        "layout(triangles) in; layout(points, max_vertices = 1) out; in gl_PerVertex { vec4 gl_Position; } gl_in[];
         out gl_PerVertex { vec4 gl_Position; }; void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }",
    );
    pipeline(&[(gl::GEOMETRY_SHADER_BIT, g), (BOTH[1], f)]);
    draw(gl::INVALID_OPERATION, "a geometry shader without a vertex shader");
    pipeline(&[]);
    draw(gl::NO_ERROR, "an empty pipeline");
}

/// 7.6.1: glUniform* sets uniforms of the active program of the bound pipeline while no program is in use.
fn active_program(_: &Env) {
    let (v, f) = two();
    let name = pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    gl::Uniform4f(f.location("add"), 1.0, 1.0, 1.0, 1.0);
    expect_error(gl::INVALID_OPERATION, "no active program");
    gl::ActiveShaderProgram(name, f.0);
    assert_eq!(pipeline_value(name, gl::ACTIVE_PROGRAM) as u32, f.0);
    gl::Uniform4f(f.location("add"), 1.0, 2.0, 3.0, 4.0);
    expect_no_error("a uniform of the active program");
    let value = |p: Program| {
        let mut value = [0.0_f32; 4];
        gl::GetUniformfv(p.0, p.location("add"), value.as_mut_ptr());
        value
    };
    assert_eq!((value(v), value(f)), ([0.0; 4], [1.0, 2.0, 3.0, 4.0]));
    gl::ActiveShaderProgram(name, v.0);
    gl::Uniform4f(v.location("add"), 5.0, 5.0, 5.0, 5.0);
    assert_eq!((value(v), value(f)), ([5.0; 4], [1.0, 2.0, 3.0, 4.0]));
    // A program in use goes first here too.
    let whole = of_stages(&[(gl::VERTEX_SHADER, VERTEX), (gl::FRAGMENT_SHADER, FRAGMENT)]);
    whole.bind();
    whole.set4f("add", [6.0; 4]);
    assert_eq!((value(v), value(whole)), ([5.0; 4], [6.0; 4]));
    gl::UseProgram(0);
    gl::Uniform4f(v.location("add"), 7.0, 7.0, 7.0, 7.0);
    assert_eq!(value(v), [7.0; 4]);
    gl::ActiveShaderProgram(name, 0);
    gl::Uniform4f(v.location("add"), 8.0, 8.0, 8.0, 8.0);
    expect_error(gl::INVALID_OPERATION, "no active program again");
    expect_no_error("active programs");
}
