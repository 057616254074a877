//! What every verb does before it reaches the driver: notice changes made elsewhere, then push pending state.

use std::sync::Arc;

use gallite_pipe::PrimitiveMode;

use crate::atoms::{self, AtomSet, Verbs};
use crate::commands::draw_checks::forget_stale;
use crate::context::Context;
use crate::dirty::DirtySet;
use crate::sample_lowering;

const DRAW: AtomSet = AtomSet::serving(Verbs::DRAW);
const CLEAR: AtomSet = AtomSet::serving(Verbs::CLEAR);
const BLIT: AtomSet = AtomSet::serving(Verbs::BLIT);
const DISPATCH: AtomSet = AtomSet::serving(Verbs::DISPATCH);

/// What a change of any shared object may have made stale.
const SHARED: DirtySet = DirtySet::FRAMEBUFFER
    .union(DirtySet::PROGRAM)
    .union(DirtySet::UNIFORMS)
    .union(DirtySet::VERTEX_BUFFERS)
    .union(DirtySet::UNIFORM_BUFFERS)
    .union(DirtySet::STORAGE_BUFFERS)
    .union(DirtySet::ATOMIC_BUFFERS)
    .union(DirtySet::TEXTURES)
    .union(DirtySet::SAMPLERS)
    .union(DirtySet::IMAGES)
    .union(DirtySet::XFB);

/// Brings dirty bits up to date. Every verb, and every query that depends on other contexts' changes, does this first.
#[inline(always)]
pub fn refresh(ctx: &mut Context) {
    if ctx.share_epoch != ctx.share.epoch() || ctx.state.framebuffers.draw_surface.moved() {
        refresh_slow(ctx);
    }
}

#[cold]
#[inline(never)]
fn refresh_slow(ctx: &mut Context) {
    let epoch = ctx.share.epoch();
    if ctx.share_epoch != epoch {
        ctx.share_epoch = epoch;
        ctx.dirty.insert(SHARED);
    }
    let framebuffers = &mut ctx.state.framebuffers;
    if framebuffers.draw_surface.moved() {
        framebuffers.draw_surface.refresh(&mut *ctx.pipe);
        ctx.dirty.insert(DirtySet::FRAMEBUFFER);
    }
    // The read surface is refreshed with it where they are the same, and by reads where they aren't.
    let same = match (&framebuffers.draw_surface.drawable, &framebuffers.read_surface.drawable) {
        (Some(draw), Some(read)) => Arc::ptr_eq(draw, read),
        _ => false,
    };
    if same && framebuffers.read_surface.moved() {
        framebuffers.read_surface.refresh(&mut *ctx.pipe);
    }
}

#[inline(always)]
fn prepare(ctx: &mut Context, needed: AtomSet) {
    if !ctx.dirty.is_empty() {
        let dirty = std::mem::take(&mut ctx.dirty);
        ctx.pending.wake(dirty);
    }
    if ctx.verify {
        return prepare_verified(ctx, needed);
    }
    if ctx.pending.intersects(needed) {
        atoms::run(ctx, needed);
    }
}

/// Pushes all state a draw reads. [`refresh`] and the draw's own checks come first.
#[inline(always)]
pub fn prepare_draw(ctx: &mut Context) {
    prepare(ctx, DRAW);
}

/// Hands a draw to the driver, once all it reads was pushed.
#[inline(always)]
pub fn draw(ctx: &mut Context, mode: PrimitiveMode, draw: impl Fn(&mut dyn gallite_pipe::Context)) {
    let samples = ctx.state.framebuffers.facts.samples;
    if ctx.state.raster.multisample || samples <= 1 {
        draw(&mut *ctx.pipe);
    } else {
        sample_lowering::draw(ctx, mode, samples, draw);
    }
}

/// Pushes all state a clear of the bound framebuffer reads.
pub fn prepare_clear(ctx: &mut Context) {
    forget_stale(ctx);
    prepare(ctx, CLEAR);
}

/// Pushes all state a blit reads.
pub fn prepare_blit(ctx: &mut Context) {
    forget_stale(ctx);
    prepare(ctx, BLIT);
}

/// Pushes all state a dispatch reads. [`refresh`] and the dispatch's own checks come first.
pub fn prepare_dispatch(ctx: &mut Context) {
    forget_stale(ctx);
    prepare(ctx, DISPATCH);
}

/// Pushes state of the verb's own in place of what the atoms derive: the verb's, and no other's. A verifier is told it a
/// second time, as with derived state.
pub fn push_own(ctx: &mut Context, push: impl Fn(&mut dyn gallite_pipe::Context)) {
    push(&mut *ctx.pipe);
    if ctx.verify {
        ctx.pipe.verify_begin();
        push(&mut *ctx.pipe);
        ctx.pipe.verify_end();
    }
}

/// Pushes what is pending, then derives all state of the verb again between the driver's verify brackets; the driver
/// compares.
#[cold]
#[inline(never)]
fn prepare_verified(ctx: &mut Context, needed: AtomSet) {
    let left_out = ctx.left_out;
    atoms::run(ctx, needed.without(left_out));
    ctx.pending = ctx.pending.without(left_out);
    ctx.pipe.verify_begin();
    let pending = ctx.pending;
    ctx.forget_pushed();
    ctx.pending.wake(DirtySet::ALL);
    atoms::run(ctx, needed);
    ctx.pending = pending;
    ctx.pipe.verify_end();
    if needed == DRAW {
        // From the second draw on, so that what the verifier finds is stale state and not missing state.
        ctx.left_out = ctx.device.left_out;
    }
}
