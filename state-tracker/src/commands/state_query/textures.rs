//! Texture units and pixel storage (GL 4.6 core tables 23.10 to 23.28).

use smallvec::smallvec;

use super::value::{Value, Values};
use crate::context::Context;
use crate::gl::*;
use crate::objects::texture::TextureKind;
use crate::pixels::store::PixelStore;

/// The kind of texture a binding query asks about.
fn bound_kind(pname: GLenum) -> Option<TextureKind> {
    Some(match pname {
        GL_TEXTURE_BINDING_1D => TextureKind::D1,
        GL_TEXTURE_BINDING_2D => TextureKind::D2,
        GL_TEXTURE_BINDING_3D => TextureKind::D3,
        GL_TEXTURE_BINDING_CUBE_MAP => TextureKind::Cube,
        GL_TEXTURE_BINDING_1D_ARRAY => TextureKind::D1Array,
        GL_TEXTURE_BINDING_2D_ARRAY => TextureKind::D2Array,
        GL_TEXTURE_BINDING_CUBE_MAP_ARRAY => TextureKind::CubeArray,
        GL_TEXTURE_BINDING_RECTANGLE => TextureKind::Rect,
        GL_TEXTURE_BINDING_BUFFER => TextureKind::Buffer,
        GL_TEXTURE_BINDING_2D_MULTISAMPLE => TextureKind::Multisample,
        GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY => TextureKind::MultisampleArray,
        _ => return None,
    })
}

/// The name of the texture bound to a unit.
pub fn binding(ctx: &Context, pname: GLenum, unit: usize) -> Option<Values> {
    let kind = bound_kind(pname)?;
    let unit = ctx.state.textures.units.get(unit)?;
    let name = unit.textures[kind as usize].as_ref().map_or(0, |t| t.header.name);
    Some(smallvec![Value::Int(i64::from(name))])
}

/// The name of the sampler bound to a unit.
pub fn sampler(ctx: &Context, unit: usize) -> Values {
    let bound = ctx.state.textures.units.get(unit).and_then(|u| u.sampler.as_ref());
    smallvec![Value::Int(bound.map_or(0, |s| i64::from(s.header.name)))]
}

fn pixel_store(ctx: &Context, pname: GLenum) -> Option<Values> {
    let PixelStore {
        swap_bytes,
        lsb_first,
        row_length,
        image_height,
        skip_pixels,
        skip_rows,
        skip_images,
        alignment,
        compressed_block_width,
        compressed_block_height,
        compressed_block_depth,
        compressed_block_size,
    } = if is_pack(pname) { ctx.state.pixel_store.pack } else { ctx.state.pixel_store.unpack };
    let number = match pname {
        GL_PACK_SWAP_BYTES | GL_UNPACK_SWAP_BYTES => return Some(smallvec![Value::Bool(swap_bytes)]),
        GL_PACK_LSB_FIRST | GL_UNPACK_LSB_FIRST => return Some(smallvec![Value::Bool(lsb_first)]),
        GL_PACK_ROW_LENGTH | GL_UNPACK_ROW_LENGTH => row_length,
        GL_PACK_IMAGE_HEIGHT | GL_UNPACK_IMAGE_HEIGHT => image_height,
        GL_PACK_SKIP_PIXELS | GL_UNPACK_SKIP_PIXELS => skip_pixels,
        GL_PACK_SKIP_ROWS | GL_UNPACK_SKIP_ROWS => skip_rows,
        GL_PACK_SKIP_IMAGES | GL_UNPACK_SKIP_IMAGES => skip_images,
        GL_PACK_ALIGNMENT | GL_UNPACK_ALIGNMENT => alignment,
        GL_PACK_COMPRESSED_BLOCK_WIDTH | GL_UNPACK_COMPRESSED_BLOCK_WIDTH => compressed_block_width,
        GL_PACK_COMPRESSED_BLOCK_HEIGHT | GL_UNPACK_COMPRESSED_BLOCK_HEIGHT => compressed_block_height,
        GL_PACK_COMPRESSED_BLOCK_DEPTH | GL_UNPACK_COMPRESSED_BLOCK_DEPTH => compressed_block_depth,
        GL_PACK_COMPRESSED_BLOCK_SIZE | GL_UNPACK_COMPRESSED_BLOCK_SIZE => compressed_block_size,
        _ => return None,
    };
    Some(smallvec![Value::Int(i64::from(number))])
}

fn is_pack(pname: GLenum) -> bool {
    matches!(
        pname,
        GL_PACK_SWAP_BYTES..=GL_PACK_ALIGNMENT
            | GL_PACK_SKIP_IMAGES
            | GL_PACK_IMAGE_HEIGHT
            | GL_PACK_COMPRESSED_BLOCK_WIDTH..=GL_PACK_COMPRESSED_BLOCK_SIZE
    )
}

/// GL 4.6 core table 8.14: the specific compressed formats that the core profile has; and those that
/// EXT_texture_compression_s3tc lists: what it says nothing of takes care to use.
const COMPRESSED_FORMATS: [GLenum; 21] = [
    GL_COMPRESSED_RGB_S3TC_DXT1_EXT,
    GL_COMPRESSED_RGBA_S3TC_DXT3_EXT,
    GL_COMPRESSED_RGBA_S3TC_DXT5_EXT,
    GL_COMPRESSED_RED_RGTC1,
    GL_COMPRESSED_SIGNED_RED_RGTC1,
    GL_COMPRESSED_RG_RGTC2,
    GL_COMPRESSED_SIGNED_RG_RGTC2,
    GL_COMPRESSED_RGBA_BPTC_UNORM,
    GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM,
    GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT,
    GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT,
    GL_COMPRESSED_RGB8_ETC2,
    GL_COMPRESSED_SRGB8_ETC2,
    GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2,
    GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2,
    GL_COMPRESSED_RGBA8_ETC2_EAC,
    GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC,
    GL_COMPRESSED_R11_EAC,
    GL_COMPRESSED_SIGNED_R11_EAC,
    GL_COMPRESSED_RG11_EAC,
    GL_COMPRESSED_SIGNED_RG11_EAC,
];

/// Looks a texture unit's or the pixel storage's state up.
pub fn lookup(ctx: &Context, pname: GLenum) -> Option<Values> {
    let active = ctx.state.textures.active;
    match pname {
        GL_ACTIVE_TEXTURE => Some(smallvec![Value::Int(i64::from(GL_TEXTURE0) + active as i64)]),
        // ARB_texture_buffer_object asks for the bound texture's format here; GL 3.1 starts it at R8.
        GL_TEXTURE_BUFFER_FORMAT_ARB => {
            let format = ctx.bound_texture(TextureKind::Buffer).state.lock().buffer_internal;
            Some(smallvec![Value::Int(i64::from(format))])
        }
        GL_SAMPLER_BINDING => Some(sampler(ctx, active)),
        GL_NUM_COMPRESSED_TEXTURE_FORMATS => Some(smallvec![Value::Int(COMPRESSED_FORMATS.len() as i64)]),
        GL_COMPRESSED_TEXTURE_FORMATS => {
            Some(COMPRESSED_FORMATS.iter().map(|format| Value::Int(i64::from(*format))).collect())
        }
        _ => binding(ctx, pname, active).or_else(|| pixel_store(ctx, pname)),
    }
}
