//! What GLSL 4.00 to 4.60 and the extensions that led there accept and refuse: one case a rule.

use gallite_shader::{CompileOptions, CompiledShader, Limits, LinkInput, Stage, compile, link};

const EXTENSIONS: &[&str] = &[
    "GL_ARB_conservative_depth",
    "GL_ARB_draw_instanced",
    "GL_EXT_gpu_shader4",
    "GL_EXT_texture_array",
    "GL_ARB_cull_distance",
    "GL_ARB_derivative_control",
    "GL_ARB_gpu_shader5",
    "GL_ARB_gpu_shader_fp64",
    "GL_ARB_sample_shading",
    "GL_ARB_shader_precision",
    "GL_ARB_shader_subroutine",
    "GL_ARB_shader_texture_image_samples",
    "GL_AMD_shader_trinary_minmax",
    "GL_ARB_texture_multisample",
    "GL_EXT_shader_integer_mix",
    "GL_MESA_shader_integer_functions",
    "GL_ARB_shading_language_packing",
    "GL_ARB_tessellation_shader",
    "GL_ARB_texture_cube_map_array",
    "GL_ARB_texture_gather",
    "GL_ARB_texture_query_levels",
    "GL_ARB_texture_query_lod",
    "GL_ARB_viewport_array",
];

fn build(stage: Stage, source: &str) -> CompiledShader {
    let options = CompileOptions {
        limits: Limits { max_glsl_version: 460, ..Limits::default() }.into(),
        extensions: EXTENSIONS.iter().map(|e| (*e).to_owned()).collect(),
        ..CompileOptions::default()
    };
    compile(stage, source, &options)
}

#[track_caller]
fn accept(stage: Stage, source: &str) -> CompiledShader {
    let shader = build(stage, source);
    assert!(shader.ok, "refused: {}\n{source}", shader.log);
    shader
}

#[track_caller]
fn refuse(stage: Stage, source: &str) {
    let shader = build(stage, source);
    assert!(!shader.ok, "accepted:\n{source}");
    assert!(shader.log.contains("error"), "{}", shader.log);
}

/// A fragment shader of a version with a body.
fn fragment(version: u32, extension: &str, declarations: &str, body: &str) -> String {
    let extension = if extension.is_empty() { String::new() } else { format!("#extension {extension} : require\n") };
    format!("#version {version}\n{extension}{declarations}\nout vec4 c;\nvoid main() {{ c = vec4(1.0); {body} }}\n")
}

/// In 3.30 by the extension and not without, in 4.00 and later always.
#[track_caller]
fn by_extension(extension: &str, declarations: &str, body: &str) {
    accept(Stage::Fragment, &fragment(330, extension, declarations, body));
    refuse(Stage::Fragment, &fragment(330, "", declarations, body));
}

#[track_caller]
fn since(version: u32, before: u32, declarations: &str, body: &str) {
    accept(Stage::Fragment, &fragment(version, "", declarations, body));
    refuse(Stage::Fragment, &fragment(before, "", declarations, body));
}

/// GLSL 4.60 3.3: an extension may be asked for as often as sources that are put together do.
#[test]
fn repeated_extensions() {
    for name in EXTENSIONS {
        let asked = format!("#extension {name} : enable\n");
        let source = format!("#version 330\n{asked}{asked}{asked}out vec4 c; void main() {{ c = vec4(1.0); }}\n");
        accept(Stage::Fragment, &source);
    }
}

/// GL 4.6 core 11.1.1: inputs of one location count once, and those of three or four doubles twice at most, by the
/// locations of the device.
#[test]
fn locations_of_vertex_inputs_are_counted() {
    let linked = |attributes: u32, locations: u32, inputs: &str, read: &str| {
        let source = format!("#version 440\n{inputs}void main() {{ gl_Position = vec4(0.0){read}; }}\n");
        let vertex = accept(Stage::Vertex, &source);
        let limits = Limits { max_vertex_attribs: attributes, max_vertex_locations: locations, ..Limits::default() };
        let result = link(&LinkInput { shaders: &[vertex], limits: limits.into(), ..LinkInput::default() });
        assert_eq!(result.ok, result.program.is_some(), "{}", result.log);
        result.ok
    };
    let each = |count: u32, one: &dyn Fn(u32) -> String| (0..count).map(one).collect::<String>();
    let pairs = |count| {
        let inputs = each(count, &|i| {
            format!("layout(location = {i}) in vec2 a{i}; layout(location = {i}, component = 2) in vec2 b{i};\n")
        });
        linked(16, 16, &inputs, &each(count, &|i| format!(" + a{i}.xyxy + b{i}.xyxy")))
    };
    assert!(pairs(9) && pairs(16) && !pairs(17));
    let doubles = |locations, count| {
        let inputs = each(count, &|i| format!("in dvec4 d{i};\n"));
        linked(16, locations, &inputs, &each(count, &|i| format!(" + vec4(d{i})")))
    };
    assert!(doubles(16, 8) && !doubles(16, 9));
    assert!(doubles(28, 14) && !doubles(28, 15));
    assert!(doubles(32, 16) && !doubles(32, 17));
}

#[test]
fn versions() {
    for version in [400, 410, 420, 430, 440, 450, 460] {
        for profile in ["", " core"] {
            accept(
                Stage::Vertex,
                &format!(
                    "#version {version}{profile}\nvoid main() {{ gl_Position = vec4(__VERSION__ - {version}); }}\n"
                ),
            );
        }
    }
    refuse(Stage::Vertex, "#version 405\nvoid main() {}\n");
    refuse(Stage::Vertex, "#version 470\nvoid main() {}\n");
}

/// GLSL 4.60 4.1.3 to 4.1.10: doubles, their literals and conversions.
#[test]
fn doubles() {
    by_extension("GL_ARB_gpu_shader_fp64", "uniform double d; uniform dmat3x2 m;", "c.x = float(d + m[2].y);");
    since(400, 330, "uniform dvec3 v;", "double x = 1.5lf + v.x; x *= 2.0LF;");
    accept(
        Stage::Fragment,
        &fragment(400, "", "", "double d = 1; d = 1u; d = 1.0; dmat2 m = mat2(1.0); dvec2 v = ivec2(1);"),
    );
    refuse(Stage::Fragment, &fragment(400, "", "", "float f = 1.0lf;"));
    refuse(Stage::Fragment, &fragment(400, "", "", "int i = 1.0lf;"));
    refuse(Stage::Fragment, &fragment(400, "", "", "double d = true;"));
    refuse(Stage::Fragment, &fragment(400, "", "", "double d = sin(1.0lf);"));
    // 4.3.4: flat in a fragment stage.
    accept(Stage::Fragment, &fragment(400, "", "flat in dvec4 v;", "c = vec4(v);"));
    refuse(Stage::Fragment, &fragment(400, "", "in dvec4 v;", "c = vec4(v);"));
    // 4.3.6: no doubles in a framebuffer.
    refuse(Stage::Fragment, "#version 400\nout dvec4 c;\nvoid main() { c = dvec4(1.0); }\n");
}

/// GLSL 4.60 4.1.10, 5.9, 6.1, 8.
#[test]
fn shader5() {
    by_extension("GL_ARB_gpu_shader5", "", "c.x = fma(c.x, 2.0, 1.0);");
    by_extension("GL_ARB_gpu_shader5", "uniform int i;", "uint u = i; c.x = float(bitCount(u));");
    by_extension("GL_ARB_gpu_shader5", "uniform sampler2D t;", "c = textureGather(t, c.xy, 1);");
    by_extension("GL_ARB_texture_gather", "uniform sampler2D t;", "c = textureGather(t, c.xy);");
    by_extension("GL_ARB_gpu_shader5", "in vec2 v;", "c.xy = interpolateAtOffset(v, vec2(0.1));");
    by_extension("GL_ARB_gpu_shader5", "uniform sampler2D t[2]; uniform int i;", "c = texture(t[i], c.xy);");
    by_extension("GL_ARB_texture_cube_map_array", "uniform samplerCubeArray t;", "c = texture(t, c);");
    by_extension("GL_ARB_texture_query_lod", "uniform sampler2D t;", "c.xy = textureQueryLOD(t, c.xy);");
    by_extension("GL_ARB_texture_query_levels", "uniform sampler2D t;", "c.x = float(textureQueryLevels(t));");
    by_extension("GL_ARB_sample_shading", "", "c.x = float(gl_SampleID);");
    by_extension("GL_ARB_shading_language_packing", "", "c.xy = unpackHalf2x16(1u);");
    let multisample =
        "#version 130\n#extension GL_ARB_texture_multisample : require\nuniform sampler2DMS s; out vec4 c;
        void main() { c = texelFetch(s, ivec2(0), 0); }";
    accept(Stage::Fragment, multisample);
    for body in ["packUnorm2x16(c.xy)", "packSnorm4x8(c)", "packHalf2x16(c.xy)"] {
        let source = format!(
            "#version 130\n#extension GL_ARB_shading_language_packing : require\nin vec4 c; out vec4 d; void main() {{ d = vec4({body}); }}"
        );
        accept(Stage::Fragment, &source);
    }
    by_extension("GL_AMD_shader_trinary_minmax", "", "c = mid3(c, c.yzwx, c.zwxy); c.x = float(min3(1, 2, int(c.y)));");
    by_extension("GL_EXT_shader_integer_mix", "", "c.x = float(mix(1, 2, c.y > 0.5));");
    by_extension("GL_MESA_shader_integer_functions", "", "c.x = float(findMSB(uint(c.y)) + bitCount(7));");
    by_extension("GL_ARB_derivative_control", "", "c.x = dFdxFine(c.x);");
    by_extension("GL_ARB_shader_texture_image_samples", "uniform sampler2DMS t;", "c.x = float(textureSamples(t));");
    since(
        400,
        330,
        "uniform sampler2D t;",
        "c = textureGatherOffset(t, c.xy, ivec2(1), 2); c.xy = textureQueryLod(t, c.xy);",
    );
    since(400, 330, "", "precise float p = c.x; c.x = p;");
    since(420, 400, "layout(depth_less) out float gl_FragDepth;", "gl_FragDepth = 0.0;");
    since(430, 420, "uniform sampler2D t;", "c.x = float(textureQueryLevels(t));");
    since(450, 440, "", "c.x = dFdyCoarse(c.y);");
    accept(
        Stage::Fragment,
        &fragment(
            330,
            "GL_ARB_conservative_depth",
            "layout(depth_greater) out float gl_FragDepth;",
            "gl_FragDepth = 1.0;",
        ),
    );
    // 4.7.5, 8.13.2: an interpolant is an input.
    refuse(Stage::Fragment, &fragment(400, "", "vec2 v;", "c.xy = interpolateAtCentroid(v);"));
    // 8.9.4: the component is a constant from 0 to 3.
    refuse(
        Stage::Fragment,
        &fragment(400, "", "uniform sampler2D t; uniform int i;", "c = textureGather(t, c.xy, i);"),
    );
    refuse(Stage::Fragment, &fragment(400, "", "uniform sampler2D t;", "c = textureGather(t, c.xy, 4);"));
}

/// Macros of extensions are there, whether glslang knows them or not.
#[test]
fn extension_macros() {
    for name in EXTENSIONS {
        accept(
            Stage::Vertex,
            &format!(
                "#version 330\n#ifndef {name}\n#error no macro\n#endif\n#if {name} != 1\n#error not 1\n#endif\nvoid main() {{}}\n"
            ),
        );
        accept(Stage::Vertex, &format!("#version 330\n#extension {name} : require\nvoid main() {{}}\n"));
    }
    accept(Stage::Vertex, "#version 330\n#ifdef GL_ARB_gpu_shader_int64\n#error there\n#endif\nvoid main() {}\n");
}

const CONTROL: &str = "#version 400\nlayout(vertices = 3) out;\n";
const EVALUATION: &str = "#version 400\nlayout(triangles) in;\n";

/// GLSL 4.60 4.3.4, 4.3.6, 4.4.1.1, 4.4.2.1, 7.1, 8.16.
#[test]
fn tessellation() {
    use Stage::{TessControl, TessEvaluation};
    let with = |head: &str, declarations: &str, body: &str| format!("{head}{declarations}\nvoid main() {{ {body} }}\n");
    accept(
        TessControl,
        &with(
            CONTROL,
            "in vec4 a[]; out vec4 b[]; patch out float p;",
            "b[gl_InvocationID] = a[gl_InvocationID]; p = 1.0; barrier();",
        ),
    );
    accept(
        TessEvaluation,
        &with(
            EVALUATION,
            "in vec4 b[]; patch in float p;",
            "gl_Position = b[0] * p * gl_TessCoord.x + gl_in[2].gl_Position;",
        ),
    );
    accept(
        TessControl,
        "#version 330\n#extension GL_ARB_tessellation_shader : require\nlayout(vertices = 1) out;\nvoid main() {}\n",
    );
    // The stage itself says that the extension is meant.
    accept(TessControl, "#version 330\nlayout(vertices = 1) out;\nvoid main() {}\n");
    refuse(TessControl, &with(CONTROL, "out vec4 b[];", "b[0] = vec4(1.0);"));
    refuse(TessControl, &with(CONTROL, "", "if (gl_InvocationID == 0) { barrier(); }"));
    refuse(TessControl, &with(CONTROL, "out vec4 b;", ""));
    refuse(TessControl, &with(CONTROL, "patch in vec4 b;", ""));
    refuse(TessEvaluation, &with(EVALUATION, "patch out vec4 b;", ""));
    refuse(TessEvaluation, &with(EVALUATION, "in vec4 b;", ""));
    refuse(TessEvaluation, &with(EVALUATION, "layout(quads) in;", ""));
    refuse(TessControl, &with(CONTROL, "layout(vertices = 4) out;", ""));
    refuse(TessControl, "#version 400\nlayout(vertices = 0) out;\nvoid main() {}\n");
    refuse(TessControl, "#version 400\nlayout(vertices = 33) out;\nvoid main() {}\n");
}

/// GLSL 4.60 6.1.2.
#[test]
fn subroutines() {
    let declared =
        "subroutine vec4 T(float x); subroutine(T) vec4 f(float y) { return vec4(y); } subroutine uniform T t;";
    by_extension("GL_ARB_shader_subroutine", declared, "c = t(1.0);");
    since(400, 330, declared, "c = t(1.0);");
    accept(
        Stage::Fragment,
        &fragment(400, "", &declared.replace("T t", "T t[2]"), "c = t[1](1.0) + t[int(c.x)](2.0);"),
    );
    refuse(Stage::Fragment, &fragment(400, "", declared, "c = t(vec2(1.0));"));
    refuse(Stage::Fragment, &fragment(400, "", &declared.replace("float y", "int y"), "c = t(1.0);"));
    refuse(Stage::Fragment, &fragment(400, "", &declared.replace("uniform T", "uniform U"), ""));
    let limits = Limits { max_glsl_version: 460, ..Limits::default() };
    let vertex = accept(Stage::Vertex, "#version 400\nvoid main() { gl_Position = vec4(0.0); }\n");
    let shader = accept(Stage::Fragment, &fragment(400, "", declared, "c = t(1.0);"));
    let linked = link(&LinkInput { shaders: &[vertex, shader], limits: limits.into(), ..LinkInput::default() });
    let program = linked.program.unwrap_or_else(|| panic!("{}", linked.log));
    let stage = &program.reflection.subroutines[0];
    assert_eq!(stage.functions, [("f".to_owned(), 0)]);
    assert_eq!((stage.uniforms[0].name.as_str(), &stage.uniforms[0].compatible[..]), ("t", &[0][..]));
    assert!(program.reflection.uniforms.is_empty(), "{:?}", program.reflection.uniforms);
}

/// GLSL 4.60 3.6: reserved since 4.00, names before.
#[test]
fn words() {
    for word in ["subroutine", "patch"] {
        refuse(Stage::Fragment, &fragment(400, "", "", &format!("float {word} = 1.0;")));
    }
    for word in ["dmat2", "fma", "bitCount", "textureGather"] {
        accept(Stage::Fragment, &fragment(330, "", "", &format!("float {word} = 1.0; c.x = {word};")));
    }
}

/// GLSL 4.60 4.3.3: built-in functions of constants are constants, those that came with GLSL 4.00 too.
#[test]
fn constant_functions() {
    let size =
        |extension: &str, version: u32, size: &str| fragment(version, extension, "", &format!("float a[{size}];"));
    for (extension, expression) in [
        ("GL_ARB_gpu_shader5", "findMSB(8) == 3 ? 1 : -1"),
        ("GL_MESA_shader_integer_functions", "bitfieldExtract(uvec2(0xf0u), 4, 3) == uvec2(7u) ? 1 : -1"),
        ("GL_ARB_gpu_shader5", "int(fma(2.0, 3.0, 1.0))"),
        ("GL_ARB_gpu_shader5", "int(ldexp(vec2(0.5, 0.75), ivec2(2)).y)"),
        ("GL_ARB_gpu_shader_fp64", "unpackDouble2x32(1.5lf).y == 1073217536u ? 1 : -1"),
        ("GL_ARB_shading_language_packing", "int(unpackUnorm4x8(0xffu).x)"),
    ] {
        accept(Stage::Fragment, &size(extension, 330, expression));
        accept(Stage::Fragment, &size("", 400, expression));
        refuse(Stage::Fragment, &size("", 330, expression));
    }
    refuse(Stage::Fragment, &fragment(400, "", "uniform int n;", "float a[findMSB(n)];"));
    refuse(Stage::Fragment, &size("", 400, "findMSB(0)"));
}

/// ARB_gpu_shader_fp64 brings its types to every version it can be asked for in.
#[test]
fn doubles_of_early_versions() {
    accept(
        Stage::Fragment,
        "#version 140\n#extension GL_ARB_gpu_shader_fp64 : enable\nuniform dvec4 u[2];\nvoid main() { }\n",
    );
}

/// GLSL 4.30 4.1.9: the length of an array without a size is one more than its largest subscript.
#[test]
fn implicit_lengths() {
    let body = "float a[]; a[4] = 1.0; c.x = float(a.length()) + a[4];";
    accept(Stage::Fragment, &fragment(430, "", "", body));
    refuse(Stage::Fragment, &fragment(420, "", "", body));
}

/// GLSL 4.60 section 3.3: `#line` counts in every message.
#[test]
fn messages_follow_line_directives() {
    let options = CompileOptions {
        limits: Limits { max_glsl_version: 460, ..Limits::default() }.into(),
        extensions: ["GL_ARB_compute_variable_group_size".to_owned()].into(),
        ..CompileOptions::default()
    };
    let group = "#version 430\n#extension GL_ARB_compute_variable_group_size : require\n#line 70\n\
                 layout(local_size_variable) in;\nvoid main() { uvec3 u = gl_WorkGroupSize; }\n";
    let shader = compile(Stage::Compute, group, &options);
    assert!(!shader.ok && shader.log.starts_with("0:71(1): error: "), "{}", shader.log);
    let member = "#version 430\n#line 70\nbuffer B {\nvec4 a[];\nvec4 b[]; };\n\
                  void main() { gl_Position = b[0]; }\n";
    let shader = compile(Stage::Vertex, member, &options);
    let linked = link(&LinkInput { shaders: &[shader], limits: options.limits, ..LinkInput::default() });
    assert!(!linked.ok && linked.log.contains("0:71"), "{}", linked.log);
}

/// GLSL 4.50 and 4.60: the front end shows what uses nothing of them as 4.40.
#[test]
fn newest_versions() {
    since(450, 440, "", "c.x = dFdxFine(c.y);");
    since(450, 440, "", "c.x = float(mix(1, 2, c.y > 0.0));");
    since(450, 440, "", "c.x = gl_HelperInvocation ? 1.0 : 0.0;");
    since(460, 450, "", "c.x = anyInvocation(c.y > 0.0) ? 1.0 : 0.0;");
    refuse(Stage::Fragment, &fragment(460, "", "", "switch (int(c.y)) { case 0: c.x = 1.0; break; case 1: }"));
    accept(Stage::Fragment, &fragment(450, "", "uniform Block { float member; };", "c.x = member;"));
    accept(Stage::Fragment, &fragment(460, "", "", "c.x = float(__VERSION__ / 460);"));
    refuse(Stage::Fragment, &fragment(460, "", "float later[__VERSION__ == 460 ? -1 : 1];", ""));
    accept(
        Stage::Fragment,
        &fragment(450, "", "int mix(int a, int b, bool c) { return 1; }", "c.x = float(mix(1, 2, true));"),
    );
}

/// GLSL 3.30 section 1.2.1: no extension brings removed names back to the core profile.
#[test]
fn removed_names_stay_removed() {
    for extension in ["", "GL_EXT_shader_integer_mix", "GL_ARB_derivative_control", "GL_ARB_gpu_shader5"] {
        refuse(Stage::Fragment, &fragment(330, extension, "", "c = gl_Color;"));
    }
}

/// What a later version reserves stays a name when an extension raises the version that the front end works with.
#[test]
fn names_that_later_versions_reserve() {
    let raising = ["GL_ARB_derivative_control", "GL_EXT_shader_integer_mix", "GL_ARB_cull_distance"];
    for extension in raising {
        for name in
            ["sample", "patch", "precise", "subroutine", "coherent", "restrict", "readonly", "buffer", "resource"]
        {
            accept(Stage::Fragment, &fragment(330, extension, "", &format!("vec4 {name} = c; c = {name} + 1.0;")));
        }
    }
    for name in ["smooth", "flat", "shared"] {
        accept(
            Stage::Fragment,
            &format!(
                "#version 120\n#extension GL_ARB_shading_language_packing : enable\n\
                 void main() {{ float {name} = 1.0; gl_FragColor = vec4({name}); }}\n"
            ),
        );
    }
    // GLSL 4.30 section 3.6 made it one; before, it is the name of a layout.
    accept(
        Stage::Fragment,
        &fragment(330, "", "layout(shared) uniform B { float m; };", "float shared = m; c.x = shared;"),
    );
    accept(Stage::Fragment, &fragment(420, "", "", "float shared = 1.0; c.x = shared;"));
    refuse(Stage::Fragment, &fragment(430, "", "", "float shared = 1.0; c.x = shared;"));
    // By the extension it is one.
    refuse(Stage::Fragment, &fragment(330, "GL_ARB_gpu_shader5", "", "float sample = 1.0;"));
}

/// GLSL 4.60 section 6.1: a program may define functions that are named like built-in ones.
#[test]
fn functions_of_its_own() {
    for version in [120, 330, 460] {
        let out = if version == 120 { "" } else { "out vec4 color;" };
        let color = if version == 120 { "gl_FragColor" } else { "color" };
        accept(
            Stage::Fragment,
            &format!(
                "#version {version}\n{out}\nfloat noise3(vec3 p) {{ return p.x; }}\nfloat noise1(float a, float b) {{ return a; }}\n\
                 void main() {{ {color} = vec4(noise3(vec3(1.0)) + noise1(1.0, 2.0)); }}\n"
            ),
        );
    }
    accept(
        Stage::Fragment,
        "#version 330\n#extension GL_AMD_shader_trinary_minmax : enable\nout vec4 c;\n\
         float min3(vec3 v) { return min(min(v.x, v.y), v.z); }\nvoid main() { c = vec4(min3(vec3(1.0))); }\n",
    );
}

/// GLSL 1.20 has no function `texture`, so variables are called that.
#[test]
fn names_of_later_texture_functions() {
    accept(
        Stage::Fragment,
        "#version 120\n#extension GL_EXT_gpu_shader4 : enable\nuniform sampler2D texture;\nuniform vec2 textureSize;\n\
         void main() { gl_FragColor = texture2D(texture, textureSize) + texture2DLod(texture, vec2(0.5), 0.0); }\n",
    );
    accept(
        Stage::Fragment,
        "#version 120\n#extension GL_EXT_texture_array : enable\nuniform sampler2DArray texture;\n\
         void main() { gl_FragColor = texture2DArray(texture, vec3(0.5)); }\n",
    );
}

/// GLSL 4.20 section 4.1.9: an initializer sizes its array, whatever subscripts there are.
#[test]
fn lengths_of_initialized_arrays() {
    let body = "float a[] = { 1.0, 2.0, 3.0 }; float b[] = a; c.x = a[0] + b[0] + float(a.length() + b.length());";
    accept(Stage::Fragment, &fragment(450, "", "", body));
    accept(Stage::Fragment, &fragment(430, "", "float a[] = float[](1.0, 2.0);", "c.x = a[0] + float(a.length());"));
}

/// GLSL 4.40 section 4.5: interpolation is the fragment shader's to say; before, both stages say the same.
#[test]
fn interpolation_between_stages() {
    let linked = |version: u32| {
        let vertex = format!("#version {version}\nout vec4 v;\nvoid main() {{ v = vec4(1.0); gl_Position = v; }}\n");
        let shaders = [
            accept(Stage::Vertex, &vertex),
            accept(Stage::Fragment, &fragment(version, "", "noperspective in vec4 v;", "c = v;")),
        ];
        link(&LinkInput { shaders: &shaders, ..LinkInput::default() }).ok
    };
    assert!(!linked(430) && linked(440) && linked(460));
}
