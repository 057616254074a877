#version 330 core
in vec3 world;
in vec3 normal;
in vec2 uv;
flat in int nearest;

uniform sampler2D albedo;
uniform sampler2DShadow shadow;
uniform samplerCube sky;
uniform vec4 tint[3];

layout(location = 0) out vec4 color;
layout(location = 1) out vec4 bright;

const float weights[5] = float[](0.227, 0.194, 0.121, 0.054, 0.016);

vec3 blur(sampler2D t, vec2 at, inout float total) {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < weights.length(); i++) {
        sum += texture(t, at + vec2(float(i), 0.0) / vec2(textureSize(t, 0))).rgb * weights[i];
        total += weights[i];
    }
    return sum;
}

void main() {
    vec3 n = normalize(normal);
    float total = 0.0;
    vec3 base = blur(albedo, uv, total) / total;
    float lit = textureProj(shadow, vec4(world, 1.0));
    if (lit <= 0.0 && gl_FrontFacing) discard;
    vec3 r = reflect(-world, n);
    color = vec4(base * lit + textureLod(sky, r, 2.0).rgb, 1.0) * tint[nearest % 3];
    color.a = smoothstep(0.0, 1.0, fwidth(uv.x)) + color.a;
    bright = any(greaterThan(color.rgb, vec3(1.0))) ? color : vec4(0.0);
    gl_FragDepth = gl_FragCoord.z * 0.5;
}
