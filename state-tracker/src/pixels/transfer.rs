//! Whole images between client memory and a pipe format.

use super::client::{ClientFormat, ClientKind};
use super::convert::{Conversion, Overflow, Source};
use super::internal::{Base, fetch_map, store_map};
use super::layout::{DEPTH, STENCIL, TexelLayout};
use super::store::{Extent, MemoryLayout};
use gallite_pipe::{ChannelKind, Format};

/// Follows a texel's components through a first map, then a second.
fn compose(first: [Source; 4], second: [Source; 4]) -> [Source; 4] {
    second.map(|s| match s {
        Source::Slot(slot) => first[usize::from(slot)],
        other => other,
    })
}

fn overflow(kind: ClientKind) -> Overflow {
    match kind {
        ClientKind::Stencil | ClientKind::DepthStencil => Overflow::Mask,
        _ => Overflow::Clamp,
    }
}

/// Prepares client texels to `format`, which stands for a base internal format.
#[must_use]
pub fn upload(client: &ClientFormat, base: Base, format: Format) -> Conversion {
    let map =
        if base.is_color() { compose(client.to_rgba(), store_map(base, format)) } else { depth_stencil_map(client) };
    Conversion::new(client.layout, TexelLayout::of(format), map, overflow(client.kind))
}

/// Prepares texels of `format`, which stands for a base internal format, to client texels.
// GL 4.6 core 18.2.6 and compatibility 18.2.6: luminance is the sum of red, green and blue.
#[must_use]
pub fn download(client: &ClientFormat, base: Base, format: Format) -> Conversion {
    let map = if base.is_color() {
        let mut map = fetch_map(base, format);
        if client.is_luminance() && !matches!((map[1], map[2]), (Source::Zero, Source::Zero)) {
            map[0] = Source::Sum;
        }
        map
    } else {
        depth_stencil_map(client)
    };
    Conversion::new(TexelLayout::of(format), client.layout, map, overflow(client.kind))
}

fn depth_stencil_map(client: &ClientFormat) -> [Source; 4] {
    let has = |slot: usize| client.layout.channels[slot].kind != ChannelKind::None;
    let source = |slot: usize| if has(slot) { Source::Slot(slot as u8) } else { Source::Zero };
    [source(DEPTH), source(STENCIL), Source::Zero, Source::Zero]
}

/// Reverses the bytes of each element.
pub fn swap_elements(row: &mut [u8], element_bytes: u8) {
    if element_bytes > 1 {
        row.chunks_exact_mut(usize::from(element_bytes)).for_each(<[u8]>::reverse);
    }
}

/// Where an image's bytes are when the driver can take them as they lie.
#[must_use]
pub fn is_direct(conversion: &Conversion, client: &ClientFormat, swap_bytes: bool) -> bool {
    conversion.is_copy() && !(swap_bytes && client.element_bytes > 1)
}

/// Converts a client image to tightly packed texels of the destination. `data` starts at the program's pointer and holds
/// at least `place.end` bytes; rows outside it read as zero.
#[must_use]
pub fn unpack_image(
    conversion: &Conversion,
    client: &ClientFormat,
    swap_bytes: bool,
    place: &MemoryLayout,
    extent: Extent,
    texel_bytes: u32,
    data: &[u8],
) -> Vec<u8> {
    let row_out = extent[0] as usize * texel_bytes as usize;
    let mut out = vec![0; row_out * extent[1] as usize * extent[2] as usize];
    if row_out == 0 {
        return out;
    }
    let swap = swap_bytes && client.element_bytes > 1;
    let mut scratch = Vec::new();
    for (index, target) in out.chunks_exact_mut(row_out).enumerate() {
        let (image, row) = (index as u64 / u64::from(extent[1]), index as u64 % u64::from(extent[1]));
        let start = (place.start + image * place.image_stride + row * place.row_stride) as usize;
        let Some(source) = data.get(start..start + place.row_bytes as usize) else { continue };
        if swap {
            scratch.clear();
            scratch.extend_from_slice(source);
            swap_elements(&mut scratch, client.element_bytes);
            conversion.row(&scratch, target);
        } else {
            conversion.row(source, target);
        }
    }
    out
}

/// Converts tightly packed texels to client rows and hands each to `put` with its byte position.
pub fn pack_image(
    conversion: &Conversion,
    client: &ClientFormat,
    swap_bytes: bool,
    place: &MemoryLayout,
    extent: Extent,
    texels: &[u8],
    mut put: impl FnMut(u64, &[u8]),
) {
    let rows = extent[1] as usize * extent[2] as usize;
    if rows == 0 || extent[0] == 0 {
        return;
    }
    let row_in = texels.len() / rows;
    let mut scratch = vec![0; place.row_bytes as usize];
    for (index, source) in texels.chunks_exact(row_in.max(1)).take(rows).enumerate() {
        let (image, row) = (index as u64 / u64::from(extent[1]), index as u64 % u64::from(extent[1]));
        conversion.row(source, &mut scratch);
        if swap_bytes {
            swap_elements(&mut scratch, client.element_bytes);
        }
        put(place.start + image * place.image_stride + row * place.row_stride, &scratch);
    }
}

#[cfg(test)]
mod tests {
    use super::super::client::client_format;
    use super::super::internal::{self, internal_format};
    use super::super::store::PixelStore;
    use super::*;
    use crate::gl::*;
    use proptest::prelude::*;

    fn up(internal: GLenum, format: GLenum, ty: GLenum, bytes: &[u8]) -> Vec<u8> {
        let f = internal_format(internal).unwrap();
        let stored = f.candidates[0];
        let client = client_format("test", format, ty, true).unwrap();
        let texels = bytes.len() / client.layout.bytes as usize;
        let mut out = vec![0; texels * stored.block_bytes() as usize];
        upload(&client, f.base, stored).row(bytes, &mut out);
        out
    }

    fn down(internal: GLenum, format: GLenum, ty: GLenum, texels: &[u8]) -> Vec<u8> {
        let f = internal_format(internal).unwrap();
        let stored = f.candidates[0];
        let client = client_format("test", format, ty, true).unwrap();
        let count = texels.len() / stored.block_bytes() as usize;
        let mut out = vec![0; count * client.layout.bytes as usize];
        download(&client, f.base, stored).row(texels, &mut out);
        out
    }

    #[test]
    fn base_formats_select_components() {
        assert_eq!(up(GL_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, &[1, 2, 3, 4]), [4]);
        assert_eq!(up(GL_LUMINANCE8, GL_RGBA, GL_UNSIGNED_BYTE, &[1, 2, 3, 4]), [1]);
        assert_eq!(up(GL_LUMINANCE8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, &[1, 2, 3, 4]), [1, 4]);
        assert_eq!(up(GL_INTENSITY8, GL_LUMINANCE, GL_UNSIGNED_BYTE, &[9]), [9]);
        assert_eq!(up(GL_RGBA8, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, &[7, 8]), [7, 7, 7, 8]);
        assert_eq!(up(GL_RGBA8, GL_ALPHA, GL_UNSIGNED_BYTE, &[7]), [0, 0, 0, 7]);
        assert_eq!(up(GL_RGB8, GL_RGBA, GL_UNSIGNED_BYTE, &[1, 2, 3, 4]), [1, 2, 3, 255]);
        assert_eq!(up(GL_RGBA8UI, GL_RGB_INTEGER, GL_UNSIGNED_SHORT, &[1, 0, 2, 0, 255, 255]), [1, 2, 255, 1]);
        assert_eq!(up(GL_SLUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, &[7, 8]), [7, 7, 7, 8]);
    }

    #[test]
    fn readback_follows_the_base_format() {
        assert_eq!(down(GL_LUMINANCE8, GL_RGBA, GL_UNSIGNED_BYTE, &[9]), [9, 0, 0, 255]);
        assert_eq!(down(GL_INTENSITY8, GL_RGBA, GL_UNSIGNED_BYTE, &[9]), [9, 0, 0, 255]);
        assert_eq!(down(GL_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, &[9]), [0, 0, 0, 9]);
        assert_eq!(down(GL_LUMINANCE8, GL_LUMINANCE, GL_UNSIGNED_BYTE, &[9]), [9]);
        assert_eq!(down(GL_RGBA8, GL_LUMINANCE, GL_UNSIGNED_BYTE, &[1, 2, 3, 4]), [6]);
        assert_eq!(down(GL_RGB8, GL_RGBA, GL_UNSIGNED_BYTE, &[1, 2, 3, 77]), [1, 2, 3, 255]);
        assert_eq!(down(GL_R8, GL_RGB, GL_UNSIGNED_BYTE, &[1]), [1, 0, 0]);
        assert_eq!(down(GL_RGBA8, GL_GREEN, GL_UNSIGNED_BYTE, &[1, 2, 3, 4]), [2]);
    }

    #[test]
    fn depth_and_stencil() {
        let texel = 0xABCD_EF42u32.to_le_bytes();
        assert_eq!(up(GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, &texel), texel);
        assert_eq!(down(GL_DEPTH24_STENCIL8, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &texel), [0x42]);
        assert_eq!(down(GL_DEPTH24_STENCIL8, GL_STENCIL_INDEX, GL_FLOAT, &texel), 66f32.to_le_bytes());
        assert_eq!(down(GL_DEPTH24_STENCIL8, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, &[0, 255, 255, 255]), [255; 4]);
        assert_eq!(up(GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_FLOAT, &1f32.to_le_bytes()), [255, 255]);
        assert_eq!(up(GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, &[255, 255]), 1f32.to_le_bytes());
        let both = [0, 0, 0x80, 0x3F, 7, 0, 0, 0];
        assert_eq!(
            up(GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, &both),
            [7, 255, 255, 255]
        );
    }

    #[test]
    fn rows_swap_and_skip() {
        let client = client_format("test", GL_RED, GL_UNSIGNED_SHORT, false).unwrap();
        let store = PixelStore { swap_bytes: true, skip_pixels: 1, row_length: 3, ..PixelStore::default() };
        let place = store.place(2, 2, [2, 2, 1], false).unwrap();
        assert_eq!(place.row_stride, 8);
        let data: Vec<u8> = (0..16).collect();
        let conversion = upload(&client, Base::Red, Format::R16_UNORM);
        let out = unpack_image(&conversion, &client, true, &place, [2, 2, 1], 2, &data);
        assert_eq!(out, [3, 2, 5, 4, 11, 10, 13, 12]);
        let mut back = [0u8; 16];
        let conversion = download(&client, Base::Red, Format::R16_UNORM);
        pack_image(&conversion, &client, true, &place, [2, 2, 1], &out, |at, row| {
            back[at as usize..at as usize + row.len()].copy_from_slice(row);
        });
        assert_eq!(back, [0, 0, 2, 3, 4, 5, 0, 0, 0, 0, 10, 11, 12, 13, 0, 0]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// What goes up in a format's natural client form comes back unchanged.
        #[test]
        fn natural_round_trip(bytes in proptest::collection::vec(any::<u8>(), 64)) {
            for (internal, format, ty) in [
                (GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE),
                (GL_RGBA8, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV),
                (GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE),
                (GL_R8, GL_RED, GL_UNSIGNED_BYTE),
                (GL_RG16, GL_RG, GL_UNSIGNED_SHORT),
                (GL_RGB16I, GL_RGB_INTEGER, GL_SHORT),
                (GL_RGBA32UI, GL_BGRA_INTEGER, GL_UNSIGNED_INT),
                (GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV),
                (GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_10_10_10_2),
                (GL_RGB10_A2UI, GL_BGRA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV),
                (GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1),
                (GL_RGB5_A1, GL_BGRA, GL_UNSIGNED_SHORT_1_5_5_5_REV),
                (GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4_REV),
                (GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5_REV),
                (GL_RGB16, GL_RGB, GL_UNSIGNED_BYTE),
                (GL_RGBA16, GL_RGBA, GL_UNSIGNED_BYTE_3_3_2),
                (GL_RGBA32F, GL_RGBA, GL_UNSIGNED_SHORT),
                (GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8),
                (GL_LUMINANCE16_ALPHA16, GL_LUMINANCE_ALPHA, GL_UNSIGNED_SHORT),
            ] {
                let Ok(client) = client_format("test", format, ty, true) else { continue };
                let usable = bytes.len() / client.layout.bytes as usize * client.layout.bytes as usize;
                let stored = up(internal, format, ty, &bytes[..usable]);
                prop_assert_eq!(&down(internal, format, ty, &stored)[..], &bytes[..usable], "0x{:X} 0x{:X}", internal, ty);
            }
        }

        /// Every valid client pair goes into and out of every colour format of its kind without a panic.
        #[test]
        fn all_pairs_run(bytes in proptest::collection::vec(any::<u8>(), 128)) {
            const FORMATS: [GLenum; 16] = [
                GL_RED, GL_RG, GL_RGB, GL_RGBA, GL_BGR, GL_BGRA, GL_ABGR_EXT, GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA,
                GL_RED_INTEGER, GL_RGB_INTEGER, GL_BGRA_INTEGER, GL_DEPTH_COMPONENT, GL_DEPTH_STENCIL, GL_STENCIL_INDEX,
            ];
            const TYPES: [GLenum; 24] = [
                GL_UNSIGNED_BYTE, GL_BYTE, GL_UNSIGNED_SHORT, GL_SHORT, GL_UNSIGNED_INT, GL_INT, GL_HALF_FLOAT, GL_FLOAT,
                GL_UNSIGNED_BYTE_3_3_2, GL_UNSIGNED_BYTE_2_3_3_REV, GL_UNSIGNED_SHORT_5_6_5, GL_UNSIGNED_SHORT_5_6_5_REV,
                GL_UNSIGNED_SHORT_4_4_4_4, GL_UNSIGNED_SHORT_4_4_4_4_REV, GL_UNSIGNED_SHORT_5_5_5_1,
                GL_UNSIGNED_SHORT_1_5_5_5_REV, GL_UNSIGNED_INT_8_8_8_8, GL_UNSIGNED_INT_8_8_8_8_REV,
                GL_UNSIGNED_INT_10_10_10_2, GL_UNSIGNED_INT_2_10_10_10_REV, GL_UNSIGNED_INT_24_8,
                GL_UNSIGNED_INT_10F_11F_11F_REV, GL_UNSIGNED_INT_5_9_9_9_REV, GL_FLOAT_32_UNSIGNED_INT_24_8_REV,
            ];
            for format in FORMATS {
                for ty in TYPES {
                    let Ok(client) = client_format("test", format, ty, true) else { continue };
                    for f in internal::all().iter().filter(|f| !f.is_compressed()) {
                        let same = match client.kind {
                            ClientKind::Color => f.base.is_color() && !f.is_integer(),
                            ClientKind::Integer => f.is_integer(),
                            _ => !f.base.is_color(),
                        };
                        if same {
                            let usable = bytes.len() / client.layout.bytes as usize * client.layout.bytes as usize;
                            let stored = up(f.gl, format, ty, &bytes[..usable]);
                            let back = down(f.gl, format, ty, &stored);
                            prop_assert_eq!(back.len(), usable);
                        }
                    }
                }
            }
        }
    }
}
