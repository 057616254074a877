//! Typed handles and the allocator that mints them.
//!
//! The state tracker mints every handle; a driver only ever receives them. A slot is reused only with
//! a higher generation, so a driver that keeps the generation beside its object notices a stale handle
//! instead of following it.

use crate::pod::{AnyHandle, InvalidValue, Validate};
use std::marker::PhantomData;

/// What all handle types share.
pub trait Handle: bytemuck::Pod + Eq + std::hash::Hash + std::fmt::Debug + Send + Sync {
    /// The kind's name, for messages.
    const KIND: &'static str;
    /// Builds a handle from its parts; `{0, 0}` is null.
    fn from_parts(slot: u32, generation: u32) -> Self;
    /// Index into the kind's slot space.
    fn slot(self) -> u32;
    /// Generation of the slot; zero only in the null handle.
    fn generation(self) -> u32;
    /// Whether this is the null handle.
    fn is_null(self) -> bool {
        self.generation() == 0
    }
}

macro_rules! handles {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub struct $name { slot: u32, generation: u32 }

        impl $name {
            /// The null handle: "nothing bound".
            pub const NULL: Self = Self { slot: 0, generation: 0 };
            /// Index into the kind's slot space.
            #[inline]
            pub const fn slot(self) -> u32 { self.slot }
            /// Generation of the slot; zero only in the null handle.
            #[inline]
            pub const fn generation(self) -> u32 { self.generation }
            /// Whether this is the null handle.
            #[inline]
            pub const fn is_null(self) -> bool { self.generation == 0 }
        }
        impl Handle for $name {
            const KIND: &'static str = stringify!($name);
            #[inline]
            fn from_parts(slot: u32, generation: u32) -> Self { Self { slot, generation } }
            #[inline]
            fn slot(self) -> u32 { self.slot }
            #[inline]
            fn generation(self) -> u32 { self.generation }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                if self.is_null() { f.write_str(concat!(stringify!($name), "(null)")) }
                else { write!(f, concat!(stringify!($name), "({}v{})"), self.slot, self.generation) }
            }
        }
        impl Validate for $name {
            fn validate(&self) -> Result<(), InvalidValue> {
                // A null generation with a slot is no handle anyone mints.
                if self.generation == 0 && self.slot != 0 { Err(InvalidValue(stringify!($name))) } else { Ok(()) }
            }
            fn clamp(&mut self) {
                if self.generation == 0 { self.slot = 0; }
            }
            fn visit_handles(&self, visit: &mut dyn FnMut(AnyHandle)) {
                visit(AnyHandle { kind: stringify!($name), slot: self.slot, generation: self.generation });
            }
        }
    )+ };
}

handles! {
    /// A linear range of bytes.
    BufferId,
    /// An image with levels, layers and samples, or a buffer seen as texels.
    TextureId,
    /// How a shader samples a texture.
    SamplerViewId,
    /// Blend state object.
    BlendId,
    /// Depth and stencil test state object.
    DepthStencilId,
    /// Rasterizer state object.
    RasterizerId,
    /// Vertex fetch layout object.
    VertexElementsId,
    /// Sampler state object.
    SamplerId,
    /// A linked set of graphics stages, or one compute stage.
    ShaderId,
    /// A query object.
    QueryId,
    /// A transform feedback capture target: a buffer range with its own write position.
    XfbTargetId,
    /// A point in a context's command stream that can be waited for.
    FenceId,
    /// A native window that images are presented to.
    WindowId,
}

/// Slots of one kind that a driver serves: a tracker with more live objects is broken.
pub const MAX_HANDLE_SLOTS: u32 = 1 << 24;

/// Mints handles of one kind. Not thread safe: the owner keeps it behind its own lock.
#[derive(Debug)]
pub struct HandleAllocator<H> {
    generations: Vec<u32>,
    free: Vec<u32>,
    kind: PhantomData<H>,
}

impl<H: Handle> Default for HandleAllocator<H> {
    fn default() -> Self {
        Self { generations: Vec::new(), free: Vec::new(), kind: PhantomData }
    }
}

impl<H: Handle> HandleAllocator<H> {
    /// An allocator with no live handle.
    pub fn new() -> Self {
        Self::default()
    }

    /// Mints a handle that no earlier call returned.
    pub fn alloc(&mut self) -> H {
        if let Some(slot) = self.free.pop() {
            return H::from_parts(slot, self.generations[slot as usize]);
        }
        let slot = u32::try_from(self.generations.len()).expect("fewer than 2^32 live handles of one kind");
        self.generations.push(1);
        H::from_parts(slot, 1)
    }

    /// Gives a handle back. The slot returns with a higher generation; a slot whose generations are
    /// used up is retired. Freeing a stale or null handle is ignored and returns false.
    pub fn free(&mut self, handle: H) -> bool {
        let Some(generation) = self.generations.get_mut(handle.slot() as usize) else { return false };
        if handle.is_null() || *generation != handle.generation() {
            return false;
        }
        match generation.checked_add(1) {
            Some(next) => {
                *generation = next;
                self.free.push(handle.slot());
            }
            None => *generation = 0,
        }
        true
    }

    /// Number of handles minted and not freed.
    pub fn live(&self) -> usize {
        self.generations.iter().filter(|&&g| g != 0).count() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_return_with_a_higher_generation() {
        let mut alloc = HandleAllocator::<BufferId>::new();
        let first = alloc.alloc();
        assert!(!first.is_null());
        assert!(alloc.free(first));
        assert!(!alloc.free(first), "a stale handle must not free the slot twice");
        let second = alloc.alloc();
        assert_eq!(second.slot(), first.slot());
        assert!(second.generation() > first.generation());
        assert_eq!(alloc.live(), 1);
    }

    #[test]
    fn null_is_never_minted_or_freed() {
        let mut alloc = HandleAllocator::<TextureId>::new();
        assert!(!alloc.free(TextureId::NULL));
        assert_ne!(alloc.alloc(), TextureId::NULL);
    }
}
