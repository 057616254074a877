//! Modules that programs hand in (GL 4.6 core 7.2 and appendix C): read, specialised, checked, and brought into the shape
//! that the front end's own modules have.
//!
//! Nothing of such a module is trusted. [`reader`] takes the words apart, [`globals`] knows its types and constants and puts
//! in the values of specialisation constants, [`interface`] looks at decorations and variables, [`structure`] at the
//! flow of each function, [`code`] and its neighbours at every instruction. What comes through is a valid module: an
//! instruction that no rule here covers is refused. [`normalise`] then gives it the names and forms that the linker
//! works on.

pub(crate) mod blocks;
mod built_ins;
mod capabilities;
mod code;
mod compute;
mod extended;
mod fold;
mod globals;
mod images;
mod interface;
mod memory;
mod modes;
mod normalise;
mod reader;
mod structure;
mod types;

use spirv::ExecutionModel;

use super::module::Module;
use crate::stage::{CompileOptions, Stage};

pub use capabilities::extensions;

/// A rule kept, or the one broken in words.
type Check<T = ()> = Result<T, String>;

/// Ends a check with a message.
macro_rules! refuse {
    ($($text:tt)*) => { return Err(format!($($text)*)) };
}
use refuse;

/// What is told of a module before one of its entry points is chosen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// Stages with the names of their entry points.
    pub entry_points: Vec<(Stage, String)>,
    /// Numbers of specialisation constants, in order.
    pub constants: Vec<u32>,
}

/// The stage of an execution model.
fn stage_of(model: u32) -> Option<Stage> {
    Some(match ExecutionModel::from_u32(model)? {
        ExecutionModel::Vertex => Stage::Vertex,
        ExecutionModel::TessellationControl => Stage::TessControl,
        ExecutionModel::TessellationEvaluation => Stage::TessEvaluation,
        ExecutionModel::Geometry => Stage::Geometry,
        ExecutionModel::Fragment => Stage::Fragment,
        ExecutionModel::GLCompute => Stage::Compute,
        _ => return None,
    })
}

/// Reads what can be told at once; the error says why the words are no module at all.
pub(crate) fn outline(words: &[u32]) -> Check<Outline> {
    reader::outline(words)
}

/// Specialises an entry point and checks everything it reaches.
pub(crate) fn specialize(
    words: &[u32],
    stage: Stage,
    entry: &str,
    constants: &[(u32, u32)],
    options: &CompileOptions,
) -> Check<Module> {
    let mut module = reader::read(words, options)?;
    reader::choose_entry(&mut module, stage, entry)?;
    let mut required = capabilities::Required::new(options);
    let globals = globals::Globals::build(&mut module, stage, constants, &mut required)?;
    code::keep_reachable(&mut module)?;
    let roles = interface::check(&mut module, &globals, stage, &mut required)?;
    code::check(&mut module, &globals, &roles, stage, &mut required)?;
    normalise::run(&mut module, &globals, &roles, stage, &required)?;
    Ok(module)
}
