//! Pixel storage modes (GL 4.6 core 8.4.1, 18.2.1).

use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::pixels::store::PixelStore;

fn set(ctx: &mut Context, pname: GLenum, value: GLint) -> GlResult {
    let state = &mut ctx.state.pixel_store;
    let pack = matches!(
        pname,
        GL_PACK_SWAP_BYTES
            | GL_PACK_LSB_FIRST
            | GL_PACK_ROW_LENGTH
            | GL_PACK_IMAGE_HEIGHT
            | GL_PACK_SKIP_PIXELS
            | GL_PACK_SKIP_ROWS
            | GL_PACK_SKIP_IMAGES
            | GL_PACK_ALIGNMENT
            | GL_PACK_COMPRESSED_BLOCK_WIDTH
            | GL_PACK_COMPRESSED_BLOCK_HEIGHT
            | GL_PACK_COMPRESSED_BLOCK_DEPTH
            | GL_PACK_COMPRESSED_BLOCK_SIZE
    );
    let store: &mut PixelStore = if pack { &mut state.pack } else { &mut state.unpack };
    let length = || {
        u32::try_from(value)
            .map_err(|_| GlError::invalid_value(format!("glPixelStore: 0x{pname:04X} of {value} is negative")))
    };
    match pname {
        GL_PACK_SWAP_BYTES | GL_UNPACK_SWAP_BYTES => store.swap_bytes = value != 0,
        GL_PACK_LSB_FIRST | GL_UNPACK_LSB_FIRST => store.lsb_first = value != 0,
        GL_PACK_ROW_LENGTH | GL_UNPACK_ROW_LENGTH => store.row_length = length()?,
        GL_PACK_IMAGE_HEIGHT | GL_UNPACK_IMAGE_HEIGHT => store.image_height = length()?,
        GL_PACK_SKIP_PIXELS | GL_UNPACK_SKIP_PIXELS => store.skip_pixels = length()?,
        GL_PACK_SKIP_ROWS | GL_UNPACK_SKIP_ROWS => store.skip_rows = length()?,
        GL_PACK_SKIP_IMAGES | GL_UNPACK_SKIP_IMAGES => store.skip_images = length()?,
        GL_PACK_ALIGNMENT | GL_UNPACK_ALIGNMENT => {
            if !matches!(value, 1 | 2 | 4 | 8) {
                return Err(GlError::invalid_value(format!("glPixelStore: alignment {value}")));
            }
            store.alignment = value as u32;
        }
        GL_PACK_COMPRESSED_BLOCK_WIDTH | GL_UNPACK_COMPRESSED_BLOCK_WIDTH => store.compressed_block_width = length()?,
        GL_PACK_COMPRESSED_BLOCK_HEIGHT | GL_UNPACK_COMPRESSED_BLOCK_HEIGHT => {
            store.compressed_block_height = length()?
        }
        GL_PACK_COMPRESSED_BLOCK_DEPTH | GL_UNPACK_COMPRESSED_BLOCK_DEPTH => store.compressed_block_depth = length()?,
        GL_PACK_COMPRESSED_BLOCK_SIZE | GL_UNPACK_COMPRESSED_BLOCK_SIZE => store.compressed_block_size = length()?,
        _ => return Err(GlError::invalid_enum(format!("glPixelStore: pname 0x{pname:04X}"))),
    }
    Ok(())
}

pub fn PixelStorei(ctx: &mut Context, pname: GLenum, param: GLint) -> GlResult {
    set(ctx, pname, param)
}

// GL 4.6 core 8.4.1: booleans are set by any non-zero float, integers by rounding.
pub fn PixelStoref(ctx: &mut Context, pname: GLenum, param: GLfloat) -> GlResult {
    let boolean = matches!(pname, GL_PACK_SWAP_BYTES | GL_UNPACK_SWAP_BYTES | GL_PACK_LSB_FIRST | GL_UNPACK_LSB_FIRST);
    set(ctx, pname, if boolean { GLint::from(param != 0.0) } else { param.round() as GLint })
}
