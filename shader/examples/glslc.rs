//! Compiles and links GLSL files (`x.vert x.geom x.frag`) and writes `PREFIX.{vert,geom,frag}.spv`.
use gallite_shader::*;

fn main() {
    let mut args = std::env::args().skip(1);
    let prefix = args.next().unwrap_or_default();
    let mut shaders = Vec::new();
    // `--ext=NAME` before the files advertises an extension, `--version=N` allows a language version.
    let named = |option: &'static str| std::env::args().filter_map(move |a| Some(a.strip_prefix(option)?.to_owned()));
    let newest = named("--version=").next().and_then(|v| v.parse().ok()).unwrap_or(330);
    let options = CompileOptions {
        limits: std::sync::Arc::new(Limits { max_glsl_version: newest, ..Limits::default() }),
        extensions: named("--ext=").collect(),
        ..CompileOptions::default()
    };
    for path in args.filter(|a| !a.starts_with("--")) {
        let stage = match path.rsplit('.').next() {
            Some("vert") => Stage::Vertex,
            Some("tesc") => Stage::TessControl,
            Some("tese") => Stage::TessEvaluation,
            Some("geom") => Stage::Geometry,
            _ => Stage::Fragment,
        };
        let source = std::fs::read_to_string(&path).unwrap_or_default();
        let shader = compile(stage, &source, &options);
        print!("{path}: {}\n{}", if shader.ok { "ok" } else { "failed" }, shader.log);
        shaders.push(shader);
    }
    let result = link(&LinkInput { shaders: &shaders, ..LinkInput::default() });
    print!("link: {}\n{}", if result.ok { "ok" } else { "failed" }, result.log);
    let Some(program) = result.program else { return };
    println!("{:#?}", program.reflection);
    for b in &program.bindings {
        println!("{b:?}");
    }
    for (i, words) in program.stages.iter().enumerate() {
        let Some(words) = words else { continue };
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let ext = ["vert", "tesc", "tese", "geom", "frag", "comp"][i];
        if let Err(e) = std::fs::write(format!("{prefix}.{ext}.spv"), bytes) {
            eprintln!("{e}");
        }
    }
}
