//! What state of the compatibility profile changes in a program's code ([`LegacyState`]): colours of back faces, flat and
//! clamped colours, user clip planes, texture coordinates of point sprites, the alpha test.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Linker, StageUnit};
use crate::gl_type::{Scalar, Shape};
use crate::link::interface::{IoVar, UniformVar};
use crate::program::{DepthMode, LegacyState};
use crate::spirv::{BuiltIn, Capability, Decoration, Inst, Module, Op, StorageClass, Ty, TypeTable, is_comparison};
use crate::stage::Stage;

pub(super) const VEC4: Ty = Ty::Basic(Shape { scalar: Scalar::Float, columns: 1, rows: 4 });

/// Colours that are outputs of a vertex.
const COLORS: [&str; 4] = ["gl_FrontColor", "gl_BackColor", "gl_FrontSecondaryColor", "gl_BackSecondaryColor"];

fn used_output(unit: &StageUnit, name: &str) -> Option<u32> {
    unit.declared.outputs.iter().find(|o| o.name == name && unit.used.contains(&o.id)).map(|o| o.id)
}

fn used_input(unit: &StageUnit, name: &str) -> Option<u32> {
    unit.declared.inputs.iter().find(|i| i.name == name && unit.used.contains(&i.id)).map(|i| i.id)
}

/// Notes what a program has of the compatibility profile, and does what must come before uniforms and varyings are
/// placed.
pub(super) fn prepare(linker: &mut Linker<'_>) {
    let legacy = linker.input.legacy;
    let last = linker.stages.iter().rposition(|s| s.stage != Stage::Fragment && s.stage != Stage::Compute);
    let fragment = linker.stages.iter().position(|s| s.stage == Stage::Fragment);
    let uses = &mut linker.reflection.legacy;
    if let Some(at) = last {
        let unit = &linker.stages[at];
        uses.writes_colors = COLORS.iter().any(|name| used_output(unit, name).is_some());
        uses.writes_back_colors = used_output(unit, COLORS[1]).is_some() || used_output(unit, COLORS[3]).is_some();
        uses.writes_clip_distance = unit
            .declared
            .outputs
            .iter()
            .any(|o| o.built_in == Some(BuiltIn::ClipDistance) && unit.used.contains(&o.id));
    }
    if let Some(at) = fragment {
        let unit = &linker.stages[at];
        uses.reads_colors = used_input(unit, "gl_Color").is_some() || used_input(unit, "gl_SecondaryColor").is_some();
        uses.reads_tex_coords = used_input(unit, "gl_TexCoord").is_some();
    }
    for unit in linker.stages.iter_mut().filter(|unit| unit.shadow_functions) {
        linker.reflection.legacy.compares_to_vectors |= comparisons(&mut unit.module, legacy.depth_mode);
    }
    if legacy == LegacyState::default() {
        return;
    }
    if let (Some(from), Some(to)) = (last, fragment) {
        let backs: [bool; 2] = [COLORS[1], COLORS[3]].map(|name| used_output(&linker.stages[from], name).is_some());
        fragment_colors(&mut linker.stages[to], &legacy, backs);
        if legacy.point_sprites != 0 {
            point_sprites(&mut linker.stages[to], legacy.point_sprites);
        }
    }
    if let Some(at) = last {
        let unit = &mut linker.stages[at];
        if legacy.clamp_vertex_color {
            clamp_colors(unit);
        }
        if legacy.clip_planes != 0 && !linker.reflection.legacy.writes_clip_distance {
            clip_planes(unit, legacy.clip_planes);
        }
    }
    if let Some(at) = fragment.filter(|_| legacy.alpha_func != 0) {
        let unit = &mut linker.stages[at];
        let float = unit.module.type_float();
        let ty = Ty::Basic(Shape { scalar: Scalar::Float, columns: 1, rows: 1 });
        add_uniform(unit, ALPHA_REFERENCE, float, ty);
    }
}

/// Gives the components of comparisons what the depth texture mode says: the front end puts the result into all four.
/// True when there are any.
fn comparisons(module: &mut Module, mode: DepthMode) -> bool {
    let results: HashSet<u32> =
        module.functions.iter().flat_map(|f| &f.insts).filter(|i| is_comparison(i.op)).map(|i| i.word(1)).collect();
    if results.is_empty() {
        return false;
    }
    let (zero, one) = (module.const_float(0.0), module.const_float(1.0));
    let mut found = false;
    for inst in module.functions.iter_mut().flat_map(|f| &mut f.insts).filter(|i| i.op == Op::CompositeConstruct) {
        let r = inst.word(2);
        if inst.words.len() == 6 && results.contains(&r) && inst.words[3..].iter().all(|w| *w == r) {
            found = true;
            let parts = match mode {
                DepthMode::Intensity => [r; 4],
                DepthMode::Luminance => [r, r, r, one],
                DepthMode::Alpha => [zero, zero, zero, r],
                DepthMode::Red => [r, zero, zero, one],
            };
            inst.words[2..].copy_from_slice(&parts);
        }
    }
    found
}

const ALPHA_REFERENCE: &str = "gl_gallite_AlphaReference";

/// A built-in uniform of the module, made where it has none.
fn add_uniform(unit: &mut StageUnit, name: &str, ty_id: u32, ty: Ty) -> u32 {
    let known = unit.declared.uniforms.iter().find(|u| u.name == name).map(|u| u.id);
    let id = known.unwrap_or_else(|| {
        let id = unit.module.add_variable(StorageClass::UniformConstant, ty_id);
        unit.module.set_name(id, name);
        let var = UniformVar {
            id,
            name: name.into(),
            ty,
            initial: None,
            location: None,
            binding: None,
            precision: None,
            open: false,
        };
        Arc::make_mut(&mut unit.declared).uniforms.push(var);
        id
    });
    Arc::make_mut(&mut unit.used).insert(id);
    id
}

pub(super) fn built_in_var(id: u32, name: &str, ty: Ty, built_in: Option<BuiltIn>) -> IoVar {
    IoVar {
        id,
        name: name.into(),
        ty,
        built_in,
        location: None,
        component: 0,
        index: 0,
        flat: false,
        no_perspective: false,
        sample: false,
        invariant: false,
        patch: false,
    }
}

/// Two-sided selection and flat shading of the fragment stage's colours (GL 4.6 compatibility sections 12.5.1, 13.4).
fn fragment_colors(unit: &mut StageUnit, legacy: &LegacyState, backs: [bool; 2]) {
    for (name, back, has_back) in [("gl_Color", COLORS[1], backs[0]), ("gl_SecondaryColor", COLORS[3], backs[1])] {
        let Some(id) = used_input(unit, name) else { continue };
        // GLSL 1.30 section 4.3.7: a colour with a qualifier of its own does not follow the shade model.
        let flat = legacy.flat && !unit.colors.iter().any(|c| c.0 == name);
        if flat {
            make_flat(unit, id);
        }
        if !(legacy.two_sided && has_back) {
            continue;
        }
        let float = unit.module.type_float();
        let vec4 = unit.module.type_vector(float, 4);
        let behind = unit.module.add_variable(StorageClass::Input, vec4);
        unit.module.copy_annotations(Op::Decorate, id, behind);
        unit.module.undecorate(behind, Decoration::Location);
        let facing = front_facing(&mut unit.module);
        let bool_ty = unit.module.intern(Op::TypeBool, &[]);
        let bvec4 = unit.module.type_vector(bool_ty, 4);
        let raw = unit.module.replace_input(id, vec4, |module, value, out| {
            let (is_front, front4, other, chosen) = (module.id(), module.id(), module.id(), module.id());
            out.push(Inst::new(Op::Load, &[bool_ty, is_front, facing]));
            out.push(Inst::new(Op::CompositeConstruct, &[bvec4, front4, is_front, is_front, is_front, is_front]));
            out.push(Inst::new(Op::Load, &[vec4, other, behind]));
            out.push(Inst::new(Op::Select, &[vec4, chosen, front4, value, other]));
            chosen
        });
        let declared = Arc::make_mut(&mut unit.declared);
        if let Some(v) = declared.inputs.iter_mut().find(|v| v.id == id) {
            v.id = raw;
        }
        declared.inputs.push(IoVar { flat, ..built_in_var(behind, back, VEC4, None) });
        Arc::make_mut(&mut unit.used).extend([raw, behind]);
    }
}

fn make_flat(unit: &mut StageUnit, id: u32) {
    let Some(v) = Arc::make_mut(&mut unit.declared).inputs.iter_mut().find(|v| v.id == id) else { return };
    if !v.flat && !v.no_perspective {
        v.flat = true;
        unit.module.decorate(id, Decoration::Flat, &[]);
    }
}

/// The module's `gl_FrontFacing`.
fn front_facing(module: &mut Module) -> u32 {
    if let Some(id) = module.find_built_in(BuiltIn::FrontFacing, StorageClass::Input) {
        return id;
    }
    let bool_ty = module.intern(Op::TypeBool, &[]);
    let id = module.add_variable(StorageClass::Input, bool_ty);
    module.decorate(id, Decoration::BuiltIn, &[BuiltIn::FrontFacing as u32]);
    id
}

/// GL_COORD_REPLACE (GL 4.6 compatibility section 14.4): these sets of coordinates are (s, t, 0, 1) over a point.
fn point_sprites(unit: &mut StageUnit, sets: u8) {
    let Some(id) = used_input(unit, "gl_TexCoord") else { return };
    let Some(var) = unit.declared.inputs.iter().find(|v| v.id == id) else { return };
    let Ty::Array(_, count) = var.ty else { return };
    let module = &mut unit.module;
    let float = module.type_float();
    let (vec2, vec4) = (module.type_vector(float, 2), module.type_vector(float, 4));
    let (zero, one) = (module.const_float(0.0), module.const_float(1.0));
    let known = module.find_built_in(BuiltIn::PointCoord, StorageClass::Input);
    let coord = known.unwrap_or_else(|| {
        let id = module.add_variable(StorageClass::Input, vec2);
        module.decorate(id, Decoration::BuiltIn, &[BuiltIn::PointCoord as u32]);
        id
    });
    let array = {
        let table = TypeTable::new(module);
        let pointer = table.def(id).map_or(0, |v| v.word(0));
        table.pointee(pointer).unwrap_or(0)
    };
    let raw = module.replace_input(id, array, |module, value, out| {
        let (xy, point) = (module.id(), module.id());
        out.push(Inst::new(Op::Load, &[vec2, xy, coord]));
        out.push(Inst::new(Op::CompositeConstruct, &[vec4, point, xy, zero, one]));
        let mut value = value;
        for set in (0..count.min(8)).filter(|set| sets & (1 << set) != 0) {
            let next = module.id();
            out.push(Inst::new(Op::CompositeInsert, &[array, next, point, value, set]));
            value = next;
        }
        value
    });
    let ty = Ty::Basic(Shape { scalar: Scalar::Float, columns: 1, rows: 2 });
    let declared = Arc::make_mut(&mut unit.declared);
    if let Some(v) = declared.inputs.iter_mut().find(|v| v.id == id) {
        v.id = raw;
    }
    if known.is_none() {
        declared.inputs.push(built_in_var(coord, "gl_PointCoord", ty, Some(BuiltIn::PointCoord)));
    }
    Arc::make_mut(&mut unit.used).extend([raw, coord]);
}

/// The id of the extended instructions of GLSL.
fn extended(module: &mut Module) -> u32 {
    if let Some(import) = module.imports.first() {
        return import.word(0);
    }
    let id = module.id();
    let mut words = vec![id];
    words.extend(crate::spirv::encode_string("GLSL.std.450"));
    module.imports.push(Inst::new(Op::ExtInstImport, &words));
    id
}

/// CLAMP_VERTEX_COLOR (GL 4.6 compatibility section 12.4.6).
fn clamp_colors(unit: &mut StageUnit) {
    const FCLAMP: u32 = 43;
    let colors: Vec<u32> = COLORS.iter().filter_map(|name| used_output(unit, name)).collect();
    if colors.is_empty() {
        return;
    }
    let module = &mut unit.module;
    let set = extended(module);
    let float = module.type_float();
    let vec4 = module.type_vector(float, 4);
    let [zeros, ones] = [0.0, 1.0].map(|v| {
        let c = module.const_float(v);
        module.intern(Op::ConstantComposite, &[vec4, c, c, c, c])
    });
    module.insert_before_vertex_end(|module, out| {
        for color in &colors {
            let (value, clamped) = (module.id(), module.id());
            out.push(Inst::new(Op::Load, &[vec4, value, *color]));
            out.push(Inst::new(Op::ExtInst, &[vec4, clamped, set, FCLAMP, value, zeros, ones]));
            out.push(Inst::new(Op::Store, &[*color, clamped]));
        }
    });
}

/// User clip planes as clip distances: of gl_ClipVertex, or where the shader writes none of gl_Position as it is
/// (GL 4.6 compatibility section 13.7, GLSL 1.30 section 7.1).
fn clip_planes(unit: &mut StageUnit, planes: u8) {
    let vertex = used_output(unit, "gl_ClipVertex");
    let position = unit.module.find_built_in(BuiltIn::Position, StorageClass::Output);
    let Some(source) = vertex.or(position) else { return };
    let count = 8 - planes.leading_zeros();
    let module = &mut unit.module;
    let float = module.type_float();
    let vec4 = module.type_vector(float, 4);
    let array = module.type_array(vec4, 8);
    let uniform = add_uniform(unit, "gl_ClipPlane", array, Ty::Array(Arc::new(VEC4), 8));
    let module = &mut unit.module;
    let distances = module.type_array(float, count);
    let output = module.add_variable(StorageClass::Output, distances);
    module.decorate(output, Decoration::BuiltIn, &[BuiltIn::ClipDistance as u32]);
    module.add_capability(Capability::ClipDistance);
    let plane_pointer = module.type_pointer(StorageClass::UniformConstant, vec4);
    let distance_pointer = module.type_pointer(StorageClass::Output, float);
    let indices: Vec<u32> = (0..count).map(|i| module.const_int(i as i32)).collect();
    let zero = module.const_float(0.0);
    module.insert_before_vertex_end(|module, out| {
        let vertex = module.id();
        out.push(Inst::new(Op::Load, &[vec4, vertex, source]));
        for (plane, index) in indices.iter().enumerate() {
            let to = module.id();
            let distance = if planes & (1 << plane) == 0 {
                zero
            } else {
                let (from, value, dot) = (module.id(), module.id(), module.id());
                out.push(Inst::new(Op::AccessChain, &[plane_pointer, from, uniform, *index]));
                out.push(Inst::new(Op::Load, &[vec4, value, from]));
                out.push(Inst::new(Op::Dot, &[float, dot, vertex, value]));
                dot
            };
            out.push(Inst::new(Op::AccessChain, &[distance_pointer, to, output, *index]));
            out.push(Inst::new(Op::Store, &[to, distance]));
        }
    });
    let ty = Ty::Array(Arc::new(Ty::Basic(Shape { scalar: Scalar::Float, columns: 1, rows: 1 })), count);
    let var = built_in_var(output, "gl_ClipDistance", ty, Some(BuiltIn::ClipDistance));
    Arc::make_mut(&mut unit.declared).outputs.push(var);
    Arc::make_mut(&mut unit.used).insert(output);
    unit.module.fix_interface();
}

/// The alpha test (GL 4.6 compatibility section 17.3.3): discards fragments by the alpha of colour 0. Runs when the
/// outputs have their numbers.
pub(super) fn alpha_test(linker: &mut Linker<'_>) {
    let func = linker.input.legacy.alpha_func;
    let Some(unit) = linker.stages.iter_mut().find(|s| s.stage == Stage::Fragment).filter(|_| func != 0) else {
        return;
    };
    let Some(reference) = unit.declared.uniforms.iter().find(|u| u.name == ALPHA_REFERENCE).map(|u| u.id) else {
        return;
    };
    let color = unit.declared.outputs.iter().find(|o| {
        unit.used.contains(&o.id)
            && o.built_in.is_none()
            && unit.module.decoration(o.id, Decoration::Location) == Some(0)
            && unit.module.decoration(o.id, Decoration::Index).unwrap_or(0) == 0
    });
    let Some(color) = color.map(|c| (c.id, matches!(c.ty, Ty::Array(..)), c.ty.innermost() == &VEC4)) else { return };
    let (variable, is_array, is_vec4) = color;
    if !is_vec4 {
        return;
    }
    let module = &mut unit.module;
    let float = module.type_float();
    let vec4 = module.type_vector(float, 4);
    let bool_ty = module.intern(Op::TypeBool, &[]);
    let pointer = module.type_pointer(StorageClass::Output, vec4);
    let first = module.const_int(0);
    // From GL_NEVER + 1; ordered comparisons, so that not-a-number fails all but NOTEQUAL.
    let compare = match func {
        2 => Some(Op::FOrdLessThan),
        3 => Some(Op::FOrdEqual),
        4 => Some(Op::FOrdLessThanEqual),
        5 => Some(Op::FOrdGreaterThan),
        6 => Some(Op::FUnordNotEqual),
        7 => Some(Op::FOrdGreaterThanEqual),
        _ => None,
    };
    module.insert_before_return(|module, out| {
        let (kill, keep) = (module.id(), module.id());
        let passes = if let Some(compare) = compare {
            let (value, alpha, limit, passes) = (module.id(), module.id(), module.id(), module.id());
            let mut from = variable;
            if is_array {
                from = module.id();
                out.push(Inst::new(Op::AccessChain, &[pointer, from, variable, first]));
            }
            out.push(Inst::new(Op::Load, &[vec4, value, from]));
            out.push(Inst::new(Op::CompositeExtract, &[float, alpha, value, 3]));
            out.push(Inst::new(Op::Load, &[float, limit, reference]));
            out.push(Inst::new(compare, &[bool_ty, passes, alpha, limit]));
            passes
        } else {
            module.intern(Op::ConstantFalse, &[bool_ty])
        };
        out.push(Inst::new(Op::SelectionMerge, &[keep, 0]));
        out.push(Inst::new(Op::BranchConditional, &[passes, keep, kill]));
        out.push(Inst::new(Op::Label, &[kill]));
        out.push(Inst::new(Op::Kill, &[]));
        out.push(Inst::new(Op::Label, &[keep]));
    });
}
