//! Swizzles of buffer textures: views of texel buffers have none, so the shader reorders what it fetched. Those of alpha,
//! luminance and intensity formats need it (GL 4.6 compatibility tables 8.18 and 8.24).

use std::collections::HashMap;

use gallite_pipe::Swizzle;

use crate::spirv::{Decoration, Dim, Inst, Module, Op, StorageClass};

/// Descriptor set of samplers.
const SAMPLERS: u32 = 1;

/// What one texel buffer's components are taken from.
pub type Components = [Swizzle; 4];

/// The texel buffers of a variable, in order; `None` is one that is as it is fetched.
type Elements = Vec<Option<Components>>;

/// The texel buffer that a value is, or points to.
#[derive(Clone, Copy)]
struct Place {
    variable: u32,
    /// Id of the index in the variable's array.
    index: Option<u32>,
}

/// Reorders the components of what is fetched from texel buffers, by their dense index.
#[must_use]
pub fn swizzle_texel_buffers(words: &[u32], swizzles: &[(u32, Components)]) -> Vec<u32> {
    super::edit(words, |module| {
        let buffers = buffers(module, swizzles);
        if buffers.is_empty() {
            return;
        }
        for f in 0..module.functions.len() {
            let insts = std::mem::take(&mut module.functions[f].insts);
            module.functions[f].insts = rewrite(module, &buffers, insts);
        }
    })
}

/// The variables that have one of these texel buffers.
fn buffers(module: &Module, swizzles: &[(u32, Components)]) -> HashMap<u32, Elements> {
    let mut found = HashMap::new();
    for (_, pointer, id, class) in module.variables() {
        if class != StorageClass::UniformConstant as u32
            || module.decoration(id, Decoration::DescriptorSet) != Some(SAMPLERS)
        {
            continue;
        }
        let Some(first) = module.decoration(id, Decoration::Binding) else { continue };
        let Some(count) = module.global(pointer).and_then(|p| texel_buffers(module, p.word(2))) else { continue };
        let of = |element: u32| swizzles.iter().find(|s| s.0 == first + element).map(|s| s.1);
        let elements: Elements = (0..count).map(of).collect();
        if elements.iter().any(Option::is_some) {
            found.insert(id, elements);
        }
    }
    found
}

/// How many texel buffers a variable of a type is.
fn texel_buffers(module: &Module, ty: u32) -> Option<u32> {
    let ty = module.global(ty)?;
    match ty.op {
        Op::TypeArray => {
            texel_buffers(module, ty.word(1))?;
            module.global(ty.word(2)).map(|length| length.word(2))
        }
        Op::TypeSampledImage => texel_buffers(module, ty.word(1)),
        Op::TypeImage => (ty.word(2) == Dim::DimBuffer as u32).then_some(1),
        _ => None,
    }
}

fn rewrite(module: &mut Module, buffers: &HashMap<u32, Elements>, insts: Vec<Inst>) -> Vec<Inst> {
    let mut places: HashMap<u32, Place> =
        buffers.keys().map(|id| (*id, Place { variable: *id, index: None })).collect();
    let mut out = Vec::with_capacity(insts.len());
    for mut inst in insts {
        let Some(place) = places.get(&inst.word(2)).copied() else {
            out.push(inst);
            continue;
        };
        match inst.op {
            Op::AccessChain | Op::InBoundsAccessChain => {
                places.insert(inst.word(1), Place { index: Some(inst.word(3)), ..place });
            }
            Op::Load | Op::Image | Op::CopyObject => {
                places.insert(inst.word(1), place);
            }
            Op::ImageFetch => {
                let (ty, wanted) = (inst.word(0), inst.word(1));
                let fetched = module.id();
                inst.words[1] = fetched;
                out.push(inst);
                emit_swizzle(module, &buffers[&place.variable], place.index, [ty, wanted, fetched], &mut out);
                continue;
            }
            _ => {}
        }
        out.push(inst);
    }
    out
}

/// Makes `wanted` from `fetched`, both of a vector type.
fn emit_swizzle(
    module: &mut Module,
    elements: &Elements,
    index: Option<u32>,
    [ty, wanted, fetched]: [u32; 3],
    out: &mut Vec<Inst>,
) {
    let known = match index.map(|id| (id, module.global(id))) {
        None => elements.first().copied(),
        Some((_, Some(constant))) if constant.op == Op::Constant => elements.get(constant.word(2) as usize).copied(),
        Some(_) => elements.iter().all(|e| *e == elements[0]).then_some(elements[0]),
    };
    if let Some(components) = known {
        let components = components.unwrap_or(Swizzle::IDENTITY);
        out.push(shuffle(module, components, [ty, wanted, fetched]));
        return;
    }
    // Which one it is shows when the shader runs.
    let Some(index) = index else { return };
    let bool_type = module.intern(Op::TypeBool, &[]);
    let bools = module.type_vector(bool_type, 4);
    let mut value = fetched;
    for (element, components) in (0_u32..).zip(elements) {
        let Some(components) = components else { continue };
        let swizzled = module.id();
        out.push(shuffle(module, *components, [ty, swizzled, fetched]));
        let (number, [is, all, chosen]) = (module.const_uint(element), [module.id(), module.id(), module.id()]);
        out.push(Inst::new(Op::IEqual, &[bool_type, is, index, number]));
        out.push(Inst::new(Op::CompositeConstruct, &[bools, all, is, is, is, is]));
        out.push(Inst::new(Op::Select, &[ty, chosen, all, swizzled, value]));
        value = chosen;
    }
    out.push(Inst::new(Op::CopyObject, &[ty, wanted, value]));
}

fn shuffle(module: &mut Module, components: Components, [ty, result, fetched]: [u32; 3]) -> Inst {
    let component = module.global(ty).map_or(0, |vector| vector.word(1));
    let is_float = module.global(component).is_some_and(|c| c.op == Op::TypeFloat);
    let one = if is_float { 1_f32.to_bits() } else { 1 };
    let constants = [0, one].map(|value| module.intern(Op::Constant, &[component, value]));
    let pair = module.type_vector(component, 2);
    let constants = module.intern(Op::ConstantComposite, &[pair, constants[0], constants[1]]);
    let source = components.map(|c| match c {
        Swizzle::R => 0,
        Swizzle::G => 1,
        Swizzle::B => 2,
        Swizzle::A => 3,
        Swizzle::ONE => 5,
        _ => 4,
    });
    let mut words = vec![ty, result, fetched, constants];
    words.extend(source);
    Inst::new(Op::VectorShuffle, &words)
}
