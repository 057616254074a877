//! Viewports and scissors.

use gallite_pipe::{F32, MAX_VIEWPORTS, Rect, Viewport};

use crate::context::Context;

/// How many viewports the program can reach: one unless it writes gl_ViewportIndex.
fn count(ctx: &Context) -> usize {
    if ctx.state.programs.writes_viewport { ctx.limits.viewports.max(1) as usize } else { 1 }
}

/// Viewports with their depth ranges.
pub fn push_viewports(ctx: &mut Context) {
    let (viewports, count) = moved(ctx, [0.0; 2]);
    ctx.pipe.set_viewports(0, &viewports[..count]);
}

/// Viewports with their depth ranges, moved by a part of a pixel, and how many the program can reach.
pub(crate) fn moved(ctx: &Context, [x, y]: [f32; 2]) -> ([Viewport; MAX_VIEWPORTS], usize) {
    let raster = &ctx.state.raster;
    let count = count(ctx);
    let mut viewports = [Viewport::default(); MAX_VIEWPORTS];
    for (out, (rect, [near, far])) in
        viewports.iter_mut().zip(raster.viewports.iter().zip(raster.depth_ranges)).take(count)
    {
        *out = Viewport {
            x: F32::new(rect.x + x),
            y: F32::new(rect.y + y),
            width: F32::new(rect.width),
            height: F32::new(rect.height),
            near: F32::new(near as f32),
            far: F32::new(far as f32),
        };
    }
    (viewports, count)
}

/// Scissors. One switch serves all viewports in the driver, so a viewport whose test is off gets a box that holds
/// everything.
pub fn push_scissors(ctx: &mut Context) {
    let fragment = &ctx.state.fragment;
    let count = count(ctx);
    let mut scissors = [Rect { x: 0, y: 0, width: EVERYTHING, height: EVERYTHING }; MAX_VIEWPORTS];
    for (i, out) in scissors.iter_mut().enumerate().take(count) {
        let [x, y, width, height] = fragment.scissors[i];
        if fragment.scissor_test & (1 << i) != 0 {
            *out = Rect { x, y, width, height };
        }
    }
    ctx.pipe.set_scissors(0, &scissors[..count]);
}

/// Larger than any framebuffer.
const EVERYTHING: i32 = 1 << 20;
