#version 430 core
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Input { uint count; vec4 values[]; } source;
layout(std430, binding = 1) buffer Output { vec4 sums[16]; uint done; };
layout(binding = 0, offset = 4) uniform atomic_uint passes;
layout(rgba8, binding = 2) uniform writeonly image2D picture;
shared vec4 part[64];
uniform vec4 scale;

void main()
{
    uint at = gl_GlobalInvocationID.x;
    part[gl_LocalInvocationIndex] = at < source.count ? source.values[at] * scale : vec4(0.0);
    barrier();
    for (uint half_size = 32u; half_size > 0u; half_size >>= 1u) {
        if (gl_LocalInvocationIndex < half_size)
            part[gl_LocalInvocationIndex] += part[gl_LocalInvocationIndex + half_size];
        memoryBarrierShared();
        barrier();
    }
    if (gl_LocalInvocationIndex == 0u) {
        sums[gl_WorkGroupID.x & 15u] = part[0];
        imageStore(picture, ivec2(gl_WorkGroupID.xy), part[0]);
        atomicCounterIncrement(passes);
        atomicAdd(done, 1u);
    }
}
