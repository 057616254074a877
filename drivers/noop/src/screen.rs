//! The screen: owner of all objects that keep bytes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use gallite_pipe::*;
use parking_lot::Mutex;

use crate::caps::{every_cap, every_format_use};
use crate::context::NoopContext;
use crate::counters::ScreenCounters;
use crate::image::{Image, View};
use crate::store::Slots;

/// A buffer's bytes; none when there was no memory for them.
pub struct Buffer {
    pub memory: Option<HostMemory>,
}

/// A texture and the window into its storage that it shows.
#[derive(Clone)]
pub struct Texture {
    pub image: Arc<Mutex<Image>>,
    pub view: View,
}

/// What contexts share with their screen.
pub struct Shared {
    pub counters: ScreenCounters,
    pub buffers: Mutex<Slots<Buffer>>,
    pub textures: Mutex<Slots<Texture>>,
    pub queries: Mutex<Slots<QueryKind>>,
    pub windows: Mutex<Slots<WindowState>>,
    events: Mutex<VecDeque<(Event, String)>>,
    started: Instant,
}

/// Events kept for a caller that never polls; the oldest go first.
const MAX_EVENTS: usize = 256;

impl Shared {
    /// Queues an event about a handle.
    pub fn event(&self, kind: EventKind, severity: Severity, handle: impl Handle, message: String) {
        let event = Event {
            kind,
            severity,
            slot: handle.slot(),
            generation: handle.generation(),
            message_len: u32::try_from(message.len()).unwrap_or(u32::MAX),
            ..Event::default()
        };
        let mut events = self.events.lock();
        if events.len() == MAX_EVENTS {
            events.pop_front();
        }
        events.push_back((event, message));
    }

    /// Reports the use of a handle that is not alive.
    pub fn stale<H: Handle>(&self, handle: H, call: &str) {
        self.event(EventKind::LOG, Severity::ERROR, handle, format!("{call}: {handle:?} is not alive"));
    }

    pub fn nanoseconds(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// A screen of the no-op driver.
pub struct NoopScreen {
    shared: Arc<Shared>,
    caps: Caps,
    format_caps: fn(Format) -> FormatCaps,
}

impl NoopScreen {
    /// A screen that can do everything.
    pub fn new() -> Self {
        Self::with_caps(every_cap(), every_format_use)
    }

    /// A screen with the given caps, for tests of what the tracker does without a feature.
    pub fn with_caps(caps: Caps, format_caps: fn(Format) -> FormatCaps) -> Self {
        let shared = Shared {
            counters: ScreenCounters::default(),
            buffers: Mutex::default(),
            textures: Mutex::default(),
            queries: Mutex::default(),
            windows: Mutex::default(),
            events: Mutex::default(),
            started: Instant::now(),
        };
        Self { shared: Arc::new(shared), caps, format_caps }
    }

    fn add_image(&self, id: TextureId, desc: &TextureDesc) {
        match Image::new(desc) {
            Some(image) => {
                let view = View { first_level: 0, first_layer: 0 };
                self.shared.textures.lock().insert(id, Texture { image: Arc::new(Mutex::new(image)), view });
            }
            None => self.shared.event(EventKind::OUT_OF_MEMORY, Severity::ERROR, id, String::new()),
        }
    }
}

impl Default for NoopScreen {
    fn default() -> Self {
        Self::new()
    }
}

/// Creation and destruction of objects that keep nothing.
macro_rules! keep_nothing {
    ($($create:ident($id:ty, $desc:ty), $destroy:ident;)*) => { $(
        fn $create(&self, _: $id, _: &$desc) {
            self.shared.counters.created();
        }
        fn $destroy(&self, id: $id) {
            if !id.is_null() {
                self.shared.counters.destroyed();
            }
        }
    )* };
}

impl Screen for NoopScreen {
    fn caps(&self) -> Caps {
        self.caps
    }

    fn format_caps(&self, format: Format) -> FormatCaps {
        (self.format_caps)(format)
    }

    fn memory_info(&self) -> MemoryInfo {
        self.shared.counters.call();
        MemoryInfo { total: 1 << 32, available: 1 << 32, evicted: 0 }
    }

    // Not counted, like the events it is asked with.
    fn reset_status(&self) -> ResetStatus {
        ResetStatus::NONE
    }

    fn disk_cache_id(&self) -> [u8; 32] {
        let mut id = [0; 32];
        set_text(&mut id, concat!("gallite-noop ", env!("CARGO_PKG_VERSION")));
        id
    }

    fn poll_event(&self, message: &mut [u8]) -> Event {
        let Some((event, text)) = self.shared.events.lock().pop_front() else { return Event::default() };
        let length = text.len().min(message.len());
        message[..length].copy_from_slice(&text.as_bytes()[..length]);
        event
    }

    fn counters(&self) -> Counters {
        self.shared.counters.sum()
    }

    fn timestamp(&self) -> u64 {
        self.shared.nanoseconds()
    }

    fn create_buffer(&self, id: BufferId, desc: &BufferDesc) {
        self.shared.counters.created();
        let memory = usize::try_from(desc.size).ok().and_then(HostMemory::new);
        if memory.is_none() {
            self.shared.event(EventKind::OUT_OF_MEMORY, Severity::ERROR, id, String::new());
        }
        self.shared.buffers.lock().insert(id, Buffer { memory });
    }

    fn destroy_buffer(&self, id: BufferId) {
        if self.shared.buffers.lock().remove(id).is_some() {
            self.shared.counters.destroyed();
        } else if !id.is_null() {
            self.shared.stale(id, "destroy_buffer");
        }
    }

    fn create_texture(&self, id: TextureId, desc: &TextureDesc) {
        self.shared.counters.created();
        self.add_image(id, desc);
    }

    fn create_texture_alias(&self, id: TextureId, desc: &TextureAliasDesc) {
        self.shared.counters.created();
        let mut textures = self.shared.textures.lock();
        let Some(source) = textures.get(desc.source).cloned() else {
            return self.shared.stale(desc.source, "create_texture_alias");
        };
        let view = View {
            first_level: source.view.first_level + desc.first_level,
            first_layer: source.view.first_layer + desc.first_layer,
        };
        textures.insert(id, Texture { image: source.image, view });
    }

    fn create_buffer_texture(&self, id: TextureId, desc: &BufferTextureDesc) {
        self.shared.counters.created();
        // Texels are the buffer's; nothing reads or writes them through the texture here.
        let empty = TextureDesc { format: desc.format, ..TextureDesc::default() };
        self.add_image(id, &empty);
    }

    fn create_window_texture(&self, id: TextureId, _: WindowId, desc: &TextureDesc) {
        self.shared.counters.created();
        self.add_image(id, desc);
    }

    fn destroy_texture(&self, id: TextureId) {
        if self.shared.textures.lock().remove(id).is_some() {
            self.shared.counters.destroyed();
        } else if !id.is_null() {
            self.shared.stale(id, "destroy_texture");
        }
    }

    keep_nothing! {
        create_sampler_view(SamplerViewId, SamplerViewDesc), destroy_sampler_view;
        create_blend(BlendId, BlendState), destroy_blend;
        create_depth_stencil(DepthStencilId, DepthStencilState), destroy_depth_stencil;
        create_rasterizer(RasterizerId, RasterizerState), destroy_rasterizer;
        create_vertex_elements(VertexElementsId, VertexElements), destroy_vertex_elements;
        create_sampler(SamplerId, SamplerState), destroy_sampler;
        create_xfb_target(XfbTargetId, XfbTargetDesc), destroy_xfb_target;
    }

    fn create_shader(&self, _: ShaderId, _: &ShaderDesc, _: &[u32], _: &[ShaderBinding]) {
        self.shared.counters.created();
    }

    fn destroy_shader(&self, id: ShaderId) {
        if !id.is_null() {
            self.shared.counters.destroyed();
        }
    }

    fn create_query(&self, id: QueryId, desc: &QueryDesc) {
        self.shared.counters.created();
        self.shared.queries.lock().insert(id, desc.kind);
    }

    fn destroy_query(&self, id: QueryId) {
        if self.shared.queries.lock().remove(id).is_some() {
            self.shared.counters.destroyed();
        }
    }

    fn destroy_fence(&self, _: FenceId) {
        self.shared.counters.call();
    }

    fn destroy_window(&self, id: WindowId) {
        if self.shared.windows.lock().remove(id).is_some() {
            self.shared.counters.destroyed();
        }
    }

    fn set_label(&self, _: LabelKind, _: u32, _: u32, _: &[u8]) {
        self.shared.counters.call();
    }

    fn buffer_status(&self, id: BufferId) -> Outcome {
        self.shared.counters.call();
        let has_memory = self.shared.buffers.lock().get(id).is_some_and(|buffer| buffer.memory.is_some());
        if has_memory { Outcome::DONE } else { Outcome::OUT_OF_MEMORY }
    }

    fn texture_status(&self, id: TextureId) -> Outcome {
        self.shared.counters.call();
        if self.shared.textures.lock().get(id).is_some() { Outcome::DONE } else { Outcome::OUT_OF_MEMORY }
    }

    fn fence_wait(&self, _: FenceId, _: u64) -> WaitStatus {
        self.shared.counters.call();
        WaitStatus::SIGNALED
    }

    fn window_state(&self, id: WindowId) -> WindowState {
        self.shared.counters.call();
        let lost = WindowState { status: PresentStatus::WINDOW_LOST, ..WindowState::default() };
        self.shared.windows.lock().get(id).copied().unwrap_or(lost)
    }

    fn create_context(&self, _: ContextFlags) -> Result<Box<dyn Context>, PipeError> {
        self.shared.counters.call();
        Ok(Box::new(NoopContext::new(self.shared.clone())))
    }

    fn create_window(&self, id: WindowId, _: &NativeWindow, desc: &WindowDesc) -> Outcome {
        self.shared.counters.created();
        let state = WindowState { status: PresentStatus::DONE, width: desc.width, height: desc.height, buffer_age: 0 };
        self.shared.windows.lock().insert(id, state);
        Outcome::DONE
    }

    fn window_formats(&self, _: &NativeWindow) -> Vec<Format> {
        vec![Format::B8G8R8A8_UNORM, Format::B8G8R8A8_SRGB, Format::R8G8B8A8_UNORM, Format::R8G8B8A8_SRGB]
    }

    fn import_texture(&self, _: TextureId, _: &TextureDesc, _: &ExternalMemory) -> Outcome {
        Outcome::DECLINED
    }

    fn export_texture(&self, _: TextureId) -> Result<ExternalMemory, Outcome> {
        Err(Outcome::DECLINED)
    }

    fn import_fence(&self, _: FenceId, _: i32) -> Outcome {
        Outcome::DECLINED
    }

    fn export_fence(&self, _: FenceId) -> Result<i32, Outcome> {
        Err(Outcome::DECLINED)
    }
}
