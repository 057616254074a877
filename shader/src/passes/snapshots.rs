//! Each pass before and after, on the smallest shader that needs it, and the validator's opinion of the result.
//!
//! The texts lie in `snapshots/`. `GALLITE_UPDATE_SNAPSHOTS=1 cargo test -p gallite-shader snapshots` writes them anew.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use gallite_pipe::Swizzle;

use super::draw_parameters::{DrawValues, correct_draw_parameters};
use super::frag_flip::FlipOptions;
use super::pass_through_control::{DefaultLevels, pass_through_control};
use super::position::PositionOptions;
use super::push_constant::Source;
use super::{
    clip_distance, component_stores, constant_tables, double_inputs, double_rounding, frag_color, frag_flip,
    image_formats, instance_id, lower_uniforms, point_size, position, rect, sample_inputs, specialize_opaque,
    split_blocks, subgroup_size, texel_swizzle, variable_group_size,
};
use crate::front::glslang;
use crate::program::{LinkInput, LinkedProgram};
use crate::spirv::{ExecutionMode, Inst, Module, Op, map_ids};
use crate::stage::{CompileOptions, Limits, Stage};

/// A module as text: ids are numbered in the order they are met, so that a pass's own ids don't move others.
fn text(module: &Module) -> String {
    let names = module.name_table();
    let mut numbers: HashMap<u32, usize> = HashMap::new();
    let mut out = String::new();
    let sections =
        [&module.capabilities, &module.entry_points, &module.execution_modes, &module.annotations, &module.globals];
    let functions = module.functions.iter().flat_map(|f| &f.insts);
    for inst in sections.into_iter().flatten().chain(functions) {
        // Which words are ids shows when they are mapped.
        let mut moved = inst.clone();
        map_ids(&mut moved, |id| id ^ 1 << 31);
        let _ = write!(out, "{:?}", inst.op);
        for (word, other) in inst.words.iter().zip(&moved.words) {
            if word == other {
                let _ = write!(out, " {word}");
                continue;
            }
            let next = numbers.len() + 1;
            let number = *numbers.entry(*word).or_insert(next);
            let name = names.get(word).filter(|n| !n.is_empty()).map_or(String::new(), |n| format!("({n})"));
            let _ = write!(out, " %{number}{name}");
        }
        out.push('\n');
    }
    out
}

/// Compares with the text on disk.
fn compare(pass: &str, before: &Module, after: &Module) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("src/passes/snapshots/{pass}.txt"));
    let (before, after) = (text(before), text(after));
    assert_ne!(before, after, "{pass} does nothing");
    let both = format!("== before\n{before}== after\n{after}");
    if std::env::var_os("GALLITE_UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, both).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let line = kept.lines().zip(both.lines()).position(|(a, b)| a != b).map_or(0, |n| n + 1);
    assert!(kept == both, "{pass} differs from {} at line {line}:\n{both}", path.display());
}

/// Runs spirv-val (of the package spirv-tools).
fn validate(words: &[u32]) {
    let mut child = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.1", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("spirv-val is installed");
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), &bytes).unwrap();
    drop(child.stdin.take());
    let out = child.wait_with_output().unwrap();
    let module = Module::parse(words).map(|m| text(&m)).unwrap_or_default();
    assert!(out.status.success(), "{}\n{module}", String::from_utf8_lossy(&out.stderr));
}

/// What glslang makes of a source.
fn front(stage: Stage, source: &str) -> Module {
    let source = std::ffi::CString::new(source).unwrap();
    let source = glslang::Source { text: &source, preamble: c"", default_version: 110, es: false };
    let out = glslang::run(stage, &[source], &Limits::default(), false);
    Module::parse(&out.words.expect(&out.parse_log)).unwrap()
}

fn linked(shaders: &[(Stage, &str)]) -> LinkedProgram {
    let limits = std::sync::Arc::new(Limits { max_glsl_version: 460, ..Limits::default() });
    let extensions = ["GL_ARB_compute_variable_group_size", "GL_ARB_shader_ballot"].map(str::to_owned).into();
    let options = CompileOptions { limits: limits.clone(), extensions, ..CompileOptions::default() };
    let shaders: Vec<_> = shaders.iter().map(|(stage, source)| crate::compile(*stage, source, &options)).collect();
    let result = crate::link(&LinkInput { shaders: &shaders, limits, named: true, ..LinkInput::default() });
    let program = result.program.expect(&result.log);
    program.stages.iter().flatten().for_each(|words| validate(words));
    LinkedProgram::clone(&program)
}

/// A driver's pass, on the words of a linked stage.
fn driver_pass(name: &str, shaders: &[(Stage, &str)], stage: Stage, pass: impl Fn(&[u32]) -> Vec<u32>) {
    let program = linked(shaders);
    let words = program.stages[stage.index()].as_ref().unwrap();
    let after = pass(words);
    validate(&after);
    compare(name, &Module::parse(words).unwrap(), &Module::parse(&after).unwrap());
}

/// A pass of the front end, on what glslang made. Its result is no module for Vulkan yet; that of the whole link is.
fn front_pass(
    name: &str,
    shaders: &[(Stage, &str)],
    at: usize,
    earlier: impl Fn(&mut Module),
    pass: impl Fn(&mut Module),
) {
    linked(shaders);
    let mut before = front(shaders[at].0, shaders[at].1);
    earlier(&mut before);
    alone(name, before, pass);
}

fn alone(name: &str, before: Module, pass: impl Fn(&mut Module)) {
    let mut after = before.clone();
    pass(&mut after);
    compare(name, &before, &after);
}

/// The variable at the outermost level that a source calls `name`.
fn variable(module: &Module, name: &str) -> u32 {
    let names = module.name_table();
    let called = |g: &&Inst| g.op == Op::Variable && names.get(&g.word(1)).is_some_and(|n| n == name);
    module.globals.iter().find(called).unwrap().word(1)
}

const VERTEX: &str = "#version 330\nin vec4 p; void main() { gl_Position = p; }\n";
const CLIPPED: &str = "#version 330\nin vec4 p; out float gl_ClipDistance[2];\n\
    void main() { gl_Position = p; gl_ClipDistance[0] = p.x; gl_ClipDistance[1] = p.y; }\n";

#[test]
fn clip_distance_some() {
    let pass = |words: &[u32]| clip_distance::mask_clip_distances(words, 2);
    driver_pass("clip_distance", &[(Stage::Vertex, CLIPPED)], Stage::Vertex, pass);
}

#[test]
fn clip_distance_none() {
    let pass = |words: &[u32]| clip_distance::mask_clip_distances(words, 0);
    driver_pass("clip_distance_none", &[(Stage::Vertex, CLIPPED)], Stage::Vertex, pass);
}

#[test]
fn frag_color_to_all() {
    let fragment = "#version 110\nvoid main() { gl_FragColor = vec4(1.0); }\n";
    let pass = |words: &[u32]| frag_color::broadcast_frag_color(words, 0b101);
    driver_pass("frag_color", &[(Stage::Vertex, VERTEX), (Stage::Fragment, fragment)], Stage::Fragment, pass);
}

#[test]
fn frag_flip_all() {
    let fragment =
        "#version 330\nout vec4 c; void main() { c = dFdy(gl_FragCoord) + vec4(gl_PointCoord, 0.0, 0.0); }\n";
    let pass = |words: &[u32]| {
        let options = FlipOptions {
            frag_coord: Some(Source::PushConstant { offset: 8 }),
            point_coord: Some(Source::Constant([-1.0, 1.0])),
            derivatives: Some(Source::PushConstant { offset: 16 }),
            centred_frag_coord: true,
            ..FlipOptions::default()
        };
        frag_flip::flip_fragment(words, options)
    };
    driver_pass("frag_flip", &[(Stage::Vertex, VERTEX), (Stage::Fragment, fragment)], Stage::Fragment, pass);
}

#[test]
fn inputs_at_samples() {
    let vertex = "#version 330\nin vec4 p; out vec2 a; centroid out float b; flat out int n; noperspective out vec3 c;\n\
        void main() { a = p.xy; b = p.z; n = 1; c = p.xyz; gl_Position = p; }\n";
    let fragment = "#version 330\nin vec2 a; centroid in float b; flat in int n; noperspective in vec3 c; out vec4 o;\n\
        void main() { o = vec4(a, b, float(n)) + vec4(c, gl_FragCoord.x); }\n";
    let shaders = [(Stage::Vertex, vertex), (Stage::Fragment, fragment)];
    driver_pass("sample_inputs", &shaders, Stage::Fragment, sample_inputs::interpolate_at_samples);
}

#[test]
fn instance_id_from_zero() {
    let vertex = "#version 330\nvoid main() { gl_Position = vec4(float(gl_InstanceID)); }\n";
    driver_pass("instance_id", &[(Stage::Vertex, vertex)], Stage::Vertex, instance_id::subtract_base_instance);
}

#[test]
fn draw_parameters_of_gl() {
    let vertex = "#version 460\nvoid main() { gl_Position = vec4(gl_BaseVertex, gl_DrawID, gl_BaseInstance, 1.0); }\n";
    let pass = |words: &[u32]| correct_draw_parameters(words, DrawValues { indexed: 4, draw_id: 8 });
    driver_pass("draw_parameters", &[(Stage::Vertex, vertex)], Stage::Vertex, pass);
}

#[test]
fn component_stores_of_the_patch() {
    let control =
        "#version 400\nlayout(vertices = 4) out; patch out ivec4 v[2]; patch out B { mat2 m; } b; void main() {
        v[gl_InvocationID & 1][gl_InvocationID] = 1; b.m[1][gl_InvocationID & 1] = 2.0; v[0].y = 3;\n}\n";
    let evaluation = "#version 400\nlayout(quads) in; patch in ivec4 v[2]; patch in B { mat2 m; } b;
        void main() { gl_Position = vec4(v[0] + v[1]) + b.m[1].xyxy; }\n";
    let shaders = [(Stage::Vertex, VERTEX), (Stage::TessControl, control), (Stage::TessEvaluation, evaluation)];
    driver_pass("component_stores", &shaders, Stage::TessControl, component_stores::split_component_stores);
}

#[test]
fn round_even_of_doubles() {
    let vertex = "#version 400\nuniform double a; uniform dvec3 b; uniform float c;
        void main() { gl_Position = vec4(roundEven(a), roundEven(b)) + roundEven(c) + vec4(round(b), 1.0); }\n";
    driver_pass("double_rounding", &[(Stage::Vertex, vertex)], Stage::Vertex, double_rounding::lower_double_round_even);
}

#[test]
fn point_size_set() {
    let pass = |words: &[u32]| point_size::set_point_size(words, Source::PushConstant { offset: 0 });
    driver_pass("point_size", &[(Stage::Vertex, VERTEX)], Stage::Vertex, pass);
}

#[test]
fn point_size_removed() {
    let vertex = "#version 330\nin vec4 p; void main() { gl_Position = p; gl_PointSize = p.x; }\n";
    driver_pass("point_size_removed", &[(Stage::Vertex, vertex)], Stage::Vertex, point_size::remove_point_size);
}

#[test]
fn position_of_geometry() {
    let geometry = "#version 330\nlayout(points) in; layout(points, max_vertices = 1) out;\n\
        void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }\n";
    let pass =
        |words: &[u32]| position::lower_position(words, PositionOptions { flip_y: true, depth_to_zero_one: true });
    driver_pass("position", &[(Stage::Vertex, VERTEX), (Stage::Geometry, geometry)], Stage::Geometry, pass);
}

#[test]
fn control_stage_made() {
    let evaluation = "#version 400\nlayout(triangles) in; in vec2 v[]; void main() { gl_Position = vec4(v[0], v[1] * gl_TessCoord.xy); }\n";
    let vertex = "#version 400\nout vec2 v; void main() { v = vec2(1.0); gl_Position = v.xxyy; }\n";
    let pass = |words: &[u32]| {
        let levels = DefaultLevels { outer: Source::PushConstant { offset: 0 }, inner: Source::Constant([1.0, 2.0]) };
        pass_through_control(words, 3, levels).unwrap()
    };
    driver_pass(
        "pass_through_control",
        &[(Stage::Vertex, vertex), (Stage::TessEvaluation, evaluation)],
        Stage::TessEvaluation,
        pass,
    );
}

#[test]
fn rect_lookup() {
    let fragment =
        "#version 330\nuniform sampler2DRect t; out vec4 c; void main() { c = texture(t, gl_FragCoord.xy); }\n";
    let shaders = [(Stage::Vertex, VERTEX), (Stage::Fragment, fragment)];
    front_pass("rect", &shaders, 1, |_| (), rect::run);
}

#[test]
fn specialize_opaque_parameter() {
    let fragment = "#version 330\nuniform sampler2D t[2]; out vec4 c;\n\
        vec4 look(sampler2D s) { return texture(s, gl_FragCoord.xy); }\nvoid main() { c = look(t[1]); }\n";
    let shaders = [(Stage::Vertex, VERTEX), (Stage::Fragment, fragment)];
    let pass = |module: &mut Module| assert!(specialize_opaque::run(module));
    front_pass("specialize_opaque", &shaders, 1, |_| (), pass);
}

#[test]
fn split_blocks_and_per_vertex() {
    let vertex =
        "#version 330\nout B { vec4 a; flat int n; } b; void main() { b.a = vec4(1.0); b.n = 1; gl_Position = b.a; }\n";
    let fragment = "#version 330\nin B { vec4 a; flat int n; }; out vec4 c; void main() { c = a * float(n); }\n";
    let shaders = [(Stage::Vertex, vertex), (Stage::Fragment, fragment)];
    front_pass(
        "split_blocks",
        &shaders,
        0,
        |_| (),
        |module| {
            split_blocks::run(module);
        },
    );
}

/// Outputs as the link has left them, five locations' worth in the three there are.
#[test]
fn pack_varyings_of_both_sides() {
    let limits = std::sync::Arc::new(Limits {
        max_vertex_output_components: 12,
        max_fragment_input_components: 12,
        ..Limits::default()
    });
    let options = CompileOptions { limits: limits.clone(), ..CompileOptions::default() };
    let vertex = "#version 330\nout float a[3]; flat out int n; out vec2 v; void main() { a[0] = 1.0; n = 2; v = vec2(3.0); gl_Position = vec4(a[1]); }\n";
    let fragment =
        "#version 330\nin float a[3]; flat in int n; in vec2 v; out vec4 c; void main() { c = vec4(a[n], v, 1.0); }\n";
    let sources = [(Stage::Vertex, vertex), (Stage::Fragment, fragment)];
    let shaders = sources.map(|(stage, source)| crate::compile(stage, source, &options));
    let result = crate::link(&LinkInput { shaders: &shaders, limits, named: true, ..LinkInput::default() });
    let program = result.program.expect(&result.log);
    for (name, (stage, source)) in ["pack_varyings_out", "pack_varyings_in"].into_iter().zip(sources) {
        let words = program.stages[stage.index()].as_ref().unwrap();
        validate(words);
        compare(name, &front(stage, source), &Module::parse(words).unwrap());
    }
}

const UNIFORMS: &str = "#version 330\nuniform bool on; uniform mat3 m; uniform struct S { sampler2D t; vec2 v; } s[2];\n\
    layout(std140, row_major) uniform B { mat2 r; bool b[2]; } block; out vec4 c;\n\
    void main() { c = on && block.b[1] ? texture(s[1].t, s[0].v) : vec4(m[1], block.r[0].x); }\n";

/// The link's own placement; `large` makes the default block a storage buffer.
fn lowered(name: &str, large: bool) {
    let program = linked(&[(Stage::Vertex, VERTEX), (Stage::Fragment, UNIFORMS)]);
    assert!(program.bindings.len() == 3);
    let mut before = front(Stage::Fragment, UNIFORMS);
    before.prune();
    let uniform = |name: &str, offset, samplers| lower_uniforms::UniformPlacement {
        variable: variable(&before, name),
        offset,
        samplers,
    };
    let sampler =
        lower_uniforms::SamplerPlacement { path: vec![0], dense: 0, count: 2, name: "s".into(), image: false };
    let placement = lower_uniforms::Placement {
        uniforms: vec![uniform("on", 0, vec![]), uniform("m", 16, vec![]), uniform("s", 64, vec![sampler])],
        blocks: vec![lower_uniforms::BlockPlacement {
            variable: variable(&before, "block"),
            binding: 1,
            storage: false,
            packing: crate::spirv::Packing::Std140,
        }],
        large_default_block: large,
        ..lower_uniforms::Placement::default()
    };
    let mut after = before.clone();
    lower_uniforms::run(&mut after, &placement).unwrap();
    // What is left for the link: the origin, locations of outputs.
    let output = variable(&after, "c");
    let mut whole = after.clone();
    whole.set_execution_mode(ExecutionMode::OriginUpperLeft, Some(ExecutionMode::OriginLowerLeft));
    whole.decorate(output, crate::spirv::Decoration::Location, &[0]);
    validate(&whole.words());
    compare(name, &before, &after);
}

#[test]
fn lower_uniforms_to_blocks() {
    lowered("lower_uniforms", false);
}

#[test]
fn lower_uniforms_to_a_storage_buffer() {
    lowered("lower_uniforms_large", true);
}

#[test]
fn lower_counters_and_storage() {
    let compute = "#version 430\nlayout(local_size_x = 1) in; layout(binding = 0) uniform atomic_uint n;\n\
        layout(std430) buffer B { bool on; mat2x3 m; float f[]; }; shared int s;\n\
        void main() { s = f.length(); on = atomicCounterIncrement(n) > 1u; m[1] = vec3(f[s]); }\n";
    let program = linked(&[(Stage::Compute, compute)]);
    let words = program.stages[Stage::Compute.index()].as_ref().unwrap();
    compare("lower_counters", &front(Stage::Compute, compute), &Module::parse(words).unwrap());
}

#[test]
fn constant_tables_read_twice() {
    let compute = "#version 430\nlayout(local_size_x = 1) in; const int t[3] = int[3](1, 2, 3);\n\
        buffer B { int at; int sum; }; void main() { sum = t[at] + t[at + 1]; }\n";
    front_pass("constant_tables", &[(Stage::Compute, compute)], 0, |_| (), constant_tables::run);
}

#[test]
fn double_inputs_in_words() {
    let vertex = "#version 410\nin dvec3 v; in dmat2 m; void main() { gl_Position = vec4(v.xy * m, v.z, 1.0); }\n";
    let pass = |module: &mut Module| {
        let mut words = double_inputs::Words::new();
        let (v, m) = (variable(module, "v"), variable(module, "m"));
        double_inputs::split(module, v, &double_inputs::Places { first: 0, high: &[15], component: 0 }, &mut words);
        double_inputs::split(module, m, &double_inputs::Places { first: 1, high: &[], component: 0 }, &mut words);
        assert_eq!(words.len(), 4);
    };
    front_pass("double_inputs", &[(Stage::Vertex, vertex)], 0, |_| (), pass);
}

/// The front end has taken the format out of what glslang saw.
#[test]
fn image_formats_put_back() {
    let source = |first: &str, format: &str| {
        format!(
            "{first}layout(local_size_x = 1) in; layout({format}binding = 0) uniform image2D i[2];\n\
             vec4 look(image2D p) {{ return imageLoad(p, ivec2(0)); }}\n\
             void main() {{ imageStore(i[0], ivec2(0), look(i[1])); }}\n"
        )
    };
    linked(&[(Stage::Compute, &source("#version 430\n", "r32f, "))]);
    let shown = source("#version 430\n#extension GL_EXT_shader_image_load_formatted : enable\n", "");
    // 3: Image Format R32f of the SPIR-V specification.
    let pass = |module: &mut Module| image_formats::run(module, &HashMap::from([("i".to_owned(), 3)]));
    alone("image_formats", front(Stage::Compute, &shown), pass);
}

#[test]
fn texel_swizzles_of_one_and_of_many() {
    let fragment = "#version 400\nuniform samplerBuffer one; uniform usamplerBuffer many[3]; uniform int i; out vec4 c;
        void main() { c = texelFetch(one, 1) + vec4(texelFetch(many[i], 2)) + vec4(texelFetch(many[1], 3)); }\n";
    let shaders = [(Stage::Vertex, VERTEX), (Stage::Fragment, fragment)];
    let [r, zero, one] = [Swizzle::R, Swizzle::ZERO, Swizzle::ONE];
    let swizzles = [(0, [zero, zero, zero, r]), (1, [r, r, r, one]), (3, [r; 4])];
    let pass = |words: &[u32]| texel_swizzle::swizzle_texel_buffers(words, &swizzles);
    driver_pass("texel_swizzle", &shaders, Stage::Fragment, pass);
}

#[test]
fn subgroup_size_as_input() {
    let fragment = "#version 450\n#extension GL_ARB_shader_ballot : enable\nout vec4 c;\n\
        void main() { c = vec4(float(gl_SubGroupSizeARB)); }\n";
    let shaders = [(Stage::Vertex, VERTEX), (Stage::Fragment, fragment)];
    front_pass("subgroup_size", &shaders, 1, |_| (), |module| subgroup_size::run(module, Stage::Fragment));
}

#[test]
fn variable_group_size_by_constants() {
    let own = "#version 430\n#extension GL_ARB_compute_variable_group_size : enable\n\
        layout(local_size_variable) in; buffer B { uvec3 size; }; void main() { size = gl_LocalGroupSizeARB; }\n";
    linked(&[(Stage::Compute, own)]);
    let shown = "#version 430\nuvec3 XXLocalGroupSize; layout(local_size_x = 1) in; buffer B { uvec3 size; };\n\
        void main() { size = XXLocalGroupSize + 0u; }\n";
    alone("variable_group_size", front(Stage::Compute, shown), variable_group_size::run);
}

/// A pass without a snapshot would go unseen.
#[test]
fn every_pass_has_a_snapshot() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/passes");
    let names = |folder: PathBuf, end: &str| -> BTreeSet<String> {
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter_map(|name| name.strip_suffix(end).map(str::to_owned)).collect()
    };
    let texts = names(folder.join("snapshots"), ".txt");
    // What passes share, and this file.
    let others = ["mod", "push_constant", "snapshots"];
    let passes = names(folder, ".rs").into_iter().filter(|name| !others.contains(&name.as_str()));
    let unseen: Vec<_> = passes.filter(|pass| !texts.iter().any(|text| text.starts_with(pass))).collect();
    assert!(unseen.is_empty(), "passes without a snapshot: {unseen:?}");
}
