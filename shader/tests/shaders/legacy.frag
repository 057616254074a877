#define HALF 0.5
#define MIX(a, b) \
    mix((a), (b), HALF)
#ifdef GL_ES
precision mediump float;
#endif
uniform sampler2D image;
uniform sampler1D ramp;
uniform bool invert;
varying vec2 at;
varying vec4 shade;

void main() {
    vec4 c = texture2D(image, at, 0.5);
    vec4 d = texture1D(ramp, c.r);
    if (invert) {
        c.rgb = vec3(1.0) - c.rgb;
    } else if (c.a < 0.1) {
        discard;
    }
    gl_FragColor = MIX(c, d) * shade;
}
