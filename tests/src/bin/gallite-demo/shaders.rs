//! GLSL 3.30 sources of the scene's passes.

/// The uniform block that every scene program shares.
const FRAME: &str = "
layout(std140) uniform Frame {
    mat4 view_projection;
    mat4 light_matrix;
    vec4 eye;
    vec4 light_direction;
    vec4 lamps[8];
    vec4 lamp_colors[8];
    vec4 time;
};
";

fn source(parts: &[&str]) -> String {
    let mut text = String::from("#version 330 core\n");
    parts.iter().for_each(|part| text.push_str(part));
    text
}

/// Surfaces: a model matrix, normal-mapped, lit by the sun and the lamps.
pub fn surface() -> (String, String) {
    (
        source(&[
            FRAME,
            "
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 tangent;
layout(location = 3) in vec2 texcoord;
uniform mat4 model;
out vec3 world;
out mat3 frame;
out vec2 uv;
out vec4 light_space;
void main() {
    vec4 p = model * vec4(position, 1.0);
    world = p.xyz;
    vec3 n = normalize(mat3(model) * normal);
    vec3 t = normalize(mat3(model) * tangent);
    frame = mat3(t, cross(n, t), n);
    uv = texcoord;
    light_space = light_matrix * (p + vec4(n * 0.02, 0.0));
    gl_Position = view_projection * p;
}
",
        ]),
        source(&[
            FRAME,
            "
uniform sampler2D albedo_map;
uniform sampler2D normal_map;
uniform sampler2DShadow shadow_map;
uniform float metallic;
in vec3 world;
in mat3 frame;
in vec2 uv;
in vec4 light_space;
layout(location = 0) out vec4 color;

float sun_visibility() {
    vec3 p = light_space.xyz / light_space.w * 0.5 + 0.5;
    if (p.z > 1.0) return 1.0;
    vec2 texel = 1.5 / vec2(textureSize(shadow_map, 0));
    float sum = 0.0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += texture(shadow_map, vec3(p.xy + vec2(x, y) * texel, p.z - 0.0006));
    return sum / 9.0;
}

vec3 light(vec3 n, vec3 v, vec3 l, vec3 radiance, vec3 base, float roughness) {
    vec3 h = normalize(l + v);
    float ndl = clamp(dot(n, l), 0.0, 1.0), ndh = clamp(dot(n, h), 0.0, 1.0), ndv = clamp(dot(n, v), 1e-3, 1.0);
    float a = roughness * roughness;
    float d = ndh * ndh * (a * a - 1.0) + 1.0;
    float distribution = a * a / (3.14159 * d * d);
    float k = (roughness + 1.0) * (roughness + 1.0) / 8.0;
    float visibility = 1.0 / ((ndl * (1.0 - k) + k) * (ndv * (1.0 - k) + k) * 4.0);
    vec3 f0 = mix(vec3(0.04), base, metallic);
    vec3 fresnel = f0 + (1.0 - f0) * pow(1.0 - clamp(dot(h, v), 0.0, 1.0), 5.0);
    vec3 diffuse = base * (1.0 - metallic) / 3.14159;
    return (diffuse * (1.0 - fresnel) + fresnel * distribution * visibility) * radiance * ndl;
}

vec3 sky(vec3 d) {
    float up = clamp(d.y * 0.5 + 0.5, 0.0, 1.0);
    vec3 base = mix(vec3(0.07, 0.06, 0.08), vec3(0.08, 0.13, 0.28), smoothstep(0.35, 0.8, up));
    float horizon = exp(-abs(d.y) * 11.0);
    return base + vec3(0.42, 0.17, 0.10) * horizon;
}

void main() {
    vec4 texel = texture(albedo_map, uv);
    vec3 n = normalize(frame * (texture(normal_map, uv).xyz * 2.0 - 1.0));
    vec3 v = normalize(eye.xyz - world);
    float roughness = clamp(texel.a, 0.12, 1.0);
    vec3 total = light(n, v, light_direction.xyz, vec3(2.6, 1.9, 1.35), texel.rgb, roughness) * sun_visibility();
    for (int i = 0; i < 8; i++) {
        vec3 to = lamps[i].xyz - world;
        float d2 = dot(to, to);
        total += light(n, v, to * inversesqrt(d2), lamp_colors[i].rgb * 1.6 / (0.05 + d2), texel.rgb, roughness);
    }
    vec3 f0 = mix(vec3(0.04), texel.rgb, metallic);
    vec3 fresnel = f0 + (max(vec3(1.0 - roughness), f0) - f0) * pow(1.0 - clamp(dot(n, v), 0.0, 1.0), 5.0);
    vec3 reflected = reflect(-v, n);
    total += fresnel * sky(normalize(mix(reflected, n, roughness * 0.6))) * (1.0 - 0.5 * roughness);
    total += texel.rgb * (1.0 - metallic) * sky(n) * 0.5;
    float fade = smoothstep(9.0, 22.0, length(world.xz));
    color = vec4(mix(total, sky(-v), fade), 1.0);
}
",
        ]),
    )
}

/// The same geometry seen from the light: depth only.
pub fn shadow() -> (String, String) {
    (
        source(&[
            FRAME,
            "
layout(location = 0) in vec3 position;
uniform mat4 model;
void main() { gl_Position = light_matrix * (model * vec4(position, 1.0)); }
",
        ]),
        source(&["void main() {}\n"]),
    )
}

/// The lamps: instanced glowing spheres placed from the block by gl_InstanceID.
pub fn lamp() -> (String, String) {
    (
        source(&[
            FRAME,
            "
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
flat out vec3 glow;
out vec3 n;
out vec3 v;
void main() {
    vec3 p = lamps[gl_InstanceID].xyz + position * lamps[gl_InstanceID].w;
    glow = lamp_colors[gl_InstanceID].rgb;
    n = normal;
    v = eye.xyz - p;
    gl_Position = view_projection * vec4(p, 1.0);
}
",
        ]),
        source(&["
flat in vec3 glow;
in vec3 n;
in vec3 v;
layout(location = 0) out vec4 color;
void main() {
    float facing = max(dot(normalize(n), normalize(v)), 0.0);
    color = vec4(glow * (0.7 + 2.3 * facing * facing), 1.0);
}
"]),
    )
}

/// A triangle that covers the viewport, from gl_VertexID alone.
const COVER: &str = "
out vec2 uv;
void main() {
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    uv = corner;
    gl_Position = vec4(corner * 2.0 - 1.0, 0.9999, 1.0);
}
";

/// The evening sky behind everything.
pub fn background() -> (String, String) {
    (
        source(&[COVER]),
        source(&[
            FRAME,
            "
uniform mat4 inverse_rays;
in vec2 uv;
layout(location = 0) out vec4 color;
float star(vec2 p) {
    vec2 cell = floor(p);
    float h = fract(sin(dot(cell, vec2(127.1, 311.7))) * 43758.5453);
    vec2 offset = vec2(fract(h * 57.0), fract(h * 131.0)) * 0.6 + 0.2;
    return h > 0.93 ? smoothstep(0.12, 0.0, length(fract(p) - offset)) * (h - 0.93) * 14.0 : 0.0;
}
void main() {
    vec3 d = normalize((inverse_rays * vec4(uv * 2.0 - 1.0, 1.0, 1.0)).xyz);
    float up = clamp(d.y * 0.5 + 0.5, 0.0, 1.0);
    vec3 c = mix(vec3(0.07, 0.06, 0.08), vec3(0.03, 0.05, 0.15), smoothstep(0.5, 0.8, up));
    c += vec3(0.42, 0.17, 0.10) * exp(-abs(d.y) * 11.0);
    float glow = max(dot(d, light_direction.xyz), 0.0);
    c += vec3(1.0, 0.55, 0.3) * pow(glow, 24.0) * 0.5;
    float height = smoothstep(0.08, 0.4, d.y);
    c += vec3(0.9, 0.95, 1.0) * star(vec2(atan(d.x, d.z), d.y) * 60.0) * height;
    color = vec4(c, 1.0);
}
",
        ]),
    )
}

/// Keeps what is brighter than white, for the bloom.
pub fn bright() -> (String, String) {
    (
        source(&[COVER]),
        source(&["
uniform sampler2D image;
in vec2 uv;
layout(location = 0) out vec4 color;
void main() {
    vec3 c = texture(image, uv).rgb;
    float peak = max(c.r, max(c.g, c.b));
    color = vec4(c * smoothstep(0.9, 2.2, peak), 1.0);
}
"]),
    )
}

/// One direction of a separable Gaussian of nine taps.
pub fn blur() -> (String, String) {
    (
        source(&[COVER]),
        source(&["
uniform sampler2D image;
uniform vec2 step_size;
in vec2 uv;
layout(location = 0) out vec4 color;
const float weights[5] = float[5](0.2270270, 0.1945946, 0.1216216, 0.0540541, 0.0162162);
void main() {
    vec3 sum = texture(image, uv).rgb * weights[0];
    for (int i = 1; i < 5; i++) {
        sum += texture(image, uv + step_size * float(i)).rgb * weights[i];
        sum += texture(image, uv - step_size * float(i)).rgb * weights[i];
    }
    color = vec4(sum, 1.0);
}
"]),
    )
}

/// Adds the bloom, maps to display range and encodes as sRGB.
pub fn composite() -> (String, String) {
    (
        source(&[COVER]),
        source(&["
uniform sampler2D image;
uniform sampler2D bloom;
in vec2 uv;
layout(location = 0) out vec4 color;
void main() {
    vec3 c = texture(image, uv).rgb + texture(bloom, uv).rgb * 0.7;
    vec2 centre = uv - 0.5;
    c *= 1.25 - dot(centre, centre) * 0.9;
    c = c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14);
    color = vec4(pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)), 1.0);
}
"]),
    )
}
