//! Arguments by type and name of the parameter, for any command.
//!
//! Pointers are to memory large enough for what the specification lets a command touch, because a program that passes
//! less is broken by itself: so commands that take one get counts and extents of at most 64.

use super::random::Random;
use gallite_tests::gl::{self, ArgumentSource};
use std::ffi::{CStr, c_char, c_void};

/// Not called: they take what must be right, or change how much memory others touch.
const LEFT_OUT: &[&str] = &[
    "DebugMessageCallback",
    "ShaderSource",
    "CompileShaderIncludeARB",
    "PixelStorei",
    "PixelStoref",
    "MapBuffer",
    "MapBufferRange",
];

const STRINGS: &[&CStr] =
    &[c"a", c"colour", c"position", c"gl_Position", c"a[0]", c"a[1].b", c"", c"b[99999999999]", c"\xff["];

/// Bytes of memory lent for reading and for writing.
const BYTES: usize = 24 << 20;

pub struct Session {
    random: Random,
    input: Vec<u64>,
    output: Vec<u64>,
    strings: Vec<*const c_char>,
    /// Every token there is.
    tokens: Vec<u32>,
    /// Whether the command at hand takes a pointer.
    pointers: bool,
    /// Whether work may be large: nothing executes it.
    noop: bool,
    /// Numbers of the commands that are called.
    commands: Vec<usize>,
}

/// The values in the list of tokens.
fn tokens() -> Vec<u32> {
    let lines = include_str!("../../../src/gl/constants.rs").lines();
    lines.filter_map(|line| u32::from_str_radix(line.split_once("= 0x")?.1.trim_end_matches(';'), 16).ok()).collect()
}

impl Session {
    pub fn new(seed: u64, noop: bool) -> Self {
        let mut random = Random::new(seed);
        // Small numbers, so that they are names, indices, tokens of small value and offsets as well.
        let input = (0..BYTES / 8).map(|_| random.next() & 0x0000_000f_0000_000f).collect();
        let commands = (0..gl::NAMES.len()).filter(|at| !LEFT_OUT.contains(&gl::NAMES[*at])).collect();
        let strings = (0..64).map(|at| STRINGS[at % STRINGS.len()].as_ptr()).collect();
        Self { random, input, output: vec![0; BYTES / 8], strings, tokens: tokens(), pointers: false, noop, commands }
    }

    pub fn step(&mut self) {
        let index = self.random.below(self.commands.len());
        self.call(self.commands[index]);
        if self.random.one_in(64) {
            gl::GetError();
        }
    }

    /// Calls one command of the table.
    pub fn call(&mut self, index: usize) {
        if LEFT_OUT.contains(&gl::NAMES[index]) {
            return;
        }
        self.pointers = gl::PARAMETERS[index].contains('*');
        gl::call_with(index, self);
    }

    fn token(&mut self) -> u64 {
        let ranges: [std::ops::Range<u64>; 6] =
            [0..16, 0x0200..0x0210, 0x0b00..0x0d60, 0x1400..0x1910, 0x8000..0x9280, 0x0..0x20000];
        let range = &ranges[self.random.below(ranges.len())];
        range.start + self.random.next() % (range.end - range.start)
    }
}

/// Extents and counts: as large as they may be without a pointer beside them.
const EDGES: [i64; 8] = [-1, i32::MIN as i64, i32::MAX as i64, 65_536, 1 << 20, 16_384, 16_385, 255];

impl ArgumentSource for Session {
    fn integer(&mut self, name: &'static str, bits: u32) -> u64 {
        let small = self.random.below(if self.pointers { 65 } else { 40 }) as u64;
        let is_token = ["target", "pname", "type_", "mode", "format", "internalformat", "attachment", "func", "cap"]
            .iter()
            .any(|word| name.starts_with(word));
        match self.random.below(12) {
            0..7 if is_token => self.random.pick(&self.tokens).into(),
            0 => self.token(),
            // Draws of that many vertices or layers end, but not today.
            1 if !self.pointers && (self.noop || bits == 64) => EDGES[self.random.below(EDGES.len())] as u64,
            2 if self.pointers => -1_i64 as u64,
            3 => 0,
            4 => 1,
            _ => small,
        }
    }

    fn float(&mut self, _: &'static str) -> f64 {
        self.random.float().into()
    }

    fn input(&mut self, name: &'static str) -> *const c_void {
        // Arrays of strings are read as such; a null string in them would be the program's fault.
        if ["string", "strings", "varyings", "uniform_names"].contains(&name) {
            return self.strings.as_ptr().cast();
        }
        if ["name", "uniform_block_name", "message", "label", "p_entry_point"].contains(&name) {
            return self.random.pick(STRINGS).as_ptr().cast();
        }
        // A sync object's name and a buffer's offset look like pointers.
        if ["sync", "indices", "indirect", "pointer", "ptr"].contains(&name) {
            return self.random.below(1 << 12) as *const c_void;
        }
        self.input.as_ptr().cast()
    }

    fn output(&mut self, name: &'static str) -> *mut c_void {
        if name == "sync" {
            return self.random.next() as *mut c_void;
        }
        self.output.as_mut_ptr().cast()
    }
}
