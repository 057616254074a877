//! Runs every shader of a piglit installation through the front end and the linker, validates the
//! SPIR-V with `spirv-val` when present, and prints totals and each surprise.
//!
//! `corpus [ROOT] [--max VERSION] [--no-val] [--only SUBSTRING] [--mutate SEED] [--named]`; damaged by a seed, only crashes and
//! slow ones matter.

#[path = "../tests/mutate/mod.rs"]
mod mutate;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use gallite_shader::*;

/// Extensions a 3.3 context advertises, for the purposes of this run.
const EXTENSIONS: &[&str] = &[
    "GL_ARB_draw_buffers",
    "GL_ARB_texture_rectangle",
    "GL_ARB_shader_texture_lod",
    "GL_ARB_uniform_buffer_object",
    "GL_ARB_draw_instanced",
    "GL_ARB_fragment_coord_conventions",
    "GL_ARB_explicit_attrib_location",
    "GL_ARB_shader_bit_encoding",
    "GL_ARB_texture_multisample",
    "GL_ARB_texture_cube_map_array",
    "GL_EXT_texture_array",
    "GL_ARB_blend_func_extended",
    "GL_ARB_shading_language_420pack",
    "GL_ARB_texture_query_lod",
    "GL_ARB_texture_gather",
    "GL_ARB_conservative_depth",
    "GL_AMD_conservative_depth",
    "GL_ARB_separate_shader_objects",
    "GL_ARB_sample_shading",
    "GL_ARB_arrays_of_arrays",
    "GL_ARB_shading_language_packing",
    "GL_ARB_explicit_uniform_location",
    "GL_ARB_derivative_control",
    "GL_ARB_gpu_shader_fp64",
    "GL_ARB_gpu_shader5",
    "GL_ARB_vertex_attrib_64bit",
    "GL_ARB_tessellation_shader",
    "GL_ARB_shader_subroutine",
    "GL_ARB_shader_precision",
    "GL_ARB_viewport_array",
    "GL_ARB_shader_texture_image_samples",
    "GL_ARB_texture_query_levels",
    "GL_ARB_cull_distance",
    "GL_ARB_shader_group_vote",
    "GL_ARB_shader_ballot",
    "GL_ARB_transform_feedback3",
];

struct Case {
    path: PathBuf,
    shaders: Vec<(Stage, String)>,
    /// `None` for shader_test files, else whether the parser must accept.
    expect: Option<bool>,
    /// A shader_test that wants a link error.
    link_fails: bool,
    separable: bool,
}

fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for e in entries.flatten() {
        let p = e.path();
        if p.is_dir() {
            walk(&p, out);
        } else {
            out.push(p);
        }
    }
}

fn version_of(text: &str) -> u32 {
    text.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(110)
}

fn parse_shader_test(path: &Path, max: u32) -> Option<Case> {
    let text = fs::read_to_string(path).ok()?;
    let mut section = String::new();
    let mut shaders: Vec<(Stage, String)> = Vec::new();
    let mut link_fails = false;
    let mut separable = false;
    let mut version = String::new();
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if trimmed.starts_with('[') && trimmed.ends_with(']') {
            section = trimmed.trim_matches(['[', ']']).to_lowercase();
            let stage = match section.as_str() {
                "vertex shader" => Some(Stage::Vertex),
                "tessellation control shader" => Some(Stage::TessControl),
                "tessellation evaluation shader" => Some(Stage::TessEvaluation),
                "geometry shader" => Some(Stage::Geometry),
                "fragment shader" => Some(Stage::Fragment),
                "vertex shader passthrough" => {
                    shaders.push((
                        Stage::Vertex,
                        "#version 140\nin vec4 piglit_vertex;\nvoid main() { gl_Position = piglit_vertex; }\n".into(),
                    ));
                    None
                }
                s if s.contains("shader") => return None,
                _ => None,
            };
            shaders.extend(stage.map(|s| (s, String::new())));
            continue;
        }
        match section.as_str() {
            "require" => {
                let words: Vec<&str> = trimmed.split_whitespace().collect();
                match words[..] {
                    ["GLSL", "ES", ..] => return None,
                    ["GL", "ES", ..] => return None,
                    ["GL", "COMPAT", ..] => return None,
                    ["GLSL", op, v] if op.starts_with('>') || op == "=" || op == "==" => {
                        if version_of(v) > max {
                            return None;
                        }
                        version = format!("#version {}\n", version_of(v));
                    }
                    ["SSO", "ENABLED"] => separable = true,
                    [e, ..] if e.starts_with("GL_") && !EXTENSIONS.contains(&e) => return None,
                    ["SPIRV", ..] => return None,
                    _ => {}
                }
            }
            s if s.ends_with("shader") => {
                if let Some(last) = shaders.last_mut() {
                    last.1.push_str(line);
                }
            }
            "test" => link_fails |= trimmed == "link error",
            _ => {}
        }
    }
    // shader_runner puts the required version in front of sources without one.
    for (_, source) in &mut shaders {
        if !source.contains("#version") {
            source.insert_str(0, &version);
        }
    }
    (!shaders.is_empty()).then_some(Case { path: path.to_owned(), shaders, expect: None, link_fails, separable })
}

fn parse_glslparser(path: &Path, stage: Stage, max: u32) -> Option<Case> {
    let text = fs::read_to_string(path).ok()?;
    let config = &text[text.find("[config]")?..text.find("[end config]")?];
    let mut expect = true;
    for line in config.lines() {
        let line = line.trim_start_matches(['*', '/', ' ', '\t']).trim();
        if let Some(v) = line.strip_prefix("expect_result:") {
            expect = v.trim() == "pass";
        } else if let Some(v) = line.strip_prefix("glsl_version:") {
            if v.contains("es") || version_of(v.split_whitespace().next().unwrap_or("")) > max {
                return None;
            }
        } else if let Some(v) = line.strip_prefix("require_extensions:")
            && (v.split_whitespace().any(|e| !EXTENSIONS.contains(&e.trim_start_matches('!'))) || v.contains('!'))
        {
            return None;
        }
    }
    Some(Case {
        path: path.to_owned(),
        shaders: vec![(stage, text)],
        expect: Some(expect),
        link_fails: false,
        separable: false,
    })
}

fn validate(words: &[u32]) -> Option<String> {
    let mut child = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.1", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    if let Some(stdin) = child.stdin.as_mut() {
        std::io::Write::write_all(stdin, &bytes).ok()?;
    }
    drop(child.stdin.take());
    let out = child.wait_with_output().ok()?;
    (!out.status.success())
        .then(|| format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr)))
}

#[derive(Default)]
struct Totals {
    ok: AtomicUsize,
    accepted_bad: AtomicUsize,
    rejected_good: AtomicUsize,
    link_failed: AtomicUsize,
    link_accepted: AtomicUsize,
    invalid: AtomicUsize,
    compile_us: AtomicUsize,
    compiles: AtomicUsize,
    link_us: AtomicUsize,
    links: AtomicUsize,
    archive_bytes: AtomicUsize,
}

fn run_case(case: &Case, options: &CompileOptions, val: bool, totals: &Totals, say: &dyn Fn(String)) {
    let name = case.path.display().to_string();
    let mut shaders = Vec::new();
    for (stage, source) in &case.shaders {
        let start = Instant::now();
        let s = compile(*stage, source, options);
        totals.compile_us.fetch_add(start.elapsed().as_micros() as usize, Ordering::Relaxed);
        totals.compiles.fetch_add(1, Ordering::Relaxed);
        shaders.push(s);
    }
    let compiled = shaders.iter().all(|s| s.ok);
    let log: String = shaders.iter().map(|s| s.log.as_str()).collect();
    let first = log.lines().find(|l| l.contains("error")).unwrap_or("").to_owned();
    if case.expect == Some(false) {
        if compiled {
            totals.accepted_bad.fetch_add(1, Ordering::Relaxed);
            say(format!("ACCEPTED {name}"));
        } else {
            totals.ok.fetch_add(1, Ordering::Relaxed);
        }
        return;
    }
    if !compiled {
        if case.link_fails {
            totals.ok.fetch_add(1, Ordering::Relaxed);
            return;
        }
        totals.rejected_good.fetch_add(1, Ordering::Relaxed);
        say(format!("REJECTED {name} {first}"));
        return;
    }
    let start = Instant::now();
    let result = link(&LinkInput {
        shaders: &shaders,
        separable: case.separable || case.expect.is_some(),
        named: std::env::args().any(|a| a == "--named"),
        ..LinkInput::default()
    });
    totals.link_us.fetch_add(start.elapsed().as_micros() as usize, Ordering::Relaxed);
    totals.links.fetch_add(1, Ordering::Relaxed);
    let archive = result.program.as_deref().and_then(|program| postcard::to_allocvec(program).ok());
    totals.archive_bytes.fetch_add(archive.map_or(0, |bytes| bytes.len()), Ordering::Relaxed);
    if case.expect.is_none() && case.link_fails == result.ok {
        if result.ok {
            totals.link_accepted.fetch_add(1, Ordering::Relaxed);
            say(format!("LINKED {name}"));
        } else {
            totals.link_failed.fetch_add(1, Ordering::Relaxed);
            say(format!("UNLINKED {name} {}", result.log.lines().next().unwrap_or("")));
        }
        return;
    }
    let main_missing = result.log.contains("Missing entry point");
    if case.expect.is_some() && !result.ok && !main_missing {
        say(format!("UNLINKED-PARSER {name} {}", result.log.lines().next().unwrap_or("")));
    }
    if val && let Some(program) = &result.program {
        for words in program.stages.iter().flatten() {
            if let Some(text) = validate(words) {
                totals.invalid.fetch_add(1, Ordering::Relaxed);
                say(format!("INVALID {name} {}", text.lines().next().unwrap_or("")));
                return;
            }
        }
    }
    totals.ok.fetch_add(1, Ordering::Relaxed);
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1)).cloned();
    let root = args.first().filter(|a| !a.starts_with("--")).cloned();
    let root = root.unwrap_or_else(|| "/usr/lib/x86_64-linux-gnu/piglit".into());
    let max: u32 = flag("--max").and_then(|v| v.parse().ok()).unwrap_or(330);
    let only = flag("--only").unwrap_or_default();
    let val = !args.iter().any(|a| a == "--no-val");
    let mut paths = Vec::new();
    walk(Path::new(&root), &mut paths);
    let skip = flag("--skip").and_then(|f| fs::read_to_string(f).ok()).unwrap_or_default();
    let skip: Vec<&str> = skip.lines().collect();
    paths.retain(|p| p.to_string_lossy().contains(&only) && !skip.contains(&p.to_string_lossy().as_ref()));
    paths.sort();
    let mut cases: Vec<Case> = paths
        .iter()
        .filter_map(|p| match p.extension()?.to_str()? {
            "shader_test" => parse_shader_test(p, max),
            "vert" => parse_glslparser(p, Stage::Vertex, max),
            "frag" => parse_glslparser(p, Stage::Fragment, max),
            "geom" => parse_glslparser(p, Stage::Geometry, max),
            "tesc" => parse_glslparser(p, Stage::TessControl, max),
            "tese" => parse_glslparser(p, Stage::TessEvaluation, max),
            _ => None,
        })
        .collect();
    if let Some(seed) = flag("--mutate").and_then(|v| v.parse().ok()) {
        let mut random = mutate::Random::new(seed);
        for shader in cases.iter_mut().flat_map(|c| &mut c.shaders) {
            shader.1 = mutate::mutate(&shader.1, &mut random);
        }
    }
    let options = CompileOptions {
        limits: std::sync::Arc::new(Limits { max_glsl_version: max, ..Limits::default() }),
        extensions: EXTENSIONS.iter().map(|e| (*e).to_owned()).collect(),
        ..CompileOptions::default()
    };
    let totals = Totals::default();
    let next = AtomicUsize::new(0);
    let out = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for t in 0..flag("--threads").and_then(|v| v.parse().ok()).unwrap_or(2) {
            let (cases, options, totals, next, out) = (&cases, &options, &totals, &next, &out);
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(i) else { break };
                    // A crash leaves the name of its file behind.
                    let current = format!("/tmp/corpus-current-{t}");
                    let sources: String = case.shaders.iter().map(|s| s.1.as_str()).collect();
                    let _ = fs::write(format!("{current}.new"), format!("{}\n{sources}", case.path.display()));
                    let _ = fs::rename(format!("{current}.new"), current);
                    let start = Instant::now();
                    run_case(case, options, val, totals, &|line| out.lock().unwrap().push(line));
                    if start.elapsed().as_millis() > 2000 {
                        out.lock().unwrap().push(format!("SLOW {} {:?}", case.path.display(), start.elapsed()));
                    }
                }
            });
        }
    });
    let mut lines = out.into_inner().unwrap();
    lines.sort();
    for l in &lines {
        println!("{l}");
    }
    let get = |a: &AtomicUsize| a.load(Ordering::Relaxed);
    println!(
        "TOTAL cases {} ok {} accepted-bad {} rejected-good {} unlinked {} linked-bad {} invalid {}",
        cases.len(),
        get(&totals.ok),
        get(&totals.accepted_bad),
        get(&totals.rejected_good),
        get(&totals.link_failed),
        get(&totals.link_accepted),
        get(&totals.invalid)
    );
    println!("SIZE archives {} bytes", get(&totals.archive_bytes));
    println!(
        "TIME compile {:.3} ms/shader over {}, link {:.3} ms/program over {}",
        get(&totals.compile_us) as f64 / 1e3 / get(&totals.compiles).max(1) as f64,
        get(&totals.compiles),
        get(&totals.link_us) as f64 / 1e3 / get(&totals.links).max(1) as f64,
        get(&totals.links)
    );
}
