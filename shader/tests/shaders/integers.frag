#version 130
flat in ivec4 x;
flat in uvec2 y;
noperspective in float z;
uniform isampler2D signed_map;
uniform usampler2DArray unsigned_map;
uniform ivec3 at;
out ivec4 i;
out uvec4 u;

mat2x3 shape(const float f) {
    return mat2x3(f, 1.0, f, 2.0, f, 3.0);
}

void main() {
    i = texelFetch(signed_map, at.xy, at.z) + x;
    u = texture(unsigned_map, vec3(z, 0.5, 1.0)) + uvec4(y, y);
    vec3 v = shape(z) * vec2(1.0, -1.0);
    bvec3 test = lessThan(v, vec3(0.5));
    i += ivec4(not(test), all(test) ? 1 : 0);
    u.w = uint(isnan(z)) + uint(max(i.x, 3));
}
