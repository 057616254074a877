//! A light pass over the preprocessed source before glslang parses it: the spellings that must change, and what the
//! words used say of the version that glslang is to be shown. Renamed words keep their lengths; the version line may
//! grow.

mod extensions;

use std::collections::HashSet;

use super::constant_functions::Has;
use super::future_words::Brought;
use super::log::Renamed;
use super::tokens::{Fault, functions, tokens};
use super::{future_words, legacy_textures, lines, newest_words, removed_names};
use crate::link::interface::BlockLayout;
use crate::stage::{CompileOptions, Profile, Stage};

/// The outcome of the pass.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Source for glslang.
    pub text: Vec<u8>,
    /// Macros in front of it.
    pub preamble: String,
    /// The error that was found.
    pub fault: Option<String>,
    /// Identifiers that were renamed: as glslang sees them, as the program wrote them.
    pub renamed: Renamed,
    /// Version of a source that names none.
    pub default_version: u32,
    /// The version it is written in.
    pub version: u32,
    /// The version is one of OpenGL ES.
    pub es: bool,
    /// `#pragma STDGL invariant(all)`.
    pub all_invariant: bool,
    /// Functions that give four components of a comparison are called.
    pub shadow_functions: bool,
    /// The language has subroutines.
    pub subroutines: bool,
    /// It has the functions of AMD_shader_trinary_minmax.
    pub trinary: bool,
    /// The size of work groups may be variable.
    pub group_sizes: bool,
    /// Blocks of outputs may have layer and viewport.
    pub viewport_members: bool,
    /// It has integers of 64 bits.
    pub int64: bool,
    /// It has the spellings of EXT_gpu_shader4.
    pub gpu_shader4: bool,
    /// It has what ARB_shading_language_420pack brings.
    pub pack: bool,
    /// It has what ARB_enhanced_layouts brings.
    pub enhanced: bool,
    /// Arrays without a size have lengths.
    pub implicit_lengths: bool,
    /// Functions of constants that it has.
    pub constant_functions: Has,
    /// It has explicit locations of uniforms and indices of subroutines.
    pub explicit_locations: bool,
    /// Deep nesting or huge expressions: translate on a large stack.
    pub heavy: bool,
}

impl Words {
    /// A fault as the info log has it.
    pub fn message(&self, (line, text): &Fault) -> String {
        let (string, line) = lines::place(&self.text, *line, self.es || self.version >= 330);
        format!("{string}:{line}(1): error: {text}\n")
    }
}

/// The function by its definition (GLSL 1.20 section 8.5).
const FTRANSFORM: &str = "#define ftransform() (gl_ModelViewProjectionMatrix * gl_Vertex)\n";

/// The noise functions are deprecated and may return a constant (GLSL 4.60 section 8.20).
const NOISE: &str = "#define noise1(p) (0.0)\n#define noise2(p) vec2(0.0)\n\
#define noise3(p) vec3(0.0)\n#define noise4(p) vec4(0.0)\n";

/// The output of ARB_ES3_2_compatibility, renamed: no preamble may declare a name of GL.
const BOUNDING_BOX: &str = "patch out vec4 Zl_BoundingBoxARB[2];\n";

/// It has locations of blocks.
pub(super) const ENHANCED: &str = "#extension GL_ARB_enhanced_layouts : enable\n";

/// Nesting beyond this cannot be a real program.
const MAX_NESTING: usize = 4096;
/// Nesting or operators in one statement beyond these get a large stack.
const HEAVY_NESTING: usize = 64;
const HEAVY_STATEMENT: usize = 512;
/// Tokens in one statement beyond this cannot be a real program.
const MAX_STATEMENT: usize = 200_000;

struct Scanner<'a> {
    bytes: Vec<u8>,
    at: usize,
    line: u32,
    line_start: usize,
    options: &'a CompileOptions,
    stage: Stage,
    out: Words,
    version: u32,
    /// The number and the profile in the version directive.
    version_at: Option<(usize, usize)>,
    profile_at: Option<(usize, usize)>,
    /// The source asks for MESA_shader_integer_functions, ARB_gpu_shader5, ARB_texture_gather.
    integer_functions: bool,
    /// It asks for ARB_ES3_2_compatibility.
    bounding_box: bool,
    shader5: bool,
    gathers: bool,
    /// It asks for ARB_shading_language_packing, ARB_gpu_shader_fp64.
    packing: bool,
    doubles: bool,
    /// The source asks for the features that GLSL 1.40 removed.
    compatibility: bool,
    /// Calls of `inverse`, of old texture functions.
    inverse: bool,
    legacy_texture: bool,
    /// Some of them with a level.
    texture_lod: bool,
    /// Samplers of rectangles.
    rectangle: bool,
    /// Per-vertex outputs of the compatibility profile.
    legacy_output: bool,
    /// The block is redeclared.
    per_vertex: bool,
    /// There are variables that are `varying`.
    varying: bool,
    /// What the source uses by extension is in glslang from this version on.
    needs_version: u32,
    /// The source has something of GLSL 4.50 or 4.60, or may have by an extension.
    newest: bool,
    /// The last byte that is no space.
    last_byte: u8,
    /// Type keywords that extensions asked for bring.
    brought: Brought,
    /// Qualifiers that extensions asked for, or the stage, bring before their version.
    qualifiers: Vec<&'static str>,
    /// Where `shared` stands that is no layout's.
    shared_at: Vec<usize>,
    /// The source may call atomic functions on buffer and shared variables.
    atomics: bool,
    /// Names followed by a parenthesis at module scope.
    functions: HashSet<Vec<u8>>,
    /// The last two words at module scope in the current statement.
    last_word: Vec<u8>,
    after_interface: bool,
    /// Members of blocks may have places of their own, so glslang is to see the layouts.
    offsets: bool,
    /// Where the current statement says std430, and whether it says uniform.
    std430: Option<(u32, u32)>,
    uniform: bool,
}

/// Reads a source written in a version, whose macros are expanded.
pub(super) fn read(source: Vec<u8>, version: u32, es: bool, stage: Stage, options: &CompileOptions) -> Words {
    let mut s = Scanner {
        bytes: source,
        at: 0,
        line: 1,
        line_start: 0,
        options,
        stage,
        out: Words { es, ..Words::default() },
        version,
        version_at: None,
        profile_at: None,
        integer_functions: false,
        bounding_box: false,
        shader5: false,
        gathers: false,
        packing: false,
        doubles: false,
        compatibility: false,
        inverse: false,
        legacy_texture: false,
        texture_lod: false,
        rectangle: false,
        legacy_output: false,
        per_vertex: false,
        varying: false,
        needs_version: 0,
        newest: false,
        last_byte: 0,
        brought: Brought::default(),
        qualifiers: match stage {
            Stage::TessControl | Stage::TessEvaluation => vec!["patch"],
            Stage::Compute => vec!["shared"],
            _ => Vec::new(),
        },
        shared_at: Vec::new(),
        atomics: stage == Stage::Compute,
        functions: HashSet::new(),
        last_word: Vec::new(),
        after_interface: false,
        offsets: false,
        std430: None,
        uniform: false,
    };
    s.offsets = gives_offsets(&s.bytes);
    s.run();
    s.finish();
    s.out.text = s.bytes;
    s.out
}

/// Whether a layout in a source has an `offset` or an `align` (GLSL 4.60 section 4.4.5).
fn gives_offsets(source: &[u8]) -> bool {
    let placing = |word: &[u8]| word.eq_ignore_ascii_case(b"offset") || word.eq_ignore_ascii_case(b"align");
    if !source.windows(5).any(|w| w.eq_ignore_ascii_case(b"offse") || w.eq_ignore_ascii_case(b"align")) {
        return false;
    }
    let all = tokens(source);
    let pairs = all.windows(3).filter(|w| w[0].is("(") || w[0].is(","));
    pairs.into_iter().any(|w| placing(w[1].text) && w[2].is("="))
}

/// Atomic functions on buffer and shared variables (GLSL 4.60 section 8.11).
fn is_atomic(word: &[u8]) -> bool {
    matches!(
        word,
        b"atomicAdd"
            | b"atomicMin"
            | b"atomicMax"
            | b"atomicAnd"
            | b"atomicOr"
            | b"atomicXor"
            | b"atomicExchange"
            | b"atomicCompSwap"
    )
}

/// Functions that ARB_gpu_shader5 has beside those of integers.
fn is_shader5(word: &[u8]) -> bool {
    word == b"fma" || word.starts_with(b"interpolateAt")
}

fn is_ident(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn column(&self, at: usize) -> u32 {
        (at - self.line_start) as u32 + 1
    }

    fn error(&mut self, line: u32, column: u32, text: &str) {
        self.out.fault.get_or_insert(format!("0:{line}({column}): error: {text}\n"));
    }

    /// Something in the source is in glslang from a version on.
    fn needs(&mut self, version: u32) {
        self.needs_version = self.needs_version.max(version);
    }

    fn newline(&mut self) {
        self.line += 1;
        self.line_start = self.at;
    }

    /// Steps over one comment at the cursor, if any.
    fn skip_comment(&mut self) -> bool {
        match (self.peek(0), self.peek(1)) {
            (b'/', b'/') => {
                while self.at < self.bytes.len() && self.peek(0) != b'\n' {
                    self.at += 1;
                }
                true
            }
            (b'/', b'*') => {
                self.at += 2;
                while self.at < self.bytes.len() && !(self.peek(0) == b'*' && self.peek(1) == b'/') {
                    self.at += 1;
                    if self.bytes[self.at - 1] == b'\n' {
                        self.newline();
                    }
                }
                self.at = (self.at + 2).min(self.bytes.len());
                true
            }
            _ => false,
        }
    }

    fn run(&mut self) {
        let mut line_is_blank = true;
        let mut nesting = 0usize;
        let mut statement = 0usize;
        let mut layout = LayoutState::None;
        while self.at < self.bytes.len() {
            if self.skip_comment() {
                continue;
            }
            let b = self.peek(0);
            match b {
                b'\n' => {
                    self.at += 1;
                    self.newline();
                    line_is_blank = true;
                    continue;
                }
                b'#' if line_is_blank => {
                    self.directive(nesting);
                    continue;
                }
                b'(' | b'[' | b'{' => {
                    nesting += 1;
                    if b == b'{' {
                        statement = 0;
                    }
                    if b == b'(' && layout == LayoutState::Keyword {
                        layout = LayoutState::Inside;
                    }
                }
                b')' | b']' | b'}' => {
                    nesting = nesting.saturating_sub(1);
                    if b == b')' {
                        layout = LayoutState::None;
                    }
                }
                b';' => statement = 0,
                _ => {}
            }
            if b.is_ascii_punctuation() && b != b'_' {
                self.module_scope(b, nesting);
                if self.out.fault.is_some() {
                    return;
                }
            }
            if nesting > MAX_NESTING || statement > MAX_STATEMENT {
                let (line, column) = (self.line, self.column(self.at));
                self.error(line, column, "expression or nesting is too complex");
                return;
            }
            self.out.heavy |= nesting > HEAVY_NESTING || statement > HEAVY_STATEMENT;
            if !b.is_ascii_whitespace() {
                line_is_blank = false;
                statement += 1;
                // To glslang a label at the end of a switch is an error up to GLSL 4.30 and from 4.60 on.
                self.newest |= b == b'}' && self.last_byte == b':';
                self.last_byte = b;
            }
            if is_ident(b) {
                let start = self.at;
                while is_ident(self.peek(0)) {
                    self.at += 1;
                }
                self.note_word(start);
                match &self.bytes[start..self.at] {
                    b"ftransform" if !self.out.preamble.contains("ftransform") => {
                        self.out.preamble.push_str(FTRANSFORM);
                    }
                    [b'n', b'o', b'i', b's', b'e', b'1'..=b'4'] if !self.out.preamble.contains("noise1") => {
                        self.out.preamble.push_str(NOISE);
                    }
                    b"layout" => layout = LayoutState::Keyword,
                    // ARB_blend_func_extended, ARB_fragment_coord_conventions.
                    b"index" if layout == LayoutState::Inside => self.needs(330),
                    b"gl_FragCoord" if nesting == 0 => self.needs(150),
                    b"shared" if layout != LayoutState::Inside => self.shared_at.push(start),
                    word if layout == LayoutState::Inside && BlockLayout::of_word(word).is_some() => {
                        self.block_layout(start);
                    }
                    _ if layout == LayoutState::Keyword => layout = LayoutState::None,
                    _ => {}
                }
            } else {
                self.at += 1;
            }
        }
    }

    /// Shows glslang a layout as one that asks nothing of the places of members, where no member has its own.
    fn block_layout(&mut self, start: usize) {
        let word = start..self.at;
        let Some(layout) = BlockLayout::of_word(&self.bytes[word.clone()]) else { return };
        if layout == BlockLayout::Std430 {
            self.std430 = Some((self.line, self.column(start)));
        }
        self.bytes[word].copy_from_slice(if self.offsets { layout.name() } else { layout.shown() });
    }

    /// Looks at a word: renames future and past names, remembers it for [`Scanner::module_scope`].
    fn note_word(&mut self, start: usize) {
        self.rename_future(start, self.at);
        let word = &self.bytes[start..self.at];
        self.inverse |= word == b"inverse";
        self.legacy_output |= matches!(
            word,
            b"gl_FrontColor"
                | b"gl_BackColor"
                | b"gl_FrontSecondaryColor"
                | b"gl_BackSecondaryColor"
                | b"gl_TexCoord"
                | b"gl_FogFragCoord"
                | b"gl_ClipVertex"
        );
        let legacy_texture = legacy_textures::is_legacy(word);
        self.legacy_texture |= legacy_texture;
        self.out.shadow_functions |= word.starts_with(b"shadow");
        self.texture_lod |= legacy_texture && word.ends_with(b"Lod");
        self.rectangle |= matches!(word, b"sampler2DRect" | b"sampler2DRectShadow");
        self.per_vertex |= word == b"gl_PerVertex";
        self.varying |= word == b"varying";
        self.after_interface |= matches!(word, b"in" | b"out" | b"uniform" | b"buffer");
        self.uniform |= word == b"uniform";
        self.last_word.clear();
        self.last_word.extend_from_slice(word);
        // GLSL 4.40 section 7.3; glslang has the constants in no earlier version.
        if word.starts_with(b"gl_MaxTransformFeedback") {
            self.needs(440);
        }
        let word = &self.bytes[start..self.at];
        self.newest |= newest_words::is_newest(word);
        // glslang has the functions in these versions, whatever extension is asked for.
        if self.atomics && is_atomic(word) {
            self.needs(430);
        } else if word.starts_with(b"atomicCounter") && word.ends_with(b"ARB") {
            self.needs(450);
        }
    }

    fn rename_future(&mut self, from: usize, to: usize) {
        let word = &self.bytes[from..to];
        // To glslang what later versions of OpenGL ES have is reserved in the earlier ones.
        let future = if self.out.es {
            future_words::is_foreign_to_es(word)
        } else {
            future_words::is_future_type(word, self.version, self.brought)
        };
        if future {
            self.rename(from, to);
        }
    }

    fn rename(&mut self, from: usize, to: usize) {
        let word = &mut self.bytes[from..to];
        let original = String::from_utf8_lossy(word).into_owned();
        future_words::rename(word);
        let renamed = String::from_utf8_lossy(word).into_owned();
        self.out.renamed.entry(renamed).or_insert(original);
    }

    /// Every word of the source.
    fn words(&self) -> Vec<(usize, usize)> {
        let mut words = Vec::new();
        let mut at = 0;
        while at < self.bytes.len() {
            let start = at;
            while self.bytes.get(at).copied().is_some_and(is_ident) {
                at += 1;
            }
            if at > start {
                words.push((start, at));
            }
            at = at.max(start + 1);
        }
        words
    }

    fn rename_all(&mut self, which: impl Fn(&[u8]) -> bool) {
        for (from, to) in self.words() {
            if which(&self.bytes[from..to]) {
                self.rename(from, to);
            }
        }
    }

    /// Renames what is a keyword only because of the version that glslang is shown, and `shared`, one to it from GLSL 1.40 on.
    fn rename_qualifiers(&mut self, shown: u32) {
        let (version, brought) = (self.version, std::mem::take(&mut self.qualifiers));
        let is_name = |word: &[u8]| {
            let is_brought = brought.iter().any(|qualifier| qualifier.as_bytes() == word);
            !is_brought && future_words::is_future_qualifier(word, version, shown)
        };
        if shown > version {
            self.rename_all(|word| word != b"shared" && is_name(word));
        }
        if is_name(b"shared") {
            for at in std::mem::take(&mut self.shared_at) {
                self.rename(at, at + b"shared".len());
            }
        }
    }

    /// Hides the fixed-function names.
    fn rename_removed(&mut self) {
        self.out.preamble = self.out.preamble.replace(FTRANSFORM, "");
        self.rename_all(removed_names::is_removed);
    }

    /// GLSL 4.60 section 4.3.9: a block name may be used for nothing else. glslang doesn't survive a
    /// block named like a function, so that one case is caught here.
    fn module_scope(&mut self, b: u8, nesting: usize) {
        if matches!(b, b';' | b'{' | b'}') {
            // GLSL 4.60 section 4.4.5: std430 is for storage blocks. glslang is shown another word.
            if let (Some((line, column)), true) = (self.std430, self.uniform) {
                self.error(line, column, "std430 is a layout of shader storage blocks only");
            }
            (self.std430, self.uniform) = (None, false);
        }
        match b {
            b'(' if nesting == 1 => {
                self.functions.insert(std::mem::take(&mut self.last_word));
            }
            b'{' if nesting == 1 && self.after_interface && self.functions.contains(&self.last_word) => {
                let name = String::from_utf8_lossy(&self.last_word).into_owned();
                let (line, column) = (self.line, self.column(self.at));
                self.error(line, column, &format!("block name `{name}' is already the name of a function"));
            }
            b';' | b'}' if nesting == 0 => self.after_interface = false,
            b'{' => self.after_interface = false,
            _ => {}
        }
    }

    /// Handles the directive at the cursor, one that the preprocessor leaves; leaves the cursor after it.
    fn directive(&mut self, nesting: usize) {
        let (line, column) = (self.line, self.column(self.at));
        let mut words: Vec<(usize, usize)> = Vec::new();
        self.at += 1;
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            if self.skip_comment() {
                continue;
            }
            let start = self.at;
            while is_ident(self.peek(0)) {
                self.at += 1;
            }
            if self.at > start {
                words.push((start, self.at));
            } else {
                self.at += 1;
            }
        }
        let spelled = |w: &(usize, usize)| String::from_utf8_lossy(&self.bytes[w.0..w.1]).into_owned();
        let spelled: Vec<String> = words.iter().take(4).map(spelled).collect();
        match spelled.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["version", ..] => {
                self.version_at = words.get(1).copied();
                self.profile_at = words.get(2).copied();
            }
            ["extension", name, behavior, ..] if behavior != "disable" => {
                self.newest = true;
                self.extension(name);
            }
            // GLSL 1.10 section 3.3.
            ["pragma", what @ ("debug" | "optimize"), "on" | "off"] if nesting > 0 => {
                self.error(line, column, &format!("#pragma {what} stands within a function"));
            }
            // ESSL 3.00 section 4.6.1.
            ["pragma", "STDGL", "invariant", "all"]
                if self.out.es && self.version >= 300 && self.stage == Stage::Fragment =>
            {
                self.error(line, column, "#pragma STDGL invariant(all) stands in a fragment shader");
            }
            ["pragma", "STDGL", "invariant", "all"] => self.out.all_invariant = true,
            _ => {}
        }
    }

    /// Puts what stands for an extension in front of the source, once: sources repeat the lines that ask for it.
    fn lend(&mut self, text: &str) {
        if !self.out.preamble.contains(text) {
            self.out.preamble.push_str(text);
        }
    }

    /// Asks glslang for an extension that has what another one brings.
    fn also(&mut self, name: &str) {
        self.lend(&format!("#extension {name} : enable\n"));
    }

    /// What depends on the whole source.
    fn finish(&mut self) {
        // glslang has the languages of OpenGL ES as they are.
        if self.out.es {
            self.out.preamble.clear();
            self.out.version = self.version;
            self.out.default_version = self.version;
            self.out.subroutines = false;
            // ESSL 3.10 section 4.9 has qualifiers in any order.
            self.out.pack = self.version >= 310;
            return;
        }
        // GLSL 1.50 section 7.1 has the redeclaration; glslang takes it for GLSL 4.10's.
        if self.per_vertex && (150..410).contains(&self.version) {
            self.also("GL_ARB_separate_shader_objects");
        }
        // ARB_texture_rectangle is there without being asked for, and can be disabled.
        const RECTANGLE: &str = "GL_ARB_texture_rectangle";
        if self.rectangle && self.version < 140 && self.options.extensions.iter().any(|e| e == RECTANGLE) {
            self.also(RECTANGLE);
        }
        // GLSL 4.00 is shown for integers; what else it has stays away.
        if self.integer_functions && !self.shader5 && self.version < 400 {
            let gathers = self.gathers;
            self.rename_all(|word| is_shader5(word) || !gathers && word.starts_with(b"textureGather"));
        }
        // ARB_ES3_2_compatibility has it as an output of the patch; nothing of ours reads it.
        if self.bounding_box && self.stage == Stage::TessControl {
            self.rename_all(|word| word == b"gl_BoundingBoxARB");
            self.out.preamble.push_str(BOUNDING_BOX);
        }
        let new = self.version >= 400;
        self.out.constant_functions = Has {
            integers: new || self.shader5 || self.integer_functions,
            shader5: new || self.shader5,
            packing: new || self.shader5 || self.packing,
            doubles: new || self.doubles,
        };
        self.out.subroutines |= new;
        self.out.implicit_lengths |= self.version >= 430;
        self.out.pack |= self.version >= 420;
        self.out.enhanced |= self.version >= 440;
        self.out.explicit_locations |= self.version >= 430;
        // GLSL 1.10 section 8.7 has them in vertex shaders; to glslang an extension brings them there too.
        if self.texture_lod && self.stage == Stage::Vertex && self.version < 130 {
            self.also("GL_ARB_shader_texture_lod");
        }
        // GLSL 1.50 compatibility section 4.3.6: what a geometry shader declares so, it writes.
        if self.stage == Stage::Geometry && self.varying {
            self.out.preamble.push_str("#define varying out\n");
        }
        let shown = self.shown_version();
        self.rename_qualifiers(shown);
        if self.version < 130 && (self.out.gpu_shader4 || self.brought.texture_array) {
            self.rename_all(legacy_textures::is_later);
        }
        let core = self.options.profile == Profile::Core;
        if core && self.version == 140 {
            self.rename_removed();
        }
        if core && self.legacy_texture && self.version >= 420 {
            // glslang declares them still, and does not survive a call.
            self.rename_all(legacy_textures::is_legacy);
        }
        // Core profiles keep the old texture functions until GLSL 4.20; to glslang they belong to the
        // compatibility profile, so it is shown that one, without its variables.
        let lent = core && self.legacy_texture && (150..420).contains(&self.version);
        if lent || (core && self.version >= 150 && shown > self.version) {
            self.rename_removed();
        }
        self.out.version = if self.stage == Stage::Geometry { self.version.max(150) } else { self.version };
        self.out.default_version = shown;
        if shown < self.version {
            // GLSL 4.50 section 8.3 has the functions; glslang has them before by the extension.
            self.also("GL_EXT_shader_integer_mix");
            self.show(shown, None);
        } else if lent || shown != self.version || self.compatibility {
            // Profiles are named since GLSL 1.50.
            self.show(shown, Some(if shown < 150 { "" } else { " compatibility" }));
        }
        self.keep_own_functions();
    }

    /// Takes macros out again that stand for built-in functions which the source defines for itself (GLSL 4.60 section 6.1),
    /// and those functions get another name: glslang lets them return what its own return only.
    fn keep_own_functions(&mut self) {
        if !self.out.preamble.contains("#define ") {
            return;
        }
        let own: HashSet<Vec<u8>> = functions(&tokens(&self.bytes)).into_iter().map(<[u8]>::to_vec).collect();
        self.rename_all(|word| matches!(word, [b'n', b'o', b'i', b's', b'e', b'1'..=b'4']) && own.contains(word));
        let is_own = |line: &str| {
            let name = line.strip_prefix("#define ").and_then(|rest| rest.split(['(', ' ']).next());
            name.is_some_and(|name| own.contains(name.as_bytes()))
        };
        self.out.preamble = self.out.preamble.split_inclusive('\n').filter(|line| !is_own(line)).collect();
    }

    /// The version under which glslang reads the source as its own version is meant.
    fn shown_version(&self) -> u32 {
        let mut shown = self.version.max(self.needs_version);
        // glslang's tables of built-in names take three times the time and the memory from GLSL 4.50 on, most of it for
        // languages of Vulkan. What GLSL 4.40 is enough for is shown as such.
        if shown >= 450 && !self.newest && self.needs_version <= 440 {
            shown = 440;
        }
        // GLSL 1.40 section 8.5 has the function; glslang has it from GLSL 1.50.
        if self.inverse && self.version == 140 {
            shown = shown.max(150);
        }
        // ARB_compute_shader brings the stage to any version; glslang has it from GLSL 4.20.
        if self.stage == Stage::Compute {
            shown = shown.max(420);
        }
        // So does ARB_tessellation_shader; glslang has its stages from GLSL 4.00.
        if matches!(self.stage, Stage::TessControl | Stage::TessEvaluation) {
            shown = shown.max(400);
        }
        // Geometry shaders need no version to name themselves; the language has them since 1.50.
        if self.stage == Stage::Geometry && self.version_at.is_none() {
            shown = shown.max(150);
        }
        // GLSL 1.50 section 7.1 has them as outputs; glslang has them from GLSL 4.00.
        if self.stage == Stage::Geometry && self.legacy_output && self.options.profile == Profile::Compatibility {
            shown = shown.max(400);
        }
        shown
    }

    /// Puts another version into the version directive, and another profile.
    fn show(&mut self, version: u32, profile: Option<&str>) {
        let Some((from, number)) = self.version_at else { return };
        let (_, to) = self.profile_at.filter(|_| profile.is_some()).unwrap_or((from, number));
        self.bytes.splice(from..to, format!("{version}{}", profile.unwrap_or_default()).into_bytes());
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LayoutState {
    None,
    Keyword,
    Inside,
}
