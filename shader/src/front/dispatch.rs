//! What takes the place of subroutine uniforms: functions that call what an integer selects. Those of several shader
//! objects of a stage choose among the functions of all.

use std::collections::{BTreeMap, HashSet};
use std::iter;

/// A function that can be selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub name: String,
    /// Subroutine types it is associated with.
    pub types: Vec<String>,
    pub index: u32,
    /// The source gives the index.
    pub explicit: bool,
}

/// A subroutine uniform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selector {
    pub name: String,
    pub ty: String,
    /// Its integer uniform.
    pub stand_in: String,
    pub location: Option<u32>,
    /// Array dimensions.
    pub dimensions: usize,
}

/// Return type, and qualifiers and type of each parameter, array sizes with the type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub result: String,
    pub parameters: Vec<String>,
}

/// The subroutines of a shader object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Subroutines {
    pub functions: Vec<Function>,
    pub selectors: Vec<Selector>,
    pub types: BTreeMap<String, Signature>,
}

/// What integer uniforms of selectors are called.
pub(crate) const STAND_IN: &str = "XXsubroutine";

/// How the names begin of the functions that choose.
const CHOICE: &str = "XXchoice";

/// What comes before the functions in a text, and nowhere else.
const BEGIN: &str = "void XXdefinitions();\n";

/// Bytes that may take the place of declarations: signatures are repeated for each selector and each choice.
pub(super) const MOST_TEXT: usize = 1 << 20;

impl Signature {
    /// Parameters and what is given for them.
    fn parameters(&self) -> (Vec<String>, Vec<String>) {
        let names: Vec<String> = (0..self.parameters.len()).map(|i| format!("XXargument{i}")).collect();
        (self.parameters.iter().zip(&names).map(|(ty, name)| format!("{ty} {name}")).collect(), names)
    }

    /// A declaration of a function like it.
    fn prototype(&self, name: &str) -> String {
        format!("{} {name}({});\n", self.result, self.parameters().0.join(", "))
    }

    /// The function that calls the one of `fits` that a number selects.
    fn choice(&self, name: &str, fits: &[&Function]) -> String {
        let (parameters, arguments) = self.parameters();
        let parameters: Vec<String> = iter::once("int XXchosen".to_owned()).chain(parameters).collect();
        let mut text = format!("{} {name}({}) {{", self.result, parameters.join(", "));
        if fits.is_empty() && self.result != "void" {
            // There is nothing that it could select.
            text += &format!(" {} XXnone; return XXnone;", self.result);
        }
        for (i, function) in fits.iter().enumerate() {
            let call = format!("{}({})", function.name, arguments.join(", "));
            let call =
                if self.result == "void" { format!(" {{ {call}; return; }}") } else { format!(" return {call};") };
            // The selector is read even where there is nothing to choose: it is active.
            let last = i + 1 == fits.len();
            if !last || fits.len() == 1 {
                text += &format!(" if (XXchosen == {}){call}", function.index);
            }
            if last {
                text += &call;
            }
        }
        text + " }\n"
    }
}

impl Selector {
    /// Its function up to the parameters.
    pub fn head(&self, signature: &Signature) -> String {
        let elements = (0..self.dimensions).map(|i| format!("int XXelement{i}"));
        let all: Vec<String> = elements.chain(signature.parameters().0).collect();
        format!("{} {}({})", signature.result, self.name, all.join(", "))
    }

    /// Its function, which calls the one that chooses.
    fn definition(&self, signature: &Signature, choice: &str) -> String {
        let elements: String = (0..self.dimensions).map(|i| format!("[XXelement{i}]")).collect();
        let chosen = format!("{}{elements}", self.stand_in);
        let arguments: Vec<String> = iter::once(chosen).chain(signature.parameters().1).collect();
        let back = if signature.result == "void" { "" } else { "return " };
        format!("{} {{ {back}{choice}({}); }}\n", self.head(signature), arguments.join(", "))
    }
}

impl Subroutines {
    /// Gives functions without an index the free ones, in order.
    pub fn index_functions(&mut self) {
        let mut taken: HashSet<u32> = self.functions.iter().filter(|f| f.explicit).map(|f| f.index).collect();
        let mut next = 0;
        for function in self.functions.iter_mut().filter(|f| !f.explicit) {
            while !taken.insert(next) {
                next += 1;
            }
            function.index = next;
        }
    }

    /// The functions of its selectors.
    pub fn definitions(&self) -> Result<String, String> {
        self.definitions_in(self, CHOICE, &mut HashSet::new())
    }

    /// The functions of its selectors, choosing among those of `all`; what is in `defined` already is not repeated.
    fn definitions_in(&self, all: &Self, choice: &str, defined: &mut HashSet<String>) -> Result<String, String> {
        let mut text = BEGIN.to_owned();
        let mut chosen: HashSet<&str> = HashSet::new();
        let own: HashSet<&str> = self.functions.iter().map(|f| f.name.as_str()).collect();
        for selector in self.selectors.iter().filter(|s| defined.insert(s.name.clone())) {
            let Some(signature) = self.types.get(&selector.ty) else { continue };
            let choice = format!("{choice}_{}", selector.ty);
            if chosen.insert(&selector.ty) {
                let fits: Vec<&Function> = all.functions.iter().filter(|f| f.types.contains(&selector.ty)).collect();
                fits.iter().filter(|f| !own.contains(&*f.name)).for_each(|f| text += &signature.prototype(&f.name));
                text += &signature.choice(&choice, &fits);
            }
            text += &selector.definition(signature, &choice);
            if text.len() > MOST_TEXT {
                return Err("the subroutines are too large".into());
            }
        }
        Ok(text)
    }

    /// Takes up those of another object of the stage (GLSL 4.60 section 6.1.2).
    fn merge(&mut self, other: &Self) -> Result<(), String> {
        for (name, signature) in &other.types {
            if self.types.insert(name.clone(), signature.clone()).is_some_and(|known| known != *signature) {
                return Err(format!("declarations of subroutine type `{name}' do not match"));
            }
        }
        for function in &other.functions {
            if self.functions.iter().any(|f| f.name == function.name) {
                return Err(format!("subroutine `{}' is defined more than once", function.name));
            }
            if function.explicit && self.functions.iter().any(|f| f.explicit && f.index == function.index) {
                return Err(format!("subroutine index {} is used more than once", function.index));
            }
            self.functions.push(function.clone());
        }
        for selector in &other.selectors {
            let Some(known) = self.selectors.iter_mut().find(|s| s.name == selector.name) else {
                self.selectors.push(selector.clone());
                continue;
            };
            let located = known.location.zip(selector.location).is_none_or(|(a, b)| a == b);
            if known.ty != selector.ty || known.dimensions != selector.dimensions || !located {
                return Err(format!("declarations of subroutine uniform `{}' do not match", selector.name));
            }
            known.location = known.location.or(selector.location);
        }
        Ok(())
    }
}

/// The subroutines of a stage, and its texts, one for each object, with the functions that choose among those of all.
pub(super) fn united(objects: &[Option<&Subroutines>], texts: &mut [Vec<u8>]) -> Result<Option<Subroutines>, String> {
    let mut all = Subroutines::default();
    objects.iter().flatten().try_for_each(|own| all.merge(own))?;
    match objects.iter().flatten().count() {
        0 => return Ok(None),
        // Its text has its functions already.
        1 => return Ok(Some(all)),
        _ => {}
    }
    all.index_functions();
    let mut defined = HashSet::new();
    for (i, (own, text)) in objects.iter().zip(texts).enumerate() {
        let Some(own) = own else { continue };
        let begin = BEGIN.trim_end().as_bytes();
        if let Some(at) = text.windows(begin.len()).rposition(|w| w == begin) {
            text.truncate(at);
        }
        // Each object has functions of its own that choose.
        text.extend_from_slice(own.definitions_in(&all, &format!("{CHOICE}{i}"), &mut defined)?.as_bytes());
    }
    Ok(Some(all))
}
