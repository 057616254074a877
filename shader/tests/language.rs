//! What the front end must accept and refuse, and what the linker must: one case a rule.

use gallite_shader::{CompileOptions, CompiledShader, LinkInput, LinkResult, Stage, compile, link};

const EXTENSIONS: &[&str] = &["GL_ARB_texture_rectangle", "GL_EXT_texture_array", "GL_ARB_explicit_attrib_location"];

fn build(stage: Stage, source: &str) -> CompiledShader {
    let options = CompileOptions {
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

/// Expects an error at a line.
#[track_caller]
fn refuse(stage: Stage, line: u32, source: &str) {
    let shader = build(stage, source);
    assert!(!shader.ok, "accepted:\n{source}");
    assert!(shader.log.contains(&format!("0:{line}(")), "no error at line {line}: {}\n{source}", shader.log);
}

fn try_link(shaders: &[(Stage, &str)]) -> LinkResult {
    let shaders: Vec<CompiledShader> = shaders.iter().map(|(stage, source)| accept(*stage, source)).collect();
    link(&LinkInput { shaders: &shaders, ..LinkInput::default() })
}

#[track_caller]
fn links(shaders: &[(Stage, &str)]) {
    let result = try_link(shaders);
    assert!(result.ok, "{}", result.log);
}

#[track_caller]
fn does_not_link(shaders: &[(Stage, &str)]) {
    let result = try_link(shaders);
    assert!(!result.ok, "links:\n{shaders:#?}");
    assert!(!result.log.is_empty());
}

const VS: &str = "#version 150\nin vec4 p;\nvoid main() { gl_Position = p; }\n";
const FS: &str = "#version 150\nout vec4 c;\nvoid main() { c = vec4(1.0); }\n";

/// GLSL 4.60 3.1: a backslash continues the line; drivers take it in every version.
#[test]
fn line_continuation() {
    for version in [110, 120, 130, 140, 150, 330] {
        accept(
            Stage::Vertex,
            &format!(
                "#version {version}\n#define SUM(a, b) \\\n  ((a) + \\\r\n (b))\nvoid main() {{ gl_Position = vec4(SUM(1.0, 2.\\\n0)); }}\n"
            ),
        );
    }
    // Lines after it keep their numbers.
    refuse(Stage::Vertex, 4, "#version 150\n#define X 1 + \\\n 2\nint y = ;\nvoid main() {}\n");
}

/// GLSL 4.60 3.3: `__VERSION__`, `__LINE__` and `__FILE__` are macros, so they are defined.
#[test]
fn predefined_macros_are_defined() {
    for version in [110, 130, 150, 330] {
        accept(
            Stage::Vertex,
            &format!(
                "#version {version}\n#if !defined __VERSION__ || !defined(__LINE__) || __VERSION__ != {version}\n#error 1\n#endif\n\
                 #ifndef __FILE__\n#error 2\n#endif\n#ifdef __VERSION__\nvoid main() {{}}\n#endif\n"
            ),
        );
    }
}

/// GLSL 1.50 4.3.4: integer inputs of a fragment shader are flat, also inside blocks.
#[test]
fn integers_in_blocks_are_flat() {
    let shader = |members: &str| {
        format!(
            "#version 150\nstruct S {{ int i[2]; }};\nin B {{\n{members}\n}} b;\nout vec4 c;\nvoid main() {{ c = vec4(1.0); }}\n"
        )
    };
    for bad in ["int v;", "noperspective uvec2 v;", "smooth S s;", "ivec4 a[3];"] {
        refuse(Stage::Fragment, 4, &shader(bad));
    }
    for good in ["flat int v;", "flat S s;", "vec4 v; flat uint w;"] {
        accept(Stage::Fragment, &shader(good));
    }
}

/// GLSL 1.40 1.2.1: fixed-function names are gone, in what the preprocessor leaves.
#[test]
fn removed_names() {
    for name in
        ["gl_Vertex", "gl_FrontColor", "gl_ModelViewMatrix[0]", "gl_MaxLights", "gl_TexCoord[0]", "ftransform()"]
    {
        refuse(Stage::Vertex, 2, &format!("#version 140\nvoid main() {{ gl_Position = vec4(1.0); {name}; }}\n"));
    }
    accept(
        Stage::Vertex,
        "#version 140\n#if __VERSION__ < 140\nvec4 v = gl_Vertex;\n#endif\nvoid main() { gl_Position = vec4(1.0); }\n",
    );
    // The old outputs are deprecated, not gone, until GLSL 4.20.
    for version in [130, 140, 150, 330] {
        accept(Stage::Fragment, &format!("#version {version}\nvoid main() {{ gl_FragColor = vec4(1.0); }}\n"));
    }
}

/// GLSL 1.30 7.2: one kind of colour output.
#[test]
fn one_kind_of_output() {
    for body in
        ["gl_FragColor = c; gl_FragData[0] = c;", "gl_FragColor = c; o = c;", "if (false) gl_FragData[1] = c; o = c;"]
    {
        let shader =
            build(Stage::Fragment, &format!("#version 130\nin vec4 c;\nout vec4 o;\nvoid main() {{ {body} }}\n"));
        assert!(!shader.ok, "{body}");
    }
    accept(Stage::Fragment, "#version 130\nout vec4 o;\nvoid main() { gl_FragColor = vec4(1.0); }\n");
}

/// GLSL 1.40 8.5 has `inverse`.
#[test]
fn inverse_in_1_40() {
    accept(
        Stage::Vertex,
        "#version 140\nuniform mat3 m;\n#if __VERSION__ != 140\n#error\n#endif\nvoid main() { gl_Position = vec4(inverse(m)[0], float(__VERSION__)); }\n",
    );
}

/// GLSL 1.50 4.3.7: interface blocks.
#[test]
fn interface_blocks() {
    refuse(Stage::Vertex, 2, "#version 150\nout B { varying vec4 v; } b;\nvoid main() {}\n");
    refuse(Stage::Vertex, 2, "#version 150\nuniform B { float f; } b[];\nvoid main() {}\n");
    refuse(Stage::Fragment, 2, "#version 150\nvec4 f(layout(pixel_center_integer) in float a) { return vec4(a); }\n");
    let vs =
        |block: &str| format!("#version 150\nout B {{ {block} }} o;\nvoid main() {{ gl_Position = vec4(0.0); }}\n");
    let fs = |block: &str| format!("#version 150\nin B {{ {block} }} i;\nvoid main() {{}}\n");
    links(&[(Stage::Vertex, &vs("vec4 a; vec2 b;")), (Stage::Fragment, &fs("vec4 a; vec2 b;"))]);
    for other in ["vec4 a;", "vec2 b; vec4 a;", "vec4 a; vec3 b;", "vec4 a; vec2 b; vec2 c;", "vec4 a; vec2 c;"] {
        does_not_link(&[(Stage::Vertex, &vs("vec4 a; vec2 b;")), (Stage::Fragment, &fs(other))]);
    }
}

/// GLSL 1.50 4.6.1: invariant on both sides; GLSL 4.20 dropped the rule.
#[test]
fn invariant_on_both_sides() {
    let vs = |q: &str| format!("#version 150\n{q} out vec4 v;\nvoid main() {{ gl_Position = v = vec4(0.0); }}\n");
    let fs = |q: &str| format!("#version 150\n{q} in vec4 v;\nout vec4 c;\nvoid main() {{ c = v; }}\n");
    links(&[(Stage::Vertex, &vs("invariant")), (Stage::Fragment, &fs("invariant"))]);
    links(&[(Stage::Vertex, &vs("")), (Stage::Fragment, &fs(""))]);
    does_not_link(&[(Stage::Vertex, &vs("invariant")), (Stage::Fragment, &fs(""))]);
    links(&[(Stage::Vertex, &vs("\n#pragma STDGL invariant(all)\n")), (Stage::Fragment, &fs(""))]);
}

const GS: &str = "layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n";

/// Functions of extensions in a stage that is younger than they.
#[test]
fn old_texture_functions_in_geometry_shaders() {
    accept(
        Stage::Geometry,
        &format!(
            "#version 150\n#extension GL_ARB_texture_rectangle : require\n#extension GL_EXT_texture_array : enable\n{GS}\
             uniform sampler2DRect r; uniform sampler2DRectShadow s; uniform sampler2DArray a;\n\
             void main() {{ gl_Position = texture2DRect(r, vec2(0.0)) + texture2DRectProj(r, vec3(1.0)) + shadow2DRect(s, vec3(0.0))\n\
             + shadow2DRectProj(s, vec4(1.0)) + texture2DArray(a, vec3(0.0)); EmitVertex(); }}\n"
        ),
    );
    for version in ["150", "150 core", "330 core", "330"] {
        accept(
            Stage::Fragment,
            &format!(
                "#version {version}\n#if !defined GL_core_profile || defined GL_compatibility_profile || __LINE__ != 2\n#error\n#endif\n\
                 uniform sampler2D t; uniform sampler2DShadow s; uniform samplerCube c; out vec4 r;\n\
                 void main() {{ r = texture2D(t, vec2(0.0)) + shadow2D(s, vec3(0.0), 1.0).rrrr + textureCube(c, vec3(1.0)); }}\n"
            ),
        );
    }
    // Its own function of that name stays its own.
    accept(
        Stage::Fragment,
        "#version 330 core\nuniform sampler2D t; out vec4 r;\nvec4 texture2D(sampler2D s, vec2 c) { return texture(s, c); }\nvoid main() { r = texture2D(t, vec2(0.0)); }\n",
    );
    accept(
        Stage::Fragment,
        "#version 330 core\n#define texture2D(s, c) texture(s, c)\nuniform sampler2D t; out vec4 r;\nvoid main() { r = texture2D(t, vec2(0.0)); }\n",
    );
    // Not the rest of the compatibility profile.
    refuse(
        Stage::Fragment,
        4,
        "#version 330 core\nuniform sampler2D t; out vec4 r;\nvoid main() { r = texture2D(t, vec2(0.0))\n + gl_Color; }\n",
    );
    accept(Stage::Geometry, &format!("{GS}void main() {{ gl_Position = gl_in[0].gl_Position; EmitVertex(); }}\n"));
}

/// GLSL 1.50 4.3.8.1: sizes of inputs, also before the primitive is known.
#[test]
fn geometry_input_sizes() {
    refuse(Stage::Geometry, 3, "#version 150\nin vec4 a[2];\nin vec4 b[3];\n");
    refuse(Stage::Geometry, 4, "#version 150\nin vec4 a[];\nvec4 f() { return a[2]; }\nlayout(lines) in;\n");
    refuse(Stage::Geometry, 2, "#version 150\nlayout(points, points) in;\nvoid main() {}\n");
}

/// GLSL 1.50 7.1: `gl_PerVertex` may be redeclared, in all objects of a stage that use it.
#[test]
fn per_vertex_redeclaration() {
    let with = "#version 150\nout gl_PerVertex { vec4 gl_Position; };\nvoid g();\nvoid main() { gl_Position = vec4(0.0); g(); }\n";
    accept(Stage::Vertex, with);
    links(&[(Stage::Vertex, with), (Stage::Vertex, "#version 150\nvoid g() {}\n"), (Stage::Fragment, FS)]);
    does_not_link(&[
        (Stage::Vertex, with),
        (Stage::Vertex, "#version 150\nvoid g() { gl_PointSize = 1.0; }\n"),
        (Stage::Fragment, FS),
    ]);
}

/// GLSL 1.50 4.3.8.1: a redeclared `gl_FragCoord` in all objects that use it.
#[test]
fn frag_coord_redeclaration() {
    let uses = |head: &str, name: &str, body: &str| {
        format!("#version 150\n{head}\nout vec4 c;\nvoid f();\nvoid {name}() {{ {body} }}\n")
    };
    let integer = "layout(pixel_center_integer) in vec4 gl_FragCoord;";
    let main = uses("", "main", "c = vec4(1.0); f();");
    links(&[
        (Stage::Vertex, VS),
        (Stage::Fragment, &main),
        (Stage::Fragment, &uses(integer, "f", "c = gl_FragCoord;")),
    ]);
    let main = uses(integer, "main", "c = gl_FragCoord; f();");
    links(&[(Stage::Vertex, VS), (Stage::Fragment, &main), (Stage::Fragment, &uses("", "f", "c.x = 1.0;"))]);
    for head in ["", "in vec4 gl_FragCoord;", "layout(origin_upper_left) in vec4 gl_FragCoord;"] {
        let other = uses(head, "f", "c = gl_FragCoord;");
        does_not_link(&[(Stage::Vertex, VS), (Stage::Fragment, &main), (Stage::Fragment, &other)]);
    }
}

/// GL 3.3 core 2.11.3: attributes of one location, as long as only one of them is read.
#[test]
fn attributes_may_share_a_location() {
    let vs = |types: [&str; 2]| {
        format!(
            "#version 150\n#extension GL_ARB_explicit_attrib_location : require\nuniform bool b;\n\
             layout(location = 1) in {} x;\nlayout(location = 1) in {} y;\n\
             void main() {{ if (b) gl_Position = vec4(x); else gl_Position = vec4(y); }}\n",
            types[0], types[1]
        )
    };
    links(&[(Stage::Vertex, &vs(["vec4", "vec4"])), (Stage::Fragment, FS)]);
    does_not_link(&[(Stage::Vertex, &vs(["vec4", "ivec4"])), (Stage::Fragment, FS)]);
}

/// Extensions in versions where glslang does not expect their syntax.
#[test]
fn layouts_in_1_30() {
    let head = "#version 130\n#extension GL_ARB_explicit_attrib_location : require\n";
    accept(
        Stage::Fragment,
        &format!(
            "{head}#if __VERSION__ != 130 || defined GL_compatibility_profile || defined GL_core_profile\n#error\n#endif\n\
             layout(location = 0, index = 1) out vec4 a;\nlayout(pixel_center_integer) in vec4 gl_FragCoord;\n\
             void main() {{ a = gl_FragCoord; }}\n"
        ),
    );
}

/// GL 4.6 core 11.1.2.1: names of captured block members.
#[test]
fn captured_block_members() {
    let vs = "#version 150\nout P { vec4 a; };\nout Q { vec4 a[2]; } q;\nout R { vec4 a; } r[2];\nvoid main() { a = q.a[1] = q.a[0] = r[0].a = r[1].a = gl_Position = vec4(0.0); }\n";
    let capture = |name: &str| {
        let shaders = [accept(Stage::Vertex, vs)];
        let names = [name.to_owned()];
        link(&LinkInput { shaders: &shaders, xfb_varyings: &names, ..LinkInput::default() }).ok
    };
    for good in ["a", "Q.a", "Q.a[1]", "R[0].a", "R[1].a"] {
        assert!(capture(good), "{good}");
    }
    for bad in ["P.a", "q.a", "Q.a[2]", "R.a", "r[0].a", "R[2].a", "Q[0].a"] {
        assert!(!capture(bad), "{bad}");
    }
}

/// GLSL 1.50 4.3.8.1: the primitive one object declares sizes the inputs of the others.
#[test]
fn primitive_in_another_object() {
    links(&[
        (Stage::Vertex, "#version 150\nout vec4 v;\nvoid main() { v = gl_Position = vec4(0.0); }\n"),
        (Stage::Geometry, &format!("#version 150\n{GS}void f();\nvoid main() {{ f(); }}\n")),
        (Stage::Geometry, "#version 150\nin vec4 v[];\nvoid f() { gl_Position = v[1]; EmitVertex(); }\n"),
        (Stage::Fragment, FS),
    ]);
}

#[test]
fn primitive_too_small_for_another_object() {
    does_not_link(&[
        (Stage::Vertex, "#version 150\nout vec4 v;\nvoid main() { v = gl_Position = vec4(0.0); }\n"),
        (Stage::Geometry, &format!("#version 150\n{GS}void f();\nvoid main() {{ f(); }}\n")),
        (Stage::Geometry, "#version 150\nin vec4 v[];\nvoid f() { gl_Position = v[3]; EmitVertex(); }\n"),
        (Stage::Fragment, FS),
    ]);
}

/// GLSL 4.60 4.3.3: built-in functions of constants and comparisons are constant.
#[test]
fn constant_expressions() {
    accept(
        Stage::Vertex,
        "#version 150\nvoid main() {\n\
         float a[determinant(mat2(1.0, 2.0, 3.0, 4.0)) == -2.0 ? 1 : -1];\n\
         float b[transpose(mat2(1.0, 2.0, 3.0, 4.0))[0][1] == 3.0 ? 1 : -1];\n\
         float c[(vec2(1.0) == vec2(2.0)) == false ? 1 : -1];\n\
         gl_Position = vec4(a.length() + b.length() + c.length());\n}\n",
    );
}

/// GLSL 1.20 4.1.10: an int becomes a float where one is wanted.
#[test]
fn implicit_conversion() {
    accept(
        Stage::Fragment,
        "#version 120\nfloat half_of(float x) { return x / 2; }\nvoid main() { float a = 1; a *= 500; gl_FragColor = vec4(a, half_of(3), 0, 1); }\n",
    );
    refuse(Stage::Fragment, 2, "#version 110\nvoid main() { float a = 1; gl_FragColor = vec4(a); }\n");
}

/// GL 4.6 core 7.6: a block without an instance name, declared alike in both stages, of which one stage reads a part.
#[test]
fn shared_block_without_instance() {
    let block = "#version 150\nlayout(std140) uniform Shared { vec4 first; mat4 second; float third; };\n";
    let result = try_link(&[
        (Stage::Vertex, &format!("{block}void main() {{ gl_Position = second * first * third; }}\n")),
        (Stage::Fragment, &format!("{block}out vec4 c;\nvoid main() {{ c = vec4(third); }}\n")),
    ]);
    let program = result.program.expect(&result.log);
    let names: Vec<&str> = program.reflection.uniforms.iter().map(|u| u.name.as_str()).collect();
    assert_eq!(names, ["first", "second", "third"]);
    assert_eq!(program.reflection.uniforms.iter().map(|u| u.offset).collect::<Vec<_>>(), [0, 16, 80]);
    assert_eq!(program.reflection.blocks.len(), 1);
}

/// GL 4.6 core 7.3.1.1: a sampler in a struct is a uniform of its own, whatever else is called alike.
#[test]
fn sampler_in_a_struct() {
    let result = try_link(&[
        (Stage::Vertex, VS),
        (
            Stage::Fragment,
            "#version 150\nstruct S { sampler2D t; vec4 c; };\nuniform S s;\nuniform S a[2];\nuniform vec4 s_t;\nout vec4 c;\n\
             void main() { c = texture(s.t, vec2(0.0)) * s.c + s_t + texture(a[1].t, a[0].c.xy); }\n",
        ),
    ]);
    let program = result.program.expect(&result.log);
    for name in ["s.t", "s.c", "s_t", "a[1].t", "a[0].c"] {
        let found = program.reflection.uniforms.iter().filter(|u| u.name == name).count();
        assert_eq!(found, 1, "{name}");
    }
    assert_eq!(program.reflection.sampler_count, 3);
}

/// GLSL 1.30 3.6 reserves `packed`; GLSL 1.40 makes it a layout qualifier, and so a name for anything else.
#[test]
fn packed_is_a_name_from_1_40() {
    let source = |version: u32| {
        format!("#version {version}\nvoid main() {{ float packed = 1.0; gl_Position = vec4(packed); }}\n")
    };
    for version in [110, 120, 130] {
        refuse(Stage::Vertex, 2, &source(version));
    }
    for version in [140, 150, 330] {
        accept(Stage::Vertex, &source(version));
    }
}

/// GLSL 4.00 to 4.60, where a context offers them; what GLSL 4.20 removed is an error there.
#[test]
fn later_versions() {
    let options = |max| CompileOptions {
        limits: std::sync::Arc::new(gallite_shader::Limits { max_glsl_version: max, ..Default::default() }),
        ..CompileOptions::default()
    };
    for version in [400, 410, 420, 430, 440, 450, 460] {
        let plain = format!("#version {version}\nin vec4 p;\nvoid main() {{ gl_Position = fma(p, p, p); }}\n");
        let shader = compile(Stage::Vertex, &plain, &options(460));
        assert!(shader.ok, "{version}: {}", shader.log);
        assert!(!compile(Stage::Vertex, &plain, &options(330)).ok, "{version}");
        let old = format!(
            "#version {version}\nuniform sampler2D t;\nout vec4 c;\nvoid main() {{ c = texture2D(t, vec2(0.0)); }}\n"
        );
        let shader = compile(Stage::Fragment, &old, &options(460));
        assert_eq!(shader.ok, version < 420, "{version}: {}", shader.log);
    }
}

/// GLSL 4.60 3.3: what sits in a group that the preprocessor removes means nothing.
#[test]
fn removed_groups() {
    let body = "out vec4 c;\nvoid main() { c = vec4(1.0); }\n";
    for head in [
        "#ifdef GL_ARB_not_there\n#extension GL_ARB_not_there : require\n#endif\n",
        "#if 0\n#extension GL_ARB_gpu_shader5 : require\n#endif\n",
        "#if 0\nlayout(std430) uniform B { float f; };\nvoid g(layout(location = 0) in vec4 a) {}\n#endif\n",
        "#if 0\nout gl_PerVertex { vec4 gl_Position; };\nuniform main { float x; };\n#endif\n",
    ] {
        let shader = accept(Stage::Fragment, &format!("#version 330\n{head}{body}"));
        assert_eq!(shader.log, "");
    }
    for (line, head) in [
        (2, "#extension GL_ARB_not_there : require\n"),
        (4, "#define X 1\n#if X\n#extension GL_ARB_not_there : require\n#endif\n"),
        (3, "#ifndef GL_ARB_not_there\n#extension GL_ARB_gpu_shader5 : require\n#endif\n"),
    ] {
        refuse(Stage::Fragment, line, &format!("#version 330\n{head}{body}"));
    }
    let warned = accept(Stage::Fragment, &format!("#version 330\n#extension GL_ARB_not_there : enable\n{body}"));
    assert!(warned.log.contains("GL_ARB_not_there") && !warned.log.contains("XX_"), "{}", warned.log);
}

/// GLSL 1.50 4.3.8.1: only the layout of the group that stays counts.
#[test]
fn primitives_in_groups() {
    let source = |lines: u32| {
        format!(
            "#version 150\n#define LINES {lines}\n#if LINES\nlayout(lines) in;\nin vec4 v[2];\n#else\nlayout(triangles) in;\nin vec4 v[3];\n#endif\n\
             layout(points, max_vertices = 1) out;\nvoid main() {{ gl_Position = v[1]; EmitVertex(); }}\n"
        )
    };
    for lines in [0, 1] {
        let program = try_link(&[
            (Stage::Vertex, "#version 150\nout vec4 v;\nvoid main() { v = gl_Position = vec4(0.0); }\n"),
            (Stage::Geometry, &source(lines)),
        ])
        .program
        .unwrap();
        assert_eq!(program.reflection.geometry.unwrap().input, if lines == 1 { 1 } else { 4 });
    }
}

/// GLSL 4.60 3.4: macros may hold any tokens, layouts and qualifiers among them.
#[test]
fn layouts_in_macros() {
    accept(
        Stage::Vertex,
        "#version 330\n#define DECLARE(q, t) q t\n#define OUT out\nDECLARE(layout(location = 0) in, vec4) a;\n\
         OUT gl_PerVertex { vec4 gl_Position; };\nvoid main() { gl_Position = a; }\n",
    );
    accept(
        Stage::Vertex,
        "#version 150\n#define LAYOUT(x) layout(x)\n#define BLOCK(name) uniform name {\nLAYOUT(std140) BLOCK(B) vec4 a; };\n\
         #pragma STDGL invariant(all)\nvoid main() { gl_Position = a; }\n",
    );
    // A macro does not hide a fault.
    refuse(
        Stage::Geometry,
        5,
        "#version 150\n#define L layout(lines) in;\nL\nlayout(points, max_vertices = 1) out;\nin vec4 v[3];\nvoid main() {}\n",
    );
}

/// Small sources that stand for huge ones end in an error, soon.
#[test]
fn sources_that_multiply() {
    let chain = |from: &str, step: &dyn Fn(u32) -> String, n: u32| -> String {
        (1..=n).fold(from.to_owned(), |all, i| all + &step(i))
    };
    let doubled = |i: u32| format!("#define A{i} A{0}+A{0}\n", i - 1);
    let members = |i: u32| format!("struct A{i} {{ A{0} a; A{0} b; }};\n", i - 1);
    let arrays = |i: u32| format!("struct A{i} {{ A{0} a[1]; }};\n", i - 1);
    let nested = |i: u32| format!("#define F{i}(x) F{0}(x)\n", i - 1);
    let main = "void main() { gl_Position = vec4(0.0); }\n";
    let start = std::time::Instant::now();
    for (fine, source) in [
        (
            true,
            chain("#version 330\nuniform float x;\n#define A0 x\n", &doubled, 15)
                + "float y() { return A15; }\n"
                + main,
        ),
        (
            false,
            chain("#version 330\nuniform float x;\n#define A0 x\n", &doubled, 60)
                + "float y() { return A60; }\n"
                + main,
        ),
        (false, chain("#version 330\nstruct A0 { float x; };\n", &members, 40) + "uniform A40 u;\n" + main),
        (true, chain("#version 330\nstruct A0 { float x; };\n", &arrays, 60) + "uniform A60 u;\n" + main),
        (false, chain("#version 330\nstruct A0 { float x; };\n", &arrays, 20_000) + "uniform A20000 u;\n" + main),
        (true, chain("#version 330\n#define F0(x) x\n", &nested, 150) + "float y() { return F150(1.0); }\n" + main),
        (false, format!("#version 330\n#if {}1{}\n#endif\n{main}", "(".repeat(100_000), ")".repeat(100_000))),
        (true, format!("#version 330\n#if {}1{}\n#endif\n{main}", "(".repeat(5000), ")".repeat(5000))),
        (true, format!("#version 330\n#if {}1\n#endif\n{main}", "!".repeat(10_000))),
    ] {
        let shader = build(Stage::Vertex, &source);
        assert_eq!(shader.ok, fine, "{}: {}", &source[..200.min(source.len())], shader.log);
        if fine {
            link(&LinkInput { shaders: &[shader], ..LinkInput::default() });
        }
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(30), "{:?}", start.elapsed());
}

/// GL 4.6 core 7.6: the default block holds what each stage may use; where no uniform buffer is that large it is a storage
/// buffer (set 0, binding 0).
#[test]
fn large_default_block() {
    let vertex = |n: u32| {
        format!("#version 330\nuniform float a[{n}]; uniform int i; void main() {{ gl_Position = vec4(a[i]); }}\n")
    };
    let fragment =
        |n: u32| format!("#version 330\nuniform vec4 b[{n}]; uniform int i; out vec4 c; void main() {{ c = b[i]; }}\n");
    for (n, large) in [(50, false), (200, true)] {
        let program = try_link(&[(Stage::Vertex, &vertex(4000)), (Stage::Fragment, &fragment(n))]).program.unwrap();
        assert_eq!(program.reflection.flags.large_default_block, large);
        let flag = program.shader_desc().0.flags.contains(gallite_pipe::ShaderFlags::LARGE_DEFAULT_BLOCK);
        assert_eq!(flag, large);
    }
    does_not_link(&[(Stage::Vertex, &vertex(4097)), (Stage::Fragment, &fragment(1))]);
}

/// Locations that a stage's inputs or outputs are decorated with (SPIR-V: OpDecorate is 71, Location 30).
fn locations(words: &[u32]) -> Vec<u32> {
    let mut found = Vec::new();
    let mut at = 5;
    while let Some(head) = words.get(at) {
        if head & 0xffff == 71 && words[at + 2] == 30 {
            found.push(words[at + 3]);
        }
        at += (head >> 16) as usize;
    }
    found
}

/// GL 4.6 core 11.1.2.1 and 7.4.1 count components, so arrays of scalars and many small varyings fit where their
/// components do. (Limits of 60 components and 16 locations here.)
#[test]
fn varyings_fit_by_component() {
    let link_all = |most: u32, shaders: &[(Stage, &str)]| {
        let result = try_link(shaders);
        let program = result.program.expect(&result.log);
        for words in program.stages.iter().flatten() {
            assert!(locations(words).iter().all(|l| *l < most), "{:?}", locations(words));
        }
    };
    let fragment =
        |inputs: &str, sum: &str| format!("#version 150\n{inputs}out vec4 c;\nvoid main() {{ c = vec4({sum}); }}\n");
    let many: String = (0..60).map(|i| format!("in float v{i};\n")).collect();
    let sum: String = (0..60).map(|i| format!("v{i} + ")).collect();
    let outs = many.replace("in float", "out float");
    let writes: String = (0..60).map(|i| format!("v{i} = {i}.0; ")).collect();
    link_all(
        16,
        &[
            (Stage::Vertex, &format!("#version 150\n{outs}void main() {{ {writes}gl_Position = vec4(v3); }}\n")),
            (Stage::Fragment, &fragment(&many, &format!("{sum}0.0"))),
        ],
    );
    let vertex = "#version 150\nuniform int i; out float a[40]; flat out ivec2 n[5]; struct S { mat2 m; vec3 v; }; out S s; noperspective out float p;\n\
        void main() { a[i] = 1.0; n[i] = ivec2(i); s.m = mat2(2.0); s.v.y = 1.0; p = a[1]; gl_Position = vec4(a[2]); }\n";
    let inputs = "uniform int i; in float a[40]; flat in ivec2 n[5]; struct S { mat2 m; vec3 v; }; in S s; noperspective in float p;\n";
    link_all(
        16,
        &[(Stage::Vertex, vertex), (Stage::Fragment, &fragment(inputs, "a[i] + float(n[i].y) + s.m[1].x + s.v.y + p"))],
    );
    let many_in: String = (0..17).map(|i| format!("in float v{i}[]; out float w{i};\n")).collect();
    let copies: String = (0..17).map(|i| format!("w{i} = v{i}[1]; ")).collect();
    let outs: String = (0..17).map(|i| format!("out float v{i};\n")).collect();
    let writes: String = (0..17).map(|i| format!("v{i} = {i}.0; ")).collect();
    let ins: String = (0..17).map(|i| format!("in float w{i};\n")).collect();
    let sum: String = (0..17).map(|i| format!("w{i} + ")).collect();
    // Geometry outputs have 32 locations.
    link_all(
        32,
        &[
            (Stage::Vertex, &format!("#version 150\n{outs}void main() {{ {writes}gl_Position = vec4(v3); }}\n")),
            (
                Stage::Geometry,
                &format!(
                    "#version 150\nlayout(lines) in; layout(points, max_vertices = 2) out;\n{many_in}void main() {{ {copies} EmitVertex(); }}\n"
                ),
            ),
            (Stage::Fragment, &fragment(&ins, &format!("{sum}0.0"))),
        ],
    );
}

/// Extensions whose keywords and functions later versions have, in the versions that ask for them.
#[test]
fn extensions_of_old_versions() {
    let extensions = [
        "GL_ARB_explicit_attrib_location",
        "GL_ARB_uniform_buffer_object",
        "GL_ARB_shader_bit_encoding",
        "GL_ARB_texture_rectangle",
    ];
    let options =
        CompileOptions { extensions: extensions.map(str::to_owned).into_iter().collect(), ..CompileOptions::default() };
    for (extension, source) in [
        (extensions[0], "#version 110\n@layout(location = 1) in vec4 p;\nvoid main() { gl_Position = p; }\n"),
        (
            extensions[0],
            "#version 120\n@layout(location = 1) in vec4 p; varying vec4 v;\nvoid main() { gl_Position = v = p; }\n",
        ),
        (
            extensions[1],
            "#version 120\n@layout(std140, row_major) uniform B { mat4 m[2]; } b;\nvoid main() { gl_Position = b.m[1][0]; }\n",
        ),
        (extensions[2], "#version 130\n@void main() { gl_Position = vec4(intBitsToFloat(floatBitsToInt(1.0))); }\n"),
    ] {
        let asked = source.replace('@', &format!("#extension {extension} : enable\n"));
        let shader = compile(Stage::Vertex, &asked, &options);
        assert!(shader.ok, "{}\n{asked}", shader.log);
        assert!(link(&LinkInput { shaders: &[shader], ..LinkInput::default() }).ok);
        assert!(!compile(Stage::Vertex, &source.replace('@', ""), &options).ok, "{source}");
    }
    let rectangle = |head: &str| {
        format!(
            "#version 110\n{head}uniform sampler2DRect t;\nvoid main() {{ gl_FragColor = texture2DRect(t, vec2(1.0)); }}\n"
        )
    };
    for (head, fine) in [
        ("", true),
        ("#extension GL_ARB_texture_rectangle : require\n", true),
        ("#extension GL_ARB_texture_rectangle : disable\n", false),
    ] {
        assert_eq!(compile(Stage::Fragment, &rectangle(head), &options).ok, fine, "{head}");
    }
    assert!(!compile(Stage::Fragment, &rectangle(""), &CompileOptions::default()).ok);
}

/// GL 3.3 core 2.11.3: attributes of different sizes may share a location; a path through the shader reads one of them.
#[test]
fn aliased_attributes() {
    let vertex = "#version 330\nuniform bool on; in vec2 a; in vec4 b; in float c; in ivec2 n;\n\
        void main() { if (on) gl_Position = b; else gl_Position = a.xyxy * c + vec4(n, n); }\n";
    let shaders = [accept(Stage::Vertex, vertex)];
    let bound = |n: u32| {
        ["a", "b", "c"].map(|name| (name.to_owned(), 3)).into_iter().chain([("n".to_owned(), n)]).collect::<Vec<_>>()
    };
    let result = link(&LinkInput { shaders: &shaders, attribute_bindings: &bound(4), ..LinkInput::default() });
    let program = result.program.expect(&result.log);
    assert_eq!(locations(program.stages[0].as_ref().unwrap()), [3, 4]);
    assert!(program.reflection.attributes.iter().all(|a| a.location == if a.name == "n" { 4 } else { 3 }));
    // Integers are read otherwise than floats.
    assert!(!link(&LinkInput { shaders: &shaders, attribute_bindings: &bound(3), ..LinkInput::default() }).ok);
}

/// ARB_tessellation_shader needs GLSL 1.50 only, and ARB_gpu_shader_fp64 has constant matrices of doubles.
#[test]
fn later_stages_and_doubles_by_extension() {
    let extensions = ["GL_ARB_tessellation_shader", "GL_ARB_gpu_shader_fp64"];
    let options =
        CompileOptions { extensions: extensions.map(str::to_owned).into_iter().collect(), ..CompileOptions::default() };
    let shader = compile(
        Stage::TessControl,
        "#version 150\n#extension GL_ARB_tessellation_shader : require\nlayout(vertices = 3) out;\n\
         void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; gl_TessLevelOuter[0] = 1.0; }\n",
        &options,
    );
    assert!(shader.ok, "{}", shader.log);
    let shader = compile(
        Stage::Vertex,
        "#version 150\n#extension GL_ARB_gpu_shader_fp64 : require\nvoid main() {\n\
         double a[determinant(dmat2(1.0lf, 2.0lf, 3.0lf, 4.0lf)) == -2.0lf ? 1 : -1];\n gl_Position = vec4(a.length());\n}\n",
        &options,
    );
    assert!(shader.ok, "{}", shader.log);
}

/// GLSL 4.60 3.3: each extension that is offered is a macro of value 1, also those that need nothing of the front end.
#[test]
fn offered_extensions_are_macros() {
    let extensions = ["GL_ARB_draw_buffers", "GL_ARB_gpu_shader_fp64"].map(str::to_owned).into_iter().collect();
    let options = CompileOptions { extensions, ..CompileOptions::default() };
    for (name, fine) in [("GL_ARB_draw_buffers", true), ("GL_ARB_gpu_shader_fp64", true), ("GL_ARB_gpu_shader5", false)]
    {
        for condition in [format!("#if {name} != 1"), format!("#ifndef {name}"), format!("#if !defined({name})")] {
            let source =
                format!("#version 330\n{condition}\n#error no\n#endif\nvoid main() {{ gl_Position = vec4(0.0); }}\n");
            assert_eq!(compile(Stage::Vertex, &source, &options).ok, fine, "{condition}");
        }
        let value = format!("#version 330\nvoid main() {{ gl_Position = vec4({name}); }}\n");
        assert_eq!(compile(Stage::Vertex, &value, &options).ok, fine, "{name}");
    }
}
