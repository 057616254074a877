//! ARB_shading_language_include: strings by name, and what shaders do with them.

use std::ffi::c_char;
use std::ptr;

use gallite_tests::draw::{
    SOLID_VS, compile_log, expect_error, expect_near, expect_no_error, program, require_extension, run_float,
    shader_status,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): commands, errors, conditions_and_lines;
    render core(3, 3): paths, searched;
}

const HEAD: &str = "#version 330 core\n#extension GL_ARB_shading_language_include : require\nout vec4 result;\n";

fn text(of: &str) -> (i32, *const c_char) {
    (of.len() as i32, of.as_ptr().cast())
}

fn name(path: &str, string: &str) {
    let ((name_length, name), (length, string)) = (text(path), text(string));
    gl::NamedStringARB(gl::SHADER_INCLUDE_ARB, name_length, name, length, string);
    expect_no_error("named string");
}

fn is_named(path: &str) -> bool {
    let (length, path) = text(path);
    gl::IsNamedStringARB(length, path) != 0
}

/// Compiles with search points: the shader and the status.
fn compile_with(source: &str, search: &[&str]) -> (u32, bool) {
    let shader = gl::CreateShader(gl::FRAGMENT_SHADER);
    let (length, source) = text(source);
    gl::ShaderSource(shader, 1, &source, &length);
    let paths: Vec<*const c_char> = search.iter().map(|path| path.as_ptr().cast()).collect();
    let lengths: Vec<i32> = search.iter().map(|path| path.len() as i32).collect();
    gl::CompileShaderIncludeARB(shader, paths.len() as i32, paths.as_ptr(), lengths.as_ptr());
    let mut status = 0;
    gl::GetShaderiv(shader, gl::COMPILE_STATUS, &mut status);
    (shader, status == 1)
}

/// Strings are put, replaced, asked for and taken away; a place may have a string and others below it.
fn commands(_: &Env) {
    require_extension("GL_ARB_shading_language_include");
    name("/lib/a b/../one", "first");
    name("/lib", "below");
    name("/lib/one", "second one");
    assert!(is_named("/lib/./one") && is_named("/lib") && !is_named("/lib/two") && !is_named("lib"));
    let (length, path) = text("/lib/one and more");
    assert_eq!(gl::IsNamedStringARB(8, path), 1);
    assert_eq!(gl::IsNamedStringARB(length, path), 0);
    assert_eq!(gl::IsNamedStringARB(-1, c"/lib/one".as_ptr()), 1);
    let mut value = [0, 0];
    gl::GetNamedStringivARB(8, path, gl::NAMED_STRING_LENGTH_ARB, &mut value[0]);
    gl::GetNamedStringivARB(8, path, gl::NAMED_STRING_TYPE_ARB, &mut value[1]);
    assert_eq!(value, [11, gl::SHADER_INCLUDE_ARB as i32]);
    let (mut out, mut written) = ([b'x'; 16], 0);
    gl::GetNamedStringARB(8, path, 16, &mut written, out.as_mut_ptr().cast());
    assert_eq!((written, &out[..12]), (10, &b"second one\0x"[..]));
    gl::GetNamedStringARB(8, path, 5, &mut written, out.as_mut_ptr().cast());
    assert_eq!((written, &out[..7]), (4, &b"seco\0d "[..]));
    gl::DeleteNamedStringARB(8, path);
    assert!(!is_named("/lib/one") && is_named("/lib"));
    expect_no_error("named string");
}

fn errors(_: &Env) {
    require_extension("GL_ARB_shading_language_include");
    name("/there", "text");
    let (there, string) = (c"/there".as_ptr(), c"text".as_ptr());
    let mut value = 7;
    gl::NamedStringARB(gl::FRAGMENT_SHADER, -1, there, -1, string);
    expect_error(gl::INVALID_ENUM, "named string");
    gl::NamedStringARB(gl::SHADER_INCLUDE_ARB, -1, there, -1, ptr::null());
    expect_error(gl::INVALID_VALUE, "named string");
    gl::GetNamedStringivARB(-1, there, gl::SHADER_TYPE, &mut value);
    expect_error(gl::INVALID_ENUM, "named string");
    gl::GetNamedStringARB(-1, there, -1, ptr::null_mut(), ptr::null_mut());
    expect_error(gl::INVALID_VALUE, "named string");
    for bad in [c"", c"there", c"/a//b", c"/a\tb", c"/\"a\"", c"/<a>", c"/a/", c"/.."] {
        for bad in [bad.as_ptr(), ptr::null()] {
            gl::NamedStringARB(gl::SHADER_INCLUDE_ARB, -1, bad, -1, string);
            expect_error(gl::INVALID_VALUE, "named string");
            gl::DeleteNamedStringARB(-1, bad);
            expect_error(gl::INVALID_VALUE, "named string");
            gl::GetNamedStringivARB(-1, bad, gl::NAMED_STRING_LENGTH_ARB, &mut value);
            expect_error(gl::INVALID_VALUE, "named string");
            assert_eq!(gl::IsNamedStringARB(-1, bad), 0);
            expect_no_error("named string");
        }
    }
    gl::DeleteNamedStringARB(-1, c"/nowhere".as_ptr());
    expect_error(gl::INVALID_OPERATION, "named string");
    gl::GetNamedStringivARB(-1, c"/nowhere".as_ptr(), gl::NAMED_STRING_LENGTH_ARB, &mut value);
    expect_error(gl::INVALID_OPERATION, "named string");
    gl::GetNamedStringARB(-1, c"/nowhere".as_ptr(), 0, ptr::null_mut(), ptr::null_mut());
    expect_error(gl::INVALID_OPERATION, "named string");
    assert_eq!(value, 7);
    let shader = gl::CreateShader(gl::FRAGMENT_SHADER);
    let paths = [there, c"no path".as_ptr(), ptr::null()];
    gl::CompileShaderIncludeARB(shader, 2, paths.as_ptr(), ptr::null());
    expect_error(gl::INVALID_VALUE, "named string");
    gl::CompileShaderIncludeARB(shader, 1, paths[2..].as_ptr(), ptr::null());
    expect_error(gl::INVALID_VALUE, "named string");
    gl::CompileShaderIncludeARB(shader, 1, ptr::null(), ptr::null());
    expect_error(gl::INVALID_VALUE, "named string");
    gl::CompileShaderIncludeARB(shader, -1, paths.as_ptr(), ptr::null());
    expect_error(gl::INVALID_VALUE, "named string");
    gl::CompileShaderIncludeARB(4711, 0, ptr::null(), ptr::null());
    expect_error(gl::INVALID_VALUE, "named string");
}

/// What a group that is skipped includes is not looked for; errors are told with the string's name and its line.
fn conditions_and_lines(_: &Env) {
    require_extension("GL_ARB_shading_language_include");
    name("/guarded", "#ifndef GUARD\n#define GUARD\n#include \"/guarded\"\nconst float guarded = 1.0;\n#endif\n");
    name("/wrong", "\n#include \"/guarded\"\nfloat f = wrong;\n");
    let of = |body: &str| shader_status(gl::FRAGMENT_SHADER, &format!("{HEAD}{body}\nvoid main() {{ }}\n"));
    assert!(of("#if 0\n#include \"/nowhere\"\n#endif\n#include \"/guarded\"\n#include </guarded>").1);
    let (shader, compiled) = of("#include \"/nowhere\"");
    assert!(!compiled && compile_log(shader).contains("nowhere"), "{}", compile_log(shader));
    let (shader, compiled) = of("#include \"/wrong\"");
    assert!(!compiled && compile_log(shader).contains("/wrong:3("), "{}", compile_log(shader));
    let (shader, compiled) = of("#include \"/guarded\"\nfloat f = wrong;");
    assert!(!compiled && compile_log(shader).contains("0:5("), "{}", compile_log(shader));
    let (shader, compiled) = of("#line 70 \"/named\"\nfloat f = wrong;");
    assert!(!compiled && compile_log(shader).contains("/named:70("), "{}", compile_log(shader));
    // It is to be asked for.
    let source = "#version 330 core\n#include \"/guarded\"\nvoid main() { }\n";
    assert!(!shader_status(gl::FRAGMENT_SHADER, source).1);
    let source = "#version 330 core\n#if GL_ARB_shading_language_include != 1\n#error\n#endif\nvoid main() { }\n";
    assert!(shader_status(gl::FRAGMENT_SHADER, source).1);
}

/// Macros go in and out of what is included, and the strings are those of the time of the compile.
fn paths(_: &Env) {
    require_extension("GL_ARB_shading_language_include");
    name("/a/deep/values", "#include \"../more\"\n#define RED (MORE + GIVEN)\n");
    name("/a/more", "#define MORE 0.25\n");
    let source =
        format!("{HEAD}#define GIVEN 0.5\n#include \"/a/./deep/values\"\nvoid main() {{ result = vec4(RED); }}\n");
    let first = program(SOLID_VS, &source);
    name("/a/more", "#define MORE 0.125\n");
    let second = program(SOLID_VS, &source);
    expect_near(&run_float(first), &[0.75; 4], 0.0);
    expect_near(&run_float(second), &[0.625; 4], 0.0);
}

/// Relative paths begin where the including string is, if in quotes, then at each search point in order.
fn searched(_: &Env) {
    require_extension("GL_ARB_shading_language_include");
    name("/x/value", "const float value = 1.0;\n");
    name("/y/value", "const float value = 2.0;\n");
    name("/y/quoted", "#include \"value\"\n");
    name("/y/angled", "#include <value>\n");
    let value = |include: &str, search: &[&str]| {
        let source = format!("{HEAD}#include {include}\nvoid main() {{ result = vec4(value); }}\n");
        let (fragment, compiled) = compile_with(&source, search);
        assert!(compiled, "{}", compile_log(fragment));
        let (vertex, _) = shader_status(gl::VERTEX_SHADER, SOLID_VS);
        let program = gallite_tests::client::link(&[vertex, fragment]).expect("links");
        run_float(gallite_tests::draw::Program(program))[0]
    };
    assert_eq!(value("\"value\"", &["/nowhere", "/x/", "/y"]), 1.0);
    assert_eq!(value("<value>", &["/y", "/x"]), 2.0);
    assert_eq!(value("\"quoted\"", &["/x", "/y"]), 2.0);
    assert_eq!(value("<angled>", &["/x", "/y"]), 1.0);
    let source = format!("{HEAD}#include \"value\"\nvoid main() {{ result = vec4(value); }}\n");
    assert!(!compile_with(&source, &["/nowhere"]).1);
    assert!(!shader_status(gl::FRAGMENT_SHADER, &source).1);
}
