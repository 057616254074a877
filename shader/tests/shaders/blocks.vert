#version 150
in vec4 position;
in uint kind;
out gl_PerVertex {
    vec4 gl_Position;
};
out Varyings {
    vec3 normal;
    vec2 uv[2];
    flat uint kind;
} vs_out;
uniform Transforms {
    mat4 all[8];
    layout(row_major) mat3 turn;
} transforms[2];
uniform samplerBuffer offsets;

void main() {
    vec4 o = texelFetch(offsets, gl_InstanceID + gl_VertexID);
    gl_Position = transforms[1].all[int(kind) & 7] * (position + o);
    vs_out.normal = transforms[0].turn * position.xyz;
    vs_out.uv[0] = position.xy;
    vs_out.uv[1] = position.zw;
    vs_out.kind = kind;
}
