#version 150
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
in gl_PerVertex {
    vec4 gl_Position;
} gl_in[];
in Varyings {
    vec3 normal;
    vec2 uv[2];
    flat uint kind;
} gs_in[];
out vec3 n;
flat out uint k;

void emit(int i, float push) {
    gl_Position = gl_in[i].gl_Position + vec4(gs_in[i].normal * push, 0.0);
    n = gs_in[i].normal;
    k = gs_in[i].kind;
    gl_Layer = int(k & 1u);
    gl_PrimitiveID = gl_PrimitiveIDIn;
    EmitVertex();
}

void main() {
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < gs_in.length(); i++)
            emit(side == 0 ? i : 2 - i, float(side));
        EndPrimitive();
    }
}
