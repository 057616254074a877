//! Queries about internal formats (GL 4.6 core 22.3).

use gallite_pipe::{Channel, Features, Format, FormatUses};

use crate::client_memory::ClientPtrMut;
use crate::commands::textures::has_kind;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::names::checked_count;
use crate::objects::texture::TextureKind;
use crate::pixels::image_formats::{image_class, pixel_pair};
use crate::pixels::internal::{self, Base, InternalFormat, buffer_format};
use crate::pixels::view_class::view_class;

/// Most values a query has: the sample counts.
const MOST: usize = 32;

/// What a query is about.
struct Subject<'a> {
    ctx: &'a Context,
    /// None: a renderbuffer.
    kind: Option<TextureKind>,
    internal: &'static InternalFormat,
    stored: Format,
    uses: FormatUses,
}

/// Answers: `count` of them.
struct Answer {
    values: [i64; MOST],
    count: usize,
}

impl From<i64> for Answer {
    fn from(value: i64) -> Self {
        let mut values = [0; MOST];
        values[0] = value;
        Self { values, count: 1 }
    }
}

impl Subject<'_> {
    fn is_renderable(&self) -> bool {
        if self.internal.is_depth_stencil() {
            self.uses.contains(FormatUses::DEPTH_STENCIL)
        } else {
            self.internal.is_color_renderable() && self.uses.contains(FormatUses::COLOR)
        }
    }

    /// Whether the target takes images of the format at all.
    fn is_supported(&self) -> bool {
        let Some(kind) = self.kind else { return self.is_renderable() };
        match kind {
            TextureKind::Buffer => buffer_format(self.internal).is_some(),
            _ if kind.is_multisample() => self.is_renderable() && self.counts().count > 0,
            _ => crate::commands::texture_checks::check_kind_format("", kind, self.internal).is_ok(),
        }
    }

    /// Sample counts, the largest first.
    fn counts(&self) -> Answer {
        let (limits, internal) = (&self.ctx.limits, self.internal);
        let multisample = self.kind.is_none_or(TextureKind::is_multisample);
        let most = match self.kind {
            Some(_) => limits.texture_samples(internal),
            None => limits.renderbuffer_samples(internal),
        };
        let mask = self.ctx.device.format_caps(self.stored).sample_counts;
        let mut answer = Answer { values: [0; MOST], count: 0 };
        if multisample && self.is_renderable() {
            for samples in (2..MOST as i64).rev().filter(|n| mask >> n & 1 != 0 && *n <= i64::from(most)) {
                answer.values[answer.count] = samples;
                answer.count += 1;
            }
            // GL 4.6 core 22.3.1: a format that can be rendered to has at least one sample.
            if answer.count == 0 {
                return 1.into();
            }
        }
        answer
    }

    fn channel(&self, query: GLenum) -> Option<Channel> {
        let compressed = self.internal.is_compressed();
        let format = if compressed { self.internal.candidates[0] } else { self.stored };
        internal::component(self.internal.base, format, query)
    }

    fn size(&self, pname: GLenum) -> Option<i64> {
        let texture_query = match pname {
            GL_INTERNALFORMAT_RED_SIZE => GL_TEXTURE_RED_SIZE,
            GL_INTERNALFORMAT_GREEN_SIZE => GL_TEXTURE_GREEN_SIZE,
            GL_INTERNALFORMAT_BLUE_SIZE => GL_TEXTURE_BLUE_SIZE,
            GL_INTERNALFORMAT_ALPHA_SIZE => GL_TEXTURE_ALPHA_SIZE,
            GL_INTERNALFORMAT_DEPTH_SIZE => GL_TEXTURE_DEPTH_SIZE,
            GL_INTERNALFORMAT_STENCIL_SIZE => GL_TEXTURE_STENCIL_SIZE,
            GL_INTERNALFORMAT_SHARED_SIZE => return Some(if self.internal.gl == GL_RGB9_E5 { 5 } else { 0 }),
            _ => return None,
        };
        Some(self.channel(texture_query).map_or(0, |c| i64::from(c.bits)))
    }

    fn kind_of_component(&self, pname: GLenum) -> Option<i64> {
        let texture_query = match pname {
            GL_INTERNALFORMAT_RED_TYPE => GL_TEXTURE_RED_SIZE,
            GL_INTERNALFORMAT_GREEN_TYPE => GL_TEXTURE_GREEN_SIZE,
            GL_INTERNALFORMAT_BLUE_TYPE => GL_TEXTURE_BLUE_SIZE,
            GL_INTERNALFORMAT_ALPHA_TYPE => GL_TEXTURE_ALPHA_SIZE,
            GL_INTERNALFORMAT_DEPTH_TYPE => GL_TEXTURE_DEPTH_SIZE,
            GL_INTERNALFORMAT_STENCIL_TYPE => GL_TEXTURE_STENCIL_SIZE,
            _ => return None,
        };
        Some(self.channel(texture_query).map_or(0, |c| i64::from(internal::component_type(c))))
    }

    /// Largest sizes of each axis and of layers; 0 where the target has no such axis.
    fn extent(&self) -> [i64; 4] {
        let limits = &self.ctx.limits;
        let Some(kind) = self.kind else {
            let size = i64::from(limits.renderbuffer_size);
            return [size, size, 0, 0];
        };
        let [width, height, depth] = self.ctx.max_texture_size(kind).map(i64::from);
        match kind {
            TextureKind::D1 | TextureKind::Buffer => [width, 0, 0, 0],
            TextureKind::D1Array => [width, 0, 0, height],
            TextureKind::D3 => [width, height, depth, 0],
            TextureKind::D2Array | TextureKind::CubeArray | TextureKind::MultisampleArray => [width, height, 0, depth],
            _ => [width, height, 0, 0],
        }
    }

    fn combined_dimensions(&self) -> i64 {
        let faces = if matches!(self.kind, Some(TextureKind::Cube)) { 6 } else { 1 };
        let samples = self.counts().values[0].max(1);
        let axes = self.extent().into_iter().filter(|size| *size > 0);
        axes.fold(faces * samples, i64::saturating_mul)
    }

    fn support(&self, yes: bool) -> i64 {
        i64::from(if yes { GL_FULL_SUPPORT } else { GL_NONE })
    }

    fn is_texture(&self) -> bool {
        self.kind.is_some()
    }

    fn can_mipmap(&self) -> bool {
        self.kind.is_some_and(TextureKind::has_levels)
    }

    fn is_image(&self) -> bool {
        let storage = if self.kind == Some(TextureKind::Buffer) {
            FormatUses::STORAGE_TEXTURE_BUFFER
        } else {
            FormatUses::STORAGE
        };
        self.is_texture() && image_class(self.internal).is_some() && self.uses.contains(storage)
    }

    fn has_stage(&self, feature: Features) -> bool {
        self.is_texture() && self.ctx.device.caps.features.contains(feature)
    }

    /// Support of an operation; `None` when it is none of these queries.
    fn operation(&self, pname: GLenum) -> Option<i64> {
        let base = self.internal.base;
        let texture = self.is_texture();
        let buffer = self.kind == Some(TextureKind::Buffer);
        let sampled = texture && !buffer;
        let yes = match pname {
            GL_FRAMEBUFFER_RENDERABLE => self.is_renderable() && !buffer,
            GL_FRAMEBUFFER_RENDERABLE_LAYERED => {
                let layered = matches!(
                    self.kind,
                    Some(
                        TextureKind::D3
                            | TextureKind::Cube
                            | TextureKind::D1Array
                            | TextureKind::D2Array
                            | TextureKind::CubeArray
                            | TextureKind::MultisampleArray
                    )
                );
                self.is_renderable() && layered
            }
            GL_FRAMEBUFFER_BLEND => self.is_renderable() && !buffer && self.uses.contains(FormatUses::BLEND),
            GL_READ_PIXELS => self.is_renderable() && !buffer,
            GL_MANUAL_GENERATE_MIPMAP | GL_AUTO_GENERATE_MIPMAP => {
                self.can_mipmap() && !self.internal.is_integer() && base != Base::Stencil
            }
            GL_SRGB_READ => sampled && self.internal.is_srgb(),
            GL_SRGB_WRITE => self.is_renderable() && self.internal.is_srgb() && !buffer,
            GL_FILTER => {
                let one_level = self.kind.is_some_and(|k| k.is_multisample()) || buffer;
                sampled && !one_level && self.uses.contains(FormatUses::FILTERED)
            }
            GL_VERTEX_TEXTURE | GL_FRAGMENT_TEXTURE => texture,
            GL_GEOMETRY_TEXTURE => self.has_stage(Features::GEOMETRY_SHADER),
            GL_TESS_CONTROL_TEXTURE | GL_TESS_EVALUATION_TEXTURE => self.has_stage(Features::TESSELLATION_SHADER),
            GL_COMPUTE_TEXTURE => self.has_stage(Features::COMPUTE_SHADER),
            GL_TEXTURE_SHADOW => sampled && base.has_depth() && self.uses.contains(FormatUses::COMPARE),
            GL_TEXTURE_GATHER => sampled && self.gathers(),
            GL_TEXTURE_GATHER_SHADOW => {
                sampled && self.gathers() && base.has_depth() && self.uses.contains(FormatUses::COMPARE)
            }
            GL_SHADER_IMAGE_LOAD | GL_SHADER_IMAGE_STORE => self.is_image(),
            GL_SHADER_IMAGE_ATOMIC => self.is_image() && matches!(self.internal.gl, GL_R32UI | GL_R32I | GL_R32F),
            GL_SIMULTANEOUS_TEXTURE_AND_DEPTH_TEST | GL_SIMULTANEOUS_TEXTURE_AND_DEPTH_WRITE => {
                sampled && base.has_depth()
            }
            GL_SIMULTANEOUS_TEXTURE_AND_STENCIL_TEST | GL_SIMULTANEOUS_TEXTURE_AND_STENCIL_WRITE => {
                sampled && matches!(base, Base::DepthStencil | Base::Stencil)
            }
            GL_CLEAR_BUFFER => buffer,
            GL_CLEAR_TEXTURE => sampled && !self.internal.is_compressed(),
            GL_TEXTURE_VIEW => sampled && !self.internal.is_unsized(),
            _ => return None,
        };
        Some(self.support(yes))
    }

    fn gathers(&self) -> bool {
        matches!(
            self.kind,
            Some(
                TextureKind::D2 | TextureKind::D2Array | TextureKind::Cube | TextureKind::CubeArray | TextureKind::Rect
            )
        )
    }

    /// The pair a transfer of pixels travels best with; NONE where the target has none.
    fn pair(&self, pname: GLenum) -> Option<i64> {
        let (format, kind) = pixel_pair(self.internal);
        let image = self.is_image();
        let texture = self.is_texture() && self.kind != Some(TextureKind::Buffer);
        let texture = texture && !self.kind.is_some_and(TextureKind::is_multisample);
        let (value, has) = match pname {
            GL_READ_PIXELS_FORMAT => (format, self.is_renderable()),
            GL_READ_PIXELS_TYPE => (kind, self.is_renderable()),
            GL_TEXTURE_IMAGE_FORMAT | GL_GET_TEXTURE_IMAGE_FORMAT => (format, texture),
            GL_TEXTURE_IMAGE_TYPE | GL_GET_TEXTURE_IMAGE_TYPE => (kind, texture),
            GL_IMAGE_PIXEL_FORMAT => (format, image),
            GL_IMAGE_PIXEL_TYPE => (kind, image),
            _ => return None,
        };
        Some(i64::from(if has { value } else { GL_NONE }))
    }

    fn block(&self, pname: GLenum) -> Option<i64> {
        let info = self.internal.candidates[0].info();
        let value = match pname {
            GL_TEXTURE_COMPRESSED_BLOCK_WIDTH => i64::from(info.block_width),
            GL_TEXTURE_COMPRESSED_BLOCK_HEIGHT => i64::from(info.block_height),
            GL_TEXTURE_COMPRESSED_BLOCK_SIZE => i64::from(info.block_bytes),
            _ => return None,
        };
        Some(if self.internal.is_compressed() && self.is_texture() { value } else { 0 })
    }

    fn flag(&self, pname: GLenum) -> Option<i64> {
        let base = self.internal.base;
        let yes = match pname {
            GL_COLOR_COMPONENTS => base.is_color(),
            GL_DEPTH_COMPONENTS => base.has_depth(),
            GL_STENCIL_COMPONENTS => matches!(base, Base::DepthStencil | Base::Stencil),
            GL_COLOR_RENDERABLE => base.is_color() && self.is_renderable(),
            GL_DEPTH_RENDERABLE => base.has_depth() && self.is_renderable(),
            GL_STENCIL_RENDERABLE => matches!(base, Base::DepthStencil | Base::Stencil) && self.is_renderable(),
            GL_MIPMAP => self.can_mipmap(),
            GL_TEXTURE_COMPRESSED => self.internal.is_compressed() && self.is_texture(),
            _ => return None,
        };
        Some(i64::from(yes))
    }

    fn number(&self, pname: GLenum) -> Option<i64> {
        let extent = self.extent();
        Some(match pname {
            GL_INTERNALFORMAT_PREFERRED => i64::from(self.internal.gl),
            GL_MAX_WIDTH => extent[0],
            GL_MAX_HEIGHT => extent[1],
            GL_MAX_DEPTH => extent[2],
            GL_MAX_LAYERS => extent[3],
            GL_MAX_COMBINED_DIMENSIONS => self.combined_dimensions(),
            GL_COLOR_ENCODING => i64::from(match (self.internal.base.is_color(), self.internal.is_srgb()) {
                (false, _) => GL_NONE,
                (true, true) => GL_SRGB,
                (true, false) => GL_LINEAR,
            }),
            GL_IMAGE_TEXEL_SIZE if self.is_image() => i64::from(self.stored.block_bytes()) * 8,
            GL_IMAGE_COMPATIBILITY_CLASS if self.is_image() => i64::from(image_class(self.internal).unwrap_or(GL_NONE)),
            GL_IMAGE_FORMAT_COMPATIBILITY_TYPE if self.is_image() => i64::from(GL_IMAGE_FORMAT_COMPATIBILITY_BY_SIZE),
            GL_IMAGE_TEXEL_SIZE | GL_IMAGE_COMPATIBILITY_CLASS | GL_IMAGE_FORMAT_COMPATIBILITY_TYPE => 0,
            GL_VIEW_COMPATIBILITY_CLASS if self.is_texture() => i64::from(view_class(self.internal).unwrap_or(GL_NONE)),
            GL_VIEW_COMPATIBILITY_CLASS => 0,
            _ => return None,
        })
    }

    fn answer(&self, pname: GLenum) -> Option<Answer> {
        let one = self
            .size(pname)
            .or_else(|| self.kind_of_component(pname))
            .or_else(|| self.operation(pname))
            .or_else(|| self.pair(pname))
            .or_else(|| self.block(pname))
            .or_else(|| self.flag(pname))
            .or_else(|| self.number(pname));
        one.map(Answer::from)
    }
}

/// Whether a pname is one of these queries.
fn is_query(pname: GLenum) -> bool {
    matches!(pname, GL_SAMPLES | GL_NUM_SAMPLE_COUNTS | GL_INTERNALFORMAT_SUPPORTED | GL_CLEAR_TEXTURE)
        || matches!(pname, GL_IMAGE_FORMAT_COMPATIBILITY_TYPE | GL_TEXTURE_COMPRESSED)
        || matches!(pname, GL_INTERNALFORMAT_PREFERRED..=GL_INTERNALFORMAT_STENCIL_TYPE)
        || matches!(pname, GL_MAX_WIDTH..=GL_VIEW_COMPATIBILITY_CLASS)
}

fn query(ctx: &Context, command: &'static str, target: GLenum, format: GLenum, pname: GLenum) -> GlResult<Answer> {
    let kind = match target {
        GL_RENDERBUFFER => None,
        _ => {
            let kind = TextureKind::from_target(target).filter(|kind| has_kind(ctx, *kind));
            Some(kind.ok_or_else(|| GlError::invalid_enum(format!("{command}: target 0x{target:04X}")))?)
        }
    };
    if !is_query(pname) {
        return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}")));
    }
    let nothing = || if pname == GL_SAMPLES { Answer { values: [0; MOST], count: 0 } } else { 0.into() };
    // GL 4.6 core 22.3.2: what is not supported answers zero, none or false, and no samples.
    let Some(internal) = internal::internal_format_for(format, ctx.is_compatibility()) else { return Ok(nothing()) };
    let stored = ctx.device.choose_format(internal);
    let subject = Subject { ctx, kind, internal, stored, uses: ctx.device.format_caps(stored).uses };
    if !subject.is_supported() {
        return Ok(nothing());
    }
    Ok(match pname {
        GL_INTERNALFORMAT_SUPPORTED => 1.into(),
        GL_SAMPLES => subject.counts(),
        GL_NUM_SAMPLE_COUNTS => (subject.counts().count as i64).into(),
        _ => match subject.answer(pname) {
            Some(answer) => answer,
            None => return Err(GlError::invalid_enum(format!("{command}: pname 0x{pname:04X}"))),
        },
    })
}

macro_rules! internal_format_queries {
    ($($name:ident: $ty:ty, $convert:expr;)+) => {
        $(pub fn $name(
            ctx: &mut Context,
            target: GLenum,
            internalformat: GLenum,
            pname: GLenum,
            count: GLsizei,
            params: ClientPtrMut<$ty>,
        ) -> GlResult {
            let command = concat!("gl", stringify!($name));
            let room = checked_count(command, count)?;
            let answer = query(ctx, command, target, internalformat, pname)?;
            for (index, value) in answer.values[..answer.count.min(room)].iter().enumerate() {
                let convert: fn(i64) -> $ty = $convert;
                params.write_at(index, convert(*value));
            }
            Ok(())
        })+
    };
}

// gl-commands: GetInternalformativ GetInternalformati64v
internal_format_queries! {
    // GL 4.6 core 22.3.2: a value that does not fit is the largest that does.
    GetInternalformativ: GLint, |value| GLint::try_from(value).unwrap_or(GLint::MAX);
    GetInternalformati64v: GLint64, |value| value;
}
