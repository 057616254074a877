//! What a context advertises: neither more than it can do, nor stubs that pretend.

use gallite_tests::draw::{
    Target, buffer, expect_error, expect_no_error, gen_vertex_array, get_i32, get_i32s, has_extension, program_with,
    quad, read_pixels, solid, vertex_attrib,
};
use gallite_tests::egl;
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, skip};

gl_tests! {
    every core(3, 3): lesson_23_limits_are_clamped, lesson_23_minimum_limits_are_met,
        lesson_22_version_and_extensions_agree;
    noop core(3, 3): lesson_22_what_is_missing_says_so;
    lesser core(3, 3): lesson_23_every_unit_can_be_used, lesson_23_all_units_at_once;
}

fn lesson_23_limits_are_clamped(env: &Env) {
    if env.lane.is_system() {
        skip("the clamps are Gallite's");
    }
    let most = [
        (gl::MAX_TEXTURE_IMAGE_UNITS, 32),
        (gl::MAX_VERTEX_TEXTURE_IMAGE_UNITS, 32),
        (gl::MAX_GEOMETRY_TEXTURE_IMAGE_UNITS, 32),
        (gl::MAX_COMBINED_TEXTURE_IMAGE_UNITS, 192),
        (gl::MAX_VERTEX_ATTRIBS, 32),
        (gl::MAX_DRAW_BUFFERS, 8),
        (gl::MAX_COLOR_ATTACHMENTS, 8),
        (gl::MAX_UNIFORM_BUFFER_BINDINGS, 84),
    ];
    let later = [
        ("GL_ARB_viewport_array", gl::MAX_VIEWPORTS, 16),
        ("GL_ARB_tessellation_shader", gl::MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS, 32),
        ("GL_ARB_tessellation_shader", gl::MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS, 32),
        ("GL_ARB_compute_shader", gl::MAX_COMPUTE_TEXTURE_IMAGE_UNITS, 32),
    ];
    let offered =
        later.into_iter().filter(|(extension, ..)| has_extension(extension)).map(|(_, name, most)| (name, most));
    for (name, most) in most.into_iter().chain(offered) {
        let value = get_i32(name);
        assert!(value <= most, "{name:#x} is {value}");
    }
}

/// A stage of [`lesson_23_all_units_at_once`]: its token, the limit of its units, its sampler array's name, and its code with
/// `SUM` for what it reads.
const STAGES: [(u32, u32, &str, &str); 5] = [
    (
        gl::VERTEX_SHADER,
        gl::MAX_VERTEX_TEXTURE_IMAGE_UNITS,
        "v",
        "in vec4 position;
flat out vec4 from_v;
void main() { from_v = vec4(SUM, 0.0, 0.0, 0.0); gl_Position = position; }",
    ),
    (
        gl::TESS_CONTROL_SHADER,
        gl::MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS,
        "c",
        "layout(vertices = 4) out;
flat in vec4 from_v[];
flat out vec4 from_c[];
void main() {
    from_c[gl_InvocationID] = from_v[gl_InvocationID] + vec4(0.0, SUM, 0.0, 0.0);
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter = float[4](1.0, 1.0, 1.0, 1.0);
    gl_TessLevelInner = float[2](1.0, 1.0);
}",
    ),
    (
        gl::TESS_EVALUATION_SHADER,
        gl::MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS,
        "e",
        "layout(quads) in;
flat in vec4 from_c[];
flat out vec4 from_e;
void main() {
    from_e = from_c[0] + vec4(0.0, 0.0, SUM, 0.0);
    gl_Position = vec4(gl_TessCoord.xy * 2.0 - 1.0, 0.0, 1.0);
}",
    ),
    (
        gl::GEOMETRY_SHADER,
        gl::MAX_GEOMETRY_TEXTURE_IMAGE_UNITS,
        "g",
        "layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
flat in vec4 BEFORE[];
flat out vec4 from_g;
void main() {
    vec4 sum = BEFORE[0] + vec4(0.0, 0.0, 0.0, SUM);
    for (int i = 0; i < 3; i++) { from_g = sum; gl_Position = gl_in[i].gl_Position; EmitVertex(); }
}",
    ),
    (
        gl::FRAGMENT_SHADER,
        gl::MAX_TEXTURE_IMAGE_UNITS,
        "f",
        "flat in vec4 from_g;
out vec4 result;
void main() { result = from_g + vec4(SUM); }",
    ),
];

/// Every stage reads as many textures as it may in one draw, from the lowest units on and up to the highest.
fn lesson_23_all_units_at_once(_: &Env) {
    let tessellates = has_extension("GL_ARB_tessellation_shader");
    let is_tessellation = |stage| matches!(stage, gl::TESS_CONTROL_SHADER | gl::TESS_EVALUATION_SHADER);
    let stages: Vec<_> = STAGES.into_iter().filter(|(stage, ..)| tessellates || !is_tessellation(*stage)).collect();
    let (version, before) = if tessellates { ("400", "from_e") } else { ("330", "from_v") };
    let units = get_i32(gl::MAX_COMBINED_TEXTURE_IMAGE_UNITS);
    // Together they may have fewer than each alone.
    let count_of = |limit: u32| get_i32(limit).min(units / stages.len() as i32);
    let sources: Vec<(u32, String)> = stages
        .iter()
        .map(|(stage, limit, name, code)| {
            let count = count_of(*limit);
            let term = |i| format!("{}.0 * texelFetch({name}[{i}], ivec2(0), 0).r", i + 1);
            let sum = (0..count).map(term).collect::<Vec<_>>().join(" + ");
            let code = code.replace("SUM", &format!("({sum})")).replace("BEFORE", before);
            (*stage, format!("#version {version} core\nuniform sampler2D {name}[{count}];\n{code}\n"))
        })
        .collect();
    let sources: Vec<(u32, &str)> = sources.iter().map(|(stage, source)| (*stage, source.as_str())).collect();
    let program = program_with(&sources, |program| gl::BindAttribLocation(program, 0, c"position".as_ptr()));
    let used: i32 = stages.iter().map(|(_, limit, ..)| count_of(*limit)).sum();
    for unit in 0..units {
        gl::ActiveTexture(gl::TEXTURE0 + unit as u32);
        let texel = [unit as f32 + 1.0];
        gallite_tests::draw::texture_2d(gl::R32F, 1, 1, gl::RED, gl::FLOAT, Some(&texel));
    }
    let target = Target::with_format(gl::RGBA32F, 2, 2);
    program.bind();
    for first in [0, units - used] {
        let mut unit = first;
        let mut sums = std::collections::HashMap::new();
        for (_, limit, name, _) in &stages {
            let mine: Vec<i32> = (unit..unit + count_of(*limit)).collect();
            gl::Uniform1iv(program.location(name), mine.len() as i32, mine.as_ptr());
            sums.insert(*name, mine.iter().zip(1..).map(|(unit, weight)| ((unit + 1) * weight) as f32).sum::<f32>());
            unit += mine.len() as i32;
        }
        gl::ClearColor(0.0, 0.0, 0.0, 0.0);
        gl::Clear(gl::COLOR_BUFFER_BIT);
        if tessellates {
            gl::BindVertexArray(gen_vertex_array());
            buffer(gl::ARRAY_BUFFER, &[0.0_f32; 16]);
            vertex_attrib(0, 4, 0, 0);
            gl::PatchParameteri(gl::PATCH_VERTICES, 4);
            gl::DrawArrays(gl::PATCHES, 0, 4);
        } else {
            quad();
        }
        let sum = |name| sums.get(name).copied().unwrap_or(0.0);
        let expected = ["v", "c", "e", "g"].map(|name| sum(name) + sum("f"));
        let got: Vec<f32> = read_pixels([0, 0, 2, 2], gl::RGBA, gl::FLOAT, 4);
        for pixel in got.chunks(4) {
            assert_eq!(pixel, expected, "units from {first} on");
        }
    }
    expect_no_error("all units");
    target.delete();
}

/// GL 3.3 core tables 6.35 to 6.44.
fn lesson_23_minimum_limits_are_met(_: &Env) {
    let least = [
        (gl::MAX_3D_TEXTURE_SIZE, 256),
        (gl::MAX_TEXTURE_SIZE, 1024),
        (gl::MAX_ARRAY_TEXTURE_LAYERS, 256),
        (gl::MAX_CUBE_MAP_TEXTURE_SIZE, 1024),
        (gl::MAX_RENDERBUFFER_SIZE, 1024),
        (gl::MAX_RECTANGLE_TEXTURE_SIZE, 1024),
        (gl::MAX_TEXTURE_BUFFER_SIZE, 65536),
        (gl::MAX_ELEMENTS_INDICES, 1),
        (gl::MAX_ELEMENTS_VERTICES, 1),
        (gl::SUBPIXEL_BITS, 4),
        (gl::MAX_VERTEX_ATTRIBS, 16),
        (gl::MAX_VERTEX_UNIFORM_COMPONENTS, 1024),
        (gl::MAX_VERTEX_UNIFORM_BLOCKS, 12),
        (gl::MAX_VERTEX_OUTPUT_COMPONENTS, 64),
        (gl::MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16),
        (gl::MAX_GEOMETRY_UNIFORM_BLOCKS, 12),
        (gl::MAX_GEOMETRY_UNIFORM_COMPONENTS, 1024),
        (gl::MAX_GEOMETRY_INPUT_COMPONENTS, 64),
        (gl::MAX_GEOMETRY_OUTPUT_COMPONENTS, 128),
        (gl::MAX_GEOMETRY_OUTPUT_VERTICES, 256),
        (gl::MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS, 1024),
        (gl::MAX_GEOMETRY_TEXTURE_IMAGE_UNITS, 16),
        (gl::MAX_FRAGMENT_UNIFORM_COMPONENTS, 1024),
        (gl::MAX_FRAGMENT_UNIFORM_BLOCKS, 12),
        (gl::MAX_FRAGMENT_INPUT_COMPONENTS, 128),
        (gl::MAX_TEXTURE_IMAGE_UNITS, 16),
        (gl::MAX_PROGRAM_TEXEL_OFFSET, 7),
        (gl::MAX_UNIFORM_BUFFER_BINDINGS, 36),
        (gl::MAX_UNIFORM_BLOCK_SIZE, 16384),
        (gl::MAX_COMBINED_UNIFORM_BLOCKS, 36),
        (gl::MAX_VARYING_COMPONENTS, 60),
        (gl::MAX_COMBINED_TEXTURE_IMAGE_UNITS, 48),
        (gl::MAX_DRAW_BUFFERS, 8),
        (gl::MAX_DUAL_SOURCE_DRAW_BUFFERS, 1),
        (gl::MAX_COLOR_ATTACHMENTS, 8),
        (gl::MAX_CLIP_DISTANCES, 8),
        (gl::MAX_SAMPLES, 4),
        (gl::MAX_COLOR_TEXTURE_SAMPLES, 1),
        (gl::MAX_DEPTH_TEXTURE_SAMPLES, 1),
        (gl::MAX_INTEGER_SAMPLES, 1),
        (gl::MAX_SAMPLE_MASK_WORDS, 1),
        (gl::MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 64),
        (gl::MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, 4),
        (gl::MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS, 4),
    ];
    for (name, least) in least {
        let value = get_i32(name);
        assert!(value >= least, "{name:#x} is {value}, at least {least}");
    }
    assert!(get_i32(gl::MIN_PROGRAM_TEXEL_OFFSET) <= -8);
    assert!(get_i32(gl::UNIFORM_BUFFER_OFFSET_ALIGNMENT) >= 1);
    let [width, height] = get_i32s(gl::MAX_VIEWPORT_DIMS);
    assert!(width >= get_i32(gl::MAX_TEXTURE_SIZE) && height >= get_i32(gl::MAX_TEXTURE_SIZE));
}

/// What is core in 3.3 is there whether or not its old extension is named; names of what is not there are absent.
fn lesson_22_version_and_extensions_agree(env: &Env) {
    let count = get_i32(gl::NUM_EXTENSIONS);
    assert!(count > 10);
    assert!(gl::GetStringi(gl::EXTENSIONS, count as u32).is_null());
    expect_error(gl::INVALID_VALUE, "index past the last");
    assert!(gl::GetString(gl::EXTENSIONS).is_null());
    expect_error(gl::INVALID_ENUM, "the one long string is gone from the core profile");
    if env.lane.is_system() {
        return;
    }
    assert!(has_extension("GL_KHR_debug"));
    for absent in ["GL_ARB_bindless_texture", "GL_ARB_sparse_texture"] {
        assert!(!has_extension(absent), "{absent} has no implementation");
    }
}

/// The commands whose entry points say that they are missing, as the generator wrote them.
fn missing_commands() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../state-tracker/src/generated/entry_points.rs");
    let text = std::fs::read_to_string(path).expect("entry_points.rs");
    let mut names: Vec<String> =
        text.split("entry::missing(\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect();
    names.dedup();
    names
}

/// A command that is not implemented raises an error and names itself; none returns as if it had worked.
fn lesson_22_what_is_missing_says_so(env: &Env) {
    if env.lane.is_system() {
        skip("what is missing is Gallite's");
    }
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        skip("functions are called without the arguments that they take");
    }
    gl::Enable(gl::DEBUG_OUTPUT);
    let missing = missing_commands();
    assert!(missing.len() > 100, "{} missing commands", missing.len());
    for name in &missing {
        let address = egl::get_proc_address(name);
        // Commands of OpenGL ES alone have no address.
        if address.is_null() {
            continue;
        }
        last_message();
        // SAFETY: System V x86-64: the caller removes the arguments. The bodies of these commands read none.
        let command: extern "C" fn() = unsafe { std::mem::transmute(address) };
        command();
        expect_error(gl::INVALID_OPERATION, name);
        let message = last_message();
        assert!(message.contains(&format!("{name} is not implemented")), "{name}: '{message}'");
    }
}

/// Takes all messages out of the log; the last of them.
fn last_message() -> String {
    let mut last = String::new();
    loop {
        let mut text = [0_u8; 512];
        let mut length = 0;
        let none = std::ptr::null_mut();
        let pointer = text.as_mut_ptr().cast();
        if gl::GetDebugMessageLog(1, 512, none, none, none, none.cast(), &mut length, pointer) == 0 {
            return last;
        }
        let bytes = &text[..(length - 1).max(0) as usize];
        last = String::from_utf8_lossy(bytes).into_owned();
    }
}

/// Every texture unit of the fragment stage at once: what is advertised works.
fn lesson_23_every_unit_can_be_used(_: &Env) {
    let target = Target::new(4, 4);
    let units = get_i32(gl::MAX_TEXTURE_IMAGE_UNITS);
    let sum: String = (0..units).map(|i| format!(" + texelFetch(images[{i}], ivec2(0), 0).r")).collect();
    let fragment = format!(
        "#version 330 core
uniform sampler2D images[{units}];
out vec4 result;
void main() {{ float sum = 0.0{sum}; result = vec4(sum / 255.0, 0.0, 0.0, 1.0); }}
"
    );
    solid([0.0; 4]);
    let program = gallite_tests::draw::program(gallite_tests::draw::SOLID_VS, &fragment);
    let numbers: Vec<i32> = (0..units).collect();
    gl::Uniform1iv(program.location("images"), units, numbers.as_ptr());
    let mut expected = 0;
    for unit in 0..units {
        gl::ActiveTexture(gl::TEXTURE0 + unit as u32);
        gallite_tests::draw::texture_2d(gl::R32F, 1, 1, gl::RED, gl::FLOAT, Some(&[(unit % 7) as f32]));
        expected += unit % 7;
    }
    gallite_tests::draw::quad();
    gl::ActiveTexture(gl::TEXTURE0);
    expect_no_error("units");
    target.image().expect_each_near(1, |_, _| [expected as u8, 0, 0, 255]);
}
