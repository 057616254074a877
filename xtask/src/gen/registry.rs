//! Reads the Khronos registry: commands, their parameters and aliases, constants, and which commands each
//! version or extension asks for.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use roxmltree::{Document, Node};

/// One parameter of a command.
pub struct Param {
    /// Name as in the registry.
    pub name: String,
    /// Rust type of the parameter at the C boundary.
    pub ty: String,
}

/// One command of the registry.
pub struct Command {
    /// Full name, `glBindBuffer`.
    pub name: String,
    /// Rust return type, empty for `void`.
    pub returns: String,
    /// Parameters in order.
    pub params: Vec<Param>,
}

/// One version of an API: its commands, and for the core profile those it removes.
pub struct Feature {
    /// `gl`, `gles2` and so on.
    pub api: String,
    /// Version number as written, `3.3`.
    pub number: String,
    /// Commands the version adds in every profile or in the core profile.
    pub require: Vec<String>,
    /// Commands the version adds in the compatibility profile only.
    pub require_compat: Vec<String>,
    /// Commands the core profile of this version loses.
    pub remove: Vec<String>,
}

/// The parts of the registry the generator uses.
pub struct Registry {
    /// Commands by name, only those of desktop GL, GLES 2.0 and later, and their extensions.
    pub commands: BTreeMap<String, Command>,
    /// Classes of commands that are aliases of one another, each sorted, canonical name first.
    pub alias_of: HashMap<String, String>,
    /// Constants by name with their values.
    pub enums: BTreeMap<String, u64>,
    /// Versions in registry order.
    pub features: Vec<Feature>,
    /// Commands by the extensions that ask for them.
    pub extensions: BTreeMap<String, Vec<String>>,
}

/// Commands that differ from another only in a rule about names, which the newer one relaxes in the
/// compatibility profile anyway.
const EXTRA_ALIASES: &[(&str, &str)] =
    &[("glBindFramebufferEXT", "glBindFramebuffer"), ("glBindRenderbufferEXT", "glBindRenderbuffer")];

fn names(node: &Node, section: &str, wanted: &str, profile: Option<&str>) -> Vec<String> {
    let mut out = Vec::new();
    for block in node.children().filter(|n| n.has_tag_name(section)) {
        let of = block.attribute("profile");
        let take = match profile {
            None => of != Some("compatibility"),
            Some(p) => of == Some(p),
        };
        if !take {
            continue;
        }
        for item in block.children().filter(|n| n.has_tag_name(wanted)) {
            if let Some(name) = item.attribute("name") {
                out.push(name.to_owned());
            }
        }
    }
    out
}

/// All text below a node.
fn text(node: &Node) -> String {
    node.descendants().filter(|n| n.is_text()).filter_map(|n| n.text()).collect()
}

/// The text of a declaration without the declared name.
fn declared_type(node: &Node) -> (String, String) {
    let name = node.children().find(|n| n.has_tag_name("name")).map(|n| text(&n)).unwrap_or_default();
    let whole = text(node);
    let at = whole.rfind(&name).unwrap_or(whole.len());
    (whole[..at].trim().to_owned(), name.trim().to_owned())
}

/// Maps a C type of the registry to the Rust type used at the boundary.
fn rust_type(c: &str) -> Result<String, String> {
    let stars = c.matches('*').count();
    let constant = c.starts_with("const ");
    let base = c.replace("const", " ").replace('*', " ").replace("struct", " ");
    let base = base.trim();
    let scalar = match base {
        "void" | "GLvoid" | "_cl_context" | "_cl_event" => "u8",
        "GLeglImageOES" | "GLeglClientBufferEXT" => return Ok("ClientPtrMut<u8>".into()),
        "GLVULKANPROCNV" => return Ok("ClientPtr<u8>".into()),
        "GLDEBUGPROC" | "GLDEBUGPROCARB" | "GLDEBUGPROCKHR" | "GLDEBUGPROCAMD" => "DebugProc",
        known if known.starts_with("GL") => known,
        other => return Err(format!("unknown C type {other:?} in {c:?}")),
    };
    Ok(match (stars, constant) {
        (0, _) if base == "void" => String::new(),
        (0, _) => scalar.to_owned(),
        (1, true) => format!("ClientPtr<{scalar}>"),
        (1, false) => format!("ClientPtrMut<{scalar}>"),
        (2, true) => format!("ClientPtr<ClientPtr<{scalar}>>"),
        (2, false) => format!("ClientPtrMut<ClientPtrMut<{scalar}>>"),
        _ => return Err(format!("unexpected indirection in {c:?}")),
    })
}

fn parse_commands(
    root: &Node,
    wanted: &BTreeSet<String>,
) -> Result<(BTreeMap<String, Command>, HashMap<String, String>), String> {
    let mut commands = BTreeMap::new();
    let mut direct = HashMap::new();
    for node in root.children().filter(|n| n.has_tag_name("commands")).flat_map(|n| n.children()) {
        if !node.has_tag_name("command") {
            continue;
        }
        let Some(proto) = node.children().find(|n| n.has_tag_name("proto")) else { continue };
        let (returns, name) = declared_type(&proto);
        if !wanted.contains(&name) {
            continue;
        }
        let mut params = Vec::new();
        for param in node.children().filter(|n| n.has_tag_name("param")) {
            let (ty, param_name) = declared_type(&param);
            params.push(Param { name: param_name, ty: rust_type(&ty)? });
        }
        if let Some(alias) = node.children().find(|n| n.has_tag_name("alias")).and_then(|n| n.attribute("name")) {
            direct.insert(name.clone(), alias.to_owned());
        }
        commands.insert(name.clone(), Command { name, returns: rust_type(&returns)?, params });
    }
    for (name, target) in EXTRA_ALIASES {
        direct.insert((*name).to_owned(), (*target).to_owned());
    }
    let mut alias_of = HashMap::new();
    for name in commands.keys() {
        let mut root = name.clone();
        let mut seen = BTreeSet::new();
        while let Some(next) = direct.get(&root) {
            if !seen.insert(root.clone()) {
                break;
            }
            root = next.clone();
        }
        if &root != name {
            alias_of.insert(name.clone(), root);
        }
    }
    Ok((commands, alias_of))
}

fn parse_enums(root: &Node) -> Result<BTreeMap<String, u64>, String> {
    let mut enums = BTreeMap::new();
    for node in root.children().filter(|n| n.has_tag_name("enums")).flat_map(|n| n.children()) {
        if !node.has_tag_name("enum") || matches!(node.attribute("api"), Some("gles1" | "gles2" | "glsc2")) {
            continue;
        }
        let (Some(name), Some(value)) = (node.attribute("name"), node.attribute("value")) else { continue };
        let parsed = if let Some(hex) = value.strip_prefix("0x") {
            u64::from_str_radix(hex, 16).ok()
        } else if value.starts_with('-') {
            value.parse::<i32>().ok().map(|v| u64::from(v as u32))
        } else {
            value.parse().ok()
        };
        enums.insert(name.to_owned(), parsed.ok_or_else(|| format!("{name}: value {value:?}"))?);
    }
    Ok(enums)
}

impl Registry {
    /// Parses the text of `gl.xml`.
    pub fn parse(xml: &str) -> Result<Self, String> {
        let document = Document::parse(xml).map_err(|e| e.to_string())?;
        let root = document.root_element();
        let mut features = Vec::new();
        let mut wanted = BTreeSet::new();
        for node in root.children().filter(|n| n.has_tag_name("feature")) {
            let api = node.attribute("api").unwrap_or_default();
            if !matches!(api, "gl" | "gles2") {
                continue;
            }
            let feature = Feature {
                api: api.to_owned(),
                number: node.attribute("number").unwrap_or_default().to_owned(),
                require: names(&node, "require", "command", None),
                require_compat: names(&node, "require", "command", Some("compatibility")),
                remove: names(&node, "remove", "command", Some("core")),
            };
            wanted.extend(feature.require.iter().cloned());
            wanted.extend(feature.require_compat.iter().cloned());
            features.push(feature);
        }
        let mut extensions = BTreeMap::new();
        for node in root.children().filter(|n| n.has_tag_name("extensions")).flat_map(|n| n.children()) {
            let supported = node.attribute("supported").unwrap_or_default();
            if !supported.split('|').any(|api| matches!(api, "gl" | "glcore" | "gles2")) {
                continue;
            }
            let mut commands = names(&node, "require", "command", None);
            commands.extend(names(&node, "require", "command", Some("compatibility")));
            wanted.extend(commands.iter().cloned());
            extensions.insert(node.attribute("name").unwrap_or_default().to_owned(), commands);
        }
        let (commands, alias_of) = parse_commands(&root, &wanted)?;
        Ok(Self { commands, alias_of, enums: parse_enums(&root)?, features, extensions })
    }
}
