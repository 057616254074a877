//! The registry as data: commands, enumerants, versions and extensions.

use std::collections::BTreeMap;

/// A parameter of a command.
#[derive(Debug, Clone)]
pub struct Param {
    /// Its C name.
    pub name: String,
    /// Its C type, single spaces, `*` separated by a space: `const EGLint *`.
    pub c_type: String,
}

/// A command with its C prototype.
#[derive(Debug, Clone)]
pub struct Command {
    /// Full name, `eglChooseConfig`.
    pub name: String,
    /// C type of the result.
    pub result: String,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Whether an EGL version (not only an extension) contains it.
    pub is_core: bool,
}

/// What the generator reads of `egl.xml`.
#[derive(Debug, Default)]
pub struct Registry {
    /// Every command by name.
    pub commands: BTreeMap<String, Command>,
    /// Enumerants whose value is a plain number, by name.
    pub enums: BTreeMap<String, i64>,
    /// Command names of each EGL version.
    pub features: BTreeMap<String, Vec<String>>,
    /// Command names of each extension.
    pub extensions: BTreeMap<String, Vec<String>>,
}

impl Registry {
    /// Parses the text of `egl.xml`.
    ///
    /// # Errors
    /// A message when the text isn't well-formed or a command has no name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let document = roxmltree::Document::parse(text).map_err(|error| error.to_string())?;
        let mut registry = Self::default();
        for node in document.root_element().children() {
            match node.tag_name().name() {
                "enums" => registry.read_enums(node),
                "commands" => registry.read_commands(node)?,
                "feature" => {
                    let names = required_commands(node);
                    registry.features.insert(attribute(node, "name")?, names);
                }
                "extensions" => {
                    for extension in node.children().filter(|n| n.has_tag_name("extension")) {
                        let names = required_commands(extension);
                        registry.extensions.insert(attribute(extension, "name")?, names);
                    }
                }
                _ => {}
            }
        }
        let core: Vec<String> = registry.features.values().flatten().cloned().collect();
        for name in core {
            if let Some(command) = registry.commands.get_mut(&name) {
                command.is_core = true;
            }
        }
        Ok(registry)
    }

    fn read_enums(&mut self, node: roxmltree::Node<'_, '_>) {
        for entry in node.children().filter(|n| n.has_tag_name("enum")) {
            let (Some(name), Some(value)) = (entry.attribute("name"), entry.attribute("value")) else {
                continue;
            };
            if let Some(value) = number(value) {
                self.enums.insert(name.to_owned(), value);
            }
        }
    }

    fn read_commands(&mut self, node: roxmltree::Node<'_, '_>) -> Result<(), String> {
        for entry in node.children().filter(|n| n.has_tag_name("command")) {
            let proto = entry.children().find(|n| n.has_tag_name("proto")).ok_or("a command without a prototype")?;
            let (result, name) = type_and_name(proto)?;
            let params = entry
                .children()
                .filter(|n| n.has_tag_name("param"))
                .map(|param| type_and_name(param).map(|(c_type, name)| Param { name, c_type }))
                .collect::<Result<_, _>>()?;
            self.commands.insert(name.clone(), Command { name, result, params, is_core: false });
        }
        Ok(())
    }
}

fn attribute(node: roxmltree::Node<'_, '_>, name: &str) -> Result<String, String> {
    node.attribute(name).map(str::to_owned).ok_or_else(|| format!("<{}> without {name}", node.tag_name().name()))
}

fn required_commands(node: roxmltree::Node<'_, '_>) -> Vec<String> {
    node.descendants()
        .filter(|n| n.has_tag_name("command"))
        .filter_map(|n| n.attribute("name").map(str::to_owned))
        .collect()
}

fn type_and_name(node: roxmltree::Node<'_, '_>) -> Result<(String, String), String> {
    let mut c_type = String::new();
    let mut name = None;
    for child in node.children() {
        if child.has_tag_name("name") {
            name = child.text().map(str::to_owned);
        } else if let Some(text) = child.text() {
            c_type.push_str(text);
        }
    }
    let c_type = c_type.split_whitespace().collect::<Vec<_>>().join(" ");
    name.map(|name| (c_type, name)).ok_or_else(|| "a prototype without a name".to_owned())
}

fn number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}
