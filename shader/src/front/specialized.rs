//! A shader object that is a module of SPIR-V: checked, specialised, and in the shape of a translation.

use std::ffi::CString;

use super::declarations::Declarations;
use super::{CompiledUnit, Redeclared, check, declared, translated};
use crate::spirv::foreign;
use crate::spirv_binary::Specialization;
use crate::stage::{CompileOptions, Stage};

/// The language version that rules of the linker go by: those of today.
const VERSION: u32 = 460;

/// Makes a unit of a module.
pub(super) fn unit(stage: Stage, source: &Specialization, options: &CompileOptions) -> Result<CompiledUnit, String> {
    let mut module = foreign::specialize(&source.words, stage, &source.entry, &source.constants, options)?;
    let mut declared = declared(&mut module)?;
    declared.part_outputs(&mut module, stage);
    declared.lay_out(&module)?;
    if let Some((_, fault)) = check::run(stage, &declared, &options.limits).into_iter().next() {
        return Err(fault);
    }
    Ok(CompiledUnit {
        text: CString::default(),
        preamble: CString::default(),
        default_version: VERSION,
        version: VERSION,
        es: false,
        all_invariant: false,
        redeclared: Redeclared::default(),
        declarations: Declarations::with_local_size(),
        subroutines: None,
        shadow_functions: false,
        renamed: Default::default(),
        translated: Ok(translated(module, declared, Vec::new())),
    })
}
