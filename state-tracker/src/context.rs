//! A GL context.

use std::ffi::CString;
use std::sync::Arc;

use gallite_pipe::{Context as PipeContext, ContextFlags, DrawRange, Features, PipeError, ResetStatus};

use crate::atoms::AtomSet;
use crate::cso::CsoCaches;
use crate::debug::{DebugState, Message};
use crate::device::Device;
use crate::dirty::DirtySet;
use crate::drawable::Drawable;
use crate::error::GlError;
use crate::extensions::Extensions;
use crate::gl::*;
use crate::limits::Limits;
use crate::names::Names;
use crate::objects::framebuffer::Framebuffer;
use crate::objects::pipeline::Pipeline;
use crate::objects::query::Query;
use crate::objects::transform_feedback::TransformFeedback;
use crate::objects::vertex_array::{VertexArray, VertexInputs};
use crate::share::ShareGroup;
use crate::state;
use crate::state::framebuffers::Surface;
use crate::version;

/// Which set of features a context has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// The core profile.
    Core,
    /// The compatibility profile.
    Compatibility,
}

/// What the program asked for when it made a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextConfig {
    /// Profile.
    pub profile: Profile,
    /// Least version, major and minor.
    pub version: (u32, u32),
    /// Debug context.
    pub debug: bool,
    /// Forward-compatible context: deprecated features are gone.
    pub forward_compatible: bool,
    /// Out-of-bounds accesses are contained.
    pub robust_access: bool,
    /// Errors are undefined behaviour (KHR_no_error).
    pub no_error: bool,
    /// Resets are reported (GL_LOSE_CONTEXT_ON_RESET) instead of ignored.
    pub reset_notification: bool,
    /// The context is flushed when its thread lets go of it (KHR_context_flush_control).
    pub flush_on_release: bool,
}

impl Default for ContextConfig {
    fn default() -> Self {
        Self {
            profile: Profile::Core,
            version: (3, 3),
            debug: false,
            forward_compatible: false,
            robust_access: false,
            no_error: false,
            reset_notification: false,
            flush_on_release: true,
        }
    }
}

/// Why a context could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// The version is not supported in the profile.
    #[error("OpenGL {0}.{1} is not supported in this profile")]
    Version(u32, u32),
    /// The driver refused.
    #[error(transparent)]
    Pipe(#[from] PipeError),
}

/// The groups of a context's own state.
#[derive(Default)]
#[allow(missing_docs)]
pub struct State {
    pub buffers: state::buffers::BufferBindings,
    pub textures: state::textures::TextureState,
    pub vertex: state::vertex::VertexState,
    pub framebuffers: state::framebuffers::FramebufferState,
    pub programs: state::programs::ProgramState,
    pub queries: state::queries::QueryState,
    pub transform_feedback: state::transform_feedback::TransformFeedbackState,
    pub patches: state::patches::PatchState,
    pub pixel_store: state::pixel_store::PixelStoreState,
    pub raster: state::raster::RasterState,
    pub fragment: state::fragment::FragmentState,
    pub hints: state::hints::HintState,
    pub images: state::images::ImageState,
    /// Of the compatibility profile.
    pub fixed: Box<state::fixed::FixedState>,
}

/// A context. Fields are open to the crate, so that a command can borrow several at once.
pub struct Context {
    /// The driver's context.
    pub(crate) pipe: Box<dyn PipeContext>,
    /// State that may differ from what the driver knows.
    pub(crate) dirty: DirtySet,
    /// Atoms woken and not run yet.
    pub(crate) pending: AtomSet,
    /// The share group's epoch as of the last verb.
    pub(crate) share_epoch: u64,
    /// Atoms whose pushes verified verbs leave out.
    pub(crate) left_out: AtomSet,
    /// Whether the driver wants every verb's state derived again.
    pub(crate) verify: bool,
    /// Objects shared with other contexts.
    pub(crate) share: Arc<ShareGroup>,
    /// The screen.
    pub(crate) device: Arc<Device>,
    /// State groups.
    pub(crate) state: State,
    /// Caches of driver state objects.
    pub(crate) cso: CsoCaches,
    /// Empty between commands: memory for the ranges of those that draw several.
    pub(crate) draw_ranges: Vec<DrawRange>,
    /// Copies of multisampled window buffers that reads go to.
    pub(crate) resolved_reads: crate::resolved_reads::ResolvedReads,
    /// Vertex arrays by name.
    pub(crate) vertex_arrays: Names<Box<VertexArray>>,
    /// The vertex array of name 0.
    pub(crate) default_vertex_array: VertexArray,
    /// Framebuffers by name.
    pub(crate) framebuffers: Names<Box<Framebuffer>>,
    /// The framebuffer of name 0: the draw and read buffer selection of the window-system surface.
    pub(crate) default_framebuffer: Framebuffer,
    /// Queries by name.
    pub(crate) queries: Names<Box<Query>>,
    /// Transform feedback objects by name.
    pub(crate) transform_feedbacks: Names<Box<TransformFeedback>>,
    /// Program pipelines by name.
    pub(crate) pipelines: Names<Box<Pipeline>>,
    /// The transform feedback object of name 0.
    pub(crate) default_transform_feedback: TransformFeedback,
    /// KHR_debug.
    pub(crate) debug: DebugState,
    /// First error since glGetError was last called.
    pub(crate) error_flag: GLenum,
    /// Limits.
    pub(crate) limits: Limits,
    /// Extensions.
    pub(crate) extensions: Extensions,
    /// What glGetString returns.
    pub(crate) strings: ContextStrings,
    /// Limits and extensions as shaders see them.
    compile_options: gallite_shader::CompileOptions,
    /// Primitive modes whose draws were checked since the state the checks read last changed, a bit each.
    pub(crate) checked_modes: u32,
    /// Whether the draw framebuffer was found complete since anything about it last changed.
    pub(crate) framebuffer_checked: bool,
    /// glPushAttrib and glPushClientAttrib.
    pub(crate) attribute_stacks: crate::commands::attribute_stack::AttributeStacks,
    /// What the program asked for.
    pub(crate) config: ContextConfig,
    /// GL_MAJOR_VERSION and GL_MINOR_VERSION.
    pub(crate) version: (u32, u32),
    /// Why the context is lost, GL_NO_ERROR while it isn't.
    pub(crate) reset: GLenum,
    /// Whether the program was told.
    reset_told: bool,
    /// What was told once.
    told: Vec<&'static str>,
    was_current: bool,
}

/// Strings of a context, which glGetString lends to the program.
pub(crate) struct ContextStrings {
    /// GL_VENDOR.
    pub vendor: CString,
    /// GL_RENDERER.
    pub renderer: CString,
    /// GL_VERSION.
    pub version: CString,
    /// GL_SHADING_LANGUAGE_VERSION.
    pub shading_language_version: CString,
    /// What `#version` may be followed by.
    pub shading_languages: Vec<CString>,
    /// GL_SPIR_V_EXTENSIONS.
    pub spirv_extensions: Vec<CString>,
}

impl ContextStrings {
    fn new(
        device: &Device,
        config: &ContextConfig,
        extensions: &Extensions,
        options: &gallite_shader::CompileOptions,
        (major, minor): (u32, u32),
    ) -> Self {
        // A null byte can't be in any of them: the caps' texts end at their first.
        let string = |text: String| CString::new(text).unwrap_or_default();
        let name = gallite_pipe::caps::text(&device.caps.device_name);
        let driver = gallite_pipe::caps::text(&device.caps.driver_name);
        let profile = match config.profile {
            Profile::Core => "Core Profile",
            Profile::Compatibility => "Compatibility Profile",
        };
        let language = version::shading_language((major, minor));
        Self {
            vendor: string("Gallite".to_owned()),
            renderer: string(format!("Gallite ({name}, {driver})")),
            version: string(format!("{major}.{minor} ({profile}) Gallite {}", env!("CARGO_PKG_VERSION"))),
            shading_language_version: string(format!("{}.{:02}", language / 100, language % 100)),
            shading_languages: version::shading_languages(language, config.profile, extensions).map(string).collect(),
            spirv_extensions: gallite_shader::spirv_extensions(options)
                .into_iter()
                .map(|name| string(name.to_owned()))
                .collect(),
        }
    }
}

impl Context {
    /// Makes a context that shares objects with the contexts of `share`, or starts a new group.
    pub fn new(
        device: &Arc<Device>,
        config: &ContextConfig,
        share: Option<&Arc<ShareGroup>>,
    ) -> Result<Box<Self>, CreateError> {
        let (major, minor) = config.version;
        let mut limits = Limits::new(&device.caps);
        if config.profile == Profile::Compatibility {
            // Conventional attributes follow the generic ones.
            let generic = state::vertex::CONVENTIONAL as i32;
            limits.vertex_attribs = limits.vertex_attribs.min(generic);
            limits.vertex_attrib_bindings = limits.vertex_attrib_bindings.min(generic);
        }
        let extensions = Extensions::new(&device.caps, config.profile);
        let newest = version::newest(&extensions);
        if !version::exists(config.version) || config.version > newest {
            return Err(CreateError::Version(major, minor));
        }
        let flags = ContextFlags::EMPTY
            .with(ContextFlags::ROBUST, config.robust_access)
            .with(ContextFlags::DEBUG, config.debug);
        let pipe = device.screen.create_context(flags)?;
        let share = share.map_or_else(|| ShareGroup::new(device), Arc::clone);
        share.enter();
        let mut initial = State::default();
        if config.profile == Profile::Compatibility {
            initial.vertex.add_conventional();
        }
        let compile_options = compile_options(&limits, &extensions, config.profile, newest);
        Ok(Box::new(Self {
            pipe,
            dirty: DirtySet::ALL,
            pending: AtomSet::default(),
            share_epoch: share.epoch(),
            left_out: AtomSet::default(),
            verify: device.caps.features.contains(Features::VERIFY),
            share,
            device: Arc::clone(device),
            state: initial,
            cso: CsoCaches::default(),
            draw_ranges: Vec::new(),
            resolved_reads: Default::default(),
            vertex_arrays: Names::default(),
            default_vertex_array: VertexArray::new(0),
            framebuffers: Names::default(),
            default_framebuffer: Framebuffer::new(0),
            queries: Names::default(),
            transform_feedbacks: Names::default(),
            pipelines: Names::default(),
            default_transform_feedback: TransformFeedback::new(0),
            debug: DebugState::new(config.debug),
            error_flag: GL_NO_ERROR,
            limits,
            strings: ContextStrings::new(device, config, &extensions, &compile_options, newest),
            extensions,
            compile_options,
            checked_modes: 0,
            framebuffer_checked: false,
            attribute_stacks: Default::default(),
            config: config.clone(),
            version: newest,
            told: Vec::new(),
            reset: GL_NO_ERROR,
            reset_told: false,
            was_current: false,
        }))
    }

    /// Notes that a shared object changed, and what that makes stale in this context. The others look at all they share.
    pub(crate) fn shared_changed(&mut self, stale: DirtySet) {
        self.dirty.insert(stale);
        let epoch = self.share.bump_epoch();
        // Unless another context's change came in between, which is still to be noticed.
        if self.share_epoch + 1 == epoch {
            self.share_epoch = epoch;
        }
    }

    /// Whether this is a core profile context.
    #[inline]
    pub fn is_core(&self) -> bool {
        self.config.profile == Profile::Core
    }

    /// What shaders of this context are compiled and linked with.
    pub(crate) fn compile_options(&self) -> &gallite_shader::CompileOptions {
        &self.compile_options
    }

    /// The group of shared objects, for a further context.
    pub fn share_group(&self) -> &Arc<ShareGroup> {
        &self.share
    }

    /// The screen it runs on.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// The driver's context, for what the winsys does itself: presentation.
    pub fn pipe(&mut self) -> &mut dyn PipeContext {
        &mut *self.pipe
    }

    /// Version, major and minor.
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// What the program asked for.
    pub fn config(&self) -> &ContextConfig {
        &self.config
    }

    /// Whether the context has the compatibility profile.
    #[inline]
    pub fn is_compatibility(&self) -> bool {
        self.config.profile == Profile::Compatibility
    }

    /// Sets the surfaces framebuffer 0 stands for. The winsys calls it before `make_current`.
    pub fn set_surfaces(&mut self, draw: Option<Arc<dyn Drawable>>, read: Option<Arc<dyn Drawable>>) {
        let first_size = {
            let framebuffers = &mut self.state.framebuffers;
            framebuffers.draw_surface = Surface::new(draw);
            framebuffers.read_surface = Surface::new(read);
            framebuffers.draw_surface.refresh(&mut *self.pipe);
            framebuffers.read_surface.refresh(&mut *self.pipe);
            let buffers = &framebuffers.draw_surface.buffers;
            [buffers.width, buffers.height]
        };
        self.dirty.insert(DirtySet::FRAMEBUFFER);
        crate::resolved_reads::release(self);
        if !self.was_current && self.state.framebuffers.draw_surface.drawable.is_some() {
            // GL 4.6 core 13.8.1 and 14.9.2: viewport and scissor box start as the size of the window that the
            // context is first attached to.
            self.was_current = true;
            let [width, height] = first_size;
            for viewport in &mut self.state.raster.viewports {
                (viewport.width, viewport.height) = (width as f32, height as f32);
            }
            self.state.fragment.scissors = [[0, 0, width as GLint, height as GLint]; gallite_pipe::MAX_VIEWPORTS];
            self.dirty.insert(DirtySet::VIEWPORT | DirtySet::SCISSOR);
        }
    }

    /// Raises an error: keeps the first code for glGetError and reports the message through KHR_debug.
    #[cold]
    #[inline(never)]
    pub fn error(&mut self, error: GlError) {
        self.set_error_flag(error.code());
        let (source, kind) = (GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_ERROR);
        let (id, severity) = (error.code(), GL_DEBUG_SEVERITY_HIGH);
        if self.debug.wants(source, kind, id, severity) {
            let text = error.message().as_bytes().to_vec();
            self.debug.deliver(Message { source, kind, id, severity, text });
        }
        tracing::debug!("{error}");
    }

    /// Sends a message of the tracker itself through KHR_debug.
    pub fn debug_message(&mut self, kind: GLenum, severity: GLenum, id: GLuint, text: impl FnOnce() -> String) {
        if self.debug.wants(GL_DEBUG_SOURCE_API, kind, id, severity) {
            let text = text().into_bytes();
            self.debug.deliver(Message { source: GL_DEBUG_SOURCE_API, kind, id, severity, text });
        }
    }

    /// Tells the program, once, that what it asked for is drawn otherwise.
    #[cold]
    pub(crate) fn tell_once(&mut self, text: &'static str) {
        if !self.told.contains(&text) {
            self.told.push(text);
            self.debug_message(GL_DEBUG_TYPE_PORTABILITY, GL_DEBUG_SEVERITY_MEDIUM, 0, || text.to_owned());
        }
    }

    /// Keeps an error code for glGetError unless one is kept already (GL 4.6 core 2.3.1).
    pub fn set_error_flag(&mut self, code: GLenum) {
        if self.error_flag == GL_NO_ERROR {
            self.error_flag = code;
        }
    }

    /// Whether the context is lost.
    pub fn is_lost(&self) -> bool {
        self.reset != GL_NO_ERROR
    }

    /// Marks the context lost by a fault of ours.
    pub(crate) fn lose_by_internal_error(&mut self) {
        self.reset = GL_UNKNOWN_CONTEXT_RESET;
        self.set_error_flag(GL_CONTEXT_LOST);
    }

    /// Asks the driver whether the device was reset: the context is lost then.
    pub(crate) fn check_reset(&mut self) -> GLenum {
        if self.reset == GL_NO_ERROR {
            self.reset = match self.device.screen.reset_status() {
                ResetStatus::NONE => GL_NO_ERROR,
                ResetStatus::GUILTY => GL_GUILTY_CONTEXT_RESET,
                ResetStatus::INNOCENT => GL_INNOCENT_CONTEXT_RESET,
                _ => GL_UNKNOWN_CONTEXT_RESET,
            };
        }
        self.reset
    }

    /// The reset that the program has not been told of yet.
    pub(crate) fn tell_reset(&mut self) -> GLenum {
        let reset = self.check_reset();
        if std::mem::replace(&mut self.reset_told, reset != GL_NO_ERROR) { GL_NO_ERROR } else { reset }
    }

    /// Passes on what the driver has to tell. For the winsys, after a buffer swap.
    pub fn take_events(&mut self) {
        crate::events::after_flush(self);
    }

    /// Forgets what was pushed, so that atoms push again whatever they compare with.
    pub(crate) fn forget_pushed(&mut self) {
        self.cso.bound_blend = Default::default();
        self.cso.bound_depth_stencil = Default::default();
        self.cso.bound_rasterizer = Default::default();
        self.cso.bound_vertex_layout = Default::default();
        // Kept for its sources: a verb that doesn't derive layouts must not leave the next draw without buffers.
        if let Some(derived) = &mut self.vertex_array_mut().derived {
            derived.inputs = VertexInputs::new([u32::MAX; 3]);
        }
        self.state.textures.pushed.iter_mut().for_each(|pushed| pushed.count = 0);
        self.state.textures.resolved.clear();
    }
}

/// Limits and extensions in the shader front end's terms.
fn compile_options(
    limits: &Limits,
    extensions: &Extensions,
    profile: Profile,
    newest: (u32, u32),
) -> gallite_shader::CompileOptions {
    let n = |value: i32| value.max(0) as u32;
    let shader_limits = gallite_shader::Limits {
        max_glsl_version: version::shading_language(newest),
        max_vertex_attribs: n(limits.vertex_attribs),
        max_vertex_locations: n(limits.vertex_locations),
        max_vertex_uniform_components: n(limits.uniform_components),
        max_geometry_uniform_components: n(limits.uniform_components),
        max_fragment_uniform_components: n(limits.uniform_components),
        max_varying_components: n(limits.varying_components),
        max_vertex_output_components: n(limits.vertex_output_components),
        max_geometry_input_components: n(limits.geometry_input_components),
        max_geometry_output_components: n(limits.geometry_output_components),
        max_fragment_input_components: n(limits.fragment_input_components),
        max_tess_control_input_components: n(limits.tess_control_input_components),
        max_tess_control_output_components: n(limits.tess_control_output_components),
        max_tess_control_total_output_components: n(limits.tess_control_total_output_components),
        max_tess_evaluation_input_components: n(limits.tess_evaluation_input_components),
        max_tess_evaluation_output_components: n(limits.tess_evaluation_output_components),
        max_tess_patch_components: n(limits.tess_patch_components),
        max_patch_vertices: n(limits.patch_vertices),
        max_tess_gen_level: n(limits.tess_gen_level),
        max_viewports: n(limits.viewports),
        max_cull_distances: n(limits.cull_distances),
        max_combined_clip_and_cull_distances: n(limits.combined_clip_and_cull_distances),
        max_geometry_output_vertices: n(limits.geometry_output_vertices),
        max_geometry_total_output_components: n(limits.geometry_total_output_components),
        max_texture_image_units: n(limits.texture_units_per_stage),
        max_vertex_texture_image_units: n(limits.texture_units_per_stage),
        max_geometry_texture_image_units: n(limits.geometry_texture_units),
        max_combined_texture_image_units: n(limits.combined_texture_units),
        max_uniform_blocks_per_stage: n(limits.uniform_blocks_per_stage),
        max_combined_uniform_blocks: n(limits.combined_uniform_blocks),
        max_uniform_block_size: n(limits.uniform_block_size),
        max_uniform_buffer_bindings: n(limits.uniform_buffer_bindings),
        max_draw_buffers: n(limits.draw_buffers),
        max_dual_source_draw_buffers: n(limits.dual_source_draw_buffers),
        max_clip_distances: n(limits.clip_distances),
        max_samples: n(limits.samples),
        min_program_texel_offset: limits.program_texel_offset[0],
        max_program_texel_offset: limits.program_texel_offset[1],
        max_xfb_buffers: n(limits.xfb_buffers),
        max_xfb_interleaved_components: n(limits.xfb_interleaved_components),
        max_xfb_separate_attribs: n(limits.xfb_separate_attribs),
        max_xfb_separate_components: n(limits.xfb_separate_components),
        max_uniform_locations: n(limits.uniform_locations),
        max_compute_uniform_components: n(limits.uniform_components),
        max_compute_work_group_count: limits.compute_work_group_count.map(n),
        max_compute_work_group_size: limits.compute_work_group_size.map(n),
        max_compute_work_group_invocations: n(limits.compute_work_group_invocations),
        max_compute_shared_memory_size: n(limits.compute_shared_memory_size),
        max_storage_blocks: limits.storage_blocks.map(n),
        max_combined_storage_blocks: n(limits.combined_storage_blocks),
        max_storage_buffer_bindings: n(limits.storage_buffer_bindings),
        max_storage_block_size: limits.storage_block_size.clamp(0, u32::MAX.into()) as u32,
        max_images: limits.image_uniforms.map(n),
        max_combined_images: n(limits.combined_image_uniforms),
        max_image_units: n(limits.image_units),
        max_image_samples: n(limits.image_samples),
        max_combined_output_resources: n(limits.combined_shader_output_resources),
        max_atomic_counters: limits.atomic_counters.map(n),
        max_combined_atomic_counters: n(limits.combined_atomic_counters),
        max_atomic_buffers: limits.atomic_buffers.map(n),
        max_combined_atomic_buffers: n(limits.combined_atomic_buffers),
        max_atomic_buffer_bindings: n(limits.atomic_buffer_bindings),
        max_atomic_buffer_size: n(limits.atomic_buffer_size),
        ..gallite_shader::Limits::default()
    };
    let names = extensions.names().iter().map(|name| name.to_string_lossy().into_owned()).collect();
    gallite_shader::CompileOptions {
        limits: Arc::new(shader_limits),
        extensions: names,
        profile: match profile {
            Profile::Core => gallite_shader::Profile::Core,
            Profile::Compatibility => gallite_shader::Profile::Compatibility,
        },
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.release_program();
        for pipeline in self.pipelines.drain() {
            crate::commands::pipelines::release(self, &pipeline);
        }
        crate::resolved_reads::release(self);
        crate::vertex_convert::release_temporary(self);
        crate::vertex_convert::release_kept(self);
        let upload = std::mem::take(&mut self.state.vertex.upload.buffer);
        if !upload.is_null() {
            self.device.screen.destroy_buffer(upload);
            self.device.release(upload);
        }
        for query in self.queries.drain() {
            self.device.screen.destroy_query(query.id);
            self.device.release(query.id);
        }
        self.default_transform_feedback.release_targets(&self.device);
        for mut object in self.transform_feedbacks.drain() {
            object.release_targets(&self.device);
        }
        self.share.leave();
        self.cso.clear(&self.device);
    }
}
