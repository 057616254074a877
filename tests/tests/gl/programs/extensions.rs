//! Extensions of the shading language alone: AMD_conservative_depth, AMD_shader_trinary_minmax, ARB_compatibility,
//! EXT_gpu_shader4.

use gallite_tests::draw::{
    SOLID_VS, Target, compile_log, expect_near, expect_no_error, program, program_with, quad, require_extension,
    run_float, shader_status,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;

gl_tests! {
    render core(3, 3): trinary_minmax, conservative_depth, texture_lod;
    render compatibility(8, 8): gpu_shader4, shadows_of_gpu_shader4, older_features_by_extension;
    every core(3, 3): asked_for;
}

fn evaluate(extension: &str, expression: &str) -> [f32; 4] {
    require_extension(extension);
    let fragment = format!(
        "#version 330 core
#extension {extension} : require
uniform float zero;
out vec4 result;
int calls = 0;
float called(float x) {{ calls++; return x; }}
void main() {{ result = {expression}; }}
"
    );
    run_float(program(SOLID_VS, &fragment))
}

/// The least, greatest and middle of three; arguments are evaluated once.
fn trinary_minmax(_: &Env) {
    let of = |expression: &str| evaluate("GL_AMD_shader_trinary_minmax", expression);
    assert_eq!(
        of("vec4(min3(zero + 2.0, 1.0, 3.0), max3(2, 7, 5), mid3(4u, 9u, 6u), mid3(3.0, 3.0, zero))"),
        [1.0, 7.0, 6.0, 3.0]
    );
    assert_eq!(of("mid3(vec4(1, 5, 9, 5) + zero, vec4(5, 9, 1, 5), vec4(9, 1, 5, 0))"), [5.0; 4]);
    assert_eq!(
        of("vec4(mid3(called(3.0), called(zero), 1.0), calls, vec2(int[mid3(1, 3, 2)](1, 2).length()))"),
        [1.0, 2.0, 2.0, 2.0]
    );
}

fn conservative_depth(_: &Env) {
    require_extension("GL_AMD_conservative_depth");
    let fragment = "#version 330 core
#extension GL_AMD_conservative_depth : require
layout(depth_greater) out float gl_FragDepth;
out vec4 result;
void main() { gl_FragDepth = gl_FragCoord.z + 0.25; result = vec4(gl_FragCoord.z); }
";
    expect_near(&run_float(program(SOLID_VS, fragment)), &[0.5; 4], 1e-5);
}

/// Levels and gradients in fragment shaders of GLSL 1.20.
fn texture_lod(_: &Env) {
    require_extension("GL_ARB_shader_texture_lod");
    let texture = super::super::textures::nearest(gl::TEXTURE_2D);
    gl::TexParameteri(gl::TEXTURE_2D, gl::TEXTURE_MIN_FILTER, gl::NEAREST_MIPMAP_NEAREST as i32);
    for (level, size) in [(0, 4), (1, 2), (2, 1)] {
        let texels = [[40_u8 * (level as u8 + 1); 4]; 16];
        let data = texels.as_ptr().cast();
        gl::TexImage2D(gl::TEXTURE_2D, level, gl::RGBA, size, size, 0, gl::RGBA, gl::UNSIGNED_BYTE, data);
    }
    let fragment = "#version 120
#extension GL_ARB_shader_texture_lod : require
uniform sampler2D s;
void main() {
    float r = texture2DLod(s, vec2(0.5), 2.0).r, g = texture2DProjLod(s, vec3(1.0, 1.0, 2.0), 1.0).g;
    float b = texture2DGradARB(s, vec2(0.5), vec2(0.5, 0.0), vec2(0.0)).b;
    gl_FragColor = vec4(r, g, b, texture2DProjGradARB(s, vec3(1.0, 1.0, 2.0), vec2(1.0), vec2(0.0)).a);
}
";
    let target = Target::new(4, 4);
    let vertex = "attribute vec4 position; void main() { gl_Position = position; }\n";
    let stages = [(gl::VERTEX_SHADER, vertex), (gl::FRAGMENT_SHADER, fragment)];
    program_with(&stages, |p| gl::BindAttribLocation(p, 0, c"position".as_ptr())).bind();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    quad();
    expect_no_error("a draw");
    assert_eq!(target.image().at(2, 2), [120, 80, 80, 120]);
}

/// Integers, bits, fetches, sizes and interpolation in GLSL 1.10.
fn gpu_shader4(_: &Env) {
    require_extension("GL_EXT_gpu_shader4");
    let texture = super::super::textures::nearest(gl::TEXTURE_2D);
    let texels = [[255_u8, 0, 0, 255], [0, 102, 0, 255]];
    gl::TexImage2D(gl::TEXTURE_2D, 0, gl::RGBA, 2, 1, 0, gl::RGBA, gl::UNSIGNED_BYTE, texels.as_ptr().cast());
    let vertex = "#extension GL_EXT_gpu_shader4 : require
attribute vec4 position;
flat varying int id;
void main() { gl_Position = position; id = (gl_VertexID & 0) | 5; }
";
    let fragment = "#version 110
#extension GL_EXT_gpu_shader4 : require
uniform unsigned int bits;
uniform sampler2D image;
flat varying int id;
varying out vec4 colour;
void main() {
    ivec2 size = textureSize2D(image, 0);
    unsigned int part = (bits >> 2u) & unsigned int(3);
    colour = vec4(id & 4, texelFetch2D(image, ivec2(1, 0), 0).g, float(part) / 3.0, float(size.x % 3) / 2.0);
}
";
    let target = Target::new(4, 4);
    let stages = [(gl::VERTEX_SHADER, vertex), (gl::FRAGMENT_SHADER, fragment)];
    let p = program_with(&stages, |p| gl::BindAttribLocation(p, 0, c"position".as_ptr()));
    p.bind();
    gl::BindTexture(gl::TEXTURE_2D, texture);
    gl::Uniform1ui(gl::GetUniformLocation(p.0, c"bits".as_ptr()), 0b100);
    quad();
    expect_no_error("a draw");
    assert_eq!(target.image().at(1, 1), [255, 102, 85, 255]);
}

/// Lookups of shadows have four components there.
fn shadows_of_gpu_shader4(_: &Env) {
    require_extension("GL_EXT_gpu_shader4");
    let texture = super::super::textures::nearest(gl::TEXTURE_2D_ARRAY);
    let depths = [0.25_f32, 0.75];
    let (internal, format) = (gl::DEPTH_COMPONENT32F, gl::DEPTH_COMPONENT);
    gl::TexImage3D(gl::TEXTURE_2D_ARRAY, 0, internal, 1, 1, 2, 0, format, gl::FLOAT, depths.as_ptr().cast());
    gl::TexParameteri(gl::TEXTURE_2D_ARRAY, gl::TEXTURE_COMPARE_MODE, gl::COMPARE_REF_TO_TEXTURE as i32);
    let fragment = "#version 120
#extension GL_EXT_gpu_shader4 : require
uniform sampler2DArrayShadow s;
void main() {
    gl_FragColor = vec4(shadow2DArray(s, vec4(0.5, 0.5, 0.0, 0.5)).x, shadow2DArray(s, vec4(0.5, 0.5, 1.0, 0.5)).x, 0.0, 1.0);
}
";
    let target = Target::new(4, 4);
    let vertex = "attribute vec4 position; void main() { gl_Position = position; }\n";
    let stages = [(gl::VERTEX_SHADER, vertex), (gl::FRAGMENT_SHADER, fragment)];
    program_with(&stages, |p| gl::BindAttribLocation(p, 0, c"position".as_ptr())).bind();
    gl::BindTexture(gl::TEXTURE_2D_ARRAY, texture);
    quad();
    expect_no_error("a draw");
    assert_eq!(target.image().at(2, 2), [0, 255, 0, 255]);
}

/// ARB_compatibility brings what GLSL 1.40 removed.
fn older_features_by_extension(_: &Env) {
    require_extension("GL_ARB_compatibility");
    let vertex = "#version 150
#extension GL_ARB_compatibility : require
in vec4 position;
void main() { gl_Position = gl_ModelViewProjectionMatrix * position; gl_FrontColor = vec4(0.2, 0.4, 0.6, 1.0); }
";
    let fragment = "#version 150
#extension GL_ARB_compatibility : require
void main() { gl_FragColor = gl_Color; }
";
    let target = Target::new(4, 4);
    let stages = [(gl::VERTEX_SHADER, vertex), (gl::FRAGMENT_SHADER, fragment)];
    program_with(&stages, |p| gl::BindAttribLocation(p, 0, c"position".as_ptr())).bind();
    quad();
    expect_no_error("a draw");
    assert_eq!(target.image().at(1, 2), [51, 102, 153, 255]);
}

/// Without being asked for, none of it is there.
fn asked_for(_: &Env) {
    for bad in [
        "#version 330\nvoid main() { float f = mid3(1.0, 2.0, 3.0); }\n",
        "#version 130\n#extension GL_MESA_shader_integer_functions : require\nvoid main() { float f = fma(1.0, 2.0, 3.0); }\n",
        "#version 120\nunsigned int x;\nvoid main() { }\n",
        "#version 120\nuniform sampler2D s;\nvoid main() { texelFetch2D(s, ivec2(0), 0); }\n",
    ] {
        let (shader, ok) = shader_status(gl::FRAGMENT_SHADER, bad);
        assert!(!ok, "{bad} {}", compile_log(shader));
    }
}
