//! Transform feedback (GL 4.6 core section 11.1.2.1): names to variables, offsets and strides, and
//! the SPIR-V decorations for them.

use std::collections::HashSet;
use std::sync::Arc;

use super::Linker;
use super::copies::Copies;
use super::interface::{Interface, IoBlock};
use super::types::basic_code;
use super::xfb_layout::{self, Declared, Layout};
use crate::gl_type::{self, Scalar, Shape};
use crate::program::XfbMode;
use crate::reflection::{XfbVarying, split_subscript};
use crate::spirv::{Capability, Decoration, ExecutionMode, Inst, Module, Op, StorageClass, Ty};
use crate::stage::Stage;

/// One captured value.
#[derive(Clone)]
pub(super) struct Capture {
    /// Output variable.
    variable: u32,
    /// Indices into it, when only a part is captured.
    path: Vec<u32>,
    /// Type captured.
    ty: Ty,
    buffer: u32,
    offset: u32,
}

impl Capture {
    /// Whether it is of 64 bits and not always written at a multiple of them. GL 4.6 core 11.1.2.1 leaves the values
    /// undefined then; Vulkan takes no such output (VUID-StandaloneSpirv-Offset-04716 and -XfbStride-04709).
    fn is_misplaced(&self, stride: u32) -> bool {
        self.ty.is_long() && (!self.offset.is_multiple_of(8) || !stride.is_multiple_of(8))
    }

    /// The numbers that it is made of, each where it goes.
    fn numbers(&self) -> Vec<Capture> {
        let (parts, part) = match &self.ty {
            Ty::Array(element, count) => (*count, (**element).clone()),
            Ty::Basic(shape) if shape.columns > 1 => (shape.columns.into(), Ty::Basic(Shape { columns: 1, ..*shape })),
            Ty::Basic(shape) if shape.rows > 1 => (shape.rows.into(), Ty::Basic(Shape { rows: 1, ..*shape })),
            _ => return vec![self.clone()],
        };
        let size = part.components().saturating_mul(4);
        let piece = |i: u32| Capture {
            path: self.path.iter().copied().chain([i]).collect(),
            ty: part.clone(),
            offset: self.offset.saturating_add(size.saturating_mul(i)),
            ..*self
        };
        (0..parts).flat_map(|i| piece(i).numbers()).collect()
    }
}

/// An output of its own that a part of another is captured through.
struct Copy {
    variable: u32,
    /// Its type.
    held: u32,
    source: u32,
    path: Vec<u32>,
    /// The type of that part of the source, of as many bits.
    ty: u32,
}

impl Copy {
    fn emit(&self, module: &mut Module, out: &mut Vec<Inst>) {
        let mut from = self.source;
        if !self.path.is_empty() {
            let pointer = module.type_pointer(StorageClass::Output, self.ty);
            from = module.id();
            let mut words = vec![pointer, from, self.source];
            for p in &self.path {
                words.push(module.const_int(*p as i32));
            }
            out.push(Inst::new(Op::AccessChain, &words));
        }
        let mut value = module.id();
        out.push(Inst::new(Op::Load, &[self.ty, value, from]));
        if self.held != self.ty {
            let words = module.id();
            out.push(Inst::new(Op::Bitcast, &[self.held, words, value]));
            value = words;
        }
        out.push(Inst::new(Op::Store, &[self.variable, value]));
    }
}

/// All captures of a program, worked out before the varyings are placed.
#[derive(Default)]
pub(super) struct Plan {
    captures: Vec<Capture>,
    strides: [u32; 4],
}

impl Plan {
    /// Output variables that must keep existing.
    pub fn kept(&self) -> Vec<u32> {
        self.captures.iter().map(|c| c.variable).collect()
    }
}

/// Takes up what the last stage says of captures, else resolves the program's names. Fills the reflection; reports errors.
pub(super) fn plan(linker: &mut Linker<'_>) -> Plan {
    let declared = last_stage(linker).filter(|at| xfb_layout::decides(&linker.stages[*at]));
    let layout = declared.map(|at| xfb_layout::read(&linker.stages[at]));
    for unit in &mut linker.stages {
        let declared = Arc::clone(&unit.declared);
        xfb_layout::strip(&mut unit.module, &declared.outputs);
    }
    // GLSL 4.60 section 4.4.2.1: the names that the program gave are ignored then.
    match (layout, declared) {
        (Some(layout), Some(at)) => plan_declared(linker, at, layout),
        _ => plan_named(linker),
    }
}

/// The captures that a stage declares.
fn plan_declared(linker: &mut Linker<'_>, at: usize, layout: Layout) -> Plan {
    let mut plan = Plan { captures: Vec::new(), strides: layout.strides };
    let mut errors = layout.faults;
    errors.truncate(MOST_ERRORS);
    let mut xfb = Vec::new();
    let mut streams = [None::<u8>; 4];
    let unit = &linker.stages[at];
    for c in layout.captures {
        let Declared { variable, path, name, ty, buffer, offset } = c;
        let Some((code, array_size)) = basic_code(&ty) else { continue };
        let stream = unit.module.decoration(variable, Decoration::Stream).unwrap_or(0) as u8;
        let Some(known) = streams.get_mut(buffer as usize) else {
            errors.push(format!("transform feedback varying `{name}' exceeds the number of buffers"));
            continue;
        };
        // GLSL 4.60 section 4.4.2.1: a buffer captures one stream.
        if *known.get_or_insert(stream) != stream {
            errors.push(format!("transform feedback varying `{name}' goes to a buffer of another vertex stream"));
        }
        if unit.used.contains(&variable) {
            plan.captures.push(Capture { variable, path, ty, buffer, offset });
        }
        xfb.push(XfbVarying { name, ty: code, array_size, buffer, offset });
    }
    let limit = linker.input.limits.max_xfb_interleaved_components;
    for stride in plan.strides.iter().filter(|s| **s / 4 > limit) {
        errors.push(format!("too many transform feedback components ({} > {limit})", stride / 4));
    }
    errors.into_iter().for_each(|e| linker.error(&e));
    linker.reflection.xfb = xfb;
    linker.reflection.xfb_strides = plan.strides;
    linker.reflection.xfb_streams = streams.map(|stream| stream.unwrap_or(0));
    plan
}

/// Errors of names that are told.
const MOST_ERRORS: usize = 16;

/// Resolves the names that the program gave.
fn plan_named(linker: &mut Linker<'_>) -> Plan {
    let mut plan = Plan::default();
    let names = linker.input.xfb_varyings;
    if names.is_empty() {
        return plan;
    }
    let separate = linker.input.xfb_mode == XfbMode::Separate;
    let limits = linker.input.limits.clone();
    let mut errors = Vec::new();
    let Some(at) = last_stage(linker) else {
        linker.error("transform feedback varyings without a vertex or geometry shader");
        return plan;
    };
    let unit = &linker.stages[at];
    let mut buffer = 0u32;
    let mut xfb = Vec::new();
    let mut strides = [0u32; 4];
    let mut streams = [None::<u8>; 4];
    let mut known = HashSet::new();
    let components = |strides: &[u32; 4]| strides.iter().map(|s| s / 4).fold(0, u32::saturating_add);
    for (i, name) in names.iter().enumerate() {
        // The link is refused: what comes of the other names, of which there may be a million, is of no use.
        let too_many = !separate && components(&strides) > limits.max_xfb_interleaved_components;
        if too_many || errors.len() >= MOST_ERRORS {
            break;
        }
        if separate {
            buffer = i as u32;
        }
        // GL 4.6 core 11.1.2.1: the special names count in interleaved mode only.
        if let Some(skip) = special(name) {
            if separate {
                errors.push(format!("`{name}' can't be captured in GL_SEPARATE_ATTRIBS mode"));
                continue;
            }
            xfb.push(XfbVarying { name: name.clone(), ty: gl_type::NONE, array_size: skip, buffer, offset: 0 });
            if skip == 0 {
                buffer += 1;
                // GL 4.6 core 11.1.2.1: whatever comes after it.
                if buffer as usize == strides.len() {
                    errors.push(format!("`{name}' is used more often than there are buffers"));
                }
            } else if let Some(s) = strides.get_mut(buffer as usize) {
                *s = s.saturating_add(4 * skip);
            }
            continue;
        }
        if !known.insert(name) {
            errors.push(format!("transform feedback varying `{name}' specified more than once"));
            continue;
        }
        let Some((variable, path, ty)) = find_output(&unit.declared, name) else {
            errors.push(format!("transform feedback varying `{name}' undeclared"));
            continue;
        };
        let Some((code, array_size)) = basic_code(&ty) else {
            errors.push(format!("transform feedback varying `{name}' is not of a basic type"));
            continue;
        };
        let components = ty.components();
        if separate && components > limits.max_xfb_separate_components {
            errors.push(format!("transform feedback varying `{name}' exceeds the separate component limit"));
        }
        let Some(stride) = strides.get_mut(buffer as usize) else {
            errors.push(format!("transform feedback varying `{name}' exceeds the number of buffers"));
            continue;
        };
        // GL 4.6 core 11.1.2.1: a buffer captures one stream.
        let stream = unit.module.decoration(variable, Decoration::Stream).unwrap_or(0) as u8;
        if *streams[buffer as usize].get_or_insert(stream) != stream {
            errors.push(format!("transform feedback varying `{name}' goes to a buffer of another vertex stream"));
        }
        let offset = *stride;
        *stride = stride.saturating_add(components.saturating_mul(4));
        if unit.used.contains(&variable) {
            plan.captures.push(Capture { variable, path, ty, buffer, offset });
        }
        xfb.push(XfbVarying { name: name.clone(), ty: code, array_size, buffer, offset });
    }
    if separate && names.len() > limits.max_xfb_separate_attribs as usize {
        errors.push("too many transform feedback varyings for GL_SEPARATE_ATTRIBS".into());
    }
    let total = components(&strides);
    if !separate && total > limits.max_xfb_interleaved_components {
        errors.push(format!(
            "too many transform feedback components ({total} > {})",
            limits.max_xfb_interleaved_components
        ));
    }
    errors.into_iter().for_each(|e| linker.error(&e));
    plan.strides = strides;
    linker.reflection.xfb = xfb;
    linker.reflection.xfb_strides = strides;
    linker.reflection.xfb_streams = streams.map(|stream| stream.unwrap_or(0));
    linker.reflection.xfb_separate = separate;
    plan
}

fn last_stage(linker: &Linker<'_>) -> Option<usize> {
    linker.stages.iter().rposition(|s| matches!(s.stage, Stage::Vertex | Stage::Geometry | Stage::TessEvaluation))
}

/// Components skipped by a special name; 0 for `gl_NextBuffer`.
fn special(name: &str) -> Option<u32> {
    match name {
        "gl_NextBuffer" => Some(0),
        "gl_SkipComponents1" => Some(1),
        "gl_SkipComponents2" => Some(2),
        "gl_SkipComponents3" => Some(3),
        "gl_SkipComponents4" => Some(4),
        _ => None,
    }
}

/// Most subscripts and members in one captured name: each is a level of recursion.
const MAX_PATH: usize = 64;

/// [`resolve`] for a name as long as the program likes.
fn find_output(declared: &Interface, name: &str) -> Option<(u32, Vec<u32>, Ty)> {
    if name.bytes().filter(|b| matches!(b, b'[' | b'.')).count() > MAX_PATH {
        return None;
    }
    resolve(declared, name)
}

/// Finds an output by captured name: `v`, `v[2]`, `s.member`; of a block `Block.member`,
/// `Block[1].member` or, where the block has no instance name, `member` (GL 4.6 core 11.1.2.1).
fn resolve(declared: &Interface, name: &str) -> Option<(u32, Vec<u32>, Ty)> {
    if let Some(v) = declared.outputs.iter().find(|v| v.name == name) {
        let block = name.split_once('.').and_then(|(b, _)| declared.output_blocks.iter().find(|o| o.name == b));
        if block.is_none_or(|b| b.instance && !b.array) {
            return Some((v.id, Vec::new(), v.ty.clone()));
        }
        return None;
    }
    for block in &declared.output_blocks {
        if let Some(found) = block_member(declared, block, name) {
            return Some(found);
        }
    }
    let (base, element) = split_subscript(name);
    if let Some(element) = element {
        let (id, mut path, ty) = resolve(declared, base)?;
        return match ty {
            Ty::Array(t, n) if element < n => {
                path.push(element);
                Some((id, path, (*t).clone()))
            }
            _ => None,
        };
    }
    let (base, member) = name.rsplit_once('.')?;
    let (id, mut path, ty) = resolve(declared, base)?;
    let Ty::Struct(s) = ty else { return None };
    let i = s.members.iter().position(|m| m.name == member)?;
    path.push(i as u32);
    Some((id, path, s.members[i].ty.clone()))
}

/// A member of a block under the names that differ from its variable's.
fn block_member(declared: &Interface, block: &IoBlock, name: &str) -> Option<(u32, Vec<u32>, Ty)> {
    let variable = |member: &str| {
        let full = format!("{}.{member}", block.name);
        declared.outputs.iter().find(|v| v.name == full)
    };
    if !block.instance {
        let v = block.members.iter().find(|m| m.0 == name).and_then(|m| variable(&m.0))?;
        return Some((v.id, Vec::new(), v.ty.clone()));
    }
    let (instance, member) = name.split_once('.').filter(|_| block.array)?;
    let (base, Some(element)) = split_subscript(instance) else { return None };
    let v = variable(member).filter(|_| base == block.name)?;
    match &v.ty {
        Ty::Array(t, n) if element < *n => Some((v.id, vec![element], (**t).clone())),
        _ => None,
    }
}

/// Decorates the last pre-rasterisation stage. Parts of variables, and the position (which drivers
/// change afterwards), are captured through variables of their own.
pub(super) fn apply(linker: &mut Linker<'_>, plan: &Plan) {
    if linker.reflection.xfb.is_empty() {
        return;
    }
    let Some(at) = last_stage(linker) else { return };
    let unit = &mut linker.stages[at];
    let module = &mut unit.module;
    module.add_capability(Capability::TransformFeedback);
    let entry = module.entry_function();
    module.execution_modes.push(Inst::new(Op::ExecutionMode, &[entry, ExecutionMode::Xfb as u32]));
    let mut places = Copies::from(unit.next_output_location);
    let mut copies = Vec::new();
    // Each with whether it is captured as a pair of words.
    let pieces = plan.captures.iter().flat_map(|c| {
        let words = c.is_misplaced(plan.strides[c.buffer as usize]);
        let pieces = if words { c.numbers() } else { vec![c.clone()] };
        pieces.into_iter().map(move |piece| (piece, words))
    });
    for (c, words) in pieces {
        let built_in = module.built_in(c.variable).is_some();
        let target = if c.path.is_empty() && !built_in && !words {
            c.variable
        } else {
            let ty = value_type(module, c.variable, &c.path);
            let uint = module.type_uint();
            let held = if words { module.type_vector(uint, 2) } else { ty };
            let copy = module.add_variable(StorageClass::Output, held);
            let stream = module.decoration(c.variable, Decoration::Stream);
            let pair = Ty::Basic(Shape { scalar: Scalar::Uint, columns: 1, rows: 2 });
            let (location, component) = places.place(if words { &pair } else { &c.ty }, stream.unwrap_or(0));
            module.decorate(copy, Decoration::Location, &[location]);
            if component != 0 {
                module.decorate(copy, Decoration::Component, &[component]);
            }
            if let Some(stream) = stream {
                module.decorate(copy, Decoration::Stream, &[stream]);
            }
            copies.push(Copy { variable: copy, held, source: c.variable, path: c.path, ty });
            copy
        };
        module.decorate(target, Decoration::XfbBuffer, &[c.buffer]);
        module.decorate(target, Decoration::XfbStride, &[plan.strides[c.buffer as usize]]);
        module.decorate(target, Decoration::Offset, &[c.offset]);
    }
    let next = places.end();
    unit.next_output_location = next;
    // Where the stage's own outputs leave no location for another copy, Vulkan can't take it.
    let limits = &linker.input.limits;
    let most = match unit.stage {
        Stage::TessEvaluation => limits.max_tess_evaluation_output_components,
        Stage::Geometry => limits.max_geometry_output_components,
        _ => limits.max_vertex_output_components,
    } / 4;
    if next > most {
        linker.error(&format!("outputs and captured parts of them take too many locations ({next} > {most})"));
        return;
    }
    let module = &mut linker.stages[at].module;
    let code = |module: &mut Module, out: &mut Vec<Inst>| {
        copies.iter().for_each(|copy| copy.emit(module, out));
    };
    if copies.is_empty() {
        return;
    }
    module.insert_before_vertex_end(code);
    module.fix_interface();
}

fn value_type(module: &crate::spirv::Module, variable: u32, path: &[u32]) -> u32 {
    let mut ty = module.global(variable).and_then(|v| module.global(v.word(0))).map_or(0, |p| p.word(2));
    for index in path {
        ty = match module.global(ty) {
            Some(t) if t.op == Op::TypeStruct => t.word(1 + *index as usize),
            Some(t) => t.word(1),
            None => 0,
        };
    }
    ty
}
