//! Textures by name (GL 4.6 core 8).

use std::sync::Arc;

use super::direct;
use crate::client_memory::{ClientPtr, ClientPtrMut};
use crate::commands::pixel_memory::unpack_source;
use crate::commands::{
    texture_compressed, texture_copies, texture_images, texture_params, texture_queries, texture_storages,
};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::objects::texture::{Texture, TextureKind};

fn find(ctx: &Context, command: &str, name: GLuint) -> GlResult<Arc<Texture>> {
    // GL 4.6 core 8: INVALID_OPERATION for what is no texture.
    let found = ctx.share.texture(name).filter(|_| name != 0);
    found.ok_or_else(|| GlError::invalid_operation(format!("{command}: no texture {name}")))
}

/// Runs a command with a texture bound to its target on the active unit.
fn on<R>(
    ctx: &mut Context,
    command: &'static str,
    name: GLuint,
    run: impl FnOnce(&mut Context, GLenum) -> GlResult<R>,
) -> GlResult<R> {
    let texture = find(ctx, command, name)?;
    let (active, slot, target) = (ctx.state.textures.active, texture.kind as usize, texture.target);
    let before = ctx.state.textures.units[active].textures[slot].replace(texture);
    let result = run(ctx, target).map_err(|error| error.said_by(command));
    ctx.state.textures.units[active].textures[slot] = before;
    result
}

// gl-commands: TextureBuffer TextureBufferRange TextureStorage1D TextureStorage2D TextureStorage3D
// gl-commands: TextureStorage2DMultisample TextureStorage3DMultisample TextureSubImage1D TextureSubImage2D
// gl-commands: CompressedTextureSubImage1D CompressedTextureSubImage2D CopyTextureSubImage1D CopyTextureSubImage2D
// gl-commands: TextureParameterf TextureParameterfv TextureParameteri TextureParameteriv TextureParameterIiv
// gl-commands: TextureParameterIuiv GetTextureParameterfv GetTextureParameteriv
// gl-commands: GetTextureParameterIiv GetTextureParameterIuiv
direct! {
    on;
    TextureBuffer(internalformat: GLenum, buffer: GLuint) => texture_storages::TexBuffer;
    TextureBufferRange(internalformat: GLenum, buffer: GLuint, offset: GLintptr, size: GLsizeiptr)
        => texture_storages::TexBufferRange;
    TextureStorage1D(levels: GLsizei, internalformat: GLenum, width: GLsizei) => texture_storages::TexStorage1D;
    TextureStorage2D(levels: GLsizei, internalformat: GLenum, width: GLsizei, height: GLsizei)
        => texture_storages::TexStorage2D;
    TextureStorage3D(levels: GLsizei, internalformat: GLenum, width: GLsizei, height: GLsizei, depth: GLsizei)
        => texture_storages::TexStorage3D;
    TextureStorage2DMultisample(
        samples: GLsizei, internalformat: GLenum, width: GLsizei, height: GLsizei, fixedsamplelocations: GLboolean
    ) => texture_storages::TexStorage2DMultisample;
    TextureStorage3DMultisample(
        samples: GLsizei, internalformat: GLenum, width: GLsizei, height: GLsizei, depth: GLsizei,
        fixedsamplelocations: GLboolean
    ) => texture_storages::TexStorage3DMultisample;
    TextureSubImage1D(
        level: GLint, xoffset: GLint, width: GLsizei, format: GLenum, kind: GLenum, pixels: ClientPtr<u8>
    ) => texture_images::TexSubImage1D;
    TextureSubImage2D(
        level: GLint, xoffset: GLint, yoffset: GLint, width: GLsizei, height: GLsizei, format: GLenum, kind: GLenum,
        pixels: ClientPtr<u8>
    ) => texture_images::TexSubImage2D;
    CompressedTextureSubImage1D(
        level: GLint, xoffset: GLint, width: GLsizei, format: GLenum, image_size: GLsizei, data: ClientPtr<u8>
    ) => texture_compressed::CompressedTexSubImage1D;
    CompressedTextureSubImage2D(
        level: GLint, xoffset: GLint, yoffset: GLint, width: GLsizei, height: GLsizei, format: GLenum,
        image_size: GLsizei, data: ClientPtr<u8>
    ) => texture_compressed::CompressedTexSubImage2D;
    CopyTextureSubImage1D(level: GLint, xoffset: GLint, x: GLint, y: GLint, width: GLsizei)
        => texture_copies::CopyTexSubImage1D;
    CopyTextureSubImage2D(
        level: GLint, xoffset: GLint, yoffset: GLint, x: GLint, y: GLint, width: GLsizei, height: GLsizei
    ) => texture_copies::CopyTexSubImage2D;
    TextureParameterf(pname: GLenum, param: GLfloat) => texture_params::TexParameterf;
    TextureParameterfv(pname: GLenum, param: ClientPtr<GLfloat>) => texture_params::TexParameterfv;
    TextureParameteri(pname: GLenum, param: GLint) => texture_params::TexParameteri;
    TextureParameteriv(pname: GLenum, param: ClientPtr<GLint>) => texture_params::TexParameteriv;
    TextureParameterIiv(pname: GLenum, params: ClientPtr<GLint>) => texture_params::TexParameterIiv;
    TextureParameterIuiv(pname: GLenum, params: ClientPtr<GLuint>) => texture_params::TexParameterIuiv;
    GetTextureParameterfv(pname: GLenum, params: ClientPtrMut<GLfloat>) => texture_params::GetTexParameterfv;
    GetTextureParameteriv(pname: GLenum, params: ClientPtrMut<GLint>) => texture_params::GetTexParameteriv;
    GetTextureParameterIiv(pname: GLenum, params: ClientPtrMut<GLint>) => texture_params::GetTexParameterIiv;
    GetTextureParameterIuiv(pname: GLenum, params: ClientPtrMut<GLuint>) => texture_params::GetTexParameterIuiv;
}

/// The target a query of a level names: GL 4.6 core 8.11 takes a cube map's first face for all.
fn level_target(target: GLenum) -> GLenum {
    if target == GL_TEXTURE_CUBE_MAP { GL_TEXTURE_CUBE_MAP_POSITIVE_X } else { target }
}

pub fn GetTextureLevelParameteriv(
    ctx: &mut Context,
    texture: GLuint,
    level: GLint,
    pname: GLenum,
    params: ClientPtrMut<GLint>,
) -> GlResult {
    on(ctx, "glGetTextureLevelParameteriv", texture, |ctx, target| {
        texture_queries::GetTexLevelParameteriv(ctx, level_target(target), level, pname, params)
    })
}

pub fn GetTextureLevelParameterfv(
    ctx: &mut Context,
    texture: GLuint,
    level: GLint,
    pname: GLenum,
    params: ClientPtrMut<GLfloat>,
) -> GlResult {
    on(ctx, "glGetTextureLevelParameterfv", texture, |ctx, target| {
        texture_queries::GetTexLevelParameterfv(ctx, level_target(target), level, pname, params)
    })
}

/// The faces that a range of slices of a cube map names.
fn faces(command: &str, first: GLint, count: GLsizei) -> GlResult<std::ops::Range<GLenum>> {
    let last = first.checked_add(count).filter(|last| first >= 0 && count >= 0 && *last <= 6);
    let last = last.ok_or_else(|| GlError::invalid_value(format!("{command}: {count} faces from {first}")))?;
    Ok(first as GLenum..last as GLenum)
}

/// GL 4.6 core 8.6: faces that a command takes as slices of one image have one size and format; else none is changed.
fn check_alike(ctx: &Context, command: &str, faces: &std::ops::Range<GLenum>, level: GLint) -> GlResult {
    // A bad level has an error of its own, with the face that is written first.
    let Ok(level) = u32::try_from(level) else { return Ok(()) };
    let state = ctx.bound_texture(TextureKind::Cube).state.lock();
    let mut images = faces.clone().map(|face| state.image(face as usize, level));
    let Some(Some(first)) = images.next() else { return Ok(()) };
    if images.all(|image| image.is_some_and(|i| i.size == first.size && i.same_format(first))) {
        return Ok(());
    }
    Err(GlError::invalid_operation(format!("{command}: the faces of the cube map differ")))
}

pub fn TextureSubImage3D(
    ctx: &mut Context,
    texture: GLuint,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    zoffset: GLint,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    format: GLenum,
    r#type: GLenum,
    pixels: ClientPtr<u8>,
) -> GlResult {
    let command = "glTextureSubImage3D";
    on(ctx, command, texture, |ctx, target| {
        if target != GL_TEXTURE_CUBE_MAP {
            return texture_images::TexSubImage3D(
                ctx, target, level, xoffset, yoffset, zoffset, width, height, depth, format, r#type, pixels,
            );
        }
        // GL 4.6 core 8.6: faces are slices; each comes from its image of the pixels.
        let faces = faces(command, zoffset, depth)?;
        check_alike(ctx, command, &faces, level)?;
        let stride = texture_images::image_stride(ctx, command, [width, height, depth], format, r#type, pixels)?;
        if depth == 0 {
            // The other arguments are checked all the same, by regions without pixels.
            let target = GL_TEXTURE_CUBE_MAP_POSITIVE_X + faces.start.min(5);
            for [w, h] in [[width, height.min(0)], [width.min(0), height]] {
                texture_images::TexSubImage2D(ctx, target, level, xoffset, yoffset, w, h, format, r#type, pixels)?;
            }
            return Ok(());
        }
        let skipped = ctx.state.pixel_store.unpack.skip_images as usize;
        for (index, face) in faces.enumerate() {
            let pixels = pixels.byte_add((skipped + index) * stride as usize);
            let target = GL_TEXTURE_CUBE_MAP_POSITIVE_X + face;
            texture_images::TexSubImage2D(ctx, target, level, xoffset, yoffset, width, height, format, r#type, pixels)?;
        }
        Ok(())
    })
}

pub fn CompressedTextureSubImage3D(
    ctx: &mut Context,
    texture: GLuint,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    zoffset: GLint,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    format: GLenum,
    imageSize: GLsizei,
    data: ClientPtr<u8>,
) -> GlResult {
    let command = "glCompressedTextureSubImage3D";
    on(ctx, command, texture, |ctx, target| {
        if target != GL_TEXTURE_CUBE_MAP {
            return texture_compressed::CompressedTexSubImage3D(
                ctx, target, level, xoffset, yoffset, zoffset, width, height, depth, format, imageSize, data,
            );
        }
        let faces = faces(command, zoffset, depth)?;
        let face_size = imageSize.checked_div(depth).unwrap_or(0);
        if face_size * depth != imageSize {
            return Err(GlError::invalid_value(format!("{command}: imageSize {imageSize}")));
        }
        check_alike(ctx, command, &faces, level)?;
        unpack_source(ctx, command, imageSize.max(0) as u64, 1, data)?;
        for (index, face) in faces.enumerate() {
            let data = data.byte_add(index * face_size.max(0) as usize);
            let target = GL_TEXTURE_CUBE_MAP_POSITIVE_X + face;
            texture_compressed::CompressedTexSubImage2D(
                ctx, target, level, xoffset, yoffset, width, height, format, face_size, data,
            )?;
        }
        Ok(())
    })
}

pub fn CopyTextureSubImage3D(
    ctx: &mut Context,
    texture: GLuint,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    zoffset: GLint,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
) -> GlResult {
    let command = "glCopyTextureSubImage3D";
    on(ctx, command, texture, |ctx, target| {
        if target != GL_TEXTURE_CUBE_MAP {
            return texture_copies::CopyTexSubImage3D(
                ctx, target, level, xoffset, yoffset, zoffset, x, y, width, height,
            );
        }
        let face = faces(command, zoffset, 1)?.start;
        let target = GL_TEXTURE_CUBE_MAP_POSITIVE_X + face;
        texture_copies::CopyTexSubImage2D(ctx, target, level, xoffset, yoffset, x, y, width, height)
    })
}

pub fn GetTextureImage(
    ctx: &mut Context,
    texture: GLuint,
    level: GLint,
    format: GLenum,
    r#type: GLenum,
    bufSize: GLsizei,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    let command = "glGetTextureImage";
    on(ctx, command, texture, |ctx, target| {
        let part = texture_queries::Slices::Whole;
        texture_queries::get_slices(ctx, command, target, level, &part, format, r#type, bufSize, pixels)
    })
}

pub fn GetTextureSubImage(
    ctx: &mut Context,
    texture: GLuint,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    zoffset: GLint,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    format: GLenum,
    r#type: GLenum,
    bufSize: GLsizei,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    let command = "glGetTextureSubImage";
    // GL 4.6 core 8.11.4: buffer and multisample textures are INVALID_OPERATION.
    let kind = find(ctx, command, texture)?.kind;
    if kind == TextureKind::Buffer || kind.is_multisample() {
        return Err(GlError::invalid_operation(format!("{command}: a buffer or multisample texture")));
    }
    let region = texture_images::Region { offset: [xoffset, yoffset, zoffset], size: [width, height, depth] };
    on(ctx, command, texture, |ctx, target| {
        let part = texture_queries::Slices::Part(region);
        texture_queries::get_slices(ctx, command, target, level, &part, format, r#type, bufSize, pixels)
    })
}

pub fn GetCompressedTextureImage(
    ctx: &mut Context,
    texture: GLuint,
    level: GLint,
    bufSize: GLsizei,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    let command = "glGetCompressedTextureImage";
    on(ctx, command, texture, |ctx, target| {
        let part = texture_queries::Slices::Whole;
        texture_queries::get_compressed_slices(ctx, command, target, level, &part, bufSize, pixels)
    })
}

pub fn GetCompressedTextureSubImage(
    ctx: &mut Context,
    texture: GLuint,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    zoffset: GLint,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    bufSize: GLsizei,
    pixels: ClientPtrMut<u8>,
) -> GlResult {
    let command = "glGetCompressedTextureSubImage";
    let kind = find(ctx, command, texture)?.kind;
    if kind == TextureKind::Buffer || kind.is_multisample() {
        return Err(GlError::invalid_operation(format!("{command}: a buffer or multisample texture")));
    }
    let region = texture_images::Region { offset: [xoffset, yoffset, zoffset], size: [width, height, depth] };
    on(ctx, command, texture, |ctx, target| {
        let part = texture_queries::Slices::Part(region);
        texture_queries::get_compressed_slices(ctx, command, target, level, &part, bufSize, pixels)
    })
}
