//! The front end: one shader source in, one SPIR-V unit out.

mod arrays;
mod block_rules;
mod check;
mod constant;
mod constant_functions;
mod constants;
mod declarations;
mod directives;
mod dispatch;
mod edit;
mod fold;
mod future_words;
mod geometry_inputs;
pub(crate) mod glslang;
mod gpu_shader4;
mod group_size;
mod image_formats;
mod initializers;
mod int64;
mod legacy_textures;
mod lines;
mod log;
mod loose;
mod macros;
mod names110;
mod nested_structures;
mod newest_words;
mod prepass;
mod qualifiers;
pub(crate) mod redeclared;
mod removed_names;
mod rules;
mod specialized;
mod spellings;
mod structures;
pub(crate) mod subroutines;
mod tessellation_outputs;
mod tokens;
mod trinary;
mod words;

use std::collections::HashSet;
use std::ffi::CString;
use std::sync::{Arc, OnceLock};

use crate::cache::Key;
use crate::link::StageUnit;
use crate::link::interface::Interface;
use crate::passes;
use crate::program::CompiledShader;
use crate::spirv::{ExecutionMode, Module};
use crate::spirv_binary::Specialization;
use crate::stage::{CompileOptions, Limits, Stage};
use declarations::Declarations;
use log::{Lines, Renamed};
use redeclared::Redeclared;
use spellings::Sequences;
use subroutines::Subroutines;
use tokens::{Pairs, tokens, tokens_and_directives};

/// What a shader object is made from.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) enum Source {
    /// GLSL.
    Text(Box<str>),
    /// A module of SPIR-V.
    Module(Box<Specialization>),
}

impl From<&str> for Source {
    fn from(text: &str) -> Self {
        Source::Text(text.into())
    }
}

impl From<Specialization> for Source {
    fn from(module: Specialization) -> Self {
        Source::Module(module.into())
    }
}

/// A shader object that compiles. Its translation is made when something first asks for it: with a cache, a program
/// may be linked without.
#[derive(Debug)]
pub(crate) struct ShaderUnit {
    /// Stands for stage, source and options.
    pub key: Key,
    stage: Stage,
    source: Source,
    options: CompileOptions,
    translation: OnceLock<Result<CompiledUnit, String>>,
}

impl ShaderUnit {
    /// A unit that is known to compile.
    pub fn known(key: Key, stage: Stage, source: Source, options: &CompileOptions) -> Self {
        Self { key, stage, source, options: options.clone(), translation: OnceLock::new() }
    }

    /// Whether it is a module of SPIR-V.
    pub fn is_module(&self) -> bool {
        matches!(self.source, Source::Module(_))
    }

    /// What the program gave.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The translation. An error only where a cache was wrong about the source.
    fn translation(&self) -> Result<&CompiledUnit, String> {
        let made = self.translation.get_or_init(|| translation(self.stage, &self.source, &self.options).0);
        made.as_ref().map_err(String::clone)
    }

    /// Whether the front end has run for it.
    #[cfg(test)]
    pub fn is_translated(&self) -> bool {
        self.translation.get().is_some()
    }
}

/// A translated shader object, before linking.
#[derive(Debug)]
struct CompiledUnit {
    /// The text handed to glslang, for stages made of several shader objects.
    text: CString,
    /// Macros in front of it.
    preamble: CString,
    default_version: u32,
    version: u32,
    es: bool,
    all_invariant: bool,
    shadow_functions: bool,
    redeclared: Redeclared,
    declarations: Declarations,
    subroutines: Option<Arc<Subroutines>>,
    /// Identifiers glslang sees under another name: that name, the program's.
    renamed: Renamed,
    /// The translation, or why this object alone makes no stage (no `main`, a missing body).
    translated: Result<Translated, String>,
}

/// SPIR-V of a complete stage with everything the linker asks of it.
#[derive(Clone, Debug)]
struct Translated {
    module: Module,
    declared: Arc<Interface>,
    used: Arc<HashSet<u32>>,
    /// Rules of [`check`] it breaks.
    broken_rules: Vec<(String, String)>,
}

/// Why shaders of different languages are not linked.
pub(crate) const MIXED: &str = "shaders of OpenGL ES are linked with those of their version only";

/// Longest source accepted, in bytes.
const MAX_SOURCE: usize = 8 << 20;

/// Compiles one shader object without a cache. Safe to call from any thread, in parallel.
pub fn compile(stage: Stage, source: &str, options: &CompileOptions) -> CompiledShader {
    compile_as(Key::of_shader(stage, source, options), stage, source.into(), options)
}

/// Compiles the shader object that `key` stands for.
pub(crate) fn compile_as(key: Key, stage: Stage, source: Source, options: &CompileOptions) -> CompiledShader {
    let (translation, log) = translation(stage, &source, options);
    let unit = translation.ok().map(|unit| {
        let known = ShaderUnit::known(key, stage, source, options);
        let _ = known.translation.set(Ok(unit));
        Arc::new(known)
    });
    CompiledShader { stage, ok: unit.is_some(), log, unit }
}

/// Translates what a shader object is made from; the second part is the info log, which is also the error.
fn translation(stage: Stage, source: &Source, options: &CompileOptions) -> (Result<CompiledUnit, String>, String) {
    match source {
        Source::Text(text) => front_end(stage, text, options),
        Source::Module(module) => match specialized::unit(stage, module, options) {
            Ok(unit) => (Ok(unit), String::new()),
            Err(fault) => {
                let log = format!("error: {fault}\n");
                (Err(log.clone()), log)
            }
        },
    }
}

/// Translates a source; the second part is the info log, which is also the error.
fn front_end(stage: Stage, source: &str, options: &CompileOptions) -> (Result<CompiledUnit, String>, String) {
    let failed = |log: String| (Err(log.clone()), log);
    if source.len() > MAX_SOURCE {
        return failed("0:1(1): error: shader source is too long\n".into());
    }
    let (preprocessed, mut messages) = preprocess(source, options);
    let Some(Preprocessed { text, version, es, mut renamed }) = preprocessed else { return failed(messages) };
    let mut words = words::read(text, version, es, stage, options);
    if let Some(fault) = words.fault.take() {
        return failed(messages + &fault);
    }
    renamed.extend(std::mem::take(&mut words.renamed));
    if words.version == 110
        && let Some(text) = nested_structures::lift(&words.text)
    {
        words.text = text;
    }
    if words.viewport_members {
        redeclared::take_viewport_members(&mut words.text);
    }
    if words.int64
        && let Some(text) = int64::respelled(&words.text)
    {
        words.text = text;
    }
    if words.version == 110 {
        let edits = names110::edits(&tokens(&words.text), &mut renamed);
        if !edits.is_empty() {
            words.text = edit::edited(&words.text, edits);
        }
    }
    let mut all = tokens(&words.text);
    if words.implicit_lengths {
        let edits = arrays::lengths(&all);
        if !edits.is_empty() {
            words.text = edit::edited(&words.text, edits);
            all = tokens(&words.text);
        }
    }
    if words.trinary {
        words.text = edit::edited(&words.text, trinary::edits(&all));
        all = tokens(&words.text);
    }
    if words.gpu_shader4 {
        words.text = edit::edited(&words.text, gpu_shader4::edits(&all));
        all = tokens(&words.text);
    }
    let variable_size = words.group_sizes && group_size::is_variable(&all);
    if words.group_sizes {
        match group_size::edits(&all, variable_size) {
            Err(fault) => return failed(messages + &words.message(&fault)),
            Ok(edits) => words.text = edit::edited(&words.text, edits),
        }
        all = tokens(&words.text);
    }
    let mut subroutines = None;
    if words.subroutines {
        let has = subroutines::Has { explicit: words.explicit_locations, expressions: words.enhanced };
        match subroutines::lower(stage, &words.text, &all, has) {
            Err(fault) => return failed(messages + &words.message(&fault)),
            Ok(Some((text, found))) => {
                (words.text, subroutines) = (text, Some(Arc::new(found)));
                all = tokens(&words.text);
            }
            Ok(None) => {}
        }
    }
    let redeclared = redeclared::read(&all);
    let sizes = || (stage == Stage::Geometry).then(|| geometry_inputs::check(&all)).flatten();
    // What ESSL 1.00 has of these rules is in GLSL 1.20, of which it is a part.
    let rules_version = if es { words.version.max(120) } else { words.version };
    let brackets = Pairs::of(&all);
    let fault = structures::check(&all)
        .or_else(|| redeclared.fault.clone())
        .or_else(|| block_rules::check(&all))
        .or_else(|| rules::check(&all, &brackets, rules_version))
        .or_else(|| qualifiers::check(&all, &brackets, rules_version, words.pack, words.enhanced))
        .or_else(|| arrays::check(&all, &brackets, options.limits.max_texture_coords))
        .or_else(|| constants::check(&all, rules_version));
    if let Some(fault) = fault.or_else(sizes) {
        return failed(messages + &words.message(&fault));
    }
    let mut declarations = Declarations::read(&all, stage, es);
    declarations.restore_names(&renamed);
    declarations.variable_size = variable_size;
    let sequences = match (es, words.version) {
        (false, _) => Sequences::Constants,
        (true, 100) => Sequences::Globals,
        (true, _) => Sequences::Never,
    };
    // Formats that are taken out leave every token where it was.
    let folded = |text: &[u8]| {
        let mut text = rewritten(text, &all, &brackets, words.constant_functions, sequences, words.version);
        if es {
            text.splice(0..0, version_line(words.version));
        }
        glslang::c_string(text)
    };
    let mut text = folded(&words.text);
    let mut preamble = glslang::c_string(words.preamble.clone());
    let run = |text: &CString, preamble: &CString| {
        let src = glslang::Source { text, preamble, default_version: words.default_version, es: false };
        glslang::run(stage, &[src], &options.limits, words.heavy)
    };
    let mut out = run(&text, &preamble);
    // ARB_separate_shader_objects, and so GLSL 4.10, has locations of blocks; glslang has them with the extension only.
    if !out.parsed && words.version >= 410 && log::has_only(&out.parse_log, &["location qualifier on in/out block"]) {
        preamble = glslang::c_string([words.preamble.as_str(), words::ENHANCED].concat());
        out = run(&text, &preamble);
    }
    for all_kinds in [false, true] {
        if out.parsed || !log::has_only(&out.parse_log, &["image formats must match"]) {
            break;
        }
        let mut without = words.text.clone();
        declarations.formats = image_formats::take(&mut without, &all, all_kinds);
        text = folded(&without);
        preamble = glslang::c_string([image_formats::EXTENSION, &words.preamble].concat());
        out = run(&text, &preamble);
    }
    // What glslang says of a shader alone, and the specification of a program.
    let mut of_programs = log::OF_PROGRAMS.to_vec();
    of_programs.extend((stage == Stage::TessControl).then_some(tessellation_outputs::UNSIZED));
    if !out.parsed && log::has_only(&out.parse_log, &of_programs) {
        out = glslang::Output { parsed: true, link_log: std::mem::take(&mut out.parse_log), ..out };
    }
    // GLSL 4.20 section 6.1 was the first to convert what a function returns.
    let converts = !words.pack && log::has_return_conversion(&out.parse_log);
    if converts {
        out.parse_log = log::with_return_errors(&out.parse_log);
    }
    log::append_new(&mut messages, &log::tidy(&out.parse_log, &options.extensions), &renamed);
    if !out.parsed || converts {
        return failed(messages);
    }
    // GLSL 1.30 section 7.2: one kind of colour output in a shader. glslang says so when it links.
    if out.words.is_none() && out.link_log.contains("Cannot use ") {
        let text = log::tidy(&out.link_log, &options.extensions);
        let line = Lines::of(source).of_name("gl_FragColor");
        messages.extend(text.lines().map(|l| format!("0:{line}(1): {l}\n")));
        return failed(messages);
    }
    let translated = match out.words {
        Some(spirv) => match block_rules::unsized_member(&all) {
            Some(fault) => Err(words.message(&fault)),
            None => translate(stage, &spirv, &renamed, &declarations, &options.limits),
        },
        None => Err(log::tidy(&out.link_log, &options.extensions)),
    };
    if let Ok(t) = &translated
        && !t.broken_rules.is_empty()
    {
        let lines = Lines::of(source);
        for (name, text) in &t.broken_rules {
            messages.push_str(&format!("0:{}(1): error: {text}\n", lines.of_name(name)));
        }
        return failed(messages);
    }
    let unit = CompiledUnit {
        text,
        preamble,
        default_version: words.default_version,
        version: words.version,
        es: words.es,
        all_invariant: words.all_invariant,
        shadow_functions: words.shadow_functions,
        redeclared,
        declarations,
        subroutines,
        renamed,
        translated,
    };
    (Ok(unit), messages)
}

/// The version of a source of OpenGL ES, whose lines keep their numbers.
fn version_line(version: u32) -> Vec<u8> {
    let profile = if version == 100 { "" } else { " es" };
    format!("#version {version}{profile}\n#line 1\n").into_bytes()
}

/// A text in glslang's shape.
fn rewritten(
    text: &[u8],
    all: &[tokens::Token<'_>],
    brackets: &Pairs,
    has: constant_functions::Has,
    sequences: Sequences,
    version: u32,
) -> Vec<u8> {
    let mut edits = fold::edits(all, has);
    edits.extend(spellings::edits(all, brackets, sequences, version));
    edit::edited(text, edits)
}

/// A source as the checks and the parser are to see it.
struct Preprocessed {
    text: Vec<u8>,
    version: u32,
    es: bool,
    renamed: Renamed,
}

/// Reads the directives and, where there are macros or conditions, runs the preprocessor. The second part is the log.
fn preprocess(source: &str, options: &CompileOptions) -> (Option<Preprocessed>, String) {
    let mut source = lines::join(source.trim_end_matches('\0').as_bytes());
    let mut shortened = Renamed::new();
    let mut all = tokens_and_directives(&source);
    if let Some(text) = prepass::run(&source, &all, &mut shortened) {
        source = text;
        all = tokens_and_directives(&source);
    }
    let directives::Directives {
        mut text,
        log: mut messages,
        failed,
        macros,
        mut renamed,
        version,
        es,
        preprocess,
        heavy,
        ..
    } = directives::read(&source, &all, options);
    renamed.extend(shortened);
    if failed {
        return (None, messages);
    }
    if preprocess {
        let whole = glslang::c_string(text);
        let preamble = glslang::c_string(directives::PREDEFINED.to_owned() + &macros);
        let default_version = if es { version } else { 110 };
        let source = glslang::Source { text: &whole, preamble: &preamble, default_version, es };
        let (expanded, raw) = glslang::preprocess(&source, &options.limits, heavy);
        log::append_new(&mut messages, &log::tidy(&raw, &options.extensions), &renamed);
        let Some(expanded) = expanded else { return (None, messages) };
        text = expanded;
    }
    (Some(Preprocessed { text, version, es, renamed }), messages)
}

/// Brings glslang's words into the shape the linker works on.
fn translate(
    stage: Stage,
    words: &[u32],
    renamed: &Renamed,
    declarations: &Declarations,
    limits: &Limits,
) -> Result<Translated, String> {
    let mut module = Module::parse(words).ok_or("error: translation failed\n")?;
    module.restore_names(renamed);
    passes::image_formats::run(&mut module, &declarations.formats);
    passes::subgroup_size::run(&mut module, stage);
    if declarations.variable_size {
        passes::variable_group_size::run(&mut module);
    }
    let mut declared = declared(&mut module).map_err(|fault| format!("error: {fault}\n"))?;
    declared.forget_default_bindings(&declarations.bound);
    declared.lay_blocks_out(&declarations.layouts);
    declared.describe_uniforms(&declarations.loose.precisions, &declarations.loose.sized);
    let mut broken_rules = check::run(stage, &declared, limits);
    broken_rules.extend(check::patch_size(stage, &module, limits));
    Ok(translated(module, declared, broken_rules))
}

/// Takes the blocks of a module apart and reads what it declares.
fn declared(module: &mut Module) -> Result<Interface, &'static str> {
    let io_blocks = passes::split_blocks::run(module);
    if !passes::specialize_opaque::run(module) {
        return Err("too many different samplers passed to functions");
    }
    let mut declared = Interface::collect(module);
    [declared.input_blocks, declared.output_blocks] = io_blocks;
    Ok(declared)
}

/// What is left of a module once its interface is known.
fn translated(mut module: Module, declared: Interface, broken_rules: Vec<(String, String)>) -> Translated {
    module.prune();
    let ids = module.used_ids();
    let used = module.variables().into_iter().map(|v| v.2).filter(|id| ids.contains(id)).collect();
    passes::rect::run(&mut module);
    Translated { module, declared: Arc::new(declared), used: Arc::new(used), broken_rules }
}

/// The sources of several objects of one stage as glslang is to see them together, and their subroutines.
fn merged_texts(stage: Stage, units: &[&CompiledUnit]) -> Result<(Vec<CString>, Option<Arc<Subroutines>>), String> {
    // Declared once, the primitive sizes the inputs of all objects (GLSL 1.50 section 4.3.8.1).
    let primitive = units.iter().find_map(|u| geometry_inputs::primitive(&tokens(u.text.as_bytes())));
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for unit in units {
        let mut text = redeclared::without_frag_coord_layout(unit.text.as_bytes());
        if stage == Stage::Geometry
            && let Some(primitive) = &primitive
            && geometry_inputs::primitive(&tokens(&text)).is_none()
        {
            text.extend_from_slice(format!("\nlayout({primitive}) in;\n").as_bytes());
            if let Some((_, fault)) = geometry_inputs::check(&tokens(&text)) {
                return Err(fault);
            }
        }
        texts.push(text);
    }
    initializers::check(&texts.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
    if stage == Stage::TessControl {
        tessellation_outputs::declared_in_all(&mut texts);
    }
    let own: Vec<Option<&Subroutines>> = units.iter().map(|u| u.subroutines.as_deref()).collect();
    let subroutines = dispatch::united(&own, &mut texts)?.map(Arc::new);
    Ok((texts.into_iter().map(|text| CString::new(text).unwrap_or_default()).collect(), subroutines))
}

/// The linker's view of one stage: of one shader object, or of several merged by glslang.
pub(crate) fn stage_unit(stage: Stage, shaders: &[&CompiledShader], limits: &Limits) -> Result<StageUnit, String> {
    let units = shaders.iter().filter_map(|s| s.unit.as_deref()).map(ShaderUnit::translation);
    let units: Vec<&CompiledUnit> = units.collect::<Result<_, _>>()?;
    if shaders.len() > 1 && shaders.iter().any(|s| s.is_module()) {
        return Err("a stage is made of one SPIR-V module only".into());
    }
    let mut declarations = Declarations::default();
    units.iter().try_for_each(|unit| declarations.merge(&unit.declarations))?;
    // GLSL 4.60 section 4.4.1.4: some object declares the size.
    if stage == Stage::Compute && !declarations.local_size {
        return Err("no work group size is declared".into());
    }
    // ARB_compute_variable_group_size: no object has another kind of size.
    if declarations.variable_size && units.iter().any(|u| u.declarations.local_size && !u.declarations.variable_size) {
        return Err("the size of work groups is variable in one shader and fixed in another".into());
    }
    // GLSL 4.60 section 3.3 and ESSL 3.00 section 3.3: one language, and of OpenGL ES one version.
    let language = |u: &&CompiledUnit| (u.es, if u.es { u.version } else { 0 });
    if units.windows(2).any(|pair| language(&pair[0]) != language(&pair[1])) {
        return Err(MIXED.into());
    }
    let shared = redeclared::reconcile(&units.iter().map(|u| &u.redeclared).collect::<Vec<_>>())?;
    let mut subroutines = None;
    let mut translated = match units[..] {
        [] => return Err("not compiled".into()),
        [unit] => {
            subroutines.clone_from(&unit.subroutines);
            unit.translated.clone()?
        }
        _ => {
            let texts;
            (texts, subroutines) = merged_texts(stage, &units)?;
            let sources: Vec<_> = units
                .iter()
                .zip(&texts)
                .map(|(u, text)| glslang::Source {
                    text,
                    preamble: &u.preamble,
                    default_version: u.default_version,
                    es: false,
                })
                .collect();
            let out = glslang::run(stage, &sources, limits, true);
            match out.words {
                Some(words) => {
                    let renamed = units.iter().flat_map(|u| &u.renamed);
                    let renamed = renamed.map(|(seen, written)| (seen.clone(), written.clone())).collect();
                    translate(stage, &words, &renamed, &declarations, limits)?
                }
                None => return Err(log::tidy(&format!("{}{}", out.parse_log, out.link_log), &[])),
            }
        }
    };
    if shared.frag_coord.origin_upper_left {
        translated.module.set_execution_mode(ExecutionMode::OriginUpperLeft, Some(ExecutionMode::OriginLowerLeft));
    }
    if shared.frag_coord.pixel_center_integer {
        translated.module.set_execution_mode(ExecutionMode::PixelCenterInteger, None);
    }
    Ok(StageUnit {
        stage,
        space: None,
        subroutines,
        module: translated.module,
        declared: translated.declared,
        used: translated.used,
        next_output_location: 0,
        version: units.iter().map(|u| u.version).max().unwrap_or(0),
        es: units.iter().any(|u| u.es),
        all_invariant: units.iter().any(|u| u.all_invariant),
        shadow_functions: units.iter().any(|u| u.shadow_functions),
        per_vertex: shared.per_vertex,
        colors: shared.colors,
    })
}
