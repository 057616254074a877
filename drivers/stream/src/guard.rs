//! The last check before the inner driver: forwards a call whose ranges hold, refuses any other.

use std::sync::Arc;

use gallite_pipe::*;

use crate::lost::LostReply;
use crate::ranges::RangeCheck;
use crate::server::SessionState;

/// The inner screen behind the range checks.
pub struct GuardedScreen {
    inner: Arc<dyn Screen>,
    state: Arc<SessionState>,
}

impl GuardedScreen {
    pub fn new(inner: Arc<dyn Screen>, state: Arc<SessionState>) -> Self {
        Self { inner, state }
    }
}

/// An inner context behind the range checks.
pub struct GuardedContext {
    inner: Box<dyn Context>,
    state: Arc<SessionState>,
}

impl GuardedContext {
    pub fn new(inner: Box<dyn Context>, state: Arc<SessionState>) -> Self {
        Self { inner, state }
    }
}

macro_rules! guard {
    (screen { $($(#[$sdoc:meta])* $sop:literal $sclass:ident fn $sname:ident($($sv:ident: $svt:ty),*) &($($sr:ident: $srt:ty),*) [$($ss:ident: $sst:ty),*] out($($so:ident),*) -> $sret:ty;)* }
     context { $($(#[$cdoc:meta])* $cop:literal $cclass:ident fn $cname:ident($($cv:ident: $cvt:ty),*) &($($cr:ident: $crt:ty),*) [$($cs:ident: $cst:ty),*] out($($co:ident),*) -> $cret:ty;)* }) => {
        impl Screen for GuardedScreen {
            $(fn $sname(&self $(, $sv: $svt)* $(, $sr: &$srt)* $(, $ss: &[$sst])* $(, $so: &mut [u8])*) -> $sret {
                let checked = self.state.resources.lock().$sname($($sv,)* $($sr,)* $($ss,)* $($so.len(),)*);
                match checked {
                    Ok(()) => self.inner.$sname($($sv,)* $($sr,)* $($ss,)* $($so,)*),
                    Err(error) => {
                        self.state.fail(error.into());
                        <$sret>::lost()
                    }
                }
            })*

            fn create_context(&self, flags: ContextFlags) -> Result<Box<dyn Context>, PipeError> {
                self.inner.create_context(flags)
            }
            fn create_window(&self, id: WindowId, native: &NativeWindow, desc: &WindowDesc) -> Outcome {
                self.inner.create_window(id, native, desc)
            }
            fn window_formats(&self, native: &NativeWindow) -> Vec<Format> {
                self.inner.window_formats(native)
            }
            fn import_texture(&self, id: TextureId, desc: &TextureDesc, memory: &ExternalMemory) -> Outcome {
                self.inner.import_texture(id, desc, memory)
            }
            fn export_texture(&self, id: TextureId) -> Result<ExternalMemory, Outcome> {
                self.inner.export_texture(id)
            }
            fn import_fence(&self, id: FenceId, fd: i32) -> Outcome {
                self.inner.import_fence(id, fd)
            }
            fn export_fence(&self, id: FenceId) -> Result<i32, Outcome> {
                self.inner.export_fence(id)
            }
        }

        impl Context for GuardedContext {
            $(fn $cname(&mut self $(, $cv: $cvt)* $(, $cr: &$crt)* $(, $cs: &[$cst])* $(, $co: &mut [u8])*) -> $cret {
                let checked = self.state.resources.lock().$cname($($cv,)* $($cr,)* $($cs,)* $($co.len(),)*);
                match checked {
                    Ok(()) => self.inner.$cname($($cv,)* $($cr,)* $($cs,)* $($co,)*),
                    Err(error) => {
                        self.state.fail(error.into());
                        <$cret>::lost()
                    }
                }
            })*

            fn buffer_map(&mut self, buffer: BufferId, offset: u64, size: u64, flags: MapFlags) -> Option<Mapping> {
                self.inner.buffer_map(buffer, offset, size, flags)
            }
            fn buffer_flush_mapped(&mut self, buffer: BufferId, offset: u64, size: u64) {
                self.inner.buffer_flush_mapped(buffer, offset, size);
            }
            fn buffer_unmap(&mut self, buffer: BufferId) -> bool {
                self.inner.buffer_unmap(buffer)
            }
        }
    };
}
for_each_call!(guard);
