//! Depth and stencil tests.

use bytemuck::Zeroable;
use gallite_pipe::{DepthStencilState, StencilFace};

use crate::context::Context;
use crate::conv;
use crate::state::fragment::StencilFace as GlStencilFace;

fn face(gl: &GlStencilFace) -> StencilFace {
    let [fail, depth_fail, pass] = gl.ops.map(|op| conv::stencil_op(op).unwrap_or_default());
    StencilFace {
        func: conv::compare_func(gl.func).unwrap_or_default(),
        fail_op: fail,
        depth_fail_op: depth_fail,
        pass_op: pass,
        compare_mask: gl.compare_mask as u8,
        write_mask: gl.write_mask as u8,
    }
}

/// Depth and stencil state. GL 4.6 core 17.3.3, 17.3.4: without the attachment a test always passes and writes nothing.
pub fn push(ctx: &mut Context) {
    let fragment = &ctx.state.fragment;
    let facts = &ctx.state.framebuffers.facts;
    let mut state = DepthStencilState::zeroed();
    if fragment.depth_test && facts.depth {
        state.depth_test = 1;
        state.depth_write = u8::from(fragment.depth_mask);
        state.depth_func = conv::compare_func(fragment.depth_func).unwrap_or_default();
    }
    if fragment.stencil_test && facts.stencil {
        state.stencil_test = 1;
        state.front = face(&fragment.stencil[0]);
        state.back = face(&fragment.stencil[1]);
    }
    let bound = ctx.cso.bound_depth_stencil;
    let id = ctx.cso.depth_stencils.get(&ctx.device, &state, |id| id == bound);
    if id != bound {
        ctx.cso.bound_depth_stencil = id;
        ctx.pipe.bind_depth_stencil(id);
    }
}

/// Stencil references, clamped to the range of an 8-bit stencil buffer (GL 4.6 core 17.3.3).
pub fn push_reference(ctx: &mut Context) {
    let [front, back] = ctx.state.fragment.stencil.map(|f| f.reference.clamp(0, 255) as u32);
    ctx.pipe.set_stencil_reference(front, back);
}
