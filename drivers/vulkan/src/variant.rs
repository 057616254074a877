//! What a stage's code depends on besides the program: a small key, and the passes it selects.

use gallite_pipe::RasterizerState;

use crate::gpu::Gpu;
use crate::shader::Shader;

/// Changes made to one stage's SPIR-V.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct StageVariant(pub u32);

/// Applies a variant; `None` when nothing changes.
pub(crate) fn apply(_words: &[u32], variant: StageVariant) -> Option<Vec<u32>> {
    if variant == StageVariant::default() {
        return None;
    }
    None
}

/// The variants of the last vertex stage and the fragment stage for a draw.
pub(crate) fn select(
    _gpu: &Gpu, _shader: &Shader, _raster: &RasterizerState, _flipped: bool, _points: bool,
) -> (StageVariant, StageVariant) {
    (StageVariant::default(), StageVariant::default())
}
