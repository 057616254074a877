//! `roundEven` of doubles in arithmetic, for devices whose own is wrong.

use crate::spirv::{Capability, Inst, Module, Op};

/// Numbers of the extended instructions.
const ROUND_EVEN: u32 = 2;
const FLOOR: u32 = 8;

/// Makes every one of them from `floor` (GLSL 4.60 section 8.3).
pub fn lower_double_round_even(words: &[u32]) -> Vec<u32> {
    if !declares_doubles(words) {
        return words.to_vec();
    }
    super::edit(words, |module| {
        let mut rounding: Option<Vec<Rounding>> = None;
        for at in 0..module.functions.len() {
            let is_one = |i: &Inst| i.op == Op::ExtInst && i.word(3) == ROUND_EVEN;
            if !module.functions[at].insts.iter().any(is_one) {
                continue;
            }
            let kinds = rounding.get_or_insert_with(|| Rounding::all(module));
            let insts = std::mem::take(&mut module.functions[at].insts);
            let mut out = Vec::with_capacity(insts.len());
            for inst in insts {
                match kinds.iter().find(|kind| is_one(&inst) && kind.ty == inst.word(0)) {
                    Some(kind) => kind.emit(module, &inst, &mut out),
                    None => out.push(inst),
                }
            }
            module.functions[at].insts = out;
        }
    })
}

/// Looks at the capabilities, which come first: most modules need not be taken apart.
fn declares_doubles(words: &[u32]) -> bool {
    const HEADER: usize = 5;
    const DECLARATION: u32 = 2 << 16 | Op::Capability as u32;
    let declarations = words.get(HEADER..).unwrap_or_default().chunks_exact(2).take_while(|c| c[0] == DECLARATION);
    declarations.into_iter().any(|c| c[1] == Capability::Float64 as u32)
}

/// What it takes for one type.
struct Rounding {
    ty: u32,
    /// As many booleans.
    flags: u32,
    half: u32,
    one: u32,
}

impl Rounding {
    /// Of every type of doubles that there is.
    fn all(module: &mut Module) -> Vec<Rounding> {
        let found = module.globals.iter().find(|g| g.op == Op::TypeFloat && g.word(1) == 64);
        let Some(double) = found.and_then(Inst::result) else { return Vec::new() };
        let flag = module.intern(Op::TypeBool, &[]);
        let constants = [0.5f64, 1.0].map(|value| {
            let bits = value.to_bits();
            module.intern(Op::Constant, &[double, bits as u32, (bits >> 32) as u32])
        });
        let mut all = vec![Rounding { ty: double, flags: flag, half: constants[0], one: constants[1] }];
        let vectors = module.globals.iter().filter(|g| g.op == Op::TypeVector && g.word(1) == double);
        let vectors: Vec<(u32, u32)> = vectors.map(|g| (g.word(0), g.word(2))).collect();
        for (ty, count) in vectors {
            let flags = module.type_vector(flag, count);
            let [half, one] = constants.map(|constant| {
                let parts: Vec<u32> = std::iter::once(ty).chain((0..count).map(|_| constant)).collect();
                module.intern(Op::ConstantComposite, &parts)
            });
            all.push(Rounding { ty, flags, half, one });
        }
        all
    }

    /// The number below, or the next one where that is nearer, or as near and even.
    fn emit(&self, module: &mut Module, inst: &Inst, out: &mut Vec<Inst>) {
        let (ty, flags, set, x) = (self.ty, self.flags, inst.word(2), inst.word(4));
        let mut emit = |op: Op, ty: u32, operands: &[u32]| {
            let id = module.id();
            out.push(Inst::new(op, &[&[ty, id], operands].concat()));
            id
        };
        let below = emit(Op::ExtInst, ty, &[set, FLOOR, x]);
        let rest = emit(Op::FSub, ty, &[x, below]);
        let halved = emit(Op::FMul, ty, &[below, self.half]);
        let whole = emit(Op::ExtInst, ty, &[set, FLOOR, halved]);
        let is_odd = emit(Op::FOrdNotEqual, flags, &[halved, whole]);
        let is_more = emit(Op::FOrdGreaterThan, flags, &[rest, self.half]);
        let is_tie = emit(Op::FOrdEqual, flags, &[rest, self.half]);
        let to_even = emit(Op::LogicalAnd, flags, &[is_tie, is_odd]);
        let is_up = emit(Op::LogicalOr, flags, &[is_more, to_even]);
        let above = emit(Op::FAdd, ty, &[below, self.one]);
        out.push(Inst::new(Op::Select, &[ty, inst.word(1), is_up, above, below]));
    }
}
