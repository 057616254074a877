//! GL's objects. Those of a share group live in `Arc`s in [`ShareGroup`](crate::share::ShareGroup) and change behind their own
//! locks; container objects and queries belong to one context and live in its [`Names`](crate::names::Names).

pub mod buffer;
pub mod executable;
pub mod framebuffer;
pub mod pipeline;
pub mod program;
pub mod query;
pub mod renderbuffer;
pub mod sampler;
pub mod shader;
pub mod sync;
pub mod texture;
pub mod texture_storage;
pub mod transform_feedback;
pub mod uniform_values;
pub mod vertex_array;
