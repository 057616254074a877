//! Depth and stencil of windows: what is drawn, cleared, copied and read there is what it is in a framebuffer object. GL 4.6
//! core 17.4.3, 18.2 and 18.3.1.

use crate::textures::texture_image;
use crate::windows::{H, W, in_multisampled_window, in_window};
use gallite_tests::draw::{
    SOLID_FS, Target, depth_stencil_target, expect_no_error, gen_texture, program, quad, read_pixels, solid_at_depth,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    lesser x11(): lesson_24_depth_and_stencil_are_those_of_a_framebuffer, lesson_24_blits_of_depth_and_stencil,
        lesson_24_copies_of_depth, multisampled_windows_are_read, multisampled_windows_are_blitted;
}

const BOTH: u32 = gl::DEPTH_BUFFER_BIT | gl::STENCIL_BUFFER_BIT;

/// Depth and stencil of a rectangle, the lowest row first.
struct Planes {
    width: i32,
    depth: Vec<f32>,
    stencil: Vec<u8>,
}

impl Planes {
    fn read(rect: [i32; 4]) -> Self {
        gl::PixelStorei(gl::PACK_ALIGNMENT, 1);
        let depth: Vec<f32> = read_pixels(rect, gl::DEPTH_COMPONENT, gl::FLOAT, 1);
        let stencil = read_pixels(rect, gl::STENCIL_INDEX, gl::UNSIGNED_BYTE, 1);
        // Both at once, in 24 and 8 bits.
        let packed: Vec<u32> = read_pixels(rect, gl::DEPTH_STENCIL, gl::UNSIGNED_INT_24_8, 1);
        for (i, both) in packed.into_iter().enumerate() {
            assert_eq!(both as u8, stencil[i], "pixel {i}");
            assert!(((both >> 8) as f32 / 16_777_215.0 - depth[i]).abs() < 1e-6, "pixel {i}: {both:#x}, {}", depth[i]);
        }
        Self { width: rect[2], depth, stencil }
    }

    fn at(&self, x: i32, y: i32) -> (f32, u8) {
        let at = (y * self.width + x) as usize;
        (self.depth[at], self.stencil[at])
    }

    /// Fails unless each pixel is what `expected` says of its place; depths may differ by the rounding of what was drawn.
    #[track_caller]
    fn expect_each(&self, expected: impl Fn(i32, i32) -> (f32, u8)) {
        for at in 0..self.depth.len() as i32 {
            let (x, y) = (at % self.width, at / self.width);
            let (got, wanted) = (self.at(x, y), expected(x, y));
            let same = (got.0 - wanted.0).abs() < 1e-6 && got.1 == wanted.1;
            assert!(same, "({x}, {y}): {got:?}, expected {wanted:?}");
        }
    }
}

/// Clears and draws depth and stencil so that every row and column is told from the others.
fn scene() {
    gl::Viewport(0, 0, W, H);
    gl::ClearDepth(1.0);
    gl::ClearStencil(1);
    gl::Clear(BOTH);
    // A clear with scissor at the lower left.
    gl::Enable(gl::SCISSOR_TEST);
    gl::Scissor(1, 2, 5, 3);
    gl::ClearDepth(0.125);
    gl::ClearStencil(200);
    gl::Clear(BOTH);
    gl::Disable(gl::SCISSOR_TEST);
    // A slope to the right and up, and a row of stencil values, at the upper right.
    let slope = "#version 330 core
layout(location = 0) in vec4 position;
void main() { gl_Position = vec4(position.xy, position.x * 0.25 + position.y * 0.5, 1.0); }
";
    gl::Enable(gl::DEPTH_TEST);
    gl::Enable(gl::STENCIL_TEST);
    gl::DepthFunc(gl::ALWAYS);
    gl::StencilOp(gl::KEEP, gl::KEEP, gl::REPLACE);
    program(slope, SOLID_FS);
    gl::Enable(gl::SCISSOR_TEST);
    gl::Viewport(10, 7, 12, 8);
    for row in 0..8 {
        gl::Scissor(10, 7 + row, 12, 1);
        gl::StencilFunc(gl::ALWAYS, 20 + row, 0xFF);
        quad();
    }
    gl::Disable(gl::SCISSOR_TEST);
    // Only where it is nearer, over the edge of the slope and of the cleared part.
    gl::DepthFunc(gl::LESS);
    gl::StencilFunc(gl::ALWAYS, 90, 0xFF);
    gl::Viewport(3, 3, 15, 9);
    solid_at_depth([1.0; 4], 0.0);
    quad();
    gl::Disable(gl::DEPTH_TEST);
    gl::Disable(gl::STENCIL_TEST);
    expect_no_error("scene");
}

/// The scene in a framebuffer object, which stays bound.
fn expected() -> (Target, Planes) {
    let (target, _) = depth_stencil_target(W, H);
    scene();
    let planes = Planes::read([0, 0, W, H]);
    for (x, y, depth, stencil) in [(0, 0, 1.0, 1), (1, 2, 0.125, 200), (11, 4, 0.5, 90)] {
        let got = planes.at(x, y);
        assert!((got.0 - depth).abs() < 1e-6 && got.1 == stencil, "({x}, {y}): {got:?}");
    }
    assert_eq!(planes.at(20, 14).1, 27);
    let (left, right, above) = (planes.at(18, 12).0, planes.at(19, 12).0, planes.at(18, 13).0);
    assert!(left < right && right < above, "{left}, {right}, {above}");
    (target, planes)
}

fn lesson_24_depth_and_stencil_are_those_of_a_framebuffer(_: &Env) {
    in_window(W as u32, H as u32, |session, _, surface| {
        let (_, expected) = expected();
        for _ in 0..3 {
            gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
            scene();
            Planes::read([0, 0, W, H]).expect_each(|x, y| expected.at(x, y));
            Planes::read([2, 1, 13, 11]).expect_each(|x, y| expected.at(x + 2, y + 1));
            session.swap(surface);
        }
        // Rows and pixels are skipped in memory, whichever way the window's rows run.
        scene();
        gl::PixelStorei(gl::PACK_ROW_LENGTH, 7);
        gl::PixelStorei(gl::PACK_SKIP_ROWS, 1);
        gl::PixelStorei(gl::PACK_SKIP_PIXELS, 2);
        let mut memory = [99_u8; 7 * 5];
        gl::ReadPixels(12, 8, 3, 3, gl::STENCIL_INDEX, gl::UNSIGNED_BYTE, memory.as_mut_ptr().cast());
        for (at, index) in memory.iter().enumerate() {
            let (x, y) = ((at % 7) as i32 - 2, (at / 7) as i32 - 1);
            let inside = (0..3).contains(&x) && (0..3).contains(&y);
            let wanted = if inside { expected.at(x + 12, y + 8).1 } else { 99 };
            assert_eq!(*index, wanted, "pixel {at}");
        }
    });
}

fn lesson_24_blits_of_depth_and_stencil(_: &Env) {
    in_window(W as u32, H as u32, |_, _, _| {
        let (target, expected) = expected();
        // Framebuffer to window, whole.
        gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, 0);
        gl::BlitFramebuffer(0, 0, W, H, 0, 0, W, H, BOTH, gl::NEAREST);
        gl::BindFramebuffer(gl::READ_FRAMEBUFFER, 0);
        Planes::read([0, 0, W, H]).expect_each(|x, y| expected.at(x, y));
        // Window to framebuffer: a part, as it is and turned upside down by the blit itself.
        for turned in [false, true] {
            gl::BindFramebuffer(gl::FRAMEBUFFER, target.framebuffer);
            gl::ClearDepth(0.75);
            gl::ClearStencil(5);
            gl::Clear(BOTH);
            gl::BindFramebuffer(gl::READ_FRAMEBUFFER, 0);
            let (low, high) = if turned { (13, 5) } else { (5, 13) };
            gl::BlitFramebuffer(8, 3, 18, 11, 4, low, 14, high, BOTH, gl::NEAREST);
            gl::BindFramebuffer(gl::READ_FRAMEBUFFER, target.framebuffer);
            Planes::read([0, 0, W, H]).expect_each(|x, y| {
                let inside = (4..14).contains(&x) && (5..13).contains(&y);
                let row = if turned { 12 - y } else { y - 5 };
                if inside { expected.at(x + 4, row + 3) } else { (0.75, 5) }
            });
        }
        // Framebuffer to window: one of the two, into a scissor box.
        for mask in [gl::DEPTH_BUFFER_BIT, gl::STENCIL_BUFFER_BIT] {
            gl::BindFramebuffer(gl::FRAMEBUFFER, target.framebuffer);
            scene();
            gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
            gl::ClearDepth(0.75);
            gl::ClearStencil(5);
            gl::Clear(BOTH);
            gl::BindFramebuffer(gl::READ_FRAMEBUFFER, target.framebuffer);
            gl::Enable(gl::SCISSOR_TEST);
            gl::Scissor(2, 3, 18, 9);
            gl::BlitFramebuffer(0, 0, W, H, 0, 0, W, H, mask, gl::NEAREST);
            gl::Disable(gl::SCISSOR_TEST);
            gl::BindFramebuffer(gl::READ_FRAMEBUFFER, 0);
            Planes::read([0, 0, W, H]).expect_each(|x, y| {
                let (depth, stencil) = expected.at(x, y);
                match (mask, (2..20).contains(&x) && (3..12).contains(&y)) {
                    (_, false) => (0.75, 5),
                    (gl::DEPTH_BUFFER_BIT, _) => (depth, 5),
                    _ => (0.75, stencil),
                }
            });
        }
    });
}

fn lesson_24_copies_of_depth(_: &Env) {
    in_window(W as u32, H as u32, |_, _, _| {
        let (_, expected) = expected();
        gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
        scene();
        gl::BindTexture(gl::TEXTURE_2D, gen_texture());
        gl::CopyTexImage2D(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT24, 3, 2, 10, 7, 0);
        gl::CopyTexSubImage2D(gl::TEXTURE_2D, 0, 0, 0, 12, 8, 4, 3);
        expect_no_error("copies");
        let texels = texture_image::<f32>(gl::TEXTURE_2D, 0, gl::DEPTH_COMPONENT, gl::FLOAT, 70);
        for (at, texel) in texels.iter().enumerate() {
            let (x, y) = ((at % 10) as i32, (at / 10) as i32);
            let (x, y) = if x < 4 && y < 3 { (x + 12, y + 8) } else { (x + 3, y + 2) };
            let wanted = expected.at(x, y).0;
            assert!((texel - wanted).abs() < 1e-6, "texel of ({x}, {y}): {texel}, expected {wanted}");
        }
    });
}

/// Parts of equal depth and stencil, whose edges are those of pixels: the same for every sample.
fn flat_scene() {
    gl::Viewport(0, 0, W, H);
    gl::ClearDepth(1.0);
    gl::ClearStencil(1);
    gl::ClearColor(0.0, 0.0, 1.0, 1.0);
    gl::Clear(BOTH | gl::COLOR_BUFFER_BIT);
    gl::Enable(gl::DEPTH_TEST);
    gl::Enable(gl::STENCIL_TEST);
    gl::StencilOp(gl::KEEP, gl::KEEP, gl::REPLACE);
    for (i, depth) in [-0.5, 0.5].into_iter().enumerate() {
        gl::StencilFunc(gl::ALWAYS, 7 + i as i32, 0xFF);
        gl::Viewport(2 + 8 * i as i32, 1 + 6 * i as i32, 7, 5);
        solid_at_depth([1.0, 0.0, 0.0, 1.0], depth);
        quad();
    }
    gl::Disable(gl::DEPTH_TEST);
    gl::Disable(gl::STENCIL_TEST);
}

/// What it leaves at a place.
fn flat_pixel(x: i32, y: i32) -> (f32, u8) {
    let inside = |from: (i32, i32)| (from.0..from.0 + 7).contains(&x) && (from.1..from.1 + 5).contains(&y);
    match [inside((2, 1)), inside((10, 7))] {
        [true, _] => (0.25, 7),
        [_, true] => (0.75, 8),
        _ => (1.0, 1),
    }
}

/// 18.2.1: a window's samples are resolved where pixels are read.
fn multisampled_windows_are_read(_: &Env) {
    in_multisampled_window(4, W as u32, H as u32, |session, _, surface| {
        for _ in 0..2 {
            flat_scene();
            Planes::read([0, 0, W, H]).expect_each(flat_pixel);
            Planes::read([1, 4, 13, 5]).expect_each(|x, y| flat_pixel(x + 1, y + 4));
            session.swap(surface);
        }
    });
}

/// 18.3.1: samples of one are resolved into the other, which takes the rectangle as it is; one sample goes to all.
fn multisampled_windows_are_blitted(_: &Env) {
    in_multisampled_window(4, W as u32, H as u32, |_, _, _| {
        flat_scene();
        let (target, _) = depth_stencil_target(W, H);
        gl::BindFramebuffer(gl::READ_FRAMEBUFFER, 0);
        gl::BlitFramebuffer(0, 0, W, H, 0, 0, W, H, BOTH | gl::COLOR_BUFFER_BIT, gl::NEAREST);
        expect_no_error("a resolving blit");
        target.bind();
        Planes::read([0, 0, W, H]).expect_each(flat_pixel);
        target.image().expect(3, 2, [255, 0, 0, 255]);
        target.image().expect(3, 9, [0, 0, 255, 255]);
        // A part, which stays where it is.
        gl::ClearDepth(0.5);
        gl::ClearStencil(5);
        gl::Clear(BOTH);
        gl::BindFramebuffer(gl::READ_FRAMEBUFFER, 0);
        gl::BlitFramebuffer(5, 3, 20, 11, 5, 3, 20, 11, BOTH, gl::NEAREST);
        target.bind();
        let part = |x: i32, y: i32| (5..20).contains(&x) && (3..11).contains(&y);
        Planes::read([0, 0, W, H]).expect_each(|x, y| if part(x, y) { flat_pixel(x, y) } else { (0.5, 5) });
        // And back into the window's samples.
        flat_scene();
        gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
        gl::ClearDepth(0.5);
        gl::ClearStencil(5);
        gl::Clear(BOTH);
        gl::BindFramebuffer(gl::READ_FRAMEBUFFER, target.framebuffer);
        gl::BlitFramebuffer(5, 3, 20, 11, 5, 3, 20, 11, BOTH, gl::NEAREST);
        expect_no_error("a blit to samples");
        gl::BindFramebuffer(gl::READ_FRAMEBUFFER, 0);
        Planes::read([0, 0, W, H]).expect_each(|x, y| if part(x, y) { flat_pixel(x, y) } else { (0.5, 5) });
    });
}
