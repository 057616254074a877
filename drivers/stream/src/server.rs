//! The server's end: bytes in, calls on the inner driver, replies out.

use std::sync::Arc;

use gallite_pipe::codec::{self, CodecError, Reader, Writer};
use gallite_pipe::{AnyHandle, Context, ContextFlags, PipeError, Screen, TextureDesc, TextureId};
use parking_lot::Mutex;

use crate::guard::{GuardedContext, GuardedScreen};
use crate::live::LiveHandles;
use crate::ranges::{RangeError, Resources};

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StreamError {
    /// The bytes are not a call of the catalogue, or name a handle that is not alive.
    #[error("bad bytes: {0}")]
    Codec(#[from] CodecError),
    /// A call's numbers are outside of what they refer to.
    #[error("bad call: {0}")]
    Range(#[from] RangeError),
    /// An earlier record ended the session.
    #[error("the session has ended")]
    Ended,
}

/// What the contexts of a session share.
pub struct SessionState {
    pub live: LiveHandles,
    pub resources: Mutex<Resources>,
    /// The first error; nothing is served after it.
    error: Mutex<Option<StreamError>>,
}

impl SessionState {
    /// Ends the session, unless it has ended.
    pub fn fail(&self, error: StreamError) {
        self.error.lock().get_or_insert(error);
    }

    /// Why the session ended, if it has.
    pub fn error(&self) -> Option<StreamError> {
        *self.error.lock()
    }

    /// Serves one record through `dispatch`; the first failure ends the session.
    fn serve(&self, dispatch: impl FnOnce() -> Result<(), CodecError>) -> Result<(), StreamError> {
        if self.error().is_some() {
            return Err(StreamError::Ended);
        }
        if let Err(error) = dispatch() {
            self.fail(error.into());
        }
        // A call that was out of range is refused behind the codec, inside the dispatch.
        match self.error() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// One client's session on a screen.
pub struct Server {
    inner: Arc<dyn Screen>,
    guarded: GuardedScreen,
    state: Arc<SessionState>,
}

impl Server {
    /// Opens a session on `inner`.
    pub fn new(inner: Arc<dyn Screen>) -> Self {
        let state = Arc::new(SessionState {
            live: LiveHandles::default(),
            resources: Mutex::new(Resources::new(inner.caps().limits)),
            error: Mutex::new(None),
        });
        Self { guarded: GuardedScreen::new(inner.clone(), state.clone()), inner, state }
    }

    /// The inner screen, for what does not cross the stream.
    pub fn inner(&self) -> &dyn Screen {
        &*self.inner
    }

    /// Notes a handle that was made outside the stream.
    pub fn add_handle(&self, handle: AnyHandle) -> Result<(), StreamError> {
        self.state.serve(|| self.state.live.add(handle))
    }

    /// Notes the size of a texture that was made outside the stream.
    pub fn add_texture(&self, id: TextureId, desc: &TextureDesc) {
        self.state.resources.lock().add_texture(id, desc);
    }

    /// Why the session ended, if it has.
    pub fn error(&self) -> Option<StreamError> {
        self.state.error()
    }

    /// Ends the session from outside, as when a reply cannot be read.
    pub fn end(&self, error: StreamError) {
        self.state.fail(error);
    }

    /// Checks, decodes and makes the one screen call in `words`; its reply is appended to `replies`.
    pub fn screen_record(&self, words: &[u64], replies: &mut Writer) -> Result<(), StreamError> {
        self.state.serve(|| {
            let (opcode, mut record) = single(words)?;
            codec::dispatch_screen(opcode, &mut record, &mut &self.state.live, &self.guarded, replies)
        })
    }

    /// Makes a context for the session.
    pub fn create_context(&self, flags: ContextFlags) -> Result<ServerContext, PipeError> {
        let inner = self.inner.create_context(flags)?;
        Ok(ServerContext { guarded: GuardedContext::new(inner, self.state.clone()), state: self.state.clone() })
    }
}

/// A context of a session.
pub struct ServerContext {
    guarded: GuardedContext,
    state: Arc<SessionState>,
}

impl ServerContext {
    /// Checks, decodes and makes the one context call in `words`; its reply is appended to `replies`.
    pub fn record(&mut self, words: &[u64], replies: &mut Writer) -> Result<(), StreamError> {
        let Self { guarded, state } = self;
        state.serve(|| {
            let (opcode, mut record) = single(words)?;
            let context: &mut dyn Context = guarded;
            codec::dispatch_context(opcode, &mut record, &mut &state.live, context, replies)
        })
    }

    /// Ends the session from outside, as when a reply cannot be read.
    pub fn end(&self, error: StreamError) {
        self.state.fail(error);
    }
}

/// Splits the one record off that `words` must be.
fn single(words: &[u64]) -> Result<(codec::Opcode, Reader<'_>), CodecError> {
    let mut reader = Reader::new(words);
    let record = reader.record()?;
    // Length of the record in words is in the header's upper bits.
    let length = usize::try_from(words[0] >> 16).unwrap_or(usize::MAX);
    if !reader.is_empty() {
        return Err(CodecError::Trailing(words.len() - length.min(words.len())));
    }
    Ok(record)
}
