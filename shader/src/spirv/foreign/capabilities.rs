//! Capabilities and extensions of SPIR-V that a context offers (GL 4.6 core appendix C.3 and ARB_spirv_extensions).

use std::collections::BTreeSet;

use spirv::Capability;

use super::{Check, refuse};
use crate::stage::CompileOptions;

/// Extensions of GL that a capability comes with; none for what every context has.
fn needs(capability: Capability) -> Option<&'static [&'static str]> {
    use Capability::*;
    Some(match capability {
        Matrix | Shader | Geometry | GeometryPointSize | ClipDistance | ImageRect | SampledRect | Sampled1D
        | Image1D | SampledBuffer | ImageMSArray | ImageQuery | TransformFeedback => &[],
        Tessellation | TessellationPointSize => &["GL_ARB_tessellation_shader"],
        Float64 => &["GL_ARB_gpu_shader_fp64"],
        Int64 => &["GL_ARB_gpu_shader_int64"],
        AtomicStorage => &["GL_ARB_shader_atomic_counters"],
        AtomicStorageOps => &["GL_ARB_shader_atomic_counter_ops"],
        ImageGatherExtended
        | UniformBufferArrayDynamicIndexing
        | SampledImageArrayDynamicIndexing
        | InterpolationFunction
        | GeometryStreams => &["GL_ARB_gpu_shader5"],
        StorageImageMultisample
        | StorageImageArrayDynamicIndexing
        | StorageImageExtendedFormats
        | StorageImageWriteWithoutFormat
        | ImageBuffer => &["GL_ARB_shader_image_load_store"],
        StorageBufferArrayDynamicIndexing => &["GL_ARB_shader_storage_buffer_object"],
        CullDistance => &["GL_ARB_cull_distance"],
        ImageCubeArray => &["GL_ARB_texture_cube_map_array", "GL_ARB_shader_image_load_store"],
        SampledCubeArray => &["GL_ARB_texture_cube_map_array"],
        SampleRateShading => &["GL_ARB_sample_shading"],
        DerivativeControl => &["GL_ARB_derivative_control"],
        MultiViewport => &["GL_ARB_viewport_array"],
        DrawParameters => &["GL_ARB_shader_draw_parameters"],
        SubgroupVoteKHR => &["GL_ARB_shader_group_vote"],
        _ => return None,
    })
}

/// Whether a module may declare a capability.
pub(super) fn is_allowed(capability: u32, options: &CompileOptions) -> bool {
    let extensions = Capability::from_u32(capability).and_then(needs);
    extensions.is_some_and(|all| all.iter().all(|name| options.extensions.iter().any(|e| e == name)))
}

/// The extensions of SPIR-V that modules may use, in the order of GL_SPIR_V_EXTENSIONS.
pub fn extensions(options: &CompileOptions) -> Vec<&'static str> {
    const ALL: [(&str, &str); 4] = [
        ("SPV_KHR_shader_atomic_counter_ops", "GL_ARB_shader_atomic_counter_ops"),
        ("SPV_KHR_shader_draw_parameters", "GL_ARB_shader_draw_parameters"),
        ("SPV_KHR_storage_buffer_storage_class", "GL_ARB_shader_storage_buffer_object"),
        ("SPV_KHR_subgroup_vote", "GL_ARB_shader_group_vote"),
    ];
    let offered = |extension: &str| options.extensions.iter().any(|e| e == extension);
    ALL.into_iter().filter(|(_, extension)| offered(extension)).map(|(name, _)| name).collect()
}

/// The capabilities that a module's content asks for. They replace those that it declares.
#[derive(Debug)]
pub(super) struct Required<'a> {
    pub options: &'a CompileOptions,
    pub all: BTreeSet<u32>,
}

impl<'a> Required<'a> {
    pub fn new(options: &'a CompileOptions) -> Self {
        Self { options, all: BTreeSet::from([Capability::Shader as u32]) }
    }

    /// Notes a capability; refuses it where the context does not offer it.
    pub fn add(&mut self, capability: Capability) -> Check {
        if !is_allowed(capability as u32, self.options) {
            refuse!("capability {capability:?} is not supported");
        }
        self.all.insert(capability as u32);
        Ok(())
    }
}
