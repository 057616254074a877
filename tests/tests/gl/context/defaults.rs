//! Initial values of a new context: the state tables of GL 3.3 core, 6.4 to 6.47.

use gallite_tests::draw::{
    expect_error, expect_no_error, gen_sampler, gen_texture, gen_vertex_array, get_bools, get_f32s, get_i32, get_i32s,
    get_i64,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    every core(3, 3): integers, floats, capabilities, indexed, of_a_texture, of_a_sampler, of_a_vertex_array,
        of_a_pbuffer_sized_viewport, values_convert_between_types, texture_bindings_of_every_unit, unknown_names_change_nothing,
        strings;
    every pbuffer(20, 12): first_surface_sets_the_viewport;
    vulkan pbuffer(20, 12): a_surface_without_memory;
}

const INTEGERS: &[(u32, u32)] = &[
    // Table 6.5: vertex array data not in vertex array objects.
    (gl::ARRAY_BUFFER_BINDING, 0),
    (gl::VERTEX_ARRAY_BINDING, 0),
    (gl::PRIMITIVE_RESTART_INDEX, 0),
    // Table 6.8 and 6.9: transformation and coloring.
    (gl::CLAMP_READ_COLOR, gl::FIXED_ONLY),
    (gl::PROVOKING_VERTEX, gl::LAST_VERTEX_CONVENTION),
    (gl::QUADS_FOLLOW_PROVOKING_VERTEX_CONVENTION, 1),
    // Table 6.10: rasterization.
    (gl::POINT_SPRITE_COORD_ORIGIN, gl::UPPER_LEFT),
    (gl::CULL_FACE_MODE, gl::BACK),
    (gl::FRONT_FACE, gl::CCW),
    // Table 6.12: textures.
    (gl::ACTIVE_TEXTURE, gl::TEXTURE0),
    (gl::TEXTURE_BINDING_1D, 0),
    (gl::TEXTURE_BINDING_2D, 0),
    (gl::TEXTURE_BINDING_3D, 0),
    (gl::TEXTURE_BINDING_1D_ARRAY, 0),
    (gl::TEXTURE_BINDING_2D_ARRAY, 0),
    (gl::TEXTURE_BINDING_RECTANGLE, 0),
    (gl::TEXTURE_BINDING_BUFFER, 0),
    (gl::TEXTURE_BINDING_CUBE_MAP, 0),
    (gl::TEXTURE_BINDING_2D_MULTISAMPLE, 0),
    (gl::TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY, 0),
    (gl::SAMPLER_BINDING, 0),
    // Table 6.18 and 6.19: pixel operations.
    (gl::STENCIL_FUNC, gl::ALWAYS),
    (gl::STENCIL_REF, 0),
    (gl::STENCIL_FAIL, gl::KEEP),
    (gl::STENCIL_PASS_DEPTH_FAIL, gl::KEEP),
    (gl::STENCIL_PASS_DEPTH_PASS, gl::KEEP),
    (gl::STENCIL_BACK_FUNC, gl::ALWAYS),
    (gl::STENCIL_BACK_REF, 0),
    (gl::STENCIL_BACK_FAIL, gl::KEEP),
    (gl::STENCIL_BACK_PASS_DEPTH_FAIL, gl::KEEP),
    (gl::STENCIL_BACK_PASS_DEPTH_PASS, gl::KEEP),
    (gl::DEPTH_FUNC, gl::LESS),
    (gl::BLEND_SRC_RGB, gl::ONE),
    (gl::BLEND_SRC_ALPHA, gl::ONE),
    (gl::BLEND_DST_RGB, gl::ZERO),
    (gl::BLEND_DST_ALPHA, gl::ZERO),
    (gl::BLEND_EQUATION_RGB, gl::FUNC_ADD),
    (gl::BLEND_EQUATION_ALPHA, gl::FUNC_ADD),
    (gl::LOGIC_OP_MODE, gl::COPY),
    (gl::STENCIL_CLEAR_VALUE, 0),
    // Table 6.21 and 6.25: framebuffers.
    (gl::DRAW_FRAMEBUFFER_BINDING, 0),
    (gl::READ_FRAMEBUFFER_BINDING, 0),
    (gl::RENDERBUFFER_BINDING, 0),
    // Table 6.26 and 6.27: pixels.
    (gl::UNPACK_SWAP_BYTES, 0),
    (gl::UNPACK_LSB_FIRST, 0),
    (gl::UNPACK_IMAGE_HEIGHT, 0),
    (gl::UNPACK_SKIP_IMAGES, 0),
    (gl::UNPACK_ROW_LENGTH, 0),
    (gl::UNPACK_SKIP_ROWS, 0),
    (gl::UNPACK_SKIP_PIXELS, 0),
    (gl::UNPACK_ALIGNMENT, 4),
    (gl::PACK_SWAP_BYTES, 0),
    (gl::PACK_LSB_FIRST, 0),
    (gl::PACK_IMAGE_HEIGHT, 0),
    (gl::PACK_SKIP_IMAGES, 0),
    (gl::PACK_ROW_LENGTH, 0),
    (gl::PACK_SKIP_ROWS, 0),
    (gl::PACK_SKIP_PIXELS, 0),
    (gl::PACK_ALIGNMENT, 4),
    (gl::PIXEL_PACK_BUFFER_BINDING, 0),
    (gl::PIXEL_UNPACK_BUFFER_BINDING, 0),
    // Programs, feedback, uniform buffers, copies: tables 6.28 to 6.34 and 6.46.
    (gl::CURRENT_PROGRAM, 0),
    (gl::TRANSFORM_FEEDBACK_BUFFER_BINDING, 0),
    (gl::UNIFORM_BUFFER_BINDING, 0),
    (gl::COPY_READ_BUFFER, 0),
    (gl::COPY_WRITE_BUFFER, 0),
    // Table 6.34: hints.
    (gl::LINE_SMOOTH_HINT, gl::DONT_CARE),
    (gl::POLYGON_SMOOTH_HINT, gl::DONT_CARE),
    (gl::TEXTURE_COMPRESSION_HINT, gl::DONT_CARE),
    (gl::FRAGMENT_SHADER_DERIVATIVE_HINT, gl::DONT_CARE),
];

fn integers(_: &Env) {
    for (name, value) in INTEGERS {
        assert_eq!(get_i32(*name) as u32, *value, "{name:#x}");
        assert_eq!(get_i64(*name) as u32, *value, "{name:#x} as 64 bits");
    }
    for mask in [gl::STENCIL_VALUE_MASK, gl::STENCIL_WRITEMASK, gl::STENCIL_BACK_VALUE_MASK, gl::STENCIL_BACK_WRITEMASK]
    {
        assert_eq!(get_i32(mask) as u32 & 0xff, 0xff, "{mask:#x}: all ones");
    }
    // Core profile: one mode for both faces, which some report twice.
    assert_eq!(get_i32(gl::POLYGON_MODE) as u32, gl::FILL);
    expect_no_error("integers");
}

fn floats(_: &Env) {
    assert_eq!(get_f32s(gl::DEPTH_RANGE), [0.0, 1.0]);
    assert_eq!(get_f32s(gl::POINT_SIZE), [1.0]);
    assert_eq!(get_f32s(gl::POINT_FADE_THRESHOLD_SIZE), [1.0]);
    assert_eq!(get_f32s(gl::LINE_WIDTH), [1.0]);
    assert_eq!(get_f32s(gl::POLYGON_OFFSET_FACTOR), [0.0]);
    assert_eq!(get_f32s(gl::POLYGON_OFFSET_UNITS), [0.0]);
    assert_eq!(get_f32s(gl::SAMPLE_COVERAGE_VALUE), [1.0]);
    assert_eq!(get_f32s(gl::BLEND_COLOR), [0.0; 4]);
    assert_eq!(get_f32s(gl::COLOR_CLEAR_VALUE), [0.0; 4]);
    assert_eq!(get_f32s(gl::DEPTH_CLEAR_VALUE), [1.0]);
    assert_eq!(get_bools(gl::SAMPLE_COVERAGE_INVERT), [0]);
    assert_eq!(get_bools(gl::COLOR_WRITEMASK), [1; 4]);
    assert_eq!(get_bools(gl::DEPTH_WRITEMASK), [1]);
}

/// Everything but dithering and multisampling is off.
fn capabilities(_: &Env) {
    let off = [
        gl::BLEND,
        gl::COLOR_LOGIC_OP,
        gl::CULL_FACE,
        gl::DEPTH_CLAMP,
        gl::DEPTH_TEST,
        gl::FRAMEBUFFER_SRGB,
        gl::LINE_SMOOTH,
        gl::POLYGON_OFFSET_FILL,
        gl::POLYGON_OFFSET_LINE,
        gl::POLYGON_OFFSET_POINT,
        gl::POLYGON_SMOOTH,
        gl::PRIMITIVE_RESTART,
        gl::PROGRAM_POINT_SIZE,
        gl::RASTERIZER_DISCARD,
        gl::SAMPLE_ALPHA_TO_COVERAGE,
        gl::SAMPLE_ALPHA_TO_ONE,
        gl::SAMPLE_COVERAGE,
        gl::SAMPLE_MASK,
        gl::SCISSOR_TEST,
        gl::STENCIL_TEST,
        gl::TEXTURE_CUBE_MAP_SEAMLESS,
    ];
    let clips = (0..get_i32(gl::MAX_CLIP_DISTANCES) as u32).map(|plane| gl::CLIP_DISTANCE0 + plane);
    for capability in off.into_iter().chain(clips) {
        assert_eq!(gl::IsEnabled(capability), gl::FALSE, "{capability:#x}");
        assert_eq!(get_i32(capability), 0, "{capability:#x}");
        gl::Enable(capability);
        assert_eq!((gl::IsEnabled(capability), get_bools(capability)), (gl::TRUE, [1]), "{capability:#x}");
        gl::Disable(capability);
        assert_eq!(gl::IsEnabled(capability), gl::FALSE, "{capability:#x}");
    }
    for capability in [gl::DITHER, gl::MULTISAMPLE] {
        assert_eq!(gl::IsEnabled(capability), gl::TRUE, "{capability:#x}");
    }
    // Gone from the core profile, or never a capability.
    for other in [gl::TEXTURE_2D, gl::FILL, gl::MAX_TEXTURE_SIZE, 0x0B50] {
        gl::Enable(other);
        expect_error(gl::INVALID_ENUM, "glEnable");
        gl::IsEnabled(other);
        expect_error(gl::INVALID_ENUM, "glIsEnabled");
    }
}

fn indexed(_: &Env) {
    let get = |name, index| {
        let mut value = -1;
        gl::GetIntegeri_v(name, index, &mut value);
        value
    };
    for index in 0..get_i32(gl::MAX_UNIFORM_BUFFER_BINDINGS) as u32 {
        assert_eq!(get(gl::UNIFORM_BUFFER_BINDING, index), 0);
        assert_eq!((get(gl::UNIFORM_BUFFER_START, index), get(gl::UNIFORM_BUFFER_SIZE, index)), (0, 0));
    }
    for index in 0..get_i32(gl::MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS) as u32 {
        assert_eq!(get(gl::TRANSFORM_FEEDBACK_BUFFER_BINDING, index), 0);
    }
    assert_eq!(get(gl::SAMPLE_MASK_VALUE, 0), -1, "all ones");
    get(gl::UNIFORM_BUFFER_BINDING, 10_000);
    expect_error(gl::INVALID_VALUE, "no such point");
    get(gl::TEXTURE_2D, 0);
    expect_error(gl::INVALID_ENUM, "not indexed");
}

/// Table 6.13 to 6.15.
fn of_a_texture(_: &Env) {
    gl::BindTexture(gl::TEXTURE_2D, gen_texture());
    let get = |name| {
        let mut value = -1;
        gl::GetTexParameteriv(gl::TEXTURE_2D, name, &mut value);
        value as u32
    };
    for (name, value) in [
        (gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_LINEAR),
        (gl::TEXTURE_MAG_FILTER, gl::LINEAR),
        (gl::TEXTURE_WRAP_S, gl::REPEAT),
        (gl::TEXTURE_WRAP_T, gl::REPEAT),
        (gl::TEXTURE_WRAP_R, gl::REPEAT),
        (gl::TEXTURE_MIN_LOD, -1000_i32 as u32),
        (gl::TEXTURE_MAX_LOD, 1000),
        (gl::TEXTURE_BASE_LEVEL, 0),
        (gl::TEXTURE_MAX_LEVEL, 1000),
        (gl::TEXTURE_COMPARE_MODE, gl::NONE),
        (gl::TEXTURE_COMPARE_FUNC, gl::LEQUAL),
        (gl::TEXTURE_SWIZZLE_R, gl::RED),
        (gl::TEXTURE_SWIZZLE_G, gl::GREEN),
        (gl::TEXTURE_SWIZZLE_B, gl::BLUE),
        (gl::TEXTURE_SWIZZLE_A, gl::ALPHA),
    ] {
        assert_eq!(get(name), value, "{name:#x}");
    }
    // Table 6.16: that of a buffer texture.
    let mut value = 0;
    gl::BindTexture(gl::TEXTURE_BUFFER, gen_texture());
    gl::GetTexLevelParameteriv(gl::TEXTURE_BUFFER, 0, gl::TEXTURE_INTERNAL_FORMAT, &mut value);
    assert_eq!(value as u32, gl::R8);
    // 3.8.9: rectangles have another filter and wrap mode.
    gl::BindTexture(gl::TEXTURE_RECTANGLE, gen_texture());
    gl::GetTexParameteriv(gl::TEXTURE_RECTANGLE, gl::TEXTURE_MIN_FILTER, &mut value);
    assert_eq!(value as u32, gl::LINEAR);
    gl::GetTexParameteriv(gl::TEXTURE_RECTANGLE, gl::TEXTURE_WRAP_S, &mut value);
    assert_eq!(value as u32, gl::CLAMP_TO_EDGE);
}

fn of_a_sampler(_: &Env) {
    let name = gen_sampler();
    gl::BindSampler(0, name);
    assert_eq!(get_i32(gl::SAMPLER_BINDING) as u32, name);
    let get = |parameter| {
        let mut value = -1;
        gl::GetSamplerParameteriv(name, parameter, &mut value);
        value as u32
    };
    assert_eq!(get(gl::TEXTURE_MIN_FILTER), gl::NEAREST_MIPMAP_LINEAR);
    assert_eq!(get(gl::TEXTURE_WRAP_R), gl::REPEAT);
    assert_eq!(get(gl::TEXTURE_COMPARE_FUNC), gl::LEQUAL);
    let mut border = [9.0_f32; 4];
    gl::GetSamplerParameterfv(name, gl::TEXTURE_BORDER_COLOR, border.as_mut_ptr());
    assert_eq!(border, [0.0; 4]);
}

/// Table 6.4.
fn of_a_vertex_array(_: &Env) {
    gl::BindVertexArray(gen_vertex_array());
    assert_eq!(get_i32(gl::ELEMENT_ARRAY_BUFFER_BINDING), 0);
    for index in 0..get_i32(gl::MAX_VERTEX_ATTRIBS) as u32 {
        let get = |name| {
            let mut value = -1;
            gl::GetVertexAttribiv(index, name, &mut value);
            value as u32
        };
        assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_ENABLED), 0);
        assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_SIZE), 4);
        assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_TYPE), gl::FLOAT);
        assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_STRIDE), 0);
        assert_eq!(get(gl::VERTEX_ATTRIB_ARRAY_DIVISOR), 0);
        let mut current = [9.0_f32; 4];
        gl::GetVertexAttribfv(index, gl::CURRENT_VERTEX_ATTRIB, current.as_mut_ptr());
        assert_eq!(current, [0.0, 0.0, 0.0, 1.0]);
    }
}

/// 2.13.1: without a surface the first viewport is of size zero.
fn of_a_pbuffer_sized_viewport(_: &Env) {
    let [x, y, ..] = get_i32s::<4>(gl::VIEWPORT);
    assert_eq!((x, y), (0, 0));
}

/// 2.13.1 and 4.1.2: a context's first surface gives it viewport and scissor box; a later one does not.
fn first_surface_sets_the_viewport(env: &Env) {
    assert_eq!(get_i32s(gl::VIEWPORT), [0, 0, 20, 12]);
    assert_eq!(get_i32s(gl::SCISSOR_BOX), [0, 0, 20, 12]);
    use gallite_tests::egl;
    let size = [egl::WIDTH, 40, egl::HEIGHT, 30, egl::NONE];
    let other = egl::CreatePbufferSurface(env.display, env.config, size.as_ptr());
    assert_eq!(egl::MakeCurrent(env.display, other, other, env.context), egl::TRUE);
    assert_eq!(get_i32s(gl::VIEWPORT), [0, 0, 20, 12]);
    // EGL 1.5 2.2.2: what a client draws to on a pbuffer is its back buffer.
    assert_eq!((get_i32(gl::DRAW_BUFFER) as u32, get_i32(gl::READ_BUFFER) as u32), (gl::BACK, gl::BACK));
    assert_eq!(egl::MakeCurrent(env.display, env.surface, env.surface, env.context), egl::TRUE);
    egl::DestroySurface(env.display, other);
}

/// EGL 1.5 3.7.3: EGL_BAD_ALLOC where a surface's buffers can't be made, and what was current stays.
fn a_surface_without_memory(env: &Env) {
    use gallite_tests::egl;
    let attributes =
        [egl::SURFACE_TYPE, egl::PBUFFER_BIT, egl::SAMPLES, 4, egl::DEPTH_SIZE, 24, egl::RED_SIZE, 8, egl::NONE];
    let (mut config, mut count) = (egl::NONE_HANDLE, 0);
    assert_eq!(egl::ChooseConfig(env.display, attributes.as_ptr(), &mut config, 1, &mut count), egl::TRUE);
    assert_eq!(count, 1);
    let mut most = 0;
    egl::GetConfigAttrib(env.display, config, egl::MAX_PBUFFER_WIDTH, &mut most);
    let size = [egl::WIDTH, most, egl::HEIGHT, most, egl::NONE];
    let surface = egl::CreatePbufferSurface(env.display, config, size.as_ptr());
    let attributes = [egl::CONTEXT_MAJOR_VERSION, 3, egl::CONTEXT_MINOR_VERSION, 3, egl::NONE];
    let context = egl::CreateContext(env.display, config, egl::NONE_HANDLE, attributes.as_ptr());
    assert!(!context.is_null());
    assert_eq!(egl::MakeCurrent(env.display, surface, surface, context), egl::FALSE, "{most} squared in 4 samples");
    assert_eq!(egl::GetError(), egl::BAD_ALLOC);
    assert_eq!(egl::GetCurrentContext(), env.context);
    assert_eq!(get_i32s(gl::VIEWPORT), [0, 0, 20, 12]);
    // The surface and the context are fit for other uses.
    assert_eq!(egl::MakeCurrent(env.display, egl::NONE_HANDLE, egl::NONE_HANDLE, context), egl::TRUE);
    assert_eq!(egl::MakeCurrent(env.display, env.surface, env.surface, env.context), egl::TRUE);
    egl::DestroyContext(env.display, context);
    egl::DestroySurface(env.display, surface);
}

/// 6.1.2: booleans are 0 or 1, floats round, colours and depths map to the whole range of integers.
fn values_convert_between_types(_: &Env) {
    gl::ClearColor(1.0, 0.0, -1.0, 0.5);
    let colours: [i32; 4] = get_i32s(gl::COLOR_CLEAR_VALUE);
    assert_eq!((colours[0], colours[1]), (i32::MAX, 0));
    assert!(colours[2] <= -i32::MAX && (colours[3] - (1 << 30)).abs() <= 1, "{colours:?}");
    gl::ClearDepth(1.0);
    assert_eq!(get_i32(gl::DEPTH_CLEAR_VALUE), i32::MAX);
    gl::LineWidth(2.6);
    assert_eq!(get_i32(gl::LINE_WIDTH), 3);
    assert_eq!(get_bools(gl::LINE_WIDTH), [1]);
    assert_eq!(get_f32s(gl::UNPACK_ALIGNMENT), [4.0]);
    assert_eq!(get_f32s(gl::DEPTH_WRITEMASK), [1.0]);
    gl::PolygonOffset(0.0, -0.75);
    assert_eq!(get_i32(gl::POLYGON_OFFSET_UNITS), -1);
    assert_eq!(get_bools(gl::POLYGON_OFFSET_FACTOR), [0]);
    let mut value = [7.0_f64; 2];
    gl::GetDoublev(gl::DEPTH_RANGE, value.as_mut_ptr());
    assert_eq!(value, [0.0, 1.0]);
}

fn texture_bindings_of_every_unit(_: &Env) {
    let units = get_i32(gl::MAX_COMBINED_TEXTURE_IMAGE_UNITS) as u32;
    for unit in 0..units {
        gl::ActiveTexture(gl::TEXTURE0 + unit);
        assert_eq!(get_i32(gl::TEXTURE_BINDING_2D), 0, "unit {unit}");
        let name = gen_texture();
        gl::BindTexture(gl::TEXTURE_2D, name);
        assert_eq!(get_i32(gl::TEXTURE_BINDING_2D) as u32, name, "unit {unit}");
    }
    gl::ActiveTexture(gl::TEXTURE0 + units);
    expect_error(gl::INVALID_ENUM, "no such unit");
    assert_eq!(get_i32(gl::ACTIVE_TEXTURE) as u32, gl::TEXTURE0 + units - 1);
}

fn unknown_names_change_nothing(_: &Env) {
    let mut value = 123;
    for name in [0x1_2345, gl::TEXTURE_2D, gl::RGBA8, 0xffff_ffff] {
        gl::GetIntegerv(name, &mut value);
        expect_error(gl::INVALID_ENUM, "glGetIntegerv");
        assert_eq!(value, 123);
    }
}

fn strings(_: &Env) {
    use gallite_tests::draw::get_string;
    let version = get_string(gl::VERSION);
    let numbers: Vec<u32> = version.split([' ', '.']).take(2).filter_map(|word| word.parse().ok()).collect();
    assert_eq!(numbers, [get_i32(gl::MAJOR_VERSION) as u32, get_i32(gl::MINOR_VERSION) as u32], "{version}");
    let language = get_string(gl::SHADING_LANGUAGE_VERSION);
    assert!(language.starts_with(|c: char| c.is_ascii_digit()), "{language}");
    assert!(!get_string(gl::VENDOR).is_empty() && !get_string(gl::RENDERER).is_empty());
    gl::GetString(gl::TEXTURE_2D);
    expect_error(gl::INVALID_ENUM, "name");
    let profile = get_i32(gl::CONTEXT_PROFILE_MASK) as u32;
    assert_eq!(profile, gl::CONTEXT_CORE_PROFILE_BIT);
}
