//! A context's own state, a file for each group of it, each owned by the commands of its chapter.

pub mod buffers;
pub mod fixed;
pub mod fragment;
pub mod framebuffers;
pub mod hints;
pub mod images;
pub mod immediate;
pub mod patches;
pub mod pixel_store;
pub mod programs;
pub mod queries;
pub mod raster;
pub mod textures;
pub mod transform_feedback;
pub mod vertex;
