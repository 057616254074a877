//! Turns the vertical direction of everything a fragment shader can see of its position. Needed
//! when the image being rendered has its rows the other way round than the shader assumes: a
//! window surface, or `origin_upper_left` in an ordinary image (not both).

use super::push_constant::{Source, emit};
use crate::spirv::{BuiltIn, Inst, Module, Op, StorageClass};

/// Which values to turn, each as `scale * y + bias` where both come from a [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlipOptions {
    /// `gl_FragCoord.y`: scale and bias; (-1, height) turns it.
    pub frag_coord: Option<Source<2>>,
    /// `gl_PointCoord.y`: scale and bias; (-1, 1) turns it.
    pub point_coord: Option<Source<2>>,
    /// `gl_SamplePosition.y`: scale and bias; (-1, 1) turns it.
    pub sample_position: Option<Source<2>>,
    /// `gl_FragCoord.xy` is the centre of its pixel, wherever in it the shader runs.
    pub centred_frag_coord: bool,
    /// Factor of `dFdy` results and interpolation offsets; -1 turns them.
    pub derivatives: Option<Source<1>>,
}

/// Applies the pass to a fragment stage.
pub fn flip_fragment(words: &[u32], options: FlipOptions) -> Vec<u32> {
    if options == FlipOptions::default() {
        return words.to_vec();
    }
    super::edit(words, |module| {
        // Derivatives first: their code must not see copies made below twice.
        if let Some(factor) = options.derivatives {
            flip_derivatives(module, factor);
        }
        flip_input(module, BuiltIn::FragCoord, 4, options.frag_coord);
        // What is changed last comes first in the code.
        if options.centred_frag_coord {
            centre_frag_coord(module);
        }
        flip_input(module, BuiltIn::PointCoord, 2, options.point_coord);
        flip_input(module, BuiltIn::SamplePosition, 2, options.sample_position);
    })
}

fn flip_input(module: &mut Module, what: BuiltIn, components: u32, source: Option<Source<2>>) {
    let (Some(source), Some(variable)) = (source, module.find_built_in(what, StorageClass::Input)) else { return };
    let float = module.type_float();
    let ty = module.type_vector(float, components);
    module.replace_input(variable, ty, |module, value, out| {
        let pair = emit(module, source, out);
        let [y, scale, bias, scaled, sum, changed] = [(); 6].map(|()| module.id());
        out.push(Inst::new(Op::CompositeExtract, &[float, y, value, 1]));
        out.push(Inst::new(Op::CompositeExtract, &[float, scale, pair, 0]));
        out.push(Inst::new(Op::CompositeExtract, &[float, bias, pair, 1]));
        out.push(Inst::new(Op::FMul, &[float, scaled, y, scale]));
        out.push(Inst::new(Op::FAdd, &[float, sum, scaled, bias]));
        out.push(Inst::new(Op::CompositeInsert, &[ty, changed, sum, value, 1]));
        changed
    });
}

/// Coordinates are not negative, so that cutting their fractions off rounds down.
fn centre_frag_coord(module: &mut Module) {
    let Some(variable) = module.find_built_in(BuiltIn::FragCoord, StorageClass::Input) else { return };
    let (float, int) = (module.type_float(), module.type_int());
    let ty = module.type_vector(float, 4);
    let half = module.const_float(0.5);
    module.replace_input(variable, ty, |module, value, out| {
        (0..2).fold(value, |value, axis| {
            let [given, whole, floor, centre, changed] = [(); 5].map(|()| module.id());
            out.push(Inst::new(Op::CompositeExtract, &[float, given, value, axis]));
            out.push(Inst::new(Op::ConvertFToS, &[int, whole, given]));
            out.push(Inst::new(Op::ConvertSToF, &[float, floor, whole]));
            out.push(Inst::new(Op::FAdd, &[float, centre, floor, half]));
            out.push(Inst::new(Op::CompositeInsert, &[ty, changed, centre, value, axis]));
            changed
        })
    });
}

/// Number of GLSL.std.450 InterpolateAtOffset.
const INTERPOLATE_AT_OFFSET: u32 = 78;

fn flip_derivatives(module: &mut Module, factor: Source<1>) {
    let float = module.type_float();
    for f in 0..module.functions.len() {
        let insts = std::mem::take(&mut module.functions[f].insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut inst in insts {
            if matches!(inst.op, Op::DPdy | Op::DPdyFine | Op::DPdyCoarse) {
                let (ty, result) = (inst.word(0), inst.word(1));
                let raw = module.id();
                inst.words[1] = raw;
                out.push(inst);
                let factor = emit(module, factor, &mut out);
                let multiply = if ty == float { Op::FMul } else { Op::VectorTimesScalar };
                out.push(Inst::new(multiply, &[ty, result, raw, factor]));
            } else if inst.op == Op::ExtInst && inst.word(3) == INTERPOLATE_AT_OFFSET {
                let vec2 = module.type_vector(float, 2);
                let factor = emit(module, factor, &mut out);
                let offset = inst.word(5);
                let [y, scaled, changed] = [(); 3].map(|()| module.id());
                out.push(Inst::new(Op::CompositeExtract, &[float, y, offset, 1]));
                out.push(Inst::new(Op::FMul, &[float, scaled, y, factor]));
                out.push(Inst::new(Op::CompositeInsert, &[vec2, changed, scaled, offset, 1]));
                inst.words[5] = changed;
                out.push(inst);
            } else {
                out.push(inst);
            }
        }
        module.functions[f].insts = out;
    }
}
