//! piglit's test lists as Debian installs them: gzipped XML, one `Test` element a test.

use crate::{Result, shell};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One test of piglit's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// "spec@!opengl 3.0@clearbuffer-depth".
    pub name: String,
    /// The program and its words, as the list has them.
    pub command: Vec<String>,
    /// Which kind of test: decides what piglit's own runner adds to the command.
    pub kind: Kind,
    /// The context that the test's text asks for, where the list says so.
    pub context: Context,
    /// False: the test draws into its window rather than into a framebuffer object.
    pub concurrent: bool,
    /// Window systems that the test is limited to; empty means all.
    pub only_on: Vec<String>,
    /// Window systems that the test is not for.
    pub not_on: Vec<String>,
}

/// Kinds of test that differ in how they are started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A program of its own.
    Native,
    /// A script of shader_runner's.
    Shader,
    /// A shader that has to compile, or not.
    Parser,
    /// The built-in constants of a GLSL version.
    Constants,
    /// An assembly program.
    Assembly,
}

/// What kind of context a test asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// The core profile.
    Core,
    /// The compatibility profile, or a version before profiles.
    Compat,
    /// OpenGL ES.
    Es,
    /// The list does not say; the program decides.
    Unknown,
}

/// Where piglit lies.
pub fn piglit_dir() -> Result<PathBuf> {
    for dir in ["/usr/lib/x86_64-linux-gnu/piglit", "/usr/lib/aarch64-linux-gnu/piglit", "/usr/lib/piglit"] {
        if Path::new(dir).join("tests").is_dir() {
            return Ok(dir.into());
        }
    }
    Err("piglit is not installed".into())
}

/// Reads a profile: a list, or one that names other lists.
pub fn read(dir: &Path, profile: &str) -> Result<Vec<Test>> {
    let meta = dir.join("tests").join(format!("{profile}.meta.xml"));
    if let Ok(text) = std::fs::read_to_string(&meta) {
        let mut tests = Vec::new();
        for part in text.split("<Profile>").skip(1) {
            let name = part.split('<').next().unwrap_or_default();
            tests.extend(read(dir, name)?);
        }
        return Ok(tests);
    }
    let file = dir.join("tests").join(format!("{profile}.xml.gz"));
    if !file.is_file() {
        return Err(format!("piglit has no profile '{profile}'"));
    }
    let mut unzip = Command::new("gzip");
    unzip.arg("-dc").arg(&file);
    let text = shell::output_of(&mut unzip)?;
    text.split("<Test ").skip(1).map(parse).collect()
}

fn parse(element: &str) -> Result<Test> {
    let head = element.split('>').next().unwrap_or_default();
    let name = attribute(head, "name").ok_or("a test without name")?;
    let kind = match attribute(head, "type").as_deref() {
        Some("gl") => Kind::Native,
        Some("shader") => Kind::Shader,
        Some("glsl_parser") => Kind::Parser,
        Some("gl_builtin") => Kind::Constants,
        Some("asm_parser") => Kind::Assembly,
        other => return Err(format!("{name}: unknown kind {other:?}")),
    };
    let options = element.split("<option ").skip(1);
    let option = |wanted: &str| {
        options
            .clone()
            .find(|text| attribute(text, "name").is_some_and(|name| name == wanted))
            .and_then(|text| attribute(text, "value"))
    };
    let mut command = option("command").map(|text| strings(&text)).unwrap_or_default();
    if kind == Kind::Assembly {
        let words = [option("type_"), option("filename")];
        command.push("asmparsertest".into());
        command.extend(words.into_iter().flatten().map(|word| word.trim_matches('\'').to_owned()));
    }
    if command.is_empty() {
        return Err(format!("{name}: no command"));
    }
    let version = option("shader_version").and_then(|v| v.parse::<f32>().ok()).unwrap_or(0.0);
    let context = match (kind, option("api").map(|api| api.trim_matches('\'').to_owned()).as_deref()) {
        (_, Some("gles2" | "gles3")) => Context::Es,
        (Kind::Native | Kind::Constants, _) if command[0].contains("_gles") => Context::Es,
        (Kind::Shader, Some("core")) => Context::Core,
        // glslparsertest asks for the core profile from GLSL 1.40 on.
        (Kind::Parser, Some("core")) if version >= 1.395 => Context::Core,
        (Kind::Shader | Kind::Parser | Kind::Assembly, _) => Context::Compat,
        _ => Context::Unknown,
    };
    let test = Test {
        command,
        kind,
        context,
        concurrent: option("run_concurrent").is_none_or(|text| text == "True"),
        only_on: option("require_platforms").map(|text| strings(&text)).unwrap_or_default(),
        not_on: option("exclude_platforms").map(|text| strings(&text)).unwrap_or_default(),
        name,
    };
    Ok(test)
}

fn attribute(text: &str, name: &str) -> Option<String> {
    let key = format!("{name}=\"");
    let start = match text.find(&format!(" {key}")) {
        Some(at) => at + 1 + key.len(),
        None => text.strip_prefix(&key).map(|_| key.len())?,
    };
    let end = text[start..].find('"')? + start;
    Some(unescape(&text[start..end]))
}

fn unescape(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&quot;", "\"").replace("&apos;", "'").replace("&amp;", "&")
}

/// The strings of a Python list or set as it prints them: ['a', "b's"].
fn strings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\'' && c != '"' {
            continue;
        }
        let mut word = String::new();
        while let Some(d) = chars.next() {
            match d {
                '\\' => word.extend(chars.next()),
                d if d == c => break,
                d => word.push(d),
            }
        }
        found.push(word);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_shader_test() {
        let text = "type=\"shader\" name=\"spec@glsl-1.50@a&amp;b\"><option name=\"shader_version\" value=\"1.5\" /><option name=\"api\" value=\"'core'\" /><option name=\"command\" value=\"['shader_runner', 'tests/x.shader_test']\" /><option name=\"run_concurrent\" value=\"True\" /></Test>";
        let test = parse(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(test.name, "spec@glsl-1.50@a&b");
        assert_eq!(test.command, ["shader_runner", "tests/x.shader_test"]);
        assert_eq!((test.kind, test.context, test.concurrent), (Kind::Shader, Context::Core, true));
    }

    #[test]
    fn a_program_built_for_es_asks_for_es() {
        let text = "type=\"gl\" name=\"a\"><option name=\"command\" value=\"['x_gles2']\" /></Test>";
        assert_eq!(parse(text).map(|test| test.context), Ok(Context::Es));
    }

    #[test]
    fn reads_a_native_test_limited_to_a_window_system() {
        let text = "type=\"gl\" name=\"a\"><option name=\"require_platforms\" value=\"['glx', 'mixed_glx_egl']\" /><option name=\"command\" value=\"['x', &quot;it's&quot;]\" /><option name=\"run_concurrent\" value=\"False\" /></Test>";
        let test = parse(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(test.command, ["x", "it's"]);
        assert_eq!(test.only_on, ["glx", "mixed_glx_egl"]);
        assert_eq!((test.context, test.concurrent), (Context::Unknown, false));
    }
}
