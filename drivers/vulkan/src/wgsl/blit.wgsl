// Source texels at positions that are a linear function of the destination's.
struct Info {
    scale: vec2<f32>,
    offset: vec2<f32>,
    size: vec2<f32>,
    depth: f32,
    slice: i32,
    samples: i32,
    stencil_bit: u32,
    stencil_always: u32,
    // Not 0: alpha is one, whatever the source holds.
    opaque: u32,
}
var<immediate> info: Info;
@group(0) @binding(0) var source: TEXTURE;
@group(0) @binding(1) var smooth_sampler: sampler;

@fragment fn main(@builtin(position) position: vec4<f32>) RESULT {
    let at = position.xy * info.scale + info.offset;
    var value = vec4<TYPE>();
    // Outside the source nothing is written (GL 4.6 core 18.3.1).
    let texel = vec2<i32>(floor(at));
    let inside = texel.x >= 0 && texel.y >= 0 && texel.x < i32(info.size.x) && texel.y < i32(info.size.y);
    FETCH
    if (!inside) { discard; }
    if (info.opaque != 0u) { value.a = TYPE(1); }
    BODY
}
