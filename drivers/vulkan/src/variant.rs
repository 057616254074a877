//! What a stage's code depends on besides the program: a small key, and the passes it selects.

use gallite_pipe::*;
use gallite_shader::passes::pass_through_control::{self, DefaultLevels};
use gallite_shader::passes::texel_swizzle::{Components, swizzle_texel_buffers};
use gallite_shader::passes::{
    clip_distance, frag_color, frag_flip, point_size, position, push_constant::Source, sample_inputs,
};
use smallvec::SmallVec;

use crate::gpu::Gpu;
use crate::shader::Shader;
use crate::state_object::TargetLayout;

/// Changes made to one stage's SPIR-V, a bit set. The two kinds of stage share the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct StageVariant(pub u32);

/// Swizzles of the buffer textures that a program reads, by dense index, where they are not as their format is: native
/// views of buffers have none.
pub(crate) type TexelSwizzles = SmallVec<[(u32, Components); 2]>;

/// Depth goes from GL's clip range to Vulkan's.
const DEPTH: u32 = 1 << 0;
/// The point size is the driver's.
const POINT_SIZE: u32 = 1 << 1;
/// No point size is written.
const NO_POINT_SIZE: u32 = 1 << 2;
/// Only the clip distances in bits 8 to 15 are in force.
const CLIP: u32 = 1 << 3;
const CLIP_SHIFT: u32 = 8;

const FRAGMENT: u32 = 1 << 31;
const FLIP_FRAG_COORD: u32 = 1 << 0;
const FLIP_POINT_COORD: u32 = 1 << 1;
const FLIP_DERIVATIVES: u32 = 1 << 2;
const FLIP_SAMPLE_POSITION: u32 = 1 << 3;
/// gl_FragCoord is the pixel's centre though the shader runs at a sample.
const CENTRE_FRAG_COORD: u32 = 1 << 4;
/// Inputs are interpolated at the sample.
const AT_SAMPLES: u32 = 1 << 5;
/// The first colour is copied to the attachments in bits 8 to 15.
const BROADCAST_SHIFT: u32 = 8;
const BROADCAST: u32 = 0xff << BROADCAST_SHIFT;

/// Byte offsets in [`DriverConstants`](crate::shader::DriverConstants).
const FRAG_COORD_OFFSET: u32 = 0;
const POINT_SIZE_OFFSET: u32 = 8;
const OUTER_LEVELS_OFFSET: u32 = 16;
const INNER_LEVELS_OFFSET: u32 = 32;

/// The control stage of programs without one, for patches of some size.
pub(crate) fn default_control_variant(patch_vertices: u8) -> StageVariant {
    StageVariant(patch_vertices.into())
}

/// Makes that control stage.
pub(crate) fn default_control(evaluation: &[u32], variant: StageVariant) -> Option<Vec<u32>> {
    let levels = DefaultLevels {
        outer: Source::PushConstant { offset: OUTER_LEVELS_OFFSET },
        inner: Source::PushConstant { offset: INNER_LEVELS_OFFSET },
    };
    pass_through_control::pass_through_control(evaluation, variant.0, levels)
}

/// Applies a variant; `None` when nothing changes.
pub(crate) fn apply(words: &[u32], variant: StageVariant, texels: &TexelSwizzles) -> Option<Vec<u32>> {
    if texels.is_empty() {
        return apply_state(words, variant);
    }
    let swizzled = swizzle_texel_buffers(words, texels);
    Some(apply_state(&swizzled, variant).unwrap_or(swizzled))
}

fn apply_state(words: &[u32], variant: StageVariant) -> Option<Vec<u32>> {
    if variant == StageVariant::default() {
        return None;
    }
    let has = |bit: u32| variant.0 & bit != 0;
    if has(FRAGMENT) {
        let mut out = words.to_vec();
        if has(AT_SAMPLES) {
            out = sample_inputs::interpolate_at_samples(&out);
        }
        if has(BROADCAST) {
            out = frag_color::broadcast_frag_color(&out, (variant.0 & BROADCAST) >> BROADCAST_SHIFT);
        }
        return Some(frag_flip::flip_fragment(
            &out,
            frag_flip::FlipOptions {
                frag_coord: has(FLIP_FRAG_COORD).then_some(Source::PushConstant { offset: FRAG_COORD_OFFSET }),
                point_coord: has(FLIP_POINT_COORD).then_some(Source::Constant([-1.0, 1.0])),
                sample_position: has(FLIP_SAMPLE_POSITION).then_some(Source::Constant([-1.0, 1.0])),
                centred_frag_coord: has(CENTRE_FRAG_COORD),
                derivatives: has(FLIP_DERIVATIVES).then_some(Source::Constant([-1.0])),
            },
        ));
    }
    let mut out = words.to_vec();
    if has(CLIP) {
        out = clip_distance::mask_clip_distances(&out, variant.0 >> CLIP_SHIFT & 0xff);
    }
    if has(POINT_SIZE) {
        out = point_size::set_point_size(&out, Source::PushConstant { offset: POINT_SIZE_OFFSET });
    }
    if has(NO_POINT_SIZE) {
        out = point_size::remove_point_size(&out);
    }
    if has(DEPTH) {
        out = position::lower_position(&out, position::PositionOptions { flip_y: false, depth_to_zero_one: true });
    }
    Some(out)
}

/// The variants of the last vertex stage and the fragment stage for a draw into `target`.
pub(crate) fn select(
    gpu: &Gpu,
    shader: &Shader,
    raster: &RasterizerState,
    flipped: bool,
    points: bool,
    target: &TargetLayout,
    min_samples: u32,
) -> (StageVariant, StageVariant) {
    let flags = shader.desc.flags;
    let mut vertex = 0;
    if !gpu.features().depth_clip_control && !raster.flags.contains(RasterFlags::CLIP_ZERO_TO_ONE) {
        vertex |= DEPTH;
    }
    let sized_late = shader.last_vertex_stage() != ShaderStage::VERTEX;
    let can_size = !sized_late || gpu.selected.core.shader_tessellation_and_geometry_point_size == ash::vk::TRUE;
    let own_size = flags.contains(ShaderFlags::WRITES_POINT_SIZE);
    if points && can_size {
        // GL 4.6 core 14.4: without GL_PROGRAM_POINT_SIZE the shader's size does not count.
        if !own_size || !raster.flags.contains(RasterFlags::POINT_SIZE_FROM_SHADER) {
            vertex |= POINT_SIZE;
        }
    } else if own_size && !can_size {
        vertex |= NO_POINT_SIZE;
    }
    let all = (1u32 << shader.desc.clip_distances.min(8)) - 1;
    let enabled = u32::from(raster.clip_enable) & all;
    if enabled != all {
        vertex |= CLIP | enabled << CLIP_SHIFT;
    }
    let mut fragment = 0;
    // Rows of an ordinary image run as GL's y does; rows of a surface run against it.
    if flags.contains(ShaderFlags::READS_FRAG_COORD) && flipped != flags.contains(ShaderFlags::FRAG_COORD_UPPER_LEFT) {
        fragment |= FLIP_FRAG_COORD;
    }
    let by_sample = min_samples > 1 && target.samples > 1 && gpu.selected.core.sample_rate_shading == ash::vk::TRUE;
    if by_sample {
        fragment |= AT_SAMPLES;
    }
    // GL 4.6 core 15.2.2: without multisampling it is the centre, whatever samples are shaded one by one for.
    if by_sample && !raster.flags.contains(RasterFlags::MULTISAMPLE) && flags.contains(ShaderFlags::READS_FRAG_COORD) {
        fragment |= CENTRE_FRAG_COORD;
    }
    // GL 4.6 core 14.4: t grows from the top by default. Vulkan's grows with the rows, whose order decides.
    let lower_left = raster.flags.contains(RasterFlags::POINT_COORD_LOWER_LEFT);
    if points && flags.contains(ShaderFlags::READS_POINT_COORD) && lower_left == flipped {
        fragment |= FLIP_POINT_COORD;
    }
    if flipped && flags.contains(ShaderFlags::USES_DERIVATIVES) {
        fragment |= FLIP_DERIVATIVES;
    }
    if flipped && flags.contains(ShaderFlags::READS_SAMPLE_POSITION) {
        fragment |= FLIP_SAMPLE_POSITION | FLIP_DERIVATIVES;
    }
    if flags.contains(ShaderFlags::BROADCASTS_COLOR) {
        fragment |= target.colors() << BROADCAST_SHIFT & BROADCAST & !(1 << BROADCAST_SHIFT);
    }
    if fragment != 0 {
        fragment |= FRAGMENT;
    }
    (StageVariant(vertex), StageVariant(fragment))
}
