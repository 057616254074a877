//! Every pair of format and type: which are refused, and what the others mean on their way in and out. GL 4.6 core 8.4.4, 8.5,
//! 8.11.4 and 18.2.

use super::decoder::{Class, Component, Elements, Pair, pairs};
use crate::textures::{level_parameter, nearest, texture_image};
use gallite_tests::draw::{
    buffer_contents, buffer_data, expect_no_error, framebuffer_status, gen_buffer, gen_framebuffer,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::ffi::c_void;

gl_tests! {
    render core(3, 3): colours_in, integers_in, depths_in, colours_out, integers_out, depths_and_stencils_out;
    every core(3, 3): pairs_that_there_are_not, classes_that_do_not_mix;
}

/// An internal format for each class, with its image in the bound texture.
const IMAGES: [(Class, u32, u32, u32); 5] = [
    (Class::Colour, gl::RGBA8, gl::RGBA, gl::UNSIGNED_BYTE),
    (Class::Integer, gl::RGBA8UI, gl::RGBA_INTEGER, gl::UNSIGNED_BYTE),
    (Class::Depth, gl::DEPTH_COMPONENT24, gl::DEPTH_COMPONENT, gl::UNSIGNED_INT),
    (Class::DepthStencil, gl::DEPTH24_STENCIL8, gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8),
    (Class::Depth, gl::DEPTH_COMPONENT32F, gl::DEPTH_COMPONENT, gl::FLOAT),
];

/// The texels that everything here moves.
const COUNT: usize = 5;

fn internal_of(class: Class) -> u32 {
    match class {
        Class::Colour => gl::RGBA8,
        Class::Integer => gl::RGBA8UI,
        Class::Depth => gl::DEPTH_COMPONENT24,
        Class::DepthStencil | Class::Stencil => gl::DEPTH24_STENCIL8,
    }
}

/// Reads and draws from the bound texture.
fn attach(class: Class) {
    let texture = gallite_tests::draw::get_i32(gl::TEXTURE_BINDING_2D) as u32;
    gl::BindFramebuffer(gl::FRAMEBUFFER, gen_framebuffer());
    let attachment = match class {
        Class::Colour | Class::Integer => gl::COLOR_ATTACHMENT0,
        Class::Depth => gl::DEPTH_ATTACHMENT,
        Class::DepthStencil | Class::Stencil => gl::DEPTH_STENCIL_ATTACHMENT,
    };
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, attachment, gl::TEXTURE_2D, texture, 0);
    if attachment != gl::COLOR_ATTACHMENT0 {
        gl::DrawBuffer(gl::NONE);
        gl::ReadBuffer(gl::NONE);
    }
    assert_eq!(framebuffer_status(), gl::FRAMEBUFFER_COMPLETE);
}

/// Nothing is made of, or read by, a pair that is none.
fn pairs_that_there_are_not(_: &Env) {
    let mut refused = 0;
    let (mut bytes, null) = ([0x5A_u8; 256], std::ptr::null::<c_void>());
    for pair in pairs() {
        let (expected, Pair { format, kind, .. }) = (pair.errors(), pair);
        let check = |what: &str| {
            let error = gl::GetError();
            let right = if expected.is_empty() { error == gl::NO_ERROR } else { expected.contains(&error) };
            assert!(right, "{what} of {format:#x}, {kind:#x}: {error:#x}, expected {expected:#x?}");
        };
        refused += usize::from(!expected.is_empty());
        nearest(gl::TEXTURE_2D);
        let internal = internal_of(pair.class);
        if pair.class != Class::Stencil {
            gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 1, 1, 0, format, kind, null);
            check("glTexImage2D");
            let made = level_parameter(gl::TEXTURE_2D, 0, gl::TEXTURE_WIDTH);
            assert_eq!(made, i32::from(expected.is_empty()), "{format:#x}, {kind:#x}");
        }
        let (_, internal, valid, of) = IMAGES.into_iter().find(|(_, i, ..)| *i == internal).expect("an image");
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 1, 1, 0, valid, of, bytes.as_ptr().cast());
        expect_no_error("glTexImage2D");
        let before = bytes;
        gl::GetTexImage(gl::TEXTURE_2D, 0, format, kind, bytes.as_mut_ptr().cast());
        check("glGetTexImage");
        attach(pair.class);
        gl::ReadPixels(0, 0, 1, 1, format, kind, bytes.as_mut_ptr().cast());
        check("glReadPixels");
        assert!(expected.is_empty() || bytes == before, "{format:#x}, {kind:#x}: memory was written");
    }
    assert_eq!(refused, 284, "of 456 pairs");
}

/// 8.5.3, 8.11.4 and 18.2.1: what an image of each class takes and gives.
fn classes_that_do_not_mix(_: &Env) {
    for (class, internal, valid, of) in IMAGES {
        for (format, other, _) in super::decoder::FORMATS {
            let kind = match other {
                Class::DepthStencil => gl::UNSIGNED_INT_24_8,
                _ => gl::UNSIGNED_BYTE,
            };
            let expect = |legal: bool, what: &str| {
                let error = gl::GetError();
                let expected = if legal { gl::NO_ERROR } else { gl::INVALID_OPERATION };
                assert_eq!(error, expected, "{what} of {format:#x} and {internal:#x}");
            };
            let mut bytes = [0_u8; 64];
            nearest(gl::TEXTURE_2D);
            let depths = |class| matches!(class, Class::Depth | Class::DepthStencil);
            gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 1, 1, 0, format, kind, bytes.as_ptr().cast());
            expect(class == other || (depths(class) && depths(other)), "glTexImage2D");
            gl::TexImage2D(gl::TEXTURE_2D, 0, internal, 1, 1, 0, valid, of, bytes.as_ptr().cast());
            gl::GetTexImage(gl::TEXTURE_2D, 0, format, kind, bytes.as_mut_ptr().cast());
            let part = class == Class::DepthStencil && matches!(other, Class::Depth | Class::Stencil);
            expect(class == other || part, "glGetTexImage");
            attach(class);
            gl::ReadPixels(0, 0, 1, 1, format, kind, bytes.as_mut_ptr().cast());
            expect(class == other || part, "glReadPixels");
        }
    }
}

/// Bits that are numbers in every type: no infinities, and all of a byte.
fn bits_of(pair: &Pair) -> Vec<u8> {
    let mut state = pair.format.wrapping_mul(31).wrapping_add(pair.kind) | 1;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as u8
    };
    let count = pair.bytes() * COUNT;
    match pair.elements {
        Elements::Float(16) => (0..count / 2)
            .flat_map(|i| [0x3C00_u16, 0xC000, 0x3555, 0x0001, 0x7BFF, 0xB801, 0x2E66][i % 7].to_le_bytes())
            .collect(),
        Elements::Float(_) => {
            (0..count / 4).flat_map(|i| [1.5_f32, 0.0, -2.25, 1e-3, 65504.0, 0.1, 7e8][i % 7].to_le_bytes()).collect()
        }
        Elements::SmallFloats => (0..COUNT)
            .flat_map(|i| {
                let [r, g, b] = [[0x3C1_u32, 0x001, 0x1E3], [0x7BF, 0, 0x3DF], [1, 0x400, 1]][i % 3];
                (r | g << 11 | b << 22).to_le_bytes()
            })
            .collect(),
        Elements::Float32Stencil8 => (0..COUNT)
            .flat_map(|i| {
                let [depth, stencil] = [([0.0_f32, 0.3, 1.0, 0.999, 1e-3][i]).to_bits(), 0xABCD_EF00 | (50 * i as u32)];
                [depth.to_le_bytes(), stencil.to_le_bytes()].concat()
            })
            .collect(),
        _ => (0..count).map(|_| next()).collect(),
    }
}

/// An image from memory, or from a buffer.
fn upload(internal: u32, pair: &Pair, bytes: &[u8], through_a_buffer: bool) {
    nearest(gl::TEXTURE_2D);
    gl::PixelStorei(gl::UNPACK_ALIGNMENT, 1);
    let (width, mut data) = (COUNT as i32, bytes.as_ptr().cast::<c_void>());
    let unpack = gen_buffer();
    if through_a_buffer {
        gl::BindBuffer(gl::PIXEL_UNPACK_BUFFER, unpack);
        buffer_data(gl::PIXEL_UNPACK_BUFFER, bytes, gl::STREAM_DRAW);
        data = std::ptr::null();
    }
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, width, 1, 0, pair.format, pair.kind, data);
    gl::BindBuffer(gl::PIXEL_UNPACK_BUFFER, 0);
    gl::DeleteBuffers(1, &unpack);
    expect_no_error("glTexImage2D");
}

/// Every pair of a class into an image of `internal`, whose texels `read` gives as numbers; those that `takes` refuses are left
/// out.
fn expect_in(
    class: Class,
    internal: u32,
    names: &str,
    takes: impl Fn(&Pair) -> bool,
    read: impl Fn() -> Vec<f64>,
    tolerance: f64,
) {
    let mut seen = 0;
    for pair in pairs().filter(|pair| pair.class == class && pair.errors().is_empty() && takes(pair)) {
        let bytes = bits_of(&pair);
        for through_a_buffer in [false, true] {
            upload(internal, &pair, &bytes, through_a_buffer);
            let got = read();
            for (at, texel) in bytes.chunks(pair.bytes()).enumerate() {
                let components = pair.decode(texel);
                for (i, name) in names.chars().enumerate() {
                    // 8.4.4.5: what a format lacks is 0, and alpha 1.
                    let missing = if name == 'a' { 1.0 } else { 0.0 };
                    let mut expected = components.iter().find(|c| c.name == name).map_or(missing, |c| c.value);
                    // 8.5.1: what is stored as fractions is clamped; floats are not.
                    if name == 'd' && internal != gl::DEPTH_COMPONENT32F {
                        expected = expected.clamp(0.0, 1.0);
                    }
                    let value = got[at * names.len() + i];
                    let near = (value - expected).abs() <= tolerance * expected.abs().max(1.0);
                    let Pair { format, kind, .. } = pair;
                    assert!(near, "{format:#x}, {kind:#x}: {name} of texel {at} is {value}, expected {expected}");
                }
            }
        }
        seen += 1;
    }
    assert!(seen > 2, "{seen} pairs");
}

fn floats(format: u32, components: usize) -> Vec<f64> {
    let all = texture_image::<f32>(gl::TEXTURE_2D, 0, format, gl::FLOAT, COUNT * components);
    all.into_iter().map(f64::from).collect()
}

fn colours_in(_: &Env) {
    expect_in(Class::Colour, gl::RGBA32F, "rgba", |_| true, || floats(gl::RGBA, 4), 2e-7);
}

fn integers_in(_: &Env) {
    let read = || texture_image::<i32>(gl::TEXTURE_2D, 0, gl::RGBA_INTEGER, gl::INT, COUNT * 4);
    let signed = |pair: &Pair| !matches!(pair.elements, Elements::Unsigned(32));
    expect_in(Class::Integer, gl::RGBA32I, "rgba", signed, || read().into_iter().map(f64::from).collect(), 0.0);
    let read = || texture_image::<u32>(gl::TEXTURE_2D, 0, gl::RGBA_INTEGER, gl::UNSIGNED_INT, COUNT * 4);
    let unsigned = |pair: &Pair| !matches!(pair.elements, Elements::Signed(_));
    expect_in(Class::Integer, gl::RGBA32UI, "rgba", unsigned, || read().into_iter().map(f64::from).collect(), 0.0);
}

fn depths_in(_: &Env) {
    for (internal, tolerance) in
        [(gl::DEPTH_COMPONENT32F, 2e-7), (gl::DEPTH_COMPONENT24, 2e-7), (gl::DEPTH_COMPONENT16, 1e-5)]
    {
        expect_in(Class::Depth, internal, "d", |_| true, || floats(gl::DEPTH_COMPONENT, 1), tolerance);
    }
    for (internal, kind) in [
        (gl::DEPTH32F_STENCIL8, gl::FLOAT_32_UNSIGNED_INT_24_8_REV),
        (gl::DEPTH24_STENCIL8, gl::FLOAT_32_UNSIGNED_INT_24_8_REV),
    ] {
        for pair in pairs().filter(|pair| pair.class == Class::DepthStencil && pair.errors().is_empty()) {
            let bytes = bits_of(&pair);
            upload(internal, &pair, &bytes, false);
            let back = texture_image::<[u32; 2]>(gl::TEXTURE_2D, 0, gl::DEPTH_STENCIL, kind, COUNT);
            for (texel, [depth, stencil]) in bytes.chunks(pair.bytes()).zip(back) {
                let components = pair.decode(texel);
                let depth = f64::from(f32::from_bits(depth));
                assert!((depth - components[0].value).abs() < 2e-7, "{depth}, expected {components:?}");
                assert_eq!(f64::from(stencil & 0xFF), components[1].value, "{internal:#x}");
            }
        }
    }
}

/// Every pair of a class out of the bound texture, which has these components, by both commands and into a buffer.
fn expect_out(class: Class, names: &str, texels: &[f64], takes: impl Fn(&Pair) -> bool) {
    gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
    let mut seen = 0;
    for pair in pairs().filter(|pair| pair.class == class && pair.errors().is_empty() && takes(pair)) {
        let Pair { format, kind, .. } = pair;
        let mut image = vec![0x5A_u8; pair.bytes() * COUNT];
        let mut pixels = image.clone();
        gl::GetTexImage(gl::TEXTURE_2D, 0, format, kind, image.as_mut_ptr().cast());
        gl::ReadPixels(0, 0, COUNT as i32, 1, format, kind, pixels.as_mut_ptr().cast());
        expect_no_error("reads");
        let pack = gen_buffer();
        gl::BindBuffer(gl::PIXEL_PACK_BUFFER, pack);
        buffer_data(gl::PIXEL_PACK_BUFFER, &vec![0x5A_u8; 2 * image.len()], gl::STREAM_READ);
        gl::GetTexImage(gl::TEXTURE_2D, 0, format, kind, std::ptr::null_mut());
        gl::ReadPixels(0, 0, COUNT as i32, 1, format, kind, image.len() as *mut c_void);
        let stored = buffer_contents(gl::PIXEL_PACK_BUFFER, 0, 2 * image.len(), 0_u8);
        gl::BindBuffer(gl::PIXEL_PACK_BUFFER, 0);
        gl::DeleteBuffers(1, &pack);
        let (first, second) = stored.split_at(image.len());
        for (what, bytes) in [
            ("glGetTexImage", image.as_slice()),
            ("glReadPixels", &pixels),
            ("glGetTexImage to a buffer", first),
            ("glReadPixels to a buffer", second),
        ] {
            for (at, texel) in bytes.chunks(pair.bytes()).enumerate() {
                for Component { name, value, range, tolerance } in pair.decode(texel) {
                    let i = names.find(name).expect("a component of the image");
                    let expected = texels[at * names.len() + i].clamp(range.0, range.1);
                    let near = (value - expected).abs() <= tolerance;
                    assert!(
                        near,
                        "{what} of {format:#x}, {kind:#x}: {name} of texel {at} is {value}, expected {expected}"
                    );
                }
            }
        }
        seen += 1;
    }
    assert!(seen > 2, "{seen} pairs");
}

/// An image of these components, which are also what is read from it.
fn image<T: Copy + Into<f64>>(class: Class, internal: u32, format: u32, kind: u32, texels: &[T]) -> Vec<f64> {
    nearest(gl::TEXTURE_2D);
    let width = COUNT as i32;
    gl::TexImage2D(gl::TEXTURE_2D, 0, internal, width, 1, 0, format, kind, texels.as_ptr().cast());
    expect_no_error("glTexImage2D");
    attach(class);
    texels.iter().map(|texel| (*texel).into()).collect()
}

/// 18.2.8: what is outside of a type's range becomes the nearest that is not.
fn colours_out(_: &Env) {
    #[rustfmt::skip]
    let texels = [
        0.25_f32, 0.5, 0.75, 1.0,
        -0.5, 2.0, 0.1, 0.0,
        1.0 / 3.0, 1e-3, -1.0, -3.5,
        0.9, 0.001, 0.6, 0.4,
        100.0, 0.51, 3.0, 0.2,
    ];
    let expected = image(Class::Colour, gl::RGBA32F, gl::RGBA, gl::FLOAT, &texels);
    expect_out(Class::Colour, "rgba", &expected, |_| true);
    let texels: Vec<u8> = (0..20).map(|i| i * 13).collect();
    let bytes = image(Class::Colour, gl::RGBA8, gl::RGBA, gl::UNSIGNED_BYTE, &texels);
    let expected: Vec<f64> = bytes.into_iter().map(|byte| byte / 255.0).collect();
    expect_out(Class::Colour, "rgba", &expected, |_| true);
}

fn integers_out(_: &Env) {
    #[rustfmt::skip]
    let texels = [
        1, -5, 300, -70_000,
        i32::MAX, i32::MIN, 255, 256,
        7, 8, 3, 2,
        1023, 1024, 31, 4,
        -128, -129, 32767, 32768,
    ];
    let expected = image(Class::Integer, gl::RGBA32I, gl::RGBA_INTEGER, gl::INT, &texels);
    expect_out(Class::Integer, "rgba", &expected, |_| true);
    let texels = texels.map(|v| v as u32);
    let expected = image(Class::Integer, gl::RGBA32UI, gl::RGBA_INTEGER, gl::UNSIGNED_INT, &texels);
    expect_out(Class::Integer, "rgba", &expected, |_| true);
}

fn depths_and_stencils_out(_: &Env) {
    let depths = [0.0_f32, 0.25, 1.0, 0.7, 0.001];
    let expected = image(Class::Depth, gl::DEPTH_COMPONENT32F, gl::DEPTH_COMPONENT, gl::FLOAT, &depths);
    expect_out(Class::Depth, "d", &expected, |_| true);
    let stencils = [0_u32, 1, 127, 64, 99];
    let packed: Vec<[u32; 2]> = (0..COUNT).map(|i| [depths[i].to_bits(), stencils[i]]).collect();
    let both: Vec<f64> = (0..COUNT).flat_map(|i| [f64::from(depths[i]), f64::from(stencils[i])]).collect();
    for internal in [gl::DEPTH32F_STENCIL8, gl::DEPTH24_STENCIL8] {
        nearest(gl::TEXTURE_2D);
        let (format, kind) = (gl::DEPTH_STENCIL, gl::FLOAT_32_UNSIGNED_INT_24_8_REV);
        gl::TexImage2D(gl::TEXTURE_2D, 0, internal, COUNT as i32, 1, 0, format, kind, packed.as_ptr().cast());
        expect_no_error("glTexImage2D");
        attach(Class::DepthStencil);
        // A step of 24 bits is less than any of the types that are read allow, but for those of more bits.
        let coarse = |pair: &Pair| {
            internal == gl::DEPTH32F_STENCIL8
                || !matches!(
                    pair.elements,
                    Elements::Unsigned(32) | Elements::Signed(32) | Elements::Float(32) | Elements::Float32Stencil8
                )
        };
        expect_out(Class::Depth, "ds", &both, coarse);
        expect_out(Class::Stencil, "ds", &both, |_| true);
        for pair in pairs().filter(|pair| pair.class == Class::DepthStencil && pair.errors().is_empty()) {
            let mut bytes = vec![0x5A_u8; pair.bytes() * COUNT];
            gl::ReadPixels(0, 0, COUNT as i32, 1, pair.format, pair.kind, bytes.as_mut_ptr().cast());
            let mut image = vec![0x5A_u8; bytes.len()];
            gl::GetTexImage(gl::TEXTURE_2D, 0, pair.format, pair.kind, image.as_mut_ptr().cast());
            expect_no_error("reads of both");
            for (at, texel) in bytes.chunks(pair.bytes()).chain(image.chunks(pair.bytes())).enumerate() {
                let got = pair.decode(texel);
                let at = at % COUNT;
                assert!((got[0].value - both[at * 2]).abs() < 2e-7, "{internal:#x}: depth {got:?}");
                assert_eq!(got[1].value, both[at * 2 + 1], "{internal:#x}: stencil");
            }
        }
    }
}
