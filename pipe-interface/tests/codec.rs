//! Every call survives encoding and decoding unchanged, and damaged bytes are refused, not followed.

use gallite_pipe::codec::{self, CodecError, Opcode, Reader, TrustHandles, Writer, encode, reply};
use gallite_pipe::*;
use proptest::prelude::*;
use std::sync::Mutex;

/// Implements both traits by encoding what it receives, and replies with a fixed pattern.
#[derive(Default)]
struct Recorder {
    written: Mutex<Writer>,
    seed: u64,
}

fn pattern<T: Payload>(seed: u64) -> T {
    let mut value = T::zeroed();
    let bytes = bytemuck::bytes_of_mut(&mut value);
    let mut state = seed | 1;
    for byte in bytes.iter_mut() {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *byte = (state >> 56) as u8;
    }
    value.clamp();
    value
}

fn fill(out: &mut [u8], seed: u64) {
    out.iter_mut().enumerate().for_each(|(i, b)| *b = (seed as usize + i * 7) as u8);
}

macro_rules! recorder {
    (screen { $($(#[$sdoc:meta])* $sop:literal $sclass:ident fn $sname:ident($($sv:ident: $svt:ty),*) &($($sr:ident: $srt:ty),*) [$($ss:ident: $sst:ty),*] out($($so:ident),*) -> $sret:ty;)* }
     context { $($(#[$cdoc:meta])* $cop:literal $cclass:ident fn $cname:ident($($cv:ident: $cvt:ty),*) &($($cr:ident: $crt:ty),*) [$($cs:ident: $cst:ty),*] out($($co:ident),*) -> $cret:ty;)* }) => {
        impl Screen for Recorder {
            $(fn $sname(&self $(, $sv: $svt)* $(, $sr: &$srt)* $(, $ss: &[$sst])* $(, $so: &mut [u8])*) -> $sret {
                encode::$sname(&mut self.written.lock().unwrap() $(, $sv)* $(, $sr)* $(, $ss)* $(, $so.len())*);
                $(fill($so, self.seed);)*
                pattern::<$sret>(self.seed)
            })*
            fn create_context(&self, _: ContextFlags) -> Result<Box<dyn Context>, PipeError> { Err(PipeError::OutOfMemory) }
            fn create_window(&self, _: WindowId, _: &NativeWindow, _: &WindowDesc) -> Outcome { Outcome::DECLINED }
            fn window_formats(&self, _: &NativeWindow) -> Vec<Format> { Vec::new() }
            fn import_texture(&self, _: TextureId, _: &TextureDesc, _: &ExternalMemory) -> Outcome { Outcome::DECLINED }
            fn export_texture(&self, _: TextureId) -> Result<ExternalMemory, Outcome> { Err(Outcome::DECLINED) }
            fn import_fence(&self, _: FenceId, _: i32) -> Outcome { Outcome::DECLINED }
            fn export_fence(&self, _: FenceId) -> Result<i32, Outcome> { Err(Outcome::DECLINED) }
        }
        impl Context for Recorder {
            $(fn $cname(&mut self $(, $cv: $cvt)* $(, $cr: &$crt)* $(, $cs: &[$cst])* $(, $co: &mut [u8])*) -> $cret {
                encode::$cname(&mut self.written.lock().unwrap() $(, $cv)* $(, $cr)* $(, $cs)* $(, $co.len())*);
                $(fill($co, self.seed);)*
                pattern::<$cret>(self.seed)
            })*
            fn buffer_map(&mut self, _: BufferId, _: u64, _: u64, _: MapFlags) -> Option<Mapping> { None }
            fn buffer_flush_mapped(&mut self, _: BufferId, _: u64, _: u64) {}
            fn buffer_unmap(&mut self, _: BufferId) -> bool { false }
        }

        /// Encodes each call of the catalogue with arguments made from `seed`, decodes it into a recorder, and
        /// compares the recorder's encoding and reply with the originals. Returns the number of calls checked.
        fn round_trip_all(seed: u64, len: usize) -> usize {
            let mut count = 0;
            $({
                let mut w = Writer::new();
                encode::$sname(&mut w $(, { let _: Option<$svt> = None; pattern(seed ^ $sop) })* $(, &pattern::<$srt>(seed.rotate_left($sop)))*
                    $(, &(0..len as u64).map(|i| pattern::<$sst>(seed.wrapping_add(i * 977))).collect::<Vec<_>>())* $(, { let _ = stringify!($so); len })*);
                let recorder = Recorder { seed, ..Default::default() };
                let mut replies = Writer::new();
                let (opcode, mut record) = Reader::new(w.words()).record().unwrap();
                assert_eq!(opcode, Opcode::$sname);
                codec::dispatch_screen(opcode, &mut record, &mut TrustHandles, &recorder, &mut replies).unwrap();
                assert_eq!(recorder.written.lock().unwrap().words(), w.words(), stringify!($sname));
                let mut reader = Reader::new(replies.words());
                $(let mut $so = vec![0u8; len];)*
                let value = reply::$sname(&mut reader $(, &mut $so)*).unwrap();
                assert_eq!(value, pattern::<$sret>(seed));
                $({ let mut expected = vec![0u8; len]; fill(&mut expected, seed); assert_eq!($so, expected); })*
                assert!(reader.is_empty());
                let (_, mut record) = Reader::new(w.words()).record().unwrap();
                assert!(codec::describe(opcode, &mut record).unwrap().starts_with(stringify!($sname)));
                count += 1;
            })*
            $({
                let mut w = Writer::new();
                encode::$cname(&mut w $(, { let _: Option<$cvt> = None; pattern(seed ^ $cop) })* $(, &pattern::<$crt>(seed.rotate_left($cop)))*
                    $(, &(0..len as u64).map(|i| pattern::<$cst>(seed.wrapping_add(i * 977))).collect::<Vec<_>>())* $(, { let _ = stringify!($co); len })*);
                let mut recorder = Recorder { seed, ..Default::default() };
                let mut replies = Writer::new();
                let (opcode, mut record) = Reader::new(w.words()).record().unwrap();
                assert_eq!(opcode, Opcode::$cname);
                codec::dispatch_context(opcode, &mut record, &mut TrustHandles, &mut recorder, &mut replies).unwrap();
                assert_eq!(recorder.written.lock().unwrap().words(), w.words(), stringify!($cname));
                let mut reader = Reader::new(replies.words());
                $(let mut $co = vec![0u8; len];)*
                let value = reply::$cname(&mut reader $(, &mut $co)*).unwrap();
                assert_eq!(value, pattern::<$cret>(seed));
                $({ let mut expected = vec![0u8; len]; fill(&mut expected, seed); assert_eq!($co, expected); })*
                assert!(reader.is_empty());
                let (_, mut record) = Reader::new(w.words()).record().unwrap();
                assert!(codec::describe(opcode, &mut record).unwrap().starts_with(stringify!($cname)));
                count += 1;
            })*
            count
        }
    };
}
gallite_pipe::for_each_call!(recorder);

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_call_round_trips(seed: u64, len in 0usize..40) {
        prop_assert_eq!(round_trip_all(seed, len), Opcode::ALL.len());
    }

    /// Rule 8 of the interface: bytes from a peer end in a named error or in a checked call, never in a panic.
    #[test]
    fn damaged_records_are_refused(words in proptest::collection::vec(any::<u64>(), 0..64), opcode in 0u16..256, cut in 0u64..70) {
        let mut bytes = words;
        if let Some(first) = bytes.first_mut() {
            *first = u64::from(opcode) | cut << 16;
        }
        let mut recorder = Recorder::default();
        let mut replies = Writer::new();
        if let Ok((opcode, record)) = Reader::new(&bytes).record() {
            let _ = codec::dispatch_screen(opcode, &mut record.clone(), &mut TrustHandles, &recorder, &mut replies);
            let _ = codec::dispatch_context(opcode, &mut record.clone(), &mut TrustHandles, &mut recorder, &mut replies);
            let _ = codec::describe(opcode, &mut record.clone());
        }
    }
}

#[test]
fn each_kind_of_fault_has_its_error() {
    let mut w = Writer::new();
    encode::set_viewports(&mut w, 0, &[Viewport::default(); 2]);
    let mut recorder = Recorder::default();
    let mut replies = Writer::new();
    let mut run = |words: &[u64]| {
        let (opcode, mut record) = Reader::new(words).record()?;
        codec::dispatch_context(opcode, &mut record, &mut TrustHandles, &mut recorder, &mut replies)
    };
    assert_eq!(run(w.words()), Ok(()));
    assert_eq!(run(&w.words()[..3]), Err(CodecError::Truncated));
    let mut longer = w.words().to_vec();
    longer[2] = 1;
    assert_eq!(run(&longer), Err(CodecError::Trailing(3)));
    longer[2] = u64::MAX;
    assert!(matches!(run(&longer), Err(CodecError::TooLarge(_))));
    assert_eq!(run(&[0xffff | 1 << 16]), Err(CodecError::UnknownOpcode(0xffff)));
    let mut w = Writer::new();
    encode::bind_shader(&mut w, BindPoint(7), ShaderId::NULL);
    assert_eq!(run(w.words()), Err(CodecError::Invalid(InvalidValue("BindPoint"))));
}

#[test]
fn handles_inside_payloads_are_checked() {
    struct OnlyNull;
    impl codec::HandleCheck for OnlyNull {
        fn check(&mut self, _: Opcode, _: usize, handle: AnyHandle) -> Result<(), CodecError> {
            if handle.generation == 0 { Ok(()) } else { Err(CodecError::StaleHandle(handle)) }
        }
    }
    let mut state = FramebufferState::default();
    state.color[3].texture = TextureId::from_parts(4, 2);
    let mut w = Writer::new();
    encode::set_framebuffer(&mut w, &state);
    let (opcode, mut record) = Reader::new(w.words()).record().unwrap();
    let result =
        codec::dispatch_context(opcode, &mut record, &mut OnlyNull, &mut Recorder::default(), &mut Writer::new());
    let expected = AnyHandle { kind: "TextureId", slot: 4, generation: 2 };
    assert_eq!(result, Err(CodecError::StaleHandle(expected)));
    assert_eq!(expected.kind, TextureId::KIND);
}
