//! Every texture target: GL 3.3 core 3.8.1 to 3.8.6, rows, slices, faces and layers in their places.

use super::{lookup, lookup_int, lookup_uint, nearest, texture_image};
use gallite_tests::draw::{buffer, buffer_data, expect_near, expect_no_error, gen_texture};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): one_dimension, rows_start_at_the_bottom, slices, rectangles_take_texel_coordinates,
        faces_are_where_the_directions_point, layers_of_1d_arrays, layers_of_2d_arrays, layers_are_rounded_and_clamped,
        buffer_textures_follow_their_buffer, buffer_texture_formats, sub_images_of_every_target, sizes_in_shaders,
        offsets_move_by_texels, case_26_every_layer_and_slice_reads_back;
    lesser core(3, 3): samplers_without_textures;
}

const RGBA: u32 = gl::RGBA;
const BYTE: u32 = gl::UNSIGNED_BYTE;

/// `count` distinct colours.
fn colours(count: usize) -> Vec<[u8; 4]> {
    (0..count).map(|i| [i as u8 * 5, 255 - i as u8 * 3, i as u8 ^ 0x55, 255]).collect()
}

fn float(colour: [u8; 4]) -> [f32; 4] {
    colour.map(|v| f32::from(v) / 255.0)
}

/// 3.8.15 in GL 4.6 core 8.17: what is not there is black; a comparison with nothing, and a buffer texture without a
/// buffer, are undefined and harmless.
fn samplers_without_textures(_: &Env) {
    expect_near(&lookup("sampler2D", "texture(t, vec2(0.5))"), &[0.0, 0.0, 0.0, 1.0], 0.0);
    expect_near(&lookup("sampler3D", "texture(t, vec3(0.5))"), &[0.0, 0.0, 0.0, 1.0], 0.0);
    expect_near(&lookup("samplerCube", "texture(t, vec3(0.5))"), &[0.0, 0.0, 0.0, 1.0], 0.0);
    assert_eq!(lookup_int("isampler2DArray", "texture(t, vec3(0.5))"), [0, 0, 0, 1]);
    assert_eq!(lookup_uint("usampler1D", "texture(t, 0.5)"), [0, 0, 0, 1]);
    for (sampler, place) in [
        ("sampler1DShadow", "vec3(0.5)"),
        ("sampler2DShadow", "vec3(0.5)"),
        ("sampler2DRectShadow", "vec3(0.5)"),
        ("samplerCubeShadow", "vec4(0.5)"),
        ("sampler1DArrayShadow", "vec3(0.5)"),
        ("sampler2DArrayShadow", "vec4(0.5)"),
    ] {
        lookup(sampler, &format!("vec4(texture(t, {place}))"));
    }
    lookup("samplerBuffer", "texelFetch(t, 0)");
    lookup_int("isamplerBuffer", "texelFetch(t, 0)");
    lookup_uint("usamplerBuffer", "texelFetch(t, 3)");
    // A colour texture under a sampler that compares.
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 1, 1, 0, RGBA, BYTE, [255_u8; 4].as_ptr().cast());
    lookup("sampler2DShadow", "vec4(texture(t, vec3(0.5)))");
    expect_no_error("lookups of nothing");
}

fn one_dimension(_: &Env) {
    nearest(gl::TEXTURE_1D);
    let texels = colours(5);
    gl::TexImage1D(gl::TEXTURE_1D, 0, gl::RGBA8, 5, 0, RGBA, BYTE, texels.as_ptr().cast());
    for (x, texel) in texels.iter().enumerate() {
        expect_near(&lookup("sampler1D", &format!("texelFetch(t, {x}, 0)")), &float(*texel), 1e-6);
    }
    expect_near(&lookup("sampler1D", "texture(t, 0.5)"), &float(texels[2]), 1e-6);
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_1D, 0, RGBA, BYTE, 5), texels);
}

fn rows_start_at_the_bottom(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let texels = colours(6);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 3, 2, 0, RGBA, BYTE, texels.as_ptr().cast());
    for y in 0..2 {
        for x in 0..3 {
            let texel = float(texels[y * 3 + x]);
            expect_near(&lookup("sampler2D", &format!("texelFetch(t, ivec2({x}, {y}), 0)")), &texel, 1e-6);
            let at = format!("texture(t, vec2({:.4}, {:.4}))", (x as f32 + 0.5) / 3.0, (y as f32 + 0.5) / 2.0);
            expect_near(&lookup("sampler2D", &at), &texel, 1e-6);
        }
    }
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_2D, 0, RGBA, BYTE, 6), texels);
}

fn slices(_: &Env) {
    nearest(gl::TEXTURE_3D);
    let texels = colours(2 * 3 * 4);
    gl::TexImage3D(gl::TEXTURE_3D, 0, gl::RGBA8, 2, 3, 4, 0, RGBA, BYTE, texels.as_ptr().cast());
    for (x, y, z) in [(0, 0, 0), (1, 0, 1), (0, 2, 2), (1, 2, 3)] {
        let texel = float(texels[(z * 3 + y) * 2 + x]);
        expect_near(&lookup("sampler3D", &format!("texelFetch(t, ivec3({x}, {y}, {z}), 0)")), &texel, 1e-6);
        let r = (z as f32 + 0.5) / 4.0;
        let at = format!("texture(t, vec3({}, {}, {r:.4}))", x as f32 * 0.5 + 0.25, (y as f32 + 0.5) / 3.0);
        expect_near(&lookup("sampler3D", &at), &texel, 1e-6);
    }
}

/// 3.8.4 and GLSL 8.7: coordinates of rectangle textures are not normalised.
fn rectangles_take_texel_coordinates(_: &Env) {
    nearest(gl::TEXTURE_RECTANGLE);
    let texels = colours(15);
    gl::TexImage2D(gl::TEXTURE_RECTANGLE, 0, gl::RGBA8, 5, 3, 0, RGBA, BYTE, texels.as_ptr().cast());
    for (x, y) in [(0, 0), (4, 0), (2, 1), (4, 2)] {
        let texel = float(texels[y * 5 + x]);
        expect_near(&lookup("sampler2DRect", &format!("texture(t, vec2({x}.5, {y}.5))")), &texel, 1e-6);
        expect_near(&lookup("sampler2DRect", &format!("texelFetch(t, ivec2({x}, {y}))")), &texel, 1e-6);
    }
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_RECTANGLE, 0, RGBA, BYTE, 15), texels);
}

/// Table 3.17: major axes choose the face, the other two the place on it.
fn faces_are_where_the_directions_point(_: &Env) {
    nearest(gl::TEXTURE_CUBE_MAP);
    let texels = colours(6 * 4);
    for face in 0..6 {
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        let data = texels[face as usize * 4..].as_ptr().cast();
        gl::TexImage2D(target, 0, gl::RGBA8, 2, 2, 0, RGBA, BYTE, data);
    }
    let directions: [[f32; 3]; 6] =
        [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
    // Direction in which s and t grow, by face.
    let s_axis: [[f32; 3]; 6] =
        [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]];
    let t_axis: [[f32; 3]; 6] =
        [[0.0, -1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0], [0.0, -1.0, 0.0]];
    for face in 0..6 {
        for corner in 0..4 {
            let (s, t) = (if corner & 1 != 0 { 0.5 } else { -0.5 }, if corner & 2 != 0 { 0.5 } else { -0.5 });
            let at: Vec<f32> =
                (0..3).map(|i| directions[face][i] + s * s_axis[face][i] + t * t_axis[face][i]).collect();
            let expression = format!("texture(t, vec3({:?}, {:?}, {:?}))", at[0], at[1], at[2]);
            expect_near(&lookup("samplerCube", &expression), &float(texels[face * 4 + corner]), 1e-6);
        }
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face as u32;
        assert_eq!(texture_image::<[u8; 4]>(target, 0, RGBA, BYTE, 4), texels[face * 4..face * 4 + 4]);
    }
}

fn layers_of_1d_arrays(_: &Env) {
    nearest(gl::TEXTURE_1D_ARRAY);
    let texels = colours(12);
    gl::TexImage2D(gl::TEXTURE_1D_ARRAY, 0, gl::RGBA8, 4, 3, 0, RGBA, BYTE, texels.as_ptr().cast());
    for layer in 0..3 {
        for x in [0, 3] {
            let at = format!("texelFetch(t, ivec2({x}, {layer}), 0)");
            expect_near(&lookup("sampler1DArray", &at), &float(texels[layer * 4 + x]), 1e-6);
        }
        let at = format!("texture(t, vec2(0.4, {layer}.0))");
        expect_near(&lookup("sampler1DArray", &at), &float(texels[layer * 4 + 1]), 1e-6);
    }
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_1D_ARRAY, 0, RGBA, BYTE, 12), texels);
}

fn layers_of_2d_arrays(_: &Env) {
    nearest(gl::TEXTURE_2D_ARRAY);
    let texels = colours(2 * 2 * 5);
    gl::TexImage3D(gl::TEXTURE_2D_ARRAY, 0, gl::RGBA8, 2, 2, 5, 0, RGBA, BYTE, texels.as_ptr().cast());
    for layer in 0..5 {
        let at = format!("texelFetch(t, ivec3(1, 0, {layer}), 0)");
        expect_near(&lookup("sampler2DArray", &at), &float(texels[layer * 4 + 1]), 1e-6);
        let at = format!("texture(t, vec3(0.25, 0.75, {layer}.0))");
        expect_near(&lookup("sampler2DArray", &at), &float(texels[layer * 4 + 2]), 1e-6);
    }
}

/// 3.8.11: the layer is the nearest one, within those there are.
fn layers_are_rounded_and_clamped(_: &Env) {
    nearest(gl::TEXTURE_2D_ARRAY);
    let texels = colours(4);
    gl::TexImage3D(gl::TEXTURE_2D_ARRAY, 0, gl::RGBA8, 1, 1, 4, 0, RGBA, BYTE, texels.as_ptr().cast());
    for (r, layer) in [("-7.0", 0), ("0.4", 0), ("0.6", 1), ("1.75", 2), ("3.4", 3), ("90.0", 3)] {
        let at = format!("texture(t, vec3(0.5, 0.5, {r}))");
        expect_near(&lookup("sampler2DArray", &at), &float(texels[layer]), 1e-6);
    }
}

/// 3.8.7: the texels are the buffer's, whatever its data store becomes.
fn buffer_textures_follow_their_buffer(_: &Env) {
    let store = buffer(gl::TEXTURE_BUFFER, &[1.0_f32, 2.0, 3.0, 4.0]);
    gl::BindTexture(gl::TEXTURE_BUFFER, gen_texture());
    gl::TexBuffer(gl::TEXTURE_BUFFER, gl::R32F, store);
    expect_no_error("glTexBuffer");
    assert_eq!(lookup("samplerBuffer", "texelFetch(t, 2).r"), [3.0; 4]);
    assert_eq!(lookup("samplerBuffer", "textureSize(t)"), [4.0; 4]);
    gl::BufferSubData(gl::TEXTURE_BUFFER, 8, 4, [30.0_f32].as_ptr().cast());
    assert_eq!(lookup("samplerBuffer", "texelFetch(t, 2).r"), [30.0; 4]);
    buffer_data(gl::TEXTURE_BUFFER, &[5.0_f32, 6.0, 7.0, 8.0, 9.0, 10.0], gl::DYNAMIC_DRAW);
    assert_eq!(lookup("samplerBuffer", "textureSize(t)"), [6.0; 4]);
    assert_eq!(lookup("samplerBuffer", "texelFetch(t, 5).r"), [10.0; 4]);
}

/// Table 3.15: how texels of each format become vectors.
fn buffer_texture_formats(_: &Env) {
    let bytes: Vec<u8> = (0..64).map(|i| if i % 4 == 3 { 200 } else { i + 1 }).collect();
    let store = buffer(gl::TEXTURE_BUFFER, &bytes);
    gl::BindTexture(gl::TEXTURE_BUFFER, gen_texture());
    let attach = |format: u32| {
        gl::TexBuffer(gl::TEXTURE_BUFFER, format, store);
        expect_no_error("glTexBuffer");
    };
    attach(gl::R8);
    expect_near(&lookup("samplerBuffer", "texelFetch(t, 4)"), &[5.0 / 255.0, 0.0, 0.0, 1.0], 1e-6);
    attach(gl::RG8);
    expect_near(&lookup("samplerBuffer", "texelFetch(t, 2)"), &[5.0 / 255.0, 6.0 / 255.0, 0.0, 1.0], 1e-6);
    attach(gl::RGBA8);
    expect_near(&lookup("samplerBuffer", "texelFetch(t, 1)"), &float([5, 6, 7, 200]), 1e-6);
    attach(gl::R16);
    expect_near(&lookup("samplerBuffer", "texelFetch(t, 2)"), &[1541.0 / 65535.0, 0.0, 0.0, 1.0], 1e-6);
    attach(gl::R8I);
    assert_eq!(lookup_int("isamplerBuffer", "texelFetch(t, 3)"), [-56, 0, 0, 1]);
    attach(gl::RG16UI);
    assert_eq!(lookup_uint("usamplerBuffer", "texelFetch(t, 1)"), [0x605, 0xc807, 0, 1]);
    attach(gl::RGBA8UI);
    assert_eq!(lookup_uint("usamplerBuffer", "texelFetch(t, 2)"), [9, 10, 11, 200]);
    attach(gl::RGBA32I);
    assert_eq!(lookup_int("isamplerBuffer", "texelFetch(t, 0)").map(i32::to_le_bytes)[0], [1, 2, 3, 200]);
}

fn sub_images_of_every_target(_: &Env) {
    let (old, new) = ([9_u8, 9, 9, 9], [1_u8, 2, 3, 4]);
    let fill = vec![old; 4 * 4 * 4];
    let patch = [new; 8];
    nearest(gl::TEXTURE_1D);
    gl::TexImage1D(gl::TEXTURE_1D, 0, gl::RGBA8, 4, 0, RGBA, BYTE, fill.as_ptr().cast());
    gl::TexSubImage1D(gl::TEXTURE_1D, 0, 1, 2, RGBA, BYTE, patch.as_ptr().cast());
    assert_eq!(texture_image::<[u8; 4]>(gl::TEXTURE_1D, 0, RGBA, BYTE, 4), [old, new, new, old]);
    for target in [gl::TEXTURE_2D, gl::TEXTURE_RECTANGLE, gl::TEXTURE_1D_ARRAY] {
        nearest(target);
        gl::TexImage2D(target, 0, gl::RGBA8, 3, 3, 0, RGBA, BYTE, fill.as_ptr().cast());
        gl::TexSubImage2D(target, 0, 1, 1, 2, 1, RGBA, BYTE, patch.as_ptr().cast());
        let expected = [old, old, old, old, new, new, old, old, old];
        assert_eq!(texture_image::<[u8; 4]>(target, 0, RGBA, BYTE, 9), expected, "{target:#x}");
    }
    nearest(gl::TEXTURE_CUBE_MAP);
    for face in gl::TEXTURE_CUBE_MAP_POSITIVE_X..=gl::TEXTURE_CUBE_MAP_NEGATIVE_Z {
        gl::TexImage2D(face, 0, gl::RGBA8, 2, 2, 0, RGBA, BYTE, fill.as_ptr().cast());
    }
    let face = gl::TEXTURE_CUBE_MAP_NEGATIVE_Y;
    gl::TexSubImage2D(face, 0, 1, 0, 1, 2, RGBA, BYTE, patch.as_ptr().cast());
    assert_eq!(texture_image::<[u8; 4]>(face, 0, RGBA, BYTE, 4), [old, new, old, new]);
    assert_eq!(texture_image::<[u8; 4]>(face + 1, 0, RGBA, BYTE, 4), [old; 4]);
    for target in [gl::TEXTURE_3D, gl::TEXTURE_2D_ARRAY] {
        nearest(target);
        gl::TexImage3D(target, 0, gl::RGBA8, 2, 2, 3, 0, RGBA, BYTE, fill.as_ptr().cast());
        gl::TexSubImage3D(target, 0, 0, 1, 1, 2, 1, 2, RGBA, BYTE, patch.as_ptr().cast());
        let changed = [6, 7, 10, 11];
        let expected: Vec<_> = (0..12).map(|i| if changed.contains(&i) { new } else { old }).collect();
        assert_eq!(texture_image::<[u8; 4]>(target, 0, RGBA, BYTE, 12), expected, "{target:#x}");
    }
}

fn sizes_in_shaders(_: &Env) {
    nearest(gl::TEXTURE_2D);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 13, 6, 0, RGBA, BYTE, std::ptr::null());
    gl::TexImage2D(gl::TEXTURE_2D, 1, gl::RGBA8, 6, 3, 0, RGBA, BYTE, std::ptr::null());
    gl::TexImage2D(gl::TEXTURE_2D, 2, gl::RGBA8, 3, 1, 0, RGBA, BYTE, std::ptr::null());
    gl::TexImage2D(gl::TEXTURE_2D, 3, gl::RGBA8, 1, 1, 0, RGBA, BYTE, std::ptr::null());
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST as i32);
    let sizes = "vec4(textureSize(t, 0), textureSize(t, 2))";
    assert_eq!(lookup("sampler2D", sizes), [13.0, 6.0, 3.0, 1.0]);
    nearest(gl::TEXTURE_2D_ARRAY);
    gl::TexImage3D(gl::TEXTURE_2D_ARRAY, 0, gl::RGBA8, 4, 3, 7, 0, RGBA, BYTE, std::ptr::null());
    assert_eq!(lookup("sampler2DArray", "vec4(textureSize(t, 0), 0.0)"), [4.0, 3.0, 7.0, 0.0]);
    nearest(gl::TEXTURE_1D_ARRAY);
    gl::TexImage2D(gl::TEXTURE_1D_ARRAY, 0, gl::RGBA8, 5, 9, 0, RGBA, BYTE, std::ptr::null());
    assert_eq!(lookup("sampler1DArray", "vec4(textureSize(t, 0), 0.0, 0.0)"), [5.0, 9.0, 0.0, 0.0]);
}

fn offsets_move_by_texels(_: &Env) {
    nearest(gl::TEXTURE_2D);
    let texels = colours(16);
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA8, 4, 4, 0, RGBA, BYTE, texels.as_ptr().cast());
    let at = |expression: &str| lookup("sampler2D", expression);
    expect_near(&at("textureOffset(t, vec2(0.4), ivec2(1, -1))"), &float(texels[2]), 1e-6);
    expect_near(&at("texelFetchOffset(t, ivec2(1, 1), 0, ivec2(2, 1))"), &float(texels[11]), 1e-6);
    expect_near(&at("textureProj(t, vec3(0.8, 0.8, 2.0))"), &float(texels[5]), 1e-6);
    expect_near(&at("textureLodOffset(t, vec2(0.9), 0.0, ivec2(-3, 0))"), &float(texels[12]), 1e-6);
}

/// Every layer of an array and every slice of a 3D texture is copied to and read back.
fn case_26_every_layer_and_slice_reads_back(_: &Env) {
    let target = gallite_tests::draw::Target::new(2, 2);
    for texture in [gl::TEXTURE_2D_ARRAY, gl::TEXTURE_3D] {
        nearest(texture);
        gl::TexImage3D(texture, 0, gl::RGBA8, 2, 2, 4, 0, RGBA, BYTE, std::ptr::null());
        for z in 0..4 {
            target.clear([z as f32 / 255.0, 0.0, 1.0, 1.0]);
            gl::CopyTexSubImage3D(texture, 0, 0, 0, z, 0, 0, 2, 2);
        }
        let got = texture_image::<[u8; 4]>(texture, 0, RGBA, BYTE, 16);
        let expected: Vec<_> = (0..16).map(|i| [i / 4, 0, 255, 255]).collect();
        assert_eq!(got, expected, "{texture:#x}");
    }
}
