//! The screen: the inner one's, with the feature, the events and the counter of verification added.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gallite_pipe::*;
use parking_lot::Mutex;

use crate::context::VerifyContext;

/// What contexts report to.
#[derive(Default)]
pub struct Findings {
    mismatches: AtomicU64,
    /// Messages not yet taken, each told once.
    waiting: Mutex<VecDeque<String>>,
}

/// Messages kept for a caller that never polls.
const MAX_WAITING: usize = 64;

impl Findings {
    /// Counts a mismatch; its message becomes an event when it is new to the context that found it.
    pub fn report(&self, message: Option<String>) {
        self.mismatches.fetch_add(1, Ordering::Relaxed);
        if let Some(message) = message {
            tracing::error!(target: "gallite::verify", "verify mismatch: {message}");
            let mut waiting = self.waiting.lock();
            if waiting.len() < MAX_WAITING {
                waiting.push_back(message);
            }
        }
    }
}

/// A screen that compares pushed state with re-derived state before it draws with another driver.
pub struct VerifyScreen {
    inner: Arc<dyn Screen>,
    findings: Arc<Findings>,
}

impl VerifyScreen {
    /// Verifies what is pushed to `inner`.
    pub fn new(inner: Arc<dyn Screen>) -> Self {
        Self { inner, findings: Arc::default() }
    }
}

/// Calls that pass as they are.
macro_rules! forward {
    ($($name:ident($($arg:ident: $type:ty),*) $(-> $ret:ty)?;)*) => { $(
        fn $name(&self, $($arg: $type),*) $(-> $ret)? {
            self.inner.$name($($arg),*)
        }
    )* };
}

impl Screen for VerifyScreen {
    fn caps(&self) -> Caps {
        let mut caps = self.inner.caps();
        caps.features.insert(Features::VERIFY);
        let inner = text(&caps.driver_name).to_owned();
        set_text(&mut caps.driver_name, &format!("verify:{inner}"));
        caps
    }

    fn poll_event(&self, message: &mut [u8]) -> Event {
        let Some(text) = self.findings.waiting.lock().pop_front() else { return self.inner.poll_event(message) };
        let length = text.len().min(message.len());
        message[..length].copy_from_slice(&text.as_bytes()[..length]);
        Event {
            kind: EventKind::VERIFY_MISMATCH,
            severity: Severity::ERROR,
            message_len: u32::try_from(text.len()).unwrap_or(u32::MAX),
            ..Event::default()
        }
    }

    fn counters(&self) -> Counters {
        let mut counters = self.inner.counters();
        counters.verify_mismatches += self.findings.mismatches.load(Ordering::Relaxed);
        counters
    }

    fn create_context(&self, flags: ContextFlags) -> Result<Box<dyn Context>, PipeError> {
        Ok(Box::new(VerifyContext::new(self.inner.create_context(flags)?, self.findings.clone())))
    }

    forward! {
        format_caps(format: Format) -> FormatCaps;
        memory_info() -> MemoryInfo;
        reset_status() -> ResetStatus;
        disk_cache_id() -> [u8; 32];
        timestamp() -> u64;
        create_buffer(id: BufferId, desc: &BufferDesc);
        destroy_buffer(id: BufferId);
        create_texture(id: TextureId, desc: &TextureDesc);
        create_texture_alias(id: TextureId, desc: &TextureAliasDesc);
        create_buffer_texture(id: TextureId, desc: &BufferTextureDesc);
        create_window_texture(id: TextureId, window: WindowId, desc: &TextureDesc);
        destroy_texture(id: TextureId);
        create_sampler_view(id: SamplerViewId, desc: &SamplerViewDesc);
        destroy_sampler_view(id: SamplerViewId);
        create_blend(id: BlendId, state: &BlendState);
        destroy_blend(id: BlendId);
        create_depth_stencil(id: DepthStencilId, state: &DepthStencilState);
        destroy_depth_stencil(id: DepthStencilId);
        create_rasterizer(id: RasterizerId, state: &RasterizerState);
        destroy_rasterizer(id: RasterizerId);
        create_vertex_elements(id: VertexElementsId, state: &VertexElements);
        destroy_vertex_elements(id: VertexElementsId);
        create_sampler(id: SamplerId, state: &SamplerState);
        destroy_sampler(id: SamplerId);
        create_shader(id: ShaderId, desc: &ShaderDesc, words: &[u32], bindings: &[ShaderBinding]);
        destroy_shader(id: ShaderId);
        create_query(id: QueryId, desc: &QueryDesc);
        destroy_query(id: QueryId);
        create_xfb_target(id: XfbTargetId, desc: &XfbTargetDesc);
        destroy_xfb_target(id: XfbTargetId);
        destroy_fence(id: FenceId);
        destroy_window(id: WindowId);
        set_label(kind: LabelKind, slot: u32, generation: u32, label: &[u8]);
        buffer_status(id: BufferId) -> Outcome;
        texture_status(id: TextureId) -> Outcome;
        fence_wait(id: FenceId, timeout: u64) -> WaitStatus;
        window_state(id: WindowId) -> WindowState;
        create_window(id: WindowId, native: &NativeWindow, desc: &WindowDesc) -> Outcome;
        window_formats(native: &NativeWindow) -> Vec<Format>;
        import_texture(id: TextureId, desc: &TextureDesc, memory: &ExternalMemory) -> Outcome;
        export_texture(id: TextureId) -> Result<ExternalMemory, Outcome>;
        import_fence(id: FenceId, fd: i32) -> Outcome;
        export_fence(id: FenceId) -> Result<i32, Outcome>;
    }
}
