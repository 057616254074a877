//! Compile-time rules of the language that glslang leaves out, seen from the translation.

use crate::gl_type::Scalar;
use crate::link::interface::Interface;
use crate::spirv::Ty;
use crate::stage::Stage;

/// Rules broken by a translated shader: the name at fault and the message.
pub(super) fn run(stage: Stage, declared: &Interface) -> Vec<(String, String)> {
    let mut errors = Vec::new();
    if stage == Stage::Fragment {
        flat_integers(declared, &mut errors);
    }
    errors
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
        Ty::Basic(s) => matches!(s.scalar, Scalar::Int | Scalar::Uint | Scalar::Double),
        Ty::Array(t, _) => has_integers(t),
        Ty::Struct(s) => s.members.iter().any(|m| has_integers(&m.ty)),
        _ => false,
    }
}
