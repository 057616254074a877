//! Checks that the commands of texture images share (GL 4.6 core 8.5, 8.6).

use gallite_pipe::Format;

use crate::commands::textures::has_kind;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::texture::{TextureKind, face_of};
use crate::pixels::client::{ClientFormat, ClientKind, client_format};
use crate::pixels::internal::{Base, InternalFormat, compressed_allows_3d, internal_format_for};
use crate::state::textures::ProxyImage;

/// What the target of an image command means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ImageTarget {
    /// Kind of texture.
    pub(crate) kind: TextureKind,
    /// Face of a cube map.
    pub(crate) face: usize,
    /// A proxy: nothing is stored.
    pub(crate) proxy: bool,
}

/// The target of an image command with `dimensions` coordinates.
pub(crate) fn image_target(ctx: &Context, command: &str, target: GLenum, dimensions: u32) -> GlResult<ImageTarget> {
    use TextureKind::{Cube, CubeArray, D1, D1Array, D2, D2Array, D3, Multisample, MultisampleArray, Rect};
    let (kind, proxy, needs) = match target {
        GL_TEXTURE_1D => (D1, false, 1),
        GL_PROXY_TEXTURE_1D => (D1, true, 1),
        GL_TEXTURE_2D => (D2, false, 2),
        GL_PROXY_TEXTURE_2D => (D2, true, 2),
        GL_TEXTURE_1D_ARRAY => (D1Array, false, 2),
        GL_PROXY_TEXTURE_1D_ARRAY => (D1Array, true, 2),
        GL_TEXTURE_RECTANGLE => (Rect, false, 2),
        GL_PROXY_TEXTURE_RECTANGLE => (Rect, true, 2),
        GL_TEXTURE_CUBE_MAP_POSITIVE_X..=GL_TEXTURE_CUBE_MAP_NEGATIVE_Z => (Cube, false, 2),
        GL_PROXY_TEXTURE_CUBE_MAP => (Cube, true, 2),
        GL_TEXTURE_3D => (D3, false, 3),
        GL_PROXY_TEXTURE_3D => (D3, true, 3),
        GL_TEXTURE_2D_ARRAY => (D2Array, false, 3),
        GL_PROXY_TEXTURE_2D_ARRAY => (D2Array, true, 3),
        GL_TEXTURE_CUBE_MAP_ARRAY => (CubeArray, false, 3),
        GL_PROXY_TEXTURE_CUBE_MAP_ARRAY => (CubeArray, true, 3),
        GL_TEXTURE_2D_MULTISAMPLE => (Multisample, false, 4),
        GL_PROXY_TEXTURE_2D_MULTISAMPLE => (Multisample, true, 4),
        GL_TEXTURE_2D_MULTISAMPLE_ARRAY => (MultisampleArray, false, 5),
        GL_PROXY_TEXTURE_2D_MULTISAMPLE_ARRAY => (MultisampleArray, true, 5),
        _ => return Err(bad_target(command, target)),
    };
    if needs != dimensions || !has_kind(ctx, kind) {
        return Err(bad_target(command, target));
    }
    Ok(ImageTarget { kind, face: face_of(target), proxy })
}

/// INVALID_ENUM for a target.
pub(crate) fn bad_target(command: &str, target: GLenum) -> GlError {
    GlError::invalid_target(format!("{command}: target 0x{target:04X}"))
}

/// Checks a level number.
pub(crate) fn check_level(ctx: &Context, command: &str, kind: TextureKind, level: GLint) -> GlResult<u32> {
    // GL 4.6 core 8.5: INVALID_VALUE for a negative level or one beyond the largest texture's last.
    match u32::try_from(level) {
        Ok(level) if level < ctx.max_levels(kind) => Ok(level),
        _ => Err(GlError::invalid_value(format!("{command}: level {level}"))),
    }
}

/// Checks sizes that hold for proxies too: not negative, square cube faces, whole cubes.
pub(crate) fn check_shape(command: &str, kind: TextureKind, size: [GLsizei; 3]) -> GlResult<[u32; 3]> {
    if size.iter().any(|s| *s < 0) {
        return Err(GlError::invalid_value(format!("{command}: negative size {size:?}")));
    }
    let size = size.map(|s| s as u32);
    if matches!(kind, TextureKind::Cube | TextureKind::CubeArray) && size[0] != size[1] {
        return Err(GlError::invalid_value(format!("{command}: cube faces of {} x {}", size[0], size[1])));
    }
    if kind == TextureKind::CubeArray && !size[2].is_multiple_of(6) {
        return Err(GlError::invalid_value(format!("{command}: {} is not a whole number of cubes", size[2])));
    }
    Ok(size)
}

/// Whether a level of this size is within the limits.
pub(crate) fn size_fits(ctx: &Context, kind: TextureKind, level: u32, size: [u32; 3]) -> bool {
    let max = ctx.max_texture_size(kind).map(|m| m.max(0) as u32);
    let limit = kind.level_size(max, level);
    size.iter().zip(limit).all(|(s, l)| *s <= l)
}

/// A new image that passed the checks which pixels, blocks and copies share.
pub(crate) struct NewImage {
    /// Its level.
    pub(crate) level: u32,
    /// Width, height and depth as GL counts them.
    pub(crate) size: [u32; 3],
}

/// Arguments of a command that defines an image, besides what fills it.
#[derive(Clone, Copy)]
pub(crate) struct ImageShape {
    /// Level.
    pub(crate) level: GLint,
    /// Width, height and depth as GL counts them.
    pub(crate) size: [GLsizei; 3],
    /// Border; 0 is the only one.
    pub(crate) border: GLint,
}

/// Checks a new image. `None` for a proxy, which only remembers the answer.
// GL 4.6 core 8.5 to 8.7 and 8.22.
pub(crate) fn new_image(
    ctx: &mut Context,
    command: &str,
    target: &ImageTarget,
    internal: &'static InternalFormat,
    shape: &ImageShape,
) -> GlResult<Option<NewImage>> {
    check_kind_format(command, target.kind, internal)?;
    let level = check_level(ctx, command, target.kind, shape.level)?;
    if shape.border != 0 {
        return Err(GlError::invalid_value(format!("{command}: border {}", shape.border)));
    }
    let size = check_shape(command, target.kind, shape.size)?;
    let fits = size_fits(ctx, target.kind, level, size);
    if target.proxy {
        set_proxy(ctx, target.kind, level, fits.then_some(internal), size, 0, true);
        return Ok(None);
    }
    if !fits {
        return Err(GlError::invalid_value(format!("{command}: size {size:?} is too large for level {level}")));
    }
    Ok(Some(NewImage { level, size }))
}

/// Remembers what a proxy was asked (GL 4.6 core 8.22); `None` when it would not work.
pub(crate) fn set_proxy(
    ctx: &mut Context,
    kind: TextureKind,
    level: u32,
    internal: Option<&'static InternalFormat>,
    size: [u32; 3],
    samples: u32,
    fixed_samples: bool,
) {
    let format = internal.map_or(Format::NONE, |i| ctx.device.choose_format(i));
    let proxies = &mut ctx.state.textures.proxies[kind as usize];
    if proxies.len() <= level as usize {
        proxies.resize(level as usize + 1, None);
    }
    proxies[level as usize] = internal.map(|internal| ProxyImage { internal, format, size, samples, fixed_samples });
}

/// Looks up an internal format.
pub(crate) fn find_internal(ctx: &Context, command: &str, internal: GLenum) -> GlResult<&'static InternalFormat> {
    // GL 1.0 counted components.
    let compatibility = ctx.is_compatibility();
    let gl = match internal {
        1 if compatibility => GL_LUMINANCE,
        2 if compatibility => GL_LUMINANCE_ALPHA,
        3 if compatibility => GL_RGB,
        4 if compatibility => GL_RGBA,
        other => other,
    };
    // GL_BGRA is a client format only.
    internal_format_for(gl, compatibility)
        .filter(|f| f.gl != GL_BGRA)
        .ok_or_else(|| GlError::invalid_value(format!("{command}: internal format 0x{internal:04X}")))
}

/// Checks that a kind of texture can have an internal format.
pub(crate) fn check_kind_format(command: &str, kind: TextureKind, internal: &InternalFormat) -> GlResult {
    // GL 4.6 core 8.5: depth and stencil formats have no 3D textures.
    if internal.is_depth_stencil() && kind == TextureKind::D3 {
        return Err(GlError::invalid_operation(format!("{command}: depth or stencil format for a 3D texture")));
    }
    if internal.is_compressed() {
        // GL 4.6 core 8.7: specific compressed formats are two-dimensional, alone or in layers.
        let allowed = match kind {
            TextureKind::D2 | TextureKind::Cube | TextureKind::D2Array | TextureKind::CubeArray => true,
            TextureKind::D3 => compressed_allows_3d(internal.candidates[0]),
            _ => false,
        };
        if !allowed {
            let text = format!("{command}: compressed format 0x{:04X} for this target", internal.gl);
            return Err(if kind == TextureKind::D3 {
                GlError::invalid_operation(text)
            } else {
                GlError::invalid_enum(text)
            });
        }
    }
    Ok(())
}

/// Parses `format` and `type` for a texture command.
pub(crate) fn texture_client(
    ctx: &Context,
    command: &'static str,
    format: GLenum,
    ty: GLenum,
) -> GlResult<ClientFormat> {
    let client = client_format(command, format, ty, ctx.is_compatibility())?;
    if client.kind == ClientKind::ColorIndex || ty == GL_BITMAP {
        return Err(GlError::invalid_operation(format!("{command}: colour indices are not supported for textures")));
    }
    Ok(client)
}

/// Checks that client pixels can become texels of an internal format.
pub(crate) fn check_client_becomes(command: &str, client: &ClientFormat, internal: &InternalFormat) -> GlResult {
    // GL 4.6 core 8.5: INVALID_OPERATION when one is DEPTH_COMPONENT or DEPTH_STENCIL and the other is neither: stencil alone
    // is read from such a texture, but not written.
    if client.kind == ClientKind::Stencil && internal.base == Base::DepthStencil {
        return Err(GlError::invalid_operation(format!("{command}: stencil alone for depth and stencil")));
    }
    check_client_matches(command, client, internal)
}

/// Checks that client pixels can become, or come from, texels of an internal format.
pub(crate) fn check_client_matches(command: &str, client: &ClientFormat, internal: &InternalFormat) -> GlResult {
    // GL 4.6 core 8.5: INVALID_OPERATION when one is depth or stencil and the other isn't, or one is integer and the
    // other isn't.
    let fits = match client.kind {
        ClientKind::Color => internal.base.is_color() && !internal.is_integer(),
        ClientKind::Integer => internal.is_integer(),
        ClientKind::Depth => internal.base.has_depth(),
        ClientKind::DepthStencil => matches!(internal.base, Base::DepthStencil | Base::Depth),
        ClientKind::Stencil => matches!(internal.base, Base::Stencil | Base::DepthStencil),
        ClientKind::ColorIndex => false,
    };
    if fits {
        return Ok(());
    }
    Err(GlError::invalid_operation(format!(
        "{command}: format 0x{:04X} does not go with internal format 0x{:04X}",
        client.format, internal.gl
    )))
}
