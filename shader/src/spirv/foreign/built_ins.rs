//! Inputs and outputs: built-in variables with their types and stages, and the locations of all others (GL 4.6 core 7.4.2,
//! appendix C.2).

use std::collections::HashSet;

use spirv::{BuiltIn, Capability, Decoration, StorageClass};

use super::capabilities::Required;
use super::globals::{Globals, Variable};
use super::interface::Table;
use super::types::{Scalar, Shape, Type};
use super::{Check, refuse};
use crate::stage::Stage;

/// What a built-in variable is made of.
enum Kind {
    /// Floats.
    Floats(u32),
    /// Integers.
    Ints(u32),
    Bool,
    /// An array of floats; 0 for any length.
    FloatArray(u32),
    /// An array of one integer.
    IntArray,
}

/// Where a built-in variable may be, what it is, and whether it belongs to vertices.
fn rule(built_in: BuiltIn, stage: Stage, output: bool) -> Option<(Kind, bool, Option<Capability>)> {
    use BuiltIn::*;
    use Stage::*;
    let feeds = matches!(stage, Vertex | TessControl | TessEvaluation | Geometry);
    let per_vertex = if output { feeds } else { feeds && stage != Vertex };
    let clip = per_vertex || stage == Fragment && !output;
    let tessellation = matches!(stage, TessControl | TessEvaluation);
    let (kind, fits, arrayed, capability) = match built_in {
        Position => (Kind::Floats(4), per_vertex, true, None),
        PointSize => {
            let capability = match stage {
                Geometry => Some(Capability::GeometryPointSize),
                TessControl | TessEvaluation => Some(Capability::TessellationPointSize),
                _ => None,
            };
            (Kind::Floats(1), per_vertex, true, capability)
        }
        ClipDistance => (Kind::FloatArray(0), clip, true, Some(Capability::ClipDistance)),
        CullDistance => (Kind::FloatArray(0), clip, true, Some(Capability::CullDistance)),
        VertexId | InstanceId => (Kind::Ints(1), stage == Vertex && !output, false, None),
        BaseVertex | BaseInstance | DrawIndex => {
            (Kind::Ints(1), stage == Vertex && !output, false, Some(Capability::DrawParameters))
        }
        PrimitiveId => {
            let fits = if output { stage == Geometry } else { tessellation || matches!(stage, Geometry | Fragment) };
            (Kind::Ints(1), fits, false, (stage == Fragment).then_some(Capability::Geometry))
        }
        InvocationId => (Kind::Ints(1), matches!(stage, TessControl | Geometry) && !output, false, None),
        Layer | ViewportIndex => {
            let fits = if output { stage == Geometry } else { stage == Fragment };
            let capability = if built_in == Layer { Capability::Geometry } else { Capability::MultiViewport };
            (Kind::Ints(1), fits, false, Some(capability))
        }
        TessLevelOuter | TessLevelInner => {
            let count = if built_in == TessLevelOuter { 4 } else { 2 };
            (Kind::FloatArray(count), stage == if output { TessControl } else { TessEvaluation }, false, None)
        }
        TessCoord => (Kind::Floats(3), stage == TessEvaluation && !output, false, None),
        PatchVertices => (Kind::Ints(1), tessellation && !output, false, None),
        FragCoord => (Kind::Floats(4), stage == Fragment && !output, false, None),
        PointCoord => (Kind::Floats(2), stage == Fragment && !output, false, None),
        FrontFacing | HelperInvocation => (Kind::Bool, stage == Fragment && !output, false, None),
        SampleId => (Kind::Ints(1), stage == Fragment && !output, false, Some(Capability::SampleRateShading)),
        SamplePosition => (Kind::Floats(2), stage == Fragment && !output, false, Some(Capability::SampleRateShading)),
        SampleMask => (Kind::IntArray, stage == Fragment, false, None),
        FragDepth => (Kind::Floats(1), stage == Fragment && output, false, None),
        NumWorkgroups | WorkgroupId | LocalInvocationId | GlobalInvocationId => {
            (Kind::Ints(3), stage == Compute && !output, false, None)
        }
        LocalInvocationIndex => (Kind::Ints(1), stage == Compute && !output, false, None),
        _ => return None,
    };
    fits.then_some((kind, arrayed, capability))
}

/// Inputs, outputs and members of their blocks, at most: outputs may share places, and each becomes a variable.
const MOST_PLACED: usize = 1024;

/// What inputs and outputs take; true is for outputs.
#[derive(Default)]
pub(super) struct Places {
    /// Components of locations.
    taken: HashSet<(bool, u32)>,
    /// Variables and members of blocks that have locations.
    count: usize,
    built_ins: HashSet<(bool, BuiltIn)>,
    /// Outputs at places that others took before, and types of blocks that are.
    pub doubled: HashSet<u32>,
}

/// A variable of the interface on its way through the rules.
struct Io<'a> {
    globals: &'a Globals,
    table: &'a Table,
    stage: Stage,
    output: bool,
    /// The length that arrays over vertices have, where it is known.
    vertices: Option<u32>,
    max_patch: u32,
}

/// Checks an input or output. `places` has the locations and components that inputs and outputs take.
pub(super) fn check(
    globals: &Globals,
    table: &Table,
    stage: Stage,
    required: &mut Required<'_>,
    v: &Variable,
    vertices: [Option<u32>; 2],
    places: &mut Places,
) -> Check {
    let output = v.class == StorageClass::Output;
    let max_patch = required.options.limits.max_patch_vertices;
    let io = Io { globals, table, stage, output, vertices: vertices[usize::from(output)], max_patch };
    if stage == Stage::Compute && table.of(v.id, Decoration::BuiltIn).is_none() {
        refuse!("a compute shader has an input or output");
    }
    let patch = table.has(v.id, Decoration::Patch);
    if patch && stage != if output { Stage::TessControl } else { Stage::TessEvaluation } {
        refuse!("only tessellation stages hand on values of patches");
    }
    match stage {
        Stage::Geometry => required.add(Capability::Geometry)?,
        Stage::TessControl | Stage::TessEvaluation => required.add(Capability::Tessellation)?,
        _ => {}
    }
    if table.has(v.id, Decoration::Sample) {
        required.add(Capability::SampleRateShading)?;
    }
    io.stream(table.of(v.id, Decoration::Stream), required)?;
    if let Some(built_in) = table.of(v.id, Decoration::BuiltIn) {
        // Vulkan's VUID-StandaloneSpirv-Location-04915: built-in variables have no places.
        if [Decoration::Location, Decoration::Component, Decoration::Index].iter().any(|what| table.has(v.id, *what)) {
            refuse!("a built-in variable has a location");
        }
        return io.built_in(built_in, v.ty, patch, required, places);
    }
    let ty = io.inner(v.ty, patch)?;
    let innermost = globals.types.innermost(ty);
    if let Type::Struct(members) = globals.ty(innermost)? {
        if table.has(innermost, Decoration::Block) {
            return io.block(v, ty, members, required, places);
        }
        if table.has(innermost, Decoration::BufferBlock) {
            refuse!("an input or output is decorated as a storage block");
        }
    }
    let (location, component) = (table.of(v.id, Decoration::Location), table.of(v.id, Decoration::Component));
    if !io.user(v.id, ty, location, component, required, places)? {
        places.doubled.insert(v.id);
    }
    Ok(())
}

impl Io<'_> {
    /// Whether variables are arrays over vertices.
    fn is_arrayed(&self) -> bool {
        match self.stage {
            Stage::Geometry | Stage::TessEvaluation => !self.output,
            Stage::TessControl => true,
            _ => false,
        }
    }

    fn is_attribute(&self) -> bool {
        self.stage == Stage::Vertex && !self.output
    }

    fn is_colour(&self) -> bool {
        self.stage == Stage::Fragment && self.output
    }

    /// A type without the array over vertices.
    fn inner(&self, ty: u32, patch: bool) -> Check<u32> {
        if !self.is_arrayed() || patch {
            return Ok(ty);
        }
        match self.globals.ty(ty)? {
            Type::Array { of, length } if self.vertices.map_or(*length <= self.max_patch, |n| n == *length) => Ok(*of),
            _ => refuse!("an input or output of vertices is no array over them"),
        }
    }

    /// GLSL 4.60 section 4.4.2.1: a vertex stream that an output or a member of a block goes to.
    fn stream(&self, stream: Option<u32>, required: &mut Required<'_>) -> Check {
        match stream {
            None => Ok(()),
            Some(0..=3) if self.output && self.stage == Stage::Geometry => required.add(Capability::GeometryStreams),
            Some(_) => refuse!("a vertex stream is not one of a geometry shader"),
        }
    }

    fn built_in(&self, number: u32, ty: u32, patch: bool, required: &mut Required<'_>, places: &mut Places) -> Check {
        let known = BuiltIn::from_u32(number).and_then(|b| Some((b, rule(b, self.stage, self.output)?)));
        let Some((built_in, (kind, arrayed, capability))) = known else {
            refuse!("built-in variable {number} is not one of this stage")
        };
        let levels = matches!(built_in, BuiltIn::TessLevelOuter | BuiltIn::TessLevelInner);
        if levels != patch {
            refuse!("only tessellation levels are built-in variables of patches");
        }
        if let Some(capability) = capability {
            required.add(capability)?;
        }
        self.once(built_in, places)?;
        let ty = if arrayed { self.inner(ty, false)? } else { ty };
        self.member(kind, ty).map_err(|()| format!("built-in variable {built_in:?} has the wrong type"))
    }

    /// Vulkan's VUID-StandaloneSpirv-OpEntryPoint-09658: an entry point has a built-in variable once each way.
    fn once(&self, built_in: BuiltIn, places: &mut Places) -> Check {
        match places.built_ins.insert((self.output, built_in)) {
            true => Ok(()),
            false => refuse!("built-in variable {built_in:?} is declared twice"),
        }
    }

    fn member(&self, kind: Kind, ty: u32) -> Result<(), ()> {
        let types = &self.globals.types;
        let is_int = |shape: Option<Shape>, count: u32| shape.is_some_and(|s| s.scalar.is_int() && s.count == count);
        let array = match types.get(ty) {
            Ok(Type::Array { of, length }) => Some((types.shape(*of), *length)),
            _ => None,
        };
        let fits = match kind {
            Kind::Floats(count) => types.shape(ty) == Some(Shape { scalar: Scalar::FLOAT, count }),
            Kind::Ints(count) => is_int(types.shape(ty), count),
            Kind::Bool => types.shape(ty) == Some(super::globals::BOOL),
            Kind::FloatArray(count) => array.is_some_and(|(of, length)| {
                of == Some(Scalar::FLOAT.one()) && if count == 0 { length <= 8 } else { length == count }
            }),
            Kind::IntArray => array.is_some_and(|(of, length)| is_int(of, 1) && length == 1),
        };
        if fits { Ok(()) } else { Err(()) }
    }

    /// A block, of which `whole` is the type without the array over vertices.
    fn block(
        &self,
        v: &Variable,
        whole: u32,
        members: &[u32],
        required: &mut Required<'_>,
        places: &mut Places,
    ) -> Check {
        let ty = self.globals.types.innermost(whole);
        let of = |m: u32, what| self.table.of_member(ty, m, what);
        let built_in = |m: u32| of(m, Decoration::BuiltIn);
        if self.table.has(v.id, Decoration::Component) {
            refuse!("a block has a component");
        }
        let patch = self.table.has(v.id, Decoration::Patch);
        let count = members.len() as u32;
        let mut location = self.table.of(v.id, Decoration::Location);
        match (0..count).filter(|m| built_in(*m).is_some()).count() as u32 {
            0 => {}
            n if n == count && whole == ty && !patch => {
                if location.is_some() || !places.taken.insert((self.output, u32::MAX)) {
                    refuse!("the block of built-in variables has a location, or there are two");
                }
                for (m, member) in (0..).zip(members) {
                    if of(m, Decoration::Location).or(of(m, Decoration::Component)).is_some() {
                        refuse!("a built-in variable has a location");
                    }
                    self.stream(of(m, Decoration::Stream), required)?;
                    let known = BuiltIn::from_u32(built_in(m).unwrap_or(0));
                    known.map_or(Ok(()), |b| self.once(b, places))?;
                    let known = known.and_then(|b| rule(b, self.stage, self.output));
                    let Some((kind, true, capability)) = known else {
                        refuse!("a built-in variable cannot be in a block, or not in one of this stage")
                    };
                    if let Some(capability) = capability {
                        required.add(capability)?;
                    }
                    self.member(kind, *member).map_err(|()| "a built-in variable has the wrong type".to_owned())?;
                }
                return Ok(());
            }
            _ => refuse!("a block has built-in members and others"),
        }
        if self.is_attribute() || self.is_colour() {
            refuse!("attributes and fragment colours are in no blocks");
        }
        // Every instance of an array of blocks has the members' types once more.
        if self.globals.types.elements(whole) > 64 {
            refuse!("there are too many instances of a block");
        }
        for (m, member) in (0..).zip(members) {
            let own = of(m, Decoration::Location).or(location);
            if of(m, Decoration::Sample).is_some() {
                required.add(Capability::SampleRateShading)?;
            }
            self.stream(of(m, Decoration::Stream), required)?;
            // A member that shares a place loses it when the block is taken apart; an array of blocks goes as a whole.
            if !self.user(v.id, *member, own, of(m, Decoration::Component), required, places)? && whole != ty {
                places.doubled.extend([v.id, ty]);
            }
            location = location.and(own).map(|own| own + self.slots(*member));
        }
        Ok(())
    }

    /// Locations that a type takes (GLSL 4.60 section 4.4.1).
    fn slots(&self, ty: u32) -> u32 {
        match self.globals.ty(ty) {
            Ok(Type::Vector { .. }) => {
                let wide = self.globals.types.shape(ty).is_some_and(|s| s.scalar.width() == 64 && s.count > 2);
                if wide { 2 } else { 1 }
            }
            Ok(Type::Matrix { column, count }) => count * self.slots(*column),
            Ok(Type::Array { of, length }) => length.saturating_mul(self.slots(*of)),
            Ok(Type::Struct(members)) => members.iter().fold(0, |n, m| n.saturating_add(self.slots(*m))),
            _ => 1,
        }
    }

    /// A variable, or a member of a block, of the program's own. False for an output at a place that another has.
    fn user(
        &self,
        id: u32,
        ty: u32,
        location: Option<u32>,
        component: Option<u32>,
        required: &mut Required<'_>,
        places: &mut Places,
    ) -> Check<bool> {
        let types = &self.globals.types;
        let facts = types.facts(ty);
        if !types.is_data(ty) || facts.bools {
            refuse!("an input or output is of no numbers");
        }
        let inner = types.innermost(ty);
        let (attribute, colour) = (self.is_attribute(), self.is_colour());
        if matches!(self.globals.ty(inner)?, Type::Struct(_)) && (attribute || colour) {
            refuse!("attributes and fragment colours are no structures");
        }
        if colour && (facts.wide || types.shape(inner).is_none()) {
            refuse!("a fragment colour is no vector of 32-bit numbers");
        }
        let Some(location) = location else { refuse!("an input or output has no location") };
        places.count += 1;
        if places.count > MOST_PLACED {
            refuse!("there are more than {MOST_PLACED} inputs and outputs");
        }
        let limits = &required.options.limits;
        let most = match (attribute, colour) {
            (true, _) => limits.max_vertex_attribs,
            (_, true) => limits.max_draw_buffers,
            _ => 32,
        };
        // GL 4.6 core 11.1.1: attributes of doubles take one location for each column.
        let slots = if attribute { self.columns(ty) } else { self.slots(ty) };
        if location.saturating_add(slots) > most {
            refuse!("the location of an input or output is beyond the limits");
        }
        let component = component.unwrap_or(0);
        let width = types.shape(inner).map(|s| s.count * s.scalar.width() / 32);
        // A part that is there needs a component of the location, and two for a number of 64 bits (Vulkan's 15.1.5).
        let room = 4_u32.saturating_sub(component);
        if component > 0 && (width.is_none_or(|width| width > room) || facts.wide && !component.is_multiple_of(2)) {
            refuse!("the component of an input or output is beyond its location");
        }
        let index = self.table.of(id, Decoration::Index).unwrap_or(0);
        if index > 1 || index == 1 && !colour {
            refuse!("the index of an output is not 0 or 1");
        }
        let width = width.unwrap_or(4).min(4);
        let components = (location..location + slots)
            .flat_map(|slot| (component..(component + width).min(4)).map(move |c| (index * 256 + slot) * 4 + c));
        let alone = !components.clone().any(|c| places.taken.contains(&(self.output, c)));
        if alone {
            places.taken.extend(components.map(|c| (self.output, c)));
        }
        // Of outputs that share a place, only the first keeps it: nothing else tells which of them is meant.
        if !alone && (!self.output || colour) {
            refuse!("two inputs or outputs share a location");
        }
        Ok(alone)
    }

    fn columns(&self, ty: u32) -> u32 {
        match self.globals.ty(ty) {
            Ok(Type::Matrix { count, .. }) => *count,
            Ok(Type::Array { of, length }) => length.saturating_mul(self.columns(*of)),
            _ => 1,
        }
    }
}
