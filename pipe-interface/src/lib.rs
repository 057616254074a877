//! The pipe interface: what a state tracker asks of a driver.
//!
//! Nothing here knows OpenGL, a shading language's text, or any device API. Begin with
//! [`catalogue`], the one list of calls; the traits [`Screen`] and [`Context`] are made from it.
//!
//! # The contract
//!
//! **Who validates.** The tracker validates everything the program does; a driver may assume that what
//! arrives is valid by this documentation: handles are alive and of the right kind, ranges are inside their
//! objects, enums hold named values, flags that need a feature come only when the feature bit is set. A driver
//! still may not fault on a stale handle: it keeps the generation beside each object, treats a mismatch as null, and
//! logs an event. Where bytes come from another process the codec checks them before a driver sees them.
//!
//! **Handles.** The tracker mints every handle, so no creation call needs an answer. A destroyed handle never
//! appears again; its slot does, with a higher generation. Destroying an object that is bound, or used by recorded
//! work, is valid: it stays alive inside the driver until the last batch that used it has completed. Objects belong
//! to the screen and can be used by all of its contexts.
//!
//! **Errors.** Calls without a reply cannot fail in a way the caller sees at once. When storage cannot be had,
//! an `OUT_OF_MEMORY` event names the handle, and every use of it afterwards reads zeros and drops writes. When
//! the device is lost, [`Screen::reset_status`] says so from then on, waits return, buffers can't be mapped any more
//! (what is mapped stays so), and nothing else happens. No context is made on a lost device. A reply of [`Outcome::DECLINED`] is normal: the tracker has a fallback for each call
//! that can decline.
//!
//! **Waiting.** Only these may wait for the device: a map for reading, `buffer_read`, `texture_read`,
//! `query_result` when asked to, `fence_wait`, `buffer_status`, `texture_status`, `timestamp` where the device's clock
//! can't be read, and the back-pressure of `present`.
//!
//! **State.** A state call replaces its whole set, or the window of it that it names; nothing accumulates. State is
//! pushed before the verb that needs it and stays until replaced. A context starts with nothing bound, one sample,
//! a full sample mask, and zeros elsewhere. Unbinding is binding null.
//!
//! **Order.** Calls of one context take effect in order, buffer and texture writes included. Between contexts
//! order comes from `flush` with a fence and `fence_server_wait` or `fence_wait`.
//!
//! **Coordinates.** Row 0 of every image is GL's bottom row, window coordinates have y up, clip space is GL's with
//! depth in [-1, 1] unless the rasterizer says otherwise. A texture flagged `SURFACE_ORIENTED` keeps its rows top
//! first in memory, and its driver turns viewport, scissor, winding, fragment and point coordinates, derivatives,
//! transfers and blits so that callers notice nothing.
//!
//! **Shaders.** SPIR-V 1.0 to 1.3 with entry points `main`. Descriptor set 0 holds uniform buffers (binding 0 the
//! default block in std140, binding `1 + i` uniform block `i`), set 1 combined samplers, set 2 storage buffers, set 3
//! storage images; bindings are the program's dense indices. Vertex inputs are at their attribute locations,
//! fragment outputs at their colour numbers, and varyings at agreed locations. Capture is declared with SPIR-V's own
//! transform feedback decorations. `gl_VertexIndex` and `gl_InstanceIndex` have the meaning of the device
//! API; the front end has already made GL's meaning out of them.
//!
//! **Format of memory.** Texels in memory are in the texture's own format; the tracker converts from and to what
//! the program asked for.
//!
//! # Adding a call
//! Append it to the catalogue with a fresh number; the compiler then names every place that lacks it.
#![deny(unsafe_code)]

pub mod caps;
pub mod catalogue;
pub mod codec;
pub mod format;
pub mod handle;
pub mod mapped;
pub mod pod;
pub mod resource;
pub mod shader;
pub mod state;
pub mod traits;
pub mod work;

pub use caps::*;
pub use format::*;
pub use handle::*;
pub use mapped::{HostMemory, Mapping};
pub use pod::{AnyHandle, F32, F64, InvalidValue, Payload, Validate};
pub use resource::*;
pub use shader::*;
pub use state::*;
pub use traits::{Context, ContextFlags, PipeError, Screen};
pub use work::*;
