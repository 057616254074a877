//! The fragment stage of fixed function (GL 4.6 compatibility chapter 16).

use std::fmt::Write as _;

use crate::context::Context;
use crate::gl::*;
use crate::objects::texture::TextureKind;
use crate::pixels::internal::Base;
use crate::state::fixed::{TexEnv, UNITS};

/// The kinds of texture in the order of the bits that enable them, least first.
const KINDS: [TextureKind; 5] =
    [TextureKind::D1, TextureKind::D2, TextureKind::D3, TextureKind::Cube, TextureKind::Rect];

/// Those kinds from the one that wins to the one that loses (GL 4.6 compatibility 16.1).
const BY_RANK: [usize; 5] = [3, 2, 4, 1, 0];

/// A texture unit as code depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct UnitKey {
    /// Index into [`KINDS`].
    kind: u8,
    shadow: bool,
    base: Base,
    mode: GLenum,
    combine: [GLenum; 2],
    sources: [[GLenum; 3]; 2],
    operands: [[GLenum; 3]; 2],
    /// RGB and alpha scale: 1, 2 or 4.
    scale: [u8; 2],
}

/// What the code depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FragmentKey {
    units: [Option<UnitKey>; UNITS],
    color_sum: bool,
    /// GL_LINEAR, GL_EXP, GL_EXP2 or 0.
    fog: GLenum,
}

/// The name of a unit's sampler.
pub fn sampler_name(unit: usize) -> String {
    // No name of a program's own: GLSL 4.60 3.7 keeps those with two underscores for what lies below it.
    format!("gallite__unit{unit}")
}

impl FragmentKey {
    /// The key of the present state.
    pub fn of(ctx: &Context) -> Self {
        let fixed = &ctx.state.fixed;
        // GL 4.6 compatibility 12.5.1, 16.3: lighting adds a second color of its own, not of a program's vertex stage.
        let lit = fixed.lighting && super::has_vertex_stage(ctx);
        let lit_sum = lit && fixed.color_control == GL_SEPARATE_SPECULAR_COLOR;
        Self {
            units: std::array::from_fn(|i| unit_key(ctx, i)),
            color_sum: fixed.color_sum || lit_sum,
            fog: if fixed.fog.enabled { fixed.fog.mode } else { 0 },
        }
    }

    /// The shader.
    pub fn source(&self) -> String {
        let mut out = String::from("#version 120\n#extension GL_ARB_texture_rectangle : enable\n");
        let mut texels = String::new();
        for (i, unit) in self.units.iter().enumerate() {
            let Some(unit) = unit else { continue };
            let (name, coord) = (sampler_name(i), format!("gl_TexCoord[{i}]"));
            let (ty, lookup) = match (KINDS[usize::from(unit.kind)], unit.shadow) {
                (TextureKind::D1, false) => ("sampler1D", format!("texture1DProj({name}, {coord})")),
                (TextureKind::D1, true) => ("sampler1DShadow", format!("shadow1DProj({name}, {coord})")),
                (TextureKind::D2, true) => ("sampler2DShadow", format!("shadow2DProj({name}, {coord})")),
                (TextureKind::D3, _) => ("sampler3D", format!("texture3DProj({name}, {coord})")),
                (TextureKind::Cube, _) => ("samplerCube", format!("textureCube({name}, {coord}.xyz)")),
                (TextureKind::Rect, false) => ("sampler2DRect", format!("texture2DRectProj({name}, {coord})")),
                (TextureKind::Rect, true) => ("sampler2DRectShadow", format!("shadow2DRectProj({name}, {coord})")),
                _ => ("sampler2D", format!("texture2DProj({name}, {coord})")),
            };
            // GL 4.6 compatibility table 8.24: what the depth texture mode makes of a comparison.
            let lookup = match unit.base {
                Base::Red if unit.shadow => format!("vec4({lookup}.r, 0.0, 0.0, 1.0)"),
                Base::Alpha if unit.shadow => format!("vec4(0.0, 0.0, 0.0, {lookup}.r)"),
                Base::Luminance if unit.shadow => format!("vec4({lookup}.rrr, 1.0)"),
                _ => lookup,
            };
            let _ = writeln!(out, "uniform {ty} {name};");
            let _ = writeln!(texels, "    vec4 texel{i} = {lookup};");
        }
        let _ = write!(out, "void main() {{\n    vec4 primary = gl_Color;\n    vec4 previous = primary;\n{texels}");
        for (i, unit) in self.units.iter().enumerate() {
            if let Some(unit) = unit {
                self.environment(&mut out, i, unit);
            }
        }
        if self.color_sum {
            out.push_str("    previous.rgb = clamp(previous.rgb + gl_SecondaryColor.rgb, 0.0, 1.0);\n");
        }
        let factor = match self.fog {
            GL_LINEAR => "(gl_Fog.end - gl_FogFragCoord) * gl_Fog.scale",
            GL_EXP => "exp(-gl_Fog.density * gl_FogFragCoord)",
            GL_EXP2 => "exp(-pow(gl_Fog.density * gl_FogFragCoord, 2.0))",
            _ => "",
        };
        if !factor.is_empty() {
            let _ = writeln!(out, "    previous.rgb = mix(gl_Fog.color.rgb, previous.rgb, clamp({factor}, 0.0, 1.0));");
        }
        out.push_str("    gl_FragColor = previous;\n}\n");
        out
    }

    /// GL 4.6 compatibility tables 16.1 to 16.3.
    fn environment(&self, out: &mut String, i: usize, unit: &UnitKey) {
        if unit.mode == GL_COMBINE {
            self.combine(out, i, unit);
            return;
        }
        let (texel, color) = (format!("texel{i}"), format!("gl_TextureEnvColor[{i}]"));
        let has_rgb = unit.base != Base::Alpha;
        let has_alpha = matches!(unit.base, Base::Alpha | Base::LuminanceAlpha | Base::Intensity | Base::Rgba);
        let intensity = unit.base == Base::Intensity;
        let rgb = match unit.mode {
            _ if !has_rgb => "previous.rgb".to_owned(),
            GL_REPLACE => format!("{texel}.rgb"),
            GL_DECAL if unit.base == Base::Rgba => format!("mix(previous.rgb, {texel}.rgb, {texel}.a)"),
            GL_DECAL => format!("{texel}.rgb"),
            GL_BLEND => format!("mix(previous.rgb, {color}.rgb, {texel}.rgb)"),
            GL_ADD => format!("clamp(previous.rgb + {texel}.rgb, 0.0, 1.0)"),
            _ => format!("previous.rgb * {texel}.rgb"),
        };
        let alpha = match unit.mode {
            _ if !has_alpha => "previous.a".to_owned(),
            GL_REPLACE => format!("{texel}.a"),
            GL_DECAL => "previous.a".to_owned(),
            GL_BLEND if intensity => format!("mix(previous.a, {color}.a, {texel}.a)"),
            GL_ADD if intensity => format!("clamp(previous.a + {texel}.a, 0.0, 1.0)"),
            _ => format!("previous.a * {texel}.a"),
        };
        let _ = writeln!(out, "    previous = vec4({rgb}, {alpha});");
    }

    fn combine(&self, out: &mut String, i: usize, unit: &UnitKey) {
        let source = |source: GLenum| match source {
            GL_TEXTURE => format!("texel{i}"),
            GL_CONSTANT => format!("gl_TextureEnvColor[{i}]"),
            GL_PRIMARY_COLOR => "primary".to_owned(),
            GL_PREVIOUS => "previous".to_owned(),
            crossed => {
                // GL 4.6 compatibility 16.1.1: of a unit that isn't enabled the result is undefined.
                let other = crossed.wrapping_sub(GL_TEXTURE0) as usize;
                if self.units.get(other).is_some_and(Option::is_some) {
                    format!("texel{other}")
                } else {
                    "vec4(0.0, 0.0, 0.0, 1.0)".to_owned()
                }
            }
        };
        let argument = |alpha: usize, n: usize| {
            let from = source(unit.sources[alpha][n]);
            match (alpha, unit.operands[alpha][n]) {
                (0, GL_SRC_COLOR) => format!("{from}.rgb"),
                (0, GL_ONE_MINUS_SRC_COLOR) => format!("(1.0 - {from}.rgb)"),
                (0, GL_SRC_ALPHA) => format!("vec3({from}.a)"),
                (0, _) => format!("vec3(1.0 - {from}.a)"),
                (_, GL_SRC_ALPHA) => format!("{from}.a"),
                _ => format!("(1.0 - {from}.a)"),
            }
        };
        let function = |alpha: usize| {
            let arg = |n| argument(alpha, n);
            match unit.combine[alpha] {
                GL_REPLACE => arg(0),
                GL_ADD => format!("{} + {}", arg(0), arg(1)),
                GL_ADD_SIGNED => format!("{} + {} - 0.5", arg(0), arg(1)),
                GL_INTERPOLATE => format!("mix({}, {}, {})", arg(1), arg(0), arg(2)),
                GL_SUBTRACT => format!("{} - {}", arg(0), arg(1)),
                GL_DOT3_RGB | GL_DOT3_RGBA => format!("vec3(4.0 * dot({} - 0.5, {} - 0.5))", arg(0), arg(1)),
                _ => format!("{} * {}", arg(0), arg(1)),
            }
        };
        let [rgb_scale, alpha_scale] = unit.scale;
        let _ = writeln!(out, "    vec3 rgb{i} = clamp(({}) * {rgb_scale}.0, 0.0, 1.0);", function(0));
        // DOT3_RGBA puts its result into alpha, too.
        let alpha = if unit.combine[0] == GL_DOT3_RGBA {
            format!("rgb{i}.r")
        } else {
            format!("clamp(({}) * {alpha_scale}.0, 0.0, 1.0)", function(1))
        };
        let _ = writeln!(out, "    previous = vec4(rgb{i}, {alpha});");
    }
}

/// The key of a unit; none where nothing enabled is complete (GL 4.6 compatibility 16.1).
fn unit_key(ctx: &Context, index: usize) -> Option<UnitKey> {
    let unit = &ctx.state.fixed.units[index];
    let kind_index = BY_RANK.into_iter().find(|k| unit.enabled >> k & 1 != 0)?;
    let kind = KINDS[kind_index];
    let bound = &ctx.state.textures.units[index];
    let texture = bound.textures[kind as usize].as_ref().unwrap_or_else(|| ctx.share.default_textures.get(kind));
    let state = texture.state.lock();
    let params = bound.sampler.as_ref().map_or(state.sampler, |sampler| *sampler.params.lock());
    let complete = state.completeness(kind);
    if !complete.base || params.uses_mipmaps() && !complete.mipmap {
        return None;
    }
    let image = state.base_image()?;
    let base = match image.internal.base {
        // GL 4.6 compatibility 8.23.1: depth is seen as the depth texture mode says.
        Base::Depth | Base::DepthStencil => match state.params.depth_mode {
            GL_INTENSITY => Base::Intensity,
            GL_ALPHA => Base::Alpha,
            GL_RED => Base::Red,
            _ => Base::Luminance,
        },
        other => other,
    };
    let shadow = image.internal.base.has_depth() && params.compare_mode == GL_COMPARE_REF_TO_TEXTURE;
    let TexEnv { mode, combine, sources, operands, scale, .. } = unit.env;
    let idle = mode != GL_COMBINE;
    Some(UnitKey {
        kind: kind_index as u8,
        shadow: shadow && !matches!(kind, TextureKind::Cube | TextureKind::D3),
        base,
        mode,
        combine: if idle { [0; 2] } else { combine },
        sources: if idle { [[0; 3]; 2] } else { sources },
        operands: if idle { [[0; 3]; 2] } else { operands },
        scale: if idle { [1; 2] } else { scale.map(|s| s as u8) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_compile() {
        let unit = |mode, combine| UnitKey {
            kind: 1,
            shadow: false,
            base: Base::Rgba,
            mode,
            combine,
            sources: [[GL_TEXTURE, GL_PREVIOUS, GL_TEXTURE0 + 1], [GL_CONSTANT, GL_PRIMARY_COLOR, GL_TEXTURE0 + 5]],
            operands: [[GL_SRC_COLOR, GL_ONE_MINUS_SRC_ALPHA, GL_SRC_ALPHA], [GL_SRC_ALPHA; 3]],
            scale: [2, 4],
        };
        let functions = [GL_REPLACE, GL_ADD, GL_ADD_SIGNED, GL_INTERPOLATE, GL_SUBTRACT, GL_DOT3_RGB, GL_DOT3_RGBA];
        let modes = [GL_MODULATE, GL_REPLACE, GL_DECAL, GL_BLEND, GL_ADD];
        let all =
            functions.map(|f| unit(GL_COMBINE, [f, GL_MODULATE])).into_iter().chain(modes.map(|m| unit(m, [0; 2])));
        let profile = gallite_shader::Profile::Compatibility;
        let options = gallite_shader::CompileOptions {
            profile,
            extensions: ["GL_ARB_texture_rectangle".to_owned()].into(),
            ..Default::default()
        };
        for unit in all {
            for (kind, fog) in [(0, GL_LINEAR), (1, GL_EXP), (2, GL_EXP2), (3, 0), (4, 0)] {
                let mut units = [None; UNITS];
                units[0] = Some(UnitKey { kind, ..unit });
                units[1] = Some(unit);
                let source = FragmentKey { units, color_sum: true, fog }.source();
                let shader = gallite_shader::compile(gallite_shader::Stage::Fragment, &source, &options);
                assert!(shader.ok, "{}\n{source}", shader.log);
            }
        }
    }
}
