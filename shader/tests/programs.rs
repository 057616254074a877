//! What is refused when a program is linked and no earlier, and what its stages have to say alike: one case a rule.

use gallite_shader::{CompileOptions, CompiledShader, Limits, LinkInput, Profile, Stage, compile, link};

const EXTENSIONS: &[&str] = &[
    "GL_ARB_ES2_compatibility",
    "GL_ARB_ES3_compatibility",
    "GL_ARB_arrays_of_arrays",
    "GL_ARB_enhanced_layouts",
    "GL_ARB_explicit_attrib_location",
    "GL_ARB_gpu_shader5",
    "GL_ARB_gpu_shader_fp64",
    "GL_ARB_separate_shader_objects",
    "GL_ARB_shader_storage_buffer_object",
    "GL_ARB_tessellation_shader",
];

const STAGES: [Stage; 5] = [Stage::Vertex, Stage::TessControl, Stage::TessEvaluation, Stage::Geometry, Stage::Fragment];

/// A program of sources that compile.
#[track_caller]
fn program(sources: &[(Stage, &str)], completed: bool) -> Result<(), String> {
    let options = CompileOptions {
        profile: Profile::Compatibility,
        limits: Limits { max_glsl_version: 460, ..Limits::default() }.into(),
        extensions: EXTENSIONS.iter().map(|e| (*e).to_owned()).collect(),
    };
    let compiled = |(stage, source): &(Stage, &str)| {
        let shader = compile(*stage, source, &options);
        assert!(shader.ok, "refused: {}\n{source}", shader.log);
        shader
    };
    let shaders: Vec<CompiledShader> = sources.iter().map(compiled).collect();
    let result = link(&LinkInput { shaders: &shaders, completed, ..LinkInput::default() });
    if result.ok { Ok(()) } else { Err(result.log) }
}

#[track_caller]
fn links(sources: &[(Stage, &str)]) {
    if let Err(log) = program(sources, false) {
        panic!("{log}\n{sources:#?}");
    }
}

#[track_caller]
fn does_not_link(sources: &[(Stage, &str)], what: &str) {
    let log = program(sources, false).expect_err("links");
    assert!(log.contains(what), "{log}");
}

fn pair<'a>(vertex: &'a str, fragment: &'a str) -> [(Stage, &'a str); 2] {
    [(Stage::Vertex, vertex), (Stage::Fragment, fragment)]
}

/// GLSL 4.60 4.4.1: locations that overlap, or that no program has, are an error of the program.
#[test]
fn locations() {
    const VS: &str = "#version 440\nvoid main() { gl_Position = vec4(0.0); }";
    for outputs in [
        "layout(location = 0) out vec4 a; layout(location = 0) out vec4 b;",
        "layout(location = 0, component = 1) out vec2 a; layout(location = 0, component = 2) out vec2 b;",
        "layout(location = 0) out float a; layout(location = 0, component = 2) out ivec2 b;",
        "layout(location = 0x7fffffff) out vec4 a;",
    ] {
        does_not_link(&pair(VS, &format!("#version 440\n{outputs}\nvoid main() {{ }}")), "location");
    }
    let from = "#version 440\nlayout(location = 0) out vec4 a[2]; layout(location = 3) out vec4 b;\n\
                void main() { gl_Position = a[0] = a[1] = b = vec4(0.0); }";
    let to = |location: u32| {
        format!("#version 440\nlayout(location = {location}) in vec4 a[2]; out vec4 c;\nvoid main() {{ c = a[1]; }}")
    };
    links(&pair(from, &to(0)));
    // By location alone, the name is no help.
    does_not_link(&pair(from, &to(1)), "no matching output");
}

/// GLSL 4.60 4.4.1: each stage has as many locations as it has components for, a patch has its own, and arrays take several.
#[test]
fn locations_have_an_end() {
    let both = |location: u32, ty: &str, value: &str| {
        let from = format!(
            "#version 440\nlayout(location = {location}) out {ty} a;\n\
             void main() {{ gl_Position = vec4(0.0); a{value} = vec4(1.0); }}"
        );
        let to = format!(
            "#version 440\nlayout(location = {location}) in {ty} a; out vec4 c;\nvoid main() {{ c = a{value}; }}"
        );
        program(&pair(&from, &to), false)
    };
    assert_eq!(both(15, "vec4", ""), Ok(()));
    assert_eq!(both(12, "vec4[4]", "[3]"), Ok(()));
    for (location, ty, value) in [(16, "vec4", ""), (60, "vec4", ""), (13, "vec4[4]", "[3]")] {
        assert!(both(location, ty, value).is_err_and(|log| log.contains("location")), "{location} {ty}");
    }
    let patches = |location: u32, vertices: u32, size: u32| {
        let vertex = "#version 440\nvoid main() { gl_Position = vec4(0.0); }";
        let control = format!(
            "#version 440\nlayout(vertices = {vertices}) out; layout(location = {location}) patch out vec4 p;\n\
             out vec4 v[][{size}];\nvoid main() {{ p = v[gl_InvocationID][{size} - 1] = vec4(1.0); }}"
        );
        let evaluation = format!(
            "#version 440\nlayout(quads) in; layout(location = {location}) patch in vec4 p; in vec4 v[][{size}];\n\
             void main() {{ gl_Position = p + v[0][{size} - 1]; }}"
        );
        let fragment = "#version 440\nout vec4 c;\nvoid main() { c = vec4(1.0); }";
        let stages = [
            (Stage::Vertex, vertex),
            (Stage::TessControl, &control),
            (Stage::TessEvaluation, &evaluation),
            (Stage::Fragment, fragment),
        ];
        program(&stages, false)
    };
    assert_eq!(patches(29, 4, 2), Ok(()));
    assert!(patches(30, 4, 2).is_err_and(|log| log.contains("location")));
    // GL 4.6 core 11.2.1.2.3: components of a vertex, and of all with the patch.
    assert_eq!(patches(0, 31, 30), Ok(()));
    assert!(patches(0, 4, 33).is_err_and(|log| log.contains("of a vertex")));
    assert!(patches(0, 32, 32).is_err_and(|log| log.contains("a patch and its vertices")));
}

/// GL 4.6 core 7.4.1 and GLSL 4.10: blocks have locations.
#[test]
fn locations_of_blocks() {
    let block = |interface: &str, body: &str| {
        format!("#version 420\nlayout(location = 2) {interface} B {{ vec4 a[2]; }} b;\n{body}")
    };
    links(&pair(
        &block("out", "void main() { gl_Position = b.a[0] = b.a[1] = vec4(0.0); }"),
        &block("in", "out vec4 c;\nvoid main() { c = b.a[1]; }"),
    ));
}

/// GLSL 1.10 4.3.6 and 7.1: what a fragment shader reads is written, and so is the position. Later versions leave values
/// undefined.
#[test]
fn written() {
    const READS: &str = "varying vec4 v;\nvoid main() { gl_FragColor = v; }";
    const WRITES: &str = "varying vec4 v;\nvoid main() { gl_Position = v = vec4(0.0); }";
    links(&pair(WRITES, READS));
    does_not_link(&pair("varying vec4 v;\nvoid main() { gl_Position = vec4(0.0); }", READS), "`v' is not written");
    does_not_link(&pair("varying vec4 v;\nvoid main() { v = vec4(0.0); }", READS), "gl_Position");
    links(&pair(
        "#version 150\nout vec4 v;\nvoid main() { }",
        "#version 150\nin vec4 v;\nout vec4 c;\nvoid main() { c = v; }",
    ));
}

/// GLSL 1.30 4.3.7: colours have one qualifier where they are written and where they are read.
#[test]
fn colors() {
    let vertex = |declared: &str| {
        format!("#version 130\n{declared}\nvoid main() {{ gl_Position = gl_FrontColor = gl_BackColor = vec4(0.0); }}")
    };
    let fragment = |declared: &str| format!("#version 130\n{declared}\nvoid main() {{ gl_FragColor = gl_Color; }}");
    let both = "flat out vec4 gl_FrontColor; flat out vec4 gl_BackColor;";
    links(&pair(&vertex(both), &fragment("flat in vec4 gl_Color;")));
    links(&pair(&vertex(""), &fragment("")));
    for (from, to) in [
        (both, ""),
        (both, "noperspective in vec4 gl_Color;"),
        ("", "smooth in vec4 gl_Color;"),
        ("flat out vec4 gl_FrontColor;", "flat in vec4 gl_Color;"),
    ] {
        let (from, to) = (vertex(from), fragment(to));
        does_not_link(&pair(&from, &to), "interpolation");
        // Fixed function gives what is read.
        assert!(program(&pair(&from, &to), true).is_ok());
    }
    // What is not read is no matter.
    links(&pair(&vertex(both), "#version 130\nvoid main() { gl_FragColor = vec4(1.0); }"));
}

/// ARB_gpu_shader5: `sample` on both sides or on none; GLSL 4.30 section 4.3.4 lets it differ.
#[test]
fn sample_qualifiers() {
    for (version, fine) in [(400, false), (430, true)] {
        let from = format!("#version {version}\nout vec4 v;\nvoid main() {{ gl_Position = v = vec4(0.0); }}");
        let to = format!("#version {version}\nsample in vec4 v;\nout vec4 c;\nvoid main() {{ c = v; }}");
        assert_eq!(program(&pair(&from, &to), false).is_ok(), fine);
    }
}

/// GLSL 4.00 4.3.8.2 and 8.10: several streams are of points, there are four, and fragments come from the first.
#[test]
fn streams() {
    const VS: &str = "#version 400\nvoid main() { gl_Position = vec4(0.0); }";
    let with = |output: &str, stream: &str, fragment: &str| {
        let geometry = format!(
            "#version 400\nlayout(points) in;\nlayout({output}, max_vertices = 3) out;\nlayout(stream = 1) out vec4 v;\n\
             void main() {{ v = gl_Position = vec4(0.0); EmitStreamVertex({stream}); EndStreamPrimitive({stream}); }}"
        );
        program(&[(Stage::Vertex, VS), (Stage::Geometry, &geometry), (Stage::Fragment, fragment)], false)
    };
    let plain = "#version 400\nout vec4 c;\nvoid main() { c = vec4(1.0); }";
    let reads = "#version 400\nin vec4 v;\nout vec4 c;\nvoid main() { c = v; }";
    assert!(with("points", "1", plain).is_ok());
    assert!(with("triangle_strip", "0", plain).is_ok());
    assert!(with("triangle_strip", "1", plain).is_err_and(|log| log.contains("points")));
    assert!(with("points", "-1", plain).is_err_and(|log| log.contains("limit")));
    assert!(with("points", "1", reads).is_err_and(|log| log.contains("stream")));
}

/// GLSL 4.60 4.3: initializers of a variable that several shader objects share are one constant.
#[test]
fn shared_initializers() {
    let of = |first: &str, second: &str| {
        let main = format!("{first}\nvoid main() {{ gl_Position = vec4(g); }}");
        let other = format!("{second}\nvoid f() {{ }}");
        program(&[(Stage::Vertex, &main), (Stage::Vertex, &other)], false)
    };
    assert!(of("float g = 1.0;", "float g;").is_ok());
    assert!(of("float g = 1.0;", "float g = 1.0;").is_ok());
    assert!(of("float g;", "float g = 2.0;").is_ok());
    assert!(of("float g = 1.0;", "float g = 2.0;").is_err_and(|log| log.contains("`g'")));
    assert!(of("uniform float u; float g = u;", "uniform float u; float g = u;").is_err_and(|log| log.contains("`g'")));
}

/// GLSL 4.60 4.4.2.1: one object declares the size of the output patch for all.
#[test]
fn output_patches() {
    const FUNCTION: &str = "#version 400\nvoid f() { gl_out[gl_InvocationID].gl_Position = vec4(0.0); }";
    let stages = |control: &[&'static str]| {
        let mut sources: Vec<(Stage, &str)> = control.iter().map(|source| (Stage::TessControl, *source)).collect();
        sources.push((Stage::Vertex, "#version 400\nvoid main() { gl_Position = vec4(0.0); }"));
        sources.push((
            Stage::TessEvaluation,
            "#version 400\nlayout(triangles) in;\nvoid main() { gl_Position = vec4(0.0); }",
        ));
        sources.push((Stage::Fragment, "#version 400\nout vec4 c;\nvoid main() { c = vec4(1.0); }"));
        sources.sort_by_key(|source| STAGES.iter().position(|stage| *stage == source.0));
        program(&sources, false)
    };
    let sized = "#version 400\nlayout(vertices = 3) out;\nvoid f();\nvoid main() { f(); }";
    let unsized_ = "#version 400\nvoid f();\nvoid main() { f(); }";
    for sources in [[sized, FUNCTION], [FUNCTION, sized]] {
        assert_eq!(stages(&sources), Ok(()));
    }
    assert!(stages(&[unsized_, FUNCTION]).is_err());
}

/// GLSL 4.60 4.1.9: the last member of a storage block alone may have no size.
#[test]
fn unsized_members() {
    let of = |members: &str, value: &str| {
        format!("#version 430\nbuffer B {{ {members} }} b;\nvoid main() {{ gl_Position = {value}; }}")
    };
    const FS: &str = "#version 430\nout vec4 c;\nvoid main() { c = vec4(1.0); }";
    links(&pair(&of("vec4 a; vec4 s[];", "b.s[0]"), FS));
    links(&pair(&of("vec4 s[]; vec4 a[];", "b.s[3]"), FS));
    does_not_link(&pair(&of("vec4 s[]; vec4 a[];", "b.a[0]"), FS), "`s'");
}

/// GLSL 4.60 4.3.9: the layout of a block is said alike wherever it is declared, in its own declaration or before it.
#[test]
fn layouts_of_blocks() {
    let vertex = |block: &str| format!("#version 430\n{block}\nvoid main() {{ gl_Position = u; }}");
    let fragment = |block: &str| format!("#version 430\n{block}\nout vec4 c;\nvoid main() {{ c = u; }}");
    let object = |block: &str| format!("#version 430\n{block}\nvec4 f() {{ return u; }}");
    const SHARED: &str = "uniform B { vec4 u; };";
    const STD140: &str = "layout(std140) uniform B { vec4 u; };";
    const DEFAULT: &str =
        "layout(std140) uniform; layout(column_major) uniform; uniform A { vec4 a; }; uniform B { vec4 u; };";
    const LOUD: &str = "layout(STD140) uniform B { vec4 u; };";
    const STORAGE140: &str = "layout(std140) buffer B { vec4 u; };";
    const STORAGE430: &str = "layout(Std430) buffer B { vec4 u; };";
    for (a, b, alike) in [
        (SHARED, SHARED, true),
        (SHARED, "layout(shared) uniform B { vec4 u; };", true),
        (STD140, STD140, true),
        (STD140, DEFAULT, true),
        (STD140, LOUD, true),
        (STORAGE430, "layout(std430) buffer; buffer B { vec4 u; };", true),
        (STD140, SHARED, false),
        (LOUD, SHARED, false),
        (DEFAULT, SHARED, false),
        (SHARED, "layout(packed) uniform B { vec4 u; };", false),
        (STORAGE140, STORAGE430, false),
        (STORAGE140, "buffer B { vec4 u; };", false),
    ] {
        let linked = program(&pair(&vertex(a), &fragment(b)), false);
        assert_eq!(linked.is_ok(), alike, "{a} {b}");
        assert!(alike || linked.is_err_and(|log| log.contains("block `B' do not match")), "{a} {b}");
        // So too in two objects of a stage.
        let (main, other) = (vertex(a), object(b));
        let linked = program(&[(Stage::Vertex, &main), (Stage::Vertex, &other)], false);
        assert_eq!(linked.is_ok(), alike, "{a} {b} in one stage");
    }
}

/// GLSL 4.60 4.1.9: an array without a size is as large as its largest subscript asks for, in all stages together.
#[test]
fn uniforms_without_a_size() {
    let vertex =
        |declared: &str, at: u32| format!("#version 120\n{declared}\nvoid main() {{ gl_Position = vec4(c[{at}]); }}");
    let fragment =
        |declared: &str, at: u32| format!("#version 120\n{declared}\nvoid main() {{ gl_FragColor = vec4(c[{at}]); }}");
    const OPEN: &str = "uniform vec4 c[];";
    links(&pair(&vertex(OPEN, 3), &fragment(OPEN, 5)));
    links(&pair(&vertex(OPEN, 5), &fragment(OPEN, 3)));
    links(&pair(&vertex(OPEN, 3), &fragment("uniform vec4 c[8];", 7)));
    links(&pair(&vertex("uniform vec4[8] c;", 3), &fragment("uniform vec4[] c;", 7)));
    does_not_link(&pair(&vertex(OPEN, 8), &fragment("uniform vec4 c[8];", 7)), "`c'");
    does_not_link(&pair(&vertex("uniform vec4 c[8];", 7), &fragment(OPEN, 8)), "`c'");
    does_not_link(&pair(&vertex(OPEN, 3), &fragment("uniform vec3 c[];", 5).replace("vec4(c[5])", "c[5].xyzx")), "`c'");
    does_not_link(&pair(&vertex("uniform vec4 c[4];", 3), &fragment("uniform vec4 c[6];", 5)), "`c'");
    // Each object of a stage may see another size.
    let objects = |declared: &str, other: &str| {
        let function = format!("#version 120\n{other}\nvec4 f() {{ return c[6]; }}");
        let main = format!("#version 120\n{declared}\nvec4 f();\nvoid main() {{ gl_Position = c[2] + f(); }}");
        let frame = fragment(OPEN, 7);
        program(&[(Stage::Vertex, &main), (Stage::Vertex, &function), (Stage::Fragment, &frame)], false)
    };
    assert_eq!(objects(OPEN, OPEN), Ok(()));
    assert_eq!(objects(OPEN, "uniform vec4 c[9];"), Ok(()));
    assert!(objects(OPEN, "uniform vec4 c[7];").is_err());
}

/// ESSL 3.00 4.3.5: a uniform has one precision in all stages; ESSL 1.00 asks for it of those that both use.
#[test]
fn precisions_of_uniforms() {
    let program = |head: &str, from: &str, to: &str, used: bool| {
        let (out, declared) = if head.is_empty() { ("gl_FragColor", "") } else { ("c", "out lowp vec4 c;") };
        let value = if used { "vec4(u)" } else { "vec4(0.0)" };
        let vertex = format!("{head}{from}\nvoid main() {{ gl_Position = vec4(u); }}");
        let fragment = format!("{head}{declared}\n{to}\nvoid main() {{ {out} = {value}; }}");
        let head = if head.is_empty() { "#version 100\n" } else { "" };
        program(&pair(&format!("{head}{vertex}"), &format!("{head}{fragment}")), false)
    };
    const THREE: &str = "#version 300 es\n";
    for (from, to, alike) in [
        ("uniform mediump float u;", "uniform mediump float u;", true),
        ("uniform float u;", "uniform highp float u;", true),
        ("uniform float u;", "precision highp float; uniform float u;", true),
        ("precision mediump float; uniform vec2 a; uniform float u;", "uniform mediump float u;", true),
        ("uniform highp int u;", "uniform int u;", false),
        ("uniform mediump int a, u;", "uniform int u;", true),
        ("uniform mediump float u;", "uniform highp float u;", false),
        ("uniform mediump float u;", "uniform lowp float u;", false),
        ("uniform float u;", "uniform mediump float u;", false),
        ("uniform bool u;", "uniform bool u;", true),
        ("struct S { float f; } ; uniform mediump float u;", "uniform mediump float u, v;", true),
    ] {
        let linked = program(THREE, from, to, true);
        assert_eq!(linked.is_ok(), alike, "{from} {to}: {linked:?}");
        assert!(alike || linked.is_err_and(|log| log.contains("precision")), "{from} {to}");
        assert_eq!(program(THREE, from, to, false).is_ok(), alike, "{from} {to}");
        assert_eq!(program("", from, to, true).is_ok(), alike, "1.00: {from} {to}");
        assert!(program("", from, to, false).is_ok(), "1.00: {from} {to}");
    }
}
