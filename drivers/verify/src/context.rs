//! The context: keeps what is pushed, and compares when a re-derivation ends.

use std::collections::HashSet;
use std::sync::Arc;

use gallite_pipe::*;

use crate::screen::Findings;
use crate::state::{ProgramState, State, replace_window};

/// The verbs that the last re-derivation still stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verified {
    /// None: it had its verb.
    Nothing,
    /// The next one.
    Next,
    /// Clears: one command may need several.
    Clears,
    /// Blits: one command may need several.
    Blits,
}

/// A context that verifies.
pub struct VerifyContext {
    inner: Box<dyn Context>,
    findings: Arc<Findings>,
    pushed: State,
    /// State between `verify_begin` and `verify_end`.
    derived: Option<State>,
    /// What the last re-derivation still stands for.
    verified: Verified,
    /// Messages told, without the values in them, so that a fault in a loop is told once.
    told: HashSet<String>,
}

impl VerifyContext {
    pub fn new(inner: Box<dyn Context>, findings: Arc<Findings>) -> Self {
        Self {
            inner,
            findings,
            pushed: State::default(),
            derived: None,
            verified: Verified::Nothing,
            told: HashSet::new(),
        }
    }

    /// Where a state call goes: the re-derivation while one is open.
    fn target(&mut self) -> &mut State {
        // What one command clears or blits, it clears or blits with one state.
        if self.derived.is_none() && matches!(self.verified, Verified::Clears | Verified::Blits) {
            self.verified = Verified::Nothing;
        }
        self.derived.as_mut().unwrap_or(&mut self.pushed)
    }

    fn program(&mut self, point: BindPoint) -> &mut ProgramState {
        let index = usize::from(point == BindPoint::COMPUTE);
        &mut self.target().programs[index]
    }

    fn forwards(&self) -> bool {
        self.derived.is_none()
    }

    fn report(&mut self, message: String) {
        let key = message.split(": pushed").next().unwrap_or(&message).to_owned();
        let new = self.told.insert(key);
        self.findings.report(new.then_some(message));
    }

    /// Called at a verb that uses state; `several` is what a re-derivation stands for then, where one command may need more.
    fn expect_verified(&mut self, verb: &str, several: Option<Verified>) {
        if self.verified != Verified::Next && Some(self.verified) != several {
            self.report(format!("{verb}: no re-derivation came before it"));
        }
        self.verified = several.unwrap_or(Verified::Nothing);
    }
}

/// Calls that pass as they are.
macro_rules! forward {
    ($($name:ident($($arg:ident: $type:ty),*) $(-> $ret:ty)?;)*) => { $(
        fn $name(&mut self, $($arg: $type),*) $(-> $ret)? {
            self.inner.$name($($arg),*)
        }
    )* };
}

/// Verbs that use the pushed state: each must have been verified.
macro_rules! verified {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => { $(
        fn $name(&mut self, $($arg: $type),*) {
            self.expect_verified(stringify!($name), None);
            self.inner.$name($($arg),*);
        }
    )* };
}

/// State calls: kept in one field, and passed unless a re-derivation is open.
macro_rules! keep {
    ($($name:ident($($arg:ident: $type:ty),*) as |$state:ident| $keep:expr;)*) => { $(
        fn $name(&mut self, $($arg: $type),*) {
            {
                let $state = &mut *self;
                $keep;
            }
            if self.forwards() {
                self.inner.$name($($arg),*);
            }
        }
    )* };
}

impl Context for VerifyContext {
    keep! {
        set_framebuffer(state: &FramebufferState) as |s| s.target().framebuffer = Some(*state);
        bind_blend(id: BlendId) as |s| s.target().blend = Some(id);
        bind_depth_stencil(id: DepthStencilId) as |s| s.target().depth_stencil = Some(id);
        bind_rasterizer(id: RasterizerId) as |s| s.target().rasterizer = Some(id);
        bind_vertex_elements(id: VertexElementsId) as |s| s.target().vertex_elements = Some(id);
        bind_shader(point: BindPoint, id: ShaderId) as |s| s.program(point).shader = Some(id);
        set_viewports(first: u32, viewports: &[Viewport])
            as |s| replace_window(&mut s.target().viewports, first, viewports);
        set_scissors(first: u32, scissors: &[Rect]) as |s| replace_window(&mut s.target().scissors, first, scissors);
        set_stencil_reference(front: u32, back: u32) as |s| s.target().stencil_reference = Some([front, back]);
        set_blend_color(color: &Color) as |s| s.target().blend_color = Some(*color);
        set_sample_mask(mask: u32) as |s| s.target().sample_mask = Some(mask);
        set_min_samples(samples: u32) as |s| s.target().min_samples = Some(samples);
        set_patch_defaults(defaults: &PatchDefaults) as |s| s.target().patch_defaults = Some(*defaults);
        set_clip_planes(planes: &[Color]) as |s| s.target().clip_planes = Some(planes.to_vec());
        set_polygon_stipple(rows: &[u32; 32]) as |s| s.target().polygon_stipple = Some(*rows);
        set_vertex_buffers(buffers: &[VertexBuffer]) as |s| s.target().vertex_buffers = Some(buffers.to_vec());
        set_default_block(point: BindPoint, bytes: &[u8]) as |s| s.program(point).default_block = Some(bytes.to_vec());
        set_uniform_buffers(point: BindPoint, ranges: &[BufferRange])
            as |s| s.program(point).uniform_buffers = Some(ranges.to_vec());
        set_storage_buffers(point: BindPoint, writable: u64, ranges: &[BufferRange])
            as |s| s.program(point).storage_buffers = Some((writable, ranges.to_vec()));
        set_images(point: BindPoint, images: &[ImageBinding]) as |s| s.program(point).images = Some(images.to_vec());
        set_samplers(point: BindPoint, first: u32, samplers: &[SampledBinding])
            as |s| s.program(point).replace_samplers(first, samplers);
        set_xfb_targets(targets: &[XfbBinding]) as |s| s.target().xfb_targets = Some(targets.to_vec());
        set_render_condition(condition: &RenderCondition) as |s| s.target().render_condition = Some(*condition);
    }

    fn verify_begin(&mut self) {
        self.derived = Some(State::default());
    }

    fn verify_end(&mut self) {
        let Some(derived) = self.derived.take() else { return };
        self.verified = Verified::Next;
        if let Some(message) = self.pushed.first_difference(&derived) {
            self.report(message);
        }
    }

    verified! {
        draw(info: &DrawInfo, ranges: &[DrawRange], user_indices: &[u8]);
        draw_indirect(info: &DrawInfo, indirect: &IndirectInfo);
        draw_xfb(info: &XfbDrawInfo);
        dispatch(info: &DispatchInfo);
        dispatch_indirect(buffer: BufferId, offset: u64);
    }

    fn clear(&mut self, info: &ClearInfo) {
        self.expect_verified("clear", Some(Verified::Clears));
        self.inner.clear(info);
    }

    /// A blit reads pushed state when it asks for the render condition, and none else.
    fn blit(&mut self, info: &BlitInfo) {
        match info.conditional {
            // The re-derivation is not that of the draw after it.
            0 => self.verified = Verified::Nothing,
            _ => self.expect_verified("blit", Some(Verified::Blits)),
        }
        self.inner.blit(info);
    }

    forward! {
        clear_texture(info: &ClearTexture);
        clear_buffer(info: &ClearBuffer);
        copy_image(info: &CopyImage);
        copy_buffer(info: &CopyBuffer);
        generate_mipmap(info: &GenerateMipmap) -> Outcome;
        memory_barrier(accesses: BarrierFlags);
        texture_barrier();
        invalidate(info: &InvalidateInfo);
        invalidate_texture(texture: TextureId, level: u32);
        marker(text: &[u8]);
        push_group(text: &[u8]);
        pop_group();
        buffer_write(buffer: BufferId, offset: u64, flags: MapFlags, bytes: &[u8]);
        buffer_read(buffer: BufferId, offset: u64, bytes: &mut [u8]) -> Outcome;
        buffer_invalidate(buffer: BufferId);
        texture_write(transfer: &TextureTransfer, bytes: &[u8]);
        texture_write_from_buffer(buffer: BufferId, offset: u64, transfer: &TextureTransfer) -> Outcome;
        texture_read(transfer: &TextureTransfer, bytes: &mut [u8]) -> Outcome;
        texture_read_to_buffer(buffer: BufferId, offset: u64, transfer: &TextureTransfer) -> Outcome;
        begin_query(id: QueryId);
        end_query(id: QueryId);
        query_result(id: QueryId, wait: u32) -> QueryResult;
        query_result_to_buffer(info: &QueryToBuffer) -> Outcome;
        flush(fence: FenceId, flags: FlushFlags);
        fence_server_wait(fence: FenceId);
        present(window: WindowId, source: TextureId, interval: i32, damage: &[Rect]) -> WindowState;
        buffer_map(buffer: BufferId, offset: u64, size: u64, flags: MapFlags) -> Option<Mapping>;
        buffer_flush_mapped(buffer: BufferId, offset: u64, size: u64);
        buffer_unmap(buffer: BufferId) -> bool;
    }
}
