//! Finds which commands the state tracker implements by reading `state-tracker/src/commands/`.
//!
//! A command is a function `pub fn Name(ctx: &mut Context, ..)` at the start of a line. Where a macro writes the
//! functions, a line `// gl-commands: Name Name ..` lists them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Where a command is implemented.
pub struct Implementation {
    /// Rust path of the module, `commands::buffers`.
    pub module: String,
    /// Parameters after the context, when the signature could be read.
    pub arity: Option<usize>,
}

/// Implemented commands by name without the `gl` prefix.
pub fn scan(folder: &Path) -> Result<BTreeMap<String, Implementation>, String> {
    let mut found = BTreeMap::new();
    walk(folder, "commands", &mut found)?;
    Ok(found)
}

fn walk(folder: &Path, module: &str, found: &mut BTreeMap<String, Implementation>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.sort();
    for path in paths {
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        if path.is_dir() {
            walk(&path, &format!("{module}::{stem}"), found)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            let inner = if stem == "mod" { module.to_owned() } else { format!("{module}::{stem}") };
            let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            for (name, arity) in functions(&text) {
                let implementation = Implementation { module: inner.clone(), arity };
                if let Some(other) = found.insert(name.clone(), implementation) {
                    return Err(format!("{name} is implemented in {} and in {inner}", other.module));
                }
            }
        }
    }
    Ok(())
}

fn functions(text: &str) -> Vec<(String, Option<usize>)> {
    let mut out = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if let Some(list) = line.trim().strip_prefix("// gl-commands:") {
            out.extend(list.split_whitespace().map(|n| (n.to_owned(), None)));
            continue;
        }
        let Some(rest) = line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("pub(crate) fn ")) else { continue };
        let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
            continue;
        }
        let Some(open) = text[start..].find('(') else { continue };
        let inside = text[start + open + 1..].trim_start();
        if !inside.starts_with("ctx: &mut Context") && !inside.starts_with("_ctx: &mut Context") {
            continue;
        }
        out.push((name, Some(arity(inside))));
    }
    out
}

/// Parameters after the first of a parameter list whose opening bracket is consumed.
fn arity(list: &str) -> usize {
    let mut depth = 0_i32;
    let mut count = 0;
    let mut pending = false;
    for c in list.chars() {
        match c {
            '(' | '<' | '[' => depth += 1,
            ')' if depth == 0 => break,
            ')' | '>' | ']' => depth -= 1,
            ',' if depth == 0 => {
                count += usize::from(pending);
                pending = false;
                continue;
            }
            _ => {}
        }
        pending |= !c.is_whitespace();
    }
    (count + usize::from(pending)).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_one_line_and_many_line_signatures() {
        let text = "pub fn A(ctx: &mut Context, x: ClientPtr<ClientPtr<u8>>) {}\npub fn B(\n    ctx: &mut Context,\n    y: u32,\n    z: u32,\n) {}\npub fn helper(ctx: &mut Context) {}\n// gl-commands: C D\n";
        let found = functions(text);
        let expected: Vec<_> =
            [("A", Some(1)), ("B", Some(2)), ("C", None), ("D", None)].map(|(n, a)| (n.to_owned(), a)).into();
        assert_eq!(found, expected);
    }
}
