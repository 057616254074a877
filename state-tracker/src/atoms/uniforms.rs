//! The default block.

use std::sync::atomic::Ordering;

use gallite_pipe::BindPoint;

use crate::context::Context;

/// Pushes the default block of the program that draws use.
pub fn push(ctx: &mut Context) {
    push_at(ctx, BindPoint::GRAPHICS);
}

/// Pushes the default block of the program that dispatches use.
pub fn push_compute(ctx: &mut Context) {
    push_at(ctx, BindPoint::COMPUTE);
}

fn push_at(ctx: &mut Context, point: BindPoint) {
    let Context { pipe, state, .. } = ctx;
    let programs = &mut state.programs;
    let Some(executable) = programs.executable.as_ref().filter(|e| e.point() == point) else { return };
    if executable.words().is_empty() {
        return;
    }
    if let Some(word) = executable.depth_range_word {
        // GLSL 4.60 7.4.1: gl_DepthRange is near, far, far - near of viewport 0.
        let [near, far] = state.raster.depth_ranges[0].map(|d| d as f32);
        for (index, value) in [near, far, far - near].into_iter().enumerate() {
            executable.set_word(word + index as u32, value.to_bits());
        }
    }
    programs.scratch.clear();
    programs.scratch.extend(executable.words().iter().map(|word| word.load(Ordering::Relaxed)));
    pipe.set_default_block(point, bytemuck::cast_slice(&programs.scratch));
}
