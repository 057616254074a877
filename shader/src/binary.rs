//! Linked programs as bytes that a program keeps and hands back (GL 4.6 core 7.5).
//!
//! A binary is the archive of [`LinkedProgram`], and for programs that other state or other programs may have linked
//! anew everything the link looked at. It is good for the build and the context options that wrote it.

use serde::{Deserialize, Serialize};

use crate::cache::{Key, frame};
use crate::front::{ShaderUnit, Source};
use crate::program::{CompiledShader, FragDataBinding, LinkInput, LinkedProgram, XfbMode};
use crate::stage::{CompileOptions, Stage};

const MAGIC: &[u8; 8] = b"GLLTPB01";

/// What a program was linked from.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Attached shaders, in order of attachment.
    pub shaders: Vec<CompiledShader>,
    /// `glBindAttribLocation` pairs.
    pub attribute_bindings: Vec<(String, u32)>,
    /// `glBindFragDataLocation(Indexed)` entries.
    pub frag_data_bindings: Vec<FragDataBinding>,
    /// `glTransformFeedbackVaryings` names.
    pub xfb_varyings: Vec<String>,
    /// `glTransformFeedbackVaryings` mode.
    pub xfb_mode: XfbMode,
    /// PROGRAM_SEPARABLE.
    pub separable: bool,
}

#[derive(Serialize, Deserialize)]
struct SavedInputs {
    shaders: Vec<(u8, Source)>,
    attribute_bindings: Vec<(String, u32)>,
    frag_data_bindings: Vec<FragDataBinding>,
    xfb_varyings: Vec<String>,
    xfb_mode: XfbMode,
    separable: bool,
}

/// Writes a program, with `inputs` when it may be linked anew.
pub fn write(program: &LinkedProgram, inputs: Option<&LinkInput<'_>>, options: &CompileOptions) -> Vec<u8> {
    let saved = inputs.map(|inputs| SavedInputs {
        shaders: inputs
            .shaders
            .iter()
            .filter_map(|s| s.unit.as_ref().map(|u| (s.stage as u8, u.source().clone())))
            .collect(),
        attribute_bindings: inputs.attribute_bindings.to_vec(),
        frag_data_bindings: inputs.frag_data_bindings.to_vec(),
        xfb_varyings: inputs.xfb_varyings.to_vec(),
        xfb_mode: inputs.xfb_mode,
        separable: inputs.separable,
    });
    // Nothing in it is of a kind that can't be written.
    let content = postcard::to_stdvec(&(Key::of_environment(options), program, saved)).unwrap_or_default();
    frame::framed(MAGIC, &content)
}

/// Reads what [`write`] wrote. None when the bytes are damaged, or come from another build or a context that offers
/// something else.
pub fn read(bytes: &[u8], options: &CompileOptions) -> Option<(LinkedProgram, Option<Inputs>)> {
    let content = frame::content(MAGIC, bytes)?;
    // The environment stands first: what another build wrote behind it may have any form.
    let (environment, rest) = postcard::take_from_bytes::<Key>(content).ok()?;
    if environment != Key::of_environment(options) {
        return None;
    }
    let (program, saved) = postcard::from_bytes::<(LinkedProgram, Option<SavedInputs>)>(rest).ok()?;
    let inputs = match saved {
        None => None,
        Some(saved) => {
            let shader = |(stage, source): (u8, Source)| {
                let stage = *Stage::ALL.get(usize::from(stage))?;
                let key = match &source {
                    Source::Text(text) => Key::of_shader(stage, text, options),
                    Source::Module(module) => Key::of_module(stage, module, options),
                };
                let unit = ShaderUnit::known(key, stage, source, options).into();
                Some(CompiledShader { stage, ok: true, log: String::new(), unit: Some(unit) })
            };
            Some(Inputs {
                shaders: saved.shaders.into_iter().map(shader).collect::<Option<_>>()?,
                attribute_bindings: saved.attribute_bindings,
                frag_data_bindings: saved.frag_data_bindings,
                xfb_varyings: saved.xfb_varyings,
                xfb_mode: saved.xfb_mode,
                separable: saved.separable,
            })
        }
    };
    Some((program, inputs))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERTEX: &str = "#version 330 core\nin vec4 p; uniform vec4 u; void main() { gl_Position = p + u; }";
    const FRAGMENT: &str = "#version 330 core\nout vec4 c; void main() { c = vec4(1.0); }";

    fn written(options: &CompileOptions, with_inputs: bool) -> Vec<u8> {
        let shaders =
            [(Stage::Vertex, VERTEX), (Stage::Fragment, FRAGMENT)].map(|(s, t)| crate::compile(s, t, options));
        let bindings = [("p".to_owned(), 3)];
        let input = LinkInput {
            shaders: &shaders,
            attribute_bindings: &bindings,
            limits: options.limits.clone(),
            ..LinkInput::default()
        };
        let program = crate::link(&input).program.expect("links");
        write(&program, with_inputs.then_some(&input), options)
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let options = CompileOptions::default();
        let (program, inputs) = read(&written(&options, true), &options).expect("is whole");
        assert_eq!(program.reflection.attributes[0].location, 3);
        let inputs = inputs.expect("came along");
        let again = crate::link(&LinkInput {
            shaders: &inputs.shaders,
            attribute_bindings: &inputs.attribute_bindings,
            limits: options.limits.clone(),
            ..LinkInput::default()
        });
        assert_eq!(again.program.expect("links again").stages, program.stages);
        let small = written(&options, false);
        assert!(read(&small, &options).expect("is whole").1.is_none());
    }

    #[test]
    fn damaged_and_foreign_ones_are_refused() {
        let options = CompileOptions::default();
        let whole = written(&options, true);
        for length in 0..whole.len() {
            assert!(read(&whole[..length], &options).is_none(), "{length} of {} bytes", whole.len());
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert!(read(&damaged, &options).is_none(), "byte {at}");
        }
        let other = CompileOptions { extensions: ["GL_ARB_gpu_shader5".to_owned()].into(), ..options };
        assert!(read(&whole, &other).is_none());
    }
}
