//! Texture functions under the names of the extensions that brought them. glslang declares them,
//! but in a geometry shader (which came with GLSL 1.50) maps them to nothing; there they are
//! spelled with the functions of GLSL 1.30.

/// Extension, and macros for its functions.
const FUNCTIONS: &[(&str, &str)] = &[
    (
        "GL_ARB_texture_rectangle",
        "#define texture2DRect texture\n\
         #define texture2DRectProj textureProj\n\
         #define shadow2DRect(s, c) vec4(texture(s, c))\n\
         #define shadow2DRectProj(s, c) vec4(textureProj(s, c))\n",
    ),
    (
        "GL_EXT_texture_array",
        "#define texture1DArray texture\n\
         #define texture1DArrayLod textureLod\n\
         #define texture2DArray texture\n\
         #define texture2DArrayLod textureLod\n\
         #define shadow1DArray(s, c) vec4(texture(s, c))\n\
         #define shadow1DArrayLod(s, c, l) vec4(textureLod(s, c, l))\n\
         #define shadow2DArray(s, c) vec4(texture(s, c))\n",
    ),
    (
        "GL_ARB_shader_texture_lod",
        "#define texture1DGradARB textureGrad\n\
         #define texture2DGradARB textureGrad\n\
         #define texture3DGradARB textureGrad\n\
         #define textureCubeGradARB textureGrad\n\
         #define texture2DRectGradARB textureGrad\n\
         #define texture1DProjGradARB textureProjGrad\n\
         #define texture2DProjGradARB textureProjGrad\n\
         #define texture3DProjGradARB textureProjGrad\n\
         #define texture2DRectProjGradARB textureProjGrad\n\
         #define shadow1DGradARB(s, c, x, y) vec4(textureGrad(s, c, x, y))\n\
         #define shadow2DGradARB(s, c, x, y) vec4(textureGrad(s, c, x, y))\n\
         #define shadow2DRectGradARB(s, c, x, y) vec4(textureGrad(s, c, x, y))\n\
         #define shadow1DProjGradARB(s, c, x, y) vec4(textureProjGrad(s, c, x, y))\n\
         #define shadow2DProjGradARB(s, c, x, y) vec4(textureProjGrad(s, c, x, y))\n\
         #define shadow2DRectProjGradARB(s, c, x, y) vec4(textureProjGrad(s, c, x, y))\n",
    ),
];

/// Macros for the functions of an extension that a geometry shader asks for.
pub(super) fn for_geometry(extension: &str) -> &'static str {
    FUNCTIONS.iter().find(|f| f.0 == extension).map_or("", |f| f.1)
}
