//! The client's end: each call becomes a record, and each reply is read back from bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gallite_pipe::codec::{Reader, Writer, encode, reply};
use gallite_pipe::*;
use parking_lot::Mutex;

use crate::lost::LostReply;
use crate::mappings::{Mapped, Mappings};
use crate::server::{Server, ServerContext, StreamError};

/// A screen whose calls reach another driver only as bytes.
pub struct StreamScreen {
    /// Reads what the device wrote to mapped buffers, once there is such a thing.
    reader: Mutex<Option<StreamContext>>,
    server: Arc<Server>,
    mappings: Arc<Mappings>,
    /// Contexts of the client.
    contexts: Arc<AtomicUsize>,
    /// Whether the client was told why the session ended.
    told: Mutex<bool>,
}

impl StreamScreen {
    /// Puts a loopback stream in front of `inner`.
    pub fn new(inner: Arc<dyn Screen>) -> Self {
        let server = Arc::new(Server::new(inner));
        let (reader, told) = (Mutex::default(), Mutex::default());
        Self { reader, server, mappings: Arc::default(), contexts: Arc::default(), told }
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

    fn context(&self, flags: ContextFlags) -> Result<StreamContext, PipeError> {
        if self.error().is_some() {
            return Err(PipeError::DeviceLost);
        }
        let server = self.server.create_context(flags)?;
        self.contexts.fetch_add(1, Ordering::Relaxed);
        Ok(StreamContext {
            server,
            mappings: self.mappings.clone(),
            contexts: self.contexts.clone(),
            in_mappings: false,
            call: Writer::new(),
            replies: Writer::new(),
        })
    }

    /// Lets the program see what the device wrote to mapped buffers: some of its work is known to be done.
    fn refresh_mappings(&self) {
        let mut reader = self.reader.lock();
        self.mappings.refresh(|buffer, offset, bytes| {
            if reader.is_none() {
                *reader = self.context(ContextFlags::EMPTY).ok();
                // It has no work of its own that others could wait for.
                self.contexts.fetch_sub(usize::from(reader.is_some()), Ordering::Relaxed);
                if let Some(reader) = reader.as_mut() {
                    (reader.in_mappings, reader.contexts) = (true, Arc::default());
                }
            }
            reader.as_mut().is_some_and(|reader| reader.buffer_read(buffer, offset, bytes) == Outcome::DONE)
        });
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
    /// Contexts of the client, this one included.
    contexts: Arc<AtomicUsize>,
    /// Whether the calls move the bytes of mappings, which are locked.
    in_mappings: bool,
    call: Writer,
    replies: Writer,
}

impl Drop for StreamContext {
    fn drop(&mut self) {
        self.contexts.fetch_sub(1, Ordering::Relaxed);
    }
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
complete_as_they_are!((), u64, [u8; 32], FormatCaps, MemoryInfo, Counters, Outcome, WindowState);

impl Completed for Caps {
    /// Puts the stream's name in front.
    fn completed(mut self, _: &StreamScreen, _: Option<&mut [u8]>) -> Self {
        let inner = text(&self.driver_name).to_owned();
        set_text(&mut self.driver_name, &format!("stream:{inner}"));
        self
    }
}

impl Completed for WaitStatus {
    fn completed(self, screen: &StreamScreen, _: Option<&mut [u8]>) -> Self {
        if self == Self::SIGNALED {
            screen.refresh_mappings();
        }
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

/// What comes before some of the screen's calls.
macro_rules! before_screen_call {
    ($screen:ident destroy_buffer $id:ident) => {
        // A mapping ends with its buffer.
        $screen.mappings.remove($id);
    };
    ($screen:ident $other:ident $($value:ident)*) => {};
}

/// What comes before some of a context's calls: programs see their writes to coherent mappings in whatever may read them, and
/// those to others after a barrier.
macro_rules! before_context_call {
    ($context:ident state $name:ident $($value:ident)*) => {
        before_context_call!(@writes $context $name);
    };
    ($context:ident transfer buffer_write $buffer:ident $($value:ident)*) => {
        $context.write_back(false);
        if !$context.in_mappings {
            $context.mappings.note_write($buffer);
        }
    };
    ($context:ident verb memory_barrier $accesses:ident) => {
        $context.write_back($accesses.contains(BarrierFlags::MAPPED));
        $context.mappings.note_device_writes();
    };
    ($context:ident $class:ident $name:ident $($value:ident)*) => {
        $context.write_back(false);
        before_context_call!(@writes $context $name);
    };
    // What draws may store into.
    (@writes $context:ident set_xfb_targets) => { $context.mappings.note_device_writes(); };
    (@writes $context:ident set_storage_buffers) => { $context.mappings.note_device_writes(); };
    (@writes $context:ident set_images) => { $context.mappings.note_device_writes(); };
    (@writes $context:ident dispatch) => { $context.mappings.note_device_writes(); };
    (@writes $context:ident dispatch_indirect) => { $context.mappings.note_device_writes(); };
    (@writes $context:ident clear_buffer) => { $context.mappings.note_device_writes(); };
    (@writes $context:ident copy_buffer) => { $context.mappings.note_device_writes(); };
    (@writes $context:ident texture_read_to_buffer) => { $context.mappings.note_device_writes(); };
    (@writes $context:ident query_result_to_buffer) => { $context.mappings.note_device_writes(); };
    (@writes $context:ident $other:ident) => { let _ = $context; };
}

macro_rules! client {
    (screen { $($(#[$sdoc:meta])* $sop:literal $sclass:ident fn $sname:ident($($sv:ident: $svt:ty),*) &($($sr:ident: $srt:ty),*) [$($ss:ident: $sst:ty),*] out($($so:ident),*) -> $sret:ty;)* }
     context { $($(#[$cdoc:meta])* $cop:literal $cclass:ident fn $cname:ident($($cv:ident: $cvt:ty),*) &($($cr:ident: $crt:ty),*) [$($cs:ident: $cst:ty),*] out($($co:ident),*) -> $cret:ty;)* }) => {
        impl Screen for StreamScreen {
            $(fn $sname(&self $(, $sv: $svt)* $(, $sr: &$srt)* $(, $ss: &[$sst])* $(, $so: &mut [u8])*) -> $sret {
                let screen = self;
                before_screen_call!(screen $sname $($sv)*);
                let (mut call, mut replies) = (Writer::new(), Writer::new());
                encode::$sname(&mut call, $($sv,)* $($sr,)* $($ss,)* $($so.len(),)*);
                let answer = screen.server.screen_record(call.words(), &mut replies).and_then(|()| {
                    let mut reader = Reader::new(replies.words());
                    reply::$sname(&mut reader, $(&mut *$so,)*).map_err(|error| {
                        self.server.end(error.into());
                        error.into()
                    })
                });
                answer.unwrap_or_else(|_| <$sret>::lost()).completed(self, first_out!($($so)*))
            })*

            fn create_context(&self, flags: ContextFlags) -> Result<Box<dyn Context>, PipeError> {
                Ok(Box::new(self.context(flags)?))
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
                let context = &mut *self;
                before_context_call!(context $cclass $cname $($cv)*);
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
                if let Some((flags, (at, bytes))) = self.mappings.flushed(buffer, offset, size) {
                    self.buffer_write(buffer, at, write_flags(flags), &bytes);
                }
            }

            fn buffer_unmap(&mut self, buffer: BufferId) -> bool {
                let Some((flags, parts)) = self.mappings.remove(buffer) else { return false };
                for (at, bytes) in parts {
                    self.buffer_write(buffer, at, write_flags(flags), &bytes);
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
    /// Lends memory of our own, holding the buffer's bytes unless the caller gives them up for good.
    fn map(&mut self, buffer: BufferId, offset: u64, size: u64, flags: MapFlags) -> Option<Mapping> {
        let mut mapped = Mapped::new(offset, size, flags)?;
        let loan = mapped.loan()?;
        // What a lasting mapping writes back is what differs from the bytes that were there.
        let lasting = flags.contains(MapFlags::PERSISTENT);
        if flags.contains(MapFlags::INVALIDATE_BUFFER) && !lasting {
            self.buffer_invalidate(buffer);
        } else if !flags.contains(MapFlags::INVALIDATE_RANGE) || lasting {
            let mut bytes = vec![0; loan.len()];
            if self.buffer_read(buffer, offset, &mut bytes) != Outcome::DONE {
                return None;
            }
            mapped.fill(bytes);
        }
        self.mappings.insert(buffer, mapped);
        Some(loan)
    }

    /// Writes what the program changed in mappings, before a call that may read it.
    fn write_back(&mut self, barrier: bool) {
        if !self.mappings.any_persistent() || std::mem::replace(&mut self.in_mappings, true) {
            return;
        }
        let mappings = self.mappings.clone();
        let wrote = mappings.write_back(barrier, |buffer, offset, bytes| {
            self.buffer_write(buffer, offset, MapFlags::EMPTY, bytes);
        });
        if wrote && self.contexts.load(Ordering::Relaxed) > 1 {
            // The bytes are found once, but other contexts may be next to read them.
            self.flush(FenceId::NULL, FlushFlags::EMPTY);
        }
        self.in_mappings = false;
    }
}
