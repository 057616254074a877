//! Blending, where the device lets it change without another pipeline (VK_EXT_extended_dynamic_state3).

use ash::vk;
use gallite_pipe::*;

use super::VulkanContext;
use super::dynamic::changed;
use crate::conv;
use crate::ffi::Cmd;
use crate::gpu::Gpu;
use crate::pipeline::blend_attachment;
use crate::shader::Shader;
use crate::state_object::TargetLayout;

/// What the command buffer has now.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlendDynamic {
    /// Attachments that the following three were set for; 0 when they were not.
    count: usize,
    enables: [vk::Bool32; MAX_COLOR_ATTACHMENTS],
    equations: [[i32; 6]; MAX_COLOR_ATTACHMENTS],
    masks: [vk::ColorComponentFlags; MAX_COLOR_ATTACHMENTS],
    logic_op_enable: Option<bool>,
    logic_op: Option<vk::LogicOp>,
    alpha_to_coverage: Option<bool>,
    alpha_to_one: Option<bool>,
    sample_mask: Option<(u32, u32)>,
}

impl VulkanContext {
    pub(super) fn emit_blend(&mut self, shader: &Shader) {
        let f = self.gpu.features();
        if !f.eds3.sample_mask && !f.dynamic_blend {
            return;
        }
        let Some(target) = &self.target else { return };
        let Some(cmd) = self.batches.main() else { return };
        let now = &mut self.dynamic.blend;
        if f.eds3.sample_mask {
            let samples = target.layout.samples.max(1);
            if changed(&mut now.sample_mask, (samples, self.bound.sample_mask)) {
                cmd.cmd_set_sample_mask(conv::samples(samples), &[self.bound.sample_mask]);
            }
        }
        if !f.dynamic_blend {
            return;
        }
        let default = BlendState::default();
        let state = self.bound.blend.as_ref().map_or(&default, |b| &b.state);
        now.emit_attachments(&self.gpu, cmd, &target.layout, state, shader);
        let coverage = state.alpha_to_coverage != 0;
        if changed(&mut now.alpha_to_coverage, coverage) {
            cmd.cmd_set_alpha_to_coverage_enable(coverage);
        }
        if f.eds3.alpha_to_one && changed(&mut now.alpha_to_one, state.alpha_to_one != 0) {
            cmd.cmd_set_alpha_to_one_enable(state.alpha_to_one != 0);
        }
        if f.eds3.logic_op_enable {
            let enable = state.logic_op_enable != 0;
            if changed(&mut now.logic_op_enable, enable) {
                cmd.cmd_set_logic_op_enable(enable);
            }
            let op = conv::logic_op(state.logic_op);
            if (enable || now.logic_op.is_none()) && changed(&mut now.logic_op, op) {
                cmd.cmd_set_logic_op(op);
            }
        }
    }
}

impl BlendDynamic {
    fn emit_attachments(
        &mut self,
        gpu: &Gpu,
        cmd: Cmd<'_>,
        targets: &TargetLayout,
        state: &BlendState,
        shader: &Shader,
    ) {
        // VUID-vkCmdDraw-None-07627 and others: all are set, even where nothing is written.
        let count = (targets.color_count as usize).clamp(1, MAX_COLOR_ATTACHMENTS);
        let fresh = self.count < count;
        self.count = self.count.max(count);
        let (mut enables, mut masks, mut equations) = (fresh, fresh, fresh);
        for i in 0..count {
            let a = blend_attachment(gpu, targets, state, shader, i);
            enables |= self.enables[i] != a.blend_enable;
            self.enables[i] = a.blend_enable;
            masks |= self.masks[i] != a.color_write_mask;
            self.masks[i] = a.color_write_mask;
            // What is not blended keeps the equation it had: a switch of blending alone costs one command.
            let words = equation_words(&a);
            if a.blend_enable == vk::TRUE && self.equations[i] != words {
                self.equations[i] = words;
                equations = true;
            }
        }
        if enables {
            cmd.cmd_set_color_blend_enable(0, &self.enables[..count]);
        }
        if masks {
            cmd.cmd_set_color_write_mask(0, &self.masks[..count]);
        }
        if equations {
            let native = self.equations.map(|words| equation(&words));
            cmd.cmd_set_color_blend_equation(0, &native[..count]);
        }
    }
}

fn equation(words: &[i32; 6]) -> vk::ColorBlendEquationEXT {
    let [src_color, dst_color, color_op, src_alpha, dst_alpha, alpha_op] = *words;
    vk::ColorBlendEquationEXT {
        src_color_blend_factor: vk::BlendFactor::from_raw(src_color),
        dst_color_blend_factor: vk::BlendFactor::from_raw(dst_color),
        color_blend_op: vk::BlendOp::from_raw(color_op),
        src_alpha_blend_factor: vk::BlendFactor::from_raw(src_alpha),
        dst_alpha_blend_factor: vk::BlendFactor::from_raw(dst_alpha),
        alpha_blend_op: vk::BlendOp::from_raw(alpha_op),
    }
}

fn equation_words(a: &vk::PipelineColorBlendAttachmentState) -> [i32; 6] {
    [
        a.src_color_blend_factor.as_raw(),
        a.dst_color_blend_factor.as_raw(),
        a.color_blend_op.as_raw(),
        a.src_alpha_blend_factor.as_raw(),
        a.dst_alpha_blend_factor.as_raw(),
        a.alpha_blend_op.as_raw(),
    ]
}
