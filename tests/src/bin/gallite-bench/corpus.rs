//! Shaders that others wrote: piglit's, and those of the demo.

use std::fs;
use std::path::{Path, PathBuf};

use gallite_tests::gl;

#[path = "../gallite-demo/shaders.rs"]
mod demo;

/// The stages of one program, or one shader that is compiled alone.
pub struct Source {
    pub shaders: Vec<(u32, String)>,
    /// Whether the shaders are linked.
    pub links: bool,
}

impl Source {
    /// Whether a context of the compatibility profile takes it: it is of a version before profiles, or names that one.
    pub fn is_legacy(&self) -> bool {
        let is_new = |version: &str| {
            let number = version.trim_start_matches(|c: char| !c.is_ascii_digit());
            let number = number.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse::<u32>().ok());
            number.is_some_and(|number| number >= 140) && !version.contains("compatibility")
        };
        let version =
            |text: &str| text.lines().find(|line| line.trim_start().starts_with("#version")).is_some_and(is_new);
        !self.shaders.iter().all(|(_, text)| version(text))
    }
}

/// Where Debian's package and piglit's own installation put the tests.
const ROOTS: [&str; 3] = ["lib/piglit", "lib/x86_64-linux-gnu/piglit", "lib/aarch64-linux-gnu/piglit"];

/// Kind of a shader by the word in front of `shader]` in a section, and by the extension of a file.
const STAGES: [(&str, &str, u32); 6] = [
    ("[vertex ", "vert", gl::VERTEX_SHADER),
    ("[tessellation control ", "tesc", gl::TESS_CONTROL_SHADER),
    ("[tessellation evaluation ", "tese", gl::TESS_EVALUATION_SHADER),
    ("[geometry ", "geom", gl::GEOMETRY_SHADER),
    ("[fragment ", "frag", gl::FRAGMENT_SHADER),
    ("[compute ", "comp", gl::COMPUTE_SHADER),
];

/// The vertex shader that `[vertex shader passthrough]` stands for.
const PASSTHROUGH: &str = "#version 330 core\nin vec4 piglit_vertex;\nvoid main() { gl_Position = piglit_vertex; }\n";

/// Names of the demo's programs begin so; what follows is a number.
const DEMO: &str = "demo:";

fn demo_programs() -> Vec<(String, String)> {
    vec![
        demo::surface(),
        demo::shadow(),
        demo::lamp(),
        demo::background(),
        demo::bright(),
        demo::blur(),
        demo::composite(),
    ]
}

/// Names of all sources whose names contain `filter`, in order.
pub fn names(filter: &str) -> Vec<String> {
    let mut found = Vec::new();
    for root in ROOTS.map(|root| Path::new("/usr").join(root)) {
        walk(&root.join("tests"), &mut found);
        walk(&root.join("generated_tests"), &mut found);
    }
    let mut names: Vec<String> =
        found.into_iter().filter_map(|path| path.into_os_string().into_string().ok()).collect();
    names.extend((0..demo_programs().len()).map(|number| format!("{DEMO}{number}")));
    names.retain(|name| name.contains(filter));
    names.sort();
    names
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let Some(extension) = path.extension().and_then(|e| e.to_str()) else {
            walk(&path, found);
            continue;
        };
        if path.is_dir() {
            walk(&path, found);
        } else if extension == "shader_test" || STAGES.iter().any(|stage| stage.1 == extension) {
            found.push(path);
        }
    }
}

/// Reads a source; None for what holds no GLSL of a desktop version.
pub fn read(name: &str) -> Option<Source> {
    if let Some(number) = name.strip_prefix(DEMO) {
        let (vertex, fragment) = demo_programs().into_iter().nth(number.parse().ok()?)?;
        let shaders = vec![(gl::VERTEX_SHADER, vertex), (gl::FRAGMENT_SHADER, fragment)];
        return Some(Source { shaders, links: true });
    }
    let text = String::from_utf8_lossy(&fs::read(name).ok()?).into_owned();
    let extension = Path::new(name).extension()?.to_str()?;
    if let Some((.., kind)) = STAGES.iter().find(|stage| stage.1 == extension) {
        return Some(Source { shaders: vec![(*kind, text)], links: false });
    }
    let mut shaders: Vec<(u32, String)> = Vec::new();
    let mut inside = false;
    // Shaders without a version have the one that the test requires.
    let mut version = None;
    for line in text.lines() {
        if let Some(number) = line.strip_prefix("GLSL >= ") {
            version = Some(format!("#version {}\n", number.trim().replace('.', "")));
        }
        if line.starts_with('[') {
            let stage = STAGES.iter().find(|stage| line.starts_with(stage.0));
            inside = stage.is_some() && line.ends_with("shader]");
            match stage {
                Some((.., kind)) if inside => shaders.push((*kind, String::new())),
                Some((.., kind)) if line.ends_with("passthrough]") => shaders.push((*kind, PASSTHROUGH.to_owned())),
                _ => {}
            }
        } else if inside && let Some((_, shader)) = shaders.last_mut() {
            shader.push_str(line);
            shader.push('\n');
        }
    }
    for (_, text) in shaders.iter_mut().filter(|(_, text)| !text.contains("#version")) {
        text.insert_str(0, version.as_deref().unwrap_or_default());
    }
    (!shaders.is_empty()).then_some(Source { shaders, links: true })
}
