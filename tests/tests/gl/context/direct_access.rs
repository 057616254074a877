//! Commands that name their object (GL 4.5, ARB_direct_state_access): each does what its bound twin does and leaves
//! every binding as it was.

use gallite_tests::draw::{
    Image, SOLID_FS, expect_error, expect_no_error, get_i32, has_extension, program, uniform, version,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): buffers, textures, faces_are_slices, some_faces_or_none, parts_of_textures, framebuffers, vertex_arrays;
    every core(3, 3): creation, bindings_stay, errors;
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

fn creation(_: &Env) {
    assert_eq!(gl::IsBuffer(create!(CreateBuffers)), gl::TRUE);
    assert_eq!(gl::IsFramebuffer(create!(CreateFramebuffers)), gl::TRUE);
    assert_eq!(gl::IsRenderbuffer(create!(CreateRenderbuffers)), gl::TRUE);
    assert_eq!(gl::IsSampler(create!(CreateSamplers)), gl::TRUE);
    assert_eq!(gl::IsVertexArray(create!(CreateVertexArrays)), gl::TRUE);
    assert_eq!(gl::IsTransformFeedback(create!(CreateTransformFeedbacks)), gl::TRUE);
    assert_eq!(gl::IsTexture(create!(CreateTextures, gl::TEXTURE_3D)), gl::TRUE);
    assert_eq!(gl::IsQuery(create!(CreateQueries, gl::TIMESTAMP)), gl::TRUE);
    let mut name = 7;
    gl::CreateQueries(gl::TEXTURE_2D, 1, &mut name);
    expect_error(gl::INVALID_ENUM, "no query target");
    gl::CreateBuffers(-1, &mut name);
    expect_error(gl::INVALID_VALUE, "a negative count");
    assert_eq!(name, 7);
}

fn buffers(_: &Env) {
    let (a, b) = (create!(CreateBuffers), create!(CreateBuffers));
    gl::NamedBufferData(a, 8, [1_u8, 2, 3, 4, 5, 6, 7, 8].as_ptr().cast(), gl::STATIC_DRAW);
    gl::NamedBufferSubData(a, 2, 2, [30_u8, 40].as_ptr().cast());
    gl::NamedBufferStorage(b, 4, std::ptr::null(), gl::MAP_READ_BIT | gl::MAP_WRITE_BIT);
    gl::CopyNamedBufferSubData(a, b, 1, 0, 4);
    let mut got = [0_u8; 4];
    gl::GetNamedBufferSubData(b, 0, 4, got.as_mut_ptr().cast());
    assert_eq!(got, [2, 30, 40, 5]);
    let mapped: *mut u8 = gl::MapNamedBufferRange(b, 1, 2, gl::MAP_WRITE_BIT).cast();
    assert!(!mapped.is_null());
    // SAFETY: the mapping has two bytes.
    unsafe { mapped.write(99) };
    let mut pointer = std::ptr::null_mut();
    gl::GetNamedBufferPointerv(b, gl::BUFFER_MAP_POINTER, &mut pointer);
    assert_eq!(pointer.cast(), mapped);
    assert_eq!(gl::UnmapNamedBuffer(b), gl::TRUE);
    gl::GetNamedBufferSubData(b, 0, 4, got.as_mut_ptr().cast());
    assert_eq!(got, [2, 99, 40, 5]);
    gl::ClearNamedBufferSubData(a, gl::R8UI, 1, 2, gl::RED_INTEGER, BYTE, [77_u8].as_ptr().cast());
    gl::GetNamedBufferSubData(a, 0, 4, got.as_mut_ptr().cast());
    assert_eq!(got, [1, 77, 77, 40]);
    gl::ClearNamedBufferData(a, gl::RG8UI, gl::RG_INTEGER, BYTE, [5_u8, 6].as_ptr().cast());
    gl::GetNamedBufferSubData(a, 4, 4, got.as_mut_ptr().cast());
    assert_eq!(got, [5, 6, 5, 6]);
    let mut size = 0;
    gl::GetNamedBufferParameteriv(b, gl::BUFFER_SIZE, &mut size);
    assert_eq!(size, 4);
    expect_no_error("buffers by name");
}

fn textures(_: &Env) {
    let texture = create!(CreateTextures, gl::TEXTURE_2D);
    gl::TextureStorage2D(texture, 2, gl::RGBA8, 4, 4);
    let texels: Vec<[u8; 4]> = (0..16).map(|i| [i as u8, 0, 0, 255]).collect();
    gl::TextureSubImage2D(texture, 0, 0, 0, 4, 4, gl::RGBA, BYTE, texels.as_ptr().cast());
    let mut got = [[0_u8; 4]; 16];
    gl::GetTextureImage(texture, 0, gl::RGBA, BYTE, 64, got.as_mut_ptr().cast());
    assert_eq!(got[..], texels[..]);
    gl::GetTextureImage(texture, 0, gl::RGBA, BYTE, 63, got.as_mut_ptr().cast());
    expect_error(gl::INVALID_OPERATION, "a buffer too small");
    gl::TextureParameteri(texture, gl::TEXTURE_MAX_LEVEL, 0);
    let mut value = -1;
    gl::GetTextureParameteriv(texture, gl::TEXTURE_MAX_LEVEL, &mut value);
    assert_eq!(value, 0);
    gl::GetTextureLevelParameteriv(texture, 1, gl::TEXTURE_WIDTH, &mut value);
    assert_eq!(value, 2);
    let framebuffer = create!(CreateFramebuffers);
    gl::NamedFramebufferTexture(framebuffer, gl::COLOR_ATTACHMENT0, texture, 0);
    gl::ClearNamedFramebufferfv(framebuffer, gl::COLOR, 0, [0.0_f32, 1.0, 0.0, 1.0].as_ptr());
    gl::GetTextureImage(texture, 0, gl::RGBA, BYTE, 64, got.as_mut_ptr().cast());
    assert_eq!(got, [[0, 255, 0, 255]; 16]);
    expect_no_error("textures by name");
}

fn faces_are_slices(_: &Env) {
    let cube = create!(CreateTextures, gl::TEXTURE_CUBE_MAP);
    gl::TextureStorage2D(cube, 1, gl::R8, 2, 2);
    gl::PixelStorei(gl::UNPACK_ALIGNMENT, 1);
    gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
    let all: Vec<u8> = (0..24).collect();
    gl::TextureSubImage3D(cube, 0, 0, 0, 0, 2, 2, 6, gl::RED, BYTE, all.as_ptr().cast());
    let mut got = [99_u8; 24];
    gl::GetTextureImage(cube, 0, gl::RED, BYTE, 24, got.as_mut_ptr().cast());
    assert_eq!(got[..], all[..]);
    gl::TextureSubImage3D(cube, 0, 1, 0, 3, 1, 2, 2, gl::RED, BYTE, [100_u8, 101, 102, 103].as_ptr().cast());
    gl::GetTextureSubImage(cube, 0, 0, 0, 3, 2, 2, 2, gl::RED, BYTE, 24, got.as_mut_ptr().cast());
    assert_eq!(got[..8], [12, 100, 14, 101, 16, 102, 18, 103]);
    gl::TextureSubImage3D(cube, 0, 0, 0, 5, 2, 2, 2, gl::RED, BYTE, all.as_ptr().cast());
    expect_error(gl::INVALID_VALUE, "a seventh face");
}

/// A command that takes the faces of a cube map for slices changes all of them or none.
fn some_faces_or_none(_: &Env) {
    let cube = create!(CreateTextures, gl::TEXTURE_CUBE_MAP);
    gl::TextureStorage2D(cube, 1, gl::R8, 2, 2);
    gl::PixelStorei(gl::UNPACK_ALIGNMENT, 1);
    gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
    gl::TextureSubImage3D(cube, 0, 0, 0, 0, 2, 2, 6, gl::RED, BYTE, [7_u8; 24].as_ptr().cast());
    // Room for three faces.
    let pixels = create!(CreateBuffers);
    gl::NamedBufferData(pixels, 12, [9_u8; 12].as_ptr().cast(), gl::STATIC_DRAW);
    gl::BindBuffer(gl::PIXEL_UNPACK_BUFFER, pixels);
    gl::TextureSubImage3D(cube, 0, 0, 0, 0, 2, 2, 6, gl::RED, BYTE, std::ptr::null());
    expect_error(gl::INVALID_OPERATION, "half of the faces");
    gl::TextureSubImage3D(cube, 0, 0, 0, 3, 2, 2, 0, gl::RED, BYTE, std::ptr::null());
    expect_no_error("no face");
    gl::TextureSubImage3D(cube, 0, 1, 0, 3, 2, 2, 0, gl::RED, BYTE, std::ptr::null());
    expect_error(gl::INVALID_VALUE, "no face, beyond its edge");
    gl::TextureSubImage3D(cube, 0, 0, 1, 3, 2, 2, 0, gl::RED, BYTE, std::ptr::null());
    expect_error(gl::INVALID_VALUE, "no face, beyond its upper edge");
    gl::TextureSubImage3D(cube, 0, 0, 0, 3, 2, -1, 0, gl::RED, BYTE, std::ptr::null());
    expect_error(gl::INVALID_VALUE, "no face of a negative height");
    gl::BindBuffer(gl::PIXEL_UNPACK_BUFFER, 0);
    let mut got = [0_u8; 24];
    gl::GetTextureImage(cube, 0, gl::RED, BYTE, 24, got.as_mut_ptr().cast());
    assert_eq!(got, [7; 24]);
    // Faces that differ.
    let odd = create!(CreateTextures, gl::TEXTURE_CUBE_MAP);
    gl::GetTextureImage(odd, 0, gl::RED, BYTE, 24, got.as_mut_ptr().cast());
    expect_error(gl::INVALID_OPERATION, "a cube map without faces");
    gl::BindTexture(gl::TEXTURE_CUBE_MAP, odd);
    for face in 0..6 {
        let size = if face == 4 { 4 } else { 2 };
        let target = gl::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        gl::TexImage2D(target, 0, gl::R8, size, size, 0, gl::RED, BYTE, [1_u8; 16].as_ptr().cast());
    }
    gl::TextureSubImage3D(odd, 0, 0, 0, 0, 2, 2, 6, gl::RED, BYTE, [9_u8; 24].as_ptr().cast());
    expect_error(gl::INVALID_OPERATION, "faces of two sizes");
    gl::GetTexImage(gl::TEXTURE_CUBE_MAP_POSITIVE_X, 0, gl::RED, BYTE, got.as_mut_ptr().cast());
    assert_eq!(got[..4], [1; 4]);
    gl::TextureSubImage3D(odd, 0, 0, 0, 0, 2, 2, 4, gl::RED, BYTE, [9_u8; 16].as_ptr().cast());
    expect_no_error("four faces of one size");
}

fn parts_of_textures(_: &Env) {
    let volume = create!(CreateTextures, gl::TEXTURE_3D);
    gl::TextureStorage3D(volume, 1, gl::RGBA8, 3, 2, 2);
    let texels: Vec<[u8; 4]> = (0..12).map(|i| [i as u8; 4]).collect();
    gl::TextureSubImage3D(volume, 0, 0, 0, 0, 3, 2, 2, gl::RGBA, BYTE, texels.as_ptr().cast());
    let mut got = [[0_u8; 4]; 4];
    gl::GetTextureSubImage(volume, 0, 1, 1, 0, 2, 1, 2, gl::RGBA, BYTE, 16, got.as_mut_ptr().cast());
    assert_eq!(got.map(|t| t[0]), [4, 5, 10, 11]);
    gl::GetTextureSubImage(volume, 0, 2, 0, 0, 2, 1, 1, gl::RGBA, BYTE, 16, got.as_mut_ptr().cast());
    expect_error(gl::INVALID_VALUE, "a box that leaves the level");
    let blocks = create!(CreateTextures, gl::TEXTURE_2D);
    gl::TextureStorage2D(blocks, 1, gl::COMPRESSED_RED_RGTC1, 8, 8);
    let bytes: Vec<u8> = (0..32).collect();
    let red = gl::COMPRESSED_RED_RGTC1;
    gl::CompressedTextureSubImage2D(blocks, 0, 0, 0, 8, 8, red, 32, bytes.as_ptr().cast());
    let mut got = [0_u8; 32];
    gl::GetCompressedTextureImage(blocks, 0, 32, got.as_mut_ptr().cast());
    assert_eq!(got[..], bytes[..]);
    gl::GetCompressedTextureSubImage(blocks, 0, 4, 0, 0, 4, 8, 1, 16, got.as_mut_ptr().cast());
    assert_eq!(got[..16], [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31]);
    expect_no_error("parts of textures");
}

fn framebuffers(_: &Env) {
    let (a, b) = (create!(CreateFramebuffers), create!(CreateFramebuffers));
    for framebuffer in [a, b] {
        let renderbuffer = create!(CreateRenderbuffers);
        gl::NamedRenderbufferStorage(renderbuffer, gl::RGBA8, 4, 4);
        let mut width = 0;
        gl::GetNamedRenderbufferParameteriv(renderbuffer, gl::RENDERBUFFER_WIDTH, &mut width);
        assert_eq!(width, 4);
        gl::NamedFramebufferRenderbuffer(framebuffer, gl::COLOR_ATTACHMENT0, gl::RENDERBUFFER, renderbuffer);
        assert_eq!(gl::CheckNamedFramebufferStatus(framebuffer, gl::FRAMEBUFFER), gl::FRAMEBUFFER_COMPLETE);
    }
    gl::ClearNamedFramebufferfv(a, gl::COLOR, 0, [1.0_f32, 0.0, 0.0, 1.0].as_ptr());
    gl::ClearNamedFramebufferfv(b, gl::COLOR, 0, [0.0_f32, 0.0, 1.0, 1.0].as_ptr());
    gl::BlitNamedFramebuffer(a, b, 0, 0, 2, 2, 2, 2, 4, 4, gl::COLOR_BUFFER_BIT, gl::NEAREST);
    gl::NamedFramebufferDrawBuffer(b, gl::NONE);
    gl::NamedFramebufferReadBuffer(b, gl::COLOR_ATTACHMENT0);
    assert_eq!(get_i32(gl::DRAW_FRAMEBUFFER_BINDING), 0);
    gl::BindFramebuffer(gl::FRAMEBUFFER, b);
    Image::read(0, 0, 4, 4).expect_rect([2, 2, 2, 2], [255, 0, 0, 255], [0, 0, 255, 255]);
    assert_eq!(get_i32(gl::DRAW_BUFFER0), gl::NONE as i32);
    expect_no_error("framebuffers by name");
}

fn vertex_arrays(_: &Env) {
    let target = gallite_tests::draw::Target::new(4, 4);
    let (array, positions, greys) = (create!(CreateVertexArrays), create!(CreateBuffers), create!(CreateBuffers));
    // Two floats of padding in front, then a strip over everything.
    let strip = [0.0_f32, 0.0, -1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0];
    gl::NamedBufferData(positions, 40, strip.as_ptr().cast(), gl::STATIC_DRAW);
    gl::NamedBufferData(greys, 4, [0_u8, 255, 0, 0].as_ptr().cast(), gl::STATIC_DRAW);
    gl::EnableVertexArrayAttrib(array, 0);
    gl::VertexArrayAttribFormat(array, 0, 2, gl::FLOAT, gl::FALSE, 8);
    gl::VertexArrayAttribBinding(array, 0, 5);
    gl::VertexArrayVertexBuffer(array, 5, positions, 0, 8);
    gl::EnableVertexArrayAttrib(array, 1);
    gl::VertexArrayAttribFormat(array, 1, 1, BYTE, gl::TRUE, 0);
    gl::VertexArrayAttribBinding(array, 1, 3);
    gl::VertexArrayVertexBuffer(array, 3, greys, 1, 1);
    gl::VertexArrayBindingDivisor(array, 3, 1);
    assert_eq!(get_i32(gl::VERTEX_ARRAY_BINDING), 0);
    let p = program(
        "#version 330 core
layout(location = 0) in vec2 position;
layout(location = 1) in float grey;
flat out float shade;
void main() { gl_Position = vec4(position, 0.0, 1.0); shade = grey; }
",
        "#version 330 core
flat in float shade;
out vec4 result;
void main() { result = vec4(shade, 0.0, 0.0, 1.0); }
",
    );
    gl::BindVertexArray(array);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    target.image().expect_all([255, 0, 0, 255]);
    p.delete();
    // Both ways of saying it are one state.
    gl::BindBuffer(gl::ARRAY_BUFFER, positions);
    gl::VertexAttribPointer(0, 2, gl::FLOAT, gl::FALSE, 8, 8 as *const _);
    let solid = program(gallite_tests::draw::SOLID_VS, SOLID_FS);
    gl::Uniform4f(uniform(solid.0, "colour"), 0.0, 1.0, 0.0, 1.0);
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    target.image().expect_all([0, 255, 0, 255]);
    let indexed = |name, index| {
        let mut value = -1;
        gl::GetIntegeri_v(name, index, &mut value);
        value
    };
    assert_eq!(indexed(gl::VERTEX_BINDING_OFFSET, 0), 8);
    assert_eq!(indexed(gl::VERTEX_BINDING_STRIDE, 3), 1);
    assert_eq!(indexed(gl::VERTEX_BINDING_DIVISOR, 3), 1);
    assert_eq!(indexed(gl::VERTEX_BINDING_BUFFER, 3), greys as i32);
    let mut value = -1;
    gl::GetVertexAttribiv(1, gl::VERTEX_ATTRIB_BINDING, &mut value);
    assert_eq!(value, 3);
    gl::GetVertexArrayIndexediv(array, 0, gl::VERTEX_ATTRIB_RELATIVE_OFFSET, &mut value);
    assert_eq!(value, 0);
    let indices = [0_u16, 1, 2, 3];
    let elements = create!(CreateBuffers);
    gl::NamedBufferData(elements, 8, indices.as_ptr().cast(), gl::STATIC_DRAW);
    gl::VertexArrayElementBuffer(array, elements);
    target.clear([0.0; 4]);
    gl::DrawElements(gl::TRIANGLE_STRIP, 4, gl::UNSIGNED_SHORT, std::ptr::null());
    target.image().expect_all([0, 255, 0, 255]);
    expect_no_error("vertex arrays by name");
}

/// Nothing that a named command touches is seen at a binding point.
fn bindings_stay(_: &Env) {
    let (bound, other) = (create!(CreateBuffers), create!(CreateBuffers));
    gl::BindBuffer(gl::COPY_WRITE_BUFFER, bound);
    gl::NamedBufferData(other, 4, std::ptr::null(), gl::STATIC_DRAW);
    gl::MapNamedBuffer(9999, gl::READ_ONLY);
    expect_error(gl::INVALID_OPERATION, "no buffer");
    assert_eq!(get_i32(gl::COPY_WRITE_BUFFER_BINDING), bound as i32);
    let (bound, other) = (create!(CreateTextures, gl::TEXTURE_2D), create!(CreateTextures, gl::TEXTURE_2D));
    gl::BindTexture(gl::TEXTURE_2D, bound);
    gl::TextureStorage2D(other, 1, gl::RGBA8, 2, 2);
    gl::TextureParameteri(other, gl::TEXTURE_MIN_FILTER, 1);
    expect_error(gl::INVALID_ENUM, "no filter");
    assert_eq!(get_i32(gl::TEXTURE_BINDING_2D), bound as i32);
    let array = create!(CreateVertexArrays);
    gl::EnableVertexArrayAttrib(array, 99);
    expect_error(gl::INVALID_VALUE, "no such attribute");
    assert_eq!(get_i32(gl::VERTEX_ARRAY_BINDING), 0);
}

fn errors(_: &Env) {
    gl::NamedBufferData(0, 4, std::ptr::null(), gl::STATIC_DRAW);
    expect_error(gl::INVALID_OPERATION, "buffer 0");
    gl::TextureParameteri(0, gl::TEXTURE_MAX_LEVEL, 0);
    expect_error(gl::INVALID_OPERATION, "texture 0");
    gl::NamedFramebufferTexture(77, gl::COLOR_ATTACHMENT0, 0, 0);
    expect_error(gl::INVALID_OPERATION, "no framebuffer");
    gl::NamedRenderbufferStorage(77, gl::RGBA8, 1, 1);
    expect_error(gl::INVALID_OPERATION, "no renderbuffer");
    gl::VertexArrayAttribBinding(77, 0, 0);
    expect_error(gl::INVALID_OPERATION, "no vertex array");
    let texture = create!(CreateTextures, gl::TEXTURE_2D);
    gl::TextureSubImage3D(texture, 0, 0, 0, 0, 1, 1, 1, gl::RGBA, BYTE, std::ptr::null());
    expect_error(gl::INVALID_OPERATION, "three coordinates for a plain texture");
    gl::TransformFeedbackBufferBase(0, 99, 0);
    expect_error(gl::INVALID_VALUE, "no such index");
    gl::TransformFeedbackBufferBase(0, 0, 9999);
    expect_error(gl::INVALID_VALUE, "no such buffer");
    let array = create!(CreateVertexArrays);
    gl::VertexArrayAttribFormat(array, 0, 4, gl::FLOAT, gl::FALSE, u32::MAX);
    expect_error(gl::INVALID_VALUE, "a relative offset beyond the limit");
    gl::VertexArrayVertexBuffer(array, 0, 0, -1, 0);
    expect_error(gl::INVALID_VALUE, "a negative offset");
    assert!(!has_extension("GL_ARB_direct_state_access") || version() >= 31);
}
