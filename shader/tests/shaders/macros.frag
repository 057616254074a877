#version 330 core
#pragma optimize(on)
#pragma STDGL invariant(all)
#define SQUARE(x) ((x) * (x))
#define GAMMA 2.2 /* of
                     the screen */
#undef GAMMA
#define GAMMA \
    2.4
#ifndef STEPS
# define STEPS 3
#endif
in vec3 shade;
layout(location = 0) out vec4 color;
uniform sampler2D noise, detail;

vec3 curve(vec3 c) { return pow(c, vec3(1.0 / GAMMA)); }

void main()
{
    vec3 c = shade;
    for (int i = 0; i < STEPS; ++i)
        c += SQUARE(texture(noise, gl_FragCoord.xy * float(i + 1)).rgb) / float(__LINE__);
#if STEPS % 2 == 1 && (STEPS ^ 2) != 0
    c *= textureGrad(detail, c.xy, dFdx(c.xy), dFdy(c.xy)).rgb;
#else
    discard;
#endif
    color = vec4(curve(c), 1.0);
}
