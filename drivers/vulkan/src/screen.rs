//! The screen: all objects of one device.

use std::sync::{Arc, Weak};

use gallite_pipe::*;
use parking_lot::RwLock;

use crate::buffer::{Buffer, BufferStorage};
use crate::context::VulkanContext;
use crate::ffi::MemoryPlace;
use crate::gpu::{Gpu, Stamp};
use crate::pipeline_cache::PipelineCache;
use crate::precompile::Precompiler;
use crate::query::Query;
use crate::sampler::{Sampler, SamplerView};
use crate::shader::Shader;
use crate::state_object::{Interners, StateObject};
use crate::table::{Inbox, Kind, Table};
use crate::texture::{ImageStorage, Texture, TextureKind};
use crate::window::Window;
use crate::xfb::XfbTarget;

/// A point in a context's stream.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fence {
    pub stamp: Stamp,
}

/// All objects, by kind, and what is shared to use them.
pub(crate) struct Objects {
    pub gpu: Arc<Gpu>,
    pub caps: Caps,
    pub buffers: Table<Buffer>,
    pub textures: Table<Texture>,
    pub views: Table<SamplerView>,
    pub blends: Table<StateObject<BlendState>>,
    pub depth_stencils: Table<StateObject<DepthStencilState>>,
    pub rasterizers: Table<StateObject<RasterizerState>>,
    pub vertex_elements: Table<StateObject<VertexElements>>,
    pub samplers: Table<Sampler>,
    pub shaders: Table<Shader>,
    pub queries: Table<Query>,
    pub xfb_targets: Table<XfbTarget>,
    pub fences: Table<Fence>,
    pub windows: Table<Arc<Window>>,
    pub interners: Interners,
    pub pipeline_cache: Arc<PipelineCache>,
    pub precompiler: Precompiler,
    pub internal: Internal,
    inboxes: RwLock<Vec<Weak<Inbox>>>,
}

/// Objects the driver keeps for its own use. They go when the device is idle, so what uses them is not noted.
pub(crate) struct Internal {
    /// Zeros, for null bindings that are only read.
    pub zeros: Option<Arc<BufferStorage>>,
    /// What programs write to null bindings, where the device has no null descriptors. Nobody reads it.
    pub scratch: Option<Arc<BufferStorage>>,
    /// Nearest, clamped to the edge.
    pub sampler: Option<Sampler>,
    pub linear_sampler: Option<Sampler>,
    pub blits: crate::internal::BlitPipelines,
}

/// Bytes of zeros for null bindings.
pub(crate) const ZERO_BYTES: u64 = 64 << 10;

impl Internal {
    fn new(gpu: &Arc<Gpu>) -> Self {
        let zeros = BufferStorage::new(gpu, ZERO_BYTES, MemoryPlace::Upload);
        if let Some(host) = zeros.as_ref().and_then(|z| z.host) {
            host.fill(0);
        }
        let scratch = (!gpu.features().null_descriptor)
            .then(|| BufferStorage::new(gpu, ZERO_BYTES, MemoryPlace::Device))
            .flatten();
        let state = SamplerState {
            wrap_s: Wrap::CLAMP_TO_EDGE,
            wrap_t: Wrap::CLAMP_TO_EDGE,
            wrap_r: Wrap::CLAMP_TO_EDGE,
            mip_filter: MipFilter::NEAREST,
            max_lod: F32::new(1000.0),
            flags: SamplerFlags::SEAMLESS_CUBE,
            ..Default::default()
        };
        let linear = SamplerState { min_filter: Filter::LINEAR, mag_filter: Filter::LINEAR, ..state };
        Self {
            zeros,
            scratch,
            sampler: Sampler::new(gpu, &state),
            linear_sampler: Sampler::new(gpu, &linear),
            blits: crate::internal::BlitPipelines::default(),
        }
    }
}

impl Objects {
    pub fn new(gpu: Arc<Gpu>, options: &crate::options::VulkanOptions) -> Self {
        let caps = crate::caps::caps(&gpu);
        let pipeline_cache = Arc::new(PipelineCache::open(&gpu, options));
        let internal = Internal::new(&gpu);
        Self {
            caps,
            buffers: Table::default(),
            textures: Table::default(),
            views: Table::default(),
            blends: Table::default(),
            depth_stencils: Table::default(),
            rasterizers: Table::default(),
            vertex_elements: Table::default(),
            samplers: Table::default(),
            shaders: Table::default(),
            queries: Table::default(),
            xfb_targets: Table::default(),
            fences: Table::default(),
            windows: Table::default(),
            interners: Interners::default(),
            pipeline_cache,
            precompiler: Precompiler::default(),
            internal,
            inboxes: RwLock::default(),
            gpu,
        }
    }

    /// A mailbox through which a context hears of destructions.
    pub fn open_inbox(&self) -> Arc<Inbox> {
        let inbox = Arc::new(Inbox::default());
        let mut inboxes = self.inboxes.write();
        inboxes.retain(|i| i.strong_count() > 0);
        inboxes.push(Arc::downgrade(&inbox));
        inbox
    }

    /// Whether there are contexts besides the one that asks.
    pub fn has_several_contexts(&self) -> bool {
        self.inboxes.read().iter().filter(|inbox| inbox.strong_count() > 0).nth(1).is_some()
    }

    fn announce(&self, kind: Kind, slot: u32, generation: u32) {
        for inbox in self.inboxes.read().iter().filter_map(Weak::upgrade) {
            inbox.push(kind, slot, generation);
        }
    }

    fn destroy<T, H: Handle>(&self, table: &Table<T>, kind: Kind, id: H) {
        if let Some(object) = table.remove(id) {
            self.announce(kind, id.slot(), id.generation());
            drop(object);
        }
    }
}

/// The Vulkan screen.
pub(crate) struct VulkanScreen {
    pub objects: Arc<Objects>,
}

impl VulkanScreen {
    pub fn new(objects: Arc<Objects>) -> Self {
        Self { objects }
    }

    fn gpu(&self) -> &Arc<Gpu> {
        &self.objects.gpu
    }
}

impl Screen for VulkanScreen {
    fn caps(&self) -> Caps {
        self.objects.caps
    }

    fn format_caps(&self, format: Format) -> FormatCaps {
        self.gpu().formats.get(format).caps
    }

    fn memory_info(&self) -> MemoryInfo {
        let gpu = self.gpu();
        let (total, available) = gpu.instance.memory_budget(gpu.selected.adapter.handle, gpu.features().memory_budget);
        MemoryInfo { total, available, evicted: 0 }
    }

    fn reset_status(&self) -> ResetStatus {
        if self.gpu().is_lost() { ResetStatus::UNKNOWN } else { ResetStatus::NONE }
    }

    fn disk_cache_id(&self) -> [u8; 32] {
        crate::pipeline_cache::identity(self.gpu())
    }

    fn poll_event(&self, message: &mut [u8]) -> Event {
        let Some((event, text)) = self.gpu().pop_event() else { return Event::default() };
        let n = text.len().min(message.len());
        message[..n].copy_from_slice(&text.as_bytes()[..n]);
        event
    }

    fn counters(&self) -> Counters {
        let mut counters = self.gpu().counters.snapshot();
        counters.validation_messages = self.gpu().instance.validation_messages();
        let o = &self.objects;
        counters.live_objects = (o.buffers.live()
            + o.textures.live()
            + o.views.live()
            + o.samplers.live()
            + o.shaders.live()
            + o.queries.live()) as u64;
        counters
    }

    fn timestamp(&self) -> u64 {
        self.gpu().clock.now(self.gpu())
    }

    fn create_buffer(&self, id: BufferId, desc: &BufferDesc) {
        let buffer = Buffer::new(self.gpu(), desc);
        if buffer.storage().is_none() {
            self.gpu().out_of_memory(id.slot(), id.generation(), "a buffer");
        }
        self.objects.buffers.insert(id, buffer);
    }

    fn destroy_buffer(&self, id: BufferId) {
        self.objects.destroy(&self.objects.buffers, Kind::Buffer, id);
    }

    fn create_texture(&self, id: TextureId, desc: &TextureDesc) {
        let kind = match ImageStorage::new(self.gpu(), desc) {
            Some(image) => TextureKind::Image(image),
            None => {
                self.gpu().out_of_memory(id.slot(), id.generation(), "a texture");
                TextureKind::Dead
            }
        };
        let texture = Texture { kind, format: desc.format, first_level: 0, first_layer: 0 };
        self.objects.textures.insert(id, texture);
    }

    fn create_texture_alias(&self, id: TextureId, desc: &TextureAliasDesc) {
        let source = self.objects.textures.get(desc.source);
        let kind = match source.as_ref().map(|s| &s.kind) {
            Some(TextureKind::Image(image)) => TextureKind::Image(image.clone()),
            _ => TextureKind::Dead,
        };
        let (level, layer) = source.map_or((0, 0), |s| (s.first_level, s.first_layer));
        let texture = Texture {
            kind,
            format: desc.format,
            first_level: level + desc.first_level,
            first_layer: layer + desc.first_layer,
        };
        self.objects.textures.insert(id, texture);
    }

    fn create_buffer_texture(&self, id: TextureId, desc: &BufferTextureDesc) {
        let kind = match self.objects.buffers.get(desc.buffer) {
            Some(buffer) => TextureKind::Buffer { buffer, offset: desc.offset, size: desc.size },
            None => TextureKind::Dead,
        };
        let texture = Texture { kind, format: desc.format, first_level: 0, first_layer: 0 };
        self.objects.textures.insert(id, texture);
    }

    fn create_window_texture(&self, id: TextureId, window: WindowId, desc: &TextureDesc) {
        let kind = match self.objects.windows.get(window) {
            Some(window) => {
                window.expect(desc.width, desc.height, desc.flags.contains(TextureFlags::MUTABLE_FORMAT));
                TextureKind::Window(window.as_ref().clone())
            }
            None => TextureKind::Dead,
        };
        let texture = Texture { kind, format: desc.format, first_level: 0, first_layer: 0 };
        self.objects.textures.insert(id, texture);
    }

    fn destroy_texture(&self, id: TextureId) {
        self.objects.destroy(&self.objects.textures, Kind::Texture, id);
    }

    fn create_sampler_view(&self, id: SamplerViewId, desc: &SamplerViewDesc) {
        let Some(texture) = self.objects.textures.get(desc.texture) else {
            self.gpu().log(Severity::WARNING, format!("{id:?} is made of {:?}, which is gone", desc.texture));
            return;
        };
        self.objects.views.insert(id, SamplerView::new(self.gpu(), &texture, desc));
    }

    fn destroy_sampler_view(&self, id: SamplerViewId) {
        self.objects.destroy(&self.objects.views, Kind::View, id);
    }

    fn create_blend(&self, id: BlendId, state: &BlendState) {
        self.objects.blends.insert(id, self.objects.interners.blend.object(state));
    }

    fn destroy_blend(&self, id: BlendId) {
        self.objects.destroy(&self.objects.blends, Kind::Blend, id);
    }

    fn create_depth_stencil(&self, id: DepthStencilId, state: &DepthStencilState) {
        self.objects.depth_stencils.insert(id, self.objects.interners.depth_stencil.object(state));
    }

    fn destroy_depth_stencil(&self, id: DepthStencilId) {
        self.objects.destroy(&self.objects.depth_stencils, Kind::DepthStencil, id);
    }

    fn create_rasterizer(&self, id: RasterizerId, state: &RasterizerState) {
        self.objects.rasterizers.insert(id, StateObject::unnumbered(state));
    }

    fn destroy_rasterizer(&self, id: RasterizerId) {
        self.objects.destroy(&self.objects.rasterizers, Kind::Rasterizer, id);
    }

    fn create_vertex_elements(&self, id: VertexElementsId, state: &VertexElements) {
        self.objects.vertex_elements.insert(id, self.objects.interners.vertex_elements.object(state));
    }

    fn destroy_vertex_elements(&self, id: VertexElementsId) {
        self.objects.destroy(&self.objects.vertex_elements, Kind::VertexElements, id);
    }

    fn create_sampler(&self, id: SamplerId, state: &SamplerState) {
        match Sampler::new(self.gpu(), state) {
            Some(sampler) => drop(self.objects.samplers.insert(id, sampler)),
            None => self.gpu().out_of_memory(id.slot(), id.generation(), "a sampler"),
        }
    }

    fn destroy_sampler(&self, id: SamplerId) {
        self.objects.destroy(&self.objects.samplers, Kind::Sampler, id);
    }

    fn create_shader(&self, id: ShaderId, desc: &ShaderDesc, words: &[u32], bindings: &[ShaderBinding]) {
        let Some(shader) = Shader::new(self.gpu(), desc, words, bindings) else {
            self.gpu().out_of_memory(id.slot(), id.generation(), "a shader");
            return;
        };
        if let Some(shader) = self.objects.shaders.insert(id, shader) {
            self.objects.precompiler.linked(self.gpu(), &self.objects.pipeline_cache, &shader);
        }
    }

    fn destroy_shader(&self, id: ShaderId) {
        self.objects.destroy(&self.objects.shaders, Kind::Shader, id);
    }

    fn create_query(&self, id: QueryId, desc: &QueryDesc) {
        self.objects.queries.insert(id, Query::new(desc));
    }

    fn destroy_query(&self, id: QueryId) {
        self.objects.destroy(&self.objects.queries, Kind::Query, id);
    }

    fn create_xfb_target(&self, id: XfbTargetId, desc: &XfbTargetDesc) {
        let target = self.objects.buffers.get(desc.buffer).and_then(|buffer| XfbTarget::new(self.gpu(), buffer, desc));
        match target {
            Some(target) => drop(self.objects.xfb_targets.insert(id, target)),
            None => self.gpu().out_of_memory(id.slot(), id.generation(), "a capture target"),
        }
    }

    fn destroy_xfb_target(&self, id: XfbTargetId) {
        self.objects.destroy(&self.objects.xfb_targets, Kind::Xfb, id);
    }

    fn destroy_fence(&self, id: FenceId) {
        self.objects.fences.remove(id);
    }

    fn destroy_window(&self, id: WindowId) {
        crate::window::destroy(&self.objects, id);
    }

    fn set_label(&self, kind: LabelKind, slot: u32, generation: u32, label: &[u8]) {
        self.objects.set_label(kind, slot, generation, label);
    }

    fn buffer_status(&self, id: BufferId) -> Outcome {
        match self.objects.buffers.get(id) {
            _ if self.gpu().is_lost() => Outcome::DEVICE_LOST,
            Some(buffer) if buffer.storage().is_some() => Outcome::DONE,
            _ => Outcome::OUT_OF_MEMORY,
        }
    }

    fn texture_status(&self, id: TextureId) -> Outcome {
        match self.objects.textures.get(id) {
            _ if self.gpu().is_lost() => Outcome::DEVICE_LOST,
            Some(texture) if !matches!(texture.kind, TextureKind::Dead) => Outcome::DONE,
            _ => Outcome::OUT_OF_MEMORY,
        }
    }

    fn fence_wait(&self, id: FenceId, timeout: u64) -> WaitStatus {
        let Some(fence) = self.objects.fences.get(id) else { return WaitStatus::SIGNALED };
        self.gpu().wait(fence.stamp, timeout)
    }

    fn window_state(&self, id: WindowId) -> WindowState {
        crate::window::state(&self.objects, id)
    }

    fn create_context(&self, flags: ContextFlags) -> Result<Box<dyn Context>, PipeError> {
        Ok(Box::new(VulkanContext::new(&self.objects, flags)?))
    }

    fn create_window(&self, id: WindowId, native: &NativeWindow, desc: &WindowDesc) -> Outcome {
        crate::window::create(&self.objects, id, native, desc)
    }

    fn window_formats(&self, native: &NativeWindow) -> Vec<Format> {
        crate::window::formats(&self.objects, native)
    }

    fn import_texture(&self, _id: TextureId, _desc: &TextureDesc, _memory: &ExternalMemory) -> Outcome {
        Outcome::DECLINED
    }

    fn export_texture(&self, _id: TextureId) -> Result<ExternalMemory, Outcome> {
        Err(Outcome::DECLINED)
    }

    fn import_fence(&self, _id: FenceId, _fd: i32) -> Outcome {
        Outcome::DECLINED
    }

    fn export_fence(&self, _id: FenceId) -> Result<i32, Outcome> {
        Err(Outcome::DECLINED)
    }
}

impl Objects {
    fn set_label(&self, kind: LabelKind, slot: u32, generation: u32, label: &[u8]) {
        let Ok(name) = std::ffi::CString::new(label) else { return };
        let device = &self.gpu.device;
        match kind {
            LabelKind::TEXTURE => {
                let texture = self.textures.get(TextureId::from_parts(slot, generation));
                if let Some(image) = texture.and_then(|t| t.image()) {
                    device.set_name(image.raw, &name);
                }
            }
            LabelKind::SAMPLER => {
                let sampler = self.samplers.get(SamplerId::from_parts(slot, generation));
                if let Some(raw) = sampler.and_then(|sampler| sampler.plain()) {
                    device.set_name(raw, &name);
                }
            }
            LabelKind::SHADER => {
                if let Some(shader) = self.shaders.get(ShaderId::from_parts(slot, generation)) {
                    device.set_name(shader.layout, &name);
                }
            }
            // Small buffers and queries share native objects, so their names have nowhere to go.
            _ => {}
        }
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        self.precompiler.close(&self.gpu);
        {
            let _queue = self.gpu.lock_queue();
            self.gpu.device.wait_idle();
        }
        self.internal.blits.close(&self.gpu);
    }
}
