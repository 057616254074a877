#version 330 core
#extension GL_ARB_not_there : enable
#define LIGHTS 4
#define JOIN(a, b) a##b
#define EACH(f) f(0) f(1) f(2) f(3)
#if LIGHTS > 2 && !defined(GL_ARB_not_there)
#define INPUT(n, t) layout(location = n) in t
#else
#define INPUT(n, t) attribute t
#endif
#line 100
INPUT(0, vec4) position;
INPUT(1, vec3) JOIN(nor, mal);
uniform mat4 JOIN(model, View)[2];
uniform vec4 light[LIGHTS];
#ifdef NOT_DEFINED
this is no code
#elif __VERSION__ >= 330
out vec3 shade;
#endif
#define ADD(i) shade += max(dot(normal, light[i].xyz), 0.0) * light[i].w;

void main()
{
    gl_Position = modelView[0] * (modelView[1] * position);
    shade = vec3(0.1);
    EACH(ADD)
}
