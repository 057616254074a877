attribute vec4 position;
attribute vec2 coordinate;
uniform mat4 matrix;
uniform float time;
varying vec2 at;
varying vec4 shade;

/* Waves. */
float wave(in float x, out float slope) {
    slope = cos(x + time);
    return sin(x + time);
}

void main() {
    float slope;
    vec4 p = position;
    p.y += wave(p.x, slope) * 0.25;
    shade = vec4(slope, 1.0 - slope, 0.5, 1.0);
    at = coordinate;
    gl_Position = matrix * p;
    gl_PointSize = 4.0;
}
