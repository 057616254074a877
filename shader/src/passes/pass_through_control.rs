//! The control stage of a program that has an evaluation stage alone: vertices go through as they are and the levels are
//! the default ones (GL 4.6 core section 11.2.2). Vulkan has no such fixed function.

use super::push_constant::{Source, emit};
use crate::spirv::{
    BuiltIn, Decoration, ExecutionMode, ExecutionModel, Function, Inst, Module, Op, StorageClass, encode_string,
};

/// Where the default levels are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DefaultLevels {
    /// The outer levels.
    pub outer: Source<4>,
    /// The inner levels.
    pub inner: Source<2>,
}

/// Makes the control stage for an evaluation stage and patches of `vertices`. Words that are no module give none.
pub fn pass_through_control(evaluation: &[u32], vertices: u32, levels: DefaultLevels) -> Option<Vec<u32>> {
    let mut module = Module::parse(evaluation)?;
    let inputs = vertex_inputs(&module);
    strip(&mut module, &inputs);
    let int = module.type_int();
    let invocation = module.add_variable(StorageClass::Input, int);
    module.decorate(invocation, Decoration::BuiltIn, &[BuiltIn::InvocationId as u32]);
    let outer = add_levels(&mut module, BuiltIn::TessLevelOuter, 4);
    let inner = add_levels(&mut module, BuiltIn::TessLevelInner, 2);

    let mut code = Vec::new();
    let index = module.id();
    code.push(Inst::new(Op::Load, &[int, index, invocation]));
    for input in &inputs {
        let output = add_output(&mut module, input, vertices);
        let pointer = module.type_pointer(StorageClass::Input, input.element);
        let (from, value, to) = (module.id(), module.id(), module.id());
        code.push(Inst::new(Op::AccessChain, &[pointer, from, input.variable, index]));
        code.push(Inst::new(Op::Load, &[input.element, value, from]));
        let pointer = module.type_pointer(StorageClass::Output, input.element);
        code.push(Inst::new(Op::AccessChain, &[pointer, to, output, index]));
        code.push(Inst::new(Op::Store, &[to, value]));
    }
    store_levels(&mut module, outer, levels.outer, &mut code);
    store_levels(&mut module, inner, levels.inner, &mut code);
    add_main(&mut module, code, vertices);
    module.prune();
    Some(module.words())
}

/// An input with an element for each vertex.
struct VertexInput {
    variable: u32,
    /// Type of an element.
    element: u32,
}

/// The inputs that a vertex stage feeds.
fn vertex_inputs(module: &Module) -> Vec<VertexInput> {
    let inputs = module.variables().into_iter().filter(|v| v.3 == StorageClass::Input as u32);
    inputs
        .filter(|v| module.decoration(v.2, Decoration::Patch).is_none())
        .filter(|v| match module.built_in(v.2) {
            Some(BuiltIn::Position | BuiltIn::PointSize | BuiltIn::ClipDistance | BuiltIn::CullDistance) | None => true,
            Some(_) => false,
        })
        .filter_map(|(_, pointer, variable, _)| {
            let array = module.global(module.global(pointer)?.word(2)).filter(|a| a.op == Op::TypeArray)?;
            Some(VertexInput { variable, element: array.word(1) })
        })
        .collect()
}

/// Leaves types, constants and the inputs.
fn strip(module: &mut Module, inputs: &[VertexInput]) {
    let kept = |id: u32| inputs.iter().any(|i| i.variable == id);
    let gone: Vec<u32> = module.variables().into_iter().map(|v| v.2).filter(|id| !kept(*id)).collect();
    module.globals.retain(|g| g.op != Op::Variable || kept(g.word(1)));
    module.annotations.retain(|a| !gone.contains(&a.word(0)));
    module.functions.clear();
    module.execution_modes.clear();
    module.entry_points.clear();
    module.names.clear();
}

/// The output an input goes to: an array over the vertices of the patch, placed alike.
fn add_output(module: &mut Module, input: &VertexInput, vertices: u32) -> u32 {
    let ty = module.type_array(input.element, vertices);
    let output = module.add_variable(StorageClass::Output, ty);
    for what in [Decoration::Location, Decoration::Component, Decoration::BuiltIn] {
        if let Some(value) = module.decoration(input.variable, what) {
            module.decorate(output, what, &[value]);
        }
    }
    output
}

fn add_levels(module: &mut Module, what: BuiltIn, count: u32) -> u32 {
    let float = module.type_float();
    let ty = module.type_array(float, count);
    let variable = module.add_variable(StorageClass::Output, ty);
    module.decorate(variable, Decoration::BuiltIn, &[what as u32]);
    module.decorate(variable, Decoration::Patch, &[]);
    variable
}

fn store_levels<const N: usize>(module: &mut Module, variable: u32, levels: Source<N>, code: &mut Vec<Inst>) {
    let vector = emit(module, levels, code);
    let float = module.type_float();
    let pointer = module.type_pointer(StorageClass::Output, float);
    for i in 0..N as u32 {
        let (value, to) = (module.id(), module.id());
        code.push(Inst::new(Op::CompositeExtract, &[float, value, vector, i]));
        let index = module.const_int(i as i32);
        code.push(Inst::new(Op::AccessChain, &[pointer, to, variable, index]));
        code.push(Inst::new(Op::Store, &[to, value]));
    }
}

fn add_main(module: &mut Module, code: Vec<Inst>, vertices: u32) {
    let void = module.intern(Op::TypeVoid, &[]);
    let ty = module.intern(Op::TypeFunction, &[void]);
    let (main, label) = (module.id(), module.id());
    let mut insts = vec![Inst::new(Op::Function, &[void, main, 0, ty]), Inst::new(Op::Label, &[label])];
    insts.extend(code);
    insts.extend([Inst::new(Op::Return, &[]), Inst::new(Op::FunctionEnd, &[])]);
    module.functions.push(Function { insts });
    let mut entry = Inst::new(Op::EntryPoint, &[ExecutionModel::TessellationControl as u32, main]);
    entry.words.extend(encode_string("main"));
    module.entry_points.push(entry);
    module.execution_modes.push(Inst::new(Op::ExecutionMode, &[main, ExecutionMode::OutputVertices as u32, vertices]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CompileOptions, LinkInput, Stage, compile, link};

    const VERTEX: &str = "#version 430
        out vec2 a; out dvec3 b[2];
        void main() { a = vec2(1.0); b[0] = b[1] = dvec3(2.0); gl_Position = vec4(a, 0.0, 1.0); }";
    const EVALUATION: &str = "#version 430
        layout(triangles) in; in vec2 a[]; in dvec3 b[][2];
        void main() { gl_Position = gl_in[1].gl_Position + vec4(a[0], b[2][1].xy); }";

    /// Each vertex input has an output of the same place, the levels are there, and nothing of the evaluation stage.
    #[test]
    fn inputs_become_outputs() {
        let limits = crate::Limits { max_glsl_version: 430, ..crate::Limits::default() };
        let options = CompileOptions { limits: limits.into(), ..CompileOptions::default() };
        let stages = [(Stage::Vertex, VERTEX), (Stage::TessEvaluation, EVALUATION)];
        let shaders = stages.map(|(stage, text)| compile(stage, text, &options));
        let linked = link(&LinkInput { shaders: &shaders, ..LinkInput::default() });
        let program = linked.program.unwrap_or_else(|| panic!("{}{}", shaders[1].log, linked.log));
        let evaluation = program.stages[Stage::TessEvaluation.index()].clone().unwrap_or_default();
        let levels =
            DefaultLevels { outer: Source::PushConstant { offset: 16 }, inner: Source::PushConstant { offset: 32 } };
        let words = pass_through_control(&evaluation, 5, levels).unwrap_or_default();
        let module = Module::parse(&words).unwrap_or_default();
        let places = |class: StorageClass| {
            let ids = module.variables().into_iter().filter(|v| v.3 == class as u32).map(|v| v.2);
            let mut places: Vec<_> =
                ids.map(|id| (module.decoration(id, Decoration::Location), module.built_in(id))).collect();
            places.retain(|p| p.0.is_some() || p.1 == Some(BuiltIn::Position));
            places.sort_by_key(|p| p.0);
            places
        };
        assert_eq!(places(StorageClass::Input).len(), 3);
        assert_eq!(places(StorageClass::Input), places(StorageClass::Output));
        assert!(module.find_built_in(BuiltIn::TessLevelInner, StorageClass::Output).is_some());
        assert_eq!(module.functions.len(), 1);
        assert_eq!(module.execution_modes.len(), 1);
        assert_eq!(pass_through_control(&[1, 2, 3], 5, levels), None);
    }
}
