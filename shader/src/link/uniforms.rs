//! Loose uniforms across stages (GL 4.6 core sections 7.4.1 and 7.6): matching, activity, locations,
//! offsets, dense sampler and image indices.

use std::collections::HashMap;

use gallite_pipe::{BindingKind, SampledType as PipeSampled, ShaderBinding, TextureDim};

use super::access::Accesses;
use super::interface::{Precision, UniformVar};
use super::{Linker, blocks, counters, limits, spaced, subroutines};
use crate::front::subroutines::STAND_IN;
use crate::passes::lower_uniforms::{Placement, SamplerPlacement, UniformPlacement};
use crate::reflection::{
    ImageUniform, SampledType, SamplerUniform, StateUniform, StateUniformSlot, Uniform, UniformLocation, ViewDim,
};
use crate::spirv::{Dim, ImageInfo, Packing, Ty, array_stride, extent, matrix_stride, struct_layout};
use crate::stage::StageMask;

/// A loose uniform of the program.
pub(super) struct Merged {
    pub name: String,
    space: Option<u8>,
    pub ty: Ty,
    initial: Option<Vec<u32>>,
    location: Option<u32>,
    binding: Option<u32>,
    precision: Option<Precision>,
    open: bool,
    pub stages: StageMask,
    /// Position in `Linker::stages` and variable id, where used.
    variables: Vec<(usize, u32)>,
}

impl Merged {
    /// Takes up the type that another stage gives a uniform; whether the two go together.
    fn takes(&mut self, u: &UniformVar) -> bool {
        // GLSL 4.60 section 4.1.9: what has no size has that of its largest subscript, or of the declaration that has one.
        if let (Ty::Array(a, own), Ty::Array(b, other)) = (&self.ty, &u.ty)
            && a == b
            && (self.open || own >= other)
            && (u.open || other >= own)
        {
            if other > own {
                self.ty = u.ty.clone();
            }
            self.open &= u.open;
            return true;
        }
        self.ty == u.ty
    }

    /// Whether the precision is that of another stage.
    fn is_as_precise(&self, u: &UniformVar, version: u32, both_used: bool) -> bool {
        // ESSL 3.00 section 4.3.5, and ESSL 1.00 section 10.3 of what both stages use.
        let matters = version >= 300 || both_used;
        !matters || self.precision.zip(u.precision).is_none_or(|(a, b)| a == b)
    }
}

/// Links uniforms, blocks and atomic counters; fills the reflection and the bindings and returns what each stage's code
/// needs.
pub(super) fn link(linker: &mut Linker<'_>) -> Vec<Placement> {
    let accesses: Vec<Accesses> = linker.stages.iter().map(|unit| Accesses::of(&unit.module)).collect();
    let (merged, reserved) = merge_loose(linker);
    let [uniform_blocks, storage_blocks] = blocks::merge(linker);
    let counters = counters::merge(linker);
    let mut placements = vec![Placement::default(); linker.stages.len()];
    limits::check(linker, &merged, [&uniform_blocks, &storage_blocks], &counters);
    if linker.failed {
        return placements;
    }
    let stand_ins = place_loose(linker, &merged, &accesses, &mut placements);
    subroutines::link(linker, &stand_ins);
    counters::place(linker, &counters, blocks::count(&storage_blocks), &mut placements);
    blocks::place_uniform(linker, &uniform_blocks, &mut placements);
    blocks::place_storage(linker, &storage_blocks, &accesses, &mut placements);
    linker.reflection.flags.stores = accesses.iter().any(Accesses::writes_any);
    assign_locations(linker, &merged, &reserved);
    placements
}

/// Locations of a uniform that no stage uses, which it keeps all the same (GL 4.6 core 7.6.1).
struct Reserved {
    name: String,
    first: u32,
    count: u32,
}

/// Uniforms that some stage uses, and those that only hold locations.
fn merge_loose(linker: &mut Linker<'_>) -> (Vec<Merged>, Vec<Reserved>) {
    let mut merged: Vec<Merged> = Vec::new();
    let mut places: HashMap<(Option<u8>, &str), usize> = HashMap::new();
    let mut errors = Vec::new();
    for (s, stage) in linker.stages.iter().enumerate() {
        for u in &stage.declared.uniforms {
            let used = stage.used.contains(&u.id);
            if let Some(m) = places.get(&(stage.space, u.name.as_str())).and_then(|at| merged.get_mut(*at)) {
                // GL 4.6 core 7.4.1: the same name must have the same type in every stage.
                let known = m.ty.spell();
                if !m.takes(u) {
                    let new = u.ty.spell();
                    errors.push(format!("uniform `{}' declared as type `{known}' and type `{new}'", u.name));
                }
                if !m.is_as_precise(u, stage.version, used && !m.variables.is_empty()) {
                    errors.push(format!("declarations of uniform `{}' differ in their precision", u.name));
                }
                match (&m.initial, &u.initial) {
                    (Some(a), Some(b)) if a != b => {
                        errors.push(format!("initializers for uniform `{}' have differing values", u.name));
                    }
                    (None, Some(_)) => m.initial.clone_from(&u.initial),
                    _ => {}
                }
                if let (Some(a), Some(b)) = (m.location, u.location)
                    && a != b
                {
                    errors.push(format!("explicit locations for uniform `{}' have differing values", u.name));
                }
                m.location = m.location.or(u.location);
                merge_binding(&mut m.binding, u.binding, &u.name, &mut errors);
                if used {
                    m.stages |= stage.stage.bit();
                    m.variables.push((s, u.id));
                }
            } else {
                places.insert((stage.space, &u.name), merged.len());
                merged.push(Merged {
                    name: u.name.clone(),
                    space: stage.space,
                    ty: u.ty.clone(),
                    initial: u.initial.clone(),
                    location: u.location,
                    binding: u.binding,
                    precision: u.precision,
                    open: u.open,
                    stages: if used { stage.stage.bit() } else { StageMask(0) },
                    variables: if used { vec![(s, u.id)] } else { Vec::new() },
                });
            }
        }
    }
    let held = |m: &Merged| {
        Some(Reserved {
            name: m.name.clone(),
            first: m.location.filter(|_| m.space.is_none())?,
            count: locations(&m.ty),
        })
    };
    let reserved = merged.iter().filter(|m| m.variables.is_empty()).filter_map(held).collect();
    merged.retain(|m| !m.variables.is_empty());
    for m in &merged {
        if m.name.starts_with("gl_") && StateUniform::by_name(&m.name).is_none() {
            errors.push(format!("built-in uniform `{}' is not available in this context", m.name));
        }
    }
    errors.into_iter().for_each(|e| linker.error(&e));
    (merged, reserved)
}

/// Locations that a uniform of a type takes (GL 4.6 core 7.6.1).
fn locations(ty: &Ty) -> u32 {
    match ty {
        Ty::Array(t, n) => n.saturating_mul(locations(t)),
        Ty::Struct(s) => s.members.iter().fold(0, |n, m| n.saturating_add(locations(&m.ty))),
        _ => 1,
    }
}

/// GLSL 4.60 section 4.4.6: where one name is given bindings more than once they are equal.
pub(super) fn merge_binding(known: &mut Option<u32>, new: Option<u32>, name: &str, errors: &mut Vec<String>) {
    if let (Some(a), Some(b)) = (*known, new)
        && a != b
    {
        errors.push(format!("explicit bindings for `{name}' have differing values"));
    }
    *known = known.or(new);
}

/// One active uniform found in a type.
pub(super) struct Leaf<'a> {
    pub name: String,
    /// Basic or sampler type.
    pub ty: &'a Ty,
    pub array: Option<u32>,
    /// Byte offset from the start of the whole.
    pub offset: u32,
    pub row_major: bool,
    pub packing: Packing,
    /// Struct member path, for samplers.
    path: Vec<u32>,
    /// Flattened index over the outer array dimensions.
    pub outer: u32,
    /// First component in declaration order, for initialisers.
    component: u32,
}

/// Walks a type down to its active uniforms (GL 4.6 core 7.3.1.1).
pub(super) fn for_each_leaf<'a>(leaf: Leaf<'a>, f: &mut impl FnMut(Leaf<'a>)) {
    match leaf.ty {
        Ty::Struct(s) => {
            let (offsets, _) = struct_layout(s, leaf.row_major, leaf.packing);
            let mut component = leaf.component;
            for (i, m) in s.members.iter().enumerate() {
                let mut path = leaf.path.clone();
                path.push(i as u32);
                for_each_leaf(
                    Leaf {
                        name: if leaf.name.is_empty() { m.name.clone() } else { format!("{}.{}", leaf.name, m.name) },
                        ty: &m.ty,
                        array: None,
                        offset: leaf.offset + offsets[i],
                        row_major: leaf.row_major || m.row_major,
                        packing: leaf.packing,
                        path,
                        outer: leaf.outer,
                        component,
                    },
                    f,
                );
                component += m.ty.components();
            }
        }
        Ty::Array(t, n) if matches!(**t, Ty::Struct(_) | Ty::Array(..)) => {
            let stride = array_stride(t, leaf.row_major, leaf.packing);
            for i in 0..*n {
                for_each_leaf(
                    Leaf {
                        name: format!("{}[{i}]", leaf.name),
                        ty: t,
                        array: None,
                        offset: leaf.offset + stride * i,
                        row_major: leaf.row_major,
                        packing: leaf.packing,
                        path: leaf.path.clone(),
                        outer: leaf.outer * n + i,
                        component: leaf.component + t.components() * i,
                    },
                    f,
                );
            }
        }
        Ty::Array(t, n) => f(Leaf { name: format!("{}[0]", leaf.name), ty: t, array: Some(*n), ..leaf }),
        _ => f(leaf),
    }
}

/// The leaf that a whole variable or member is, to walk down from.
pub(super) fn root<'a>(name: &str, ty: &'a Ty, offset: u32, packing: Packing) -> Leaf<'a> {
    Leaf {
        name: name.into(),
        ty,
        array: None,
        offset,
        row_major: false,
        packing,
        path: Vec::new(),
        outer: 0,
        component: 0,
    }
}

/// Samplers of a type by member path, with the number of elements of each.
fn sampler_paths(ty: &Ty, path: &mut Vec<u32>, count: u32, out: &mut Vec<(Vec<u32>, u32, ImageInfo)>) {
    match ty {
        Ty::Sampler(info) => out.push((path.clone(), count, *info)),
        Ty::Array(t, n) => sampler_paths(t, path, count.saturating_mul(*n), out),
        Ty::Struct(s) => {
            for (i, m) in s.members.iter().enumerate() {
                path.push(i as u32);
                sampler_paths(&m.ty, path, count, out);
                path.pop();
            }
        }
        _ => {}
    }
}

fn view_dim(info: &ImageInfo) -> ViewDim {
    match (info.dim, info.arrayed, info.multisampled) {
        (Dim::Dim1D, false, _) => ViewDim::D1,
        (Dim::Dim1D, true, _) => ViewDim::D1Array,
        (Dim::Dim3D, ..) => ViewDim::D3,
        (Dim::DimCube, false, _) => ViewDim::Cube,
        (Dim::DimCube, true, _) => ViewDim::CubeArray,
        (Dim::DimBuffer, ..) => ViewDim::Buffer,
        (_, false, true) => ViewDim::D2Ms,
        (_, true, true) => ViewDim::D2MsArray,
        (_, true, false) => ViewDim::D2Array,
        (_, false, false) => ViewDim::D2,
    }
}

fn opaque_binding(info: &ImageInfo, binding: u32, count: u32, stages: StageMask, access: u8) -> ShaderBinding {
    ShaderBinding {
        kind: if info.storage { BindingKind::IMAGE } else { BindingKind::SAMPLER },
        binding,
        count,
        stages: u32::from(stages.0),
        size: 0,
        dim: match (info.dim, view_dim(info)) {
            (Dim::DimRect, _) => TextureDim::RECT,
            (_, ViewDim::D1) => TextureDim::D1,
            (_, ViewDim::D1Array) => TextureDim::D1_ARRAY,
            (_, ViewDim::D2 | ViewDim::D2Ms) => TextureDim::D2,
            (_, ViewDim::D2Array | ViewDim::D2MsArray) => TextureDim::D2_ARRAY,
            (_, ViewDim::D3) => TextureDim::D3,
            (_, ViewDim::Cube) => TextureDim::CUBE,
            (_, ViewDim::CubeArray) => TextureDim::CUBE_ARRAY,
            (_, ViewDim::Buffer) => TextureDim::BUFFER,
        },
        sampled: match info.sampled {
            _ if info.depth => PipeSampled::SHADOW,
            SampledType::Float => PipeSampled::FLOAT,
            SampledType::Int => PipeSampled::SINT,
            SampledType::Uint => PipeSampled::UINT,
        },
        multisample: u8::from(info.multisampled),
        access,
    }
}

/// Places uniforms of the default block; returns those that stand for subroutine uniforms, which nobody lists.
fn place_loose(
    linker: &mut Linker<'_>,
    merged: &[Merged],
    accesses: &[Accesses],
    placements: &mut [Placement],
) -> Vec<Uniform> {
    let mut stand_ins = Vec::new();
    let mut offset = 0u32;
    // First free dense indices of samplers and of images.
    let mut next = [0u32; 2];
    for m in merged {
        let layout = extent(&m.ty, false, Packing::Std140);
        let data = m.ty.has_data();
        if data {
            offset = offset.div_ceil(layout.align).saturating_mul(layout.align);
        }
        let mut paths = Vec::new();
        sampler_paths(&m.ty, &mut Vec::new(), 1, &mut paths);
        let mut samplers = Vec::new();
        let access = m.variables.iter().fold(0, |all, &(s, id)| all | accesses[s].of_variable(id));
        for (path, count, info) in paths {
            let free = &mut next[usize::from(info.storage)];
            linker.bindings.push(opaque_binding(&info, *free, count, m.stages, access * u8::from(info.storage)));
            samplers.push(SamplerPlacement { path, dense: *free, count, name: m.name.clone(), image: info.storage });
            *free += count;
        }
        for &(s, variable) in &m.variables {
            placements[s].uniforms.push(UniformPlacement { variable, offset, samplers: samplers.clone() });
        }
        if data {
            linker.reflection.default_block_stages |= m.stages;
        }
        match StateUniform::by_name(&m.name) {
            Some(state) => {
                state_slots(state, &m.ty, offset, &mut linker.reflection.state_uniforms);
                // GL 4.6 core 7.3.1: built-in state is listed, without locations.
                if !m.name.starts_with("gl_gallite_") {
                    for_each_leaf(root(&m.name, &m.ty, offset, Packing::Std140), &mut |leaf| {
                        let listed = Uniform { default_offset: u32::MAX, ..loose_uniform(m, &leaf, &samplers, access) };
                        linker.reflection.uniforms.push(listed);
                    });
                }
            }
            None if m.name.starts_with(STAND_IN) => {
                for_each_leaf(root(&m.name, &m.ty, offset, Packing::Std140), &mut |leaf| {
                    stand_ins.push(loose_uniform(m, &leaf, &samplers, access));
                });
            }
            None => for_each_leaf(root(&spaced(m.space, &m.name), &m.ty, offset, Packing::Std140), &mut |leaf| {
                let uniform = loose_uniform(m, &leaf, &samplers, access);
                linker.reflection.uniforms.push(uniform);
            }),
        }
        if data {
            offset = offset.saturating_add(layout.size);
        }
    }
    [linker.reflection.sampler_count, linker.reflection.image_count] = next;
    // A uniform buffer's size is kept to whole vec4s.
    linker.reflection.default_block_size = offset.div_ceil(16) * 16;
    // GL's limits count components of one stage; the block holds all stages', and std140 pads arrays.
    let large = linker.reflection.default_block_size > linker.input.limits.max_uniform_block_size;
    linker.reflection.flags.large_default_block = large;
    placements.iter_mut().for_each(|p| p.large_default_block = large);
    if offset > 0 {
        linker.bindings.push(ShaderBinding {
            kind: BindingKind::UNIFORM_BUFFER,
            binding: 0,
            count: 1,
            stages: u32::from(linker.reflection.default_block_stages.0),
            size: linker.reflection.default_block_size,
            ..bytemuck::Zeroable::zeroed()
        });
    }
    stand_ins
}

/// Where each value of a built-in uniform goes.
fn state_slots(state: StateUniform, ty: &Ty, offset: u32, out: &mut Vec<StateUniformSlot>) {
    let (element_ty, count) = match ty {
        Ty::Array(t, n) => (&**t, *n),
        other => (other, 1),
    };
    let stride = if count > 1 { array_stride(element_ty, false, Packing::Std140) } else { 0 };
    // No array of built-in state is longer than the texture units' 192.
    for element in 0..count.min(255) as u8 {
        let base = offset + u32::from(element) * stride;
        match element_ty {
            Ty::Struct(s) => {
                let (offsets, _) = struct_layout(s, false, Packing::Std140);
                let members = (0..offsets.len().min(255) as u8).zip(&offsets);
                out.extend(members.map(|(member, at)| StateUniformSlot { state, element, member, offset: base + at }));
            }
            _ => out.push(StateUniformSlot { state, element, member: 0, offset: base }),
        }
    }
}

fn loose_uniform(m: &Merged, leaf: &Leaf<'_>, samplers: &[SamplerPlacement], access: u8) -> Uniform {
    let count = leaf.array.unwrap_or(1);
    let mut uniform = Uniform {
        array_size: count,
        is_array: leaf.array.is_some(),
        stages: m.stages,
        ..Uniform::default_for(leaf.name.clone())
    };
    match leaf.ty {
        Ty::Sampler(info) => {
            uniform.ty = super::types::opaque_code(info);
            let dense = samplers.iter().find(|s| s.path == leaf.path).map_or(0, |s| s.dense) + leaf.outer * count;
            let (dim, rect, sampled) = (view_dim(info), info.dim == Dim::DimRect, info.sampled);
            if info.storage {
                let format = super::types::image_format(info.format);
                uniform.image = Some(ImageUniform { dense, dim, rect, sampled, format, access });
            } else {
                uniform.sampler = Some(SamplerUniform { dense, dim, rect, shadow: info.depth, sampled });
            }
            uniform.explicit_binding = m.binding.map(|binding| binding + leaf.outer * count);
        }
        Ty::Basic(shape) => {
            uniform.ty = shape.code();
            uniform.default_offset = leaf.offset;
            if leaf.array.is_some() {
                uniform.default_array_stride = array_stride(leaf.ty, false, Packing::Std140);
            }
            if shape.columns > 1 {
                uniform.default_matrix_stride = matrix_stride(*shape, false, Packing::Std140);
            }
            if let Some(words) = &m.initial {
                let from = leaf.component as usize;
                let len = (leaf.ty.components() * count) as usize;
                uniform.initial = words.get(from..from + len).map(<[u32]>::to_vec).unwrap_or_default();
            }
        }
        _ => {}
    }
    uniform
}

/// The locations of a program as they are given out.
struct Table {
    entries: Vec<Option<UniformLocation>>,
    limit: usize,
    errors: Vec<String>,
}

impl Table {
    /// Takes `count` locations from `first` on that the source asks for.
    fn take(&mut self, name: &str, first: usize, count: u32, entry: impl Fn(u32) -> UniformLocation) {
        let end = first.saturating_add(count as usize);
        if end > self.limit {
            self.errors.push(format!("location of uniform `{name}' exceeds the limit of {}", self.limit));
            return;
        }
        if self.entries.len() < end {
            self.entries.resize(end, None);
        }
        // GL 4.6 core 7.6.1: no two uniforms share a location, whether used or not.
        if self.entries[first..end].iter().any(Option::is_some) {
            self.errors.push(format!("location qualifier for uniform `{name}' overlaps previously used location"));
        }
        for (element, place) in (0..count).zip(&mut self.entries[first..end]) {
            *place = Some(entry(element));
        }
    }

    /// The first of `count` free locations, from `from` on.
    fn free(&self, from: usize, count: usize) -> usize {
        let mut at = from;
        while !(at..at + count).all(|l| self.entries.get(l).is_none_or(Option::is_none)) {
            at += 1;
        }
        at
    }
}

/// Locations in index order; explicit ones first, the rest fill the gaps (GL 4.6 core 7.6.1).
fn assign_locations(linker: &mut Linker<'_>, merged: &[Merged], reserved: &[Reserved]) {
    let limit = linker.input.limits.max_uniform_locations as usize;
    let mut table = Table { entries: Vec::new(), limit, errors: Vec::new() };
    let uniforms = &mut linker.reflection.uniforms;
    // Nobody addresses the uniforms of a pipeline by location: its programs hold their values.
    for m in merged.iter().filter(|m| m.space.is_none()) {
        let Some(first) = m.location else { continue };
        let mut next = first as usize;
        let own = |n: &str| n == m.name || n.strip_prefix(m.name.as_str()).is_some_and(|r| r.starts_with(['.', '[']));
        let loose = |u: &Uniform| u.block < 0 && u.atomic_buffer < 0 && own(&u.name);
        for (i, u) in uniforms.iter_mut().enumerate().filter(|(_, u)| loose(u)) {
            u.location = next as i32;
            table.take(&u.name, next, u.array_size, |element| UniformLocation { uniform: i as u32, element });
            next = next.saturating_add(u.array_size as usize);
        }
    }
    for r in reserved {
        table.take(&r.name, r.first as usize, r.count, |_| UniformLocation::RESERVED);
    }
    let mut search = 0;
    let open = |u: &Uniform| u.block < 0 && u.location < 0 && u.atomic_buffer < 0 && !u.name.starts_with("gl_");
    for (i, u) in uniforms.iter_mut().enumerate().filter(|(_, u)| open(u)) {
        let count = u.array_size as usize;
        let at = table.free(search, count);
        if table.entries.len() < at + count {
            table.entries.resize(at + count, None);
        }
        for (element, place) in (0..).zip(&mut table.entries[at..at + count]) {
            *place = Some(UniformLocation { uniform: i as u32, element });
        }
        u.location = at as i32;
        while table.entries.get(search).is_some_and(Option::is_some) {
            search += 1;
        }
    }
    linker.reflection.locations = table.entries.into_iter().map(|l| l.unwrap_or(UniformLocation::NONE)).collect();
    table.errors.into_iter().for_each(|e| linker.error(&e));
}
