//! What programs can ask about a program's inputs and outputs: those of its first and of its last stage (GL 4.6 core
//! 7.3.1.1).

use std::collections::HashMap;

use super::attributes::attribute_locations;
use super::interface::IoVar;
use super::varyings::{self, declared_locations, per_vertex};
use super::{Linker, StageUnit};
use crate::reflection::InterfaceVariable;
use crate::spirv::{BuiltIn, Ty};
use crate::stage::Stage;

/// Most locations that a stage's inputs and outputs take, per-vertex arrays included; more is an error rather than an
/// unbounded table.
const MAX_SLOTS: u32 = 1 << 16;

/// Lists inputs and outputs. Attributes and fragment outputs have their locations by now.
pub(super) fn list(linker: &mut Linker<'_>) {
    let both = |unit: &StageUnit| -> u32 {
        let all = unit.declared.inputs.iter().chain(&unit.declared.outputs).filter(|v| unit.used.contains(&v.id));
        all.fold(0, |n, v| u32::saturating_add(n, v.ty.slots()))
    };
    if linker.stages.iter().map(both).any(|slots| slots > MAX_SLOTS) {
        linker.error("too many inputs and outputs");
        return;
    }
    let (Some(first), Some(last)) = (linker.stages.first(), linker.stages.last()) else { return };
    // Of an array of arrays the first part has the first location.
    let attributes = linker.reflection.attributes.iter().rev().map(|a| (plain(&a.name), (a.location, 0)));
    let colors = linker.reflection.outputs.iter().rev().map(|o| (plain(&o.name), (o.location, o.index)));
    let inputs = Listing::of(first, true, (first.stage == Stage::Vertex).then(|| attributes.collect()));
    let outputs = Listing::of(last, false, (last.stage == Stage::Fragment).then(|| colors.collect()));
    linker.reflection.program_inputs = inputs;
    linker.reflection.program_outputs = outputs;
}

/// The name of the variable that a listed name is a part of.
fn plain(name: &str) -> String {
    name.split('[').next().unwrap_or(name).to_owned()
}

/// Inputs or outputs of a stage on their way into the list.
struct Listing<'a> {
    unit: &'a StageUnit,
    input: bool,
    out: Vec<InterfaceVariable>,
}

impl Listing<'_> {
    /// The list. `placed` has locations and indices by name where the stage's own rules gave them.
    fn of(unit: &StageUnit, input: bool, placed: Option<HashMap<String, (i32, u32)>>) -> Vec<InterfaceVariable> {
        let variables = if input { &unit.declared.inputs } else { &unit.declared.outputs };
        let locations = declared_locations(unit, !input);
        let mut listing = Listing { unit, input, out: Vec::new() };
        for v in variables.iter().filter(|v| unit.used.contains(&v.id)) {
            let place = match &placed {
                Some(placed) => placed.get(v.listed_name()).copied().unwrap_or((-1, 0)),
                None => (locations.get(&v.id).map_or(-1, |l| *l as i32), 0),
            };
            listing.variable(v, if v.built_in.is_some() || v.name.starts_with("gl_") { (-1, 0) } else { place });
        }
        listing.out
    }

    /// Whether the variable has an array over vertices around it.
    fn is_arrayed(&self, v: &IoVar) -> bool {
        // Of built-in variables only those in blocks are.
        varyings::is_arrayed(self.unit.stage, !self.input, v) && (v.built_in.is_none() || in_per_vertex(v))
    }

    fn variable(&mut self, v: &IoVar, (location, index): (i32, u32)) {
        let arrayed = self.is_arrayed(v);
        let inner = if arrayed { per_vertex(&v.ty) } else { &v.ty };
        let blocks = if self.input { &self.unit.declared.input_blocks } else { &self.unit.declared.output_blocks };
        let member = v.name.split_once('.').and_then(|(name, member)| {
            let block = blocks.iter().find(|b| b.name == name)?;
            Some((block, block.members.iter().find(|m| m.0 == member)?))
        });
        let stages = self.unit.stage.bit();
        let one = InterfaceVariable {
            name: v.listed_name().to_owned(),
            ty: 0,
            array_size: 1,
            location,
            slots: 0,
            component: v.component,
            index,
            patch: v.patch,
            stages,
        };
        match member {
            // Members have the block's name, whatever its instances are called, and no array of instances.
            Some((block, (name, ty))) => {
                let name = if block.instance { v.name.clone() } else { name.clone() };
                self.leaves(InterfaceVariable { name, ..one }, ty);
            }
            None if arrayed && in_per_vertex(v) => {
                let name = format!("gl_PerVertex.{}", one.name);
                self.leaves(InterfaceVariable { name, ..one }, inner);
            }
            None => match &v.ty {
                // Elements of an array over vertices share their locations.
                Ty::Array(element, count) if arrayed && !matches!(**element, Ty::Basic(_)) => {
                    for i in 0..*count {
                        let name = format!("{}[{i}]", one.name);
                        self.leaves(InterfaceVariable { name, ..one.clone() }, element);
                    }
                }
                ty => self.leaves(one, ty),
            },
        }
    }

    /// Locations that a value takes.
    fn slots(&self, ty: &Ty) -> u32 {
        if self.input && self.unit.stage == Stage::Vertex { attribute_locations(ty) } else { ty.slots() }
    }

    /// GL 4.6 core 7.3.1.1: structures and arrays of them are taken apart, arrays of basic types are not.
    fn leaves(&mut self, one: InterfaceVariable, ty: &Ty) {
        let after = |slots: u32| if one.location < 0 { one.location } else { one.location + slots as i32 };
        match ty {
            Ty::Struct(s) => {
                let mut slots = 0;
                for m in &s.members {
                    let (name, location) = (format!("{}.{}", one.name, m.name), after(slots));
                    self.leaves(InterfaceVariable { name, location, ..one.clone() }, &m.ty);
                    slots += self.slots(&m.ty);
                }
            }
            Ty::Array(element, count) => match &**element {
                Ty::Basic(shape) => {
                    let (name, slots) = (format!("{}[0]", one.name), self.slots(element));
                    self.out.push(InterfaceVariable { name, ty: shape.code(), array_size: *count, slots, ..one });
                }
                _ => {
                    for i in 0..*count {
                        let (name, location) =
                            (format!("{}[{i}]", one.name), after(self.slots(element).saturating_mul(i)));
                        self.leaves(InterfaceVariable { name, location, ..one.clone() }, element);
                    }
                }
            },
            Ty::Basic(shape) => {
                let slots = self.slots(ty);
                self.out.push(InterfaceVariable { ty: shape.code(), slots, ..one });
            }
            Ty::Sampler(_) | Ty::Other => {}
        }
    }
}

/// Members of the block `gl_PerVertex`.
fn in_per_vertex(v: &IoVar) -> bool {
    matches!(v.built_in, Some(BuiltIn::Position | BuiltIn::PointSize | BuiltIn::ClipDistance | BuiltIn::CullDistance))
}
