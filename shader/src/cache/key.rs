//! What a cached result stands for.

use std::hash::{Hash, Hasher};

use crate::program::LinkInput;
use crate::spirv_binary::Specialization;
use crate::stage::{CompileOptions, Stage};

/// The identity of a compile or a link: a hash of everything that decides its outcome, this build included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub(crate) struct Key([u8; 32]);

impl Key {
    /// A compile.
    pub fn of_shader(stage: Stage, source: &str, options: &CompileOptions) -> Self {
        Self::of(b"shader", |state| {
            stage.hash(state);
            source.hash(state);
            options.hash(state);
        })
    }

    /// A module that is specialised.
    pub fn of_module(stage: Stage, source: &Specialization, options: &CompileOptions) -> Self {
        Self::of(b"module", |state| {
            stage.hash(state);
            source.hash(state);
            options.hash(state);
        })
    }

    /// A link. None when it cannot succeed, since a shader is missing or did not compile.
    pub fn of_program(input: &LinkInput<'_>) -> Option<Self> {
        let shaders: Option<Vec<Key>> = input.shaders.iter().map(|s| Some(s.unit.as_deref()?.key)).collect();
        let shaders = shaders?;
        // Destructured, so that a new input cannot be forgotten here.
        let LinkInput {
            shaders: _,
            spaces,
            attribute_bindings,
            frag_data_bindings,
            xfb_varyings,
            xfb_mode,
            separable,
            completed,
            limits,
            legacy,
            named,
        } = input;
        Some(Self::of(b"program", |state| {
            shaders.hash(state);
            spaces.hash(state);
            attribute_bindings.hash(state);
            frag_data_bindings.hash(state);
            xfb_varyings.hash(state);
            xfb_mode.hash(state);
            separable.hash(state);
            completed.hash(state);
            limits.hash(state);
            legacy.hash(state);
            named.hash(state);
        }))
    }

    /// What the code of a program depends on besides what it is made of: this build and what the context offers.
    pub fn of_environment(options: &CompileOptions) -> Self {
        Self::of(b"environment", |state| options.hash(state))
    }

    fn of(kind: &[u8], feed: impl FnOnce(&mut Feed)) -> Self {
        let mut state = Feed(blake3::Hasher::new());
        state.write(env!("GALLITE_SHADER_BUILD").as_bytes());
        state.write(kind);
        feed(&mut state);
        Self(*state.0.finalize().as_bytes())
    }

    /// The name of its file: 64 hexadecimal digits.
    pub fn file_name(&self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }
}

/// Hands what `derive(Hash)` feeds to a hash that does not collide. Slices carry their lengths, and strings end in a
/// byte that no text has, so two different inputs never feed the same bytes.
struct Feed(blake3::Hasher);

impl Hasher for Feed {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Not used; the whole hash is.
    fn finish(&self) -> u64 {
        0
    }
}
