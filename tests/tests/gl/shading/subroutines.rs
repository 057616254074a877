//! Subroutines: GL 4.6 core 7.10, 7.13; GLSL 4.60 6.1.2.

use gallite_tests::draw::{
    Program, Target, buffer, expect_error, expect_no_error, gen_vertex_array, get_i32, program, program_with,
    require_extension, run_float, try_program, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::ffi::CString;

gl_tests! {
    render core(3, 3): functions_are_selected, elements_of_arrays, arrays_of_arrays, outputs_and_parameters, stages_select_for_themselves,
        using_a_program_selects_anew, explicit_indices_and_locations, several_objects_of_a_stage;
    every core(3, 3): queries, errors, link_and_compile_rules, limits;
}

const VS: &str = "#version 330 core
layout(location = 0) in vec4 position;
void main() { gl_Position = position; }
";
const HEAD: &str = "#version 330 core\n#extension GL_ARB_shader_subroutine : require\n";

fn with(text: &str) -> Program {
    require_extension("GL_ARB_shader_subroutine");
    program(VS, &format!("{HEAD}{text}"))
}

fn index(p: Program, stage: u32, name: &str) -> u32 {
    let name = CString::new(name).unwrap_or_default();
    gl::GetSubroutineIndex(p.0, stage, name.as_ptr())
}

fn location(p: Program, stage: u32, name: &str) -> i32 {
    let name = CString::new(name).unwrap_or_default();
    gl::GetSubroutineUniformLocation(p.0, stage, name.as_ptr())
}

/// Selects functions by name, in order of location.
fn select(p: Program, stage: u32, names: &[&str]) {
    let indices: Vec<u32> = names.iter().map(|name| index(p, stage, name)).collect();
    gl::UniformSubroutinesuiv(stage, indices.len() as i32, indices.as_ptr());
    expect_no_error("selection");
}

const FS: u32 = gl::FRAGMENT_SHADER;

/// What one fragment is with the selection that stands.
fn shaded() -> [f32; 4] {
    let target = Target::with_format(gl::RGBA32F, 1, 1);
    gallite_tests::draw::quad();
    let got = gallite_tests::draw::read_pixels::<f32>([0, 0, 1, 1], gl::RGBA, gl::FLOAT, 4);
    target.delete();
    [got[0], got[1], got[2], got[3]]
}

const COLOURS: &str = "subroutine vec4 Colour(float a);
subroutine(Colour) vec4 red(float a) { return vec4(a, 0.0, 0.0, 1.0); }
subroutine(Colour) vec4 green(float b) { return vec4(0.0, b, 0.0, 1.0); }
subroutine uniform Colour pick;
uniform float amount;
out vec4 result;
void main() { result = pick(amount); }
";

fn functions_are_selected(_: &Env) {
    let p = with(COLOURS);
    p.set1f("amount", 0.5);
    for (name, expected) in
        [("red", [0.5, 0.0, 0.0, 1.0]), ("green", [0.0, 0.5, 0.0, 1.0]), ("red", [0.5, 0.0, 0.0, 1.0])]
    {
        select(p, FS, &[name]);
        assert_eq!(shaded(), expected, "{name}");
        let mut selected = 77;
        gl::GetUniformSubroutineuiv(FS, location(p, FS, "pick"), &mut selected);
        assert_eq!(selected, index(p, FS, name));
    }
}

fn elements_of_arrays(_: &Env) {
    let p = with(
        "subroutine float Step(float x); subroutine float Plain();
subroutine(Step) float twice(float x) { return x * 2.0; }
subroutine(Step) float next(float x) { return x + 1.0; }
subroutine(Plain) float seven() { return 7.0; }
subroutine uniform Step steps[3]; subroutine uniform Plain plain[1];
out vec4 result;
void main() { float x = 1.0; for (int i = 0; i < 3; ++i) x = steps[i](x); result = vec4(x, steps[0](x), plain[0](), 1.0); }
",
    );
    let at = [0, 1, 2].map(|i| location(p, FS, &format!("steps[{i}]")));
    assert_eq!([at[1], at[2]], [at[0] + 1, at[0] + 2]);
    assert_eq!(location(p, FS, "steps"), at[0]);
    let plain = location(p, FS, "plain[0]");
    let run = |names: [&str; 3]| {
        let mut indices = [0; 4];
        for (name, at) in names.iter().zip(at) {
            indices[at as usize] = index(p, FS, name);
        }
        indices[plain as usize] = index(p, FS, "seven");
        gl::UniformSubroutinesuiv(FS, 4, indices.as_ptr());
        shaded()
    };
    assert_eq!(run(["twice", "twice", "next"]), [5.0, 10.0, 7.0, 1.0]);
    assert_eq!(run(["next", "twice", "twice"]), [8.0, 9.0, 7.0, 1.0]);
}

/// GL 4.6 core 7.3.1.1: an array of arrays is listed as its inner arrays.
fn arrays_of_arrays(_: &Env) {
    require_extension("GL_ARB_arrays_of_arrays");
    require_extension("GL_ARB_explicit_uniform_location");
    let p = with(
        "#extension GL_ARB_arrays_of_arrays : require
#extension GL_ARB_explicit_uniform_location : require
subroutine float Step(float x);
subroutine(Step) float twice(float x) { return x * 2.0; }
subroutine(Step) float next(float x) { return x + 1.0; }
layout(location = 2) subroutine uniform Step steps[2][3];
subroutine uniform Step last;
out vec4 result;
void main() {
    float x = 1.0; for (int i = 0; i < 6; ++i) x = steps[i / 3][i % 3](x);
    result = vec4(x, steps[1][int(steps[0][0](0.0))](4.0), last(3.0), 1.0);
}
",
    );
    for i in 0..6 {
        assert_eq!(location(p, FS, &format!("steps[{}][{}]", i / 3, i % 3)), 2 + i);
    }
    assert_eq!(location(p, FS, "steps[1]"), 5);
    assert_eq!([location(p, FS, "steps[2][0]"), location(p, FS, "steps[0][3]")], [-1; 2]);
    let last = location(p, FS, "last");
    let run = |names: [&str; 6]| {
        let mut indices = [0; 8];
        for (at, name) in names.iter().enumerate() {
            indices[at + 2] = index(p, FS, name);
        }
        indices[last as usize] = index(p, FS, "twice");
        gl::UniformSubroutinesuiv(FS, 8, indices.as_ptr());
        expect_no_error("selection");
        shaded()
    };
    assert_eq!(run(["twice", "twice", "next", "next", "twice", "next"]), [13.0, 5.0, 6.0, 1.0]);
    assert_eq!(run(["next", "next", "next", "next", "twice", "twice"]), [20.0, 8.0, 6.0, 1.0]);
}

/// Functions of several types, with outputs and arrays, called through others.
fn outputs_and_parameters(_: &Env) {
    let p = with(
        "subroutine void Fill(in vec2 a[2], out float x, inout float y);
subroutine float Sum(vec2);
subroutine(Fill) void first(in vec2 a[2], out float x, inout float y) { x = a[0].x; y += a[1].y; }
subroutine(Fill) void second(in vec2 b[2], out float p, inout float q) { p = b[1].x; q *= b[0].y; }
subroutine(Sum) float add(vec2 v) { return v.x + v.y; }
subroutine uniform Fill fill; subroutine uniform Sum sum;
out vec4 result;
float through(float y) { float x; fill(vec2[2](vec2(1.0, 2.0), vec2(3.0, 4.0)), x, y); return x * 100.0 + y; }
void main() { result = vec4(through(10.0), sum(vec2(1.0, 2.0)), 0.0, 1.0); }
",
    );
    let choose = |name| {
        let mut indices = [index(p, FS, "add"); 2];
        indices[location(p, FS, "fill") as usize] = index(p, FS, name);
        gl::UniformSubroutinesuiv(FS, 2, indices.as_ptr());
        shaded()
    };
    assert_eq!(choose("first"), [114.0, 3.0, 0.0, 1.0]);
    assert_eq!(choose("second"), [320.0, 3.0, 0.0, 1.0]);
}

fn stages_select_for_themselves(_: &Env) {
    require_extension("GL_ARB_shader_subroutine");
    let target = Target::new(4, 4);
    let vertex = format!(
        "{HEAD}layout(location = 0) in vec2 place;
subroutine vec2 Colour(vec2 p); subroutine uniform Colour pick;
subroutine(Colour) vec2 left(vec2 p) {{ return p - vec2(1.0, 0.0); }}
subroutine(Colour) vec2 stay(vec2 p) {{ return p; }}
void main() {{ gl_Position = vec4(pick(place), 0.0, 1.0); }}
"
    );
    let fragment = format!("{HEAD}{}", COLOURS.replace("uniform float amount;", "const float amount = 1.0;"));
    let p = program_with(&[(gl::VERTEX_SHADER, &vertex), (FS, &fragment)], |_| {});
    p.bind();
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[[0.25_f32, 0.25]]);
    vertex_attrib(0, 2, 0, 0);
    select(p, gl::VERTEX_SHADER, &["left"]);
    select(p, FS, &["green"]);
    gl::DrawArrays(gl::POINTS, 0, 1);
    select(p, gl::VERTEX_SHADER, &["stay"]);
    select(p, FS, &["red"]);
    gl::DrawArrays(gl::POINTS, 0, 1);
    target.image().expect_each(|x, y| match (x, y) {
        (0, 2) => [0, 255, 0, 255],
        (2, 2) => [255, 0, 0, 255],
        _ => [0; 4],
    });
}

/// 7.10: the selection is lost with glUseProgram, even of the same program.
fn using_a_program_selects_anew(_: &Env) {
    let p = with(COLOURS);
    p.set1f("amount", 1.0);
    let initial = shaded();
    let other = if initial[0] == 1.0 { "green" } else { "red" };
    select(p, FS, &[other]);
    assert_ne!(shaded(), initial);
    p.bind();
    assert_eq!(shaded(), initial);
    assert_eq!(run_float(p), initial);
}

fn explicit_indices_and_locations(_: &Env) {
    let text = COLOURS.replace("subroutine(Colour) vec4 red", "layout(index = 5) subroutine(Colour) vec4 red");
    let text = text.replace("subroutine uniform Colour pick", "layout(location = 2) subroutine uniform Colour pick");
    // Subroutines alone have none: GLSL 4.30 section 4.4.2 took them from ARB_explicit_uniform_location.
    assert!(try_program(&[(gl::VERTEX_SHADER, VS), (FS, &format!("{HEAD}{text}"))], |_| {}).is_err());
    let p = with(&format!("#extension GL_ARB_explicit_uniform_location : require\n{text}"));
    assert_eq!(index(p, FS, "red"), 5);
    assert_eq!(location(p, FS, "pick"), 2);
    p.set1f("amount", 1.0);
    let green = index(p, FS, "green");
    for (chosen, expected) in [(5, [1.0, 0.0, 0.0, 1.0]), (green, [0.0, 1.0, 0.0, 1.0])] {
        gl::UniformSubroutinesuiv(FS, 3, [0, 0, chosen].as_ptr());
        expect_no_error("selection with a gap");
        assert_eq!(shaded(), expected);
    }
}

/// GLSL 4.60 6.1.2: functions and uniforms of a type may be in different shader objects that declare it.
fn several_objects_of_a_stage(_: &Env) {
    require_extension("GL_ARB_shader_subroutine");
    let own = |text: &str| format!("{HEAD}{text}");
    let main =
        own("subroutine vec4 Colour(float a); subroutine uniform Colour pick; subroutine uniform Colour many[2];
subroutine(Colour) vec4 red(float a) { return vec4(a, 0.0, 0.0, 1.0); }
vec4 others(); out vec4 result;
void main() { result = pick(0.5) + many[1](0.25) + others(); }
");
    let other = own(
        "subroutine vec4 Colour(float a); subroutine uniform Colour pick; subroutine float One(); subroutine uniform One one;
subroutine(Colour) vec4 green(float b) { return vec4(0.0, b, 0.0, 1.0); }
subroutine(One) float two() { return 2.0; }
vec4 others() { return vec4(0.0, 0.0, one(), 0.0) + 0.25 * pick(1.0); }
",
    );
    let third = own("subroutine vec4 Colour(float a);
subroutine(Colour) vec4 blue(float c) { return vec4(0.0, 0.0, c, 1.0); }
");
    let stages = [(gl::VERTEX_SHADER, VS), (FS, main.as_str()), (FS, other.as_str()), (FS, third.as_str())];
    let p = program_with(&stages, |_| {});
    p.bind();
    assert_eq!(stage_value(p, FS, gl::ACTIVE_SUBROUTINES), 4);
    assert_eq!(stage_value(p, FS, gl::ACTIVE_SUBROUTINE_UNIFORMS), 3);
    let all = ["red", "green", "blue", "two"].map(|name| index(p, FS, name));
    assert!(all.iter().all(|i| *i < 4 && all.iter().filter(|other| *other == i).count() == 1), "{all:?}");
    let chosen = |pick: &str, many: &str| {
        let mut selection = [0; 4];
        selection[location(p, FS, "pick") as usize] = index(p, FS, pick);
        let many_at = location(p, FS, "many[0]") as usize;
        selection[many_at..many_at + 2].fill(index(p, FS, many));
        selection[location(p, FS, "one") as usize] = index(p, FS, "two");
        gl::UniformSubroutinesuiv(FS, 4, selection.as_ptr());
        expect_no_error("selection");
        shaded()
    };
    assert_eq!(chosen("red", "green"), [0.75, 0.25, 2.0, 2.25]);
    assert_eq!(chosen("green", "blue"), [0.0, 0.75, 2.25, 2.25]);
    let refused = |other: &str, what: &str| {
        let stages = [(gl::VERTEX_SHADER, VS), (FS, main.as_str()), (FS, other)];
        let log = try_program(&stages, |_| {}).err().unwrap_or_default();
        assert!(log.contains(what), "{log}");
    };
    let rest = "vec4 others() { return vec4(0.0); }";
    refused(&own(&format!("subroutine vec4 Colour(int a);{rest}")), "`Colour'");
    refused(&own(&format!("subroutine vec4 Other(); subroutine uniform Other pick;{rest}")), "`pick'");
}

fn stage_value(p: Program, stage: u32, name: u32) -> i32 {
    let mut value = -1;
    gl::GetProgramStageiv(p.0, stage, name, &mut value);
    value
}

fn queries(_: &Env) {
    let text = COLOURS
        .replace("subroutine uniform Colour pick;", "subroutine uniform Colour pick; subroutine uniform Colour idle;");
    let p = with(&text);
    assert_eq!(stage_value(p, FS, gl::ACTIVE_SUBROUTINES), 2);
    assert_eq!(stage_value(p, FS, gl::ACTIVE_SUBROUTINE_UNIFORMS), 1, "an unused one isn't active");
    assert_eq!(stage_value(p, FS, gl::ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS), 1);
    assert_eq!(stage_value(p, FS, gl::ACTIVE_SUBROUTINE_MAX_LENGTH), 6);
    assert_eq!(stage_value(p, FS, gl::ACTIVE_SUBROUTINE_UNIFORM_MAX_LENGTH), 5);
    assert_eq!(stage_value(p, gl::VERTEX_SHADER, gl::ACTIVE_SUBROUTINES), 0);
    assert_eq!(location(p, FS, "idle"), -1);
    assert_eq!(index(p, FS, "main"), gl::INVALID_INDEX);
    let info = |name| {
        let mut values = [-1; 4];
        gl::GetActiveSubroutineUniformiv(p.0, FS, 0, name, values.as_mut_ptr());
        values
    };
    assert_eq!(info(gl::NUM_COMPATIBLE_SUBROUTINES)[0], 2);
    let mut fitting = info(gl::COMPATIBLE_SUBROUTINES)[..2].to_vec();
    fitting.sort_unstable();
    assert_eq!(fitting, [0, 1]);
    assert_eq!(info(gl::UNIFORM_SIZE)[0], 1);
    assert_eq!(info(gl::UNIFORM_NAME_LENGTH)[0], 5);
    let mut name = [0_u8; 8];
    let mut length = 0;
    gl::GetActiveSubroutineUniformName(p.0, FS, 0, 8, &mut length, name.as_mut_ptr().cast());
    assert_eq!((length, &name[..5]), (4, &b"pick\0"[..]));
    gl::GetActiveSubroutineName(p.0, FS, index(p, FS, "green"), 4, &mut length, name.as_mut_ptr().cast());
    assert_eq!((length, &name[..4]), (3, &b"gre\0"[..]));
    // No other query lists what stands for them.
    assert_eq!(p.get(gl::ACTIVE_UNIFORMS), 1);
    expect_no_error("queries");
}

fn errors(_: &Env) {
    let p = with(&format!("{COLOURS}subroutine float Other(); subroutine(Other) float other() {{ return 1.0; }}\n"));
    let red = index(p, FS, "red");
    gl::UniformSubroutinesuiv(FS, 2, [red; 2].as_ptr());
    expect_error(gl::INVALID_VALUE, "too many");
    gl::UniformSubroutinesuiv(FS, 0, std::ptr::null());
    expect_error(gl::INVALID_VALUE, "too few");
    gl::UniformSubroutinesuiv(FS, 1, [99].as_ptr());
    expect_error(gl::INVALID_VALUE, "no such subroutine");
    gl::UniformSubroutinesuiv(FS, 1, [index(p, FS, "other")].as_ptr());
    expect_error(gl::INVALID_OPERATION, "a subroutine of another type");
    gl::UniformSubroutinesuiv(0x1234, 1, [red].as_ptr());
    expect_error(gl::INVALID_ENUM, "no such stage");
    let mut value = 0;
    gl::GetUniformSubroutineuiv(FS, 1, &mut value);
    expect_error(gl::INVALID_VALUE, "no such location");
    let mut word = 0;
    gl::GetActiveSubroutineUniformiv(p.0, FS, 1, gl::UNIFORM_SIZE, &mut word);
    expect_error(gl::INVALID_VALUE, "no such subroutine uniform");
    gl::GetActiveSubroutineUniformiv(p.0, FS, 0, gl::UNIFORM_TYPE, &mut word);
    expect_error(gl::INVALID_ENUM, "no such property");
    gl::GetProgramStageiv(p.0, FS, gl::LINK_STATUS, &mut word);
    expect_error(gl::INVALID_ENUM, "no such property of a stage");
    index(p, gl::GEOMETRY_SHADER, "red");
    expect_error(gl::INVALID_OPERATION, "no such stage in the program");
    gl::UseProgram(0);
    gl::UniformSubroutinesuiv(FS, 1, [red].as_ptr());
    expect_error(gl::INVALID_OPERATION, "no program in use");
    gl::GetUniformSubroutineuiv(FS, 0, &mut value);
    expect_error(gl::INVALID_OPERATION, "no program in use");
}

/// GLSL 4.60 6.1.2.
fn link_and_compile_rules(_: &Env) {
    require_extension("GL_ARB_shader_subroutine");
    let rejects = |text: &str| {
        let text = format!("{HEAD}{text}\nout vec4 result;\nvoid main() {{ result = vec4(1.0); }}\n");
        try_program(&[(gl::VERTEX_SHADER, VS), (FS, &text)], |_| {}).is_err()
    };
    assert!(rejects("subroutine(Unknown) void f() {}"), "no such type");
    assert!(rejects("subroutine void T(int a); subroutine(T) void f() {}"), "other parameters");
    assert!(rejects("subroutine void T(); subroutine(T) int f() { return 1; }"), "another result");
    assert!(rejects("subroutine uniform Unknown u;"), "a uniform of no type");
    assert!(!rejects("subroutine void T(); subroutine void U(); subroutine(T, U) void f() {} subroutine uniform U u;"));
    let text = "#version 330 core\nsubroutine void T();\nvoid main() {}\n";
    assert!(try_program(&[(gl::VERTEX_SHADER, VS), (FS, text)], |_| {}).is_err(), "without the extension");
}

fn limits(_: &Env) {
    require_extension("GL_ARB_shader_subroutine");
    assert!(get_i32(gl::MAX_SUBROUTINES) >= 256 && get_i32(gl::MAX_SUBROUTINE_UNIFORM_LOCATIONS) >= 1024);
}
