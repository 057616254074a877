//! Shader and program objects: GL 3.3 core 2.11.1, 2.11.2 and 6.1.11.

use gallite_tests::draw::{
    Program, SOLID_FS, SOLID_VS, Target, compile, compile_log, expect_error, gen_vertex_array, link, program,
    program_with, quad, require_extension, shader_status, solid, try_program,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): deleted_program_stays_in_use, relink_of_the_current_program,
        failed_relink_keeps_the_current_executable, several_shaders_per_stage, source_in_pieces,
        fragment_outputs_by_name, a_fragment_stage_alone;
    every core(3, 3): shader_lifetime, program_lifetime, source_query, info_log_has_the_line,
        link_errors, attached_shaders, use_errors, create_errors, name_spaces, validate, validate_elements,
        mismatched_varyings_do_not_link, output_location_conflicts, query_errors;
}

/// GL 4.6 core 7.3 has no vertex stage among what a program needs to link; without one nothing is drawn.
fn a_fragment_stage_alone(_: &Env) {
    let target = Target::new(2, 2);
    target.clear([0.0; 4]);
    // Drivers that prepare a program for its first draw expect more like this one.
    solid([1.0, 0.0, 0.0, 1.0]);
    quad();
    let alone = gl::CreateProgram();
    gl::AttachShader(alone, compile(gl::FRAGMENT_SHADER, SOLID_FS));
    gl::LinkProgram(alone);
    let mut linked = 0;
    gl::GetProgramiv(alone, gl::LINK_STATUS, &mut linked);
    assert_eq!(linked, 1);
    gl::UseProgram(alone);
    gl::BindVertexArray(gallite_tests::draw::gen_vertex_array());
    gl::DrawArrays(gl::TRIANGLES, 0, 3);
    gallite_tests::draw::expect_no_error("a draw without a vertex stage");
    target.image().expect_all([255, 0, 0, 255]);
    // Whatever is prepared beside us is, before the next test begins.
    std::thread::sleep(std::time::Duration::from_millis(20));
}

fn deleted_program_stays_in_use(_: &Env) {
    let target = Target::new(2, 2);
    let p = solid([0.0, 1.0, 0.0, 1.0]);
    p.delete();
    assert_eq!(p.get(gl::DELETE_STATUS), 1);
    assert_eq!(gl::IsProgram(p.0), gl::TRUE);
    quad();
    target.image().expect_all([0, 255, 0, 255]);
    gl::UseProgram(0);
    assert_eq!(gl::IsProgram(p.0), gl::FALSE);
}

/// 2.11.2: relinking the current program installs the new executable at once.
fn relink_of_the_current_program(_: &Env) {
    let target = Target::new(2, 2);
    let fs = |colour: &str| format!("#version 330 core\nout vec4 r;\nvoid main() {{ r = {colour}; }}\n");
    let p = program(SOLID_VS, &fs("vec4(1.0, 0.0, 0.0, 1.0)"));
    quad();
    target.image().expect_all([255, 0, 0, 255]);
    let mut shaders = [0; 2];
    gl::GetAttachedShaders(p.0, 2, std::ptr::null_mut(), shaders.as_mut_ptr());
    for shader in shaders {
        gl::DetachShader(p.0, shader);
    }
    gl::AttachShader(p.0, compile(gl::VERTEX_SHADER, SOLID_VS));
    gl::AttachShader(p.0, compile(gl::FRAGMENT_SHADER, &fs("vec4(0.0, 0.0, 1.0, 1.0)")));
    quad();
    target.image().expect_all([255, 0, 0, 255]);
    link(p.0).expect("link");
    quad();
    target.image().expect_all([0, 0, 255, 255]);
}

/// 2.11.2: after a failed link the executable that is in use keeps rendering.
fn failed_relink_keeps_the_current_executable(_: &Env) {
    let target = Target::new(2, 2);
    let p = solid([0.0, 1.0, 1.0, 1.0]);
    let (broken, ok) = shader_status(gl::FRAGMENT_SHADER, "#version 330 core\nnonsense\n");
    assert!(!ok);
    gl::AttachShader(p.0, broken);
    assert!(link(p.0).is_err());
    quad();
    target.image().expect_all([0, 255, 255, 255]);
    gl::UseProgram(p.0);
    expect_error(gl::INVALID_OPERATION, "use after a failed link");
}

fn several_shaders_per_stage(_: &Env) {
    let target = Target::new(2, 2);
    program_with(
        &[
            (gl::VERTEX_SHADER, SOLID_VS),
            (gl::FRAGMENT_SHADER, "#version 330 core\nvec4 pick();\nout vec4 r;\nvoid main() { r = pick(); }\n"),
            (gl::FRAGMENT_SHADER, "#version 330 core\nvec4 pick() { return vec4(1.0, 0.0, 1.0, 1.0); }\n"),
        ],
        |_| {},
    )
    .bind();
    quad();
    target.image().expect_all([255, 0, 255, 255]);
}

fn source_in_pieces(_: &Env) {
    let target = Target::new(2, 2);
    // The four characters behind the second piece's line are beyond the length that is given for it.
    let pieces = ["#version 330 core\nout ", "vec4 r;\n@@@@", "void main() { r = vec4(0.0, 1.0, 0.0, 1.0); }\n"];
    let pointers: Vec<_> = pieces.iter().map(|p| p.as_ptr().cast()).collect();
    let lengths = [pieces[0].len() as i32, pieces[1].len() as i32 - 4, pieces[2].len() as i32];
    let shader = gl::CreateShader(gl::FRAGMENT_SHADER);
    gl::ShaderSource(shader, 3, pointers.as_ptr(), lengths.as_ptr());
    gl::CompileShader(shader);
    let p = program_with(&[(gl::VERTEX_SHADER, SOLID_VS)], |p| gl::AttachShader(p, shader));
    p.bind();
    quad();
    target.image().expect_all([0, 255, 0, 255]);
    // Null lengths, and a negative one, mean zero-terminated strings.
    let whole = c"#version 330 core\nvoid main() {}\n";
    gl::ShaderSource(shader, 1, &whole.as_ptr(), std::ptr::null());
    gl::CompileShader(shader);
    assert_eq!(source_of(shader), whole.to_string_lossy());
    gl::ShaderSource(shader, 1, &whole.as_ptr(), &-1);
    assert_eq!(source_of(shader), whole.to_string_lossy());
}

fn fragment_outputs_by_name(_: &Env) {
    let fs = "#version 330 core
out vec4 a;
out vec4 b;
layout(location = 3) out vec4 c;
void main() { a = vec4(0.1); b = vec4(0.2); c = vec4(0.3); }
";
    let p = program_with(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, fs)], |p| {
        gl::BindFragDataLocation(p, 2, c"a".as_ptr());
        gl::BindFragDataLocation(p, 1, c"b".as_ptr());
        gl::BindFragDataLocation(p, 0, c"c".as_ptr());
    });
    let place = |name: &std::ffi::CStr| gl::GetFragDataLocation(p.0, name.as_ptr());
    assert_eq!([place(c"a"), place(c"b"), place(c"c"), place(c"none")], [2, 1, 3, -1]);
    assert_eq!(gl::GetFragDataIndex(p.0, c"a".as_ptr()), 0);
    gl::BindFragDataLocation(p.0, 8000, c"a".as_ptr());
    expect_error(gl::INVALID_VALUE, "colour number");
    gl::BindFragDataLocation(p.0, 0, c"gl_FragColor".as_ptr());
    expect_error(gl::INVALID_OPERATION, "reserved name");
}

fn shader_lifetime(_: &Env) {
    let shader = compile(gl::VERTEX_SHADER, SOLID_VS);
    let get = |what| {
        let mut value = -1;
        gl::GetShaderiv(shader, what, &mut value);
        value
    };
    assert_eq!(gl::IsShader(shader), gl::TRUE);
    assert_eq!(get(gl::SHADER_TYPE), gl::VERTEX_SHADER as i32);
    assert_eq!(get(gl::DELETE_STATUS), 0);
    let p = gl::CreateProgram();
    gl::AttachShader(p, shader);
    gl::DeleteShader(shader);
    assert_eq!(get(gl::DELETE_STATUS), 1);
    assert_eq!(gl::IsShader(shader), gl::TRUE);
    gl::DetachShader(p, shader);
    assert_eq!(gl::IsShader(shader), gl::FALSE);
    gl::DeleteShader(0);
    gl::DeleteShader(shader);
    expect_error(gl::INVALID_VALUE, "deleted shader");
}

fn program_lifetime(_: &Env) {
    let p = Program(gl::CreateProgram());
    assert_eq!(gl::IsProgram(p.0), gl::TRUE);
    assert_eq!(p.get(gl::LINK_STATUS), 0);
    assert_eq!(p.get(gl::DELETE_STATUS), 0);
    assert_eq!(p.get(gl::ATTACHED_SHADERS), 0);
    assert_eq!(p.get(gl::INFO_LOG_LENGTH), 0);
    p.delete();
    assert_eq!(gl::IsProgram(p.0), gl::FALSE);
    gl::DeleteProgram(0);
    gl::DeleteProgram(p.0);
    expect_error(gl::INVALID_VALUE, "deleted program");
}

fn source_of(shader: u32) -> String {
    let mut length = 0;
    gl::GetShaderiv(shader, gl::SHADER_SOURCE_LENGTH, &mut length);
    let mut bytes = vec![0_u8; length as usize];
    let mut written = 0;
    gl::GetShaderSource(shader, length, &mut written, bytes.as_mut_ptr().cast());
    bytes.truncate(written as usize);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// 6.1.11: the length counts the terminator; a short buffer gets a terminated part.
fn source_query(_: &Env) {
    let (shader, _) = shader_status(gl::VERTEX_SHADER, SOLID_VS);
    assert_eq!(source_of(shader), SOLID_VS);
    let mut bytes = [0x55_u8; 8];
    let mut written = -1;
    gl::GetShaderSource(shader, 5, &mut written, bytes.as_mut_ptr().cast());
    assert_eq!(written, 4);
    assert_eq!(&bytes[..6], b"#ver\0\x55");
    gl::GetShaderSource(shader, -1, &mut written, bytes.as_mut_ptr().cast());
    expect_error(gl::INVALID_VALUE, "negative size");
}

fn info_log_has_the_line(_: &Env) {
    let (shader, ok) =
        shader_status(gl::FRAGMENT_SHADER, "#version 330 core\nout vec4 r;\nvoid main() {\n  r = undeclared;\n}\n");
    assert!(!ok);
    let log = compile_log(shader);
    assert!(log.contains("undeclared"), "{log}");
    assert!(log.contains('4'), "line 4 is missing: {log}");
    let (shader, ok) = shader_status(gl::FRAGMENT_SHADER, "#version 330 core\n#line 700\nvoid main() { x; }\n");
    assert!(!ok);
    let log = compile_log(shader);
    assert!(log.contains("700"), "#line is ignored: {log}");
}

fn link_errors(_: &Env) {
    // GL 3.3 core 2.11.2: an empty program links to nothing; a shader that is not compiled fails.
    let (broken, _) = shader_status(gl::VERTEX_SHADER, "#version 330 core\nerror\n");
    let p = gl::CreateProgram();
    gl::AttachShader(p, broken);
    let log = link(p).expect_err("links with a broken shader");
    assert!(!log.is_empty());
    let undefined = "#version 330 core\nvec4 f();\nout vec4 r;\nvoid main() { r = f(); }\n";
    let stages = [(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, undefined)];
    assert!(try_program(&stages, |_| {}).is_err(), "undefined function");
    let no_main = "#version 330 core\nout vec4 r;\n";
    let stages = [(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, no_main)];
    assert!(try_program(&stages, |_| {}).is_err(), "no main");
    let two = "#version 330 core\nuniform int colour;\nlayout(location = 0) in vec4 p;\nvoid main() { gl_Position = p * float(colour); }\n";
    let stages = [(gl::VERTEX_SHADER, two), (gl::FRAGMENT_SHADER, SOLID_FS)];
    assert!(try_program(&stages, |_| {}).is_err(), "one uniform of two types");
}

fn mismatched_varyings_do_not_link(_: &Env) {
    let vs = |decl: &str, set: &str| {
        format!("#version 330 core\n{decl};\nvoid main() {{ gl_Position = vec4(0.0); {set}; }}\n")
    };
    let fs = |decl: &str, used: &str| {
        format!("#version 330 core\n{decl};\nout vec4 r;\nvoid main() {{ r = vec4({used}); }}\n")
    };
    for (out, set, inp, used, links) in [
        ("out vec2 v", "v = vec2(0.0)", "in vec3 v", "v, 0.0", false),
        ("out vec3 v", "v = vec3(0.0)", "in vec3 v", "v, 0.0", true),
        ("out vec3 other", "other = vec3(0.0)", "in vec3 v", "v, 0.0", false),
        ("out vec3 unread", "unread = vec3(0.0)", "uniform vec3 u", "u, 0.0", true),
        ("flat out int v", "v = 1", "flat in int v", "float(v)", true),
        ("out float v[2]", "v[0] = v[1] = 0.0", "in float v[3]", "v[0]", false),
    ] {
        let (vertex, fragment) = (vs(out, set), fs(inp, used));
        let stages = [(gl::VERTEX_SHADER, vertex.as_str()), (gl::FRAGMENT_SHADER, fragment.as_str())];
        let linked = try_program(&stages, |_| {});
        assert_eq!(linked.is_ok(), links, "{out} / {inp}: {linked:?}");
    }
}

fn output_location_conflicts(_: &Env) {
    let fs = "#version 330 core\nout vec4 a;\nout vec4 b;\nvoid main() { a = b = vec4(0.0); }\n";
    let linked = try_program(&[(gl::VERTEX_SHADER, SOLID_VS), (gl::FRAGMENT_SHADER, fs)], |p| {
        gl::BindFragDataLocation(p, 1, c"a".as_ptr());
        gl::BindFragDataLocation(p, 1, c"b".as_ptr());
    });
    assert!(linked.is_err(), "two outputs at one location");
    let vs = "#version 330 core\nin vec4 a;\nin vec4 b;\nvoid main() { gl_Position = a + b; }\n";
    let linked = try_program(&[(gl::VERTEX_SHADER, vs)], |p| {
        gl::BindAttribLocation(p, 1, c"a".as_ptr());
        gl::BindAttribLocation(p, 1, c"b".as_ptr());
    });
    // 2.11.3: aliasing is allowed only where no path uses both; a linker may accept or refuse.
    drop(linked);
}

fn attached_shaders(_: &Env) {
    let p = gl::CreateProgram();
    let (vs, fs) = (compile(gl::VERTEX_SHADER, SOLID_VS), compile(gl::FRAGMENT_SHADER, SOLID_FS));
    gl::AttachShader(p, vs);
    gl::AttachShader(p, fs);
    gl::AttachShader(p, vs);
    expect_error(gl::INVALID_OPERATION, "attached twice");
    let mut names = [0; 4];
    let mut count = 0;
    gl::GetAttachedShaders(p, 4, &mut count, names.as_mut_ptr());
    assert_eq!(count, 2);
    assert!(names[..2].contains(&vs) && names[..2].contains(&fs));
    gl::GetAttachedShaders(p, 1, &mut count, names.as_mut_ptr());
    assert_eq!(count, 1);
    gl::GetAttachedShaders(p, -1, &mut count, names.as_mut_ptr());
    expect_error(gl::INVALID_VALUE, "negative count");
    gl::DetachShader(p, fs);
    gl::DetachShader(p, fs);
    expect_error(gl::INVALID_OPERATION, "not attached");
}

fn use_errors(_: &Env) {
    let p = gl::CreateProgram();
    gl::UseProgram(p);
    expect_error(gl::INVALID_OPERATION, "not linked");
    gl::UseProgram(77777);
    expect_error(gl::INVALID_VALUE, "no such name");
    let shader = gl::CreateShader(gl::VERTEX_SHADER);
    gl::UseProgram(shader);
    expect_error(gl::INVALID_OPERATION, "a shader");
}

fn create_errors(_: &Env) {
    assert_eq!(gl::CreateShader(gl::RGBA), 0);
    expect_error(gl::INVALID_ENUM, "shader type");
}

/// 2.11.1: shaders and programs share one name space; the wrong kind is INVALID_OPERATION.
fn name_spaces(_: &Env) {
    let (shader, p) = (gl::CreateShader(gl::VERTEX_SHADER), gl::CreateProgram());
    assert_ne!(shader, p);
    assert_eq!(gl::IsShader(p), gl::FALSE);
    assert_eq!(gl::IsProgram(shader), gl::FALSE);
    gl::CompileShader(p);
    expect_error(gl::INVALID_OPERATION, "compile a program");
    gl::LinkProgram(shader);
    expect_error(gl::INVALID_OPERATION, "link a shader");
    gl::AttachShader(shader, p);
    expect_error(gl::INVALID_OPERATION, "attach a program");
    gl::GetShaderiv(p, gl::COMPILE_STATUS, &mut 0);
    expect_error(gl::INVALID_OPERATION, "query a program as shader");
    gl::GetProgramiv(shader, gl::LINK_STATUS, &mut 0);
    expect_error(gl::INVALID_OPERATION, "query a shader as program");
    gl::CompileShader(0);
    expect_error(gl::INVALID_VALUE, "compile nothing");
    gl::LinkProgram(0);
    expect_error(gl::INVALID_VALUE, "link nothing");
}

/// 2.11.7: validation of samplers of different types on one unit fails.
fn validate(_: &Env) {
    Target::new(1, 1);
    let p = program(
        SOLID_VS,
        "#version 330 core
uniform sampler2D a;
uniform sampler3D b;
out vec4 r;
void main() { r = texture(a, vec2(0.0)) + texture(b, vec3(0.0)); }
",
    );
    gl::ValidateProgram(p.0);
    assert_eq!(p.get(gl::VALIDATE_STATUS), 0);
    p.set1i("b", 1);
    gl::ValidateProgram(p.0);
    assert_eq!(p.get(gl::VALIDATE_STATUS), 1);
}

/// GL 4.6 core 11.1.3.11: of an array of samplers, the elements that are read count.
fn validate_elements(_: &Env) {
    require_extension("GL_ARB_gpu_shader5");
    Target::new(1, 1);
    gl::BindVertexArray(gen_vertex_array());
    for (read, units, valid) in [
        ("a[2]", [0, 0, 1, 0, 2], true),
        ("a[2]", [0, 0, 2, 0, 2], false),
        ("a[1]", [0, 1, 2, 0, 2], true),
        ("a[1]", [0, 2, 1, 0, 2], false),
        ("a[at]", [1, 1, 3, 0, 2], true),
        ("a[at]", [1, 2, 3, 0, 2], false),
    ] {
        let p = program(
            SOLID_VS,
            &format!(
                "#version 330 core
#extension GL_ARB_gpu_shader5 : require
uniform sampler2D a[3];
uniform sampler3D b[2];
uniform int at;
out vec4 r;
void main() {{ r = texture({read}, vec2(0.0)) + texture(b[1], vec3(float(at))); }}
"
            ),
        );
        p.bind();
        gl::Uniform1iv(p.location("a"), 3, units.as_ptr());
        gl::Uniform1iv(p.location("b"), 2, units[3..].as_ptr());
        gl::ValidateProgram(p.0);
        assert_eq!(p.get(gl::VALIDATE_STATUS) == 1, valid, "{read} {units:?}");
        gl::DrawArrays(gl::POINTS, 0, 1);
        expect_error(if valid { gl::NO_ERROR } else { gl::INVALID_OPERATION }, "a draw");
        p.delete();
    }
}

fn query_errors(_: &Env) {
    let p = program(SOLID_VS, SOLID_FS);
    gl::GetProgramiv(p.0, gl::RGBA, &mut 0);
    expect_error(gl::INVALID_ENUM, "program parameter");
    gl::GetProgramiv(p.0, gl::GEOMETRY_VERTICES_OUT, &mut 0);
    expect_error(gl::INVALID_OPERATION, "no geometry shader");
    let shader = gl::CreateShader(gl::VERTEX_SHADER);
    gl::GetShaderiv(shader, gl::RGBA, &mut 0);
    expect_error(gl::INVALID_ENUM, "shader parameter");
}
