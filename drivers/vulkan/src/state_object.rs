//! Content-addressed state objects as the driver keeps them, and the tables that number equal contents alike.

use gallite_pipe::*;
use hashbrown::HashMap;
use parking_lot::Mutex;
use std::hash::Hash;
use std::sync::Arc;

use crate::variant::TexelSwizzles;

/// A state object with a number that equal contents share, so that a pipeline key holds four bytes for it.
#[derive(Debug)]
pub(crate) struct StateObject<T> {
    pub state: T,
    pub id: u32,
    /// Held by every object of this content.
    _user: Option<Arc<()>>,
}

impl<T: Clone> StateObject<T> {
    /// One whose content no key has, and that needs no number.
    pub fn unnumbered(content: &T) -> Self {
        Self { state: content.clone(), id: 0, _user: None }
    }
}

/// Numbers contents from 1, each number once. Contents that no object has are forgotten when there are many; one that
/// comes again then gets another number, which costs no more than its pipelines.
pub(crate) struct Interner<T> {
    known: Mutex<Known<T>>,
}

struct Known<T> {
    contents: HashMap<T, (u32, Arc<()>)>,
    last: u32,
    /// Contents from which on unused ones are looked for.
    many: usize,
}

/// The least number of contents that are many.
const MANY: usize = 1024;

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { known: Mutex::new(Known { contents: HashMap::new(), last: 0, many: MANY }) }
    }
}

impl<T: Hash + Eq + Clone> Interner<T> {
    /// The number of a content.
    pub fn id(&self, content: &T) -> u32 {
        self.find(content).0
    }

    /// Numbers a content and keeps both together.
    pub fn object(&self, content: &T) -> StateObject<T> {
        let (id, user) = self.find(content);
        StateObject { state: content.clone(), id, _user: Some(user) }
    }

    fn find(&self, content: &T) -> (u32, Arc<()>) {
        let mut known = self.known.lock();
        if let Some(found) = known.contents.get(content) {
            return found.clone();
        }
        if known.contents.len() >= known.many {
            known.contents.retain(|_, (_, user)| Arc::strong_count(user) > 1);
            known.many = (2 * known.contents.len()).max(MANY);
        }
        known.last += 1;
        let entry = (known.last, Arc::new(()));
        known.contents.insert(content.clone(), entry.clone());
        entry
    }
}

/// Native formats of a framebuffer: what a pipeline must know of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TargetLayout {
    pub color: [ash::vk::Format; MAX_COLOR_ATTACHMENTS],
    pub color_count: u32,
    pub depth: ash::vk::Format,
    pub stencil: ash::vk::Format,
    pub samples: u32,
    /// Attachments that can be blended, a bit each.
    pub blendable: u32,
}

impl TargetLayout {
    /// Colour attachments that are there, a bit each.
    pub(crate) fn colors(&self) -> u32 {
        let present = |(i, format): (usize, &ash::vk::Format)| u32::from(*format != ash::vk::Format::UNDEFINED) << i;
        self.color[..self.color_count as usize].iter().enumerate().map(present).sum()
    }
}

/// One attribute or binding of an effective vertex input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct VertexAttribute {
    pub location: u32,
    pub binding: u32,
    pub format: ash::vk::Format,
    pub offset: u32,
}

/// A vertex buffer binding's stepping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct VertexBinding {
    pub binding: u32,
    pub stride: u32,
    pub divisor: u32,
    pub per_instance: bool,
}

/// What a program fetches: its inputs matched with the bound vertex elements.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct VertexInput {
    pub attributes: Vec<VertexAttribute>,
    pub bindings: Vec<VertexBinding>,
    /// The binding that inputs without an element read zeros from, when there is one.
    pub zero_binding: Option<u32>,
}

/// The screen's tables of contents.
#[derive(Default)]
pub(crate) struct Interners {
    pub blend: Interner<BlendState>,
    pub depth_stencil: Interner<DepthStencilState>,
    pub vertex_elements: Interner<VertexElements>,
    pub targets: Interner<TargetLayout>,
    pub vertex_input: Interner<VertexInput>,
    pub texel_swizzles: Interner<TexelSwizzles>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_contents_are_forgotten_and_numbers_are_not_reused() {
        let interner = Interner::<u32>::default();
        let kept = interner.object(&7);
        assert_eq!(interner.object(&7).id, kept.id);
        let mut last = kept.id;
        for content in 100..100 + 10 * MANY as u32 {
            let id = interner.object(&content).id;
            assert!(id > last);
            last = id;
        }
        assert!(interner.known.lock().contents.len() <= MANY);
        assert_eq!(interner.id(&7), kept.id, "what an object has is kept");
        let all: Vec<_> = (0..3 * MANY as u32).map(|content| interner.object(&content)).collect();
        assert!(all.iter().all(|object| interner.id(&object.state) == object.id));
    }
}
