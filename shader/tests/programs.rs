//! What is refused when a program is linked and no earlier, and what its stages have to say alike: one case a rule.

use gallite_shader::{CompileOptions, CompiledShader, Limits, LinkInput, Profile, Stage, compile, link};

const EXTENSIONS: &[&str] = &[
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
