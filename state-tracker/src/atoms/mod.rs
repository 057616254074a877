//! The atoms: every piece of state that crosses to the driver, when it crosses, and in which order.
//!
//! A setter sets dirty bits. A verb turns them into atoms still to run ([`AtomSet`]) and runs, in the order of
//! [`ATOMS`], those its class needs; the others wait for a verb that needs them.

use crate::context::Context;
use crate::dirty::DirtySet;

pub(crate) mod blend;
mod buffers;
mod depth_stencil;
pub(crate) mod framebuffer;
mod images;
mod patches;
mod program;
mod raster;
mod render_condition;
mod samples;
pub(crate) mod textures;
mod transform_feedback;
mod uniforms;
pub(crate) mod vertex;
pub(crate) mod viewport;

/// Classes of verbs by the state they read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verbs(u8);

impl Verbs {
    /// Draws.
    pub const DRAW: Self = Self(1);
    /// Clears of the bound framebuffer.
    pub const CLEAR: Self = Self(2);
    /// Blits that honour the render condition.
    pub const BLIT: Self = Self(4);
    /// Compute dispatches.
    pub const DISPATCH: Self = Self(8);

    const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// One piece of state.
pub struct Atom {
    /// For messages.
    pub name: &'static str,
    /// Dirty bits that wake it.
    pub wakes_on: DirtySet,
    /// Verbs that need it.
    pub verbs: Verbs,
    /// Pushes it to the driver.
    pub push: fn(&mut Context),
}

macro_rules! atoms {
    ($($id:ident: $module:ident::$push:ident, [$($bit:ident)|+], $verbs:expr;)+) => {
        /// Position of each atom in [`ATOMS`].
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum AtomId { $(#[allow(missing_docs)] $id),+ }

        /// All atoms in the order they run.
        pub static ATOMS: [Atom; AtomId::COUNT] = [
            $(Atom {
                name: stringify!($id),
                wakes_on: DirtySet::NONE$(.union(DirtySet::$bit))+,
                verbs: $verbs,
                push: $module::$push,
            }),+
        ];

        impl AtomId {
            /// Number of atoms.
            pub const COUNT: usize = [$(AtomId::$id),+].len();

            /// The atom of this name.
            pub fn by_name(name: &str) -> Option<Self> {
                [$(Self::$id),+].into_iter().find(|id| ATOMS[*id as usize].name == name)
            }
        }

        const WAKES: [DirtySet; AtomId::COUNT] = [$(DirtySet::NONE$(.union(DirtySet::$bit))+),+];
        const SERVES: [Verbs; AtomId::COUNT] = [$($verbs),+];
    };
}

atoms! {
    Framebuffer: framebuffer::push, [FRAMEBUFFER], Verbs::DRAW.or(Verbs::CLEAR);
    RenderCondition: render_condition::push, [RENDER_CONDITION], Verbs::DRAW.or(Verbs::CLEAR).or(Verbs::BLIT);
    Program: program::push, [PROGRAM], Verbs::DRAW;
    Viewport: viewport::push_viewports, [VIEWPORT], Verbs::DRAW;
    Scissor: viewport::push_scissors, [SCISSOR], Verbs::DRAW;
    Rasterizer: raster::push, [RASTERIZER | FRAMEBUFFER], Verbs::DRAW;
    Blend: blend::push, [BLEND | FRAMEBUFFER], Verbs::DRAW;
    BlendColor: blend::push_color, [BLEND_COLOR], Verbs::DRAW;
    DepthStencil: depth_stencil::push, [DEPTH_STENCIL | FRAMEBUFFER], Verbs::DRAW;
    StencilReference: depth_stencil::push_reference, [STENCIL_REF | FRAMEBUFFER], Verbs::DRAW;
    SampleMask: samples::push_mask, [SAMPLE_MASK | FRAMEBUFFER], Verbs::DRAW;
    MinSamples: samples::push_min, [MIN_SAMPLES | FRAMEBUFFER], Verbs::DRAW;
    Patches: patches::push, [PATCH], Verbs::DRAW;
    VertexElements: vertex::push_elements, [VERTEX_ARRAY | PROGRAM | CURRENT_ATTRIBUTES], Verbs::DRAW;
    VertexBuffers: vertex::push_buffers, [VERTEX_BUFFERS | VERTEX_ARRAY | PROGRAM | CURRENT_ATTRIBUTES], Verbs::DRAW;
    StateValues: uniforms::wake_for_state, [STATE_VALUES], Verbs::DRAW;
    Uniforms: uniforms::push, [UNIFORMS | PROGRAM], Verbs::DRAW;
    UniformBuffers: buffers::push_uniform, [UNIFORM_BUFFERS | PROGRAM], Verbs::DRAW;
    StorageBuffers: buffers::push_storage, [STORAGE_BUFFERS | ATOMIC_BUFFERS | PROGRAM], Verbs::DRAW;
    Textures: textures::push, [TEXTURES | SAMPLERS | PROGRAM], Verbs::DRAW;
    TextureUnits: textures::push_units, [TEXTURE_UNITS], Verbs::DRAW;
    Images: images::push, [IMAGES | TEXTURES | PROGRAM], Verbs::DRAW;
    TransformFeedback: transform_feedback::push, [XFB | PROGRAM], Verbs::DRAW;
    ComputeProgram: program::push_compute, [PROGRAM], Verbs::DISPATCH;
    ComputeStateValues: uniforms::wake_for_state_compute, [STATE_VALUES], Verbs::DISPATCH;
    ComputeUniforms: uniforms::push_compute, [UNIFORMS | PROGRAM], Verbs::DISPATCH;
    ComputeUniformBuffers: buffers::push_uniform_compute, [UNIFORM_BUFFERS | PROGRAM], Verbs::DISPATCH;
    ComputeStorageBuffers: buffers::push_storage_compute, [STORAGE_BUFFERS | ATOMIC_BUFFERS | PROGRAM], Verbs::DISPATCH;
    ComputeTextures: textures::push_compute, [TEXTURES | SAMPLERS | PROGRAM | TEXTURE_UNITS], Verbs::DISPATCH;
    ComputeImages: images::push_compute, [IMAGES | TEXTURES | PROGRAM], Verbs::DISPATCH;
}

/// Atoms that must run after another, because they read what it left behind.
const AFTER: &[(AtomId, AtomId)] = &[
    (AtomId::Viewport, AtomId::Program),
    (AtomId::Scissor, AtomId::Program),
    (AtomId::Rasterizer, AtomId::Framebuffer),
    (AtomId::Blend, AtomId::Framebuffer),
    (AtomId::DepthStencil, AtomId::Framebuffer),
    (AtomId::StencilReference, AtomId::Framebuffer),
    (AtomId::SampleMask, AtomId::Framebuffer),
    (AtomId::MinSamples, AtomId::Framebuffer),
    (AtomId::VertexElements, AtomId::Program),
    (AtomId::VertexBuffers, AtomId::VertexElements),
    (AtomId::StateValues, AtomId::Program),
    (AtomId::Uniforms, AtomId::StateValues),
    (AtomId::UniformBuffers, AtomId::Program),
    (AtomId::StorageBuffers, AtomId::Program),
    (AtomId::Textures, AtomId::Program),
    (AtomId::TextureUnits, AtomId::Textures),
    (AtomId::Images, AtomId::Program),
    (AtomId::TransformFeedback, AtomId::Program),
    (AtomId::ComputeStateValues, AtomId::ComputeProgram),
    (AtomId::ComputeUniforms, AtomId::ComputeStateValues),
    (AtomId::ComputeUniformBuffers, AtomId::ComputeProgram),
    (AtomId::ComputeStorageBuffers, AtomId::ComputeProgram),
    (AtomId::ComputeTextures, AtomId::ComputeProgram),
    (AtomId::ComputeImages, AtomId::ComputeProgram),
];

const _: () = {
    let mut i = 0;
    while i < AFTER.len() {
        assert!(AFTER[i].0 as u8 > AFTER[i].1 as u8, "an atom runs before one it depends on");
        i += 1;
    }
    assert!(AtomId::COUNT <= 64);
};

/// Atoms that are still to run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AtomSet(u64);

/// The atoms each dirty bit wakes.
const WOKEN_BY: [AtomSet; DirtySet::COUNT] = {
    let mut table = [AtomSet(0); DirtySet::COUNT];
    let mut bit = 0;
    while bit < DirtySet::COUNT {
        let mut atom = 0;
        while atom < AtomId::COUNT {
            if WAKES[atom].intersects(DirtySet::from_index(bit)) {
                table[bit].0 |= 1 << atom;
            }
            atom += 1;
        }
        bit += 1;
    }
    table
};

impl AtomSet {
    /// The atoms a class of verbs needs.
    pub const fn serving(verbs: Verbs) -> Self {
        let mut set = 0;
        let mut atom = 0;
        while atom < AtomId::COUNT {
            if SERVES[atom].intersects(verbs) {
                set |= 1 << atom;
            }
            atom += 1;
        }
        Self(set)
    }

    /// Adds what a set of dirty bits wakes.
    #[inline]
    pub fn wake(&mut self, dirty: DirtySet) {
        for bit in dirty.indices() {
            self.0 |= WOKEN_BY[bit].0;
        }
    }

    /// Whether any of `other` is in the set.
    #[inline(always)]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Adds an atom.
    pub fn insert(&mut self, atom: AtomId) {
        self.0 |= 1 << atom as u8;
    }

    /// The atoms that are not in `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// Runs, in order, the atoms of `needed` that are pending.
pub fn run(ctx: &mut Context, needed: AtomSet) {
    loop {
        // Read again each time: an atom may wake later ones.
        let left = ctx.pending.0 & needed.0;
        if left == 0 {
            return;
        }
        let index = left.trailing_zeros() as usize;
        ctx.pending.0 &= !(1 << index);
        (ATOMS[index].push)(ctx);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_leaves_what_the_framebuffer_woke_for_draws() {
        let mut pending = AtomSet::default();
        pending.wake(DirtySet::FRAMEBUFFER);
        let clear = AtomSet::serving(Verbs::CLEAR);
        assert!(pending.intersects(clear));
        let left = AtomSet(pending.0 & !clear.0);
        assert!(left.0 & (1 << AtomId::Blend as u8) != 0, "blend depends on attachment formats");
    }
}
