//! Formats of images taken out of a source, for shaders that pass an image with a format to a parameter without one.
//! GLSL 4.60 section 4.10 lets them, glslang doesn't. The formats are put back into the translation.

use std::collections::HashMap;

use super::edit::blank;
use super::tokens::Token;
use spirv::ImageFormat;

/// Lets glslang take images without a format, in front of the source.
pub(super) const EXTENSION: &str = "#extension GL_EXT_shader_image_load_formatted : enable\n";

/// SPIR-V's number of a format by its layout qualifier (GLSL 4.60 section 4.4.7).
fn format(word: &[u8]) -> Option<ImageFormat> {
    use ImageFormat::*;
    Some(match word {
        b"rgba32f" => Rgba32f,
        b"rgba16f" => Rgba16f,
        b"rg32f" => Rg32f,
        b"rg16f" => Rg16f,
        b"r11f_g11f_b10f" => R11fG11fB10f,
        b"r32f" => R32f,
        b"r16f" => R16f,
        b"rgba16" => Rgba16,
        b"rgb10_a2" => Rgb10A2,
        b"rgba8" => Rgba8,
        b"rg16" => Rg16,
        b"rg8" => Rg8,
        b"r16" => R16,
        b"r8" => R8,
        b"rgba16_snorm" => Rgba16Snorm,
        b"rgba8_snorm" => Rgba8Snorm,
        b"rg16_snorm" => Rg16Snorm,
        b"rg8_snorm" => Rg8Snorm,
        b"r16_snorm" => R16Snorm,
        b"r8_snorm" => R8Snorm,
        b"rgba32i" => Rgba32i,
        b"rgba16i" => Rgba16i,
        b"rgba8i" => Rgba8i,
        b"rg32i" => Rg32i,
        b"rg16i" => Rg16i,
        b"rg8i" => Rg8i,
        b"r32i" => R32i,
        b"r16i" => R16i,
        b"r8i" => R8i,
        b"rgba32ui" => Rgba32ui,
        b"rgba16ui" => Rgba16ui,
        b"rgb10_a2ui" => Rgb10a2ui,
        b"rgba8ui" => Rgba8ui,
        b"rg32ui" => Rg32ui,
        b"rg16ui" => Rg16ui,
        b"rg8ui" => Rg8ui,
        b"r32ui" => R32ui,
        b"r16ui" => R16ui,
        b"r8ui" => R8ui,
        _ => return None,
    })
}

/// Blanks the formats of image declarations; the answer is the format of each name. `all_kinds` takes those formats too
/// that atomic operations need to see.
pub(super) fn take(source: &mut [u8], all: &[Token<'_>], all_kinds: bool) -> HashMap<String, u32> {
    let mut taken = HashMap::new();
    let mut start = 0;
    for (i, t) in all.iter().enumerate() {
        if matches!(t.text, b";" | b"{" | b"}") {
            statement(source, &all[start..=i], all_kinds, &mut taken);
            start = i + 1;
        }
    }
    taken
}

fn statement(source: &mut [u8], tokens: &[Token<'_>], all_kinds: bool, taken: &mut HashMap<String, u32>) {
    let is_image = |t: &Token<'_>| {
        let word = t.text.strip_prefix(b"i").or(t.text.strip_prefix(b"u")).unwrap_or(t.text);
        word.starts_with(b"mage") || word.starts_with(b"image")
    };
    let Some(ty) = tokens.iter().position(is_image) else { return };
    let Some(open) = tokens.iter().position(|t| t.is("layout")).map(|at| at + 1) else { return };
    let Some(close) = tokens.iter().position(|t| t.is(")")).filter(|close| *close > open) else { return };
    let Some(at) = (open..close).find(|i| format(tokens[*i].text).is_some()) else { return };
    let Some(found) = format(tokens[at].text) else { return };
    if !all_kinds && matches!(found, ImageFormat::R32i | ImageFormat::R32ui) {
        return;
    }
    let (first, last) = if at + 1 == close && at == open + 1 {
        (open - 1, close)
    } else if tokens[at + 1].is(",") {
        (at, at + 1)
    } else {
        (at - 1, at)
    };
    blank(&mut source[tokens[first].at..tokens[last].at + tokens[last].text.len()]);
    let mut nesting = 0i32;
    for pair in tokens[ty + 1..].windows(2) {
        nesting += match pair[0].text {
            b"(" | b"[" => 1,
            b")" | b"]" => -1,
            _ => 0,
        };
        if nesting == 0 && pair[0].is_word() {
            taken.insert(pair[0].name(), found as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn formats_are_taken_out() {
        let text = b"layout(rgba8) uniform image2D a;\nlayout(binding = 1, r8ui) uniform uimage3D b[2], c;\n\
            layout(r32ui, binding = 2) uniform uimage2D d;";
        let mut source = text.to_vec();
        let taken = take(&mut source, &tokens(text), false);
        let words: Vec<String> = tokens(&source).iter().map(Token::name).collect();
        assert!(words.starts_with(&["uniform".into(), "image2D".into(), "a".into()]));
        assert!(words.contains(&"r32ui".to_owned()) && !words.contains(&"r8ui".to_owned()));
        assert_eq!(taken.get("c"), Some(&(ImageFormat::R8ui as u32)));
        assert_eq!(taken.get("a"), Some(&(ImageFormat::Rgba8 as u32)));
        assert_eq!(take(&mut source, &tokens(text), true).len(), 4);
    }
}
