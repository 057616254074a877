//! Pixel transfer on the CPU: client memory in any `format`/`type` pair to and from the texels of a pipe format.
//!
//! Everything is described by one kind of record, [`layout::TexelLayout`]: a pipe format has one, and so has a client
//! `format`/`type` pair ([`client::ClientFormat`]). [`convert::Conversion`] turns rows of one layout into rows of another,
//! by copying bytes where that is all there is to do. [`store::PixelStore`] says where the rows lie in client memory,
//! and [`internal`] says which pipe format stands for a GL internal format and which logical component each of its
//! channels holds.
//!
//! Nothing here knows of contexts, textures or drivers. Start with [`transfer`].

pub mod bptc;
pub mod client;
pub mod compressed;
pub mod convert;
pub mod etc2;
pub mod float;
pub mod image_formats;
pub mod internal;
pub mod layout;
pub mod rgtc;
pub mod s3tc;
pub mod store;
pub mod transfer;
pub mod view_class;
