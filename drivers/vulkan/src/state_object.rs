//! Content-addressed state objects as the driver keeps them, and the tables that number equal contents alike.

use gallite_pipe::*;
use hashbrown::HashMap;
use parking_lot::Mutex;
use std::hash::Hash;

/// A state object with a number that equal contents share, so that a pipeline key holds four bytes for it.
#[derive(Debug)]
pub(crate) struct StateObject<T> {
    pub state: T,
    pub id: u32,
}

/// Numbers contents from 1.
pub(crate) struct Interner<T> {
    known: Mutex<HashMap<T, u32>>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { known: Mutex::default() }
    }
}

impl<T: Hash + Eq + Clone> Interner<T> {
    /// The number of a content.
    pub fn id(&self, content: &T) -> u32 {
        let mut known = self.known.lock();
        if let Some(&id) = known.get(content) {
            return id;
        }
        let id = known.len() as u32 + 1;
        known.insert(content.clone(), id);
        id
    }

    /// Numbers a content and keeps both together.
    pub fn object(&self, content: &T) -> StateObject<T> {
        StateObject { state: content.clone(), id: self.id(content) }
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
    pub rasterizer: Interner<RasterizerState>,
    pub vertex_elements: Interner<VertexElements>,
    pub targets: Interner<TargetLayout>,
    pub vertex_input: Interner<VertexInput>,
}
