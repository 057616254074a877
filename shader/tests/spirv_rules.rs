//! Rules and bounds of SPIR-V modules, one by one: what keeps to them links to something valid, what does not is refused.

// Not all of it is wanted here.
#[allow(dead_code)]
mod modules;

use std::sync::Arc;
use std::time::{Duration, Instant};

use gallite_shader::{CompiledShader, SpirvModule, Stage};
use modules::{assemble, disassemble, faults, instructions, linked, special};

/// More than large modules take on a machine with other things to do, assembler and validator included; what is quadratic
/// takes minutes.
const LONG: Duration = Duration::from_secs(60);

/// A module of one entry point in assembly. What is declared begins with modes and decorations.
fn stage_text(model: &str, listed: &str, declarations: &str, body: &str, functions: &str) -> String {
    let capabilities = match model {
        "Geometry" => "OpCapability Geometry\n",
        "Vertex" => "OpCapability ClipDistance\nOpCapability CullDistance\n",
        _ => "",
    };
    format!(
        "OpCapability Shader
{capabilities}OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main \"main\" {listed}
{declarations}
%main = OpFunction %void None %signature
%begin = OpLabel
{body}
OpReturn
OpFunctionEnd
{functions}
"
    )
}

/// Types and constants that most modules here have.
const COMMON: &str = "%void = OpTypeVoid
%signature = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%vec4 = OpTypeVector %float 4
%none = OpConstantNull %vec4
%half = OpConstant %float 0.5
%n0 = OpConstant %uint 0
%n1 = OpConstant %uint 1
%n2 = OpConstant %uint 2
%n4 = OpConstant %uint 4
%n8 = OpConstant %uint 8
%n66 = OpConstant %uint 66
";

fn vertex(listed: &str, decorations: &str, globals: &str, body: &str) -> CompiledShader {
    let declarations = format!("{decorations}\n{COMMON}{globals}");
    special(Stage::Vertex, &assemble(&stage_text("Vertex", listed, &declarations, body, "")), &[])
}

fn compute(decorations: &str, globals: &str, body: &str, functions: &str) -> CompiledShader {
    let declarations = format!("OpExecutionMode %main LocalSize 1 1 1\n{decorations}\n{COMMON}{globals}");
    special(Stage::Compute, &assemble(&stage_text("GLCompute", "", &declarations, body, functions)), &[])
}

fn times(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

/// The stages of what links, all of them valid.
#[track_caller]
fn valid(shader: CompiledShader) -> Vec<Arc<[u32]>> {
    let log = shader.log.clone();
    let result = linked(&[shader], true);
    let program = result.program.unwrap_or_else(|| panic!("{log}{}", result.log));
    assert_eq!(faults(&program), [""; 0]);
    program.stages.iter().flatten().cloned().collect()
}

#[track_caller]
fn refused(shader: CompiledShader, why: &str) {
    let log = if shader.ok { linked(&[shader], true).log } else { shader.log };
    assert!(log.contains(why), "{log}");
}

/// A storage block of one array.
fn buffer(length: usize, body: &str) -> CompiledShader {
    let decorations = "OpDecorate %list ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block BufferBlock
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0";
    let globals = format!(
        "%length = OpConstant %uint {length}
%list = OpTypeArray %uint %length
%block = OpTypeStruct %list
%whole = OpTypePointer Uniform %block
%lists = OpTypePointer Uniform %list
%numbers = OpTypePointer Uniform %uint
%buffer = OpVariable %whole Uniform"
    );
    compute(decorations, &globals, body, "")
}

/// A load of a large array in a block takes an instruction for each of its elements.
#[test]
fn blocks_move_as_a_whole_within_bounds() {
    let loads = |length, count| {
        let one = |i| format!("%value{i} = OpLoad %list %at\nOpStore %at %value{i}\n");
        buffer(length, &format!("%at = OpAccessChain %lists %buffer %n0\n{}", times(count, one)))
    };
    let began = Instant::now();
    let most = linked(&[loads(65_532, 1)], true);
    assert!(most.program.is_some(), "{}", most.log);
    valid(loads(2000, 2));
    refused(loads(60_000, 20), "come to more than");
    refused(loads(65_536, 1), "as a whole");
    assert!(began.elapsed() < LONG, "{:?}", began.elapsed());
}

#[test]
fn calls_are_bounded() {
    let called = |count: usize, calls: usize, all: bool| {
        let call = |name: String, of: usize| format!("%{name} = OpFunctionCall %void %f{of}\n");
        let function = |i: usize| {
            let calls = if i == 0 { 0 } else { calls };
            let calls = times(calls, |c| call(format!("c{i}n{c}"), i - 1));
            format!("%f{i} = OpFunction %void None %signature\n%l{i} = OpLabel\n{calls}OpReturn\nOpFunctionEnd\n")
        };
        let from = if all { 0 } else { count - 1 };
        let body: String = (from..count).map(|i| call(format!("m{i}"), i)).collect();
        compute("", "", &body, &times(count, function))
    };
    valid(called(100, 1, true));
    valid(called(10, 2, false));
    // Each function is called once before, so that no walk over them is ever deep.
    refused(called(2000, 1, true), "too deeply");
    refused(called(60, 2, false), "instructions");
}

/// Members of blocks are listed, each with its name.
#[test]
fn members_of_blocks_are_bounded() {
    let blocks = |types: usize, variables: usize| {
        let of_type = |i| {
            format!(
                "OpMemberDecorate %block{i} 0 Offset 0\nOpMemberDecorate %block{i} 1 Offset {}\nOpDecorate %block{i} Block\n",
                960_000 + 16 * i
            )
        };
        let of_variable = |i| format!("OpDecorate %v{i} DescriptorSet 0\nOpDecorate %v{i} Binding {i}\n");
        let decorations = "OpMemberDecorate %part 0 Offset 0\nOpDecorate %list ArrayStride 16\n".to_owned();
        let globals = format!(
            "%length = OpConstant %uint 60000\n%part = OpTypeStruct %uint\n%list = OpTypeArray %part %length\n\
             %numbers = OpTypePointer Uniform %uint\n{}{}",
            times(types, |i| format!(
                "%block{i} = OpTypeStruct %list %uint\n%whole{i} = OpTypePointer Uniform %block{i}\n"
            )),
            times(variables, |i| format!("%v{i} = OpVariable %whole{} Uniform\n", i % types)),
        );
        let load = |i| format!("%a{i} = OpAccessChain %numbers %v{i} %n1\n%x{i} = OpLoad %uint %a{i}\n");
        let decorations = decorations + &times(types, of_type) + &times(variables, of_variable);
        compute(&decorations, &globals, &times(variables, load), "")
    };
    let began = Instant::now();
    assert!(blocks(1, 10).ok, "{}", blocks(1, 10).log);
    refused(blocks(5, 5), "members in all");
    refused(blocks(1, 500), "uniform blocks");
    assert!(began.elapsed() < LONG, "{:?}", began.elapsed());
}

/// Words of a module's header and of instructions.
fn words(bound: u32, insts: impl IntoIterator<Item = (u32, Vec<u32>)>) -> Vec<u32> {
    let mut out = vec![0x0723_0203, 0x0001_0000, 0, bound, 0];
    for (op, operands) in insts {
        out.push((operands.len() as u32 + 1) << 16 | op);
        out.extend(operands);
    }
    out
}

/// What is looked for many times is not looked for everywhere.
#[test]
fn large_modules_take_no_longer_than_they_are() {
    const DECORATE: u32 = 71;
    const GROUP: u32 = 73;
    const GROUP_DECORATE: u32 = 74;
    const COHERENT: u32 = 23;
    const SPEC_ID: u32 = 1;
    let began = Instant::now();
    let decorations = (1..200_000).map(|id| (DECORATE, vec![id, COHERENT]));
    let groups = (200_000..600_000).map(|id| (GROUP, vec![id]));
    assert!(!special(Stage::Vertex, &words(600_000, decorations.chain(groups)), &[]).ok);
    // Members of a group have no decoration that goes on, so that none is counted.
    let members = (0..100_000).map(|m| (72, vec![1, m, COHERENT]));
    let groups = std::iter::once((GROUP, vec![1]));
    let targets = (0..100).map(|_| (GROUP_DECORATE, (0..10_000).map(|i| if i == 0 { 1 } else { 2 }).collect()));
    assert!(!special(Stage::Vertex, &words(3, members.chain(groups).chain(targets)), &[]).ok);
    let numbers = (1..300_000).map(|id| (DECORATE, vec![id, SPEC_ID, id]));
    let all: Vec<u8> = words(300_000, numbers).iter().flat_map(|w| w.to_ne_bytes()).collect();
    let module = SpirvModule::read(&all).unwrap();
    assert!((1..300_000).all(|n| module.has_constant(n)) && !module.has_constant(0));
    // Chains into a block of outputs, and as many constants.
    let globals = "%block = OpTypeStruct %vec4
%whole = OpTypePointer Output %block
%part = OpTypePointer Output %vec4
%out = OpVariable %whole Output
";
    let numbers = times(60_000, |i| format!("%k{i} = OpConstant %uint {}\n", 100 + i));
    let chains = times(60_000, |i| format!("%c{i} = OpAccessChain %part %out %zero\nOpStore %c{i} %none\n"));
    let globals = format!("{numbers}%zero = OpConstant %uint 0\n{globals}");
    let shader =
        vertex("%out", "OpDecorate %block Block\nOpMemberDecorate %block 0 BuiltIn Position", &globals, &chains);
    assert!(shader.ok, "{}", shader.log);
    let uniforms = "%pointer = OpTypePointer UniformConstant %float\n".to_owned()
        + &times(50_000, |i| format!("%u{i} = OpVariable %pointer UniformConstant\n"));
    let loads = times(50_000, |i| format!("%x{i} = OpLoad %float %u{i}\n"));
    refused(vertex("", "", &uniforms, &loads), "uniforms, blocks, inputs and outputs");
    assert!(began.elapsed() < LONG, "{:?}", began.elapsed());
}

/// Vulkan's VUID-StandaloneSpirv-None-07321, and SPIR-V 1.0 section 3.32.18 on semantics of what is unequal.
#[test]
fn scopes_of_memory_fit_the_stage() {
    for (scope, barriers) in [("%n2", 1), ("%n1", 1), ("%n4", 0)] {
        let stages = valid(vertex("", "", "", &format!("OpMemoryBarrier {scope} %n66\n")));
        assert_eq!(disassemble(&stages[0]).matches("OpMemoryBarrier").count(), barriers, "{scope}");
    }
    let exchange = "%at = OpAccessChain %numbers %buffer %n0 %n1
%old = OpAtomicCompareExchange %uint %at %n1 %n0 %n66 %n1 %n2";
    let stages = valid(buffer(4, exchange));
    let words = &stages[0];
    let inst = instructions(words).into_iter().find(|at| words[*at] & 0xffff == 230).expect("it is there");
    assert_eq!(words[inst + 5], words[inst + 6], "{}", disassemble(words));
}

/// Vulkan's VUID-StandaloneSpirv-Location-04915 and -OpEntryPoint-09658, GLSL 4.60 section 4.4.2.1.
#[test]
fn built_in_variables_stand_alone() {
    let index = |decorations: &str| {
        let globals = "%in = OpTypePointer Input %uint\n%id = OpVariable %in Input\n%again = OpVariable %in Input";
        let decorations = format!("OpDecorate %id BuiltIn VertexId\n{decorations}");
        vertex("%id %again", &decorations, globals, "%x = OpLoad %uint %id")
    };
    assert!(index("OpDecorate %again Location 0").ok);
    refused(index("OpDecorate %id Location 1\nOpDecorate %again Location 0"), "has a location");
    refused(index("OpDecorate %again BuiltIn VertexId"), "declared twice");
    let block = |decorations: &str| {
        let globals = "%block = OpTypeStruct %vec4 %vec4
%whole = OpTypePointer Output %block
%part = OpTypePointer Output %vec4
%out = OpVariable %whole Output";
        let decorations = format!("OpDecorate %block Block\n{decorations}");
        vertex("%out", &decorations, globals, "%at = OpAccessChain %part %out %n0\nOpStore %at %none")
    };
    let placed = "OpMemberDecorate %block 0 Location 0\nOpMemberDecorate %block 1 Location 1\n";
    valid(block(placed));
    refused(block(&format!("{placed}OpMemberDecorate %block 0 Stream 9")), "vertex stream");
    refused(block(&format!("{placed}OpDecorate %out Component 3")), "component");
    let position = "OpMemberDecorate %block 0 BuiltIn Position\nOpMemberDecorate %block 1 BuiltIn Position\n";
    refused(block(position), "declared twice");
}

/// GLSL 4.60 section 7.1: clip and cull distances share a limit.
#[test]
fn distances_are_counted() {
    let distances = |count: &str| {
        let decorations = "OpDecorate %clip BuiltIn ClipDistance\nOpDecorate %cull BuiltIn CullDistance";
        let globals = format!(
            "%list = OpTypeArray %float {count}
%lists = OpTypePointer Output %list
%part = OpTypePointer Output %float
%clip = OpVariable %lists Output
%cull = OpVariable %lists Output"
        );
        let body = "%a = OpAccessChain %part %clip %n0
OpStore %a %half
%b = OpAccessChain %part %cull %n0
OpStore %b %half";
        vertex("%clip %cull", decorations, &globals, body)
    };
    valid(distances("%n4"));
    refused(distances("%n8"), "too many");
}

/// Vulkan's VUID-StandaloneSpirv-OpEntryPoint-08722: outputs of a separable stage lie where they say, but not twice.
#[test]
fn outputs_do_not_overlap() {
    let globals = "%wide = OpTypePointer Output %vec4
%narrow = OpTypePointer Output %float
%a = OpVariable %wide Output
%b = OpVariable %narrow Output";
    let decorations = "OpDecorate %a Location 0\nOpDecorate %b Location 0\nOpDecorate %b Component 1";
    valid(vertex("%a %b", decorations, globals, "OpStore %a %none\nOpStore %b %half"));
    let globals = "%one = OpTypeStruct %vec4 %vec4
%two = OpTypeStruct %vec4 %float
%ones = OpTypePointer Output %one
%twos = OpTypePointer Output %two
%wide = OpTypePointer Output %vec4
%narrow = OpTypePointer Output %float
%a = OpVariable %ones Output
%b = OpVariable %twos Output";
    let decorations = "OpDecorate %one Block
OpDecorate %two Block
OpDecorate %a Location 0
OpMemberDecorate %two 0 Location 2
OpMemberDecorate %two 1 Location 1
OpMemberDecorate %two 1 Component 2";
    let body = "%p = OpAccessChain %wide %a %n1
%q = OpAccessChain %narrow %b %n1
OpStore %p %none
OpStore %q %half";
    valid(vertex("%a %b", decorations, globals, body));
}

/// Vulkan asks for a feature that OpenGL's language has in an extension.
#[test]
fn atomic_operations_on_floats_are_an_extension() {
    let globals = "%shared = OpTypePointer Workgroup %float\n%at = OpVariable %shared Workgroup";
    let body = "%old = OpAtomicExchange %float %at %n1 %n0 %half";
    refused(compute("", globals, body, ""), "AtomicExchange");
}

/// SPIR-V 1.0 section 2.8: pointers are not among the types that are declared once.
#[test]
fn pointers_may_be_declared_twice() {
    let globals = "%first = OpTypePointer Output %vec4
%second = OpTypePointer Output %vec4
%one = OpVariable %first Output
%two = OpVariable %second Output";
    let decorations = "OpDecorate %one Location 0\nOpDecorate %two Location 1";
    valid(vertex("%one %two", decorations, globals, "OpStore %one %none\nOpStore %two %none"));
}

/// SPIR-V 1.0 section 3.14: an offset is a constant, which what is undefined is not.
#[test]
fn offsets_are_known() {
    let looked_up = |offset: &str| {
        let declarations = format!(
            "OpExecutionMode %main OriginUpperLeft
OpDecorate %out Location 0
OpDecorate %sampler DescriptorSet 0
OpDecorate %sampler Binding 0
{COMMON}%int = OpTypeInt 32 1
%vec2 = OpTypeVector %float 2
%ivec2 = OpTypeVector %int 2
%middle = OpConstantComposite %vec2 %half %half
%i0 = OpConstant %int 0
%nothing = OpUndef %int
%offset = {offset}
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%samplers = OpTypePointer UniformConstant %sampled
%outs = OpTypePointer Output %vec4
%sampler = OpVariable %samplers UniformConstant
%out = OpVariable %outs Output"
        );
        let body = "%s = OpLoad %sampled %sampler
%x = OpImageSampleImplicitLod %vec4 %s %middle ConstOffset %offset
OpStore %out %x";
        special(Stage::Fragment, &assemble(&stage_text("Fragment", "%out", &declarations, body, "")), &[])
    };
    valid(looked_up("OpConstantComposite %ivec2 %i0 %i0"));
    refused(looked_up("OpUndef %ivec2"), "ImageSampleImplicitLod");
    refused(looked_up("OpConstantComposite %ivec2 %i0 %nothing"), "ImageSampleImplicitLod");
}
