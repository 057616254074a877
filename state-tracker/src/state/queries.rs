//! Active queries and conditional rendering.

use gallite_pipe::{ConditionMode, Features, QueryId};

use crate::context::Context;
use crate::gl::*;
use crate::limits::MAX_STREAMS;

/// Targets that queries can be active on, in the order of [`QueryState::active`].
pub const QUERY_TARGETS: [GLenum; 6] = [
    GL_SAMPLES_PASSED,
    GL_ANY_SAMPLES_PASSED,
    GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
    GL_PRIMITIVES_GENERATED,
    GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
    GL_TIME_ELAPSED,
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
}

/// Query state of a context.
#[derive(Debug, Default)]
pub struct QueryState {
    /// Name of the active query of each target and index, or 0. Only counts of primitives have more than index 0.
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
                result.ready != 0 && result.value == 0
            }
            _ => false,
        }
    }
}
