//! Active queries and conditional rendering.

use gallite_pipe::{ConditionMode, Features, QueryId};

use crate::context::Context;
use crate::gl::*;
use crate::limits::MAX_STREAMS;

/// Targets that queries can be active on, in the order of [`QueryState::active`].
pub const QUERY_TARGETS: [GLenum; 8 + STATISTICS.len()] = {
    let mut targets = [0; 8 + STATISTICS.len()];
    let (counts, statistics) = targets.split_at_mut(8);
    counts.copy_from_slice(&[
        GL_SAMPLES_PASSED,
        GL_ANY_SAMPLES_PASSED,
        GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
        GL_PRIMITIVES_GENERATED,
        GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
        GL_TIME_ELAPSED,
        GL_TRANSFORM_FEEDBACK_OVERFLOW,
        GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW,
    ]);
    statistics.copy_from_slice(&STATISTICS);
    targets
};

/// Pipeline statistics, in the order in which drivers number them.
pub const STATISTICS: [GLenum; 11] = [
    GL_VERTICES_SUBMITTED,
    GL_PRIMITIVES_SUBMITTED,
    GL_VERTEX_SHADER_INVOCATIONS,
    GL_TESS_CONTROL_SHADER_PATCHES,
    GL_TESS_EVALUATION_SHADER_INVOCATIONS,
    GL_GEOMETRY_SHADER_INVOCATIONS,
    GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED,
    GL_FRAGMENT_SHADER_INVOCATIONS,
    GL_COMPUTE_SHADER_INVOCATIONS,
    GL_CLIPPING_INPUT_PRIMITIVES,
    GL_CLIPPING_OUTPUT_PRIMITIVES,
];

/// Places of the targets that count samples.
pub const OCCLUSION: std::ops::Range<usize> = 0..3;

/// Conditional rendering in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// Name of the query.
    pub name: GLuint,
    /// The driver's query.
    pub query: QueryId,
    /// How to wait.
    pub mode: ConditionMode,
    /// Draw when the result is zero.
    pub inverted: bool,
}

/// Query state of a context.
#[derive(Debug, Default)]
pub struct QueryState {
    /// Name of the active query of each target and index, or 0. Only what is of one stream has more than index 0.
    pub active: [[GLuint; MAX_STREAMS]; QUERY_TARGETS.len()],
    /// Conditional rendering.
    pub condition: Option<Condition>,
}

impl Context {
    /// Whether conditional rendering drops the command, where the driver doesn't decide that itself.
    #[inline]
    pub fn render_condition_blocks(&mut self) -> bool {
        match self.state.queries.condition {
            Some(condition) if !self.device.caps.features.contains(Features::RENDER_CONDITION) => {
                let wait = matches!(condition.mode, ConditionMode::WAIT | ConditionMode::BY_REGION_WAIT);
                let result = self.pipe.query_result(condition.query, wait.into());
                // GL 4.6 core 10.9: without a result yet, the no-wait modes draw.
                result.ready != 0 && (result.value == 0) != condition.inverted
            }
            _ => false,
        }
    }
}
