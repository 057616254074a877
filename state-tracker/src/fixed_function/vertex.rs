//! The vertex stage of fixed function (GL 4.6 compatibility chapter 12).

use std::fmt::Write as _;

use crate::commands::lighting::tracked;
use crate::context::Context;
use crate::gl::*;
use crate::matrix::IDENTITY;
use crate::state::fixed::{LIGHTS, UNITS};

/// A light as code depends on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
struct LightKey {
    enabled: bool,
    positional: bool,
    spot: bool,
}

/// A set of texture coordinates as code depends on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
struct CoordKey {
    wanted: bool,
    /// Generation modes of S, T, R, Q; 0 takes what is given.
    modes: [u16; 4],
    matrix: bool,
}

/// What the code depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VertexKey {
    lighting: bool,
    lights: [LightKey; LIGHTS],
    two_side: bool,
    local_viewer: bool,
    separate_specular: bool,
    /// Which of ambient, diffuse, specular, emission follow the colour, front and back.
    color_material: [[bool; 4]; 2],
    normalize: bool,
    rescale: bool,
    /// Fog takes the given coordinate instead of the distance.
    fog_coord: bool,
    point_attenuation: bool,
    clip: bool,
    coords: [CoordKey; UNITS],
}

impl VertexKey {
    /// The key of the present state. `fixed_fragment` is whether the fragment stage is one of fixed function, too: it reads
    /// no coordinates but those of enabled units.
    pub fn of(ctx: &Context, fixed_fragment: bool) -> Self {
        let fixed = &ctx.state.fixed;
        let lighting = fixed.lighting;
        let follows = |face: GLenum| {
            let [of, parameter] = fixed.color_material_of;
            if lighting && fixed.color_material && (of == face || of == GL_FRONT_AND_BACK) {
                tracked(parameter)
            } else {
                [false; 4]
            }
        };
        let light = |i: usize| {
            let light = &fixed.lights[i];
            let enabled = lighting && light.enabled;
            LightKey {
                enabled,
                positional: enabled && light.position[3] != 0.0,
                spot: enabled && light.spot_cutoff != 180.0,
            }
        };
        let coord = |i: usize| {
            let unit = &fixed.units[i];
            let wanted = unit.enabled != 0 || !fixed_fragment;
            let mode = |c: usize| {
                let generation = &unit.generation[c];
                if wanted && generation.enabled { generation.mode as u16 } else { 0 }
            };
            CoordKey { wanted, modes: std::array::from_fn(mode), matrix: wanted && fixed.texture[i].top() != &IDENTITY }
        };
        Self {
            lighting,
            lights: std::array::from_fn(light),
            two_side: lighting && fixed.two_side,
            local_viewer: lighting && fixed.local_viewer,
            separate_specular: lighting && fixed.color_control == GL_SEPARATE_SPECULAR_COLOR,
            color_material: [follows(GL_FRONT), follows(GL_BACK)],
            normalize: fixed.normalize,
            rescale: fixed.rescale_normal,
            fog_coord: fixed.fog.source == GL_FOG_COORD,
            point_attenuation: fixed.point_attenuation != [1.0, 0.0, 0.0],
            clip: ctx.state.raster.clip_distances != 0,
            coords: std::array::from_fn(coord),
        }
    }

    /// The shader.
    pub fn source(&self) -> String {
        let mut out = String::from("#version 120\n");
        if self.lighting {
            self.lighting_function(&mut out, 0, "Front");
            if self.two_side {
                self.lighting_function(&mut out, 1, "Back");
            }
        }
        out.push_str("void main() {\n    gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;\n");
        out.push_str(
            "    vec4 eye = gl_ModelViewMatrix * gl_Vertex;\n    vec3 normal = gl_NormalMatrix * gl_Normal;\n",
        );
        if self.rescale {
            out.push_str("    normal *= gl_NormalScale;\n");
        }
        if self.normalize {
            out.push_str("    normal = normalize(normal);\n");
        }
        if self.clip {
            out.push_str("    gl_ClipVertex = eye;\n");
        }
        if self.lighting {
            out.push_str("    lightFront(eye, normal, gl_FrontColor, gl_FrontSecondaryColor);\n");
            if self.two_side {
                out.push_str("    lightBack(eye, -normal, gl_BackColor, gl_BackSecondaryColor);\n");
            }
        } else {
            out.push_str("    gl_FrontColor = gl_Color;\n    gl_FrontSecondaryColor = gl_SecondaryColor;\n");
        }
        out.push_str(if self.fog_coord {
            "    gl_FogFragCoord = gl_FogCoord;\n"
        } else {
            "    gl_FogFragCoord = abs(eye.z / eye.w);\n"
        });
        if self.point_attenuation {
            out.push_str(
                "    float range = length(eye.xyz / eye.w);\n    gl_PointSize = clamp(gl_Point.size * inversesqrt(\
                 gl_Point.distanceConstantAttenuation + gl_Point.distanceLinearAttenuation * range + \
                 gl_Point.distanceQuadraticAttenuation * range * range), gl_Point.sizeMin, gl_Point.sizeMax);\n",
            );
        }
        self.coordinates(&mut out);
        out.push_str("}\n");
        out
    }

    /// GL 4.6 compatibility 12.2.1: the colours of one side.
    fn lighting_function(&self, out: &mut String, side: usize, name: &str) {
        let [ambient, diffuse, specular, emission] = self.color_material[side];
        let material = |on: bool, field: &str| {
            if on { "gl_Color".to_owned() } else { format!("gl_{name}Material.{field}") }
        };
        let (ma, md) = (material(ambient, "ambient"), material(diffuse, "diffuse"));
        let (ms, me) = (material(specular, "specular"), material(emission, "emission"));
        let _ = writeln!(out, "void light{name}(vec4 eye, vec3 normal, out vec4 color, out vec4 secondary) {{");
        let _ = writeln!(
            out,
            "    vec3 sum = {me}.rgb + {ma}.rgb * gl_LightModel.ambient.rgb;\n    vec3 shine = vec3(0.0);"
        );
        out.push_str(
            "    vec3 to; vec3 half_way; float strength; float facing; float away; vec3 place = eye.xyz / eye.w;\n",
        );
        for (i, light) in self.lights.iter().enumerate().filter(|(_, l)| l.enabled) {
            let l = format!("gl_LightSource[{i}]");
            if light.positional {
                let _ = writeln!(out, "    to = {l}.position.xyz / {l}.position.w - place;");
                let _ = writeln!(out, "    away = length(to);\n    to = away == 0.0 ? to : to / away;");
                let _ = writeln!(
                    out,
                    "    strength = 1.0 / ({l}.constantAttenuation + {l}.linearAttenuation * away + \
                     {l}.quadraticAttenuation * away * away);"
                );
            } else {
                let _ = writeln!(out, "    to = normalize({l}.position.xyz);\n    strength = 1.0;");
            }
            if light.spot {
                let _ = writeln!(out, "    away = dot(-to, normalize({l}.spotDirection));");
                let _ = writeln!(
                    out,
                    "    strength *= away < {l}.spotCosCutoff ? 0.0 : ({l}.spotExponent == 0.0 ? 1.0 : \
                     pow(max(away, 0.0), {l}.spotExponent));"
                );
            }
            let viewer = if self.local_viewer { "normalize(-place)" } else { "vec3(0.0, 0.0, 1.0)" };
            let _ = writeln!(out, "    half_way = normalize(to + {viewer});\n    facing = dot(normal, to);");
            let _ = writeln!(
                out,
                "    sum += strength * ({ma}.rgb * {l}.ambient.rgb + max(facing, 0.0) * {md}.rgb * {l}.diffuse.rgb);"
            );
            let _ = writeln!(
                out,
                "    if (facing > 0.0) shine += strength * (gl_{name}Material.shininess == 0.0 ? 1.0 : \
                 pow(max(dot(normal, half_way), 0.0), gl_{name}Material.shininess)) * {ms}.rgb * {l}.specular.rgb;"
            );
        }
        if self.separate_specular {
            let _ = writeln!(out, "    color = vec4(sum, {md}.a);\n    secondary = vec4(shine, 0.0);\n}}");
        } else {
            let _ = writeln!(out, "    color = vec4(sum + shine, {md}.a);\n    secondary = vec4(0.0);\n}}");
        }
    }

    /// GL 4.6 compatibility 12.1.3 and 12.1.1: generation, then the matrix.
    fn coordinates(&self, out: &mut String) {
        let modes = || self.coords.iter().flat_map(|c| c.modes).map(GLenum::from);
        if modes().any(|m| matches!(m, GL_SPHERE_MAP | GL_REFLECTION_MAP)) {
            out.push_str(
                "    vec3 view = normalize(eye.xyz);\n    vec3 mirrored = reflect(view, normal);\n    vec3 lifted = \
                 mirrored + vec3(0.0, 0.0, 1.0);\n    float span = 2.0 * length(lifted);\n",
            );
        }
        for (i, coord) in self.coords.iter().enumerate().filter(|(_, c)| c.wanted) {
            let part = |c: usize| {
                let (upper, lower) = (["S", "T", "R", "Q"][c], ["x", "y", "z", "w"][c]);
                match GLenum::from(coord.modes[c]) {
                    GL_OBJECT_LINEAR => format!("dot(gl_Vertex, gl_ObjectPlane{upper}[{i}])"),
                    GL_EYE_LINEAR => format!("dot(eye, gl_EyePlane{upper}[{i}])"),
                    GL_SPHERE_MAP => format!("mirrored.{lower} / span + 0.5"),
                    GL_REFLECTION_MAP => format!("mirrored.{lower}"),
                    GL_NORMAL_MAP => format!("normal.{lower}"),
                    _ => format!("gl_MultiTexCoord{i}.{lower}"),
                }
            };
            let given = if coord.modes == [0; 4] {
                format!("gl_MultiTexCoord{i}")
            } else {
                format!("vec4({}, {}, {}, {})", part(0), part(1), part(2), part(3))
            };
            let matrix = if coord.matrix { format!("gl_TextureMatrix[{i}] * ") } else { String::new() };
            let _ = writeln!(out, "    gl_TexCoord[{i}] = {matrix}{given};");
        }
    }
}
