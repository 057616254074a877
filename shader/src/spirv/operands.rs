//! Which operand words of an instruction are ids. Covers every opcode the front end emits.

use spirv::Op;

use super::module::Inst;

/// True when the first operand is a result type.
pub(crate) fn has_result_type(op: Op) -> bool {
    use Op::*;
    has_result(op)
        && !matches!(
            op,
            TypeVoid
                | TypeBool
                | TypeInt
                | TypeFloat
                | TypeVector
                | TypeMatrix
                | TypeImage
                | TypeSampler
                | TypeSampledImage
                | TypeArray
                | TypeRuntimeArray
                | TypeStruct
                | TypePointer
                | TypeFunction
                | Label
                | String
                | ExtInstImport
                | DecorationGroup
        )
}

/// True when the opcode defines an id.
pub(crate) fn has_result(op: Op) -> bool {
    use Op::*;
    !matches!(
        op,
        Nop | Name
            | MemberName
            | Source
            | SourceContinued
            | SourceExtension
            | Line
            | NoLine
            | Extension
            | MemoryModel
            | EntryPoint
            | ExecutionMode
            | ExecutionModeId
            | Capability
            | Decorate
            | MemberDecorate
            | GroupDecorate
            | GroupMemberDecorate
            | DecorateId
            | DecorateString
            | MemberDecorateString
            | ModuleProcessed
            | FunctionEnd
            | Store
            | CopyMemory
            | ImageWrite
            | LoopMerge
            | SelectionMerge
            | Branch
            | BranchConditional
            | Switch
            | Kill
            | Return
            | ReturnValue
            | Unreachable
            | EmitVertex
            | EndPrimitive
            | EmitStreamVertex
            | EndStreamPrimitive
            | ControlBarrier
            | MemoryBarrier
            | AtomicStore
            | DemoteToHelperInvocation
            | TerminateInvocation
            | BeginInvocationInterlockEXT
            | EndInvocationInterlockEXT
    )
}

/// True when an image is looked up with filters.
pub(crate) fn is_sample(op: Op) -> bool {
    use Op::*;
    is_comparison(op)
        || matches!(
            op,
            ImageSampleImplicitLod | ImageSampleExplicitLod | ImageSampleProjImplicitLod | ImageSampleProjExplicitLod
        )
}

/// True when such a lookup compares with a reference value.
pub(crate) fn is_comparison(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        ImageSampleDrefImplicitLod
            | ImageSampleDrefExplicitLod
            | ImageSampleProjDrefImplicitLod
            | ImageSampleProjDrefExplicitLod
    )
}

/// Literal operands before the ids end: for operand `k` (counted after the result words), says
/// whether it is an id.
fn is_id(inst: &Inst, start: usize, k: usize) -> bool {
    use Op::*;
    match inst.op {
        Constant | SpecConstant | TypeInt | TypeFloat | ExtInstImport | String | Capability | Extension
        | MemoryModel | Label | Nop | Undef | ConstantTrue | ConstantFalse | ConstantNull | Source
        | SourceContinued | SourceExtension | ModuleProcessed => false,
        TypeVector | TypeMatrix | TypeImage | CompositeExtract | Line | Load | Name | Decorate | MemberName
        | MemberDecorate | DecorateString | MemberDecorateString | ExecutionMode | ArrayLength | SelectionMerge => {
            k < 1
        }
        TypePointer | Variable | Function | SpecConstantOp => k >= 1,
        VectorShuffle | CompositeInsert | CopyMemory | Store | LoopMerge => k < 2,
        BranchConditional => k < 3,
        ExtInst | DecorateId | ExecutionModeId => k != 1,
        Switch => k < 2 || k % 2 == 1,
        ImageSampleImplicitLod
        | ImageSampleExplicitLod
        | ImageSampleProjImplicitLod
        | ImageSampleProjExplicitLod
        | ImageFetch
        | ImageRead
        | ImageSparseSampleImplicitLod
        | ImageSparseSampleExplicitLod
        | ImageSparseFetch
        | ImageSparseRead => k != 2,
        ImageSampleDrefImplicitLod
        | ImageSampleDrefExplicitLod
        | ImageSampleProjDrefImplicitLod
        | ImageSampleProjDrefExplicitLod
        | ImageGather
        | ImageDrefGather
        | ImageWrite
        | ImageSparseGather
        | ImageSparseDrefGather => k != 3,
        EntryPoint => {
            if k < 2 {
                return k == 1;
            }
            // The name string sits between the function id and the interface ids.
            let text = &inst.words[start + 2..];
            let len = text.iter().position(|w| w.to_le_bytes().contains(&0)).map_or(text.len(), |p| p + 1);
            k >= 2 + len
        }
        _ => true,
    }
}

/// Calls `f` for every id operand except the result id; the result type counts as an operand.
pub(crate) fn for_each_id(inst: &Inst, mut f: impl FnMut(u32)) {
    let typed = has_result_type(inst.op);
    if typed && let Some(t) = inst.words.first() {
        f(*t);
    }
    let start = usize::from(has_result(inst.op)) + usize::from(typed);
    for k in 0..inst.words.len().saturating_sub(start) {
        if is_id(inst, start, k) {
            f(inst.words[start + k]);
        }
    }
}

/// Replaces every id of the instruction, its result included, by `f(id)`.
pub(crate) fn map_ids(inst: &mut Inst, f: impl Fn(u32) -> u32) {
    let typed = has_result_type(inst.op);
    let start = usize::from(has_result(inst.op)) + usize::from(typed);
    let ids: smallvec::SmallVec<[bool; 16]> =
        (0..inst.words.len()).map(|i| i < start || is_id(inst, start, i - start)).collect();
    for (w, id) in inst.words.iter_mut().zip(ids) {
        if id {
            *w = f(*w);
        }
    }
}
