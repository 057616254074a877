//! Caches of the driver's content-addressed state objects, one per kind and context.
//!
//! A lookup compares with the entry used last, then goes by hash and full comparison. A full cache gives up its
//! least recently used entry that isn't bound.

use std::marker::PhantomData;

use bytemuck::Pod;
use gallite_pipe::{
    BlendId, BlendState, DepthStencilId, DepthStencilState, RasterizerId, RasterizerState, SamplerId, SamplerState,
    SamplerViewDesc, SamplerViewId, Screen, VertexElements, VertexElementsId,
};
use hashbrown::HashTable;

use crate::device::{Device, MintedHandle};

/// A kind of state object.
pub trait CsoKind {
    /// Content.
    type State: Pod + Eq;
    /// Handle.
    type Id: MintedHandle;
    /// Entries kept.
    const CAPACITY: usize;
    /// Makes the driver's object.
    fn create(screen: &dyn Screen, id: Self::Id, state: &Self::State);
    /// Destroys it.
    fn destroy(screen: &dyn Screen, id: Self::Id);
    /// Hash of a content.
    fn hash(state: &Self::State) -> u64 {
        hash_bytes(bytemuck::bytes_of(state))
    }
    /// Whether two contents are equal. They have no padding, so their bytes say it.
    #[inline]
    fn same(a: &Self::State, b: &Self::State) -> bool {
        bytemuck::bytes_of(a) == bytemuck::bytes_of(b)
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident: $state:ty => $id:ty, $capacity:literal, $create:ident, $destroy:ident;)+) => {
        $(
            $(#[$doc])*
            pub struct $kind;
            impl CsoKind for $kind {
                type State = $state;
                type Id = $id;
                const CAPACITY: usize = $capacity;
                fn create(screen: &dyn Screen, id: Self::Id, state: &Self::State) {
                    screen.$create(id, state);
                }
                fn destroy(screen: &dyn Screen, id: Self::Id) {
                    screen.$destroy(id);
                }
            }
        )+
    };
}

kinds! {
    /// Blend state.
    Blends: BlendState => BlendId, 256, create_blend, destroy_blend;
    /// Depth and stencil state.
    DepthStencils: DepthStencilState => DepthStencilId, 256, create_depth_stencil, destroy_depth_stencil;
    /// Rasterizer state.
    Rasterizers: RasterizerState => RasterizerId, 256, create_rasterizer, destroy_rasterizer;
    /// Samplers.
    Samplers: SamplerState => SamplerId, 256, create_sampler, destroy_sampler;
    /// Sampler views.
    SamplerViews: SamplerViewDesc => SamplerViewId, 4096, create_sampler_view, destroy_sampler_view;
}

/// Vertex fetch layouts.
pub struct VertexLayouts;

impl VertexLayouts {
    /// The parts in use; the rest is zero.
    fn used(state: &VertexElements) -> (&[u8], &[u8]) {
        (
            bytemuck::cast_slice(&state.elements[..state.element_count as usize]),
            bytemuck::cast_slice(&state.bindings[..state.binding_count as usize]),
        )
    }
}

impl CsoKind for VertexLayouts {
    type State = VertexElements;
    type Id = VertexElementsId;
    const CAPACITY: usize = 1024;
    fn create(screen: &dyn Screen, id: Self::Id, state: &Self::State) {
        screen.create_vertex_elements(id, state);
    }
    fn destroy(screen: &dyn Screen, id: Self::Id) {
        screen.destroy_vertex_elements(id);
    }
    fn hash(state: &Self::State) -> u64 {
        let (elements, bindings) = Self::used(state);
        hash_bytes(elements) ^ hash_bytes(bindings).rotate_left(32)
    }
    fn same(a: &Self::State, b: &Self::State) -> bool {
        a.element_count == b.element_count && a.binding_count == b.binding_count && Self::used(a) == Self::used(b)
    }
}

struct Entry<K: CsoKind> {
    state: K::State,
    id: K::Id,
    hash: u64,
    used: u64,
}

/// A cache of one kind.
pub struct CsoCache<K: CsoKind> {
    entries: Vec<Entry<K>>,
    index: HashTable<u32>,
    last: usize,
    clock: u64,
    removals: u64,
    kind: PhantomData<K>,
}

impl<K: CsoKind> Default for CsoCache<K> {
    fn default() -> Self {
        Self { entries: Vec::new(), index: HashTable::new(), last: 0, clock: 0, removals: 0, kind: PhantomData }
    }
}

/// Hashes plain data eight bytes at a time.
fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    let mut mix = |word: u64| hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x2127_599b_f432_5c37);
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        mix(u64::from_le_bytes(word.try_into().unwrap_or_default()));
    }
    let mut rest = [0; 8];
    rest[..words.remainder().len()].copy_from_slice(words.remainder());
    mix(u64::from_le_bytes(rest));
    hash ^ hash >> 29
}

impl<K: CsoKind> CsoCache<K> {
    /// The object for a content, made when there is none. `is_bound` names objects that must not be evicted.
    #[inline]
    pub fn get(&mut self, device: &Device, state: &K::State, is_bound: impl Fn(K::Id) -> bool) -> K::Id {
        if let Some(entry) = self.entries.get(self.last)
            && K::same(&entry.state, state)
        {
            return entry.id;
        }
        self.find(device, state, is_bound)
    }

    fn find(&mut self, device: &Device, state: &K::State, is_bound: impl Fn(K::Id) -> bool) -> K::Id {
        let hash = K::hash(state);
        let entries = &mut self.entries;
        let found = self.index.find(hash, |i| {
            let entry = &entries[*i as usize];
            entry.hash == hash && K::same(&entry.state, state)
        });
        self.clock += 1;
        if let Some(index) = found {
            self.last = *index as usize;
            entries[self.last].used = self.clock;
            return entries[self.last].id;
        }
        let id = device.mint();
        K::create(&*device.screen, id, state);
        let entry = Entry { state: *state, id, hash, used: self.clock };
        self.last = if entries.len() < K::CAPACITY { entries.len() } else { self.victim(device, is_bound) };
        if self.last < self.entries.len() {
            self.entries[self.last] = entry;
        } else {
            self.entries.push(entry);
        }
        let entries = &self.entries;
        self.index.insert_unique(hash, self.last as u32, |i| entries[*i as usize].hash);
        id
    }

    /// Destroys the entry unused for longest and returns its place; a place at the end when all are bound.
    fn victim(&mut self, device: &Device, is_bound: impl Fn(K::Id) -> bool) -> usize {
        let free = self.entries.iter().enumerate().filter(|(_, e)| !is_bound(e.id));
        let Some((place, entry)) = free.min_by_key(|(_, e)| e.used) else { return self.entries.len() };
        K::destroy(&*device.screen, entry.id);
        device.release(entry.id);
        self.removals += 1;
        if let Ok(occupied) = self.index.find_entry(entry.hash, |i| *i as usize == place) {
            occupied.remove();
        }
        place
    }

    /// Removes entries that fail the test, for instance views of a destroyed texture.
    pub fn retain(&mut self, device: &Device, keep: impl Fn(&K::State) -> bool) {
        let mut place = 0;
        while place < self.entries.len() {
            if keep(&self.entries[place].state) {
                place += 1;
                continue;
            }
            let entry = self.entries.swap_remove(place);
            self.removals += 1;
            K::destroy(&*device.screen, entry.id);
            device.release(entry.id);
        }
        self.last = 0;
        self.index.clear();
        let entries = &self.entries;
        for (place, entry) in entries.iter().enumerate() {
            self.index.insert_unique(entry.hash, place as u32, |i| entries[*i as usize].hash);
        }
    }

    /// Destroys all entries.
    pub fn clear(&mut self, device: &Device) {
        self.retain(device, |_| false);
    }

    /// Moves whenever an object is destroyed: while it stands still, an object got earlier is alive.
    #[inline]
    pub fn removals(&self) -> u64 {
        self.removals
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// All caches of a context, and what it last bound of each single-object kind.
#[derive(Default)]
pub struct CsoCaches {
    /// Blend state.
    pub blends: CsoCache<Blends>,
    /// Depth and stencil state.
    pub depth_stencils: CsoCache<DepthStencils>,
    /// Rasterizer state.
    pub rasterizers: CsoCache<Rasterizers>,
    /// Vertex fetch layouts.
    pub vertex_layouts: CsoCache<VertexLayouts>,
    /// Samplers.
    pub samplers: CsoCache<Samplers>,
    /// Sampler views.
    pub sampler_views: CsoCache<SamplerViews>,
    /// Blend state bound in the driver.
    pub bound_blend: BlendId,
    /// Depth-stencil state bound in the driver.
    pub bound_depth_stencil: DepthStencilId,
    /// Rasterizer state bound in the driver.
    pub bound_rasterizer: RasterizerId,
    /// Vertex layout bound in the driver.
    pub bound_vertex_layout: VertexElementsId,
}

impl CsoCaches {
    /// Destroys everything.
    pub fn clear(&mut self, device: &Device) {
        self.blends.clear(device);
        self.depth_stencils.clear(device);
        self.rasterizers.clear(device);
        self.vertex_layouts.clear(device);
        self.samplers.clear(device);
        self.sampler_views.clear(device);
    }
}
