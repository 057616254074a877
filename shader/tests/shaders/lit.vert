#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal_in;
layout(location = 2) in vec2 uv_in;

layout(std140) uniform Camera {
    mat4 view;
    mat4 projection;
    vec4 eye;
};

struct Light {
    vec4 position;
    vec3 color;
    float reach;
};

uniform mat4 model;
uniform Light lights[4];
uniform int light_count = 2;

out vec3 world;
out vec3 normal;
out vec2 uv;
flat out int nearest;

int find_nearest(vec3 p) {
    int best = 0;
    float d = 1e30;
    for (int i = 0; i < light_count; ++i) {
        float here = distance(p, lights[i].position.xyz);
        if (here < d) {
            d = here;
            best = i;
        }
    }
    return best;
}

void main() {
    vec4 p = model * vec4(position, 1.0);
    world = p.xyz;
    normal = mat3(transpose(inverse(model))) * normal_in;
    uv = uv_in;
    nearest = find_nearest(world);
    gl_Position = projection * view * p;
    gl_ClipDistance[0] = dot(p, vec4(0.0, 1.0, 0.0, 2.0));
}
