//! `gl_BaseVertex` and `gl_DrawID` as GL has them (GL 4.6 core section 11.1.3.9): Vulkan's BaseVertex is the first
//! vertex where there are no indices, and its DrawIndex counts within one command of the device.

use super::push_constant;
use crate::spirv::{BuiltIn, Inst, Op, StorageClass};

/// Byte offsets in the push constants of two integers that the driver sets for each draw.
#[derive(Clone, Copy, Debug)]
pub struct DrawValues {
    /// All ones for draws with indices, else 0.
    pub indexed: u32,
    /// Number of the draw that the device counts as 0.
    pub draw_id: u32,
}

/// Corrects the draw parameters that a vertex stage reads.
pub fn correct_draw_parameters(words: &[u32], values: DrawValues) -> Vec<u32> {
    super::edit(words, |module| {
        for (built_in, op, offset) in
            [(BuiltIn::BaseVertex, Op::BitwiseAnd, values.indexed), (BuiltIn::DrawIndex, Op::IAdd, values.draw_id)]
        {
            let Some(input) = module.find_built_in(built_in, StorageClass::Input) else { continue };
            let int = module.type_int();
            module.replace_input(input, int, |module, value, out| {
                let given = push_constant::load(module, int, offset, out);
                let id = module.id();
                out.push(Inst::new(op, &[int, id, value, given]));
                id
            });
        }
    })
}
