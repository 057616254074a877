//! eglChooseConfig: selection criteria and the sort order (EGL 1.5 3.4.1).

use std::cmp::Reverse;

use crate::egl::config::Config;
use crate::egl::error::{EglError, EglResult};
use crate::egl::types::*;

/// How a requested value is compared (EGL 1.5 table 3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Criterion {
    AtLeast,
    Exact,
    Mask,
    /// Accepted and not compared.
    Ignored,
}

/// Values a request may name besides `EGL_DONT_CARE`.
#[derive(Debug, Clone, Copy)]
enum Domain {
    NotNegative,
    Boolean,
    OneOf(&'static [EGLint]),
    Bits(EGLint),
    Any,
}

struct Rule {
    attribute: EGLint,
    default: EGLint,
    criterion: Criterion,
    domain: Domain,
}

const fn rule(attribute: EGLint, default: EGLint, criterion: Criterion, domain: Domain) -> Rule {
    Rule { attribute, default, criterion, domain }
}

const SURFACE_BITS: EGLint = EGL_PBUFFER_BIT
    | EGL_PIXMAP_BIT
    | EGL_WINDOW_BIT
    | EGL_VG_COLORSPACE_LINEAR_BIT
    | EGL_VG_ALPHA_FORMAT_PRE_BIT
    | EGL_MULTISAMPLE_RESOLVE_BOX_BIT
    | EGL_SWAP_BEHAVIOR_PRESERVED_BIT;

const API_BITS: EGLint = EGL_OPENGL_ES_BIT | EGL_OPENVG_BIT | EGL_OPENGL_ES2_BIT | EGL_OPENGL_BIT | EGL_OPENGL_ES3_BIT;

use Criterion::{AtLeast, Exact, Ignored, Mask};
use Domain::{Any, Bits, Boolean, NotNegative, OneOf};

/// EGL 1.5 table 3.4. EGL_CONFIG_ID and EGL_MATCH_NATIVE_PIXMAP are handled apart.
const RULES: &[Rule] = &[
    rule(EGL_BUFFER_SIZE, 0, AtLeast, NotNegative),
    rule(EGL_RED_SIZE, 0, AtLeast, NotNegative),
    rule(EGL_GREEN_SIZE, 0, AtLeast, NotNegative),
    rule(EGL_BLUE_SIZE, 0, AtLeast, NotNegative),
    rule(EGL_LUMINANCE_SIZE, 0, AtLeast, NotNegative),
    rule(EGL_ALPHA_SIZE, 0, AtLeast, NotNegative),
    rule(EGL_ALPHA_MASK_SIZE, 0, AtLeast, NotNegative),
    rule(EGL_BIND_TO_TEXTURE_RGB, EGL_DONT_CARE, Exact, Boolean),
    rule(EGL_BIND_TO_TEXTURE_RGBA, EGL_DONT_CARE, Exact, Boolean),
    rule(EGL_COLOR_BUFFER_TYPE, EGL_RGB_BUFFER, Exact, OneOf(&[EGL_RGB_BUFFER, EGL_LUMINANCE_BUFFER])),
    rule(EGL_CONFIG_CAVEAT, EGL_DONT_CARE, Exact, OneOf(&[EGL_NONE, EGL_SLOW_CONFIG, EGL_NON_CONFORMANT_CONFIG])),
    rule(EGL_CONFORMANT, 0, Mask, Bits(API_BITS)),
    rule(EGL_DEPTH_SIZE, 0, AtLeast, NotNegative),
    rule(EGL_LEVEL, 0, Exact, Any),
    rule(EGL_MAX_PBUFFER_WIDTH, 0, Ignored, Any),
    rule(EGL_MAX_PBUFFER_HEIGHT, 0, Ignored, Any),
    rule(EGL_MAX_PBUFFER_PIXELS, 0, Ignored, Any),
    rule(EGL_MAX_SWAP_INTERVAL, EGL_DONT_CARE, Exact, NotNegative),
    rule(EGL_MIN_SWAP_INTERVAL, EGL_DONT_CARE, Exact, NotNegative),
    rule(EGL_NATIVE_RENDERABLE, EGL_DONT_CARE, Exact, Boolean),
    rule(EGL_NATIVE_VISUAL_ID, EGL_DONT_CARE, Ignored, Any),
    rule(EGL_NATIVE_VISUAL_TYPE, EGL_DONT_CARE, Exact, Any),
    // EGL 1.5 says EGL_OPENGL_ES_BIT, which no config has while there are no OpenGL ES contexts: programs that rely on the
    // default (GTK 4 does, and then makes an OpenGL context) would find nothing at all.
    rule(EGL_RENDERABLE_TYPE, EGL_DONT_CARE, Mask, Bits(API_BITS)),
    rule(EGL_SAMPLE_BUFFERS, 0, AtLeast, NotNegative),
    rule(EGL_SAMPLES, 0, AtLeast, NotNegative),
    rule(EGL_STENCIL_SIZE, 0, AtLeast, NotNegative),
    rule(EGL_SURFACE_TYPE, EGL_WINDOW_BIT, Mask, Bits(SURFACE_BITS)),
    rule(EGL_TRANSPARENT_TYPE, EGL_NONE, Exact, OneOf(&[EGL_NONE, EGL_TRANSPARENT_RGB])),
    rule(EGL_TRANSPARENT_RED_VALUE, EGL_DONT_CARE, Exact, NotNegative),
    rule(EGL_TRANSPARENT_GREEN_VALUE, EGL_DONT_CARE, Exact, NotNegative),
    rule(EGL_TRANSPARENT_BLUE_VALUE, EGL_DONT_CARE, Exact, NotNegative),
];

/// A parsed attribute list of eglChooseConfig.
#[derive(Debug, Clone)]
pub struct Criteria {
    /// Requested value of each rule, parallel to `RULES`.
    values: [EGLint; RULES.len()],
    config_id: Option<EGLint>,
    native_pixmap: bool,
}

impl Criteria {
    /// Checks and reads an attribute list.
    ///
    /// # Errors
    /// `EGL_BAD_ATTRIBUTE` for an unknown attribute or a value out of range.
    pub fn parse(attributes: &[(EGLint, EGLAttrib)]) -> EglResult<Self> {
        let mut criteria =
            Self { values: std::array::from_fn(|index| RULES[index].default), config_id: None, native_pixmap: false };
        for &(name, value) in attributes {
            let value = EGLint::try_from(value).map_err(|_| bad_value(name, value))?;
            match name {
                EGL_CONFIG_ID => {
                    criteria.config_id = (value != EGL_DONT_CARE).then_some(value);
                }
                // The value is a native handle, truncated to EGLint by the EGL 1.5 interface itself.
                EGL_MATCH_NATIVE_PIXMAP => criteria.native_pixmap = value != EGL_NONE,
                _ => {
                    let index = RULES.iter().position(|rule| rule.attribute == name).ok_or_else(|| {
                        EglError::new(EGL_BAD_ATTRIBUTE, format!("{name:#06x} isn't a config attribute"))
                    })?;
                    check_value(&RULES[index], value)?;
                    criteria.values[index] = value;
                }
            }
        }
        Ok(criteria)
    }

    fn value(&self, attribute: EGLint) -> EGLint {
        RULES.iter().position(|rule| rule.attribute == attribute).map_or(EGL_DONT_CARE, |index| self.values[index])
    }

    fn accepts(&self, config: &Config) -> bool {
        // EGL 1.5 3.4.1.1: with EGL_CONFIG_ID every other attribute is ignored.
        if let Some(id) = self.config_id {
            return config.id == id;
        }
        // No config renders to native pixmaps, so none matches one.
        if self.native_pixmap {
            return false;
        }
        let opaque = self.value(EGL_TRANSPARENT_TYPE) == EGL_NONE;
        RULES.iter().zip(self.values).all(|(rule, wanted)| {
            let is_transparent_value = matches!(
                rule.attribute,
                EGL_TRANSPARENT_RED_VALUE | EGL_TRANSPARENT_GREEN_VALUE | EGL_TRANSPARENT_BLUE_VALUE
            );
            if wanted == EGL_DONT_CARE || (opaque && is_transparent_value) {
                return true;
            }
            let Ok(has) = config.attribute(rule.attribute) else { return false };
            match rule.criterion {
                AtLeast => has >= wanted,
                Exact => has == wanted,
                Mask => has & wanted == wanted,
                Ignored => true,
            }
        })
    }

    /// The configs that match, in the order of EGL 1.5 3.4.1.2.
    pub fn choose<'a>(&self, configs: &'a [Config]) -> Vec<&'a Config> {
        let mut chosen: Vec<&Config> = configs.iter().filter(|config| self.accepts(config)).collect();
        // Rule 1 (caveat) and rule 2 (colour buffer type) are equal for all of our configs, as are
        // the alpha mask size and the luminance of the later ones. EGL_NATIVE_VISUAL_TYPE's order is
        // ours to define: by value.
        chosen.sort_by_key(|config| {
            (
                Reverse(self.requested_color_bits(config)),
                config.color.iter().sum::<EGLint>(),
                config.samples.min(1),
                config.samples,
                config.depth,
                config.stencil,
                config.visual_type,
                config.id,
            )
        });
        chosen
    }

    /// Colour bits of the components whose requested size is neither 0 nor `EGL_DONT_CARE`.
    fn requested_color_bits(&self, config: &Config) -> EGLint {
        [EGL_RED_SIZE, EGL_GREEN_SIZE, EGL_BLUE_SIZE, EGL_ALPHA_SIZE]
            .iter()
            .zip(config.color)
            .filter(|&(&attribute, _)| self.value(attribute) > 0)
            .map(|(_, bits)| bits)
            .sum()
    }
}

fn check_value(rule: &Rule, value: EGLint) -> EglResult<()> {
    // EGL 1.5 3.4.1.1: EGL_DONT_CARE may be given for every attribute except EGL_LEVEL. -1 is also
    // a level, so there it is taken as one.
    let valid = (value == EGL_DONT_CARE && rule.attribute != EGL_LEVEL)
        || match rule.domain {
            NotNegative => value >= 0,
            Boolean => matches!(value, 0 | 1),
            OneOf(list) => list.contains(&value),
            Bits(bits) => value & !bits == 0,
            Any => true,
        };
    if valid { Ok(()) } else { Err(bad_value(rule.attribute, value as EGLAttrib)) }
}

fn bad_value(name: EGLint, value: EGLAttrib) -> EglError {
    EglError::new(EGL_BAD_ATTRIBUTE, format!("{value} is out of range for config attribute {name:#06x}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gallite_pipe::format::Format;

    fn config(id: EGLint, color: [EGLint; 4], depth: EGLint, stencil: EGLint, samples: EGLint) -> Config {
        Config {
            id,
            color,
            depth,
            stencil,
            samples,
            surface_type: EGL_PBUFFER_BIT | EGL_WINDOW_BIT,
            visual_id: 0x21,
            visual_type: 4,
            window_format: Format::B8G8R8A8_UNORM,
            pbuffer_format: Format::R8G8B8A8_UNORM,
            depth_stencil_format: Format::NONE,
            max_pbuffer_size: 4096,
        }
    }

    fn sample_configs() -> Vec<Config> {
        vec![
            config(1, [8, 8, 8, 8], 0, 0, 0),
            config(2, [8, 8, 8, 8], 24, 8, 0),
            config(3, [8, 8, 8, 8], 24, 8, 4),
            config(4, [8, 8, 8, 0], 0, 0, 0),
            config(5, [8, 8, 8, 0], 24, 8, 0),
            config(6, [8, 8, 8, 0], 16, 0, 0),
            config(7, [5, 6, 5, 0], 24, 0, 0),
            config(8, [10, 10, 10, 2], 24, 8, 0),
        ]
    }

    fn ids(attributes: &[(EGLint, EGLAttrib)]) -> Vec<EGLint> {
        let mut all = vec![(EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT as EGLAttrib)];
        all.extend_from_slice(attributes);
        let criteria = Criteria::parse(&all).expect("valid list");
        criteria.choose(&sample_configs()).iter().map(|c| c.id).collect()
    }

    /// EGL 1.5 3.4.1.2 rule 3: more bits of the requested components come first, whatever the rest.
    #[test]
    fn requested_components_sort_larger_first() {
        assert_eq!(ids(&[(EGL_RED_SIZE, 1)]), [8, 4, 6, 5, 1, 2, 3, 7]);
        // Alpha requested: 8+8 beats 10+2.
        assert_eq!(ids(&[(EGL_RED_SIZE, 8), (EGL_ALPHA_SIZE, 1)]), [1, 2, 3, 8]);
        // Green and blue too: 32 = 32, the tie goes to the buffer size (equal), samples, depth.
        assert_eq!(
            ids(&[(EGL_RED_SIZE, 8), (EGL_GREEN_SIZE, 8), (EGL_BLUE_SIZE, 8), (EGL_ALPHA_SIZE, 1)]),
            [1, 2, 8, 3]
        );
    }

    /// Rules 4 to 8: smaller buffer, fewer samples, smaller depth, smaller stencil.
    #[test]
    fn everything_else_sorts_smaller_first() {
        assert_eq!(ids(&[]), [7, 4, 6, 5, 1, 2, 8, 3]);
        assert_eq!(ids(&[(EGL_DEPTH_SIZE, 16)]), [7, 6, 5, 2, 8, 3]);
        // A requested size of EGL_DONT_CARE takes no part in rule 3.
        assert_eq!(ids(&[(EGL_RED_SIZE, -1)]), ids(&[]));
    }

    #[test]
    fn masks_need_every_bit() {
        assert!(ids(&[(EGL_SURFACE_TYPE, (EGL_PIXMAP_BIT | EGL_WINDOW_BIT) as EGLAttrib)]).is_empty());
        assert_eq!(ids(&[(EGL_SURFACE_TYPE, 0)]).len(), 8);
    }

    /// GTK 4 names no renderable type and makes an OpenGL context with what it gets.
    #[test]
    fn without_a_renderable_type_every_config_will_do() {
        let criteria = Criteria::parse(&[]).expect("valid");
        assert_eq!(criteria.choose(&sample_configs()).len(), sample_configs().len());
        let es = [(EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT as EGLAttrib)];
        assert!(Criteria::parse(&es).expect("valid").choose(&sample_configs()).is_empty());
    }

    #[test]
    fn config_id_overrides_everything() {
        assert_eq!(ids(&[(EGL_CONFIG_ID, 3), (EGL_DEPTH_SIZE, 99)]), [3]);
        assert!(ids(&[(EGL_CONFIG_ID, 77)]).is_empty());
    }

    #[test]
    fn bad_values_are_attribute_errors() {
        for list in [
            [(EGL_RED_SIZE, -2)],
            [(EGL_CONFIG_CAVEAT, 3)],
            [(EGL_SURFACE_TYPE, 0x4000_0000)],
            [(EGL_WIDTH, 3)],
            [(EGL_BIND_TO_TEXTURE_RGB, 2)],
            [(EGL_COLOR_BUFFER_TYPE, 0)],
        ] {
            assert_eq!(Criteria::parse(&list).map_err(|e| e.code).err(), Some(EGL_BAD_ATTRIBUTE), "{list:?}");
        }
    }

    #[test]
    fn transparent_values_count_only_for_transparent_configs() {
        assert_eq!(ids(&[(EGL_TRANSPARENT_RED_VALUE, 5)]).len(), 8);
        assert!(ids(&[(EGL_TRANSPARENT_TYPE, EGL_TRANSPARENT_RGB as EGLAttrib)]).is_empty());
    }
}
