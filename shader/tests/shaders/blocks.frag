#version 150
in vec3 n;
flat in uint k;
uniform sampler2DArray layers;
uniform sampler2DRect screen;
uniform sampler2DMS many;
out vec4 color[2];

void main() {
    switch (k) {
    case 0u:
        color[0] = texture(layers, vec3(n.xy, float(k)));
        break;
    case 1u:
        color[0] = texture(screen, gl_FragCoord.xy);
    default:
        color[0] = texelFetch(many, ivec2(gl_FragCoord.xy), 1);
    }
    color[1] = vec4(gl_PrimitiveID, gl_PointCoord, 1.0);
}
