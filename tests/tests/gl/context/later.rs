//! Commands of OpenGL 4.1 to 4.5 that no other test calls: each does what its older twin does, by index, by name or by range.
//! GL 4.6 core 6, 8.19, 9.2, 10.3, 13.6, 14.5 and 17.3.

use crate::textures::{lookup, texture_image};
use gallite_tests::draw::{
    SOLID_VS, Target, buffer, buffer_contents, expect_error, expect_near, expect_no_error, gen_texture, get_i32,
    get_i32s, program, quad, read_pixels, require_extension,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): textures_by_name, copies_by_name, ranges_of_texture_buffers, framebuffers_by_name, buffers_by_name,
        a_barrier_for_texels;
    every core(3, 3): indexed_state, float_depths, parameters_by_name, storage_of_samples, vertex_arrays_by_name,
        capture_targets_by_name, sizes_of_memory;
}

const BYTE: u32 = gl::UNSIGNED_BYTE;

macro_rules! create {
    ($command:ident $(, $target:expr)?) => {{
        let mut name = 0;
        gl::$command($($target,)? 1, &mut name);
        assert_ne!(name, 0);
        name
    }};
}

fn require_names() {
    require_extension("GL_ARB_direct_state_access");
}

fn indexed_state(_: &Env) {
    require_extension("GL_ARB_viewport_array");
    require_extension("GL_ARB_draw_buffers_blend");
    let floats = |name, index| {
        let mut value = [f32::NAN; 4];
        gl::GetFloati_v(name, index, value.as_mut_ptr());
        value
    };
    gl::ViewportIndexedfv(2, [1.5_f32, 2.0, 3.5, 4.0].as_ptr());
    assert_eq!(floats(gl::VIEWPORT, 2), [1.5, 2.0, 3.5, 4.0]);
    let ints = |name, index| {
        let mut value = [-1; 4];
        gl::GetIntegeri_v(name, index, value.as_mut_ptr());
        value
    };
    gl::ScissorArrayv(1, 2, [1, 2, 3, 4, 5, 6, 7, 8].as_ptr());
    gl::ScissorIndexedv(3, [9, 10, 11, 12].as_ptr());
    assert_eq!([1, 2, 3].map(|i| ints(gl::SCISSOR_BOX, i)[0]), [1, 5, 9]);
    gl::ScissorIndexedv(3, [0, 0, -1, 1].as_ptr());
    expect_error(gl::INVALID_VALUE, "a negative width");
    gl::DepthRangeArrayv(1, 2, [0.25, 0.5, 0.125, 0.75].as_ptr());
    let mut range = [f64::NAN; 2];
    gl::GetDoublei_v(gl::DEPTH_RANGE, 2, range.as_mut_ptr());
    assert_eq!(range, [0.125, 0.75]);
    gl::DepthRangeArrayv(get_i32(gl::MAX_VIEWPORTS) as u32, 1, [0.0, 1.0].as_ptr());
    expect_error(gl::INVALID_VALUE, "past the last viewport");
    gl::BlendFunci(1, gl::DST_COLOR, gl::ZERO);
    gl::BlendFuncSeparatei(2, gl::ONE, gl::SRC_ALPHA, gl::DST_ALPHA, gl::ZERO);
    gl::BlendEquationi(1, gl::MAX);
    gl::BlendEquationSeparatei(2, gl::MIN, gl::FUNC_SUBTRACT);
    for (name, expected) in [
        (gl::BLEND_SRC_RGB, [gl::ONE, gl::DST_COLOR, gl::ONE]),
        (gl::BLEND_DST_RGB, [gl::ZERO, gl::ZERO, gl::SRC_ALPHA]),
        (gl::BLEND_SRC_ALPHA, [gl::ONE, gl::DST_COLOR, gl::DST_ALPHA]),
        (gl::BLEND_EQUATION_RGB, [gl::FUNC_ADD, gl::MAX, gl::MIN]),
        (gl::BLEND_EQUATION_ALPHA, [gl::FUNC_ADD, gl::MAX, gl::FUNC_SUBTRACT]),
    ] {
        assert_eq!([0, 1, 2].map(|i| ints(name, i)[0] as u32), expected, "{name:#x}");
    }
    gl::BlendFunci(get_i32(gl::MAX_DRAW_BUFFERS) as u32, gl::ONE, gl::ONE);
    expect_error(gl::INVALID_VALUE, "past the last buffer");
}

fn float_depths(_: &Env) {
    require_extension("GL_ARB_ES2_compatibility");
    let get = |name| {
        let mut value = [f64::NAN; 2];
        gl::GetDoublev(name, value.as_mut_ptr());
        value
    };
    gl::ClearDepthf(0.25);
    assert_eq!(get(gl::DEPTH_CLEAR_VALUE)[0], 0.25);
    gl::ClearDepthf(2.0);
    assert_eq!(get(gl::DEPTH_CLEAR_VALUE)[0], 1.0);
    gl::DepthRangef(0.75, 0.125);
    assert_eq!(get(gl::DEPTH_RANGE), [0.75, 0.125]);
}

fn parameters_by_name(_: &Env) {
    require_names();
    let name = create!(CreateTextures, gl::TEXTURE_2D);
    gl::TextureParameterf(name, gl::TEXTURE_MAX_LOD, 3.5);
    let mut value = f32::NAN;
    gl::GetTextureParameterfv(name, gl::TEXTURE_MAX_LOD, &mut value);
    assert_eq!(value, 3.5);
    gl::TextureParameterfv(name, gl::TEXTURE_BORDER_COLOR, [0.5_f32, -1.0, 2.0, 0.0].as_ptr());
    let mut border = [f32::NAN; 4];
    gl::GetTextureParameterfv(name, gl::TEXTURE_BORDER_COLOR, border.as_mut_ptr());
    assert_eq!(border, [0.5, -1.0, 2.0, 0.0]);
    gl::TextureParameteriv(name, gl::TEXTURE_WRAP_T, [gl::CLAMP_TO_EDGE as i32].as_ptr());
    gl::TextureParameterIiv(name, gl::TEXTURE_BORDER_COLOR, [-1, 2, i32::MIN, 4].as_ptr());
    let mut signed = [0; 4];
    gl::GetTextureParameterIiv(name, gl::TEXTURE_BORDER_COLOR, signed.as_mut_ptr());
    assert_eq!(signed, [-1, 2, i32::MIN, 4]);
    gl::TextureParameterIuiv(name, gl::TEXTURE_BORDER_COLOR, [1, u32::MAX, 3, 4].as_ptr());
    let mut unsigned = [0; 4];
    gl::GetTextureParameterIuiv(name, gl::TEXTURE_BORDER_COLOR, unsigned.as_mut_ptr());
    assert_eq!(unsigned, [1, u32::MAX, 3, 4]);
    gl::GetTextureParameterIuiv(name, gl::TEXTURE_WRAP_T, unsigned.as_mut_ptr());
    assert_eq!(unsigned[0], gl::CLAMP_TO_EDGE);
    gl::BindTextureUnit(3, name);
    gl::ActiveTexture(gl::TEXTURE3);
    assert_eq!(get_i32(gl::TEXTURE_BINDING_2D), name as i32);
    gl::BindTextureUnit(3, 0);
    assert_eq!(get_i32(gl::TEXTURE_BINDING_2D), 0);
    gl::TextureStorage2D(name, 2, gl::RGB10_A2, 6, 4);
    gl::GetTextureLevelParameterfv(name, 1, gl::TEXTURE_WIDTH, &mut value);
    assert_eq!(value, 3.0);
    gl::TextureParameterf(9999, gl::TEXTURE_MAX_LOD, 1.0);
    expect_error(gl::INVALID_OPERATION, "no texture");
    gl::InvalidateTexImage(name, 1);
    gl::InvalidateTexSubImage(name, 0, 1, 1, 0, 2, 2, 1);
    expect_no_error("contents given up");
    gl::InvalidateTexImage(name, 30);
    expect_error(gl::INVALID_VALUE, "a level past the largest");
    gl::InvalidateTexSubImage(name, 0, 5, 0, 0, 2, 1, 1);
    expect_error(gl::INVALID_VALUE, "past the edge");
}

fn textures_by_name(_: &Env) {
    require_names();
    let line = create!(CreateTextures, gl::TEXTURE_1D);
    gl::TextureStorage1D(line, 1, gl::RGBA8, 3);
    let texels: Vec<[u8; 4]> = (0..3).map(|i| [i * 50, 1, 2, 3]).collect();
    gl::TextureSubImage1D(line, 0, 0, 3, gl::RGBA, BYTE, texels.as_ptr().cast());
    gl::TextureSubImage1D(line, 0, 1, 1, gl::RGBA, BYTE, [9_u8; 4].as_ptr().cast());
    let mut got = [[0_u8; 4]; 3];
    gl::GetTextureImage(line, 0, gl::RGBA, BYTE, 12, got.as_mut_ptr().cast());
    assert_eq!(got, [texels[0], [9; 4], texels[2]]);
    gl::CompressedTextureSubImage1D(line, 0, 0, 3, gl::COMPRESSED_RED_RGTC1, 8, [0_u8; 8].as_ptr().cast());
    let error = gl::GetError();
    assert!(matches!(error, gl::INVALID_ENUM | gl::INVALID_OPERATION), "blocks in one dimension: {error:#x}");
    let levels = create!(CreateTextures, gl::TEXTURE_2D);
    gl::TextureStorage2D(levels, 2, gl::RGBA8, 2, 2);
    gl::TextureSubImage2D(levels, 0, 0, 0, 2, 2, gl::RGBA, BYTE, [[100_u8; 4]; 4].as_ptr().cast());
    gl::GenerateTextureMipmap(levels);
    gl::GetTextureImage(levels, 1, gl::RGBA, BYTE, 4, got.as_mut_ptr().cast());
    assert_eq!(got[0], [100; 4]);
    let layers = create!(CreateTextures, gl::TEXTURE_2D_ARRAY);
    let internal = gl::COMPRESSED_RED_RGTC1;
    gl::TextureStorage3D(layers, 1, internal, 4, 4, 2);
    let block = |value: u8| [value, value, 0, 0, 0, 0, 0, 0];
    for (layer, value) in [(0, 10), (1, 20)] {
        gl::CompressedTextureSubImage3D(layers, 0, 0, 0, layer, 4, 4, 1, internal, 8, block(value).as_ptr().cast());
    }
    let mut blocks = [0_u8; 16];
    gl::GetCompressedTextureImage(layers, 0, 16, blocks.as_mut_ptr().cast());
    assert_eq!(blocks[..], [block(10), block(20)].concat());
    expect_no_error("by name");
}

/// 18.2.2 and 8.11.4: memory that is too small is not written at all.
fn sizes_of_memory(_: &Env) {
    require_extension("GL_KHR_robustness");
    gl::BindTexture(gl::TEXTURE_2D, gen_texture());
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 2, 2, 0, gl::RGBA, BYTE, [[7_u8; 4]; 4].as_ptr().cast());
    let mut texels = [1_u8; 16];
    gl::GetnTexImage(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 15, texels.as_mut_ptr().cast());
    expect_error(gl::INVALID_OPERATION, "a byte too few");
    assert_eq!(texels, [1; 16]);
    gl::GetnTexImage(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 16, texels.as_mut_ptr().cast());
    expect_no_error("room enough");
    let (internal, block) = (gl::COMPRESSED_RED_RGTC1, [5_u8, 5, 0, 0, 0, 0, 0, 0]);
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, 8, block.as_ptr().cast());
    let mut blocks = [1_u8; 8];
    gl::GetnCompressedTexImage(gl::TEXTURE_2D, 0, 7, blocks.as_mut_ptr().cast());
    expect_error(gl::INVALID_OPERATION, "a byte too few of a block");
    assert_eq!(blocks, [1; 8]);
    gl::GetnCompressedTexImage(gl::TEXTURE_2D, 0, 8, blocks.as_mut_ptr().cast());
    expect_no_error("room for a block");
}

fn copies_by_name(_: &Env) {
    require_names();
    let target = Target::new(4, 4);
    target.clear([1.0, 0.0, 0.0, 1.0]);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(1, 1, 2, 2);
    target.clear([0.0, 1.0, 0.0, 1.0]);
    let (red, green, none) = ([255, 0, 0, 255], [0, 255, 0, 255], [0; 4]);
    let make = |kind: u32, depth: i32| {
        let name = create!(CreateTextures, kind);
        match kind {
            gl::TEXTURE_1D => gl::TextureStorage1D(name, 1, gl::RGBA8, 4),
            gl::TEXTURE_2D => gl::TextureStorage2D(name, 1, gl::RGBA8, 4, 1),
            _ => gl::TextureStorage3D(name, 1, gl::RGBA8, 4, 1, depth),
        }
        gl::ClearTexImage(name, 0, gl::RGBA, BYTE, std::ptr::null());
        name
    };
    let read = |name: u32, count: usize| {
        let mut texels = vec![[1_u8; 4]; count];
        gl::GetTextureImage(name, 0, gl::RGBA, BYTE, 4 * count as i32, texels.as_mut_ptr().cast());
        texels
    };
    let name = make(gl::TEXTURE_1D, 1);
    gl::CopyTextureSubImage1D(name, 0, 1, 0, 1, 3);
    assert_eq!(read(name, 4), [none, red, green, green]);
    let name = make(gl::TEXTURE_2D, 1);
    gl::CopyTextureSubImage2D(name, 0, 2, 0, 2, 2, 2, 1);
    assert_eq!(read(name, 4), [none, none, green, red]);
    let name = make(gl::TEXTURE_3D, 2);
    gl::CopyTextureSubImage3D(name, 0, 0, 0, 1, 0, 1, 2, 1);
    assert_eq!(read(name, 8)[4..], [red, green, none, none]);
    expect_no_error("copies");
}

/// 8.8: samples of immutable textures.
fn storage_of_samples(_: &Env) {
    require_extension("GL_ARB_texture_storage_multisample");
    let level = |target: u32, name: u32| {
        let mut value = -1;
        gl::GetTexLevelParameteriv(target, 0, name, &mut value);
        value
    };
    let (flat, layered) = (gl::TEXTURE_2D_MULTISAMPLE, gl::TEXTURE_2D_MULTISAMPLE_ARRAY);
    gl::BindTexture(flat, gen_texture());
    gl::TexStorage2DMultisample(flat, 4, gl::RGBA8, 6, 5, gl::TRUE);
    assert_eq!([gl::TEXTURE_WIDTH, gl::TEXTURE_HEIGHT].map(|name| level(flat, name)), [6, 5]);
    assert!(level(flat, gl::TEXTURE_SAMPLES) >= 4);
    gl::BindTexture(layered, gen_texture());
    gl::TexStorage3DMultisample(layered, 4, gl::RGBA8, 6, 5, 3, gl::TRUE);
    assert_eq!([gl::TEXTURE_WIDTH, gl::TEXTURE_DEPTH].map(|name| level(layered, name)), [6, 3]);
    gl::TexStorage3DMultisample(layered, 4, gl::RGBA8, 6, 5, 3, gl::TRUE);
    expect_error(gl::INVALID_OPERATION, "an immutable texture");
    gl::BindTexture(gl::TEXTURE_1D, gen_texture());
    gl::TexStorage1D(gl::TEXTURE_1D, 3, gl::R16F, 4);
    assert_eq!(level(gl::TEXTURE_1D, gl::TEXTURE_INTERNAL_FORMAT), gl::R16F as i32);
    gl::TexStorage1D(gl::TEXTURE_1D, 0, gl::R16F, 4);
    expect_error(gl::INVALID_VALUE, "no levels");
    require_names();
    for target in [flat, layered] {
        let name = create!(CreateTextures, target);
        match target == flat {
            true => gl::TextureStorage2DMultisample(name, 4, gl::RGBA8, 3, 2, gl::FALSE),
            false => gl::TextureStorage3DMultisample(name, 4, gl::RGBA8, 3, 2, 2, gl::FALSE),
        }
        expect_no_error("storage by name");
        gl::BindTexture(target, name);
        assert_eq!([gl::TEXTURE_WIDTH, gl::TEXTURE_HEIGHT].map(|name| level(target, name)), [3, 2]);
    }
}

fn ranges_of_texture_buffers(_: &Env) {
    require_extension("GL_ARB_texture_buffer_range");
    let step = get_i32(gl::TEXTURE_BUFFER_OFFSET_ALIGNMENT).max(4) as usize;
    let values: Vec<f32> = (0..step).map(|i| i as f32).collect();
    let store = buffer(gl::TEXTURE_BUFFER, &values);
    let at = |i: i32| lookup("samplerBuffer", &format!("vec4(texelFetch(t, {i}).r, float(textureSize(t)), 0.0, 0.0)"));
    let first = (step / 4) as f32;
    gl::BindTexture(gl::TEXTURE_BUFFER, gen_texture());
    gl::TexBufferRange(gl::TEXTURE_BUFFER, gl::R32F, store, step as isize, 8);
    assert_eq!(at(1), [first + 1.0, 2.0, 0.0, 0.0]);
    gl::TexBufferRange(gl::TEXTURE_BUFFER, gl::R32F, store, 0, 4 * step as isize + 4);
    expect_error(gl::INVALID_VALUE, "past the end");
    require_names();
    let name = create!(CreateTextures, gl::TEXTURE_BUFFER);
    gl::BindTexture(gl::TEXTURE_BUFFER, name);
    gl::TextureBuffer(name, gl::R32F, store);
    assert_eq!(at(3), [3.0, step as f32, 0.0, 0.0]);
    gl::TextureBufferRange(name, gl::R32F, store, step as isize, 16);
    assert_eq!(at(2), [first + 2.0, 4.0, 0.0, 0.0]);
}

fn framebuffers_by_name(_: &Env) {
    require_names();
    let layers = create!(CreateTextures, gl::TEXTURE_2D_ARRAY);
    gl::TextureStorage3D(layers, 1, gl::RGBA8I, 2, 2, 3);
    let unsigned = create!(CreateTextures, gl::TEXTURE_2D);
    gl::TextureStorage2D(unsigned, 1, gl::RGBA8UI, 2, 2);
    let depth = create!(CreateRenderbuffers);
    gl::NamedRenderbufferStorage(depth, gl::DEPTH24_STENCIL8, 2, 2);
    let name = create!(CreateFramebuffers);
    gl::NamedFramebufferTextureLayer(name, gl::COLOR_ATTACHMENT0, layers, 0, 2);
    gl::NamedFramebufferTexture(name, gl::COLOR_ATTACHMENT1, unsigned, 0);
    gl::NamedFramebufferRenderbuffer(name, gl::DEPTH_STENCIL_ATTACHMENT, gl::RENDERBUFFER, depth);
    let mut value = -1;
    let pname = gl::FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER;
    gl::GetNamedFramebufferAttachmentParameteriv(name, gl::COLOR_ATTACHMENT0, pname, &mut value);
    assert_eq!(value, 2);
    gl::NamedFramebufferDrawBuffers(name, 2, [gl::COLOR_ATTACHMENT1, gl::COLOR_ATTACHMENT0].as_ptr());
    gl::ClearNamedFramebufferuiv(name, gl::COLOR, 0, [1_u32, 2, 3, 255].as_ptr());
    gl::ClearNamedFramebufferiv(name, gl::COLOR, 1, [-1, 2, -128, 127].as_ptr());
    gl::ClearNamedFramebufferfi(name, gl::DEPTH_STENCIL, 0, 0.5, 77);
    expect_no_error("clears by name");
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, name);
    gl::ReadBuffer(gl::COLOR_ATTACHMENT0);
    assert_eq!(read_pixels::<i32>([1, 1, 1, 1], gl::RGBA_INTEGER, gl::INT, 4), [-1, 2, -128, 127]);
    gl::ReadBuffer(gl::COLOR_ATTACHMENT1);
    assert_eq!(read_pixels::<u32>([1, 1, 1, 1], gl::RGBA_INTEGER, gl::UNSIGNED_INT, 4), [1, 2, 3, 255]);
    assert_eq!(read_pixels::<u8>([0, 1, 1, 1], gl::STENCIL_INDEX, BYTE, 1), [77]);
    expect_near(&read_pixels::<f32>([0, 1, 1, 1], gl::DEPTH_COMPONENT, gl::FLOAT, 1), &[0.5], 1e-6);
    let all = [gl::COLOR_ATTACHMENT0, gl::DEPTH_ATTACHMENT];
    // The names are those of the framebuffer at the target: another than the one that is drawn to.
    gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, 0);
    gl::InvalidateFramebuffer(gl::READ_FRAMEBUFFER, 2, all.as_ptr());
    gl::InvalidateFramebuffer(gl::DRAW_FRAMEBUFFER, 2, [gl::COLOR, gl::BACK_LEFT].as_ptr());
    expect_no_error("names of either");
    gl::InvalidateFramebuffer(gl::READ_FRAMEBUFFER, 1, &gl::COLOR);
    expect_error(gl::INVALID_ENUM, "a name of the default framebuffer");
    gl::InvalidateNamedFramebufferSubData(name, 2, all.as_ptr(), 0, 0, 1, 1);
    gl::InvalidateSubFramebuffer(gl::READ_FRAMEBUFFER, 1, all.as_ptr(), 0, 0, 1, 1);
    gl::InvalidateNamedFramebufferData(name, 2, all.as_ptr());
    expect_no_error("contents given up");
    gl::InvalidateSubFramebuffer(gl::READ_FRAMEBUFFER, 1, all.as_ptr(), 0, 0, -1, 1);
    expect_error(gl::INVALID_VALUE, "a negative width");
    gl::NamedFramebufferParameteri(name, gl::FRAMEBUFFER_DEFAULT_WIDTH, 17);
    gl::GetNamedFramebufferParameteriv(name, gl::FRAMEBUFFER_DEFAULT_WIDTH, &mut value);
    assert_eq!(value, 17);
    let samples = create!(CreateRenderbuffers);
    gl::NamedRenderbufferStorageMultisample(samples, 4, gl::RGBA8, 5, 6);
    gl::GetNamedRenderbufferParameteriv(samples, gl::RENDERBUFFER_SAMPLES, &mut value);
    assert!(value >= 4, "{value}");
}

fn buffers_by_name(_: &Env) {
    require_names();
    let name = create!(CreateBuffers);
    gl::NamedBufferData(name, 16, [1_u8; 16].as_ptr().cast(), gl::STATIC_DRAW);
    let mut size = -1;
    gl::GetNamedBufferParameteri64v(name, gl::BUFFER_SIZE, &mut size);
    assert_eq!(size, 16);
    let access = gl::MAP_WRITE_BIT | gl::MAP_FLUSH_EXPLICIT_BIT;
    let mapped: *mut u8 = gl::MapNamedBufferRange(name, 4, 8, access).cast();
    assert!(!mapped.is_null());
    // SAFETY: the mapping has eight bytes.
    unsafe { mapped.add(2).write(9) };
    gl::FlushMappedNamedBufferRange(name, 2, 1);
    gl::FlushMappedNamedBufferRange(name, 7, 2);
    expect_error(gl::INVALID_VALUE, "past the mapping");
    assert_eq!(gl::UnmapNamedBuffer(name), gl::TRUE);
    let mut bytes = [0_u8; 16];
    gl::GetNamedBufferSubData(name, 0, 16, bytes.as_mut_ptr().cast());
    assert_eq!(bytes[4..8], [1, 1, 9, 1]);
    gl::InvalidateBufferSubData(name, 8, 8);
    gl::GetNamedBufferSubData(name, 0, 8, bytes.as_mut_ptr().cast());
    assert_eq!(bytes[4..8], [1, 1, 9, 1], "the rest stays");
    gl::InvalidateBufferSubData(name, 8, 9);
    expect_error(gl::INVALID_VALUE, "past the end");
    gl::InvalidateBufferData(name);
    gl::NamedBufferSubData(name, 0, 4, [7_u8; 4].as_ptr().cast());
    gl::GetNamedBufferSubData(name, 0, 4, bytes.as_mut_ptr().cast());
    assert_eq!(bytes[..4], [7; 4]);
    gl::BindBuffer(gl::ARRAY_BUFFER, name);
    assert_eq!(buffer_contents(gl::ARRAY_BUFFER, 0, 4, 0_u8), [7; 4]);
}

fn vertex_arrays_by_name(_: &Env) {
    require_names();
    let name = create!(CreateVertexArrays);
    let stores = [buffer(gl::ARRAY_BUFFER, &[0_u8; 64]), buffer(gl::ARRAY_BUFFER, &[0_u8; 64])];
    gl::VertexArrayVertexBuffers(name, 1, 2, stores.as_ptr(), [8, 12].as_ptr(), [4, 20].as_ptr());
    gl::VertexArrayAttribIFormat(name, 2, 3, gl::SHORT, 6);
    gl::EnableVertexArrayAttrib(name, 2);
    gl::EnableVertexArrayAttrib(name, 3);
    gl::DisableVertexArrayAttrib(name, 3);
    let mut offset = -1;
    gl::GetVertexArrayIndexed64iv(name, 2, gl::VERTEX_BINDING_OFFSET, &mut offset);
    assert_eq!(offset, 12);
    let indexed = |index, pname| {
        let mut value = -1;
        gl::GetVertexArrayIndexediv(name, index, pname, &mut value);
        value
    };
    assert_eq!(indexed(2, gl::VERTEX_ATTRIB_ARRAY_INTEGER), 1);
    assert_eq!(indexed(2, gl::VERTEX_ATTRIB_RELATIVE_OFFSET), 6);
    assert_eq!([2, 3].map(|i| indexed(i, gl::VERTEX_ATTRIB_ARRAY_ENABLED)), [1, 0]);
    let mut elements = -1;
    gl::GetVertexArrayiv(name, gl::ELEMENT_ARRAY_BUFFER_BINDING, &mut elements);
    assert_eq!(elements, 0);
    gl::BindVertexArray(name);
    gl::BindVertexBuffers(4, 1, &stores[1], &16, &24);
    gl::VertexAttribIFormat(5, 2, gl::UNSIGNED_BYTE, 4);
    gl::VertexBindingDivisor(4, 3);
    let mut value = -1;
    for (pname, expected) in [
        (gl::VERTEX_BINDING_BUFFER, stores[1] as i32),
        (gl::VERTEX_BINDING_OFFSET, 16),
        (gl::VERTEX_BINDING_STRIDE, 24),
        (gl::VERTEX_BINDING_DIVISOR, 3),
    ] {
        gl::GetIntegeri_v(pname, 4, &mut value);
        assert_eq!(value, expected, "{pname:#x}");
    }
    assert_eq!((indexed(5, gl::VERTEX_ATTRIB_ARRAY_SIZE), indexed(5, gl::VERTEX_ATTRIB_ARRAY_INTEGER)), (2, 1));
    gl::BindVertexBuffers(4, 1, &stores[1], &-1, &24);
    expect_error(gl::INVALID_VALUE, "a negative offset");
    require_extension("GL_ARB_vertex_attrib_64bit");
    gl::VertexAttribL2dv(6, [0.1, -2.0].as_ptr());
    let mut doubles = [f64::NAN; 4];
    gl::GetVertexAttribLdv(6, gl::CURRENT_VERTEX_ATTRIB, doubles.as_mut_ptr());
    assert_eq!(doubles[..2], [0.1, -2.0]);
}

fn capture_targets_by_name(_: &Env) {
    require_names();
    require_extension("GL_ARB_transform_feedback2");
    let (name, store) = (create!(CreateTransformFeedbacks), buffer(gl::ARRAY_BUFFER, &[0_u8; 64]));
    gl::TransformFeedbackBufferRange(name, 1, store, 8, 16);
    let mut value = -1;
    gl::GetTransformFeedbacki_v(name, gl::TRANSFORM_FEEDBACK_BUFFER_BINDING, 1, &mut value);
    assert_eq!(value, store as i32);
    let mut wide = [-1; 2];
    gl::GetTransformFeedbacki64_v(name, gl::TRANSFORM_FEEDBACK_BUFFER_START, 1, &mut wide[0]);
    gl::GetTransformFeedbacki64_v(name, gl::TRANSFORM_FEEDBACK_BUFFER_SIZE, 1, &mut wide[1]);
    assert_eq!(wide, [8, 16]);
    gl::GetTransformFeedbackiv(name, gl::TRANSFORM_FEEDBACK_ACTIVE, &mut value);
    assert_eq!(value, 0);
    gl::TransformFeedbackBufferRange(name, 1, store, 2, 16);
    expect_error(gl::INVALID_VALUE, "an odd offset");
    gl::TransformFeedbackBufferRange(name, 99, store, 0, 16);
    expect_error(gl::INVALID_VALUE, "past the last target");
}

/// 9.3.1: after a barrier a draw reads what the one before wrote to the texture that it writes.
fn a_barrier_for_texels(_: &Env) {
    require_extension("GL_ARB_texture_barrier");
    let target = Target::new(4, 4);
    target.clear([0.2, 0.0, 0.0, 1.0]);
    gl::BindTexture(gl::TEXTURE_2D, target.colour);
    let add = "#version 330 core
uniform sampler2D own;
out vec4 result;
void main() { result = texelFetch(own, ivec2(gl_FragCoord.xy), 0) + vec4(0.2, 0.0, 0.0, 0.0); }
";
    program(SOLID_VS, add);
    for _ in 0..3 {
        gl::TextureBarrier();
        quad();
    }
    target.image().expect_each_near(1, |_, _| [204, 0, 0, 255]);
    assert_eq!(get_i32s(gl::VIEWPORT), [0, 0, 4, 4]);
    gl::TextureBarrier();
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 16)[5], [204, 0, 0, 255]);
}
