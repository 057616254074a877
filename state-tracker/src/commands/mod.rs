//! The commands of GL, a file for each chapter of the specification.
//!
//! A command is a function with the name of the GL command without its prefix: `pub fn BindBuffer(ctx: &mut Context,
//! ..)`, whose other parameters are those of the registry, pointers as [`ClientPtr`](crate::client_memory::ClientPtr). It
//! returns its value, or a [`GlResult`](crate::error::GlResult) of it, and leaves all state alone when it fails.
//! `cargo xtask gen` finds it by its signature.

#![allow(non_snake_case, missing_docs, clippy::too_many_arguments)]

pub mod attribute_stack;
pub mod blit;
pub mod buffer_clears;
pub mod buffer_mapping;
pub mod buffer_ranges;
pub mod buffers;
pub mod clear;
pub mod clear_texture;
pub mod client_arrays;
pub mod compute;
pub mod copy_image;
pub mod debug;
pub mod direct_access;
pub mod draw;
pub mod draw_captured;
pub mod draw_checks;
pub mod draw_indirect;
pub mod enables;
pub mod errors;
pub mod format_queries;
pub mod fragment_ops;
pub mod framebuffer_defaults;
pub mod framebuffer_queries;
pub mod framebuffer_status;
pub mod framebuffers;
pub mod hints;
pub mod images;
pub mod immediate;
pub mod legacy_enables;
pub mod lighting;
pub mod matrices;
pub mod named_strings;
pub mod parameters;
pub mod patches;
pub mod pipelines;
pub mod pixel_memory;
pub mod pixels;
pub mod program_binaries;
pub mod program_interfaces;
pub mod program_queries;
pub mod programs;
pub mod queries;
pub mod query_results;
pub mod rasterization;
pub mod read_pixels;
pub mod renderbuffers;
pub mod samplers;
pub mod shader_binaries;
pub mod shader_objects;
pub mod shaders;
pub mod state_query;
pub mod subroutines;
pub mod sync;
pub mod texture_checks;
pub mod texture_compressed;
pub mod texture_copies;
pub mod texture_env;
pub mod texture_images;
pub mod texture_mipmaps;
pub mod texture_params;
pub mod texture_queries;
pub mod texture_storages;
pub mod texture_views;
pub mod textures;
pub mod transform_feedback;
pub mod uniform_values;
pub mod uniforms;
pub mod vertex_arrays;
pub mod vertex_attribs;
pub mod vertex_bindings;
