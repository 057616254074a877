//! The client's end: each call becomes a record, and each reply is read back from bytes.

use std::sync::Arc;

use gallite_pipe::codec::{Reader, Writer, encode, reply};
use gallite_pipe::*;
use parking_lot::Mutex;

use crate::lost::LostReply;
use crate::mappings::{Mapped, Mappings};
use crate::server::{Server, ServerContext, StreamError};

/// A screen whose calls reach another driver only as bytes.
pub struct StreamScreen {
    server: Arc<Server>,
    mappings: Arc<Mappings>,
    /// Whether the client was told why the session ended.
    told: Mutex<bool>,
}

impl StreamScreen {
    /// Puts a loopback stream in front of `inner`.
    pub fn new(inner: Arc<dyn Screen>) -> Self {
        let server = Arc::new(Server::new(inner));
        Self { server, mappings: Arc::default(), told: Mutex::new(false) }
    }

    /// Why the session ended, if it has.
    pub fn error(&self) -> Option<StreamError> {
        self.server.error()
    }

    fn add_handle<H: Handle>(&self, outcome: Outcome, handle: H) -> Outcome {
        if outcome == Outcome::DONE {
            let handle = AnyHandle { kind: H::KIND, slot: handle.slot(), generation: handle.generation() };
            if self.server.add_handle(handle).is_err() {
                return Outcome::DEVICE_LOST;
            }
        }
        outcome
    }

    /// The end of the session as an event, once.
    fn end_event(&self, message: &mut [u8]) -> Option<Event> {
        let error = self.server.error()?;
        if std::mem::replace(&mut *self.told.lock(), true) {
            return None;
        }
        let text = format!("stream: {error}");
        let length = text.len().min(message.len());
        message[..length].copy_from_slice(&text.as_bytes()[..length]);
        Some(Event {
            kind: EventKind::DEVICE_LOST,
            severity: Severity::ERROR,
            message_len: u32::try_from(text.len()).unwrap_or(u32::MAX),
            ..Event::default()
        })
    }
}

/// A context of a [`StreamScreen`].
struct StreamContext {
    server: ServerContext,
    mappings: Arc<Mappings>,
    call: Writer,
    replies: Writer,
}

/// Replies that the client's end completes.
trait Completed: Sized {
    fn completed(self, _: &StreamScreen, _: Option<&mut [u8]>) -> Self {
        self
    }
}
macro_rules! complete_as_they_are {
    ($($type:ty),*) => { $(impl Completed for $type {})* };
}
complete_as_they_are!((), u64, [u8; 32], FormatCaps, MemoryInfo, Counters, Outcome, WaitStatus, WindowState);

impl Completed for Caps {
    /// Puts the stream's name in front, and takes away what needs memory shared with the device.
    fn completed(mut self, _: &StreamScreen, _: Option<&mut [u8]>) -> Self {
        let inner = text(&self.driver_name).to_owned();
        set_text(&mut self.driver_name, &format!("stream:{inner}"));
        self.features.remove(Features::PERSISTENT_MAPPING);
        self
    }
}

impl Completed for ResetStatus {
    fn completed(self, screen: &StreamScreen, _: Option<&mut [u8]>) -> Self {
        if screen.error().is_some() { Self::UNKNOWN } else { self }
    }
}

impl Completed for Event {
    fn completed(self, screen: &StreamScreen, message: Option<&mut [u8]>) -> Self {
        message.and_then(|message| screen.end_event(message)).unwrap_or(self)
    }
}

/// The first of a call's out buffers, if it has one.
macro_rules! first_out {
    () => {
        None
    };
    ($out:ident) => {
        Some($out)
    };
}

macro_rules! client {
    (screen { $($(#[$sdoc:meta])* $sop:literal $sclass:ident fn $sname:ident($($sv:ident: $svt:ty),*) &($($sr:ident: $srt:ty),*) [$($ss:ident: $sst:ty),*] out($($so:ident),*) -> $sret:ty;)* }
     context { $($(#[$cdoc:meta])* $cop:literal $cclass:ident fn $cname:ident($($cv:ident: $cvt:ty),*) &($($cr:ident: $crt:ty),*) [$($cs:ident: $cst:ty),*] out($($co:ident),*) -> $cret:ty;)* }) => {
        impl Screen for StreamScreen {
            $(fn $sname(&self $(, $sv: $svt)* $(, $sr: &$srt)* $(, $ss: &[$sst])* $(, $so: &mut [u8])*) -> $sret {
                let (mut call, mut replies) = (Writer::new(), Writer::new());
                encode::$sname(&mut call, $($sv,)* $($sr,)* $($ss,)* $($so.len(),)*);
                let answer = self.server.screen_record(call.words(), &mut replies).and_then(|()| {
                    let mut reader = Reader::new(replies.words());
                    reply::$sname(&mut reader, $(&mut *$so,)*).map_err(|error| {
                        self.server.end(error.into());
                        error.into()
                    })
                });
                answer.unwrap_or_else(|_| <$sret>::lost()).completed(self, first_out!($($so)*))
            })*

            fn create_context(&self, flags: ContextFlags) -> Result<Box<dyn Context>, PipeError> {
                if self.error().is_some() {
                    return Err(PipeError::DeviceLost);
                }
                Ok(Box::new(StreamContext {
                    server: self.server.create_context(flags)?,
                    mappings: self.mappings.clone(),
                    call: Writer::new(),
                    replies: Writer::new(),
                }))
            }

            fn create_window(&self, id: WindowId, native: &NativeWindow, desc: &WindowDesc) -> Outcome {
                self.add_handle(self.server.inner().create_window(id, native, desc), id)
            }

            fn window_formats(&self, native: &NativeWindow) -> Vec<Format> {
                self.server.inner().window_formats(native)
            }

            fn import_texture(&self, id: TextureId, desc: &TextureDesc, memory: &ExternalMemory) -> Outcome {
                let outcome = self.add_handle(self.server.inner().import_texture(id, desc, memory), id);
                if outcome == Outcome::DONE {
                    self.server.add_texture(id, desc);
                }
                outcome
            }

            fn export_texture(&self, id: TextureId) -> Result<ExternalMemory, Outcome> {
                self.server.inner().export_texture(id)
            }

            fn import_fence(&self, id: FenceId, fd: i32) -> Outcome {
                self.add_handle(self.server.inner().import_fence(id, fd), id)
            }

            fn export_fence(&self, id: FenceId) -> Result<i32, Outcome> {
                self.server.inner().export_fence(id)
            }
        }

        impl Context for StreamContext {
            $(fn $cname(&mut self $(, $cv: $cvt)* $(, $cr: &$crt)* $(, $cs: &[$cst])* $(, $co: &mut [u8])*) -> $cret {
                self.call.clear();
                self.replies.clear();
                encode::$cname(&mut self.call, $($cv,)* $($cr,)* $($cs,)* $($co.len(),)*);
                if self.server.record(self.call.words(), &mut self.replies).is_err() {
                    return <$cret>::lost();
                }
                let mut reader = Reader::new(self.replies.words());
                match reply::$cname(&mut reader, $($co,)*) {
                    Ok(value) => value,
                    Err(error) => {
                        self.server.end(error.into());
                        <$cret>::lost()
                    }
                }
            })*

            fn buffer_map(&mut self, buffer: BufferId, offset: u64, size: u64, flags: MapFlags) -> Option<Mapping> {
                self.map(buffer, offset, size, flags)
            }

            fn buffer_flush_mapped(&mut self, buffer: BufferId, offset: u64, size: u64) {
                if let Some((at, flags, bytes)) = self.mappings.copy(buffer, offset, size) {
                    self.buffer_write(buffer, at, write_flags(flags), &bytes);
                }
            }

            fn buffer_unmap(&mut self, buffer: BufferId) -> bool {
                let Some(mapped) = self.mappings.remove(buffer) else { return false };
                let write_all = mapped.flags.contains(MapFlags::WRITE) && !mapped.flags.contains(MapFlags::FLUSH_EXPLICIT);
                if write_all && let Some(bytes) = mapped.copy(0, mapped.memory.len() as u64) {
                    self.buffer_write(buffer, mapped.offset, write_flags(mapped.flags), &bytes);
                }
                true
            }
        }
    };
}
for_each_call!(client);

/// What of a mapping's flags a write back keeps. The bytes outside of the write are still needed, whatever the mapping
/// said about the bytes before it.
fn write_flags(flags: MapFlags) -> MapFlags {
    flags & MapFlags::UNSYNCHRONIZED
}

impl StreamContext {
    /// Lends memory of our own, holding the buffer's bytes unless the caller gives them up.
    fn map(&mut self, buffer: BufferId, offset: u64, size: u64, flags: MapFlags) -> Option<Mapping> {
        if flags.intersects(MapFlags::PERSISTENT | MapFlags::COHERENT) {
            return None;
        }
        let memory = HostMemory::new(usize::try_from(size).ok()?)?;
        let loan = memory.whole();
        if flags.contains(MapFlags::INVALIDATE_BUFFER) {
            self.buffer_invalidate(buffer);
        } else if !flags.contains(MapFlags::INVALIDATE_RANGE) {
            let mut bytes = vec![0; memory.len()];
            if self.buffer_read(buffer, offset, &mut bytes) != Outcome::DONE {
                return None;
            }
            let _ = loan.write(0, &bytes);
        }
        self.mappings.insert(buffer, Mapped { memory, offset, flags });
        Some(loan)
    }
}
