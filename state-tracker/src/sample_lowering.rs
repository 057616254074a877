//! Draws into several samples while GL_MULTISAMPLE is off: a fragment covers all samples or none (GL 4.6 core 14.3.1).
//!
//! Devices rasterize with as many samples as the images have. So such a draw is repeated for each sample, with that one
//! alone, shaded by itself, and with the viewport moved so that the sample lies where the pixel's centre would.

use gallite_pipe::{Features, PrimitiveMode, ShaderFlags};

use crate::atoms::viewport;
use crate::commands::state_query::framebuffers::sample_position;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::gl::*;
use crate::state::queries::{OCCLUSION, QUERY_TARGETS};
use crate::verb;

/// Whether what is rasterized are lines: without multisampling those cover all samples as they are.
fn draws_lines(ctx: &Context, mode: PrimitiveMode) -> bool {
    let reflection = ctx.executable().map(|executable| executable.reflection());
    if let Some(geometry) = reflection.and_then(|r| r.geometry) {
        return geometry.output == GL_LINE_STRIP;
    }
    if let Some(tessellation) = reflection.and_then(|r| r.tessellation) {
        return tessellation.output() == GL_LINES;
    }
    matches!(
        mode,
        PrimitiveMode::LINES
            | PrimitiveMode::LINE_STRIP
            | PrimitiveMode::LINE_LOOP
            | PrimitiveMode::LINES_ADJACENCY
            | PrimitiveMode::LINE_STRIP_ADJACENCY
    )
}

/// Whether nobody but the images learns how often the draw ran.
fn can_repeat(ctx: &Context) -> bool {
    let counts = |slot: usize| !OCCLUSION.contains(&slot) && QUERY_TARGETS[slot] != GL_TIME_ELAPSED;
    let active = &ctx.state.queries.active;
    ctx.device.caps.features.contains(Features::SAMPLE_SHADING)
        && !ctx.transform_feedback_is_capturing()
        && !ctx.executable().is_some_and(|e| e.desc.flags.contains(ShaderFlags::STORES))
        && !active.iter().enumerate().any(|(slot, names)| counts(slot) && names.iter().any(|name| *name != 0))
}

/// Draws with GL_MULTISAMPLE off into `samples` samples.
#[cold]
#[inline(never)]
pub fn draw(ctx: &mut Context, mode: PrimitiveMode, samples: u32, draw: impl Fn(&mut dyn gallite_pipe::Context)) {
    if draws_lines(ctx, mode) || ctx.state.raster.discard {
        return draw(&mut *ctx.pipe);
    }
    if !can_repeat(ctx) {
        ctx.tell_once(
            "a draw without GL_MULTISAMPLE stores, captures or is counted, so that it can't be repeated for each sample: \
             its edges cover some samples of a pixel",
        );
        return draw(&mut *ctx.pipe);
    }
    for sample in 0..samples {
        let [x, y] = sample_position(ctx, sample).unwrap_or([0.5; 2]);
        let (viewports, count) = viewport::moved(ctx, [x - 0.5, y - 0.5]);
        verb::push_own(ctx, |pipe| {
            pipe.set_viewports(0, &viewports[..count]);
            pipe.set_sample_mask(1 << sample);
            pipe.set_min_samples(samples);
        });
        draw(&mut *ctx.pipe);
    }
    ctx.dirty.insert(DirtySet::VIEWPORT | DirtySet::SAMPLE_MASK | DirtySet::MIN_SAMPLES);
}
