//! Compile-time rules of the language that glslang leaves out, seen from the translation.

use crate::gl_type::Scalar;
use crate::link::interface::Interface;
use crate::spirv::{ExecutionMode, Module, Ty};
use crate::stage::{Limits, Stage};

/// Rules broken by a translated shader: the name at fault and the message.
pub(super) fn run(stage: Stage, declared: &Interface, limits: &Limits) -> Vec<(String, String)> {
    let mut errors = Vec::new();
    bindings(declared, limits, &mut errors);
    if stage == Stage::Fragment {
        flat_integers(declared, &mut errors);
    }
    errors
}

/// GLSL 4.60 section 4.4.6: every element of what has a binding lies below the limit of its kind. glslang looks at
/// samplers only.
fn bindings(declared: &Interface, limits: &Limits, errors: &mut Vec<(String, String)>) {
    let images = declared.uniforms.iter().filter(|u| matches!(u.ty.innermost(), Ty::Sampler(info) if info.storage));
    let images = images.map(|u| (&u.name, u.binding, u.ty.elements(), limits.max_image_units));
    let blocks = declared.blocks.iter().map(|b| {
        let limit = if b.storage { limits.max_storage_buffer_bindings } else { limits.max_uniform_buffer_bindings };
        (&b.name, b.binding, b.dims.iter().fold(1u32, |n, d| n.saturating_mul(*d)), limit)
    });
    for (name, binding, count, limit) in images.chain(blocks) {
        if binding.is_some_and(|first| first.saturating_add(count) > limit) {
            errors.push((name.clone(), format!("the binding of `{name}' is beyond the limit of {limit}")));
        }
    }
}

/// GLSL 4.60 section 4.4.2.1: output patches are no larger than gl_MaxPatchVertices.
pub(super) fn patch_size(stage: Stage, module: &Module, limits: &Limits) -> Option<(String, String)> {
    let size = module.execution_modes.iter().find(|m| m.word(1) == ExecutionMode::OutputVertices as u32)?.word(2);
    let too_large = stage == Stage::TessControl && size > limits.max_patch_vertices;
    too_large.then(|| ("vertices".into(), format!("patches of {size} vertices are larger than gl_MaxPatchVertices")))
}

/// GLSL 4.60 section 4.3.4: fragment inputs that are, or contain, integers are flat. glslang looks
/// at plain inputs, not into blocks.
fn flat_integers(declared: &Interface, errors: &mut Vec<(String, String)>) {
    for input in declared.inputs.iter().filter(|i| i.built_in.is_none() && !i.flat && !i.name.starts_with("gl_")) {
        if has_integers(&input.ty) {
            errors.push((
                input.name.clone(),
                format!(
                    "if a fragment input is (or contains) an integer, then it must be qualified with 'flat': `{}'",
                    input.name
                ),
            ));
        }
    }
}

fn has_integers(ty: &Ty) -> bool {
    match ty {
        Ty::Basic(s) => matches!(s.scalar, Scalar::Int | Scalar::Uint) || s.scalar.is_long(),
        Ty::Array(t, _) => has_integers(t),
        Ty::Struct(s) => s.members.iter().any(|m| has_integers(&m.ty)),
        _ => false,
    }
}
