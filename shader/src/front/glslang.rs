//! The only module that calls C: glslang through its C interface.
//!
//! glslang is run at the source's own version without SPIR-V rules, so what it accepts is what
//! desktop GL accepts; the syntax tree is then translated to SPIR-V all the same. The result has
//! GL's shape (loose uniforms, legacy built-ins as ordinary variables) and is brought into our
//! shader ABI by the linker.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;
use std::sync::Once;

use glslang_sys as sys;

use crate::stage::{Limits, Stage};

/// Owns one `glslang_shader_t`.
struct ShaderHandle(*mut sys::glslang_shader_t);

impl Drop for ShaderHandle {
    fn drop(&mut self) {
        // SAFETY: the pointer came from glslang_shader_create and is deleted exactly once; programs
        // that refer to it are dropped first (field order in `Attempt`).
        unsafe { sys::glslang_shader_delete(self.0) }
    }
}

/// Owns one `glslang_program_t`.
struct ProgramHandle(*mut sys::glslang_program_t);

impl Drop for ProgramHandle {
    fn drop(&mut self) {
        // SAFETY: the pointer came from glslang_program_create and is deleted exactly once.
        unsafe { sys::glslang_program_delete(self.0) }
    }
}

/// What one run of glslang gave.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// Every source parsed.
    pub parsed: bool,
    /// Raw log of the parse, in glslang's own format.
    pub parse_log: String,
    /// Raw log of glslang's own link of the stage.
    pub link_log: String,
    /// SPIR-V words, when the sources make a complete stage.
    pub words: Option<Vec<u32>>,
}

/// One source with everything that decides how it is read.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// Source text, without NUL.
    pub text: &'a CStr,
    /// Text put in front of the source (macros), without changing its line numbers.
    pub preamble: &'a CStr,
    /// Version of a source that names none.
    pub default_version: u32,
    /// For the preprocessor: the version is one of OpenGL ES, and not in the text.
    pub es: bool,
}

static INIT: Once = Once::new();

fn initialize() {
    INIT.call_once(|| {
        // SAFETY: called once, before any other glslang call (every path goes through here).
        unsafe {
            sys::glslang_initialize_process();
        }
    });
}

/// Stack for sources whose nesting glslang's recursion would otherwise run out of stack on.
const HEAVY_STACK: usize = 1 << 30;

/// Parses `sources` (compilation units of one stage) and translates them when they form a
/// complete stage. `heavy` asks for a large stack.
pub(crate) fn run(stage: Stage, sources: &[Source<'_>], limits: &Limits, heavy: bool) -> Output {
    on_stack(heavy, || run_here(stage, sources, limits))
        .unwrap_or_else(|| Output { parse_log: OUT_OF_MEMORY.into(), ..Output::default() })
}

const OUT_OF_MEMORY: &str = "ERROR: 0:1:1: out of memory\n";

/// Runs `f` here or on a large stack of its own. `None` where there is no memory for one.
fn on_stack<T: Send>(large: bool, f: impl FnOnce() -> T + Send) -> Option<T> {
    if !large {
        return Some(f());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("gallite-glsl".into()).stack_size(HEAVY_STACK);
        thread.spawn_scoped(scope, f).ok()?.join().ok()
    })
}

/// glslang allocates from the pool its thread used last, even while constructing a new shader and after that pool's
/// owner is gone. Linking an empty program makes this program's pool current; it has to outlive everything made below.
fn current_pool() -> ProgramHandle {
    initialize();
    // SAFETY: no preconditions beyond initialisation; the program is live until its handle goes.
    unsafe {
        let raw = sys::glslang_program_create();
        let pool = ProgramHandle(raw);
        sys::glslang_program_link(raw, 0);
        pool
    }
}

/// How glslang is to read a source. It keeps pointers into the source and `resource`.
fn input(stage: Stage, source: &Source<'_>, resource: &sys::glslang_resource_t) -> sys::glslang_input_t {
    sys::glslang_input_t {
        language: sys::glslang_source_t::GLSL,
        stage: c_stage(stage),
        client: sys::glslang_client_t::None,
        client_version: sys::glslang_target_client_version_t::OpenGL450,
        target_language: sys::glslang_target_language_t::None,
        target_language_version: sys::glslang_target_language_version_t::SPIRV1_0,
        code: source.text.as_ptr(),
        default_version: source.default_version as c_int,
        default_profile: if source.es && source.default_version > 100 {
            sys::glslang_profile_t::ES
        } else if source.default_version < 150 {
            sys::glslang_profile_t::None
        } else {
            sys::glslang_profile_t::Compatibility
        },
        force_default_version_and_profile: c_int::from(source.es),
        forward_compatible: 0,
        messages: MESSAGES,
        resource,
        callbacks: sys::glsl_include_callbacks_t {
            include_system: None,
            include_local: None,
            free_include_result: None,
        },
        callbacks_ctx: ptr::null_mut(),
    }
}

const MESSAGES: sys::glslang_messages_t = sys::glslang_messages_t::DISPLAY_ERROR_COLUMN;

/// Expands the macros of a source and removes what its conditions exclude: the text, in which lines keep their
/// numbers, or nothing where there are errors, and the raw log. `heavy` asks for a large stack.
pub(crate) fn preprocess(source: &Source<'_>, limits: &Limits, heavy: bool) -> (Option<Vec<u8>>, String) {
    on_stack(heavy, || preprocess_here(source, limits)).unwrap_or_else(|| (None, OUT_OF_MEMORY.into()))
}

fn preprocess_here(source: &Source<'_>, limits: &Limits) -> (Option<Vec<u8>>, String) {
    // Declared first so that it goes last.
    let _pool = current_pool();
    let resource = resource(limits);
    // The language is the same in every stage.
    let input = input(Stage::Vertex, source, &resource);
    let mut log = String::new();
    // SAFETY: `input` and all it points to outlive the shader; the code is copied out while the shader is live.
    let text = unsafe {
        let raw = sys::glslang_shader_create(&input);
        if raw.is_null() {
            return (None, log);
        }
        let shader = ShaderHandle(raw);
        sys::glslang_shader_set_preamble(shader.0, source.preamble.as_ptr());
        let fine = sys::glslang_shader_preprocess(shader.0, &input) != 0;
        append(&mut log, sys::glslang_shader_get_info_log(shader.0));
        let code = sys::glslang_shader_get_preprocessed_code(shader.0);
        (fine && !code.is_null()).then(|| CStr::from_ptr(code).to_string_lossy().into_owned())
    };
    // The words of a pragma come back in one.
    let text = text.map(|text| text.replace("#pragma STDGLinvariant", "#pragma STDGL invariant").into_bytes());
    (text, log)
}

fn run_here(stage: Stage, sources: &[Source<'_>], limits: &Limits) -> Output {
    let _pool = current_pool();
    let resource = resource(limits);
    let mut out = Output { parsed: true, ..Output::default() };
    // Declared before the program so that it is dropped after it.
    let mut shaders: Vec<ShaderHandle> = Vec::with_capacity(sources.len());
    for source in sources {
        let input = input(stage, source, &resource);
        // SAFETY: `input` and all it points to live until the end of this iteration; glslang copies
        // the code string in set_preprocessed_code and keeps only the preamble pointer, which
        // outlives the shader because `sources` does.
        let parsed = unsafe {
            let raw = sys::glslang_shader_create(&input);
            if raw.is_null() {
                out.parsed = false;
                return out;
            }
            shaders.push(ShaderHandle(raw));
            sys::glslang_shader_set_preamble(raw, source.preamble.as_ptr());
            sys::glslang_shader_set_preprocessed_code(raw, source.text.as_ptr());
            let parsed = sys::glslang_shader_parse(raw, &input) != 0;
            append(&mut out.parse_log, sys::glslang_shader_get_info_log(raw));
            parsed
        };
        out.parsed &= parsed;
    }
    if !out.parsed {
        return out;
    }
    // SAFETY: every shader handle in `shaders` is live and parsed successfully.
    let program = unsafe {
        let raw = sys::glslang_program_create();
        let program = ProgramHandle(raw);
        for shader in &shaders {
            sys::glslang_program_add_shader(raw, shader.0);
        }
        program
    };
    // SAFETY: the program is live and has its shaders; the word pointer is read before the program
    // is deleted and spans exactly `size` words as the C interface documents.
    unsafe {
        let linked = sys::glslang_program_link(program.0, MESSAGES.0) != 0;
        append(&mut out.link_log, sys::glslang_program_get_info_log(program.0));
        if linked {
            let mut options = spv_options();
            sys::glslang_program_SPIRV_generate_with_options(program.0, c_stage(stage), &mut options);
            let size = sys::glslang_program_SPIRV_get_size(program.0);
            let words = sys::glslang_program_SPIRV_get_ptr(program.0);
            if size != 0 && !words.is_null() {
                out.words = Some(std::slice::from_raw_parts(words, size).to_vec());
            }
            append(&mut out.link_log, sys::glslang_program_SPIRV_get_messages(program.0));
        }
    }
    drop(program);
    out
}

/// Makes a C string, replacing bytes no GLSL source may contain.
pub(crate) fn c_string(text: impl Into<Vec<u8>>) -> CString {
    let mut bytes = text.into();
    for b in &mut bytes {
        if *b == 0 {
            *b = 1;
        }
    }
    CString::new(bytes).unwrap_or_default()
}

/// Appends a C string that may be null.
///
/// # Safety
/// `text` is null or a NUL-terminated string that stays valid during the call.
unsafe fn append(log: &mut String, text: *const c_char) {
    if !text.is_null() {
        // SAFETY: by this function's contract.
        log.push_str(&unsafe { CStr::from_ptr(text) }.to_string_lossy());
    }
}

fn c_stage(stage: Stage) -> sys::glslang_stage_t {
    match stage {
        Stage::Vertex => sys::glslang_stage_t::Vertex,
        Stage::TessControl => sys::glslang_stage_t::TesselationControl,
        Stage::TessEvaluation => sys::glslang_stage_t::TesselationEvaluation,
        Stage::Geometry => sys::glslang_stage_t::Geometry,
        Stage::Fragment => sys::glslang_stage_t::Fragment,
        Stage::Compute => sys::glslang_stage_t::Compute,
    }
}

fn spv_options() -> sys::glslang_spv_options_t {
    sys::glslang_spv_options_t {
        generate_debug_info: false,
        strip_debug_info: false,
        disable_optimizer: true,
        optimize_size: false,
        optimize_performance: false,
        disassemble: false,
        validate: false,
        emit_nonsemantic_shader_debug_info: false,
        emit_nonsemantic_shader_debug_source: false,
        compile_only: false,
        optimize_allow_expanded_id_bound: false,
        compiler_signature: ptr::null(),
        command_line_arguments: ptr::null(),
        current_working_directory: ptr::null(),
    }
}

fn resource(limits: &Limits) -> sys::glslang_resource_t {
    let n = |v: u32| v.min(i32::MAX as u32) as c_int;
    let of = |by_stage: [u32; Stage::COUNT], stage: Stage| n(by_stage[stage.index()]);
    sys::glslang_resource_t {
        max_lights: 8,
        max_clip_planes: n(limits.max_clip_distances),
        max_texture_units: 8,
        max_texture_coords: n(limits.max_texture_coords),
        max_vertex_attribs: n(limits.max_vertex_attribs),
        max_vertex_uniform_components: n(limits.max_vertex_uniform_components),
        max_varying_floats: n(limits.max_varying_components),
        max_vertex_texture_image_units: n(limits.max_vertex_texture_image_units),
        max_combined_texture_image_units: n(limits.max_combined_texture_image_units),
        max_texture_image_units: n(limits.max_texture_image_units),
        max_fragment_uniform_components: n(limits.max_fragment_uniform_components),
        max_draw_buffers: n(limits.max_draw_buffers),
        max_vertex_uniform_vectors: n(limits.max_vertex_uniform_components / 4),
        max_varying_vectors: n(limits.max_varying_components / 4),
        max_fragment_uniform_vectors: n(limits.max_fragment_uniform_components / 4),
        max_vertex_output_vectors: n(limits.max_vertex_output_components / 4),
        max_fragment_input_vectors: n(limits.max_fragment_input_components / 4),
        min_program_texel_offset: limits.min_program_texel_offset,
        max_program_texel_offset: limits.max_program_texel_offset,
        max_clip_distances: n(limits.max_clip_distances),
        max_compute_work_group_count_x: n(limits.max_compute_work_group_count[0]),
        max_compute_work_group_count_y: n(limits.max_compute_work_group_count[1]),
        max_compute_work_group_count_z: n(limits.max_compute_work_group_count[2]),
        max_compute_work_group_size_x: n(limits.max_compute_work_group_size[0]),
        max_compute_work_group_size_y: n(limits.max_compute_work_group_size[1]),
        max_compute_work_group_size_z: n(limits.max_compute_work_group_size[2]),
        max_compute_uniform_components: n(limits.max_compute_uniform_components),
        max_compute_texture_image_units: n(limits.max_texture_image_units),
        max_compute_image_uniforms: of(limits.max_images, Stage::Compute),
        max_compute_atomic_counters: of(limits.max_atomic_counters, Stage::Compute),
        max_compute_atomic_counter_buffers: of(limits.max_atomic_buffers, Stage::Compute),
        max_varying_components: n(limits.max_varying_components),
        max_vertex_output_components: n(limits.max_vertex_output_components),
        max_geometry_input_components: n(limits.max_geometry_input_components),
        max_geometry_output_components: n(limits.max_geometry_output_components),
        max_fragment_input_components: n(limits.max_fragment_input_components),
        max_image_units: n(limits.max_image_units),
        max_combined_image_units_and_fragment_outputs: n(limits.max_combined_output_resources),
        max_combined_shader_output_resources: n(limits.max_combined_output_resources),
        max_image_samples: n(limits.max_image_samples),
        max_vertex_image_uniforms: of(limits.max_images, Stage::Vertex),
        max_tess_control_image_uniforms: of(limits.max_images, Stage::TessControl),
        max_tess_evaluation_image_uniforms: of(limits.max_images, Stage::TessEvaluation),
        max_geometry_image_uniforms: of(limits.max_images, Stage::Geometry),
        max_fragment_image_uniforms: of(limits.max_images, Stage::Fragment),
        max_combined_image_uniforms: n(limits.max_combined_images),
        max_geometry_texture_image_units: n(limits.max_geometry_texture_image_units),
        max_geometry_output_vertices: n(limits.max_geometry_output_vertices),
        max_geometry_total_output_components: n(limits.max_geometry_total_output_components),
        max_geometry_uniform_components: n(limits.max_geometry_uniform_components),
        max_geometry_varying_components: n(limits.max_varying_components),
        max_tess_control_input_components: n(limits.max_tess_control_input_components),
        max_tess_control_output_components: n(limits.max_tess_control_output_components),
        max_tess_control_texture_image_units: n(limits.max_geometry_texture_image_units),
        max_tess_control_uniform_components: n(limits.max_geometry_uniform_components),
        max_tess_control_total_output_components: n(limits.max_tess_control_total_output_components),
        max_tess_evaluation_input_components: n(limits.max_tess_evaluation_input_components),
        max_tess_evaluation_output_components: n(limits.max_tess_evaluation_output_components),
        max_tess_evaluation_texture_image_units: n(limits.max_geometry_texture_image_units),
        max_tess_evaluation_uniform_components: n(limits.max_geometry_uniform_components),
        max_tess_patch_components: n(limits.max_tess_patch_components),
        max_patch_vertices: n(limits.max_patch_vertices),
        max_tess_gen_level: n(limits.max_tess_gen_level),
        max_viewports: n(limits.max_viewports),
        max_vertex_atomic_counters: of(limits.max_atomic_counters, Stage::Vertex),
        max_tess_control_atomic_counters: of(limits.max_atomic_counters, Stage::TessControl),
        max_tess_evaluation_atomic_counters: of(limits.max_atomic_counters, Stage::TessEvaluation),
        max_geometry_atomic_counters: of(limits.max_atomic_counters, Stage::Geometry),
        max_fragment_atomic_counters: of(limits.max_atomic_counters, Stage::Fragment),
        max_combined_atomic_counters: n(limits.max_combined_atomic_counters),
        max_atomic_counter_bindings: n(limits.max_atomic_buffer_bindings),
        max_vertex_atomic_counter_buffers: of(limits.max_atomic_buffers, Stage::Vertex),
        max_tess_control_atomic_counter_buffers: of(limits.max_atomic_buffers, Stage::TessControl),
        max_tess_evaluation_atomic_counter_buffers: of(limits.max_atomic_buffers, Stage::TessEvaluation),
        max_geometry_atomic_counter_buffers: of(limits.max_atomic_buffers, Stage::Geometry),
        max_fragment_atomic_counter_buffers: of(limits.max_atomic_buffers, Stage::Fragment),
        max_combined_atomic_counter_buffers: n(limits.max_combined_atomic_buffers),
        max_atomic_counter_buffer_size: n(limits.max_atomic_buffer_size),
        max_transform_feedback_buffers: n(limits.max_xfb_buffers),
        max_transform_feedback_interleaved_components: n(limits.max_xfb_interleaved_components),
        max_cull_distances: n(limits.max_cull_distances),
        max_combined_clip_and_cull_distances: n(limits.max_combined_clip_and_cull_distances),
        max_samples: n(limits.max_samples),
        max_mesh_output_vertices_nv: 0,
        max_mesh_output_primitives_nv: 0,
        max_mesh_work_group_size_x_nv: 0,
        max_mesh_work_group_size_y_nv: 0,
        max_mesh_work_group_size_z_nv: 0,
        max_task_work_group_size_x_nv: 0,
        max_task_work_group_size_y_nv: 0,
        max_task_work_group_size_z_nv: 0,
        max_mesh_view_count_nv: 0,
        max_mesh_output_vertices_ext: 0,
        max_mesh_output_primitives_ext: 0,
        max_mesh_work_group_size_x_ext: 0,
        max_mesh_work_group_size_y_ext: 0,
        max_mesh_work_group_size_z_ext: 0,
        max_task_work_group_size_x_ext: 0,
        max_task_work_group_size_y_ext: 0,
        max_task_work_group_size_z_ext: 0,
        max_mesh_view_count_ext: 0,
        __bindgen_anon_1: sys::glslang_resource_s__bindgen_ty_1 {
            max_dual_source_draw_buffers_ext: n(limits.max_dual_source_draw_buffers),
        },
        limits: sys::glslang_limits_t {
            non_inductive_for_loops: true,
            while_loops: true,
            do_while_loops: true,
            general_uniform_indexing: true,
            general_attribute_matrix_vector_indexing: true,
            general_varying_indexing: true,
            general_sampler_indexing: true,
            general_variable_indexing: true,
            general_constant_matrix_vector_indexing: true,
        },
    }
}
