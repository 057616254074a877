//! The two traits a driver implements, made from the catalogue.

use crate::caps::*;
use crate::format::Format;
use crate::handle::*;
use crate::mapped::Mapping;
use crate::pod::pod_flags;
use crate::resource::*;
use crate::shader::*;
use crate::state::*;
use crate::work::*;

pod_flags! {
    /// What a context is for.
    pub ContextFlags: u32 {
        /// Out-of-bounds accesses must be contained.
        ROBUST = 1 << 0,
        /// The program debugs: labels and markers are worth their cost.
        DEBUG = 1 << 1,
        /// May run before other contexts' work.
        HIGH_PRIORITY = 1 << 2,
        /// May run after other contexts' work.
        LOW_PRIORITY = 1 << 3,
    }
}

/// What a caller could not foresee.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PipeError {
    /// No device, or none that fits.
    #[error("no usable device: {0}")]
    NoDevice(String),
    /// Memory of host or device is used up.
    #[error("out of memory")]
    OutOfMemory,
    /// The device is gone.
    #[error("device lost")]
    DeviceLost,
    /// The platform's API refused.
    #[error("{0}")]
    Platform(String),
}

macro_rules! define_traits {
    (screen { $($(#[$sdoc:meta])* $sop:literal $sclass:ident fn $sname:ident($($sv:ident: $svt:ty),*) &($($sr:ident: $srt:ty),*) [$($ss:ident: $sst:ty),*] out($($so:ident),*) -> $sret:ty;)* }
     context { $($(#[$cdoc:meta])* $cop:literal $cclass:ident fn $cname:ident($($cv:ident: $cvt:ty),*) &($($cr:ident: $crt:ty),*) [$($cs:ident: $cst:ty),*] out($($co:ident),*) -> $cret:ty;)* }) => {
        /// A device: caps, object creation and destruction, fences, memory and reset status.
        ///
        /// Any thread may call any method. The crate documentation says who validates and what errors mean.
        pub trait Screen: Send + Sync {
            $($(#[$sdoc])* fn $sname(&self $(, $sv: $svt)* $(, $sr: &$srt)* $(, $ss: &[$sst])* $(, $so: &mut [u8])*) -> $sret;)*

            /// Makes a context that records work for this screen.
            fn create_context(&self, flags: ContextFlags) -> Result<Box<dyn Context>, PipeError>;
            /// Attaches an image queue to a native window. DECLINED when the platform is not supported.
            fn create_window(&self, id: WindowId, native: &NativeWindow, desc: &WindowDesc) -> Outcome;
            /// Formats that images of this native window can have, best first.
            fn window_formats(&self, native: &NativeWindow) -> Vec<Format>;
            /// Makes a texture over memory of another API or process.
            fn import_texture(&self, id: TextureId, desc: &TextureDesc, memory: &ExternalMemory) -> Outcome;
            /// Hands out a texture's memory.
            fn export_texture(&self, id: TextureId) -> Result<ExternalMemory, Outcome>;
            /// Makes a fence from a sync file descriptor, whose ownership passes with success.
            fn import_fence(&self, id: FenceId, fd: i32) -> Outcome;
            /// Hands out a fence as a sync file descriptor.
            fn export_fence(&self, id: FenceId) -> Result<i32, Outcome>;
        }

        /// Records state and work. One thread at a time.
        pub trait Context: Send {
            $($(#[$cdoc])* fn $cname(&mut self $(, $cv: $cvt)* $(, $cr: &$crt)* $(, $cs: &[$cst])* $(, $co: &mut [u8])*) -> $cret;)*

            /// Lends a range of a buffer's bytes. `None` when memory is used up or the device is lost. Without
            /// UNSYNCHRONIZED the bytes are those of the command stream's present point. At most one mapping
            /// per buffer. On the wire a mapping does not exist: it is a `buffer_read` before and
            /// `buffer_write`s at flush and unmap, and while it lasts where it is persistent.
            fn buffer_map(&mut self, buffer: BufferId, offset: u64, size: u64, flags: MapFlags) -> Option<Mapping>;
            /// Makes writes to a mapped range effective. `offset` counts from the mapping's start.
            fn buffer_flush_mapped(&mut self, buffer: BufferId, offset: u64, size: u64);
            /// Ends the loan. False when the bytes were lost meanwhile.
            fn buffer_unmap(&mut self, buffer: BufferId) -> bool;
        }
    };
}
crate::for_each_call!(define_traits);
