//! Texture functions whose names carry the kind of texture. GLSL 1.30 deprecated and GLSL 4.20
//! removed them; until then drivers have them in every profile.

/// True for such a function.
pub(super) fn is_legacy(word: &[u8]) -> bool {
    let kinds: &[&[u8]] = match word.first() {
        Some(b't') => &[b"texture1D", b"texture2D", b"texture3D", b"textureCube"],
        Some(b's') => &[b"shadow1D", b"shadow2D"],
        _ => return false,
    };
    kinds.iter().any(|kind| word.starts_with(kind))
}

/// True for a texture function of GLSL 1.30: before, it is a name like others.
pub(super) fn is_later(word: &[u8]) -> bool {
    let Some(rest) = word.strip_prefix(b"texture") else { return matches!(word, b"texelFetch" | b"texelFetchOffset") };
    let rest = rest.strip_prefix(b"Proj").unwrap_or(rest);
    matches!(rest, b"" | b"Lod" | b"Offset" | b"LodOffset" | b"Grad" | b"GradOffset" | b"Size")
}

/// Those of EXT_texture_array: glslang declares them, but maps them to nothing.
pub(super) const ARRAYS: &str = "#define texture1DArray texture\n\
     #define texture1DArrayLod textureLod\n\
     #define texture2DArray texture\n\
     #define texture2DArrayLod textureLod\n\
     #define shadow1DArray(s, c) vec4(texture(s, c))\n\
     #define shadow1DArrayLod(s, c, l) vec4(textureLod(s, c, l))\n\
     #define shadow2DArray(s, c) vec4(texture(s, c))\n";

#[cfg(test)]
mod tests {
    use super::{is_later, is_legacy};

    #[test]
    fn names() {
        for old in ["texture2D", "texture2DRectProj", "textureCubeLod", "shadow1DProj", "texture3DGradARB"] {
            assert!(is_legacy(old.as_bytes()), "{old}");
        }
        for new in ["texture", "textureProj", "shadow", "sampler2D", "texture4D", "myTexture2D"] {
            assert!(!is_legacy(new.as_bytes()), "{new}");
        }
        for later in ["texture", "textureProjLodOffset", "textureSize", "texelFetch"] {
            assert!(is_later(later.as_bytes()) && !is_later(b"texture2D"), "{later}");
        }
    }
}
