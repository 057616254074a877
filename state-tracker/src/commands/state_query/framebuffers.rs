//! State of framebuffers, of what is bound to them and of clears (GL 4.6 core tables 23.20 to 23.27, 23.74).

use smallvec::smallvec;

use gallite_pipe::ChannelKind;

use super::value::{Value, Values};
use crate::commands::read_pixels::preferred_pair;
use crate::context::Context;
use crate::gl::*;
use crate::pixels::internal::Base;

fn int(value: impl Into<i64>) -> Values {
    smallvec![Value::Int(value.into())]
}

/// Bits of one channel of the draw framebuffer's first colour buffer.
fn color_bits(ctx: &Context, channel: usize) -> Values {
    let bits = ctx.draw_color_image(0).map_or(0, |image| {
        if channel == 3 && image.base != Base::Rgba { 0 } else { image.format.info().channels[channel].bits }
    });
    int(bits)
}

/// Looks framebuffer state up.
pub fn lookup(ctx: &Context, pname: GLenum) -> Option<Values> {
    let state = &ctx.state.framebuffers;
    let draw = ctx.draw_framebuffer();
    let surface = &state.draw_surface.buffers;
    Some(match pname {
        // GL_FRAMEBUFFER_BINDING is the draw binding's value.
        GL_DRAW_FRAMEBUFFER_BINDING => int(state.draw),
        GL_READ_FRAMEBUFFER_BINDING => int(state.read),
        GL_RENDERBUFFER_BINDING => int(state.renderbuffer.as_ref().map_or(0, |r| r.header.name)),
        GL_DRAW_BUFFER => int(draw.draw_buffers[0]),
        GL_DRAW_BUFFER0..=GL_DRAW_BUFFER15 => {
            let index = (pname - GL_DRAW_BUFFER0) as usize;
            int(*draw.draw_buffers.get(index).filter(|_| index < ctx.limits.draw_buffers as usize)?)
        }
        GL_READ_BUFFER => int(ctx.read_framebuffer().read_buffer),
        GL_COLOR_CLEAR_VALUE => state.clear_color.iter().map(|c| Value::Normalized(f64::from(*c))).collect(),
        GL_DEPTH_CLEAR_VALUE => smallvec![Value::Normalized(state.clear_depth)],
        GL_STENCIL_CLEAR_VALUE => int(state.clear_stencil),
        GL_SAMPLES => int(ctx.draw_samples()),
        GL_SAMPLE_BUFFERS => int(u32::from(ctx.draw_samples() > 0)),
        GL_DOUBLEBUFFER => smallvec![Value::Bool(state.draw == 0 && surface.double_buffered)],
        // EXT_texture_integer: whether fragment colours are integers.
        GL_RGBA_INTEGER_MODE_EXT => {
            let images = (0..draw.draw_buffers.len()).filter_map(|i| ctx.draw_color_image(i));
            smallvec![Value::Bool(images.into_iter().any(|image| image.format.is_pure_integer()))]
        }
        // EXT_packed_float: which components of the colour buffer have a sign.
        GL_RGBA_SIGNED_COMPONENTS_EXT => {
            let image = ctx.draw_color_image(0);
            let signed = |channel: usize| {
                let format = image.as_ref().map(|image| image.format.info().channels[channel].kind);
                matches!(format, Some(ChannelKind::Snorm | ChannelKind::Sint | ChannelKind::Float))
            };
            (0..4).map(|channel| Value::Bool(signed(channel))).collect()
        }
        // EXT_framebuffer_sRGB.
        GL_FRAMEBUFFER_SRGB_CAPABLE_EXT => {
            let capable = match state.draw {
                0 => surface.srgb_capable,
                _ => ctx.draw_color_image(0).is_some_and(|image| image.format.is_srgb()),
            };
            smallvec![Value::Bool(capable)]
        }
        GL_STEREO => smallvec![Value::Bool(false)],
        GL_IMPLEMENTATION_COLOR_READ_FORMAT => int(preferred_pair(ctx.read_color_image().as_ref())[0]),
        GL_IMPLEMENTATION_COLOR_READ_TYPE => int(preferred_pair(ctx.read_color_image().as_ref())[1]),
        GL_RED_BITS => color_bits(ctx, 0),
        GL_GREEN_BITS => color_bits(ctx, 1),
        GL_BLUE_BITS => color_bits(ctx, 2),
        GL_ALPHA_BITS => color_bits(ctx, 3),
        GL_DEPTH_BITS => int(ctx.draw_depth_image().map_or(0, |i| i.format.info().channels[0].bits)),
        GL_STENCIL_BITS => int(if ctx.draw_stencil_image().is_some() { 8 } else { 0 }),
        _ => return None,
    })
}

/// Standard sample locations in sixteenths of a pixel, x then y, y in the direction in which rows follow each other.
const LOCATIONS_2: [[u8; 2]; 2] = [[12, 12], [4, 4]];
const LOCATIONS_4: [[u8; 2]; 4] = [[6, 2], [14, 6], [2, 10], [10, 14]];
const LOCATIONS_8: [[u8; 2]; 8] = [[9, 5], [7, 11], [13, 9], [5, 3], [3, 13], [1, 7], [11, 15], [15, 1]];
const LOCATIONS_16: [[u8; 2]; 16] = [
    [9, 9],
    [7, 5],
    [5, 10],
    [12, 7],
    [3, 6],
    [10, 13],
    [13, 11],
    [11, 3],
    [6, 14],
    [8, 1],
    [4, 2],
    [2, 12],
    [0, 8],
    [15, 4],
    [14, 15],
    [1, 0],
];

/// GL_SAMPLE_POSITION of a sample of the draw framebuffer; `None` when there is no such sample.
pub fn sample_position(ctx: &Context, index: GLuint) -> Option<[f32; 2]> {
    let samples = ctx.draw_samples().max(1);
    let locations: &[[u8; 2]] = match samples {
        2 => &LOCATIONS_2,
        4 => &LOCATIONS_4,
        8 => &LOCATIONS_8,
        16 => &LOCATIONS_16,
        _ => &[[8, 8]],
    };
    let state = &ctx.state.framebuffers;
    let turned = state.draw == 0 && state.draw_surface.buffers.top_row_first;
    (index < samples).then(|| {
        let [x, y] = *locations.get(index as usize).unwrap_or(&[8, 8]);
        [x, if turned { 16 - y } else { y }].map(|v| f32::from(v) / 16.0)
    })
}
