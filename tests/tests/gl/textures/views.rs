//! Texture views and copies of images: GL 4.6 core 8.18 and 18.3.3, cases 23 and 26.

use super::{lookup, lookup_uint, nearest, texture_image};
use crate::shared::{compute, dispatch, storage, words};
use gallite_tests::draw::{
    Image, expect_error, expect_no_error, framebuffer_status, gen_framebuffer, gen_renderbuffer, gen_texture,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): a_view_shows_a_part, a_view_of_another_format, mipmaps_of_views, case_23_views_as_attachments, views_of_views, views_are_stored_to,
        faces_of_a_cube_as_layers, case_26_copies_reach_every_slice, copies_between_formats,
        copies_between_kinds, copies_of_blocks, copies_of_renderbuffers;
    every core(3, 3): errors_of_views, errors_of_copies;
}

const BYTE: u32 = gl::UNSIGNED_BYTE;

fn view(target: u32, origin: u32, internal: u32, levels: [u32; 2], layers: [u32; 2]) -> u32 {
    let name = gen_texture();
    gl::TextureView(name, target, origin, internal, levels[0], levels[1], layers[0], layers[1]);
    name
}

/// An immutable array of 4 x 4 texels with two levels, each layer and level of one grey: layer * 40 + level * 10 + 5.
fn array(layers: i32) -> u32 {
    let name = nearest(gl::TEXTURE_2D_ARRAY);
    gl::TexStorage3D(gl::TEXTURE_2D_ARRAY, 2, gl::RGBA8, 4, 4, layers);
    for layer in 0..layers {
        for level in 0..2 {
            let size = 4 >> level;
            let grey = (layer * 40 + level * 10 + 5) as u8;
            let texels = vec![[grey, grey, grey, 255]; (size * size) as usize];
            let at = (0, 0, layer);
            gl::TexSubImage3D(
                gl::TEXTURE_2D_ARRAY,
                level,
                at.0,
                at.1,
                at.2,
                size,
                size,
                1,
                gl::RGBA,
                BYTE,
                texels.as_ptr().cast(),
            );
        }
    }
    name
}

#[track_caller]
fn expect_grey(got: [f32; 4], grey: i32) {
    assert!((got[0] * 255.0 - grey as f32).abs() < 0.1, "{} of 255, expected {grey}", got[0] * 255.0);
}

/// GL 4.6 core 8.26: images of a view whose format the device stores to, over an origin whose format it doesn't; both and
/// another view show what was stored.
fn views_are_stored_to(_: &Env) {
    let origin = nearest(gl::TEXTURE_2D);
    gl::TexStorage2D(gl::TEXTURE_2D, 1, gl::RGB9_E5, 2, 1);
    let texels = [[0.5_f32, 0.25, 1.0]; 2];
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 2, 1, gl::RGB, gl::FLOAT, texels.as_ptr().cast());
    let stored = view(gl::TEXTURE_2D, origin, gl::R32UI, [0, 1], [0, 1]);
    let other = view(gl::TEXTURE_2D, origin, gl::R32F, [0, 1], [0, 1]);
    expect_no_error("the views");
    compute(
        "layout(local_size_x = 1) in;
layout(r32ui, binding = 0) uniform uimage2D image;
layout(std430, binding = 0) buffer Out { uint before; };
void main() { before = imageLoad(image, ivec2(1, 0)).x; imageStore(image, ivec2(0), uvec4(0x3f800000u)); }\n",
    );
    gl::BindImageTexture(0, stored, 0, gl::FALSE, 0, gl::READ_WRITE, gl::R32UI);
    let out = storage(0, &[0_u32]);
    dispatch(1, 1, 1);
    assert_ne!(words(out, 1), [0], "what was uploaded");
    gl::BindTexture(gl::TEXTURE_2D, other);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST as i32);
    assert_eq!(lookup("sampler2D", "texelFetch(t, ivec2(0), 0)")[0], 1.0);
    // 0x3f800000: exponent 7, mantissas 0, 0 and 0x1e0 of blue's nine bits.
    gl::BindTexture(gl::TEXTURE_2D, origin);
    let seen = lookup("sampler2D", "texelFetch(t, ivec2(0), 0)");
    assert_eq!(&seen[..2], [0.0, 0.0], "{seen:?}");
    assert!(seen[2] > 0.0, "{seen:?}");
}

fn filters(target: u32) {
    gl::TexParameteri(target, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST as i32);
    gl::TexParameteri(target, gl::TEXTURE_MAG_FILTER, gl::NEAREST as i32);
}

fn a_view_shows_a_part(_: &Env) {
    let origin = array(5);
    let part = view(gl::TEXTURE_2D_ARRAY, origin, gl::RGBA8, [0, 9], [2, 2]);
    expect_no_error("glTextureView");
    gl::BindTexture(gl::TEXTURE_2D_ARRAY, part);
    filters(gl::TEXTURE_2D_ARRAY);
    expect_grey(lookup("sampler2DArray", "textureLod(t, vec3(0.5, 0.5, 0.0), 0.0)"), 85);
    expect_grey(lookup("sampler2DArray", "textureLod(t, vec3(0.5, 0.5, 1.0), 1.0)"), 135);
    assert_eq!(lookup("sampler2DArray", "vec4(textureSize(t, 0), 0)"), [4.0, 4.0, 2.0, 0.0]);
    let get = |name| {
        let mut value = -1;
        gl::GetTexParameteriv(gl::TEXTURE_2D_ARRAY, name, &mut value);
        value
    };
    assert_eq!(get(gl::TEXTURE_VIEW_MIN_LAYER), 2);
    assert_eq!(get(gl::TEXTURE_VIEW_NUM_LAYERS), 2);
    assert_eq!(get(gl::TEXTURE_VIEW_NUM_LEVELS), 2);
    assert_eq!(get(gl::TEXTURE_IMMUTABLE_LEVELS), 2);
    // One layer as a plain texture, and only its second level.
    let one = view(gl::TEXTURE_2D, origin, gl::RGBA8, [1, 1], [3, 1]);
    gl::BindTexture(gl::TEXTURE_2D, one);
    filters(gl::TEXTURE_2D);
    expect_grey(lookup("sampler2D", "textureLod(t, vec2(0.5), 0.0)"), 135);
    // Writes go both ways, and outlive the origin's name.
    let texels = [[200_u8; 4]; 4];
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 2, 2, gl::RGBA, BYTE, texels.as_ptr().cast());
    gl::BindTexture(gl::TEXTURE_2D_ARRAY, part);
    expect_grey(lookup("sampler2DArray", "textureLod(t, vec3(0.5, 0.5, 1.0), 1.0)"), 200);
    gl::DeleteTextures(1, &origin);
    expect_grey(lookup("sampler2DArray", "textureLod(t, vec3(0.5, 0.5, 1.0), 1.0)"), 200);
    expect_no_error("views");
}

fn a_view_of_another_format(_: &Env) {
    let origin = nearest(gl::TEXTURE_2D);
    gl::TexStorage2D(gl::TEXTURE_2D, 1, gl::R32F, 2, 2);
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 2, 2, gl::RED, gl::FLOAT, [1.0_f32, 2.0, -1.0, 0.5].as_ptr().cast());
    let bits = view(gl::TEXTURE_2D, origin, gl::R32UI, [0, 1], [0, 1]);
    expect_no_error("glTextureView of bits");
    gl::BindTexture(gl::TEXTURE_2D, bits);
    filters(gl::TEXTURE_2D);
    assert_eq!(lookup_uint("usampler2D", "texelFetch(t, ivec2(1, 0), 0)")[0], 2.0_f32.to_bits());
    assert_eq!(lookup_uint("usampler2D", "texelFetch(t, ivec2(0, 1), 0)")[0], (-1.0_f32).to_bits());
    let bytes = view(gl::TEXTURE_2D, origin, gl::RGBA8, [0, 1], [0, 1]);
    gl::BindTexture(gl::TEXTURE_2D, bytes);
    filters(gl::TEXTURE_2D);
    let [r, g, b, a] = 0.5_f32.to_le_bytes();
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, gl::RGBA, BYTE, 4)[3], [r, g, b, a]);
}

/// 8.14.4, 8.18: levels are averages of the view's texels, whatever format the storage was made in.
fn mipmaps_of_views(_: &Env) {
    let origin = nearest(gl::TEXTURE_2D);
    gl::TexStorage2D(gl::TEXTURE_2D, 2, gl::RGBA8, 2, 2);
    let floats = view(gl::TEXTURE_2D, origin, gl::R32F, [0, 2], [0, 1]);
    gl::BindTexture(gl::TEXTURE_2D, floats);
    gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 2, 2, gl::RED, gl::FLOAT, [1.0_f32, 3.0, 1.0, 3.0].as_ptr().cast());
    gl::GenerateMipmap(gl::TEXTURE_2D);
    assert_eq!(texture_image::<f32>(gl::TEXTURE_2D, 1, gl::RED, gl::FLOAT, 1), [2.0]);
    // Encoded values are averaged as what they stand for: half of the light is 188.
    for (stored, seen, grey) in [(gl::RGBA8, gl::SRGB8_ALPHA8, 188), (gl::SRGB8_ALPHA8, gl::RGBA8, 128_u8)] {
        let origin = nearest(gl::TEXTURE_2D);
        gl::TexStorage2D(gl::TEXTURE_2D, 2, stored, 2, 2);
        let texels = [[0_u8; 4], [255; 4], [0; 4], [255; 4]];
        gl::TexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 2, 2, gl::RGBA, BYTE, texels.as_ptr().cast());
        gl::BindTexture(gl::TEXTURE_2D, view(gl::TEXTURE_2D, origin, seen, [0, 2], [0, 1]));
        gl::GenerateMipmap(gl::TEXTURE_2D);
        let got = texture_image::<[u8; 4]>(gl::TEXTURE_2D, 1, gl::RGBA, BYTE, 1)[0];
        assert!(got[0].abs_diff(grey) <= 1, "{stored:#x} as {seen:#x}: {got:?}");
    }
    expect_no_error("mipmaps of views");
}

fn case_23_views_as_attachments(_: &Env) {
    let origin = array(3);
    let level = view(gl::TEXTURE_2D, origin, gl::RGBA8UI, [1, 1], [1, 1]);
    expect_no_error("glTextureView as integers");
    let framebuffer = gen_framebuffer();
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, level, 0);
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
    gl::ClearBufferuiv(gl::COLOR, 0, [1_u32, 2, 3, 4].as_ptr());
    gl::FramebufferTextureLayer(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, origin, 1, 1);
    Image::read(0, 0, 2, 2).expect_all([1, 2, 3, 4]);
    // And a blit from a view of one level to one of another.
    let (from, to) = (
        view(gl::TEXTURE_2D, origin, gl::RGBA8, [1, 1], [1, 1]),
        view(gl::TEXTURE_2D, origin, gl::RGBA8, [0, 1], [2, 1]),
    );
    let target = gen_framebuffer();
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture2D(gl::READ_FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, from, 0);
    gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, target);
    gl::FramebufferTexture2D(gl::DRAW_FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::TEXTURE_2D, to, 0);
    gl::BlitFramebuffer(0, 0, 2, 2, 2, 2, 4, 4, gl::COLOR_BUFFER_BIT, gl::NEAREST);
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, target);
    Image::read(0, 0, 4, 4).expect_rect([2, 2, 2, 2], [1, 2, 3, 4], [85, 85, 85, 255]);
    expect_no_error("blit between views");
}

fn views_of_views(_: &Env) {
    let origin = array(6);
    let middle = view(gl::TEXTURE_2D_ARRAY, origin, gl::RGBA8, [0, 2], [1, 4]);
    let inner = view(gl::TEXTURE_2D_ARRAY, middle, gl::RGBA8, [1, 1], [2, 9]);
    gl::BindTexture(gl::TEXTURE_2D_ARRAY, inner);
    filters(gl::TEXTURE_2D_ARRAY);
    assert_eq!(lookup("sampler2DArray", "vec4(textureSize(t, 0), 0)"), [2.0, 2.0, 2.0, 0.0]);
    expect_grey(lookup("sampler2DArray", "textureLod(t, vec3(0.5, 0.5, 1.0), 0.0)"), 175);
    let mut first = -1;
    gl::GetTexParameteriv(gl::TEXTURE_2D_ARRAY, gl::TEXTURE_VIEW_MIN_LAYER, &mut first);
    assert_eq!(first, 3);
    expect_no_error("a view of a view");
}

fn faces_of_a_cube_as_layers(_: &Env) {
    let origin = array(6);
    let cube = view(gl::TEXTURE_CUBE_MAP, origin, gl::RGBA8, [0, 2], [0, 6]);
    expect_no_error("a cube view");
    gl::BindTexture(gl::TEXTURE_CUBE_MAP, cube);
    filters(gl::TEXTURE_CUBE_MAP);
    expect_grey(lookup("samplerCube", "textureLod(t, vec3(-1.0, 0.0, 0.0), 0.0)"), 45);
    expect_grey(lookup("samplerCube", "textureLod(t, vec3(0.0, 0.0, -1.0), 1.0)"), 215);
    let face = view(gl::TEXTURE_2D, cube, gl::RGBA8, [0, 1], [4, 1]);
    gl::BindTexture(gl::TEXTURE_2D, face);
    filters(gl::TEXTURE_2D);
    expect_grey(lookup("sampler2D", "textureLod(t, vec2(0.5), 0.0)"), 165);
}

#[allow(clippy::too_many_arguments)]
fn copy(from: (u32, u32, i32), at: [i32; 3], to: (u32, u32, i32), put: [i32; 3], size: [i32; 3]) {
    let ([x, y, z], [px, py, pz], [w, h, d]) = (at, put, size);
    gl::CopyImageSubData(from.0, from.1, from.2, x, y, z, to.0, to.1, to.2, px, py, pz, w, h, d);
}

fn case_26_copies_reach_every_slice(_: &Env) {
    let source = array(5);
    let volume = nearest(gl::TEXTURE_3D);
    gl::TexImage3D(gl::TEXTURE_3D, 0, gl::RGBA8, 4, 4, 4, 0, gl::RGBA, BYTE, [[0_u8; 4]; 64].as_ptr().cast());
    copy((source, gl::TEXTURE_2D_ARRAY, 0), [1, 0, 1], (volume, gl::TEXTURE_3D, 0), [0, 2, 1], [2, 2, 3]);
    expect_no_error("glCopyImageSubData");
    let texels = texture_image::<[u8; 4]>(gl::TEXTURE_3D, 0, gl::RGBA, BYTE, 64);
    for z in 0..4 {
        for y in 0..4 {
            for x in 0..4 {
                let copied = x < 2 && y >= 2 && z >= 1;
                let grey = if copied { z as u8 * 40 + 5 } else { 0 };
                assert_eq!(texels[z * 16 + y * 4 + x][0], grey, "{x} {y} {z}");
            }
        }
    }
}

fn copies_between_formats(_: &Env) {
    let source = nearest(gl::TEXTURE_2D);
    let values = [0x3f80_0000_u32, 1, 2, 0x4000_0000];
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R32UI, 2, 2, 0, gl::RED_INTEGER, gl::UNSIGNED_INT, values.as_ptr().cast());
    let target = nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::R32F, 2, 2, 0, gl::RED, gl::FLOAT, [0.0_f32; 4].as_ptr().cast());
    copy((source, gl::TEXTURE_2D, 0), [0, 0, 0], (target, gl::TEXTURE_2D, 0), [0, 0, 0], [2, 2, 1]);
    expect_no_error("a copy of bits");
    let got = texture_image::<f32>(gl::TEXTURE_2D, 0, gl::RED, gl::FLOAT, 4);
    assert_eq!((got[0], got[3]), (1.0, 2.0));
}

fn copies_between_kinds(_: &Env) {
    // A cube map whose faces were made one by one; faces are slices.
    let cube = nearest(gl::TEXTURE_CUBE_MAP);
    for face in 0..6_u32 {
        let texels = [[face as u8 * 30 + 7; 4]; 16];
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        gl::TexImage2D(target, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, BYTE, texels.as_ptr().cast());
    }
    let row = nearest(gl::TEXTURE_1D_ARRAY);
    gl::TexImage2D(gl::TEXTURE_1D_ARRAY, 0, gl::RGBA8, 4, 3, 0, gl::RGBA, BYTE, [[0_u8; 4]; 12].as_ptr().cast());
    // GL 4.6 core 18.3.3: layers of a 1D array are slices as well.
    copy((cube, gl::TEXTURE_CUBE_MAP, 0), [1, 3, 2], (row, gl::TEXTURE_1D_ARRAY, 0), [0, 0, 1], [3, 1, 2]);
    expect_no_error("faces to layers of a 1D array");
    let got = texture_image::<[u8; 4]>(gl::TEXTURE_1D_ARRAY, 0, gl::RGBA, BYTE, 12);
    let greys: Vec<u8> = got.iter().map(|texel| texel[0]).collect();
    assert_eq!(greys, [0, 0, 0, 0, 67, 67, 67, 0, 97, 97, 97, 0]);
}

fn copies_of_blocks(_: &Env) {
    // One block of red on the left, one of another on the right.
    let blocks = [[200_u8, 100, 0, 0, 0, 0, 0, 0], [50, 20, 0, 0, 0, 0, 0, 0]];
    let source = nearest(gl::TEXTURE_2D);
    let red = gl::COMPRESSED_RED_RGTC1;
    gl::CompressedTexImage2D(gl::TEXTURE_2D, 0, red, 8, 4, 0, 16, blocks.as_ptr().cast());
    let words = nearest(gl::TEXTURE_2D);
    let zeros = [0_u32; 8];
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RG32UI, 2, 2, 0, gl::RG_INTEGER, gl::UNSIGNED_INT, zeros.as_ptr().cast());
    // A block is a texel of the other.
    copy((source, gl::TEXTURE_2D, 0), [4, 0, 0], (words, gl::TEXTURE_2D, 0), [1, 1, 0], [4, 4, 1]);
    expect_no_error("a block to a texel");
    let got = texture_image::<[u32; 2]>(gl::TEXTURE_2D, 0, gl::RG_INTEGER, gl::UNSIGNED_INT, 4);
    assert_eq!(got, [[0, 0], [0, 0], [0, 0], [50 | 20 << 8, 0]]);
    // And back, to the left block.
    copy((words, gl::TEXTURE_2D, 0), [1, 1, 0], (source, gl::TEXTURE_2D, 0), [0, 0, 0], [1, 1, 1]);
    expect_no_error("a texel to a block");
    gl::BindTexture(gl::TEXTURE_2D, source);
    let red = texture_image::<u8>(gl::TEXTURE_2D, 0, gl::RED, BYTE, 32);
    assert_eq!((red[0], red[7]), (50, 50));
}

fn copies_of_renderbuffers(_: &Env) {
    let renderbuffer = gen_renderbuffer();
    gl::BindRenderbuffer(gl::RENDERBUFFER, renderbuffer);
    gl::RenderbufferStorage(gl::RENDERBUFFER, gl::RGBA8, 4, 4);
    let texture = nearest(gl::TEXTURE_2D);
    let texels: Vec<[u8; 4]> = (0..16).map(|i| [i as u8 * 10, 0, 0, 255]).collect();
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, BYTE, texels.as_ptr().cast());
    copy((texture, gl::TEXTURE_2D, 0), [0, 0, 0], (renderbuffer, gl::RENDERBUFFER, 0), [0, 0, 0], [4, 4, 1]);
    expect_no_error("a copy to a renderbuffer");
    gl::BindFramebuffer(gl::FRAMEBUFFER, gen_framebuffer());
    gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::RENDERBUFFER, renderbuffer);
    Image::read(0, 0, 4, 4).expect_each(|x, y| [(y * 4 + x) as u8 * 10, 0, 0, 255]);
}

fn errors_of_views(_: &Env) {
    let origin = nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, gl::RGBA, BYTE, std::ptr::null());
    view(gl::TEXTURE_2D, origin, gl::RGBA8, [0, 1], [0, 1]);
    expect_error(gl::INVALID_OPERATION, "an origin that can change");
    let origin = nearest(gl::TEXTURE_2D_ARRAY);
    gl::TexStorage3D(gl::TEXTURE_2D_ARRAY, 2, gl::RGBA8, 4, 2, 7);
    gl::TextureView(0, gl::TEXTURE_2D, origin, gl::RGBA8, 0, 1, 0, 1);
    expect_error(gl::INVALID_VALUE, "texture 0");
    gl::TextureView(origin, gl::TEXTURE_2D, origin, gl::RGBA8, 0, 1, 0, 1);
    expect_error(gl::INVALID_OPERATION, "a name in use");
    view(gl::TEXTURE_2D, 9999, gl::RGBA8, [0, 1], [0, 1]);
    expect_error(gl::INVALID_VALUE, "no such origin");
    view(gl::TEXTURE_3D, origin, gl::RGBA8, [0, 1], [0, 1]);
    expect_error(gl::INVALID_OPERATION, "a target that does not go with it");
    view(gl::TEXTURE_2D, origin, gl::RGB8, [0, 1], [0, 1]);
    expect_error(gl::INVALID_OPERATION, "another class");
    view(gl::TEXTURE_2D, origin, gl::RGBA8, [2, 1], [0, 1]);
    expect_error(gl::INVALID_VALUE, "a level beyond the last");
    view(gl::TEXTURE_2D, origin, gl::RGBA8, [0, 1], [7, 1]);
    expect_error(gl::INVALID_VALUE, "a layer beyond the last");
    view(gl::TEXTURE_2D, origin, gl::RGBA8, [0, 1], [0, 2]);
    expect_error(gl::INVALID_VALUE, "two layers for a plain texture");
    view(gl::TEXTURE_CUBE_MAP, origin, gl::RGBA8, [0, 1], [0, 5]);
    expect_error(gl::INVALID_VALUE, "five faces");
    view(gl::TEXTURE_CUBE_MAP, origin, gl::RGBA8, [0, 1], [0, 6]);
    expect_error(gl::INVALID_OPERATION, "faces that are not square");
}

fn errors_of_copies(_: &Env) {
    let texture = |internal: u32, format: u32| {
        let name = nearest(gl::TEXTURE_2D);
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 4, 4, 0, format, BYTE, std::ptr::null());
        name
    };
    let (a, b) = (texture(gl::RGBA8, gl::RGBA), texture(gl::R8, gl::RED));
    let t = gl::TEXTURE_2D;
    let size = [1, 1, 1];
    copy((9999, t, 0), [0; 3], (a, t, 0), [0; 3], size);
    expect_error(gl::INVALID_VALUE, "no such texture");
    copy((a, gl::TEXTURE_BUFFER, 0), [0; 3], (a, t, 0), [0; 3], size);
    expect_error(gl::INVALID_ENUM, "a buffer texture's target");
    copy((a, gl::TEXTURE_CUBE_MAP_POSITIVE_X, 0), [0; 3], (a, t, 0), [0; 3], size);
    expect_error(gl::INVALID_ENUM, "a face");
    copy((a, gl::TEXTURE_3D, 0), [0; 3], (a, t, 0), [0; 3], size);
    expect_error(gl::INVALID_ENUM, "another target than the texture's");
    copy((a, t, 1), [0; 3], (a, t, 0), [0; 3], size);
    expect_error(gl::INVALID_VALUE, "a level that is not there");
    copy((a, t, 0), [0; 3], (b, t, 0), [0; 3], size);
    expect_error(gl::INVALID_OPERATION, "formats of two classes");
    copy((a, t, 0), [3, 0, 0], (a, t, 0), [0; 3], [2, 1, 1]);
    expect_error(gl::INVALID_VALUE, "a box that leaves the source");
    copy((a, t, 0), [0; 3], (a, t, 0), [0, 4, 0], size);
    expect_error(gl::INVALID_VALUE, "a box that leaves the destination");
    copy((a, t, 0), [0; 3], (a, t, 0), [0, 0, 1], size);
    expect_error(gl::INVALID_VALUE, "a second slice");
    copy((a, t, 0), [0; 3], (a, t, 0), [0; 3], [-1, 1, 1]);
    expect_error(gl::INVALID_VALUE, "a negative size");
    let empty = nearest(t);
    copy((empty, t, 0), [0; 3], (a, t, 0), [0; 3], size);
    expect_error(gl::INVALID_OPERATION, "a texture without images");
    copy((a, t, 0), [0; 3], (a, t, 0), [2, 2, 0], size);
    expect_no_error("a copy within an image");
}
