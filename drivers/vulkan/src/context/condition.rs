//! Conditional rendering (GL 4.6 core 10.9): decided on the device where it can be (VK_EXT_conditional_rendering), so that
//! neither program nor driver waits for a query; decided here where not.

use std::sync::Arc;

use ash::vk;
use gallite_pipe::*;

use super::VulkanContext;
use crate::gpu::Stamp;
use crate::query::Query;

/// The render condition in force.
pub(crate) struct Condition {
    query: Arc<Query>,
    wait: bool,
    inverted: bool,
    /// Whether to draw, once decided here.
    pass: Option<bool>,
    /// Where the device finds the result, and in which batch it was put there.
    predicate: Option<Predicate>,
}

#[derive(Clone, Copy)]
struct Predicate {
    batch: Stamp,
    buffer: vk::Buffer,
    offset: u64,
}

impl VulkanContext {
    pub(crate) fn set_render_condition(&mut self, condition: &RenderCondition) {
        self.end_conditional();
        self.queries.condition = self.query(condition.query).map(|query| Condition {
            query,
            wait: matches!(condition.mode, ConditionMode::WAIT | ConditionMode::BY_REGION_WAIT),
            inverted: condition.inverted != 0,
            pass: None,
            predicate: None,
        });
    }

    /// Whether conditional work is to be done. The result is asked for once, at the first such work; without
    /// it, and told not to wait, the work is done (GL 4.6 core 10.9).
    pub(super) fn condition_passes(&mut self) -> bool {
        let Some(condition) = &self.queries.condition else { return true };
        if let Some(pass) = condition.pass {
            return pass;
        }
        let (query, wait, inverted) = (condition.query.clone(), condition.wait, condition.inverted);
        let result = self.resolve_query(&query, wait);
        let pass = result.is_none_or(|value| (value != 0) != inverted);
        if result.is_some()
            && let Some(condition) = &mut self.queries.condition
        {
            condition.pass = Some(pass);
        }
        pass
    }

    /// Whether a draw is to be recorded: not when it is known that nothing is drawn. When the device decides, the draw
    /// is recorded between [`begin_conditional`](Self::begin_conditional) and its end.
    #[inline]
    pub(super) fn draw_condition_passes(&mut self) -> bool {
        match &self.queries.condition {
            None => true,
            Some(Condition { pass: Some(pass), .. }) => *pass,
            Some(_) => self.has_predicate() || self.make_predicate() || self.condition_passes(),
        }
    }

    /// The same again, once the draw's indices are in place: to make room for them may have ended the batch that the device
    /// was to decide in.
    #[inline]
    pub(super) fn condition_is_made(&mut self) -> bool {
        match &self.queries.condition {
            Some(Condition { pass: None, predicate: Some(_), .. }) if !self.has_predicate() => {
                self.draw_condition_passes()
            }
            _ => true,
        }
    }

    fn has_predicate(&self) -> bool {
        let condition = self.queries.condition.as_ref();
        self.batches.is_open()
            && condition.and_then(|c| c.predicate).is_some_and(|predicate| predicate.batch == self.batches.stamp())
    }

    /// Copies the result to where the device looks for it; false when only waiting can tell it.
    #[cold]
    fn make_predicate(&mut self) -> bool {
        if !self.gpu.features().conditional_rendering {
            return false;
        }
        let Some(condition) = &self.queries.condition else { return false };
        let slot = {
            let data = condition.query.data.lock();
            // Results of several passes would have to be added first. A result that is there needs no device, and a
            // batch of another context that the device does not have yet must not be waited for by it.
            let known = data.result.is_some() || data.active || self.gpu.poll_stamp(data.stamp);
            let reachable = data.stamp == self.batches.stamp() || self.gpu.is_submitted(data.stamp);
            match data.slots.as_slice() {
                [slot] if !known && reachable && slot.class.ty == vk::QueryType::OCCLUSION => slot.clone(),
                _ => return false,
            }
        };
        self.end_pass();
        if !self.ensure_batch() {
            return false;
        }
        self.flush_barriers();
        let Some(piece) = self.ring.allocate(4, 4) else { return false };
        let batch = self.batches.stamp();
        slot.mark(batch);
        let Some(cmd) = self.batches.main() else { return false };
        // The device looks at 32 bits; only a count that is an exact multiple of 2^32 would read as none.
        let flags = vk::QueryResultFlags::WAIT;
        cmd.copy_query_results(slot.raw(), slot.index, 1, piece.raw, piece.offset, 4, flags);
        cmd.memory_barrier(
            vk::PipelineStageFlags::TRANSFER,
            vk::AccessFlags::TRANSFER_WRITE,
            vk::PipelineStageFlags::CONDITIONAL_RENDERING_EXT,
            vk::AccessFlags::CONDITIONAL_RENDERING_READ_EXT,
        );
        self.counters.barriers += 1;
        if let Some(condition) = &mut self.queries.condition {
            condition.predicate = Some(Predicate { batch, buffer: piece.raw, offset: piece.offset });
        }
        true
    }

    /// Lets the device decide about the draws that follow in the open pass, if it is to.
    #[inline]
    pub(super) fn begin_conditional(&mut self) {
        let Some(condition) = &self.queries.condition else { return };
        if condition.pass.is_some() || self.queries.conditional || !self.has_predicate() {
            return;
        }
        if let (Some(predicate), Some(cmd)) = (condition.predicate, self.batches.main()) {
            cmd.begin_conditional(predicate.buffer, predicate.offset, condition.inverted);
            self.queries.conditional = true;
        }
    }

    /// Draws that follow are unconditional again. The pass may still be open.
    #[inline]
    pub(super) fn end_conditional(&mut self) {
        if std::mem::take(&mut self.queries.conditional)
            && let Some(cmd) = self.batches.main()
        {
            cmd.end_conditional();
        }
    }
}
