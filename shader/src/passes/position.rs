//! From GL's clip volume to Vulkan's, in the last pre-rasterisation stage: depth from [-w, w] to
//! [0, w] (GL 4.6 core section 13.8 against the Vulkan specification, "Primitive clipping"), and
//! optionally upside down.

use crate::spirv::{BuiltIn, Inst, Module, Op, StorageClass};

/// What to do to `gl_Position`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PositionOptions {
    /// Negate y.
    pub flip_y: bool,
    /// `z = (z + w) / 2`; leave off where depth-clip-control does it.
    pub depth_to_zero_one: bool,
}

/// Applies the epilogue before each return of a vertex shader, or each emitted vertex of a geometry
/// shader. Captured positions keep GL's values: the linker captures through a copy made earlier.
pub fn lower_position(words: &[u32], options: PositionOptions) -> Vec<u32> {
    if options == PositionOptions::default() {
        return words.to_vec();
    }
    super::edit(words, |module| run(module, options))
}

fn run(module: &mut Module, options: PositionOptions) {
    let Some(position) = module.find_built_in(BuiltIn::Position, StorageClass::Output) else { return };
    let float = module.type_float();
    let pointer = module.type_pointer(StorageClass::Output, float);
    let [y, z, w] = [1, 2, 3].map(|i| module.const_int(i));
    let half = module.const_float(0.5);
    module.insert_before_vertex_end(|module, out| {
        let mut load = |module: &mut Module, index: u32| {
            let chain = module.id();
            out.push(Inst::new(Op::AccessChain, &[pointer, chain, position, index]));
            let value = module.id();
            out.push(Inst::new(Op::Load, &[float, value, chain]));
            (chain, value)
        };
        let (y_chain, y_value) = load(module, y);
        let (z_chain, z_value) = load(module, z);
        let (_, w_value) = load(module, w);
        if options.flip_y {
            let negated = module.id();
            out.push(Inst::new(Op::FNegate, &[float, negated, y_value]));
            out.push(Inst::new(Op::Store, &[y_chain, negated]));
        }
        if options.depth_to_zero_one {
            let (sum, halved) = (module.id(), module.id());
            out.push(Inst::new(Op::FAdd, &[float, sum, z_value, w_value]));
            out.push(Inst::new(Op::FMul, &[float, halved, sum, half]));
            out.push(Inst::new(Op::Store, &[z_chain, halved]));
        }
    });
}
