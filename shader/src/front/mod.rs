//! The front end: one shader source in, one SPIR-V unit out.

mod future_words;
pub(crate) mod glslang;
mod log;
mod scan;

use std::collections::HashSet;
use std::ffi::CString;
use std::sync::Arc;

use crate::link::StageUnit;
use crate::link::interface::Interface;
use crate::passes;
use crate::program::CompiledShader;
use crate::spirv::{Module, Op, for_each_id};
use crate::stage::{CompileOptions, Limits, Profile, Stage};

/// A translated shader object, before linking.
#[derive(Debug)]
pub(crate) struct CompiledUnit {
    /// The text handed to glslang, for stages made of several shader objects.
    text: CString,
    /// Macros in front of it.
    preamble: CString,
    profile: Profile,
    /// Identifiers glslang sees under another name: that name, the program's.
    renamed: Vec<(String, String)>,
    /// The translation, or why this object alone makes no stage (no `main`, a missing body).
    translated: Result<Translated, String>,
}

/// SPIR-V of a complete stage with everything the linker asks of it.
#[derive(Clone, Debug)]
struct Translated {
    module: Module,
    declared: Arc<Interface>,
    used: Arc<HashSet<u32>>,
}

/// Longest source accepted, in bytes.
const MAX_SOURCE: usize = 8 << 20;

/// Compiles one shader object. Safe to call from any thread, in parallel.
pub fn compile(stage: Stage, source: &str, options: &CompileOptions) -> CompiledShader {
    let failed = |log: String| CompiledShader { stage, ok: false, log, unit: None };
    if source.len() > MAX_SOURCE {
        return failed("0:1(1): error: shader source is too long\n".into());
    }
    let scanned = scan::scan(source, stage, options);
    if scanned.failed {
        return failed(scanned.log);
    }
    let text = glslang::c_string(scanned.text);
    let preamble = glslang::c_string(scanned.preamble);
    let src = glslang::Source { text: &text, preamble: &preamble };
    let out = glslang::run(stage, &[src], &options.limits, options.profile, scanned.heavy);
    let mut messages = scanned.log;
    messages.push_str(&log::tidy(&out.parse_log, &options.extensions));
    for (seen, written) in &scanned.renamed {
        messages = messages.replace(seen, written);
    }
    if !out.parsed {
        return failed(messages);
    }
    let translated = match out.words {
        Some(words) => translate(&words, &scanned.renamed),
        None => Err(log::tidy(&out.link_log, &options.extensions)),
    };
    let unit = CompiledUnit { text, preamble, profile: options.profile, renamed: scanned.renamed, translated };
    CompiledShader { stage, ok: true, log: messages, unit: Some(Arc::new(unit)) }
}

/// Brings glslang's words into the shape the linker works on.
fn translate(words: &[u32], renamed: &[(String, String)]) -> Result<Translated, String> {
    let mut module = Module::parse(words).ok_or("error: translation failed\n")?;
    module.restore_names(renamed);
    passes::split_blocks::run(&mut module);
    if !passes::specialize_opaque::run(&mut module) {
        return Err("error: too many different samplers passed to functions\n".into());
    }
    let declared = Arc::new(Interface::collect(&module));
    module.prune();
    let mut used = HashSet::new();
    let globals: HashSet<u32> = module.globals.iter().filter(|g| g.op == Op::Variable).map(|g| g.word(1)).collect();
    for inst in module.functions.iter().flat_map(|f| &f.insts) {
        for_each_id(inst, |id| {
            if globals.contains(&id) {
                used.insert(id);
            }
        });
    }
    passes::rect::run(&mut module);
    Ok(Translated { module, declared, used: Arc::new(used) })
}

/// The linker's view of one stage: of one shader object, or of several merged by glslang.
pub(crate) fn stage_unit(stage: Stage, shaders: &[&CompiledShader], limits: &Limits) -> Result<StageUnit, String> {
    let units: Vec<&CompiledUnit> = shaders.iter().filter_map(|s| s.unit.as_deref()).collect();
    let translated = match units[..] {
        [] => return Err("not compiled".into()),
        [unit] => unit.translated.clone()?,
        _ => {
            let sources: Vec<_> =
                units.iter().map(|u| glslang::Source { text: &u.text, preamble: &u.preamble }).collect();
            let out = glslang::run(stage, &sources, limits, units[0].profile, true);
            match out.words {
                Some(words) => {
                    let renamed: Vec<_> = units.iter().flat_map(|u| u.renamed.iter().cloned()).collect();
                    translate(&words, &renamed)?
                }
                None => return Err(log::tidy(&format!("{}{}", out.parse_log, out.link_log), &[])),
            }
        }
    };
    Ok(StageUnit {
        stage,
        module: translated.module,
        declared: translated.declared,
        used: translated.used,
        next_output_location: 0,
    })
}
