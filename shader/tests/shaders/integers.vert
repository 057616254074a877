#version 130
in ivec4 a;
in uvec2 b;
flat out ivec4 x;
flat out uvec2 y;
noperspective out float z;

void main() {
    x = (a << 2) ^ ivec4(b, b) | ~a;
    y = b % uvec2(3u, 5u);
    int i = 0;
    do {
        x[i] += a[i] / (int(b.x) + 1);
        i++;
    } while (i < 4);
    z = float(y.x) + trunc(float(x.y));
    gl_Position = vec4(x) / vec4(1.0, 2.0, 3.0, 4.0);
}
