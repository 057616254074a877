//! SPIR-V as a program hands it in (GL 4.6 core 7.2): a module that shader objects hold until it is specialised.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::cache::Key;
use crate::front;
use crate::program::CompiledShader;
use crate::spirv::foreign::{self, Outline};
use crate::stage::{CompileOptions, Stage};

/// A module whose header and instructions were read, and nothing else.
#[derive(Clone, Debug)]
pub struct SpirvModule {
    words: Arc<[u32]>,
    outline: Arc<Outline>,
}

/// A module with what it is specialised to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Specialization {
    pub words: Arc<[u32]>,
    pub entry: String,
    pub constants: Vec<(u32, u32)>,
}

impl SpirvModule {
    /// Reads bytes in the order of this machine. The error says why they are no module.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        if !bytes.len().is_multiple_of(4) {
            return Err("the length of the module is no multiple of four".into());
        }
        let words: Arc<[u32]> = bytes.chunks_exact(4).map(|c| u32::from_ne_bytes([c[0], c[1], c[2], c[3]])).collect();
        let outline = foreign::outline(&words)?.into();
        Ok(Self { words, outline })
    }

    /// Whether there is an entry point of a name for a stage.
    pub fn has_entry_point(&self, stage: Stage, name: &str) -> bool {
        self.outline.entry_points.iter().any(|(s, n)| *s == stage && n == name)
    }

    /// Whether there is a specialisation constant of a number.
    pub fn has_constant(&self, number: u32) -> bool {
        self.outline.constants.binary_search(&number).is_ok()
    }

    pub(crate) fn specialization(&self, entry: &str, constants: &[(u32, u32)]) -> Specialization {
        Specialization { words: Arc::clone(&self.words), entry: entry.to_owned(), constants: constants.to_vec() }
    }
}

/// Specialises a module without a cache. Safe to call from any thread, in parallel.
pub fn specialize(
    stage: Stage,
    module: &SpirvModule,
    entry: &str,
    constants: &[(u32, u32)],
    options: &CompileOptions,
) -> CompiledShader {
    let source = module.specialization(entry, constants);
    front::compile_as(Key::of_module(stage, &source, options), stage, source.into(), options)
}

/// The extensions of SPIR-V that modules may use (GL 4.6 core 22.2, SPIR_V_EXTENSIONS).
pub fn spirv_extensions(options: &CompileOptions) -> Vec<&'static str> {
    foreign::extensions(options)
}
