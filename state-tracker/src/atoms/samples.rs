//! Sample mask and sample shading.

use crate::context::Context;

/// The samples a coverage value lets through: the lowest ones, as many as the value says.
fn coverage_mask(value: f32, samples: u32) -> u32 {
    let count = (value * samples as f32).round() as u32;
    if count >= 32 { u32::MAX } else { (1 << count) - 1 }
}

/// Sample mask: coverage and mask words together (GL 4.6 core 14.9.3). Without multisampling it has no effect.
pub fn push_mask(ctx: &mut Context) {
    let fragment = &ctx.state.fragment;
    let samples = ctx.state.framebuffers.facts.samples;
    let mut mask = u32::MAX;
    if ctx.state.raster.multisample && samples > 1 {
        if fragment.sample_coverage {
            let covered = coverage_mask(fragment.sample_coverage_value, samples);
            mask &= if fragment.sample_coverage_invert { !covered } else { covered };
        }
        if fragment.sample_mask {
            mask &= fragment.sample_mask_value;
        }
    }
    ctx.pipe.set_sample_mask(mask);
}

/// Least number of samples shaded separately (GL 4.6 core 14.3.1.1).
pub fn push_min(ctx: &mut Context) {
    let fragment = &ctx.state.fragment;
    let samples = ctx.state.framebuffers.facts.samples;
    let separate = if fragment.sample_shading && ctx.state.raster.multisample && samples > 1 {
        (fragment.min_sample_shading * samples as f32).ceil().max(1.0) as u32
    } else {
        1
    };
    ctx.pipe.set_min_samples(separate);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_chooses_as_many_samples_as_the_value_says() {
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|v| coverage_mask(v, 4)), [0, 1, 3, 15]);
        assert_eq!(coverage_mask(1.0, 32), u32::MAX);
    }
}
