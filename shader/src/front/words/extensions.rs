//! What the extensions that a source asks for bring, and how glslang is made to have it.

use super::super::{group_size, legacy_textures, trinary};
use super::{ENHANCED, Scanner};
use crate::stage::Stage;

/// What qualifies images and storage blocks.
const MEMORY: [&str; 4] = ["coherent", "restrict", "readonly", "writeonly"];

impl Scanner<'_> {
    /// What an extension that is asked for, and offered, brings. Others have hidden names.
    pub(super) fn extension(&mut self, name: &str) {
        match name {
            "GL_EXT_texture_array" => {
                self.brought.texture_array = true;
                if self.version >= 130 {
                    self.lend(legacy_textures::ARRAYS);
                }
            }
            // To glslang it is the profile named in the version.
            "GL_ARB_compatibility" => self.compatibility = true,
            "GL_EXT_gpu_shader4" => {
                self.qualifiers.extend(["flat", "noperspective"]);
                self.brought.texture_array = true;
                self.out.gpu_shader4 = true;
                self.needs(330);
            }
            "GL_AMD_shader_trinary_minmax" => {
                self.needs(130);
                self.lend(&trinary::preamble());
                self.out.trinary = true;
            }
            "GL_ARB_gpu_shader_int64" => {
                self.brought.int64 = true;
                self.out.int64 = true;
                // glslang has the functions from this version on.
                self.needs(450);
            }
            // What glslang has from a version on, with the extension.
            "GL_ARB_shader_ballot" | "GL_ARB_shader_clock" | "GL_EXT_demote_to_helper_invocation" => self.needs(450),
            "GL_ARB_shader_stencil_export" => self.needs(150),
            "GL_AMD_shader_stencil_export" => {
                self.needs(150);
                self.also("GL_ARB_shader_stencil_export");
                self.lend("#define gl_FragStencilRefAMD gl_FragStencilRefARB\n");
            }
            "GL_ARB_compute_variable_group_size" if self.stage == Stage::Compute => {
                self.out.group_sizes = true;
                self.lend(&group_size::preamble());
            }
            "GL_ARB_shader_viewport_layer_array" => {
                self.needs(450);
                self.out.viewport_members = true;
            }
            "GL_AMD_vertex_shader_layer" | "GL_AMD_vertex_shader_viewport_index" => {
                self.needs(450);
                self.out.viewport_members = true;
                self.also("GL_ARB_shader_viewport_layer_array");
            }
            "GL_NV_shader_atomic_float" => {
                self.atomics = true;
                self.needs(450);
                self.also("GL_EXT_shader_atomic_float");
            }
            "GL_NV_shader_atomic_int64" => {
                self.atomics = true;
                self.needs(450);
            }
            "GL_ARB_gpu_shader_fp64" | "GL_ARB_vertex_attrib_64bit" => {
                self.brought.double = true;
                self.doubles |= name == "GL_ARB_gpu_shader_fp64";
                // glslang's types of doubles need it.
                self.needs(150);
            }
            "GL_ARB_texture_cube_map_array" => self.brought.cube_array = true,
            "GL_ARB_shader_image_load_store" => {
                self.brought.images = true;
                self.qualifiers.extend(MEMORY);
            }
            "GL_ARB_tessellation_shader" => self.qualifiers.push("patch"),
            "GL_ARB_compute_shader" => self.qualifiers.push("shared"),
            "GL_ARB_shader_storage_buffer_object" => {
                self.atomics = true;
                self.qualifiers.push("buffer");
                self.qualifiers.extend(MEMORY);
                self.out.implicit_lengths = true;
                self.needs(420);
            }
            "GL_ARB_ES3_1_compatibility" => self.needs(450),
            "GL_ARB_ES3_2_compatibility" => {
                self.needs(450);
                self.bounding_box = true;
            }
            // It has locations of blocks, which glslang has by the other extension only.
            "GL_ARB_separate_shader_objects" if (150..440).contains(&self.version) => {
                self.lend(ENHANCED);
            }
            "GL_ARB_enhanced_layouts" => {
                self.out.enhanced = true;
                // glslang wants a profile for it, and those came with GLSL 1.50.
                self.needs(150);
            }
            "GL_ARB_explicit_uniform_location" => self.out.explicit_locations = true,
            // glslang knows no extension for it.
            "GL_ARB_arrays_of_arrays" => self.needs(430),
            "GL_ARB_shader_subroutine" => {
                self.out.subroutines = true;
                self.qualifiers.push("subroutine");
            }
            "GL_ARB_shading_language_420pack" => self.out.pack = true,
            // What glslang has in a version only, and not by the extension.
            "GL_ARB_texture_query_levels" => self.needs(430),
            "GL_ARB_conservative_depth" | "GL_AMD_conservative_depth" => self.needs(420),
            "GL_ARB_cull_distance" | "GL_ARB_derivative_control" | "GL_ARB_shader_texture_image_samples" => {
                self.needs(450);
            }
            // What these bring, glslang has from a version on.
            "GL_ARB_explicit_attrib_location" => self.needs(130),
            "GL_ARB_uniform_buffer_object" => self.needs(140),
            "GL_ARB_shader_draw_parameters" => self.needs(440),
            "GL_ARB_fragment_layer_viewport" | "GL_ARB_shader_group_vote" => self.needs(430),
            "GL_ARB_shader_bit_encoding" => self.needs(330),
            "GL_ARB_separate_shader_objects" => self.needs(140),
            "GL_ARB_texture_multisample" => {
                self.brought.multisample = true;
                self.needs(150);
            }
            "GL_ARB_texture_query_lod" => self.needs(150),
            "GL_ARB_shader_atomic_counters" => self.needs(420),
            "GL_ARB_shading_language_packing" => {
                self.packing = true;
                self.needs(420);
            }
            "GL_EXT_shader_integer_mix" => self.needs(450),
            "GL_MESA_shader_integer_functions" => {
                self.integer_functions = true;
                self.needs(400);
            }
            "GL_ARB_gpu_shader5" => {
                self.shader5 = true;
                self.qualifiers.extend(["sample", "precise"]);
            }
            "GL_ARB_texture_gather" => self.gathers = true,
            "GL_ARB_draw_instanced" => {
                self.lend("#define gl_InstanceIDARB gl_InstanceID\n");
                if self.version < 140 {
                    self.lend("#extension GL_EXT_draw_instanced : enable\n");
                }
            }
            _ => {}
        }
    }
}
