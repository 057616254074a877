//! Attributes of surfaces: the lists they are created with, and eglQuerySurface.

// EGL_VG_COLORSPACE_sRGB is the registry's own spelling.
#![allow(non_upper_case_globals)]

use std::sync::atomic::Ordering;

use crate::egl::config::Config;
use crate::egl::error::{EglError, EglResult, ensure};
use crate::egl::surface::Surface;
use crate::egl::types::*;

/// What a surface was created with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreationAttributes {
    /// Pbuffers: pixels, limited to the largest there is.
    pub width: u32,
    /// Pbuffers: pixels.
    pub height: u32,
    /// Pbuffers: take the largest available.
    pub largest: bool,
    /// Windows: `EGL_BACK_BUFFER` or `EGL_SINGLE_BUFFER`, as requested.
    pub render_buffer: EGLint,
    /// EGL_KHR_gl_colorspace: sRGB.
    pub srgb: bool,
    /// `EGL_VG_ALPHA_FORMAT`, kept for queries.
    pub vg_alpha_format: EGLint,
    /// `EGL_VG_COLORSPACE`, kept for queries.
    pub vg_colorspace: EGLint,
}

impl Default for CreationAttributes {
    fn default() -> Self {
        Self {
            width: 0,
            height: 0,
            largest: false,
            render_buffer: EGL_BACK_BUFFER,
            srgb: false,
            vg_alpha_format: EGL_VG_ALPHA_FORMAT_NONPRE,
            vg_colorspace: EGL_VG_COLORSPACE_sRGB,
        }
    }
}

fn bad_attribute(name: EGLint) -> EglError {
    EglError::new(EGL_BAD_ATTRIBUTE, format!("attribute {name:#06x} or its value isn't one of this surface"))
}

impl CreationAttributes {
    /// Reads the attributes common to windows and pbuffers; false when `name` isn't one.
    fn read_common(&mut self, name: EGLint, value: EGLAttrib, config: &Config) -> EglResult<bool> {
        let value = EGLint::try_from(value).map_err(|_| bad_attribute(name))?;
        match name {
            EGL_GL_COLORSPACE => match value {
                EGL_GL_COLORSPACE_LINEAR => self.srgb = false,
                EGL_GL_COLORSPACE_SRGB => {
                    ensure(config.supports_srgb(), EGL_BAD_MATCH, "the config has no sRGB colour space")?;
                    self.srgb = true;
                }
                _ => return Err(bad_attribute(name)),
            },
            EGL_VG_COLORSPACE => match value {
                EGL_VG_COLORSPACE_sRGB => self.vg_colorspace = value,
                // Needs EGL_VG_COLORSPACE_LINEAR_BIT in the config's surface type.
                EGL_VG_COLORSPACE_LINEAR => return Err(no_openvg()),
                _ => return Err(bad_attribute(name)),
            },
            EGL_VG_ALPHA_FORMAT => match value {
                EGL_VG_ALPHA_FORMAT_NONPRE => self.vg_alpha_format = value,
                EGL_VG_ALPHA_FORMAT_PRE => return Err(no_openvg()),
                _ => return Err(bad_attribute(name)),
            },
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The list of eglCreateWindowSurface (EGL 1.5 3.5.1).
    ///
    /// # Errors
    /// `EGL_BAD_ATTRIBUTE`, `EGL_BAD_MATCH`.
    pub fn for_window(attributes: &[(EGLint, EGLAttrib)], config: &Config) -> EglResult<Self> {
        let mut creation = Self::default();
        for &(name, value) in attributes {
            if creation.read_common(name, value, config)? {
                continue;
            }
            match (name, EGLint::try_from(value)) {
                (EGL_RENDER_BUFFER, Ok(value @ (EGL_BACK_BUFFER | EGL_SINGLE_BUFFER))) => {
                    creation.render_buffer = value;
                }
                _ => return Err(bad_attribute(name)),
            }
        }
        Ok(creation)
    }

    /// The list of eglCreatePbufferSurface (EGL 1.5 3.5.2).
    ///
    /// # Errors
    /// `EGL_BAD_ATTRIBUTE`, `EGL_BAD_PARAMETER` for a negative size, `EGL_BAD_MATCH`, `EGL_BAD_ALLOC` for a
    /// size beyond the config's.
    pub fn for_pbuffer(attributes: &[(EGLint, EGLAttrib)], config: &Config) -> EglResult<Self> {
        let mut creation = Self::default();
        for &(name, value) in attributes {
            if creation.read_common(name, value, config)? {
                continue;
            }
            let number = EGLint::try_from(value).map_err(|_| bad_attribute(name))?;
            match name {
                EGL_WIDTH | EGL_HEIGHT => {
                    let pixels =
                        u32::try_from(number).map_err(|_| EglError::new(EGL_BAD_PARAMETER, "negative pbuffer size"))?;
                    if name == EGL_WIDTH { creation.width = pixels } else { creation.height = pixels }
                }
                EGL_LARGEST_PBUFFER => match number {
                    0 | 1 => creation.largest = number == 1,
                    _ => return Err(bad_attribute(name)),
                },
                EGL_TEXTURE_FORMAT => match number {
                    EGL_NO_TEXTURE => {}
                    EGL_TEXTURE_RGB | EGL_TEXTURE_RGBA => return Err(no_texture()),
                    _ => return Err(bad_attribute(name)),
                },
                EGL_TEXTURE_TARGET => match number {
                    EGL_NO_TEXTURE => {}
                    // EGL 1.5 3.5.2: format and target must both name a texture, or neither.
                    EGL_TEXTURE_2D => return Err(no_texture()),
                    _ => return Err(bad_attribute(name)),
                },
                EGL_MIPMAP_TEXTURE => ensure(matches!(number, 0 | 1), EGL_BAD_ATTRIBUTE, "not a boolean")?,
                _ => return Err(bad_attribute(name)),
            }
        }
        let limit = config.max_pbuffer_size.cast_unsigned();
        if creation.largest {
            creation.width = creation.width.min(limit);
            creation.height = creation.height.min(limit);
        }
        ensure(creation.width <= limit && creation.height <= limit, EGL_BAD_ALLOC, "larger than the largest pbuffer")?;
        Ok(creation)
    }
}

fn no_openvg() -> EglError {
    EglError::new(EGL_BAD_MATCH, "no config supports this OpenVG property")
}

fn no_texture() -> EglError {
    EglError::new(EGL_BAD_MATCH, "no config can be bound to a texture")
}

/// eglQuerySurface (EGL 1.5 3.5.6). None for an attribute that this kind of surface doesn't have and that leaves
/// the output untouched.
///
/// # Errors
/// `EGL_BAD_ATTRIBUTE` for one that no surface has.
pub fn query(surface: &Surface, name: EGLint) -> EglResult<Option<EGLint>> {
    let is_pbuffer = !surface.is_window();
    let creation = &surface.creation;
    Ok(Some(match name {
        EGL_CONFIG_ID => surface.config.id,
        EGL_WIDTH => surface.size().0.cast_signed(),
        EGL_HEIGHT => surface.size().1.cast_signed(),
        EGL_LARGEST_PBUFFER if is_pbuffer => EGLint::from(creation.largest),
        EGL_TEXTURE_FORMAT | EGL_TEXTURE_TARGET if is_pbuffer => EGL_NO_TEXTURE,
        EGL_MIPMAP_TEXTURE if is_pbuffer => 0,
        EGL_MIPMAP_LEVEL if is_pbuffer => surface.mipmap_level.load(Ordering::Relaxed),
        EGL_LARGEST_PBUFFER | EGL_TEXTURE_FORMAT | EGL_TEXTURE_TARGET | EGL_MIPMAP_TEXTURE | EGL_MIPMAP_LEVEL => {
            return Ok(None);
        }
        // A pbuffer always has a back buffer (EGL 1.5 3.5.6).
        EGL_RENDER_BUFFER => {
            if is_pbuffer {
                EGL_BACK_BUFFER
            } else {
                creation.render_buffer
            }
        }
        EGL_SWAP_BEHAVIOR => EGL_BUFFER_DESTROYED,
        EGL_MULTISAMPLE_RESOLVE => EGL_MULTISAMPLE_RESOLVE_DEFAULT,
        EGL_HORIZONTAL_RESOLUTION | EGL_VERTICAL_RESOLUTION | EGL_PIXEL_ASPECT_RATIO => EGL_UNKNOWN,
        EGL_GL_COLORSPACE => {
            if creation.srgb {
                EGL_GL_COLORSPACE_SRGB
            } else {
                EGL_GL_COLORSPACE_LINEAR
            }
        }
        EGL_VG_COLORSPACE => creation.vg_colorspace,
        EGL_VG_ALPHA_FORMAT => creation.vg_alpha_format,
        _ => return Err(bad_attribute(name)),
    }))
}

/// eglSurfaceAttrib (EGL 1.5 3.5.6).
///
/// # Errors
/// `EGL_BAD_ATTRIBUTE`, `EGL_BAD_MATCH`, `EGL_BAD_PARAMETER`.
pub fn set(surface: &Surface, name: EGLint, value: EGLint) -> EglResult<()> {
    match (name, value) {
        (EGL_MIPMAP_LEVEL, _) => {
            surface.mipmap_level.store(value, Ordering::Relaxed);
            Ok(())
        }
        (EGL_SWAP_BEHAVIOR, EGL_BUFFER_DESTROYED) | (EGL_MULTISAMPLE_RESOLVE, EGL_MULTISAMPLE_RESOLVE_DEFAULT) => {
            Ok(())
        }
        // Both need a bit in the config's surface type, which none of ours has.
        (EGL_SWAP_BEHAVIOR, EGL_BUFFER_PRESERVED) | (EGL_MULTISAMPLE_RESOLVE, EGL_MULTISAMPLE_RESOLVE_BOX) => {
            Err(EglError::new(EGL_BAD_MATCH, "the config doesn't support this behaviour"))
        }
        (EGL_SWAP_BEHAVIOR | EGL_MULTISAMPLE_RESOLVE, _) => {
            Err(EglError::new(EGL_BAD_PARAMETER, "not a value of this attribute"))
        }
        _ => Err(bad_attribute(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gallite_pipe::Format;

    fn config(format: Format) -> Config {
        Config {
            id: 1,
            color: [8, 8, 8, 8],
            depth: 0,
            stencil: 0,
            samples: 0,
            surface_type: EGL_PBUFFER_BIT,
            visual_id: 0,
            visual_type: EGL_NONE,
            window_format: format,
            pbuffer_format: format,
            depth_stencil_format: Format::NONE,
            max_pbuffer_size: 1000,
        }
    }

    fn pbuffer(list: &[(EGLint, EGLAttrib)]) -> Result<CreationAttributes, EGLint> {
        CreationAttributes::for_pbuffer(list, &config(Format::R8G8B8A8_UNORM)).map_err(|error| error.code)
    }

    #[test]
    fn largest_pbuffer_clamps_and_others_fail() {
        let too_wide = [(EGL_WIDTH, 5000), (EGL_HEIGHT, 10)];
        assert_eq!(pbuffer(&too_wide), Err(EGL_BAD_ALLOC));
        let largest = [(EGL_WIDTH, 5000), (EGL_HEIGHT, 10), (EGL_LARGEST_PBUFFER, 1)];
        assert_eq!(pbuffer(&largest).map(|c| (c.width, c.height)), Ok((1000, 10)));
    }

    #[test]
    fn sizes_default_to_zero_and_may_not_be_negative() {
        assert_eq!(pbuffer(&[]).map(|c| (c.width, c.height)), Ok((0, 0)));
        assert_eq!(pbuffer(&[(EGL_WIDTH, -1)]), Err(EGL_BAD_PARAMETER));
    }

    #[test]
    fn pbuffer_attributes_are_checked() {
        assert_eq!(pbuffer(&[(EGL_RENDER_BUFFER, EGL_BACK_BUFFER as EGLAttrib)]), Err(EGL_BAD_ATTRIBUTE));
        assert_eq!(pbuffer(&[(EGL_TEXTURE_TARGET, EGL_TEXTURE_2D as EGLAttrib)]), Err(EGL_BAD_MATCH));
        assert_eq!(pbuffer(&[(EGL_TEXTURE_FORMAT, EGL_NO_TEXTURE as EGLAttrib)]).map(|_| ()), Ok(()));
        assert_eq!(pbuffer(&[(EGL_VG_ALPHA_FORMAT, EGL_VG_ALPHA_FORMAT_PRE as EGLAttrib)]), Err(EGL_BAD_MATCH));
    }

    #[test]
    fn srgb_needs_a_format_that_has_it() {
        let list = [(EGL_GL_COLORSPACE, EGL_GL_COLORSPACE_SRGB as EGLAttrib)];
        assert_eq!(pbuffer(&list).map(|c| c.srgb), Ok(true));
        let none = CreationAttributes::for_window(&list, &config(Format::R10G10B10A2_UNORM));
        assert_eq!(none.map_err(|error| error.code), Err(EGL_BAD_MATCH));
    }
}
