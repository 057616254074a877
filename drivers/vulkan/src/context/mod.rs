//! The context: bound state, and the batch it records into.
//!
//! [`calls`] implements the interface's trait by forwarding to the part that does the work: [`state`] takes what is
//! bound, [`pass`] opens and closes render passes, [`draw`] brings the device's state in line and draws, the rest are verbs.

mod bindings;
mod blend;
mod blit;
mod buffer_ops;
mod calls;
mod clear;
mod compute;
mod condition;
mod copy;
mod draw;
mod dynamic;
mod forget;
mod pass;
mod present;
mod queries;
mod query_copy;
mod resources;
mod state;
mod texture_ops;
mod transfer;
mod xfb_ops;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use ash::vk;
use gallite_pipe::*;
use hashbrown::HashMap;

use crate::barrier::{Access, Pending, Tracker};
use crate::batch::Batches;
use crate::buffer::{Buffer, BufferStorage};
use crate::descriptor::DescriptorArena;
use crate::ffi::{Cmd, MemoryPlace};
use crate::gpu::{Gpu, Stamp};
use crate::pipeline::{Pipeline, PipelineKey};
use crate::query::Query;
use crate::readback::ReadbackPool;
use crate::render_pass::Framebuffers;
use crate::ring::{Piece, UploadRing};
use crate::sampler::{Sampler, SamplerView};
use crate::screen::{Fence, Objects};
use crate::shader::Shader;
use crate::state_object::StateObject;
use crate::table::{Inbox, Mirror};
use crate::texture::{ImageStorage, Texture};
use crate::variant::TexelSwizzles;

pub(crate) use pass::Target;

/// Bytes uploaded in one batch after which it is submitted.
const MAX_BATCH_BYTES: u64 = 96 << 20;
/// Bytes of storage given up during one batch after which it is submitted, so that they come back.
const MAX_BATCH_GARBAGE: u64 = 256 << 20;
/// Verbs recorded in one batch after which it is submitted: command buffers take memory too.
const MAX_BATCH_VERBS: u32 = 1 << 16;

/// What must be looked at again before the next draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dirty(pub u32);

impl Dirty {
    pub const PIPELINE: u32 = 1 << 0;
    pub const VIEWPORT: u32 = 1 << 1;
    pub const SCISSOR: u32 = 1 << 2;
    pub const RASTER: u32 = 1 << 3;
    pub const DEPTH_STENCIL: u32 = 1 << 4;
    pub const STENCIL_REF: u32 = 1 << 5;
    pub const BLEND_COLOR: u32 = 1 << 6;
    pub const VERTEX_BUFFERS: u32 = 1 << 7;
    pub const VERTEX_INPUT: u32 = 1 << 8;
    pub const DEFAULT_BLOCK: u32 = 1 << 9;
    pub const UNIFORM_BUFFERS: u32 = 1 << 10;
    pub const SAMPLERS: u32 = 1 << 11;
    pub const STORAGE_BUFFERS: u32 = 1 << 12;
    pub const IMAGES: u32 = 1 << 13;
    /// Hazards and uses of everything bound.
    pub const RESOURCES: u32 = 1 << 14;
    pub const CONSTANTS: u32 = 1 << 15;
    pub const TOPOLOGY: u32 = 1 << 16;
    pub const FRAMEBUFFER: u32 = 1 << 17;
    /// Blending and the sample mask, where they are dynamic.
    pub const BLEND: u32 = 1 << 18;
    pub const ALL: u32 = (1 << 19) - 1;
    /// Bindings of resources: what changed among them has its hazards looked at, all of them with [`Self::RESOURCES`].
    pub const BINDINGS: u32 =
        Self::VERTEX_BUFFERS | Self::UNIFORM_BUFFERS | Self::SAMPLERS | Self::STORAGE_BUFFERS | Self::IMAGES;
    /// What looks at the framebuffer.
    pub const TARGET: u32 = Self::FRAMEBUFFER
        | Self::PIPELINE
        | Self::VIEWPORT
        | Self::SCISSOR
        | Self::RASTER
        | Self::BLEND
        | Self::CONSTANTS;
}

/// A buffer range that is bound.
#[derive(Clone, Default)]
pub(crate) struct BoundRange {
    pub range: BufferRange,
    pub buffer: Option<Arc<Buffer>>,
    pub storage: Option<Arc<BufferStorage>>,
}

/// A vertex buffer that is bound.
#[derive(Clone, Default)]
pub(crate) struct BoundVertexBuffer {
    pub binding: VertexBuffer,
    pub buffer: Option<Arc<Buffer>>,
    pub storage: Option<Arc<BufferStorage>>,
}

/// A sampled texture that is bound.
#[derive(Clone, Default)]
pub(crate) struct BoundSampler {
    pub binding: SampledBinding,
    pub view: Option<Arc<SamplerView>>,
    pub sampler: Option<Arc<Sampler>>,
}

/// A storage image that is bound.
#[derive(Clone, Default)]
pub(crate) struct BoundImage {
    pub binding: ImageBinding,
    pub texture: Option<Arc<Texture>>,
    pub image: Option<Arc<ImageStorage>>,
    pub view: vk::ImageView,
    /// The texels of a buffer, in place of an image.
    pub texels: Option<Arc<SamplerView>>,
}

/// What one bind point has bound besides fixed-function state.
#[derive(Default)]
pub(crate) struct Stage {
    pub shader_id: ShaderId,
    pub shader: Option<Arc<Shader>>,
    pub default_block: Vec<u8>,
    /// Swizzles of the buffer textures that the shader reads, and their number, as of its last pipeline.
    pub texels: (u32, TexelSwizzles),
    pub uniform_buffers: Vec<BoundRange>,
    pub storage_buffers: Vec<BoundRange>,
    pub storage_writable: u64,
    pub images: Vec<BoundImage>,
    /// What [`Self::images`] had, while the context has let go of it.
    pub held_images: Vec<ImageBinding>,
    pub samplers: Vec<BoundSampler>,
    pub sets: bindings::SetState,
}

/// Everything bound.
pub(crate) struct Bound {
    pub framebuffer: FramebufferState,
    pub blend: Option<Arc<StateObject<BlendState>>>,
    pub depth_stencil: Option<Arc<StateObject<DepthStencilState>>>,
    pub rasterizer: Option<Arc<StateObject<RasterizerState>>>,
    pub vertex_elements: Option<Arc<StateObject<VertexElements>>>,
    pub ids: (BlendId, DepthStencilId, RasterizerId, VertexElementsId),
    pub viewports: [Viewport; MAX_VIEWPORTS],
    pub scissors: [Rect; MAX_VIEWPORTS],
    pub stencil_reference: (u32, u32),
    pub blend_color: Color,
    pub sample_mask: u32,
    pub min_samples: u32,
    pub patch: PatchDefaults,
    pub vertex_buffers: Vec<BoundVertexBuffer>,
    pub stages: [Stage; 2],
}

/// Mirrors of the screen's tables.
#[derive(Default)]
pub(crate) struct Mirrors {
    pub buffers: Mirror<Buffer>,
    pub textures: Mirror<Texture>,
    pub views: Mirror<SamplerView>,
    pub blends: Mirror<StateObject<BlendState>>,
    pub depth_stencils: Mirror<StateObject<DepthStencilState>>,
    pub rasterizers: Mirror<StateObject<RasterizerState>>,
    pub vertex_elements: Mirror<StateObject<VertexElements>>,
    pub samplers: Mirror<Sampler>,
    pub shaders: Mirror<Shader>,
    pub queries: Mirror<Query>,
    pub xfb_targets: Mirror<crate::xfb::XfbTarget>,
}

/// The Vulkan context.
pub(crate) struct VulkanContext {
    pub(crate) gpu: Arc<Gpu>,
    pub(crate) objects: Arc<Objects>,
    lane: usize,
    inbox: Arc<Inbox>,
    mirrors: Mirrors,
    pub(crate) batches: Batches,
    pub(crate) ring: UploadRing,
    readbacks: ReadbackPool,
    descriptors: DescriptorArena,
    framebuffers: Framebuffers,
    pub(crate) tracker: Tracker,
    bound: Bound,
    dirty: u32,
    /// Verbs since the batch began, and the device's count of bytes given up when it did.
    batch_verbs: u32,
    batch_garbage: u64,
    storage_epoch: u64,
    /// The framebuffer as resolved to images.
    target: Option<Box<Target>>,
    /// Layout and orientation of the framebuffer last told to the precompiler.
    likely_target: (u32, bool),
    pass: pass::PassState,
    pipeline_key: PipelineKey,
    pipeline: Option<Arc<Pipeline>>,
    compute_pipeline: Option<Arc<Pipeline>>,
    /// Of its groups, where the shader leaves that open.
    group_size: [u32; 3],
    pipelines: HashMap<PipelineKey, Arc<Pipeline>>,
    /// The pipeline used last by each program, by the low bits of the program's identity.
    recent_pipelines: [Option<(PipelineKey, Arc<Pipeline>)>; 16],
    vertex_input: draw::CurrentVertexInput,
    index_buffer: draw::CurrentIndexBuffer,
    dynamic: dynamic::DynamicState,
    queries: queries::QueryState,
    xfb: xfb_ops::XfbState,
    counters: Counters,
    clip_planes: [Color; MAX_CLIP_PLANES],
    polygon_stipple: [u32; 32],
    /// The program bound for draws stores to buffers or images: what is accessed between its draws is looked at again.
    draws_store: bool,
    debug: bool,
    /// What is bound is to be found again by its handle.
    has_let_go: bool,
}

impl VulkanContext {
    pub fn new(objects: &Arc<Objects>, flags: ContextFlags) -> Result<Self, PipeError> {
        let gpu = objects.gpu.clone();
        if gpu.is_lost() {
            return Err(PipeError::Platform("the device is lost".into()));
        }
        let (lane, serial) = gpu.take_lane().ok_or(PipeError::OutOfMemory)?;
        let bound = Bound {
            framebuffer: FramebufferState { samples: 1, layers: 1, ..Default::default() },
            blend: None,
            depth_stencil: None,
            rasterizer: None,
            vertex_elements: None,
            ids: Default::default(),
            viewports: [Viewport::default(); MAX_VIEWPORTS],
            scissors: [Rect::default(); MAX_VIEWPORTS],
            stencil_reference: (0, 0),
            blend_color: Color::default(),
            sample_mask: u32::MAX,
            min_samples: 1,
            patch: PatchDefaults::default(),
            vertex_buffers: Vec::new(),
            stages: Default::default(),
        };
        Ok(Self {
            lane,
            inbox: objects.open_inbox(),
            mirrors: Mirrors::default(),
            batches: Batches::new(&gpu, lane, serial),
            ring: UploadRing::new(&gpu),
            readbacks: ReadbackPool::default(),
            descriptors: DescriptorArena::new(&gpu),
            framebuffers: Framebuffers::default(),
            tracker: Tracker::default(),
            bound,
            dirty: Dirty::ALL,
            batch_verbs: 0,
            batch_garbage: 0,
            storage_epoch: 0,
            target: None,
            likely_target: (0, false),
            pass: pass::PassState::default(),
            pipeline_key: PipelineKey::default(),
            pipeline: None,
            compute_pipeline: None,
            group_size: [0; 3],
            pipelines: HashMap::new(),
            recent_pipelines: Default::default(),
            vertex_input: draw::CurrentVertexInput::default(),
            index_buffer: draw::CurrentIndexBuffer::default(),
            dynamic: dynamic::DynamicState::default(),
            queries: queries::QueryState::default(),
            xfb: xfb_ops::XfbState::default(),
            counters: Counters::default(),
            clip_planes: [Color::default(); MAX_CLIP_PLANES],
            polygon_stipple: [u32::MAX; 32],
            draws_store: false,
            debug: flags.contains(ContextFlags::DEBUG),
            has_let_go: false,
            objects: objects.clone(),
            gpu,
        })
    }

    pub(crate) fn buffer(&mut self, id: BufferId) -> Option<Arc<Buffer>> {
        self.mirrors.buffers.get(id, &self.objects.buffers).cloned()
    }

    pub(crate) fn texture(&mut self, id: TextureId) -> Option<Arc<Texture>> {
        self.mirrors.textures.get(id, &self.objects.textures).cloned()
    }

    /// Opens a batch if there is none; false when the device cannot.
    #[inline]
    pub(crate) fn ensure_batch(&mut self) -> bool {
        self.batches.is_open() || self.open_batch()
    }

    #[cold]
    fn open_batch(&mut self) -> bool {
        if self.gpu.is_lost() || !self.batches.open() {
            return false;
        }
        self.read_inbox();
        self.tracker.begin_batch();
        self.begin_limits();
        self.forget_device_state();
        true
    }

    /// The command buffer's state is unknown: the next draw sets everything.
    pub(crate) fn forget_device_state(&mut self) {
        self.dirty = Dirty::ALL;
        self.pipeline = None;
        self.compute_pipeline = None;
        self.dynamic = dynamic::DynamicState::default();
        self.vertex_input.forget();
        for stage in &mut self.bound.stages {
            stage.sets.forget();
        }
    }

    #[inline]
    pub(crate) fn stamp(&self) -> Stamp {
        self.batches.stamp()
    }

    /// The main command buffer, outside of a render pass and with pending barriers recorded.
    pub(crate) fn transfer_cmd(&mut self) -> Option<Cmd<'_>> {
        self.end_pass();
        if !self.ensure_batch() {
            return None;
        }
        self.flush_barriers();
        self.batches.main()
    }

    /// Records the barrier that has gathered. Outside of a render pass.
    pub(crate) fn flush_barriers(&mut self) {
        if self.tracker.pending.is_empty() {
            return;
        }
        let p: Pending = std::mem::take(&mut self.tracker.pending);
        if self.gpu.selected.faults.no_barriers {
            return;
        }
        if let Some(cmd) = self.batches.main() {
            self.counters.barriers += 1;
            cmd.memory_barrier(p.src_stages, p.src, p.dst_stages, p.dst);
        }
    }

    /// Notes that main accesses a buffer's storage.
    #[inline]
    pub(crate) fn use_buffer(&mut self, storage: &BufferStorage, access: Access) {
        storage.uses.mark(self.batches.stamp(), &self.gpu);
        self.tracker.access(storage.track, access);
        if access.write || self.draws_store {
            self.dirty |= Dirty::RESOURCES;
        }
    }

    /// Notes that main accesses an image.
    #[inline]
    pub(crate) fn use_image(&mut self, image: &ImageStorage, access: Access) {
        image.uses.mark(self.batches.stamp(), &self.gpu);
        self.tracker.access(image.track, access);
        if self.draws_store {
            self.dirty |= Dirty::RESOURCES;
        }
        if access.write {
            self.dirty |= Dirty::RESOURCES;
            // What was given up may be what is written here.
            self.pass.discard = 0;
        }
    }

    /// Submits what is recorded.
    pub(crate) fn submit(&mut self) {
        self.submit_and(|_, _| ());
    }

    /// Submits what is recorded, and runs `then` under the queue's lock.
    pub(crate) fn submit_and<R>(&mut self, then: impl FnOnce(&Gpu, vk::Queue) -> R) -> Option<R> {
        self.end_pass();
        self.suspend_queries();
        if !self.batches.is_open() {
            self.read_inbox();
            return None;
        }
        self.flush_barriers();
        let stamp = self.batches.stamp();
        let result = self.batches.submit(then);
        self.ring.submitted(stamp);
        self.descriptors.submitted(stamp);
        self.gpu.counters.absorb(&mut self.counters);
        self.read_inbox();
        self.gpu.collect();
        // Until here the thread was inside of the device's library.
        self.gpu.note_recording(self.lane, false);
        result
    }

    /// Submits and waits for everything of this context.
    pub(crate) fn finish(&mut self) -> WaitStatus {
        self.submit();
        self.gpu.wait(self.batches.last_submitted(), u64::MAX)
    }

    /// Waits until nothing that was submitted uses an object; what other contexts have not submitted yet does not count.
    pub(crate) fn wait_for(&mut self, uses: &crate::gpu::Uses) {
        if uses.in_batch(self.stamp()) {
            self.submit();
        }
        for stamp in uses.pending(&self.gpu) {
            if self.gpu.is_submitted(stamp) {
                self.gpu.wait(stamp, u64::MAX);
            }
        }
    }

    /// Counts a verb, and submits early when the batch has grown large.
    #[inline]
    pub(crate) fn limit_batch(&mut self) {
        self.batch_verbs += 1;
        let garbage = self.gpu.retired_bytes.load(Ordering::Relaxed).wrapping_sub(self.batch_garbage);
        if self.ring.batch_bytes > MAX_BATCH_BYTES || self.batch_verbs > MAX_BATCH_VERBS || garbage > MAX_BATCH_GARBAGE
        {
            self.submit();
            self.begin_limits();
        }
    }

    /// From here on the limits count anew.
    fn begin_limits(&mut self) {
        self.batch_verbs = 0;
        self.batch_garbage = self.gpu.retired_bytes.load(Ordering::Relaxed);
    }

    /// Room in the upload ring, after waiting for what is under way when there is none; `None`, announced, when there is
    /// none even then. Between verbs: it may submit.
    pub(crate) fn stage(&mut self, size: u64, align: u64) -> Option<Piece> {
        if let Some(piece) = self.ring.allocate(size, align) {
            return Some(piece);
        }
        self.make_room();
        let piece = self.ring.allocate(size, align);
        if piece.is_none() {
            self.gpu.out_of_memory(0, 0, "an upload");
        }
        piece
    }

    /// Storage for a transfer's own use, on the same terms.
    pub(crate) fn transfer_storage(&mut self, size: u64, place: MemoryPlace) -> Option<Arc<BufferStorage>> {
        BufferStorage::new(&self.gpu, size, place).or_else(|| {
            self.make_room();
            BufferStorage::new(&self.gpu, size, place)
        })
    }

    /// Storage to read back through, which goes back to the pool, on the same terms.
    pub(crate) fn readback_storage(&mut self, size: u64) -> Option<Arc<BufferStorage>> {
        let gpu = self.gpu.clone();
        self.readbacks.take(&gpu, size).or_else(|| {
            self.make_room();
            self.readbacks.take(&gpu, size)
        })
    }

    /// Waits for all work of this context, so that the memory it holds comes back.
    #[cold]
    fn make_room(&mut self) {
        self.finish();
        self.ring.give_up_spare();
        self.readbacks.clear();
        self.gpu.collect();
    }

    pub(crate) fn flush(&mut self, fence: FenceId, flags: FlushFlags) {
        if !self.batches.is_open() && self.has_pending_clears() {
            self.ensure_batch();
        }
        self.submit();
        if !fence.is_null() {
            self.objects.fences.insert(fence, Fence { stamp: self.batches.last_submitted() });
        }
        if flags.contains(FlushFlags::RELEASED) {
            self.give_up_caches();
        } else if self.objects.has_several_contexts() {
            self.let_go();
        }
    }

    pub(crate) fn fence_server_wait(&mut self, id: FenceId) {
        // All contexts share one queue, and each batch begins with a barrier over all earlier ones: work that
        // follows is ordered after the fence by submission order. What is recorded must not be overtaken.
        if self.objects.fences.get(id).is_some() {
            self.submit();
        }
    }
}

impl Drop for VulkanContext {
    fn drop(&mut self) {
        self.submit();
        let last = self.batches.last_submitted();
        if last != Stamp::default() {
            self.gpu.wait(last, u64::MAX);
        }
        self.framebuffers.clear(&self.gpu, last);
        self.batches.close();
        self.descriptors.close();
        self.gpu.counters.absorb(&mut self.counters);
        self.gpu.release_lane(self.lane);
        self.gpu.collect();
    }
}
