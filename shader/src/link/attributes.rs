//! Vertex attributes (GL 4.6 core section 11.1.1) and fragment outputs (section 15.2.3).

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Linker;
use super::columns::{self, Columns};
use super::interface::IoVar;
use super::types::{basic_code, location_bits as bits};
use super::uniforms::{for_each_leaf, root};
use crate::gl_type::Scalar;
use crate::passes::double_inputs;
use crate::reflection::{Attribute, DoubleHalf, FragmentOutput};
use crate::spirv::{Decoration, Inst, Module, Op, Packing, Ty, TypeTable};
use crate::stage::Stage;
use crate::state_uniform::Conventional;

struct Wanted {
    id: u32,
    name: String,
    slots: u32,
    location: Option<u32>,
    component: u32,
    ty: Ty,
}

/// A part of an input or an output that programs see: all of it, or one of the innermost arrays of an array of arrays.
struct Part {
    name: String,
    ty: u32,
    array_size: u32,
    /// Locations from the first one of the variable on.
    first: u32,
    slots: u32,
}

/// What a variable is listed as (GL 4.6 core 7.3.1.1); nothing where its type is none that programs know.
fn parts(v: &IoVar, locations: fn(&Ty) -> u32) -> Vec<Part> {
    let mut all = Vec::new();
    for_each_leaf(root(v.listed_name(), &v.ty, 0, Packing::Std140), &mut |leaf| {
        let Ty::Basic(shape) = leaf.ty else { return };
        let array_size = leaf.array.unwrap_or(1);
        let slots = array_size.saturating_mul(locations(leaf.ty));
        let first = slots.saturating_mul(leaf.outer);
        all.push(Part { name: leaf.name, ty: shape.code(), array_size, first, slots });
    });
    all
}

/// Most elements of arrays of arrays: more than there are locations.
const MOST_ELEMENTS: u32 = 1 << 10;

/// Whether a variable is data or an array of some dimensions, none too large to list.
fn is_listed(v: &IoVar) -> bool {
    matches!(v.ty.innermost(), Ty::Basic(_)) && (basic_code(&v.ty).is_some() || v.ty.elements() <= MOST_ELEMENTS)
}

/// Assigns generic attribute indices to vertex inputs.
pub(super) fn link_attributes(linker: &mut Linker<'_>) {
    let Some(at) = linker.stages.iter().position(|s| s.stage == Stage::Vertex) else { return };
    let max = linker.input.limits.max_vertex_attribs;
    let mut errors = Vec::new();
    let mut wanted = Vec::new();
    let mut attributes = Vec::new();
    // Attributes by place, and the places in `wanted` of the inputs that they are parts of.
    let mut listed: Vec<(usize, usize)> = Vec::new();
    let mut conventional: Vec<(String, u8)> = Vec::new();
    let unit = &linker.stages[at];
    // The last binding of a name counts.
    let bindings: HashMap<&str, u32> = linker.input.attribute_bindings.iter().map(|b| (b.0.as_str(), b.1)).collect();
    for v in unit.declared.inputs.iter().filter(|v| unit.used.contains(&v.id)) {
        if !is_listed(v) {
            errors.push(format!("vertex shader input `{}' has a type that no attribute has", v.name));
            continue;
        }
        let own = parts(v, attribute_locations).into_iter().map(|part| Attribute {
            name: part.name,
            ty: part.ty,
            array_size: part.array_size,
            location: part.first as i32,
            slots: part.slots,
        });
        if v.built_in.is_some() {
            attributes.extend(own.map(|own| Attribute { location: -1, slots: 0, ..own }));
            continue;
        }
        if let Some(array) = Conventional::index_of(&v.name) {
            // GL 4.6 compatibility 10.2: generic attribute 0 and the vertex position are one, and so are in conflict;
            // no other pair is.
            let location = (array == Conventional::Vertex as u8).then_some(0);
            conventional.push((v.name.clone(), array));
            wanted.push(Wanted { id: v.id, name: v.name.clone(), slots: 1, location, component: 0, ty: v.ty.clone() });
            let name = |own| Attribute { name: v.name.clone(), location: -1, slots: 0, ..own };
            attributes.extend(own.map(name));
            continue;
        }
        if v.name.starts_with("gl_") {
            errors.push(format!("built-in attribute `{}' is not available in this context", v.name));
            continue;
        }
        let first = attributes.len();
        attributes.extend(own);
        listed.extend((first..attributes.len()).map(|at| (at, wanted.len())));
        // GL 4.6 core 11.1.1: a layout qualifier wins over glBindAttribLocation.
        let bound = bindings.get(v.name.as_str()).copied();
        wanted.push(Wanted {
            id: v.id,
            name: v.name.clone(),
            slots: attribute_locations(&v.ty),
            location: v.location.or(bound),
            component: v.component,
            ty: v.ty.clone(),
        });
    }
    // Those that share locations, by `component` or as aliases, count once.
    let bound = wanted.iter().filter_map(|w| Some(bits(w.location?, w.slots))).fold(0, |all, own| all | own);
    let open = wanted.iter().filter(|w| w.location.is_none()).map(|w| w.slots);
    let total = open.fold(bound.count_ones(), u32::saturating_add);
    if total > max {
        errors.push(format!("too many vertex shader inputs ({total} > {max})"));
        errors.into_iter().for_each(|e| linker.error(&e));
        return;
    }
    let Bound { mut taken, mut aliases, mut parts, mut mixed } = place_bound(&wanted, max, &mut errors);
    mix(&wanted, &mut mixed, &mut errors);
    let is_mixed: HashSet<u32> = wanted.iter().filter(|w| w.bits() & mixed != 0).map(|w| w.id).collect();
    aliases.retain(|id, _| !is_mixed.contains(id));
    parts.retain(|(id, _)| !is_mixed.contains(id));
    // The widest first, so that small ones fill the gaps.
    let mut open: Vec<usize> = (0..wanted.len()).filter(|i| wanted[*i].location.is_none()).collect();
    open.sort_by_key(|i| std::cmp::Reverse(wanted[*i].slots));
    for i in open {
        let slots = wanted[i].slots;
        match (0..max).find(|l| l.saturating_add(slots) <= max && taken & bits(*l, slots) == 0) {
            Some(location) => {
                taken |= bits(location, slots);
                wanted[i].location = Some(location);
            }
            None => errors.push(format!(
                "insufficient contiguous locations available for vertex shader input `{}'",
                wanted[i].name
            )),
        }
    }
    errors.into_iter().for_each(|e| linker.error(&e));
    let narrow: HashSet<u32> = parts.iter().map(|p| p.0).collect();
    let is_whole = |w: &Wanted| !aliases.contains_key(&w.id) && !narrow.contains(&w.id) && !is_mixed.contains(&w.id);
    let doubles: Vec<&Wanted> =
        wanted.iter().filter(|w| w.location.is_some() && is_whole(w) && w.ty.is_long()).collect();
    let unit = &mut linker.stages[at];
    unit.module.unite_variables(&aliases);
    for (narrow, wide) in &parts {
        read_part(&mut unit.module, *narrow, *wide);
    }
    let mut columns = Columns::new();
    for w in wanted.iter().filter(|w| is_mixed.contains(&w.id)) {
        columns::read(&mut unit.module, w.id, w.location.unwrap_or(0), w.component, &mut columns);
    }
    let located: Vec<(u32, u32)> =
        wanted.iter().filter(|w| is_whole(w)).map(|w| (w.id, w.location.unwrap_or(0))).collect();
    unit.module.locate(&located);
    let arrays: HashMap<&str, u8> = conventional.iter().map(|(name, array)| (name.as_str(), *array)).collect();
    for w in &wanted {
        if let Some(array) = arrays.get(w.name.as_str()) {
            linker.reflection.conventional.push((w.location.unwrap_or(0) as u8, *array));
        }
    }
    for (at, owner) in listed {
        attributes[at].location += wanted[owner].location.unwrap_or(0) as i32;
    }
    let halves = place_halves(&doubles, linker.input.limits.max_vertex_locations, &mut taken);
    if halves.is_none() {
        // GL 4.6 core 11.1.1: those of three or four doubles may count twice.
        linker.error("too many vertex shader inputs of doubles");
    }
    let halves = halves.unwrap_or_default();
    let mut words = double_inputs::Words::new();
    for w in doubles {
        let own = |half: &&DoubleHalf| half.high && bits(w.location.unwrap_or(0), w.slots) & 1 << half.attribute != 0;
        let high: Vec<u32> = halves.iter().filter(own).map(|half| half.location.into()).collect();
        let places = double_inputs::Places { first: w.location.unwrap_or(0), high: &high, component: w.component };
        double_inputs::split(&mut linker.stages[at].module, w.id, &places, &mut words);
    }
    linker.reflection.attribute_mask = taken as u32;
    linker.reflection.double_halves = halves;
    linker.reflection.attributes = attributes;
}

/// Locations that an input takes. GL 4.6 core 11.1.1: one for each column, doubles or not.
pub(super) fn attribute_locations(ty: &Ty) -> u32 {
    match ty {
        Ty::Basic(shape) => shape.columns.into(),
        Ty::Array(element, count) => count.saturating_mul(attribute_locations(element)),
        other => other.slots(),
    }
}

/// Finds locations for the halves of inputs of doubles, in the order of the attributes. What is beyond two doubles of a
/// column comes from a location that nothing else has, the last of `most` first. `None` when there is none left.
fn place_halves(doubles: &[&Wanted], most: u32, taken: &mut u64) -> Option<Vec<DoubleHalf>> {
    let most = most.min(MOST_LOCATIONS);
    let mut columns: BTreeMap<u32, bool> = BTreeMap::new();
    for w in doubles {
        let is_wide = w.ty.shape().is_some_and(|shape| shape.rows > 2);
        let first = w.location.unwrap_or(0);
        for column in first..first.saturating_add(w.slots).min(most) {
            *columns.entry(column).or_default() |= is_wide;
        }
    }
    let mut halves = Vec::new();
    for (column, is_wide) in columns {
        let attribute = column as u8;
        halves.push(DoubleHalf { location: attribute, attribute, high: false });
        if is_wide {
            let location = (0..most).rev().find(|l| *taken & 1 << l == 0)?;
            *taken |= 1 << location;
            halves.push(DoubleHalf { location: location as u8, attribute, high: true });
        }
    }
    Some(halves)
}

/// Locations of vertex inputs that a driver can have.
const MOST_LOCATIONS: u32 = gallite_pipe::MAX_VERTEX_ATTRIBUTES as u32;

/// What attributes with a location take.
#[derive(Default)]
struct Bound {
    taken: u64,
    /// Variable to the one of its type that it shares its location with.
    aliases: HashMap<u32, u32>,
    /// The same, where the other has more components.
    parts: Vec<(u32, u32)>,
    /// Locations that attributes of different shapes share.
    mixed: u64,
}

/// Attributes that are of one type at one place: the first and the last.
struct Class {
    first: usize,
    last: usize,
}

/// The classes of attributes with a location that there is, and the class of each. However many share a location, they
/// are of few types.
fn classify(wanted: &[Wanted]) -> (Vec<Class>, HashMap<usize, usize>) {
    let mut classes: Vec<Class> = Vec::new();
    let mut at: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut own = HashMap::new();
    for (i, w) in wanted.iter().enumerate() {
        let Some(location) = w.location.filter(|l| bits(*l, w.slots) != 0) else { continue };
        let here = at.entry(location).or_default();
        let alike = |c: &&usize| {
            let o = &wanted[classes[**c].first];
            o.ty == w.ty && o.component == w.component && o.is_conventional() == w.is_conventional()
        };
        let class = here.iter().find(alike).copied().unwrap_or_else(|| {
            here.push(classes.len());
            classes.push(Class { first: i, last: i });
            classes.len() - 1
        });
        classes[class].last = i;
        own.insert(i, class);
    }
    (classes, own)
}

/// Places the attributes whose locations are given.
fn place_bound(wanted: &[Wanted], max: u32, errors: &mut Vec<String>) -> Bound {
    let mut out = Bound::default();
    let (classes, class_of) = classify(wanted);
    for (i, w) in wanted.iter().enumerate().filter(|(_, w)| w.location.is_some()) {
        let location = w.location.unwrap_or(0);
        if location.saturating_add(w.slots) > max {
            errors.push(format!("insufficient contiguous locations available for vertex shader input `{}'", w.name));
            continue;
        }
        let own = bits(location, w.slots);
        // GL 3.3 core 2.11.3: attributes may share a location as long as a path through the shader reads one
        // of them. The one with the most components then stands for all.
        let widest = classes.iter().map(|c| &wanted[c.last]).filter(|o| o.shares(w) && !o.beside(w));
        let widest = widest.max_by_key(|o| o.ty.components());
        if let (Some(widest), Some(class)) = (widest.filter(|o| o.id != w.id), class_of.get(&i)) {
            let like = &wanted[classes[*class].last];
            if widest.ty == w.ty {
                out.aliases.insert(w.id, widest.id);
            } else if like.id != w.id {
                out.aliases.insert(w.id, like.id);
            } else {
                out.parts.push((w.id, widest.id));
            }
        }
        let meets = |o: &Wanted| o.location.is_some_and(|l| bits(l, o.slots) & own != 0);
        let earlier = classes.iter().filter(|c| c.first < i).map(|c| &wanted[c.first]);
        for other in earlier.filter(|o| meets(o) && !o.shares(w) && !o.beside(w)) {
            out.mixed |= own | other.bits();
        }
        out.taken |= own;
    }
    out
}

/// Takes whatever shares locations with attributes of different shapes into `mixed`: those locations are read by column,
/// as numbers of one kind.
fn mix(wanted: &[Wanted], mixed: &mut u64, errors: &mut Vec<String>) {
    loop {
        let reached =
            wanted.iter().map(Wanted::bits).filter(|own| own & *mixed != 0).fold(*mixed, |all, own| all | own);
        if reached == *mixed {
            break;
        }
        *mixed = reached;
    }
    let mut kinds: HashMap<u32, Scalar> = HashMap::new();
    for w in wanted.iter().filter(|w| w.bits() & *mixed != 0) {
        let first = w.location.unwrap_or(0);
        let kind = w.ty.shape().map(|shape| shape.scalar).filter(|kind| !kind.is_long() && !w.is_conventional());
        let is_alike = |location| kind.is_some_and(|kind| *kinds.entry(location).or_insert(kind) == kind);
        if !(first..first.saturating_add(w.slots)).all(is_alike) {
            errors.push(format!("vertex shader input `{}' aliases another at location {first}", w.name));
        }
    }
}

/// Components that a variable takes of each of its locations, a bit each (GLSL 4.60 section 4.4.1).
fn components(ty: &Ty, first: u32) -> u64 {
    match ty.innermost() {
        Ty::Basic(shape) if shape.columns == 1 => bits(first, shape.words()),
        _ => u64::MAX,
    }
}

impl Wanted {
    /// The locations that it has, none before it is placed.
    fn bits(&self) -> u64 {
        self.location.map_or(0, |location| bits(location, self.slots))
    }

    fn is_conventional(&self) -> bool {
        self.name.starts_with("gl_")
    }

    /// Whether both have different components of what they meet in (GLSL 4.60 section 4.4.1).
    fn beside(&self, other: &Wanted) -> bool {
        components(&self.ty, self.component) & components(&other.ty, other.component) == 0
    }

    /// Whether both may be at one location: scalars and vectors of one kind, or anything of one type. The vertex
    /// position of the compatibility profile shares with nothing.
    fn shares(&self, other: &Wanted) -> bool {
        let alike = match (&self.ty, &other.ty) {
            (Ty::Basic(a), Ty::Basic(b)) => a.scalar == b.scalar && a.columns == 1 && b.columns == 1,
            _ => false,
        };
        let named = !self.is_conventional() && !other.is_conventional();
        self.location == other.location && named && (self.ty == other.ty || alike && self.slots == other.slots)
    }
}

/// Makes a variable hold the first components of an input.
pub(super) fn read_part(module: &mut Module, narrow: u32, wide: u32) {
    let (to, from, count) = {
        let table = TypeTable::new(module);
        (
            table.value_type(narrow),
            table.value_type(wide),
            match table.ty(table.value_type(narrow)) {
                Ty::Basic(shape) => u32::from(shape.rows),
                _ => 1,
            },
        )
    };
    module.demote_to_private(narrow);
    module.insert_at_entry(|module, out| {
        let (whole, part) = (module.id(), module.id());
        out.push(Inst::new(Op::Load, &[from, whole, wide]));
        if count == 1 {
            out.push(Inst::new(Op::CompositeExtract, &[to, part, whole, 0]));
        } else {
            let mut words = vec![to, part, whole, whole];
            words.extend(0..count);
            out.push(Inst::new(Op::VectorShuffle, &words));
        }
        out.push(Inst::new(Op::Store, &[narrow, part]));
    });
    module.fix_interface();
}

/// Assigns colour numbers to fragment outputs.
pub(super) fn link_outputs(linker: &mut Linker<'_>) {
    let Some(at) = linker.stages.iter().position(|s| s.stage == Stage::Fragment) else {
        linker.reflection.flags.no_color_outputs = true;
        return;
    };
    let limits = linker.input.limits.clone();
    let unit = &linker.stages[at];
    let mut errors = Vec::new();
    let mut outputs = Vec::new();
    let mut placed: Vec<(u32, u32, u32)> = Vec::new(); // variable, colour, index
    let beside = |placed: &[(u32, u32, u32)], v: &IoVar, location: u32, index: u32| {
        let others = placed.iter().filter_map(|p| Some((p, unit.declared.outputs.iter().find(|o| o.id == p.0)?)));
        let meet = |(p, o): &(&(u32, u32, u32), &IoVar)| {
            p.2 == index && bits(p.1, o.ty.slots()) & bits(location, v.ty.slots()) != 0
        };
        others.filter(meet).all(|(_, o)| components(&o.ty, o.component) & components(&v.ty, v.component) == 0)
    };
    let mut open = Vec::new();
    let mut listed: HashMap<u32, std::ops::Range<usize>> = HashMap::new();
    let mut taken = [0u64; 2];
    let mut legacy = [false; 2];
    for v in unit.declared.outputs.iter().filter(|v| unit.used.contains(&v.id)) {
        if !is_listed(v) {
            errors.push(format!("fragment shader output `{}' has a type that no colour has", v.name));
            continue;
        }
        let own = parts(v, Ty::slots).into_iter().map(|part| FragmentOutput {
            name: part.name,
            ty: part.ty,
            array_size: part.array_size,
            location: part.first as i32,
            index: 0,
        });
        if v.built_in.is_some() {
            outputs.extend(own.map(|own| FragmentOutput { location: -1, ..own }));
            continue;
        }
        match v.name.as_str() {
            "gl_FragColor" => legacy[0] = true,
            "gl_FragData" => legacy[1] = true,
            _ => {}
        }
        let slots = v.ty.slots();
        let bound = linker.input.frag_data_bindings.iter().rev().find(|b| b.name == v.name);
        let is_legacy = v.name.starts_with("gl_");
        let location = if is_legacy { Some(0) } else { v.location.or(bound.map(|b| b.color)) };
        let index = match (v.location, bound) {
            (None, Some(b)) => b.index,
            _ => v.index,
        };
        let first = outputs.len();
        outputs.extend(own.map(|own| FragmentOutput { index, ..own }));
        listed.insert(v.id, first..outputs.len());
        let max = if index == 0 { limits.max_draw_buffers } else { limits.max_dual_source_draw_buffers };
        match location {
            Some(location) => {
                if location.saturating_add(slots) > max || index > 1 {
                    errors.push(format!("fragment shader output `{}' location {location} is out of range", v.name));
                    continue;
                }
                if taken[index as usize] & bits(location, slots) != 0 && !beside(&placed, v, location, index) {
                    errors.push(format!("overlapping location {location} assigned to fragment output `{}'", v.name));
                }
                taken[index as usize] |= bits(location, slots);
                placed.push((v.id, location, index));
            }
            None => open.push((v.id, v.name.clone(), slots)),
        }
        linker.reflection.flags.dual_source |= index == 1;
    }
    if legacy[0] && legacy[1] {
        errors.push("fragment shader writes both gl_FragColor and gl_FragData".into());
    }
    let user = placed.len() + open.len() > usize::from(legacy[0]) + usize::from(legacy[1]);
    if (legacy[0] || legacy[1]) && user {
        errors.push("fragment shader writes both built-in and user-defined colour outputs".into());
    }
    for (id, name, slots) in open {
        let max = limits.max_draw_buffers;
        match (0..max).find(|l| l.saturating_add(slots) <= max && taken[0] & bits(*l, slots) == 0) {
            Some(location) => {
                taken[0] |= bits(location, slots);
                placed.push((id, location, 0));
            }
            None => errors.push(format!("insufficient contiguous locations available for fragment output `{name}'")),
        }
    }
    errors.into_iter().for_each(|e| linker.error(&e));
    let unit = &mut linker.stages[at];
    for (id, location, index) in &placed {
        unit.module.undecorate(*id, Decoration::Location);
        unit.module.undecorate(*id, Decoration::Index);
        unit.module.decorate(*id, Decoration::Location, &[*location]);
        if *index != 0 || linker.reflection.flags.dual_source {
            unit.module.decorate(*id, Decoration::Index, &[*index]);
        }
        for at in listed.remove(id).unwrap_or_default() {
            outputs[at].location += *location as i32;
        }
    }
    let flags = &mut linker.reflection.flags;
    flags.frag_color_broadcast = legacy[0];
    flags.color_outputs = (taken[0] | taken[1]) as u32;
    if legacy[0] {
        flags.color_outputs |= (1u32 << limits.max_draw_buffers.min(31)) - 1;
    }
    flags.no_color_outputs = flags.color_outputs == 0;
    linker.reflection.outputs = outputs;
}
