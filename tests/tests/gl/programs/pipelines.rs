//! Separable programs and program pipelines: GL 4.6 core 7.3, 7.4 and 11.1.3.11.

use gallite_tests::draw::{
    Image, Program, Target, buffer, buffer_contents, compile_log, expect_error, expect_no_error, gen_pipeline,
    gen_vertex_array, get_i32, link, program, quad, require_extension, shader_status, texture_2d, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::time::{Duration, Instant};

use crate::lessons::work::{count, spent};

gl_tests! {
    render core(3, 3): stages_of_two_programs, names_belong_to_programs, blocks_belong_to_programs, samplers_belong_to_programs,
        a_program_in_use_goes_first, stages_change_between_draws, a_new_link_is_taken, deleted_programs_stay,
        matched_by_location, what_does_not_match_is_undefined, three_programs, both_stages_of_one_program,
        subroutines_of_stages, stages_that_stay_keep_their_subroutines, work_groups, counters_are_shared,
        programs_linked_anew_leave_nothing;
    lesser core(3, 3): captures_of_the_last_vertex_stage, other_stages_change_during_a_capture;
    noop core(3, 3): many_pairs_are_linked_once, equal_stages_push_nothing, lesson_20_new_pipelines_are_linked_before_their_draw;
    render compatibility(16, 16): point_sizes_after_fixed_function;
}

pub(super) const HEAD: &str = "#version 330 core\n#extension GL_ARB_separate_shader_objects : require\n";

pub(super) const VERTEX: &str = "in vec4 position; out gl_PerVertex { vec4 gl_Position; };
out vec4 passed; uniform vec4 add;
void main() { passed = add; gl_Position = position; }
";

pub(super) const FRAGMENT: &str =
    "in vec4 passed; uniform vec4 add; out vec4 result; void main() { result = passed + add; }\n";

/// A separable program of one shader, attribute 0 being the position.
#[track_caller]
pub(super) fn separable(stage: u32, source: &str) -> Program {
    of_stages(&[(stage, source)])
}

#[track_caller]
pub(super) fn of_stages(stages: &[(u32, &str)]) -> Program {
    let p = gl::CreateProgram();
    gl::ProgramParameteri(p, gl::PROGRAM_SEPARABLE, 1);
    for (stage, source) in stages {
        let (shader, ok) = shader_status(*stage, &format!("{HEAD}{source}"));
        assert!(ok, "{}\n{source}", compile_log(shader));
        gl::AttachShader(p, shader);
        gl::DeleteShader(shader);
    }
    gl::BindAttribLocation(p, 0, c"position".as_ptr());
    link(p).unwrap_or_else(|log| panic!("{log}"));
    Program(p)
}

/// A bound pipeline.
pub(super) fn pipeline(parts: &[(u32, Program)]) -> u32 {
    let name = gen_pipeline();
    for (stages, p) in parts {
        gl::UseProgramStages(name, *stages, p.0);
    }
    gl::UseProgram(0);
    gl::BindProgramPipeline(name);
    expect_no_error("a pipeline");
    name
}

fn set(p: Program, name: &str, value: [f32; 4]) {
    gl::ProgramUniform4fv(p.0, p.location(name), 1, value.as_ptr());
}

pub(super) fn pipeline_value(name: u32, what: u32) -> i32 {
    let mut value = -9;
    gl::GetProgramPipelineiv(name, what, &mut value);
    value
}

/// The colour that a whole target gets.
#[track_caller]
fn drawn() -> [f32; 4] {
    let target = Target::with_format(gl::RGBA32F, 2, 2);
    target.clear([-1.0; 4]);
    quad();
    expect_no_error("a draw");
    let mut texel = [0.0_f32; 4];
    gl::ReadPixels(1, 1, 1, 1, gl::RGBA, gl::FLOAT, texel.as_mut_ptr().cast());
    target.delete();
    texel
}

pub(super) const BOTH: [u32; 2] = [gl::VERTEX_SHADER_BIT, gl::FRAGMENT_SHADER_BIT];

pub(super) fn two() -> (Program, Program) {
    (separable(gl::VERTEX_SHADER, VERTEX), separable(gl::FRAGMENT_SHADER, FRAGMENT))
}

fn stages_of_two_programs(_: &Env) {
    let (v, f) = two();
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    set(v, "add", [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(drawn(), [1.0, 2.0, 3.0, 4.0]);
    set(f, "add", [10.0; 4]);
    assert_eq!(drawn(), [11.0, 12.0, 13.0, 14.0]);
    set(v, "add", [0.0; 4]);
    assert_eq!(drawn(), [10.0; 4]);
}

/// 7.6: uniforms of one name in two programs are two uniforms, of whatever types.
fn names_belong_to_programs(_: &Env) {
    let v = separable(
        gl::VERTEX_SHADER,
        "in vec4 position; out gl_PerVertex { vec4 gl_Position; }; flat out vec4 passed; uniform ivec2 x[2]; uniform struct { float y; } s;
         void main() { passed = vec4(x[0], x[1].y, s.y); gl_Position = position; }",
    );
    let f = separable(
        gl::FRAGMENT_SHADER,
        "flat in vec4 passed; uniform mat2 x; uniform struct { vec3 z; vec2 y; } s; out vec4 result;
         void main() { result = passed + vec4(x[0], x[1]) + s.y.xyxy; }",
    );
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    gl::ProgramUniform2iv(v.0, v.location("x"), 2, [1, 2, 0, 3].as_ptr());
    gl::ProgramUniform1f(v.0, v.location("s.y"), 4.0);
    gl::ProgramUniformMatrix2fv(f.0, f.location("x"), 1, 0, [10.0_f32, 20.0, 30.0, 40.0].as_ptr());
    gl::ProgramUniform2f(f.0, f.location("s.y"), 100.0, 200.0);
    assert_eq!(drawn(), [111.0, 222.0, 133.0, 244.0]);
}

fn blocks_belong_to_programs(_: &Env) {
    let v = separable(
        gl::VERTEX_SHADER,
        "in vec4 position; out gl_PerVertex { vec4 gl_Position; }; flat out vec4 passed; layout(std140) uniform B { vec4 a; };
         void main() { passed = a; gl_Position = position; }",
    );
    let f = separable(
        gl::FRAGMENT_SHADER,
        "flat in vec4 passed; layout(std140) uniform B { float b; vec4 a; }; out vec4 result;
         void main() { result = passed + a * b; }",
    );
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 3, buffer(gl::UNIFORM_BUFFER, &[1.0_f32, 2.0, 3.0, 4.0]));
    let second = [10.0_f32, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0];
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 5, buffer(gl::UNIFORM_BUFFER, &second));
    gl::UniformBlockBinding(v.0, v.block("B"), 3);
    gl::UniformBlockBinding(f.0, f.block("B"), 5);
    assert_eq!(drawn(), [11.0, 22.0, 33.0, 44.0]);
    // The binding of one program is changed after a draw.
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 6, buffer(gl::UNIFORM_BUFFER, &[0.0_f32; 8]));
    gl::UniformBlockBinding(f.0, f.block("B"), 6);
    assert_eq!(drawn(), [1.0, 2.0, 3.0, 4.0]);
}

fn samplers_belong_to_programs(_: &Env) {
    let v = separable(
        gl::VERTEX_SHADER,
        "in vec4 position; out gl_PerVertex { vec4 gl_Position; }; flat out vec4 passed; uniform sampler2D t;
         void main() { passed = texelFetch(t, ivec2(0), 0); gl_Position = position; }",
    );
    let f = separable(
        gl::FRAGMENT_SHADER,
        "flat in vec4 passed; uniform sampler2D t; out vec4 result;
         void main() { result = passed + texelFetch(t, ivec2(0), 0) * 10.0; }",
    );
    for (unit, value) in [(0, 1.0_f32), (1, 2.0), (2, 3.0)] {
        gl::ActiveTexture(gl::TEXTURE0 + unit);
        texture_2d(gl::RGBA32F, 1, 1, gl::RGBA, gl::FLOAT, Some(&[value; 4]));
    }
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    gl::ProgramUniform1i(f.0, f.location("t"), 1);
    assert_eq!(drawn(), [21.0; 4]);
    gl::ProgramUniform1i(v.0, v.location("t"), 2);
    assert_eq!(drawn(), [23.0; 4]);
}

/// 7.3: a program in use hides the bound pipeline.
fn a_program_in_use_goes_first(_: &Env) {
    let (v, f) = two();
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    set(f, "add", [1.0; 4]);
    assert_eq!(drawn(), [1.0; 4]);
    let whole = program(
        "#version 330 core\nlayout(location = 0) in vec4 position; void main() { gl_Position = position; }\n",
        "#version 330 core\nout vec4 result; void main() { result = vec4(5.0); }\n",
    );
    assert_eq!(drawn(), [5.0; 4]);
    assert_eq!(get_i32(gl::CURRENT_PROGRAM) as u32, whole.0);
    gl::UseProgram(0);
    assert_eq!(drawn(), [1.0; 4]);
    assert_eq!(get_i32(gl::CURRENT_PROGRAM), 0);
    // Separable programs may be used alone too.
    let both = of_stages(&[(gl::VERTEX_SHADER, VERTEX), (gl::FRAGMENT_SHADER, FRAGMENT)]);
    both.bind();
    both.set4f("add", [3.0; 4]);
    assert_eq!(drawn(), [6.0; 4]);
}

fn stages_change_between_draws(_: &Env) {
    let (v, f) = two();
    let other = separable(gl::FRAGMENT_SHADER, "in vec4 passed; out vec4 result; void main() { result = -passed; }\n");
    let first = pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    set(v, "add", [2.0; 4]);
    assert_eq!(drawn(), [2.0; 4]);
    gl::UseProgramStages(first, BOTH[1], other.0);
    assert_eq!(drawn(), [-2.0; 4]);
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    assert_eq!(drawn(), [2.0; 4]);
    gl::BindProgramPipeline(first);
    assert_eq!(drawn(), [-2.0; 4]);
    gl::UseProgramStages(first, BOTH[1], 0);
    gl::UseProgramStages(first, BOTH[1], f.0);
    assert_eq!(drawn(), [2.0; 4]);
}

/// 7.3: a successful link of a program replaces its code wherever it is used; a failed one does not.
fn a_new_link_is_taken(_: &Env) {
    let (v, f) = two();
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    set(v, "add", [2.0; 4]);
    assert_eq!(drawn(), [2.0; 4]);
    let source = format!("{HEAD}in vec4 passed; out vec4 result; void main() {{ result = passed * 4.0; }}\n");
    let (shader, _) = shader_status(gl::FRAGMENT_SHADER, &source);
    let mut old = 0;
    gl::GetAttachedShaders(f.0, 1, std::ptr::null_mut(), &mut old);
    gl::DetachShader(f.0, old);
    gl::AttachShader(f.0, shader);
    assert_eq!(drawn(), [2.0; 4]);
    assert_eq!(link(f.0), Ok(()));
    assert_eq!(drawn(), [8.0; 4]);
    gl::DetachShader(f.0, shader);
    assert!(link(f.0).is_err());
    assert_eq!(drawn(), [8.0; 4]);
    // Validation looks at the new link as well, and hides it from nobody.
    let (v, f) = two();
    let name = pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    set(v, "add", [2.0; 4]);
    assert_eq!(drawn(), [2.0; 4]);
    gl::GetAttachedShaders(f.0, 1, std::ptr::null_mut(), &mut old);
    gl::DetachShader(f.0, old);
    gl::AttachShader(f.0, shader);
    assert_eq!(link(f.0), Ok(()));
    gl::ValidateProgramPipeline(name);
    assert_eq!(pipeline_value(name, gl::VALIDATE_STATUS), 1);
    assert_eq!(drawn(), [8.0; 4]);
}

fn constant(value: f32) -> Program {
    separable(gl::FRAGMENT_SHADER, &format!("out vec4 result; void main() {{ result = vec4({value:.1}); }}\n"))
}

/// A program that mixes many programs makes each pair once, not whenever others came in between.
fn many_pairs_are_linked_once(_: &Env) {
    Target::new(2, 2);
    gl::BindVertexArray(gen_vertex_array());
    let vertices = [(); 2].map(|()| separable(gl::VERTEX_SHADER, VERTEX));
    let fragments: Vec<Program> = (0..50_u8).map(|i| constant(i.into())).collect();
    let name = pipeline(&[]);
    let round = |fragments: &[Program]| {
        for f in fragments {
            for v in vertices {
                gl::UseProgramStages(name, BOTH[0], v.0);
                gl::UseProgramStages(name, BOTH[1], f.0);
                gl::DrawArrays(gl::POINTS, 0, 1);
            }
        }
    };
    (0..2).for_each(|_| round(&fragments[..2]));
    let few = spent("calls", || round(&fragments[..2]));
    (0..2).for_each(|_| round(&fragments));
    assert_eq!(spent("calls", || round(&fragments)), 25 * few);
}

/// The code that several programs run together is made beside the program, from their shaders: the draw finds it.
fn lesson_20_new_pipelines_are_linked_before_their_draw(_: &Env) {
    Target::new(2, 2);
    gl::BindVertexArray(gen_vertex_array());
    let draw = || gl::DrawArrays(gl::POINTS, 0, 1);
    let (v, f) = two();
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    draw();
    let (other, shaders) = (constant(7.0), count("live_objects"));
    pipeline(&[(BOTH[0], v), (BOTH[1], other)]);
    let began = Instant::now();
    while count("live_objects") == shaders {
        assert!(began.elapsed() < Duration::from_secs(60), "a complete pipeline is not linked");
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(spent("live_objects", draw), 0);
    // Stages that change between draws are linked for the draw alone.
    let name = pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    draw();
    let between = constant(8.0);
    assert_eq!(spent("live_objects", || gl::UseProgramStages(name, BOTH[1], between.0)), 0);
    assert_eq!(spent("live_objects", draw), 1);
}

/// What was made of a program's code goes when the program has other code, or is no more.
fn programs_linked_anew_leave_nothing(_: &Env) {
    let (v, f) = two();
    let name = pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    let link_anew = || {
        (0..4).for_each(|_| {
            assert_eq!(link(f.0), Ok(()));
            drawn();
        });
        gl::Finish();
        count("live_objects")
    };
    let before = link_anew();
    assert_eq!(link_anew(), before);
    let made = || {
        (0..4_u8).for_each(|i| {
            let f = constant(f32::from(i));
            gl::UseProgramStages(name, BOTH[1], f.0);
            assert_eq!(drawn(), [f32::from(i); 4]);
            f.delete();
        });
        gl::Finish();
        count("live_objects")
    };
    let before = made();
    assert_eq!(made(), before);
}

/// Commands that name what is there already.
fn equal_stages_push_nothing(_: &Env) {
    Target::new(2, 2);
    gl::BindVertexArray(gen_vertex_array());
    let (v, f) = two();
    let name = pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    let draw = || {
        gl::UseProgramStages(name, BOTH[0], v.0);
        gl::UseProgramStages(name, BOTH[1], f.0);
        gl::BindProgramPipeline(name);
        gl::ActiveShaderProgram(name, f.0);
        gl::DrawArrays(gl::POINTS, 0, 1);
    };
    draw();
    assert_eq!(spent("calls", || (0..10).for_each(|_| draw())), 10);
}

/// GL 4.6 compatibility 14.4: sizes come from a vertex shader where there is one.
fn point_sizes_after_fixed_function(_: &Env) {
    let v = separable(
        gl::VERTEX_SHADER,
        "out gl_PerVertex { vec4 gl_Position; float gl_PointSize; };
         void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 8.0; }",
    );
    let f = constant(1.0);
    gl::Enable(gl::PROGRAM_POINT_SIZE);
    let name = pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    gl::BindProgramPipeline(0);
    gl::BindVertexArray(0);
    gallite_tests::gl::legacy::Begin(gl::POINTS);
    gallite_tests::gl::legacy::Vertex2f(0.0, 0.0);
    gallite_tests::gl::legacy::End();
    gl::Clear(gl::COLOR_BUFFER_BIT);
    gl::BindProgramPipeline(name);
    gl::DrawArrays(gl::POINTS, 0, 1);
    expect_no_error("points");
    Image::read(0, 0, 16, 16).expect_rect([4, 4, 8, 8], [255; 4], [0; 4]);
}

fn deleted_programs_stay(_: &Env) {
    let (v, f) = two();
    let name = pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    set(f, "add", [7.0; 4]);
    v.delete();
    f.delete();
    assert_eq!(gl::IsProgram(f.0), 1);
    assert_eq!(drawn(), [7.0; 4]);
    gl::UseProgramStages(name, gl::ALL_SHADER_BITS, 0);
    assert_eq!((gl::IsProgram(v.0), gl::IsProgram(f.0)), (0, 0));
    let (v, f) = two();
    let name = pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    v.delete();
    gl::DeleteProgramPipelines(1, &name);
    assert_eq!(gl::IsProgram(v.0), 0);
    assert_eq!(get_i32(gl::PROGRAM_PIPELINE_BINDING), 0);
    expect_no_error("deleted programs");
}

/// 7.4.1: by location where both sides have one, whatever the names.
fn matched_by_location(_: &Env) {
    let v = separable(
        gl::VERTEX_SHADER,
        "in vec4 position; out gl_PerVertex { vec4 gl_Position; };
         layout(location = 5) flat out vec2 a; layout(location = 2) flat out vec2 b; flat out vec4 named;
         void main() { a = vec2(1.0, 2.0); b = vec2(3.0, 4.0); named = vec4(10.0); gl_Position = position; }",
    );
    let f = separable(
        gl::FRAGMENT_SHADER,
        "layout(location = 2) flat in vec2 x; flat in vec4 named; layout(location = 5) flat in vec2 y; out vec4 result;
         void main() { result = vec4(x, y) + named; }",
    );
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    assert_eq!(drawn(), [13.0, 14.0, 11.0, 12.0]);
}

/// 7.4.1: the other inputs keep their values.
fn what_does_not_match_is_undefined(_: &Env) {
    let v = separable(
        gl::VERTEX_SHADER,
        "in vec4 position; out gl_PerVertex { vec4 gl_Position; }; out vec2 other; out vec4 right;
         void main() { other = vec2(1.0); right = vec4(2.0); gl_Position = position; }",
    );
    let f = separable(
        gl::FRAGMENT_SHADER,
        "in vec3 other; in vec4 right; in vec4 missing; out vec4 result;
         void main() { result = right; if (other.x + missing.x > 1e30) result = vec4(0.0); }",
    );
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    assert_eq!(drawn(), [2.0; 4]);
}

fn three_programs(_: &Env) {
    let (v, f) = two();
    let g = separable(
        gl::GEOMETRY_SHADER,
        "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
         in gl_PerVertex { vec4 gl_Position; } gl_in[]; out gl_PerVertex { vec4 gl_Position; };
         in vec4 passed[]; out vec4 handed; uniform vec4 add;
         out vec4 passed_on;
         void main() {
             for (int i = 0; i < 3; i++) { handed = passed[i] * 2.0 + add; passed_on = vec4(0.0); gl_Position = gl_in[i].gl_Position; EmitVertex(); }
         }",
    );
    let after = separable(
        gl::FRAGMENT_SHADER,
        "in vec4 handed; uniform vec4 add; out vec4 result; void main() { result = handed + add; }",
    );
    pipeline(&[(BOTH[0], v), (gl::GEOMETRY_SHADER_BIT, g), (BOTH[1], after)]);
    set(v, "add", [1.0; 4]);
    set(g, "add", [10.0; 4]);
    set(after, "add", [100.0; 4]);
    assert_eq!(drawn(), [112.0; 4]);
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    assert_eq!(drawn(), [1.0; 4]);
}

fn both_stages_of_one_program(_: &Env) {
    let p = of_stages(&[(gl::VERTEX_SHADER, VERTEX), (gl::FRAGMENT_SHADER, FRAGMENT)]);
    let name = pipeline(&[(gl::ALL_SHADER_BITS, p)]);
    set(p, "add", [4.0; 4]);
    assert_eq!(drawn(), [8.0; 4]);
    let mut geometry = 7;
    gl::GetProgramPipelineiv(name, gl::GEOMETRY_SHADER, &mut geometry);
    assert_eq!(geometry, 0);
}

fn subroutines_of_stages(_: &Env) {
    let with = |body: &str| {
        format!(
            "#extension GL_ARB_shader_subroutine : require
             subroutine float kind(); subroutine(kind) float one() {{ return 1.0; }} subroutine(kind) float two() {{ return 2.0; }}
             subroutine uniform kind choose; {body}"
        )
    };
    let v = separable(
        gl::VERTEX_SHADER,
        &with(
            "in vec4 position; out gl_PerVertex { vec4 gl_Position; }; flat out float passed; void main() { passed = choose(); gl_Position = position; }",
        ),
    );
    let f = separable(
        gl::FRAGMENT_SHADER,
        &with("flat in float passed; out vec4 result; void main() { result = vec4(passed, choose(), 0.0, 1.0); }"),
    );
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    for (a, b) in [(c"one", c"two"), (c"two", c"one"), (c"two", c"two")] {
        let a_index = gl::GetSubroutineIndex(v.0, gl::VERTEX_SHADER, a.as_ptr());
        let b_index = gl::GetSubroutineIndex(f.0, gl::FRAGMENT_SHADER, b.as_ptr());
        gl::UniformSubroutinesuiv(gl::VERTEX_SHADER, 1, &a_index);
        gl::UniformSubroutinesuiv(gl::FRAGMENT_SHADER, 1, &b_index);
        let value = |name: &std::ffi::CStr| if name == c"one" { 1.0 } else { 2.0 };
        assert_eq!(drawn(), [value(a), value(b), 0.0, 1.0]);
    }
}

/// 7.10: what a stage selected is lost with the program of that stage, not with those of others.
fn stages_that_stay_keep_their_subroutines(_: &Env) {
    let v = separable(
        gl::VERTEX_SHADER,
        "#extension GL_ARB_shader_subroutine : require
         subroutine float kind(); subroutine(kind) float one() { return 1.0; } subroutine(kind) float two() { return 2.0; }
         subroutine uniform kind choose; in vec4 position; out gl_PerVertex { vec4 gl_Position; };
         flat out float passed; void main() { passed = choose(); gl_Position = position; }",
    );
    let passes = |scale: &str| {
        let body = format!("flat in float passed; out vec4 result; void main() {{ result = vec4(passed * {scale}); }}");
        separable(gl::FRAGMENT_SHADER, &body)
    };
    let (f, g) = (passes("1.0"), passes("10.0"));
    let name = pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    let (first, others) = (drawn()[0], [c"one", c"two"]);
    let other = if first == 1.0 { 2.0 } else { 1.0 };
    let index = gl::GetSubroutineIndex(v.0, gl::VERTEX_SHADER, others[other as usize - 1].as_ptr());
    gl::UniformSubroutinesuiv(gl::VERTEX_SHADER, 1, &index);
    assert_eq!(drawn(), [other; 4]);
    gl::UseProgramStages(name, BOTH[1], g.0);
    assert_eq!(drawn(), [other * 10.0; 4]);
    gl::UseProgramStages(name, BOTH[0], v.0);
    gl::BindProgramPipeline(name);
    assert_eq!(drawn(), [other * 10.0; 4]);
    // Another program of the stage, and the same one again.
    gl::UseProgramStages(name, BOTH[0], 0);
    gl::UseProgramStages(name, BOTH[0], v.0);
    assert_eq!(drawn(), [first * 10.0; 4]);
}

fn work_groups(_: &Env) {
    require_extension("GL_ARB_compute_shader");
    require_extension("GL_ARB_shader_storage_buffer_object");
    let (v, f) = two();
    let c = separable(
        gl::COMPUTE_SHADER,
        "#extension GL_ARB_compute_shader : require
         #extension GL_ARB_shader_storage_buffer_object : require
         layout(local_size_x = 1) in; uniform float add; layout(std430) buffer B { float b[]; };
         void main() { b[gl_WorkGroupID.x] = add + float(gl_WorkGroupID.x); }",
    );
    pipeline(&[(BOTH[0], v), (BOTH[1], f), (gl::COMPUTE_SHADER_BIT, c)]);
    let name = buffer(gl::SHADER_STORAGE_BUFFER, &[0.0_f32; 3]);
    gl::BindBufferBase(gl::SHADER_STORAGE_BUFFER, 0, name);
    set(f, "add", [9.0; 4]);
    for add in [1.0_f32, 5.0] {
        gl::ProgramUniform1f(c.0, c.location("add"), add);
        gl::DispatchCompute(3, 1, 1);
        assert_eq!(drawn(), [9.0; 4]);
        gl::MemoryBarrier(gl::BUFFER_UPDATE_BARRIER_BIT);
        gl::BindBuffer(gl::COPY_READ_BUFFER, name);
        assert_eq!(buffer_contents(gl::COPY_READ_BUFFER, 0, 3, f32::NAN), [add, add + 1.0, add + 2.0]);
    }
    expect_no_error("dispatches of a pipeline");
}

/// 7.7: counters are places in buffers, whatever program they are of.
fn counters_are_shared(_: &Env) {
    require_extension("GL_ARB_shader_atomic_counters");
    if get_i32(gl::MAX_VERTEX_ATOMIC_COUNTERS) == 0 {
        return;
    }
    let count = |body: &str| format!("#extension GL_ARB_shader_atomic_counters : require\n{body}");
    let v = separable(
        gl::VERTEX_SHADER,
        &count("layout(binding = 0, offset = 4) uniform atomic_uint c; in vec4 position; out gl_PerVertex { vec4 gl_Position; };
                void main() { atomicCounterIncrement(c); gl_Position = position; }"),
    );
    let f = separable(
        gl::FRAGMENT_SHADER,
        &count(
            "layout(binding = 0) uniform atomic_uint c; out vec4 result;
                void main() { atomicCounterIncrement(c); result = vec4(1.0); }",
        ),
    );
    pipeline(&[(BOTH[0], v), (BOTH[1], f)]);
    let name = buffer(gl::ATOMIC_COUNTER_BUFFER, &[0_u32; 2]);
    gl::BindBufferBase(gl::ATOMIC_COUNTER_BUFFER, 0, name);
    drawn();
    gl::MemoryBarrier(gl::BUFFER_UPDATE_BARRIER_BIT);
    let counts: Vec<u32> = buffer_contents(gl::ATOMIC_COUNTER_BUFFER, 0, 2, 0);
    assert!(counts[0] >= 4 && counts[1] >= 3, "{counts:?}");
}

/// 11.1.2.1: what the program of the last stage before rasterization names.
fn captures_of_the_last_vertex_stage(_: &Env) {
    let p = gl::CreateProgram();
    gl::ProgramParameteri(p, gl::PROGRAM_SEPARABLE, 1);
    let source = format!(
        "{HEAD}in float value; out float twice; out gl_PerVertex {{ vec4 gl_Position; }};
         void main() {{ twice = value * 2.0; gl_Position = vec4(value); }}\n"
    );
    let (shader, ok) = shader_status(gl::VERTEX_SHADER, &source);
    assert!(ok, "{}", compile_log(shader));
    gl::AttachShader(p, shader);
    gl::TransformFeedbackVaryings(p, 1, &c"twice".as_ptr(), gl::INTERLEAVED_ATTRIBS);
    link(p).unwrap_or_else(|log| panic!("{log}"));
    let f = separable(gl::FRAGMENT_SHADER, "out vec4 result; void main() { result = vec4(1.0); }");
    let name = pipeline(&[(BOTH[0], Program(p)), (BOTH[1], f)]);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[3.0_f32, 4.0]);
    vertex_attrib(Program(p).attribute("value") as u32, 1, 0, 0);
    let got = gallite_tests::draw::capture(gl::POINTS, 3, -1.0_f32, || {
        gl::DrawArrays(gl::POINTS, 0, 2);
        // 7.4, 13.3.2: nothing that captures is exchanged.
        gl::BindProgramPipeline(0);
        expect_error(gl::INVALID_OPERATION, "another pipeline during a capture");
        gl::UseProgramStages(name, BOTH[1], 0);
        expect_error(gl::INVALID_OPERATION, "other stages during a capture");
        gl::LinkProgram(p);
        expect_error(gl::INVALID_OPERATION, "a link during a capture");
    });
    assert_eq!(got, [6.0, 8.0, -1.0]);
}

/// 13.3.2: a capture is of the program that says what is captured; the others may be exchanged while it is paused, and linked
/// anew at any time.
fn other_stages_change_during_a_capture(_: &Env) {
    require_extension("GL_ARB_transform_feedback2");
    let p = gl::CreateProgram();
    gl::ProgramParameteri(p, gl::PROGRAM_SEPARABLE, 1);
    let source = format!(
        "{HEAD}in float value; out float twice; out gl_PerVertex {{ vec4 gl_Position; }};
         void main() {{ twice = value * 2.0; gl_Position = vec4(value); }}\n"
    );
    gl::AttachShader(p, shader_status(gl::VERTEX_SHADER, &source).0);
    gl::TransformFeedbackVaryings(p, 1, &c"twice".as_ptr(), gl::INTERLEAVED_ATTRIBS);
    link(p).unwrap_or_else(|log| panic!("{log}"));
    let (f, g) = (constant(1.0), constant(2.0));
    let other = separable(gl::VERTEX_SHADER, VERTEX);
    let second = pipeline(&[(BOTH[0], Program(p)), (BOTH[1], g)]);
    let without = pipeline(&[(BOTH[0], other), (BOTH[1], f)]);
    let name = pipeline(&[(BOTH[0], Program(p)), (BOTH[1], f)]);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[3.0_f32, 4.0, 5.0, 6.0]);
    vertex_attrib(Program(p).attribute("value") as u32, 1, 0, 0);
    let got = gallite_tests::draw::capture(gl::POINTS, 5, -1.0_f32, || {
        gl::DrawArrays(gl::POINTS, 0, 1);
        assert_eq!(link(f.0), Ok(()), "a program that captures nothing");
        gl::DrawArrays(gl::POINTS, 1, 1);
        gl::PauseTransformFeedback();
        gl::UseProgramStages(name, BOTH[1], g.0);
        gl::ResumeTransformFeedback();
        expect_no_error("another fragment program");
        gl::DrawArrays(gl::POINTS, 2, 1);
        gl::PauseTransformFeedback();
        gl::BindProgramPipeline(without);
        gl::ResumeTransformFeedback();
        expect_error(gl::INVALID_OPERATION, "another vertex program");
        gl::LinkProgram(p);
        expect_error(gl::INVALID_OPERATION, "a link of what is captured of");
        gl::BindProgramPipeline(second);
        gl::ResumeTransformFeedback();
        expect_no_error("another pipeline with the vertex program");
        gl::DrawArrays(gl::POINTS, 3, 1);
    });
    assert_eq!(got, [6.0, 8.0, 10.0, 12.0, -1.0]);
}
