//! Framebuffer configurations: what each offers, and which a display has.

use gallite_pipe::caps::{Caps, FormatUses};
use gallite_pipe::format::Format;

use crate::egl::error::{EglError, EglResult};
use crate::egl::types::*;
use crate::native::{Visual, VisualLayout};

/// Rendering APIs a context of any of our configs can have.
pub const RENDERABLE_APIS: EGLint = EGL_OPENGL_BIT;

/// One `EGLConfig`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// `EGL_CONFIG_ID`, from 1; also the handle's value.
    pub id: EGLint,
    /// Bits of red, green, blue and alpha.
    pub color: [EGLint; 4],
    /// Bits of depth.
    pub depth: EGLint,
    /// Bits of stencil.
    pub stencil: EGLint,
    /// Samples, 0 when not multisampled.
    pub samples: EGLint,
    /// `EGL_WINDOW_BIT` and so on.
    pub surface_type: EGLint,
    /// Native visual, 0 without one.
    pub visual_id: EGLint,
    /// Class of the native visual, `EGL_NONE` without one.
    pub visual_type: EGLint,
    /// Format of a window's images.
    pub window_format: Format,
    /// Format of a pbuffer's image.
    pub pbuffer_format: Format,
    /// Format of depth and stencil, `Format::NONE` when it has neither.
    pub depth_stencil_format: Format,
    /// Largest pbuffer, pixels along one side.
    pub max_pbuffer_size: EGLint,
}

impl Config {
    /// Handle of this config.
    pub const fn handle(&self) -> EGLConfig {
        EGLConfig(self.id as usize)
    }

    /// Whether surfaces can have the sRGB colour space (EGL_KHR_gl_colorspace).
    pub fn supports_srgb(&self) -> bool {
        self.pbuffer_format.srgb().is_some() && self.window_format.srgb().is_some()
    }

    /// Whether windows of this colour layout have the colour bits of this config.
    pub fn fits(&self, layout: VisualLayout) -> bool {
        let bits = match layout {
            VisualLayout::Rgb8 => [8, 8, 8],
            VisualLayout::Rgb10 => [10, 10, 10],
            VisualLayout::R5G6B5 => [5, 6, 5],
        };
        self.color[..3] == bits
    }

    /// Value of an attribute, as eglGetConfigAttrib returns it (EGL 1.5 table 3.1).
    ///
    /// # Errors
    /// `EGL_BAD_ATTRIBUTE` for an attribute a config doesn't have.
    pub fn attribute(&self, name: EGLint) -> EglResult<EGLint> {
        let has_window = self.surface_type & EGL_WINDOW_BIT != 0;
        Ok(match name {
            EGL_CONFIG_ID => self.id,
            EGL_RED_SIZE => self.color[0],
            EGL_GREEN_SIZE => self.color[1],
            EGL_BLUE_SIZE => self.color[2],
            EGL_ALPHA_SIZE => self.color[3],
            EGL_BUFFER_SIZE => self.color.iter().sum(),
            EGL_DEPTH_SIZE => self.depth,
            EGL_STENCIL_SIZE => self.stencil,
            EGL_SAMPLES => self.samples,
            EGL_SAMPLE_BUFFERS => EGLint::from(self.samples > 0),
            EGL_SURFACE_TYPE => self.surface_type,
            EGL_RENDERABLE_TYPE | EGL_CONFORMANT => RENDERABLE_APIS,
            EGL_NATIVE_VISUAL_ID => self.visual_id,
            EGL_NATIVE_VISUAL_TYPE => self.visual_type,
            EGL_NATIVE_RENDERABLE => 0,
            EGL_COLOR_BUFFER_TYPE => EGL_RGB_BUFFER,
            EGL_CONFIG_CAVEAT | EGL_TRANSPARENT_TYPE => EGL_NONE,
            EGL_MAX_PBUFFER_WIDTH | EGL_MAX_PBUFFER_HEIGHT => self.max_pbuffer_size,
            EGL_MAX_PBUFFER_PIXELS => self.max_pbuffer_size.saturating_mul(self.max_pbuffer_size),
            EGL_MIN_SWAP_INTERVAL => 0,
            EGL_MAX_SWAP_INTERVAL => EGLint::from(has_window),
            EGL_LUMINANCE_SIZE
            | EGL_ALPHA_MASK_SIZE
            | EGL_LEVEL
            | EGL_BIND_TO_TEXTURE_RGB
            | EGL_BIND_TO_TEXTURE_RGBA
            | EGL_TRANSPARENT_RED_VALUE
            | EGL_TRANSPARENT_GREEN_VALUE
            | EGL_TRANSPARENT_BLUE_VALUE => 0,
            _ => return Err(EglError::new(EGL_BAD_ATTRIBUTE, "not an attribute of a config")),
        })
    }
}

/// A colour layout configs are made of.
struct ColorLayout {
    color: [EGLint; 4],
    layout: VisualLayout,
    window_format: Format,
    pbuffer_format: Format,
}

/// In order of preference; the order decides the config ids, which break ties in eglChooseConfig.
const COLOR_LAYOUTS: [ColorLayout; 5] = [
    ColorLayout {
        color: [8, 8, 8, 8],
        layout: VisualLayout::Rgb8,
        window_format: Format::B8G8R8A8_UNORM,
        pbuffer_format: Format::R8G8B8A8_UNORM,
    },
    ColorLayout {
        color: [8, 8, 8, 0],
        layout: VisualLayout::Rgb8,
        window_format: Format::B8G8R8A8_UNORM,
        pbuffer_format: Format::R8G8B8A8_UNORM,
    },
    ColorLayout {
        color: [10, 10, 10, 2],
        layout: VisualLayout::Rgb10,
        window_format: Format::B10G10R10A2_UNORM,
        pbuffer_format: Format::R10G10B10A2_UNORM,
    },
    ColorLayout {
        color: [10, 10, 10, 0],
        layout: VisualLayout::Rgb10,
        window_format: Format::B10G10R10A2_UNORM,
        pbuffer_format: Format::R10G10B10A2_UNORM,
    },
    ColorLayout {
        color: [5, 6, 5, 0],
        layout: VisualLayout::R5G6B5,
        window_format: Format::B5G6R5_UNORM,
        pbuffer_format: Format::B5G6R5_UNORM,
    },
];

/// Bits of depth and stencil, and the formats that serve them, best first. Where a device lacks a
/// 24-bit format the float one serves, and the config says 32 because that is what it has.
const DEPTH_STENCIL: [&[(EGLint, EGLint, Format)]; 4] = [
    &[(0, 0, Format::NONE)],
    &[(24, 8, Format::Z24_UNORM_S8_UINT), (32, 8, Format::Z32_FLOAT_S8X24_UINT)],
    &[(24, 0, Format::Z24X8_UNORM), (32, 0, Format::Z32_FLOAT)],
    &[(16, 0, Format::Z16_UNORM)],
];

const SAMPLES: [u32; 4] = [0, 2, 4, 8];

/// What the screen says of a format.
pub trait FormatQuery {
    /// Uses and sample counts.
    fn format(&self, format: Format) -> (FormatUses, u32);
}

impl<F: Fn(Format) -> (FormatUses, u32)> FormatQuery for F {
    fn format(&self, format: Format) -> (FormatUses, u32) {
        self(format)
    }
}

/// Makes the configs of a display from what its screen and its native display have.
///
/// `visuals` is empty on displays without windows.
pub fn list(caps: &Caps, formats: &impl FormatQuery, visuals: &[Visual]) -> Vec<Config> {
    let limit = caps.limits.max_framebuffer_size.min(caps.limits.max_texture_2d_size);
    let max_pbuffer_size = EGLint::try_from(limit).unwrap_or(EGLint::MAX);
    let depth_stencil: Vec<_> = DEPTH_STENCIL.iter().filter_map(|choices| usable_depth(choices, formats)).collect();
    let mut configs = Vec::new();
    for layout in &COLOR_LAYOUTS {
        let (uses, color_counts) = formats.format(layout.pbuffer_format);
        if !uses.contains(FormatUses::COLOR) {
            continue;
        }
        let windows = window_choices(layout, formats, visuals);
        for visual in windows {
            for &(depth, stencil, depth_stencil_format, depth_counts) in &depth_stencil {
                for samples in SAMPLES {
                    if samples > 0 && (color_counts & depth_counts) & (1 << samples) == 0 {
                        continue;
                    }
                    configs.push(Config {
                        id: configs.len() as EGLint + 1,
                        color: layout.color,
                        depth,
                        stencil,
                        samples: samples as EGLint,
                        surface_type: EGL_PBUFFER_BIT | visual.map_or(0, |_| EGL_WINDOW_BIT),
                        visual_id: visual.map_or(0, |v| v.id.cast_signed()),
                        visual_type: visual.map_or(EGL_NONE, |v| EGLint::from(v.class)),
                        window_format: layout.window_format,
                        pbuffer_format: layout.pbuffer_format,
                        depth_stencil_format,
                        max_pbuffer_size,
                    });
                }
            }
        }
    }
    configs
}

/// The first format of the list that the screen renders to, with its sample counts.
fn usable_depth(
    choices: &[(EGLint, EGLint, Format)],
    formats: &impl FormatQuery,
) -> Option<(EGLint, EGLint, Format, u32)> {
    choices.iter().find_map(|&(depth, stencil, format)| {
        if format == Format::NONE {
            return Some((depth, stencil, format, u32::MAX));
        }
        let (uses, counts) = formats.format(format);
        uses.contains(FormatUses::DEPTH_STENCIL).then_some((depth, stencil, format, counts))
    })
}

/// The visuals windows of this layout can have; one `None` (pbuffers only) when there is none.
///
/// A config with alpha is offered on opaque visuals too (the window's alpha is then stored but not
/// shown), before the translucent ones: programs that take the first config with alpha expect an opaque
/// window.
fn window_choices<'a>(
    layout: &ColorLayout,
    formats: &impl FormatQuery,
    visuals: &'a [Visual],
) -> Vec<Option<&'a Visual>> {
    let has_window_format = formats.format(layout.window_format).0.contains(FormatUses::WINDOW);
    let mut choices: Vec<Option<&Visual>> = visuals
        .iter()
        .filter(|visual| has_window_format && visual.layout == layout.layout)
        .filter(|visual| layout.color[3] > 0 || !visual.translucent)
        .map(Some)
        .collect();
    choices.sort_by_key(|visual| visual.is_some_and(|visual| visual.translucent));
    if choices.is_empty() {
        choices.push(None);
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caps() -> Caps {
        let mut caps = Caps::default();
        caps.limits.max_framebuffer_size = 8192;
        caps.limits.max_texture_2d_size = 16384;
        caps
    }

    const ALL: FormatUses = FormatUses::ALL;

    fn opaque_and_translucent() -> [Visual; 2] {
        [
            Visual { id: 0x21, class: 4, depth: 24, layout: VisualLayout::Rgb8, translucent: false },
            Visual { id: 0x60, class: 4, depth: 32, layout: VisualLayout::Rgb8, translucent: true },
        ]
    }

    #[test]
    fn ids_are_dense_and_handles_follow_them() {
        let configs = list(&caps(), &|_| (ALL, 0b1_0001_0110), &[]);
        assert_eq!(configs.len(), 5 * 4 * 4);
        for (index, config) in configs.iter().enumerate() {
            assert_eq!(config.id as usize, index + 1);
            assert_eq!(config.handle().0, index + 1);
        }
    }

    #[test]
    fn without_windows_configs_are_for_pbuffers_only() {
        for config in list(&caps(), &|_| (ALL, 0), &[]) {
            assert_eq!(config.surface_type, EGL_PBUFFER_BIT);
            assert_eq!(config.attribute(EGL_NATIVE_VISUAL_TYPE), Ok(EGL_NONE));
            assert_eq!(config.attribute(EGL_MAX_SWAP_INTERVAL), Ok(0));
            assert_eq!(config.attribute(EGL_MAX_PBUFFER_WIDTH), Ok(8192));
        }
    }

    #[test]
    fn alpha_comes_on_opaque_visuals_first_and_no_alpha_never_on_translucent_ones() {
        let visuals = opaque_and_translucent();
        let configs = list(&caps(), &|_| (ALL, 0), &visuals);
        let alpha: Vec<_> =
            configs.iter().filter(|c| c.color == [8, 8, 8, 8] && c.depth == 0).map(|c| c.visual_id).collect();
        assert_eq!(alpha, [0x21, 0x60]);
        assert!(configs.iter().filter(|c| c.color == [8, 8, 8, 0]).all(|c| c.visual_id == 0x21));
        // 10-bit has no visual here: still there, for pbuffers.
        assert!(configs.iter().any(|c| c.color[0] == 10 && c.surface_type == EGL_PBUFFER_BIT));
    }

    #[test]
    fn a_device_without_24_bit_depth_says_32() {
        let formats = |format: Format| match format {
            Format::Z24_UNORM_S8_UINT | Format::Z24X8_UNORM => (FormatUses::EMPTY, 0),
            _ => (ALL, 0),
        };
        let configs = list(&caps(), &formats, &[]);
        assert!(configs.iter().all(|c| c.depth != 24));
        assert!(configs.iter().any(|c| (c.depth, c.stencil) == (32, 8)));
    }

    #[test]
    fn sample_counts_need_color_and_depth() {
        let formats = |format: Format| {
            let counts = if format.is_depth_stencil() { 0b10010 } else { 0b1_0001_0110 };
            (ALL, counts)
        };
        let configs = list(&caps(), &formats, &[]);
        assert!(configs.iter().any(|c| c.samples == 8 && c.depth == 0));
        assert!(configs.iter().all(|c| c.samples != 8 || c.depth == 0));
        assert!(configs.iter().any(|c| c.samples == 4 && c.depth == 24));
    }
}
