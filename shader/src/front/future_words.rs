//! Type keywords of later GLSL versions and of extensions we don't offer. In older versions they are
//! ordinary identifiers, but glslang's scanner returns them without looking their symbol up, and
//! the parser then follows whatever pointer the token held before. They are renamed, with equal
//! length, before glslang sees them, and named back in messages and in the interface.

/// Type keywords of later versions that an extension has brought.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Brought {
    /// Array and unsigned kinds of samplers, unsigned integers.
    pub texture_array: bool,
    /// Matrices of doubles.
    pub double: bool,
    /// Integers of 64 bits and their vectors.
    pub int64: bool,
    /// Samplers of arrays of cubes.
    pub cube_array: bool,
    /// Images.
    pub images: bool,
    /// Samplers of several samples.
    pub multisample: bool,
}

/// True when `word` is a type keyword to glslang but an identifier in version `version` with the extensions asked for.
pub(super) fn is_future_type(word: &[u8], version: u32, brought: Brought) -> bool {
    let Ok(word) = std::str::from_utf8(word) else { return false };
    if sized_type(word) {
        return !(brought.int64 && is_int64(word));
    }
    let bare = word.strip_prefix(['i', 'u']).unwrap_or(word);
    // The plain kind begins with the letter that marks the signed one.
    if let Some(shape) = word.strip_prefix("image").or_else(|| bare.strip_prefix("image")) {
        return version < 420
            && !brought.images
            && image_shape(shape)
            && (version < 130 || shape.contains("MS") || shape == "CubeArray");
    }
    if let Some(shape) = word.strip_prefix("mat").or(word.strip_prefix("dmat")) {
        let pair = matches!(shape.as_bytes(), [b'2'..=b'4', b'x', b'2'..=b'4']);
        let square = matches!(shape, "2" | "3" | "4");
        return if word.starts_with('d') {
            version < 400 && !brought.double && (pair || square)
        } else {
            version < 120 && pair
        };
    }
    if let Some(shape) = bare.strip_prefix("sampler") {
        let typed = bare.len() != word.len();
        let since = match shape {
            "1D" | "2D" | "3D" | "Cube" if typed => 130,
            "1DArray" | "2DArray" | "1DArrayShadow" | "2DArrayShadow" | "CubeShadow" => 130,
            // GLSL 1.30 reserves the name.
            "Buffer" => 130,
            "2DRect" if typed => 140,
            "2DMS" | "2DMSArray" if !brought.multisample => 150,
            "CubeArray" | "CubeArrayShadow" if !brought.cube_array => 400,
            _ => 0,
        };
        return version < since && !brought.texture_array;
    }
    matches!(word, "uint" | "uvec2" | "uvec3" | "uvec4") && version < 130 && !brought.texture_array
        || word == "samplerExternalOES"
        || word == "__samplerExternal2DY2YEXT"
}

/// True for type keywords that glslang takes from no version of OpenGL ES but from extensions.
pub(super) fn is_foreign_to_es(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(sized_type)
        || word == b"samplerExternalOES"
        || word == b"__samplerExternal2DY2YEXT"
}

/// Words that aren't types: the version from which each is a keyword to glslang, and that from which it is one of GLSL's.
const QUALIFIERS: &[(&str, u32, u32)] = &[
    ("smooth", 130, 130),
    ("flat", 130, 130),
    ("noperspective", 130, 130),
    // Before, a name of a layout and nothing else.
    ("shared", 140, 430),
    ("patch", 400, 400),
    ("sample", 400, 400),
    ("precise", 400, 400),
    ("subroutine", 400, 400),
    ("coherent", 420, 420),
    ("restrict", 420, 420),
    ("readonly", 420, 420),
    ("writeonly", 420, 420),
    ("resource", 420, 420),
    ("buffer", 430, 430),
];

/// True for a keyword of the version that glslang is shown that is a name in the source's own.
pub(super) fn is_future_qualifier(word: &[u8], version: u32, shown: u32) -> bool {
    QUALIFIERS.iter().any(|(name, seen, since)| name.as_bytes() == word && version < *since && shown >= *seen)
}

fn image_shape(shape: &str) -> bool {
    matches!(
        shape,
        "1D" | "2D" | "3D" | "Cube" | "2DRect" | "Buffer" | "1DArray" | "2DArray" | "CubeArray" | "2DMS" | "2DMSArray"
    )
}

/// What ARB_gpu_shader_int64 has.
fn is_int64(word: &str) -> bool {
    matches!(word, "int64_t" | "uint64_t") || matches!(word.as_bytes(), [b'i' | b'u', b'6', b'4', b'v', b'e', b'c', _])
}

/// Explicitly sized scalars, vectors, matrices and images.
fn sized_type(word: &str) -> bool {
    if let Some(head) = word.strip_suffix("_t") {
        return matches!(head, "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64")
            || (head.starts_with("float") || head.starts_with("bfloat"))
                && head.ends_with(|c: char| c.is_ascii_digit());
    }
    let Some(rest) = word.strip_prefix(['i', 'u', 'f', 'b']) else { return false };
    if let Some(shape) = rest.strip_prefix("64image") {
        return image_shape(shape);
    }
    let Some(at) = rest.find("vec").or_else(|| rest.find("mat")) else { return false };
    let (size, shape) = (&rest[..at], &rest[at + 3..]);
    let sized = size.contains(|c: char| c.is_ascii_digit()) || size == "mxint8";
    sized && matches!(shape.as_bytes(), [b'2'..=b'4'] | [b'2'..=b'4', b'x', b'2'..=b'4'])
}

/// Renames in place; the first letter becomes one that starts no keyword.
pub(super) fn rename(word: &mut [u8]) {
    if let Some(first) = word.first_mut() {
        *first = b'Z';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Brought = Brought {
        texture_array: false,
        double: false,
        int64: false,
        cube_array: false,
        images: false,
        multisample: false,
    };

    #[test]
    fn keywords_by_version() {
        assert!(is_future_type(b"mat2x3", 110, NONE));
        assert!(!is_future_type(b"mat2x3", 120, NONE));
        assert!(is_future_type(b"uint", 120, NONE));
        assert!(!is_future_type(b"uint", 130, NONE));
        assert!(is_future_type(b"image2D", 120, NONE));
        assert!(!is_future_type(b"image2D", 330, NONE), "reserved there: glslang's own error");
        assert!(is_future_type(b"f16mat2x3", 330, NONE) && is_future_type(b"int64_t", 330, NONE));
        assert!(!is_future_type(b"sampler2DArray", 120, Brought { texture_array: true, ..NONE }));
        assert!(is_future_type(b"dmat3x2", 330, NONE));
        assert!(!is_future_type(b"dmat3x2", 330, Brought { double: true, ..NONE }));
        let int64 = Brought { int64: true, ..NONE };
        assert!(!is_future_type(b"u64vec3", 400, int64) && !is_future_type(b"int64_t", 400, int64));
        assert!(is_future_type(b"i32vec3", 400, int64) && is_future_type(b"f64vec3", 400, int64));
        assert!(is_future_type(b"isamplerCubeArray", 330, NONE));
        assert!(!is_future_type(b"isamplerCubeArray", 330, Brought { cube_array: true, ..NONE }));
        for plain in ["f", "i2", "vec3", "mat4", "float", "sampler2D", "sampler2DRect", "images", "uv", "unvec2", "b"] {
            assert!(!is_future_type(plain.as_bytes(), 110, NONE), "{plain}");
        }
    }
}
