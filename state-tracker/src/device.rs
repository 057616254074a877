//! A screen with what the tracker keeps beside it: handle allocators, limits, extensions.
//!
//! One per driver instance. The winsys makes it and mints its windows and their textures from the same allocators,
//! because slots of a kind are one space per screen.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gallite_pipe::{
    BlendId, BufferId, Caps, DepthStencilId, FenceId, Format, FormatCaps, Handle, HandleAllocator, Outcome, QueryId,
    RasterizerId, SamplerId, SamplerViewId, Screen, ShaderId, TextureId, VertexElementsId, WindowId, XfbTargetId,
};
use gallite_shader::ShaderCache;
use gallite_shader::cache::DiskCache;
use gallite_shader::pool::Pool;
use parking_lot::Mutex;

use crate::atoms::{AtomId, AtomSet};

/// Allocators of every kind of handle. Locked only when objects are made or destroyed.
#[derive(Default)]
pub struct Handles {
    buffers: Mutex<HandleAllocator<BufferId>>,
    textures: Mutex<HandleAllocator<TextureId>>,
    sampler_views: Mutex<HandleAllocator<SamplerViewId>>,
    blends: Mutex<HandleAllocator<BlendId>>,
    depth_stencils: Mutex<HandleAllocator<DepthStencilId>>,
    rasterizers: Mutex<HandleAllocator<RasterizerId>>,
    vertex_elements: Mutex<HandleAllocator<VertexElementsId>>,
    samplers: Mutex<HandleAllocator<SamplerId>>,
    shaders: Mutex<HandleAllocator<ShaderId>>,
    queries: Mutex<HandleAllocator<QueryId>>,
    xfb_targets: Mutex<HandleAllocator<XfbTargetId>>,
    fences: Mutex<HandleAllocator<FenceId>>,
    windows: Mutex<HandleAllocator<WindowId>>,
}

/// A kind of handle with its place in [`Handles`].
pub trait MintedHandle: Handle {
    /// The kind's allocator.
    fn allocator(handles: &Handles) -> &Mutex<HandleAllocator<Self>>;
}

macro_rules! minted {
    ($($kind:ty => $field:ident,)+) => {
        $(impl MintedHandle for $kind {
            fn allocator(handles: &Handles) -> &Mutex<HandleAllocator<Self>> {
                &handles.$field
            }
        })+
    };
}

minted! {
    BufferId => buffers,
    TextureId => textures,
    SamplerViewId => sampler_views,
    BlendId => blends,
    DepthStencilId => depth_stencils,
    RasterizerId => rasterizers,
    VertexElementsId => vertex_elements,
    SamplerId => samplers,
    ShaderId => shaders,
    QueryId => queries,
    XfbTargetId => xfb_targets,
    FenceId => fences,
    WindowId => windows,
}

/// Where compiled and linked shaders are kept between runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheFolder {
    /// The folder; it is made when something is kept.
    pub path: PathBuf,
    /// Most bytes kept in it.
    pub limit: u64,
}

/// A screen and what belongs to it.
pub struct Device {
    /// The driver.
    pub screen: Arc<dyn Screen>,
    /// What it can do, read once.
    pub caps: Caps,
    formats: Box<[FormatCaps]>,
    handles: Handles,
    told: Told,
    /// Compiles and links for every context.
    pub(crate) shaders: ShaderCache,
    /// Threads it does so on.
    pub(crate) pool: Pool,
    /// Atoms that a verified verb does not push: the verifier's negative control.
    pub(crate) left_out: AtomSet,
    /// Whether the code of shaders keeps the names of its source.
    pub(crate) named_code: bool,
    /// Executables that no program has any more, since the device was made.
    retired_executables: AtomicU64,
}

/// Slots and generations of objects for which there was no memory and that somebody told of already: the driver's events
/// about them tell nothing new. An event need not come, so the oldest are forgotten.
#[derive(Debug, Default)]
struct Told(Mutex<VecDeque<(u32, u32)>>);

impl Told {
    /// As many as a driver keeps events.
    const MOST: usize = 1024;

    fn note(&self, slot: u32, generation: u32) {
        let mut told = self.0.lock();
        if told.len() == Self::MOST {
            told.pop_front();
        }
        told.push_back((slot, generation));
    }

    /// Forgets an object; false where it was not told of.
    fn take(&self, slot: u32, generation: u32) -> bool {
        let mut told = self.0.lock();
        let found = told.iter().position(|one| *one == (slot, generation));
        found.and_then(|at| told.remove(at)).is_some()
    }
}

impl Device {
    /// Wraps a screen. Without a folder compiled shaders are forgotten with the process.
    pub fn new(screen: Arc<dyn Screen>, cache: Option<CacheFolder>) -> Self {
        let caps = screen.caps();
        let formats = Format::ALL.iter().map(|format| screen.format_caps(*format)).collect();
        let shaders = ShaderCache::new(cache.map(|folder| DiskCache::new(folder.path, folder.limit)));
        Self {
            screen,
            caps,
            formats,
            handles: Handles::default(),
            told: Told::default(),
            shaders,
            pool: Pool::default(),
            left_out: AtomSet::default(),
            named_code: false,
            retired_executables: AtomicU64::new(0),
        }
    }

    /// Lets the code that drivers get keep the names of its source, for whoever looks at it there.
    #[must_use]
    pub fn with_named_code(self, named_code: bool) -> Self {
        Self { named_code, ..self }
    }

    /// Counts an executable that no program has any more.
    pub(crate) fn note_retired_executable(&self) {
        self.retired_executables.fetch_add(1, Ordering::AcqRel);
    }

    /// How many there were, for those who keep what is made of executables.
    #[inline]
    pub(crate) fn retired_executables(&self) -> u64 {
        self.retired_executables.load(Ordering::Acquire)
    }

    /// Makes verbs leave out this atom's push where the driver verifies, so that a test sees the verifier find it.
    pub fn leave_out(&mut self, atom: AtomId) {
        self.left_out.insert(atom);
    }

    /// The smallest supported sample count of at least `samples` for a format.
    pub fn supported_samples(&self, format: Format, samples: u32) -> Option<u32> {
        let counts = self.format_caps(format).sample_counts;
        (samples.max(1)..32).find(|n| counts & 1u32.checked_shl(*n).unwrap_or(0) != 0)
    }

    /// Destroys a sampler view and gives its handle back.
    pub(crate) fn destroy_view(&self, view: SamplerViewId) {
        self.screen.destroy_sampler_view(view);
        self.release(view);
    }

    /// What the screen can do with a format, read once.
    #[inline]
    pub fn format_caps(&self, format: Format) -> FormatCaps {
        self.formats.get(usize::from(format.0)).copied().unwrap_or_default()
    }

    /// Mints a handle of any kind: `let id: BufferId = device.mint();`
    pub fn mint<H: MintedHandle>(&self) -> H {
        H::allocator(&self.handles).lock().alloc()
    }

    /// Whether there was memory to make a texture. Waits. A lost device counts as having it: what happens there is not
    /// about memory. Who asks tells the program, so that the driver's event is not told once more, to whichever context
    /// asks for errors next.
    pub fn has_texture(&self, id: TextureId) -> bool {
        self.tell(self.screen.texture_status(id), id.slot(), id.generation())
    }

    /// The same of a buffer.
    pub fn has_buffer(&self, id: BufferId) -> bool {
        self.tell(self.screen.buffer_status(id), id.slot(), id.generation())
    }

    fn tell(&self, status: Outcome, slot: u32, generation: u32) -> bool {
        let missing = status == Outcome::OUT_OF_MEMORY;
        if missing {
            self.told.note(slot, generation);
        }
        !missing
    }

    /// Whether the event about an object was told already.
    pub(crate) fn was_told(&self, slot: u32, generation: u32) -> bool {
        self.told.take(slot, generation)
    }

    /// Gives a handle back after the driver was told to destroy its object.
    pub fn release<H: MintedHandle>(&self, handle: H) {
        H::allocator(&self.handles).lock().free(handle);
    }
}

#[cfg(test)]
mod tests {
    use super::Told;

    /// Events that a driver dropped leave room for those that come.
    #[test]
    fn what_was_told_is_forgotten_in_the_end() {
        let told = Told::default();
        (0..3000).for_each(|slot| told.note(slot, 1));
        assert!(told.take(2999, 1) && !told.take(2999, 1) && !told.take(0, 1));
    }
}
