//! Sampler objects, and the sampling parameters they share with textures (GL 4.6 core 8.2, 8.10).

use gallite_pipe::{BorderKind, CompareFunc, F32, Filter, MipFilter, SamplerFlags, SamplerState, Wrap};
use parking_lot::Mutex;

use crate::error::{GlError, GlResult};
use crate::gl::*;
use crate::share::ObjectHeader;

/// One of the sampler objects.
#[derive(Debug)]
pub struct Sampler {
    /// Name, label, generation.
    pub header: ObjectHeader,
    /// Its parameters.
    pub params: Mutex<SamplerParams>,
}

impl Sampler {
    /// A new object with the initial parameters.
    pub fn new(name: GLuint) -> Self {
        Self { header: ObjectHeader::new(name), params: Mutex::new(SamplerParams::default()) }
    }
}

/// Parameters of GL 4.6 core table 23.18.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SamplerParams {
    /// GL_TEXTURE_WRAP_S, _T, _R.
    pub wrap: [GLenum; 3],
    /// GL_TEXTURE_MIN_FILTER.
    pub min_filter: GLenum,
    /// GL_TEXTURE_MAG_FILTER.
    pub mag_filter: GLenum,
    /// GL_TEXTURE_MIN_LOD.
    pub min_lod: f32,
    /// GL_TEXTURE_MAX_LOD.
    pub max_lod: f32,
    /// GL_TEXTURE_LOD_BIAS.
    pub lod_bias: f32,
    /// GL_TEXTURE_COMPARE_MODE.
    pub compare_mode: GLenum,
    /// GL_TEXTURE_COMPARE_FUNC.
    pub compare_func: GLenum,
    /// GL_TEXTURE_BORDER_COLOR: bits of floats, or integers; the texture's format says which.
    pub border: [u32; 4],
    /// GL_TEXTURE_MAX_ANISOTROPY.
    pub max_anisotropy: f32,
    /// GL_TEXTURE_SRGB_DECODE_EXT.
    pub srgb_decode: GLenum,
    /// GL_TEXTURE_CUBE_MAP_SEAMLESS of this texture or sampler (ARB_seamless_cubemap_per_texture).
    pub cube_seamless: bool,
}

impl Default for SamplerParams {
    fn default() -> Self {
        Self {
            wrap: [GL_REPEAT; 3],
            min_filter: GL_NEAREST_MIPMAP_LINEAR,
            mag_filter: GL_LINEAR,
            min_lod: -1000.0,
            max_lod: 1000.0,
            lod_bias: 0.0,
            compare_mode: GL_NONE,
            compare_func: GL_LEQUAL,
            border: [0; 4],
            max_anisotropy: 1.0,
            srgb_decode: GL_DECODE_EXT,
            cube_seamless: false,
        }
    }
}

/// The value of a glTexParameter* or glSamplerParameter* command, in the type the command took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamValue {
    /// One int or int vector.
    Int([GLint; 4]),
    /// One float or float vector.
    Float([GLfloat; 4]),
    /// A vector of the I commands, signed.
    PureInt([GLint; 4]),
    /// A vector of the I commands, unsigned.
    PureUint([GLuint; 4]),
}

impl ParamValue {
    /// The first element as an enum.
    pub fn as_enum(&self) -> GLenum {
        match self {
            Self::Int(v) | Self::PureInt(v) => v[0] as GLenum,
            Self::Float(v) => v[0] as GLint as GLenum,
            Self::PureUint(v) => v[0],
        }
    }

    /// The first element as an integer. GL 4.6 core 2.2.1: floats are rounded to the nearest integer.
    pub fn as_int(&self) -> GLint {
        match self {
            Self::Int(v) | Self::PureInt(v) => v[0],
            Self::Float(v) => v[0].round() as GLint,
            Self::PureUint(v) => v[0] as GLint,
        }
    }

    /// Element `index` as an enum.
    pub fn enum_at(&self, index: usize) -> GLenum {
        match self {
            Self::Int(v) | Self::PureInt(v) => v[index] as GLenum,
            Self::Float(v) => v[index] as GLint as GLenum,
            Self::PureUint(v) => v[index],
        }
    }

    /// The first element as a float.
    pub fn as_float(&self) -> GLfloat {
        match self {
            Self::Int(v) | Self::PureInt(v) => v[0] as GLfloat,
            Self::Float(v) => v[0],
            Self::PureUint(v) => v[0] as GLfloat,
        }
    }

    /// All elements as a border colour. GL 4.6 core 8.10: integers of the non-I command are normalized.
    fn border(&self) -> [u32; 4] {
        match self {
            Self::Int(v) => v.map(|c| ((f64::from(c) / f64::from(i32::MAX)).max(-1.0) as f32).to_bits()),
            Self::Float(v) => v.map(f32::to_bits),
            Self::PureInt(v) => v.map(|c| c as u32),
            Self::PureUint(v) => *v,
        }
    }
}

/// The answer to a parameter query, in the type it is kept in; the command converts it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamAnswer {
    /// An enum, boolean or integer.
    Int(GLint),
    /// A float.
    Float(GLfloat),
    /// A border colour.
    Border([u32; 4]),
    /// Four enums.
    Enums([GLenum; 4]),
}

impl ParamAnswer {
    /// As floats, for a query with `fv`.
    pub fn floats(&self) -> ([GLfloat; 4], usize) {
        match self {
            Self::Int(v) => ([*v as f32, 0.0, 0.0, 0.0], 1),
            Self::Float(v) => ([*v, 0.0, 0.0, 0.0], 1),
            Self::Border(bits) => (bits.map(f32::from_bits), 4),
            Self::Enums(v) => (v.map(|e| e as f32), 4),
        }
    }

    /// As integers, for a query with `iv`. GL 4.6 core 2.2.2: colours map 1.0 to the largest integer; other floats are
    /// rounded.
    pub fn ints(&self) -> ([GLint; 4], usize) {
        match self {
            Self::Int(v) => ([*v, 0, 0, 0], 1),
            Self::Float(v) => ([v.round() as GLint, 0, 0, 0], 1),
            Self::Border(bits) => {
                let to_int = |b: u32| (f64::from(f32::from_bits(b)).clamp(-1.0, 1.0) * f64::from(i32::MAX)) as GLint;
                (bits.map(to_int), 4)
            }
            Self::Enums(v) => (v.map(|e| e as GLint), 4),
        }
    }

    /// As raw integers, for a query with `Iiv` or `Iuiv`.
    pub fn raw(&self) -> ([u32; 4], usize) {
        match self {
            Self::Border(bits) => (*bits, 4),
            other => {
                let (ints, count) = other.ints();
                (ints.map(|i| i as u32), count)
            }
        }
    }
}

/// What the context allows in sampler parameters.
#[derive(Debug, Clone, Copy)]
pub struct SamplerRules {
    /// GL_CLAMP exists.
    pub compatibility: bool,
    /// Anisotropy can be set.
    pub anisotropy: bool,
    /// GL_MIRROR_CLAMP_TO_EDGE exists.
    pub mirror_clamp: bool,
}

fn bad_param(command: &str, value: GLenum) -> GlError {
    GlError::invalid_enum(format!("{command}: param 0x{value:04X}"))
}

impl SamplerParams {
    /// Sets a sampler parameter. `Ok(true)` when it changed something, `Ok(false)` when it held that value already.
    /// `None` when `pname` is no sampler parameter.
    ///
    /// # Errors
    /// GL 4.6 core 8.2, 8.10 and table 8.14: `INVALID_ENUM` for values outside the table, `INVALID_VALUE` for anisotropy below 1.
    pub fn set(
        &mut self,
        command: &str,
        pname: GLenum,
        value: &ParamValue,
        rules: SamplerRules,
    ) -> Option<GlResult<bool>> {
        let mut next = *self;
        let result = next.apply(command, pname, value, rules)?;
        Some(result.map(|()| {
            let changed = next != *self;
            *self = next;
            changed
        }))
    }

    fn apply(&mut self, command: &str, pname: GLenum, value: &ParamValue, rules: SamplerRules) -> Option<GlResult> {
        let e = value.as_enum();
        match pname {
            GL_TEXTURE_WRAP_S | GL_TEXTURE_WRAP_T | GL_TEXTURE_WRAP_R => {
                if !wrap_exists(e, rules) {
                    return Some(Err(bad_param(command, e)));
                }
                let axis = match pname {
                    GL_TEXTURE_WRAP_S => 0,
                    GL_TEXTURE_WRAP_T => 1,
                    _ => 2,
                };
                self.wrap[axis] = e;
            }
            GL_TEXTURE_MIN_FILTER => {
                if !matches!(e, GL_NEAREST | GL_LINEAR) && !is_mipmap_filter(e) {
                    return Some(Err(bad_param(command, e)));
                }
                self.min_filter = e;
            }
            GL_TEXTURE_MAG_FILTER => {
                if !matches!(e, GL_NEAREST | GL_LINEAR) {
                    return Some(Err(bad_param(command, e)));
                }
                self.mag_filter = e;
            }
            GL_TEXTURE_MIN_LOD => self.min_lod = value.as_float(),
            GL_TEXTURE_MAX_LOD => self.max_lod = value.as_float(),
            GL_TEXTURE_LOD_BIAS => self.lod_bias = value.as_float(),
            GL_TEXTURE_COMPARE_MODE => {
                if !matches!(e, GL_NONE | GL_COMPARE_REF_TO_TEXTURE) {
                    return Some(Err(bad_param(command, e)));
                }
                self.compare_mode = e;
            }
            GL_TEXTURE_COMPARE_FUNC => {
                if !(GL_NEVER..=GL_ALWAYS).contains(&e) {
                    return Some(Err(bad_param(command, e)));
                }
                self.compare_func = e;
            }
            GL_TEXTURE_BORDER_COLOR => self.border = value.border(),
            GL_TEXTURE_MAX_ANISOTROPY if rules.anisotropy => {
                let degree = value.as_float();
                if degree.is_nan() || degree < 1.0 {
                    return Some(Err(GlError::invalid_value(format!("{command}: anisotropy {degree} is below 1"))));
                }
                self.max_anisotropy = degree;
            }
            GL_TEXTURE_SRGB_DECODE_EXT => {
                if !matches!(e, GL_DECODE_EXT | GL_SKIP_DECODE_EXT) {
                    return Some(Err(bad_param(command, e)));
                }
                self.srgb_decode = e;
            }
            GL_TEXTURE_CUBE_MAP_SEAMLESS => {
                if e > 1 {
                    return Some(Err(GlError::invalid_value(format!("{command}: seamless is neither 0 nor 1"))));
                }
                self.cube_seamless = e == 1;
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    /// A sampler parameter's value; `None` when `pname` is none.
    pub fn get(&self, pname: GLenum, rules: SamplerRules) -> Option<ParamAnswer> {
        let int = |e: GLenum| ParamAnswer::Int(e as GLint);
        Some(match pname {
            GL_TEXTURE_WRAP_S => int(self.wrap[0]),
            GL_TEXTURE_WRAP_T => int(self.wrap[1]),
            GL_TEXTURE_WRAP_R => int(self.wrap[2]),
            GL_TEXTURE_MIN_FILTER => int(self.min_filter),
            GL_TEXTURE_MAG_FILTER => int(self.mag_filter),
            GL_TEXTURE_MIN_LOD => ParamAnswer::Float(self.min_lod),
            GL_TEXTURE_MAX_LOD => ParamAnswer::Float(self.max_lod),
            GL_TEXTURE_LOD_BIAS => ParamAnswer::Float(self.lod_bias),
            GL_TEXTURE_COMPARE_MODE => int(self.compare_mode),
            GL_TEXTURE_COMPARE_FUNC => int(self.compare_func),
            GL_TEXTURE_BORDER_COLOR => ParamAnswer::Border(self.border),
            GL_TEXTURE_MAX_ANISOTROPY if rules.anisotropy => ParamAnswer::Float(self.max_anisotropy),
            GL_TEXTURE_SRGB_DECODE_EXT => int(self.srgb_decode),
            GL_TEXTURE_CUBE_MAP_SEAMLESS => ParamAnswer::Int(GLint::from(self.cube_seamless)),
            _ => return None,
        })
    }

    /// Whether minification chooses between levels.
    #[inline]
    pub fn uses_mipmaps(&self) -> bool {
        is_mipmap_filter(self.min_filter)
    }

    /// Whether some filter blends texels, which integer and stencil textures can't do (GL 4.6 core 8.17).
    #[inline]
    pub fn is_linear(&self) -> bool {
        self.mag_filter != GL_NEAREST || !matches!(self.min_filter, GL_NEAREST | GL_NEAREST_MIPMAP_NEAREST)
    }

    /// The driver's sampler for a texture with these traits.
    pub fn lower(&self, traits: &SampleTraits) -> SamplerState {
        let (min_filter, mip_filter) = match self.min_filter {
            GL_NEAREST => (Filter::NEAREST, MipFilter::NONE),
            GL_LINEAR => (Filter::LINEAR, MipFilter::NONE),
            GL_NEAREST_MIPMAP_NEAREST => (Filter::NEAREST, MipFilter::NEAREST),
            GL_LINEAR_MIPMAP_NEAREST => (Filter::LINEAR, MipFilter::NEAREST),
            GL_NEAREST_MIPMAP_LINEAR => (Filter::NEAREST, MipFilter::LINEAR),
            _ => (Filter::LINEAR, MipFilter::LINEAR),
        };
        let wrap = self.wrap.map(lower_wrap);
        // Axes the texture lacks must not make two equal samplers differ.
        let axis = |i: usize| if i < traits.axes { wrap[i] } else { Wrap::CLAMP_TO_EDGE };
        let used = [axis(0), axis(1), axis(2)];
        let border = used.iter().any(|w| matches!(*w, Wrap::CLAMP_TO_BORDER | Wrap::CLAMP));
        let mut flags = SamplerFlags(0);
        let compare = traits.compare && self.compare_mode != GL_NONE;
        if compare {
            flags.0 |= SamplerFlags::COMPARE.0;
        }
        if traits.unnormalized {
            flags.0 |= SamplerFlags::UNNORMALIZED.0;
        }
        if traits.cube && (traits.seamless || self.cube_seamless) {
            flags.0 |= SamplerFlags::SEAMLESS_CUBE.0;
        }
        let anisotropic = self.max_anisotropy > 1.0 && traits.max_anisotropy > 1.0;
        SamplerState {
            wrap_s: used[0],
            wrap_t: used[1],
            wrap_r: used[2],
            min_filter,
            mag_filter: if self.mag_filter == GL_NEAREST { Filter::NEAREST } else { Filter::LINEAR },
            mip_filter,
            compare_func: if compare { CompareFunc((self.compare_func - GL_NEVER) as u8) } else { CompareFunc::NEVER },
            flags,
            border_kind: if border { traits.border_kind } else { BorderKind::FLOAT },
            reduction: 0,
            reserved: [0; 2],
            lod_bias: F32::new(
                finite(self.lod_bias + traits.unit_bias).clamp(-traits.max_lod_bias, traits.max_lod_bias),
            ),
            min_lod: F32::new(finite(self.min_lod)),
            max_lod: F32::new(finite(self.max_lod)),
            max_anisotropy: F32::new(if anisotropic { self.max_anisotropy.min(traits.max_anisotropy) } else { 1.0 }),
            border_color: if border { (traits.border)(&self.border, traits) } else { [0; 4] },
        }
    }
}

fn finite(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value }
}

/// What the driver's sampler depends on besides its parameters.
#[derive(Clone, Copy, Debug)]
pub struct SampleTraits {
    /// Coordinates that can leave the image: 1, 2 or 3.
    pub axes: usize,
    /// The shader compares and the texture has depth.
    pub compare: bool,
    /// Rectangle texture.
    pub unnormalized: bool,
    /// Cube map or array of them.
    pub cube: bool,
    /// GL_TEXTURE_CUBE_MAP_SEAMLESS of the context.
    pub seamless: bool,
    /// How the border colour's bits are meant.
    pub border_kind: BorderKind,
    /// Turns the program's border colour into what the stored channels hold.
    pub border: fn(&[u32; 4], &Self) -> [u32; 4],
    /// Base format and stored format, for `border`.
    pub stored: (crate::pixels::internal::Base, gallite_pipe::Format),
    /// Texture unit's bias (compatibility profile).
    pub unit_bias: f32,
    /// Limit.
    pub max_lod_bias: f32,
    /// Limit; 1 or less when there is none.
    pub max_anisotropy: f32,
}

/// Whether a minification filter uses levels.
pub fn is_mipmap_filter(filter: GLenum) -> bool {
    matches!(
        filter,
        GL_NEAREST_MIPMAP_NEAREST | GL_NEAREST_MIPMAP_LINEAR | GL_LINEAR_MIPMAP_NEAREST | GL_LINEAR_MIPMAP_LINEAR
    )
}

fn wrap_exists(wrap: GLenum, rules: SamplerRules) -> bool {
    match wrap {
        GL_REPEAT | GL_CLAMP_TO_EDGE | GL_CLAMP_TO_BORDER | GL_MIRRORED_REPEAT => true,
        GL_MIRROR_CLAMP_TO_EDGE => rules.mirror_clamp,
        GL_CLAMP => rules.compatibility,
        _ => false,
    }
}

fn lower_wrap(wrap: GLenum) -> Wrap {
    match wrap {
        GL_CLAMP_TO_EDGE => Wrap::CLAMP_TO_EDGE,
        GL_CLAMP_TO_BORDER => Wrap::CLAMP_TO_BORDER,
        GL_MIRRORED_REPEAT => Wrap::MIRRORED_REPEAT,
        GL_MIRROR_CLAMP_TO_EDGE => Wrap::MIRROR_CLAMP_TO_EDGE,
        GL_CLAMP => Wrap::CLAMP,
        _ => Wrap::REPEAT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: SamplerRules = SamplerRules { compatibility: false, anisotropy: true, mirror_clamp: true };

    #[test]
    fn values_are_checked_and_failures_change_nothing() {
        let mut params = SamplerParams::default();
        let set = |p: &mut SamplerParams, pname, v| p.set("test", pname, &ParamValue::Int([v, 0, 0, 0]), RULES);
        assert_eq!(set(&mut params, GL_TEXTURE_WRAP_S, GL_CLAMP as i32).unwrap().unwrap_err().code(), GL_INVALID_ENUM);
        assert_eq!(params, SamplerParams::default());
        assert!(set(&mut params, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE as i32).unwrap().unwrap());
        assert!(!set(&mut params, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE as i32).unwrap().unwrap());
        assert!(set(&mut params, GL_TEXTURE_BASE_LEVEL, 0).is_none());
        let low = params.set("test", GL_TEXTURE_MAX_ANISOTROPY, &ParamValue::Float([0.5, 0.0, 0.0, 0.0]), RULES);
        assert_eq!(low.unwrap().unwrap_err().code(), GL_INVALID_VALUE);
    }

    #[test]
    fn border_colours_convert_by_command() {
        let mut params = SamplerParams::default();
        let value = ParamValue::Int([i32::MAX, 0, i32::MIN, 0]);
        params.set("test", GL_TEXTURE_BORDER_COLOR, &value, RULES).unwrap().unwrap();
        assert_eq!(params.border.map(f32::from_bits), [1.0, 0.0, -1.0, 0.0]);
        assert_eq!(params.get(GL_TEXTURE_BORDER_COLOR, RULES).unwrap().ints().0[0], i32::MAX);
        let value = ParamValue::PureInt([-5, 7, 0, 0]);
        params.set("test", GL_TEXTURE_BORDER_COLOR, &value, RULES).unwrap().unwrap();
        assert_eq!(params.get(GL_TEXTURE_BORDER_COLOR, RULES).unwrap().raw().0[0] as i32, -5);
    }
}
