//! Uniforms and uniform blocks across stages (GL 4.6 core sections 7.4.1 and 7.6): matching,
//! activity, locations, offsets, dense sampler indices, limits.

use std::sync::Arc;

use gallite_pipe::{BindingKind, SampledType as PipeSampled, ShaderBinding, TextureDim};

use super::Linker;
use crate::passes::lower_uniforms::{Placement, SamplerPlacement, UniformPlacement};
use crate::reflection::{
    SampledType, SamplerUniform, StateUniform, StateUniformSlot, Uniform, UniformBlock, UniformLocation, ViewDim,
};
use crate::spirv::{Dim, ImageInfo, StructTy, Ty, array_stride, matrix_stride, std140, struct_layout};
use crate::stage::{Stage, StageMask};

/// A loose uniform of the program.
struct Merged {
    name: String,
    ty: Ty,
    initial: Option<Vec<u32>>,
    location: Option<u32>,
    binding: u32,
    stages: StageMask,
    /// Position in `Linker::stages` and variable id, where used.
    variables: Vec<(usize, u32)>,
}

/// A uniform block of the program.
struct MergedBlock {
    name: String,
    instance: bool,
    ty: Arc<StructTy>,
    array: Option<u32>,
    binding: u32,
    stages: StageMask,
    variables: Vec<(usize, u32)>,
}

/// Most active uniforms, and leaves of one, a program may have; more is an error rather than an
/// unbounded table.
const MAX_LEAVES: usize = 65536;

/// Links uniforms; fills the reflection and the bindings and returns what each stage's code needs.
pub(super) fn link(linker: &mut Linker<'_>) -> Vec<Placement> {
    let merged = merge_loose(linker);
    let blocks = merge_blocks(linker);
    let mut placements = vec![Placement::default(); linker.stages.len()];
    check_limits(linker, &merged, &blocks);
    if linker.failed {
        return placements;
    }
    place_loose(linker, &merged, &mut placements);
    place_blocks(linker, &blocks, &mut placements);
    assign_locations(linker, &merged);
    placements
}

fn merge_loose(linker: &mut Linker<'_>) -> Vec<Merged> {
    let mut merged: Vec<Merged> = Vec::new();
    let mut errors = Vec::new();
    for (s, stage) in linker.stages.iter().enumerate() {
        for u in &stage.declared.uniforms {
            let used = stage.used.contains(&u.id);
            if let Some(m) = merged.iter_mut().find(|m| m.name == u.name) {
                // GL 4.6 core 7.4.1: the same name must have the same type in every stage.
                if m.ty != u.ty {
                    errors.push(format!(
                        "uniform `{}' declared as type `{}' and type `{}'",
                        u.name,
                        m.ty.spell(),
                        u.ty.spell()
                    ));
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
                m.binding = m.binding.max(u.binding);
                if used {
                    m.stages |= stage.stage.bit();
                    m.variables.push((s, u.id));
                }
            } else {
                merged.push(Merged {
                    name: u.name.clone(),
                    ty: u.ty.clone(),
                    initial: u.initial.clone(),
                    location: u.location,
                    binding: u.binding,
                    stages: if used { stage.stage.bit() } else { StageMask(0) },
                    variables: if used { vec![(s, u.id)] } else { Vec::new() },
                });
            }
        }
    }
    merged.retain(|m| !m.variables.is_empty());
    for m in &merged {
        if m.name.starts_with("gl_") && m.name != "gl_DepthRange" {
            errors.push(format!("built-in uniform `{}' is not available in this context", m.name));
        }
        if has_storage_image(&m.ty) {
            errors.push(format!("image uniform `{}' is not supported", m.name));
        }
    }
    errors.into_iter().for_each(|e| linker.error(&e));
    merged
}

fn has_storage_image(ty: &Ty) -> bool {
    match ty {
        Ty::Sampler(i) => i.storage,
        Ty::Array(t, _) => has_storage_image(t),
        Ty::Struct(s) => s.members.iter().any(|m| has_storage_image(&m.ty)),
        _ => false,
    }
}

fn merge_blocks(linker: &mut Linker<'_>) -> Vec<MergedBlock> {
    let mut merged: Vec<MergedBlock> = Vec::new();
    let mut errors = Vec::new();
    for (s, stage) in linker.stages.iter().enumerate() {
        for b in &stage.declared.blocks {
            if b.storage {
                errors.push(format!("shader storage block `{}' is not supported", b.name));
                continue;
            }
            let used = stage.used.contains(&b.id);
            if let Some(m) = merged.iter_mut().find(|m| m.name == b.name) {
                // GL 4.6 core 7.6: blocks of one name must have the same members, types and layout.
                if m.ty.members != b.ty.members || m.array != b.array || m.instance == b.instance.is_empty() {
                    errors.push(format!("definitions of uniform block `{}' do not match", b.name));
                    continue;
                }
                m.binding = m.binding.max(b.binding);
                m.stages |= stage.stage.bit();
                if used {
                    m.variables.push((s, b.id));
                }
            } else {
                merged.push(MergedBlock {
                    name: b.name.clone(),
                    instance: !b.instance.is_empty(),
                    ty: b.ty.clone(),
                    array: b.array,
                    binding: b.binding,
                    stages: stage.stage.bit(),
                    variables: if used { vec![(s, b.id)] } else { Vec::new() },
                });
            }
        }
    }
    errors.into_iter().for_each(|e| linker.error(&e));
    merged
}

fn check_limits(linker: &mut Linker<'_>, merged: &[Merged], blocks: &[MergedBlock]) {
    let limits = linker.input.limits.clone();
    let mut errors = Vec::new();
    let mut combined_samplers = 0u32;
    for stage in Stage::ALL {
        let (max_components, max_samplers) = match stage {
            Stage::Vertex => (limits.max_vertex_uniform_components, limits.max_vertex_texture_image_units),
            Stage::Geometry => (limits.max_geometry_uniform_components, limits.max_geometry_texture_image_units),
            _ => (limits.max_fragment_uniform_components, limits.max_texture_image_units),
        };
        let used = merged.iter().filter(|m| m.stages.has(stage));
        let (mut components, mut samplers) = (0u32, 0u32);
        for m in used {
            components = components.saturating_add(m.ty.components());
            samplers = samplers.saturating_add(count_samplers(&m.ty));
        }
        combined_samplers = combined_samplers.saturating_add(samplers);
        if components > max_components {
            errors.push(format!(
                "too many {} shader default uniform block components ({components} > {max_components})",
                stage.name()
            ));
        }
        if samplers > max_samplers {
            errors.push(format!("too many {} shader texture samplers ({samplers} > {max_samplers})", stage.name()));
        }
        let count: u32 =
            blocks.iter().filter(|b| b.stages.has(stage)).map(|b| b.array.unwrap_or(1)).fold(0, u32::saturating_add);
        if count > limits.max_uniform_blocks_per_stage {
            errors.push(format!(
                "too many {} uniform blocks ({count}/{})",
                stage.name(),
                limits.max_uniform_blocks_per_stage
            ));
        }
    }
    if combined_samplers > limits.max_combined_texture_image_units {
        errors.push(format!(
            "too many combined samplers ({combined_samplers} > {})",
            limits.max_combined_texture_image_units
        ));
    }
    for b in blocks {
        let size = struct_layout(&b.ty, false).1.size;
        if size > limits.max_uniform_block_size {
            errors.push(format!("uniform block `{}' too big ({size} > {})", b.name, limits.max_uniform_block_size));
        }
        if b.array == Some(0) {
            errors.push(format!("uniform block array `{}' has no size", b.name));
        }
    }
    let total: u32 = blocks.iter().map(|b| b.array.unwrap_or(1)).fold(0, u32::saturating_add);
    if total > limits.max_combined_uniform_blocks {
        errors.push(format!("too many combined uniform blocks ({total}/{})", limits.max_combined_uniform_blocks));
    }
    let leaves: usize = merged.iter().map(|m| leaf_count(&m.ty)).fold(0, usize::saturating_add);
    if leaves > MAX_LEAVES {
        errors.push("too many active uniforms".into());
    }
    errors.into_iter().for_each(|e| linker.error(&e));
}

/// Samplers in a type, all array elements counted.
fn count_samplers(ty: &Ty) -> u32 {
    match ty {
        Ty::Sampler(_) => 1,
        Ty::Array(t, n) => n.saturating_mul(count_samplers(t)),
        Ty::Struct(s) => s.members.iter().fold(0, |n, m| n.saturating_add(count_samplers(&m.ty))),
        _ => 0,
    }
}

/// Active uniforms a type expands to.
fn leaf_count(ty: &Ty) -> usize {
    match ty {
        Ty::Struct(s) => s.members.iter().fold(0, |n, m| n.saturating_add(leaf_count(&m.ty))),
        Ty::Array(t, n) if matches!(**t, Ty::Struct(_) | Ty::Array(..)) => (*n as usize).saturating_mul(leaf_count(t)),
        _ => 1,
    }
}

/// One active uniform found in a type.
struct Leaf<'a> {
    name: String,
    /// Basic or sampler type.
    ty: &'a Ty,
    array: Option<u32>,
    /// Byte offset from the start of the whole.
    offset: u32,
    row_major: bool,
    /// Struct member path, for samplers.
    path: Vec<u32>,
    /// Flattened index over the outer array dimensions.
    outer: u32,
    /// First component in declaration order, for initialisers.
    component: u32,
}

/// Walks a type down to its active uniforms (GL 4.6 core 7.3.1.1).
fn for_each_leaf<'a>(leaf: Leaf<'a>, f: &mut impl FnMut(Leaf<'a>)) {
    match leaf.ty {
        Ty::Struct(s) => {
            let (offsets, _) = struct_layout(s, leaf.row_major);
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
            let stride = array_stride(t, leaf.row_major);
            for i in 0..*n {
                for_each_leaf(
                    Leaf {
                        name: format!("{}[{i}]", leaf.name),
                        ty: t,
                        array: None,
                        offset: leaf.offset + stride * i,
                        row_major: leaf.row_major,
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

fn root<'a>(name: &str, ty: &'a Ty, offset: u32) -> Leaf<'a> {
    Leaf { name: name.into(), ty, array: None, offset, row_major: false, path: Vec::new(), outer: 0, component: 0 }
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

fn sampler_binding(info: &ImageInfo, binding: u32, count: u32, stages: StageMask) -> ShaderBinding {
    ShaderBinding {
        kind: BindingKind::SAMPLER,
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
        access: 0,
    }
}

fn buffer_binding(binding: u32, count: u32, stages: StageMask, size: u32) -> ShaderBinding {
    ShaderBinding {
        kind: BindingKind::UNIFORM_BUFFER,
        binding,
        count,
        stages: u32::from(stages.0),
        size,
        ..bytemuck::Zeroable::zeroed()
    }
}

fn place_loose(linker: &mut Linker<'_>, merged: &[Merged], placements: &mut [Placement]) {
    let mut offset = 0u32;
    let mut dense = 0u32;
    for m in merged {
        let layout = std140(&m.ty, false);
        let data = m.ty.has_data();
        if data {
            offset = offset.div_ceil(layout.align).saturating_mul(layout.align);
        }
        let mut paths = Vec::new();
        sampler_paths(&m.ty, &mut Vec::new(), 1, &mut paths);
        let mut samplers = Vec::new();
        for (path, count, info) in paths {
            linker.bindings.push(sampler_binding(&info, dense, count, m.stages));
            samplers.push(SamplerPlacement { path, dense, count, name: m.name.clone() });
            dense += count;
        }
        for &(s, variable) in &m.variables {
            placements[s].uniforms.push(UniformPlacement { variable, offset, samplers: samplers.clone() });
        }
        if data {
            linker.reflection.default_block_stages |= m.stages;
        }
        if m.name == "gl_DepthRange" {
            linker.reflection.state_uniforms.push(StateUniformSlot { state: StateUniform::DepthRange, offset });
        } else {
            for_each_leaf(root(&m.name, &m.ty, offset), &mut |leaf| {
                let uniform = loose_uniform(m, &leaf, &samplers);
                linker.reflection.uniforms.push(uniform);
            });
        }
        if data {
            offset = offset.saturating_add(layout.size);
        }
    }
    linker.reflection.sampler_count = dense;
    // A uniform buffer's size is kept to whole vec4s.
    linker.reflection.default_block_size = offset.div_ceil(16) * 16;
    if offset > 0 {
        linker.bindings.push(buffer_binding(
            0,
            1,
            linker.reflection.default_block_stages,
            linker.reflection.default_block_size,
        ));
    }
}

fn loose_uniform(m: &Merged, leaf: &Leaf<'_>, samplers: &[SamplerPlacement]) -> Uniform {
    let count = leaf.array.unwrap_or(1);
    let mut uniform = Uniform {
        array_size: count,
        is_array: leaf.array.is_some(),
        stages: m.stages,
        ..Uniform::default_for(leaf.name.clone())
    };
    match leaf.ty {
        Ty::Sampler(info) => {
            uniform.ty = super::types::sampler_code(info);
            let dense = samplers.iter().find(|s| s.path == leaf.path).map_or(0, |s| s.dense);
            uniform.sampler = Some(SamplerUniform {
                dense: dense + leaf.outer * count,
                dim: view_dim(info),
                rect: info.dim == Dim::DimRect,
                shadow: info.depth,
                sampled: info.sampled,
            });
            uniform.explicit_binding = (m.binding != 0).then_some(m.binding + leaf.outer * count);
        }
        Ty::Basic(shape) => {
            uniform.ty = shape.code();
            uniform.default_offset = leaf.offset;
            if leaf.array.is_some() {
                uniform.default_array_stride = array_stride(leaf.ty, false);
            }
            if shape.columns > 1 {
                uniform.default_matrix_stride = matrix_stride(*shape, false);
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

fn place_blocks(linker: &mut Linker<'_>, blocks: &[MergedBlock], placements: &mut [Placement]) {
    let mut index = 0u32;
    for b in blocks {
        let count = b.array.unwrap_or(1);
        for &(s, variable) in &b.variables {
            placements[s].blocks.push((variable, 1 + index));
        }
        let (offsets, layout) = struct_layout(&b.ty, false);
        let first = linker.reflection.uniforms.len() as u32;
        let prefix = if b.instance { b.name.as_str() } else { "" };
        for (i, m) in b.ty.members.iter().enumerate() {
            let name = if prefix.is_empty() { m.name.clone() } else { format!("{prefix}.{}", m.name) };
            let mut leaf = root(&name, &m.ty, offsets[i]);
            leaf.row_major = m.row_major;
            for_each_leaf(leaf, &mut |leaf| {
                linker.reflection.uniforms.push(block_uniform(&leaf, index as i32, b.stages));
            });
        }
        let members: Vec<u32> = (first..linker.reflection.uniforms.len() as u32).collect();
        for e in 0..count {
            linker.reflection.blocks.push(UniformBlock {
                name: if b.array.is_some() { format!("{}[{e}]", b.name) } else { b.name.clone() },
                binding: if b.binding == 0 { 0 } else { b.binding + e },
                data_size: layout.size,
                members: members.clone(),
                stages: b.stages,
                descriptor_binding: 1 + index + e,
            });
        }
        linker.bindings.push(buffer_binding(1 + index, count, b.stages, layout.size));
        index += count;
    }
}

fn block_uniform(leaf: &Leaf<'_>, block: i32, stages: StageMask) -> Uniform {
    let Ty::Basic(shape) = leaf.ty else { return Uniform::default_for(leaf.name.clone()) };
    let matrix = shape.columns > 1;
    Uniform {
        ty: shape.code(),
        array_size: leaf.array.unwrap_or(1),
        is_array: leaf.array.is_some(),
        block,
        offset: leaf.offset as i32,
        array_stride: if leaf.array.is_some() { array_stride(leaf.ty, leaf.row_major) as i32 } else { 0 },
        matrix_stride: if matrix { matrix_stride(*shape, leaf.row_major) as i32 } else { 0 },
        row_major: matrix && leaf.row_major,
        stages,
        ..Uniform::default_for(leaf.name.clone())
    }
}

/// Locations in index order; explicit ones first, the rest fill the gaps (GL 4.6 core 7.6.1).
fn assign_locations(linker: &mut Linker<'_>, merged: &[Merged]) {
    let limit = linker.input.limits.max_uniform_locations as usize;
    let mut table: Vec<Option<UniformLocation>> = Vec::new();
    let mut errors = Vec::new();
    let uniforms = &mut linker.reflection.uniforms;
    for m in merged.iter().filter(|m| m.location.is_some()) {
        let mut next = m.location.unwrap_or(0) as usize;
        let own = |n: &str| n == m.name || n.strip_prefix(m.name.as_str()).is_some_and(|r| r.starts_with(['.', '[']));
        for (i, u) in uniforms.iter_mut().enumerate().filter(|(_, u)| u.block < 0 && own(&u.name)) {
            u.location = next as i32;
            for element in 0..u.array_size as usize {
                if next >= limit {
                    errors.push(format!("uniform `{}' location exceeds the limit", u.name));
                    break;
                }
                if table.len() <= next {
                    table.resize(next + 1, None);
                }
                if table[next].is_some() {
                    errors
                        .push(format!("location qualifier for uniform `{}' overlaps previously used location", u.name));
                }
                table[next] = Some(UniformLocation { uniform: i as u32, element: element as u32 });
                next += 1;
            }
        }
    }
    let mut search = 0;
    for (i, u) in uniforms.iter_mut().enumerate().filter(|(_, u)| u.block < 0 && u.location < 0) {
        let count = u.array_size as usize;
        let mut at = search;
        while !(at..at + count).all(|l| table.get(l).is_none_or(Option::is_none)) {
            at += 1;
        }
        if table.len() < at + count {
            table.resize(at + count, None);
        }
        for element in 0..count {
            table[at + element] = Some(UniformLocation { uniform: i as u32, element: element as u32 });
        }
        u.location = at as i32;
        while table.get(search).is_some_and(Option::is_some) {
            search += 1;
        }
    }
    linker.reflection.locations =
        table.into_iter().map(|l| l.unwrap_or(UniformLocation { uniform: u32::MAX, element: 0 })).collect();
    errors.into_iter().for_each(|e| linker.error(&e));
}
