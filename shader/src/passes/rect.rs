//! Rectangle samplers as 2D samplers: Vulkan has no rectangle dimension, so their texel coordinates
//! are divided by the texture's size before each lookup (GL 4.6 core section 8.17 gives them one
//! level and clamping wrap modes only, which makes the two equal).

use std::collections::HashMap;

use crate::spirv::{Capability, Dim, Inst, Module, Op, is_comparison, is_sample};

/// Runs the pass.
pub(crate) fn run(module: &mut Module) {
    let rect_images: Vec<u32> = module
        .globals
        .iter()
        .filter(|g| g.op == Op::TypeImage && g.word(2) == Dim::DimRect as u32)
        .map(|g| g.word(0))
        .collect();
    if rect_images.is_empty() {
        module.remove_capability(Capability::SampledRect);
        return;
    }
    let mut rect_types: HashMap<u32, u32> = rect_images.iter().map(|i| (*i, *i)).collect();
    for g in module.globals.iter().filter(|g| g.op == Op::TypeSampledImage) {
        if rect_images.contains(&g.word(1)) {
            rect_types.insert(g.word(0), g.word(1));
        }
    }
    for f in 0..module.functions.len() {
        let insts = std::mem::take(&mut module.functions[f].insts);
        module.functions[f].insts = rewrite(module, &rect_types, insts);
    }
    for g in &mut module.globals {
        if g.op == Op::TypeImage && g.word(2) == Dim::DimRect as u32 {
            g.words[2] = Dim::Dim2D as u32;
        }
    }
    module.remove_capability(Capability::SampledRect);
    module.remove_capability(Capability::ImageRect);
    module.add_capability(Capability::ImageQuery);
    module.dedupe_types();
}

fn rewrite(module: &mut Module, rect_types: &HashMap<u32, u32>, insts: Vec<Inst>) -> Vec<Inst> {
    // Type of each value, for images and coordinates alike.
    let mut types: HashMap<u32, u32> =
        module.globals.iter().filter_map(|g| Some((g.result()?, g.result_type()?))).collect();
    let mut out = Vec::with_capacity(insts.len());
    for mut inst in insts {
        if let (Some(id), Some(ty)) = (inst.result(), inst.result_type()) {
            types.insert(id, ty);
        }
        let image_type = types.get(&inst.word(2)).and_then(|t| rect_types.get(t)).copied();
        let Some(image_type) = image_type else {
            out.push(inst);
            continue;
        };
        use Op::*;
        match inst.op {
            op if is_sample(op) || matches!(op, ImageGather | ImageDrefGather) => {
                let scale = emit_scale(module, image_type, inst.word(2), &mut out);
                let coordinate_type = types.get(&inst.word(3)).copied().unwrap_or(0);
                inst.words[3] = scaled(module, inst.word(3), coordinate_type, scale, &mut out);
                let mask_at = if dref(inst.op) { 5 } else { 4 };
                scale_gradients(module, &mut inst, mask_at, scale, &types, &mut out);
                out.push(inst);
            }
            // Storage images are addressed by texel already.
            ImageQuerySize if !is_storage(module, image_type) => {
                let zero = module.const_int(0);
                out.push(Inst::new(ImageQuerySizeLod, &[inst.word(0), inst.word(1), inst.word(2), zero]));
            }
            _ => out.push(inst),
        }
    }
    out
}

fn is_storage(module: &Module, image_type: u32) -> bool {
    module.globals.iter().any(|g| g.op == Op::TypeImage && g.word(0) == image_type && g.word(6) == 2)
}

/// Opcodes with one more operand (reference value or component) before the image operands.
fn dref(op: Op) -> bool {
    is_comparison(op) || matches!(op, Op::ImageGather | Op::ImageDrefGather)
}

/// `1.0 / vec2(textureSize)`.
fn emit_scale(module: &mut Module, image_type: u32, sampled: u32, out: &mut Vec<Inst>) -> u32 {
    let (int, float) = (module.type_int(), module.type_float());
    let (ivec2, vec2) = (module.type_vector(int, 2), module.type_vector(float, 2));
    let (zero, one) = (module.const_int(0), module.const_float(1.0));
    let ones = module.intern(Op::ConstantComposite, &[vec2, one, one]);
    let image = module.id();
    out.push(Inst::new(Op::Image, &[image_type, image, sampled]));
    let size = module.id();
    out.push(Inst::new(Op::ImageQuerySizeLod, &[ivec2, size, image, zero]));
    let as_float = module.id();
    out.push(Inst::new(Op::ConvertSToF, &[vec2, as_float, size]));
    let scale = module.id();
    out.push(Inst::new(Op::FDiv, &[vec2, scale, ones, as_float]));
    scale
}

/// `value * scale` on the first two components.
fn scaled(module: &mut Module, value: u32, ty: u32, scale: u32, out: &mut Vec<Inst>) -> u32 {
    let float = module.type_float();
    let count = module.globals.iter().find(|g| g.word(0) == ty && g.op == Op::TypeVector).map_or(2, |g| g.word(2));
    let mut factor = scale;
    if count > 2 {
        let one = module.const_float(1.0);
        factor = module.id();
        let mut words = vec![ty, factor, scale];
        words.extend(std::iter::repeat_n(one, count as usize - 2));
        out.push(Inst::new(Op::CompositeConstruct, &words));
    }
    let vec = module.type_vector(float, count);
    let id = module.id();
    out.push(Inst::new(Op::FMul, &[vec, id, value, factor]));
    id
}

fn scale_gradients(
    module: &mut Module,
    inst: &mut Inst,
    mask_at: usize,
    scale: u32,
    types: &HashMap<u32, u32>,
    out: &mut Vec<Inst>,
) {
    let Some(mask) = inst.words.get(mask_at).copied() else { return };
    if mask & 0x4 == 0 {
        return;
    }
    // Image operands follow in mask-bit order: Bias (1), Lod (2), then the two of Grad (4).
    let at = mask_at + 1 + (mask & 0x3).count_ones() as usize;
    for i in [at, at + 1] {
        if let Some(id) = inst.words.get(i).copied() {
            let ty = types.get(&id).copied().unwrap_or(0);
            inst.words[i] = scaled(module, id, ty, scale, out);
        }
    }
}
