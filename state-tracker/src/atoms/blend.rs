//! Blend state and blend colour.

use bytemuck::Zeroable;
use gallite_pipe::{BlendAttachment, BlendFactor, BlendOp, BlendState, F32, Features, LogicOp};

use crate::context::Context;
use crate::conv;
use crate::state::fragment::BlendUnit;
use crate::state::framebuffers::FramebufferFacts;

/// A factor over a destination whose alpha must read as one (GL 4.6 core 17.3.6: a format without alpha has alpha 1).
fn without_destination_alpha(factor: BlendFactor) -> BlendFactor {
    match factor {
        BlendFactor::DST_ALPHA => BlendFactor::ONE,
        // The smaller of source alpha and 1 - 1.
        BlendFactor::ONE_MINUS_DST_ALPHA | BlendFactor::SRC_ALPHA_SATURATE => BlendFactor::ZERO,
        other => other,
    }
}

fn attachment(unit: &BlendUnit, integer: bool, alpha_hidden: bool, logic_op: bool) -> BlendAttachment {
    let mut out = BlendAttachment::zeroed();
    out.write_mask = if alpha_hidden { unit.write_mask & 0b0111 } else { unit.write_mask };
    // GL 4.6 core 17.3.6: no blending into integer buffers, nor with a logic operation.
    if !unit.enabled || integer || logic_op {
        return out;
    }
    let mut factors = unit.factors.map(|f| conv::blend_factor(f).unwrap_or_default());
    if alpha_hidden {
        factors = factors.map(without_destination_alpha);
    }
    // The alpha factor SRC_ALPHA_SATURATE is one (GL 4.6 core table 17.2).
    for alpha in &mut factors[2..] {
        if *alpha == BlendFactor::SRC_ALPHA_SATURATE {
            *alpha = BlendFactor::ONE;
        }
    }
    let [color_op, alpha_op] = unit.equation.map(|e| conv::blend_op(e).unwrap_or_default());
    // Minimum and maximum ignore the factors, so equal meaning gets equal content.
    let ignores = |op: BlendOp| matches!(op, BlendOp::MIN | BlendOp::MAX);
    let keep = |op, factor| if ignores(op) { BlendFactor::ONE } else { factor };
    out.enable = 1;
    out.src_color = keep(color_op, factors[0]);
    out.dst_color = keep(color_op, factors[1]);
    out.color_op = color_op;
    out.src_alpha = keep(alpha_op, factors[2]);
    out.dst_alpha = keep(alpha_op, factors[3]);
    out.alpha_op = alpha_op;
    out
}

/// Whether the buffers of the draw framebuffer blend or are masked differently.
pub(crate) fn is_independent(ctx: &Context) -> bool {
    derive(ctx, &super::framebuffer::facts(ctx)).independent != 0
}

/// Blend state as a framebuffer needs it.
fn derive(ctx: &Context, facts: &FramebufferFacts) -> BlendState {
    let fragment = &ctx.state.fragment;
    let mut state = BlendState::zeroed();
    if fragment.logic_op_enabled {
        state.logic_op_enable = 1;
        state.logic_op = conv::logic_op(fragment.logic_op).unwrap_or(LogicOp::COPY);
    }
    // GL 4.6 core 17.3.1: alpha to coverage and alpha to one need multisampling.
    if ctx.state.raster.multisample && facts.samples > 1 {
        state.alpha_to_coverage = u8::from(fragment.alpha_to_coverage);
        state.alpha_to_one = u8::from(fragment.alpha_to_one);
    }
    let count = usize::from(facts.color_count);
    let alike = !fragment.blend_independent && facts.color_integer == 0 && facts.alpha_hidden == 0;
    if alike || count <= 1 {
        let (integer, hidden) = (facts.color_integer & 1 != 0, facts.alpha_hidden & 1 != 0);
        let first = attachment(&fragment.blend[0], integer, hidden, fragment.logic_op_enabled);
        state.attachments[..count].fill(first);
        return state;
    }
    for (index, out) in state.attachments[..count].iter_mut().enumerate() {
        let bit = 1 << index;
        let (integer, hidden) = (facts.color_integer & bit != 0, facts.alpha_hidden & bit != 0);
        *out = attachment(&fragment.blend[index], integer, hidden, fragment.logic_op_enabled);
    }
    state.independent = u8::from(state.attachments[..count].iter().any(|a| *a != state.attachments[0]));
    state
}

/// Blend state.
pub fn push(ctx: &mut Context) {
    let state = derive(ctx, &ctx.state.framebuffers.facts);
    // A driver without logic operations writes colours as GL_COPY does.
    if state.logic_op_enable != 0
        && state.logic_op != LogicOp::COPY
        && !ctx.device.caps.features.contains(Features::LOGIC_OP)
    {
        ctx.tell_once("the device has no logic operations: colours are written as by GL_COPY");
    }
    let bound = ctx.cso.bound_blend;
    let id = ctx.cso.blends.get(&ctx.device, &state, |id| id == bound);
    if id != bound {
        ctx.cso.bound_blend = id;
        ctx.pipe.bind_blend(id);
    }
}

/// Blend colour.
pub fn push_color(ctx: &mut Context) {
    ctx.pipe.set_blend_color(&ctx.state.fragment.blend_color.map(F32::new));
}
