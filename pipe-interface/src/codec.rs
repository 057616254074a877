//! The catalogue as bytes.
//!
//! A call is a record of 64-bit words: one header word, then each value, payload, slice and out length in the
//! order of the signature, each padded to a whole word. A reply is the reply payload followed by the out
//! buffers. Byte order is the machine's own; a transport between machines states it once.
//!
//! Decoding trusts nothing: opcodes, lengths, enum values and handles are checked before a driver sees
//! them, and the first fault ends the decoding with an error that names it.
#![allow(non_upper_case_globals, reason = "opcodes are named as in the catalogue")]

use crate::caps::*;
use crate::format::Format;
use crate::handle::*;
use crate::pod::{AnyHandle, InvalidValue, Payload, Validate};
use crate::resource::*;
use crate::shader::*;
use crate::state::*;
use crate::traits::{Context, Screen};
use crate::work::*;

/// Most bytes a single out buffer may ask for: more than the largest buffer, or level of a texture, that drivers offer.
pub const MAX_OUT_BYTES: u64 = 1 << 32;

/// Why bytes from a peer were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// The record is shorter than its contents.
    #[error("record is cut short")]
    Truncated,
    /// No call has this number, or not on this side.
    #[error("unknown opcode {0}")]
    UnknownOpcode(u16),
    /// The record is longer than its contents.
    #[error("record has {0} words too many")]
    Trailing(usize),
    /// A length is past all reason.
    #[error("length {0} is too large")]
    TooLarge(u64),
    /// A value is outside its type.
    #[error(transparent)]
    Invalid(#[from] InvalidValue),
    /// A handle is not alive, or of a wrong generation.
    #[error("{kind} {slot}v{generation} is not alive", kind = .0.kind, slot = .0.slot, generation = .0.generation)]
    StaleHandle(AnyHandle),
}

/// What kind of call an opcode is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(non_camel_case_types, reason = "named as in the catalogue")]
pub enum Class {
    /// About the screen.
    screen,
    /// Makes an object.
    create,
    /// Gives one up.
    destroy,
    /// Replaces state.
    state,
    /// Does work.
    verb,
    /// Moves bytes.
    transfer,
    /// Queries.
    query,
    /// Synchronisation and presentation.
    sync,
}

/// Checks handles found in a record. A stream server keeps the live ones.
pub trait HandleCheck {
    /// Called for each handle of a call, null ones included, in the order of the signature; `index` counts
    /// them. For class `create` handle 0 is the one being made; for `destroy`, the one given up; for `flush`,
    /// the fence being minted.
    fn check(&mut self, opcode: Opcode, index: usize, handle: AnyHandle) -> Result<(), CodecError>;
}

/// Accepts every handle.
pub struct TrustHandles;
impl HandleCheck for TrustHandles {
    fn check(&mut self, _: Opcode, _: usize, _: AnyHandle) -> Result<(), CodecError> {
        Ok(())
    }
}

/// Appends records or replies to a buffer of words.
#[derive(Debug, Default)]
pub struct Writer {
    words: Vec<u64>,
    open: usize,
}

impl Writer {
    /// An empty writer.
    pub fn new() -> Self {
        Self::default()
    }
    /// What was written.
    pub fn words(&self) -> &[u64] {
        &self.words
    }
    /// Forgets the contents and keeps the memory.
    pub fn clear(&mut self) {
        self.words.clear();
    }
    fn begin(&mut self, opcode: Opcode) {
        self.open = self.words.len();
        self.words.push(u64::from(opcode.0));
    }
    fn end(&mut self) {
        let len = (self.words.len() - self.open) as u64;
        self.words[self.open] |= len << 16;
    }
    fn bytes(&mut self, bytes: &[u8]) {
        let start = self.words.len();
        self.words.resize(start + bytes.len().div_ceil(8), 0);
        bytemuck::cast_slice_mut::<u64, u8>(&mut self.words[start..])[..bytes.len()].copy_from_slice(bytes);
    }
    /// Writes one payload.
    pub fn value<T: Payload>(&mut self, value: &T) {
        self.bytes(bytemuck::bytes_of(value));
    }
    /// Writes a length in elements and the elements.
    pub fn slice<T: Payload>(&mut self, slice: &[T]) {
        self.words.push(slice.len() as u64);
        self.bytes(bytemuck::cast_slice(slice));
    }
    fn length(&mut self, len: usize) {
        self.words.push(len as u64);
    }
}

/// Reads what [`Writer`] wrote.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    words: &'a [u64],
}

impl<'a> Reader<'a> {
    /// Reads from words.
    pub fn new(words: &'a [u64]) -> Self {
        Self { words }
    }
    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
    fn word(&mut self) -> Result<u64, CodecError> {
        let (&first, rest) = self.words.split_first().ok_or(CodecError::Truncated)?;
        self.words = rest;
        Ok(first)
    }
    fn bytes(&mut self, len: usize) -> Result<&'a [u8], CodecError> {
        let count = len.div_ceil(8);
        if count > self.words.len() {
            return Err(CodecError::Truncated);
        }
        let (taken, rest) = self.words.split_at(count);
        self.words = rest;
        Ok(&bytemuck::cast_slice(taken)[..len])
    }
    /// Reads and checks one payload.
    pub fn value<T: Payload>(&mut self) -> Result<T, CodecError> {
        let value: T = if size_of::<T>() == 0 {
            bytemuck::Zeroable::zeroed()
        } else {
            bytemuck::pod_read_unaligned(self.bytes(size_of::<T>())?)
        };
        value.validate()?;
        Ok(value)
    }
    /// Reads and checks a slice.
    pub fn slice<T: Payload>(&mut self) -> Result<&'a [T], CodecError> {
        let len = self.word()?;
        let bytes = len.checked_mul(size_of::<T>() as u64).ok_or(CodecError::TooLarge(len))?;
        let bytes = usize::try_from(bytes).map_err(|_| CodecError::TooLarge(len))?;
        let slice: &[T] = bytemuck::try_cast_slice(self.bytes(bytes)?).map_err(|_| CodecError::Truncated)?;
        slice.iter().try_for_each(Validate::validate)?;
        Ok(slice)
    }
    fn out(&mut self) -> Result<Vec<u8>, CodecError> {
        let len = self.word()?;
        if len > MAX_OUT_BYTES {
            return Err(CodecError::TooLarge(len));
        }
        Ok(vec![0; len as usize])
    }
    /// Splits the next record off: its opcode and the reader of its contents.
    pub fn record(&mut self) -> Result<(Opcode, Reader<'a>), CodecError> {
        let header = *self.words.first().ok_or(CodecError::Truncated)?;
        let len = usize::try_from(header >> 16).map_err(|_| CodecError::TooLarge(header >> 16))?;
        if len == 0 || len > self.words.len() {
            return Err(CodecError::Truncated);
        }
        let (record, rest) = self.words.split_at(len);
        self.words = rest;
        Ok((Opcode(header as u16), Reader::new(&record[1..])))
    }
    fn finish(&self) -> Result<(), CodecError> {
        if self.words.is_empty() { Ok(()) } else { Err(CodecError::Trailing(self.words.len())) }
    }
}

struct Handles<'a> {
    check: &'a mut dyn HandleCheck,
    opcode: Opcode,
    index: usize,
    result: Result<(), CodecError>,
}

impl Handles<'_> {
    fn visit(&mut self, value: &impl Validate) {
        value.visit_handles(&mut |handle| {
            if self.result.is_ok() {
                self.result = self.check.check(self.opcode, self.index, handle);
            }
            self.index += 1;
        });
    }
}

macro_rules! define_codec {
    (screen { $($(#[$sdoc:meta])* $sop:literal $sclass:ident fn $sname:ident($($sv:ident: $svt:ty),*) &($($sr:ident: $srt:ty),*) [$($ss:ident: $sst:ty),*] out($($so:ident),*) -> $sret:ty;)* }
     context { $($(#[$cdoc:meta])* $cop:literal $cclass:ident fn $cname:ident($($cv:ident: $cvt:ty),*) &($($cr:ident: $crt:ty),*) [$($cs:ident: $cst:ty),*] out($($co:ident),*) -> $cret:ty;)* }) => {
        crate::pod::pod_enum! {
            /// Number of a call. Never reused.
            pub Opcode: u16 {
                $($(#[$sdoc])* $sname = $sop,)*
                $($(#[$cdoc])* $cname = $cop,)*
            }
        }

        impl Opcode {
            /// The call's class; `None` for an unknown number.
            pub const fn class(self) -> Option<Class> {
                match self {
                    $(Self::$sname => Some(Class::$sclass),)*
                    $(Self::$cname => Some(Class::$cclass),)*
                    _ => None,
                }
            }
            /// Whether the call belongs to the screen rather than to a context.
            pub const fn is_screen(self) -> bool {
                matches!(self, $(Self::$sname)|*)
            }
        }

        /// Writes one record per call; the functions mirror the traits.
        pub mod encode {
            use super::*;
            $(
                #[doc = concat!("Writes a `", stringify!($sname), "` record.")]
                #[allow(clippy::too_many_arguments)]
                pub fn $sname(w: &mut Writer $(, $sv: $svt)* $(, $sr: &$srt)* $(, $ss: &[$sst])* $(, $so: usize)*) {
                    w.begin(Opcode::$sname);
                    $(w.value(&$sv);)* $(w.value($sr);)* $(w.slice($ss);)* $(w.length($so);)*
                    w.end();
                }
            )*
            $(
                #[doc = concat!("Writes a `", stringify!($cname), "` record.")]
                #[allow(clippy::too_many_arguments)]
                pub fn $cname(w: &mut Writer $(, $cv: $cvt)* $(, $cr: &$crt)* $(, $cs: &[$cst])* $(, $co: usize)*) {
                    w.begin(Opcode::$cname);
                    $(w.value(&$cv);)* $(w.value($cr);)* $(w.slice($cs);)* $(w.length($co);)*
                    w.end();
                }
            )*
        }

        /// Reads the reply of one call; the functions mirror the traits' replies and out buffers.
        pub mod reply {
            use super::*;
            $(
                #[doc = concat!("Reads the reply of `", stringify!($sname), "`.")]
                pub fn $sname(r: &mut Reader<'_> $(, $so: &mut [u8])*) -> Result<$sret, CodecError> {
                    let value = r.value::<$sret>()?;
                    $(read_out(r, $so)?;)*
                    Ok(value)
                }
            )*
            $(
                #[doc = concat!("Reads the reply of `", stringify!($cname), "`.")]
                pub fn $cname(r: &mut Reader<'_> $(, $co: &mut [u8])*) -> Result<$cret, CodecError> {
                    let value = r.value::<$cret>()?;
                    $(read_out(r, $co)?;)*
                    Ok(value)
                }
            )*
            fn read_out(r: &mut Reader<'_>, out: &mut [u8]) -> Result<(), CodecError> {
                let bytes = r.slice::<u8>()?;
                if bytes.len() != out.len() {
                    return Err(CodecError::Truncated);
                }
                out.copy_from_slice(bytes);
                Ok(())
            }
        }

        /// Decodes a screen call, checks it, makes it, and writes its reply.
        #[allow(unused_variables, unused_mut, reason = "made from the catalogue")]
        pub fn dispatch_screen(opcode: Opcode, r: &mut Reader<'_>, check: &mut dyn HandleCheck, screen: &dyn Screen, replies: &mut Writer) -> Result<(), CodecError> {
            match opcode {
                $(Opcode::$sname => {
                    $(let $sv: $svt = r.value()?;)* $(let $sr: $srt = r.value()?;)* $(let $ss = r.slice::<$sst>()?;)* $(let mut $so = r.out()?;)*
                    r.finish()?;
                    let mut handles = Handles { check, opcode, index: 0, result: Ok(()) };
                    $(handles.visit(&$sv);)* $(handles.visit(&$sr);)* $($ss.iter().for_each(|v| handles.visit(v));)*
                    handles.result?;
                    let value: $sret = screen.$sname($($sv,)* $(&$sr,)* $($ss,)* $(&mut $so,)*);
                    replies.value(&value);
                    $(replies.slice(&$so);)*
                    Ok(())
                })*
                other => Err(CodecError::UnknownOpcode(other.0)),
            }
        }

        /// Decodes a context call, checks it, makes it, and writes its reply.
        #[allow(unused_variables, unused_mut, reason = "made from the catalogue")]
        pub fn dispatch_context(opcode: Opcode, r: &mut Reader<'_>, check: &mut dyn HandleCheck, context: &mut dyn Context, replies: &mut Writer) -> Result<(), CodecError> {
            match opcode {
                $(Opcode::$cname => {
                    $(let $cv: $cvt = r.value()?;)* $(let $cr: $crt = r.value()?;)* $(let $cs = r.slice::<$cst>()?;)* $(let mut $co = r.out()?;)*
                    r.finish()?;
                    let mut handles = Handles { check, opcode, index: 0, result: Ok(()) };
                    $(handles.visit(&$cv);)* $(handles.visit(&$cr);)* $($cs.iter().for_each(|v| handles.visit(v));)*
                    handles.result?;
                    let value: $cret = context.$cname($($cv,)* $(&$cr,)* $($cs,)* $(&mut $co,)*);
                    replies.value(&value);
                    $(replies.slice(&$co);)*
                    Ok(())
                })*
                other => Err(CodecError::UnknownOpcode(other.0)),
            }
        }

        /// The call as text, for traces: `name(argument=value, ...)`. Long slices show their length.
        #[allow(unused_variables, unused_mut, reason = "made from the catalogue")]
        pub fn describe(opcode: Opcode, r: &mut Reader<'_>) -> Result<String, CodecError> {
            let mut parts: Vec<String> = Vec::new();
            match opcode {
                $(Opcode::$sname => {
                    $(parts.push(format!(concat!(stringify!($sv), "={:?}"), r.value::<$svt>()?));)*
                    $(parts.push(format!(concat!(stringify!($sr), "={:?}"), r.value::<$srt>()?));)*
                    $(parts.push(format!(concat!(stringify!($ss), "={}"), describe_slice(r.slice::<$sst>()?)));)*
                    $(parts.push(format!(concat!(stringify!($so), "=[{} bytes out]"), r.word()?));)*
                })*
                $(Opcode::$cname => {
                    $(parts.push(format!(concat!(stringify!($cv), "={:?}"), r.value::<$cvt>()?));)*
                    $(parts.push(format!(concat!(stringify!($cr), "={:?}"), r.value::<$crt>()?));)*
                    $(parts.push(format!(concat!(stringify!($cs), "={}"), describe_slice(r.slice::<$cst>()?)));)*
                    $(parts.push(format!(concat!(stringify!($co), "=[{} bytes out]"), r.word()?));)*
                })*
                other => return Err(CodecError::UnknownOpcode(other.0)),
            }
            Ok(format!("{opcode:?}({})", parts.join(", ")))
        }
    };
}
crate::for_each_call!(define_codec);

fn describe_slice<T: std::fmt::Debug>(slice: &[T]) -> String {
    if slice.len() > 8 { format!("[{} items]", slice.len()) } else { format!("{slice:?}") }
}
