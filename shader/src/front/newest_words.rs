//! Names that GLSL 4.50 and 4.60 brought (ARB_cull_distance, ARB_derivative_control, ARB_ES3_1_compatibility,
//! ARB_shader_texture_image_samples; ARB_shader_atomic_counter_ops, ARB_shader_draw_parameters, ARB_shader_group_vote).

const NAMES: &[&str] = &[
    "allInvocations",
    "allInvocationsEqual",
    "anyInvocation",
    "dFdxCoarse",
    "dFdxFine",
    "dFdyCoarse",
    "dFdyFine",
    "fwidthCoarse",
    "fwidthFine",
    "gl_BaseInstance",
    "gl_BaseVertex",
    "gl_CullDistance",
    "gl_DrawID",
    "gl_HelperInvocation",
    "gl_MaxCombinedClipAndCullDistances",
    "gl_MaxCullDistances",
    "gl_MaxSamples",
    "imageAtomicExchange",
    "imageSamples",
    "textureSamples",
];

/// Operations on atomic counters; those before GLSL 4.60 are `atomicCounter`, `..Increment` and `..Decrement`.
const COUNTERS: &[&str] = &["Add", "Subtract", "Min", "Max", "And", "Or", "Xor", "Exchange", "CompSwap"];

/// Whether a name, or a signature of it, is of GLSL 4.50 or 4.60.
pub(super) fn is_newest(word: &[u8]) -> bool {
    let Ok(word) = std::str::from_utf8(word) else { return false };
    NAMES.binary_search(&word).is_ok()
        || word.strip_prefix("atomicCounter").is_some_and(|what| COUNTERS.contains(&what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_for_the_search() {
        assert!(NAMES.is_sorted());
        assert!(is_newest(b"gl_DrawID") && is_newest(b"atomicCounterMin") && !is_newest(b"atomicCounterIncrement"));
    }
}
