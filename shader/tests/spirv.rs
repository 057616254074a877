//! Modules of SPIR-V that programs hand in: valid ones link to valid ones, and all others end in a log.

// Its generator of numbers is wanted, not what it does to texts.
#[allow(dead_code)]
mod mutate;
// Not all of it is wanted here.
#[allow(dead_code)]
mod modules;

use std::path::{Path, PathBuf};
use std::time::Instant;

use gallite_shader::{CompiledShader, LinkResult, Stage};
use modules::{MOST_TIME, assemble, disassemble, faults, instructions, linked, special};
use mutate::Random;

/// Whole stages in assembly, between them most of what shaders have.
const MODULES: &[(Stage, &str)] = &[
    (Stage::Vertex, include_str!("spirv/blocks.vert.spvasm")),
    (Stage::Fragment, include_str!("spirv/flow.frag.spvasm")),
    (Stage::Fragment, include_str!("spirv/lookups.frag.spvasm")),
    (Stage::Geometry, include_str!("spirv/emit.geom.spvasm")),
    (Stage::TessControl, include_str!("spirv/patch.tesc.spvasm")),
    (Stage::TessEvaluation, include_str!("spirv/patch.tese.spvasm")),
    (Stage::Compute, include_str!("spirv/memory.comp.spvasm")),
];

#[test]
fn whole_modules_link_to_valid_ones() {
    for (stage, text) in MODULES {
        let words = assemble(text);
        let shader = special(*stage, &words, &[]);
        assert!(shader.ok, "{}: {}", stage.name(), shader.log);
        let result = linked(&[shader], true);
        let program = result.program.unwrap_or_else(|| panic!("{}: {}", stage.name(), result.log));
        let shown = || program.stages.iter().flatten().map(|words| disassemble(words)).collect::<String>();
        let faults = faults(&program);
        assert!(faults.is_empty(), "{}: {}\n{}", stage.name(), faults.join("\n"), shown());
    }
}

/// GL 4.6 core 7.4.2: stages meet by location, however each interpolates.
#[test]
fn stages_meet_by_location() {
    let both = [
        special(Stage::Vertex, &assemble(MODULES[0].1), &[(4, 2)]),
        special(Stage::Fragment, &assemble(MODULES[1].1), &[(1, 0), (3, 6)]),
    ];
    let result = linked(&both, false);
    let program = result.program.unwrap_or_else(|| panic!("{}{}{}", both[0].log, both[1].log, result.log));
    assert_eq!(faults(&program), [""; 0]);
}

/// A vertex shader with an output of a type, and what its function does with it.
fn with_output(declarations: &str, body: &str) -> CompiledShader {
    let text = format!(
        "OpCapability Shader
OpCapability Float64
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main \"main\" %out
{declarations}
%void = OpTypeVoid
%signature = OpTypeFunction %void
%main = OpFunction %void None %signature
%begin = OpLabel
{body}
OpReturn
OpFunctionEnd
"
    );
    special(Stage::Vertex, &assemble(&text), &[])
}

/// A vertex shader that captures a float with an offset and a stride.
fn capturing(offset: u32, stride: u32) -> LinkResult {
    let text = format!(
        "OpCapability Shader
OpCapability TransformFeedback
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main \"main\" %out
OpExecutionMode %main Xfb
OpDecorate %out Location 0
OpDecorate %out XfbBuffer 0
OpDecorate %out XfbStride {stride}
OpDecorate %out Offset {offset}
%void = OpTypeVoid
%signature = OpTypeFunction %void
%float = OpTypeFloat 32
%one = OpConstant %float 1
%written = OpTypePointer Output %float
%out = OpVariable %written Output
%main = OpFunction %void None %signature
%body = OpLabel
OpStore %out %one
OpReturn
OpFunctionEnd
"
    );
    linked(&[special(Stage::Vertex, &assemble(&text), &[])], true)
}

/// GLSL 4.60 section 4.4.2.1: a capture is aligned and ends within the stride, which is a multiple of four.
#[test]
fn captures_of_modules_fit_their_strides() {
    assert!(capturing(12, 16).program.is_some(), "{}", capturing(12, 16).log);
    for (offset, stride) in [(16, 16), (4_294_967_292, 16), (2, 16), (0, 6), (4_294_967_292, 0)] {
        let result = capturing(offset, stride);
        assert!(result.program.is_none() && !result.log.is_empty(), "{offset} in {stride}");
    }
}

/// Vulkan's VUID-StandaloneSpirv-Flat-04744: a double that a fragment shader reads is flat. The other members of its block
/// are interpolated as they say.
#[test]
fn members_of_a_block_are_flat_by_themselves() {
    let text = "OpCapability Shader
OpCapability Float64
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main \"main\" %in %out
OpExecutionMode %main OriginLowerLeft
OpDecorate %block Block
OpMemberDecorate %block 0 Location 0
OpMemberDecorate %block 1 Location 1
OpDecorate %out Location 0
%void = OpTypeVoid
%signature = OpTypeFunction %void
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%int = OpTypeInt 32 1
%zero = OpConstant %int 0
%one = OpConstant %int 1
%block = OpTypeStruct %double %float
%whole = OpTypePointer Input %block
%wide = OpTypePointer Input %double
%narrow = OpTypePointer Input %float
%written = OpTypePointer Output %float
%in = OpVariable %whole Input
%out = OpVariable %written Output
%main = OpFunction %void None %signature
%begin = OpLabel
%a = OpAccessChain %wide %in %zero
%b = OpAccessChain %narrow %in %one
%x = OpLoad %double %a
%y = OpFConvert %float %x
%z = OpLoad %float %b
%sum = OpFAdd %float %y %z
OpStore %out %sum
OpReturn
OpFunctionEnd
";
    let shader = special(Stage::Fragment, &assemble(text), &[]);
    let result = linked(std::slice::from_ref(&shader), true);
    let program = result.program.unwrap_or_else(|| panic!("{}{}", shader.log, result.log));
    assert_eq!(faults(&program), [""; 0]);
    let shown: String = program.stages.iter().flatten().map(|words| disassemble(words)).collect();
    let flat: Vec<&str> = shown.lines().filter(|l| l.contains("OpDecorate") && l.ends_with(" Flat")).collect();
    assert_eq!(flat.len(), 1, "{shown}");
}

/// What looks right and would reach a driver broken, or out of proportion.
#[test]
fn what_only_looks_right_is_refused() {
    let output = |ty: &str, component: u32| {
        let declarations = format!(
            "OpDecorate %out Location 0
OpDecorate %out Component {component}
%number = {ty}
%pointer = OpTypePointer Output %number
%value = OpConstantNull %number
%out = OpVariable %pointer Output"
        );
        with_output(&declarations, "OpStore %out %value")
    };
    for (ty, component, right) in [
        ("OpTypeFloat 32", 3, true),
        ("OpTypeFloat 32", 4, false),
        ("OpTypeFloat 32", u32::MAX, false),
        ("OpTypeFloat 64", 2, true),
        ("OpTypeFloat 64", 1, false),
        ("OpTypeFloat 64", 3, false),
    ] {
        let shader = output(ty, component);
        assert_eq!(shader.ok, right, "{ty} at {component}: {}", shader.log);
    }
    let member = |index: &str| {
        let declarations = format!(
            "OpDecorate %block Block
OpMemberDecorate %block 0 Location 0
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%block = OpTypeStruct %float
%whole = OpTypePointer Output %block
%part = OpTypePointer Output %float
%value = OpConstant %float 1
%index = {index}
%out = OpVariable %whole Output"
        );
        with_output(&declarations, "%at = OpAccessChain %part %out %index\nOpStore %at %value")
    };
    let right = member("OpConstant %uint 0");
    assert!(right.ok, "{}", right.log);
    assert!(!member("OpConstantNull %uint").ok);
    let inserts = |count: usize| {
        let one = |i| format!("%made{i} = OpSpecConstantOp %list CompositeInsert %one %none 7\n");
        let declarations = format!(
            "OpDecorate %out Location 0
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%pointer = OpTypePointer Output %float
%value = OpConstant %float 1
%one = OpConstant %uint 1
%length = OpConstant %uint 65536
%list = OpTypeArray %uint %length
%none = OpConstantNull %list
{}
%out = OpVariable %pointer Output",
            (0..count).map(one).collect::<String>()
        );
        with_output(&declarations, "OpStore %out %value")
    };
    assert!(inserts(2).ok);
    assert!(!inserts(200).ok);
}

/// One piece of damage to a module's words, after its header.
fn damage(words: &mut Vec<u32>, random: &mut Random) {
    let starts = instructions(words);
    let at = starts[random.below(starts.len())];
    let len = (words[at] >> 16) as usize;
    match random.below(9) {
        // Some operand becomes another operand of the module, a number near by, or anything.
        0..=3 if len > 1 => {
            let place = at + 1 + random.below(len - 1);
            let from = starts[random.below(starts.len())];
            let other = (from + 1 + random.below((words[from] >> 16) as usize)).min(words.len() - 1);
            words[place] = match random.below(4) {
                0 | 1 => words[other],
                2 => words[place].wrapping_add(random.below(5) as u32).wrapping_sub(2),
                _ => 1 << random.below(32),
            };
        }
        4 => {
            words.drain(at..at + len);
        }
        5 => {
            let copy = words[at..at + len].to_vec();
            let to = starts[random.below(starts.len())];
            words.splice(to..to, copy);
        }
        6 => words[at] = words[at] & 0xffff_0000 | random.below(400) as u32,
        7 => {
            let to = starts[random.below(starts.len())];
            let other = words[to] & 0xffff;
            words[at] = words[at] & 0xffff_0000 | other;
        }
        _ => {
            let place = random.below(words.len());
            words[place] ^= 1 << random.below(32);
        }
    }
}

/// Damages modules; what passes all the same is valid.
fn damaged(modules: &[(Stage, Vec<u32>)], seed: u64, rounds: usize) {
    let mut random = Random::new(seed);
    let mut accepted = 0;
    let mut wrong = Vec::new();
    for round in 0..rounds {
        let (stage, words) = &modules[round % modules.len()];
        let mut words = words.clone();
        for _ in 0..1 + random.below(2) {
            damage(&mut words, &mut random);
        }
        let began = Instant::now();
        let shader = special(*stage, &words, &[]);
        let result = linked(std::slice::from_ref(&shader), true);
        assert!(began.elapsed() < MOST_TIME, "seed {seed}, round {round}");
        assert!(shader.ok || !shader.log.is_empty(), "a failure says why");
        let Some(program) = result.program else { continue };
        accepted += 1;
        wrong.extend(faults(&program).iter().map(|fault| format!("seed {seed}, round {round}: {fault}")));
    }
    assert!(accepted > 0 && accepted < rounds, "{accepted} of {rounds} accepted");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn whole() -> Vec<(Stage, Vec<u32>)> {
    MODULES.iter().map(|(stage, text)| (*stage, assemble(text))).collect()
}

#[test]
fn damaged_1() {
    damaged(&whole(), 1, 1500);
}

#[test]
fn damaged_2() {
    damaged(&whole(), 2, 1500);
}

/// Piglit's modules too, where they are installed.
#[test]
fn damaged_3() {
    let mut modules = whole();
    for (_, stages) in piglit() {
        modules.extend(stages.iter().map(|(stage, text)| (*stage, assemble(text))));
    }
    damaged(&modules, 3, 3000);
}

#[test]
fn noise() {
    let mut random = Random::new(3);
    for _ in 0..2000 {
        let mut words: Vec<u32> = (0..random.below(60)).map(|_| 1 << random.below(32)).collect();
        let header = [0x0723_0203, 0x0001_0000, 0, 50, 0];
        for (word, header) in words.iter_mut().zip(header).take(random.below(7)) {
            *word = header;
        }
        // Instructions of sensible lengths get further.
        let mut at = 5;
        while at < words.len() {
            let len = 1 + random.below(5);
            words[at] = (len as u32) << 16 | random.below(360) as u32;
            at += len;
        }
        assert!(!special(Stage::Fragment, &words, &[]).ok);
    }
}

/// The stages of piglit's scripts, where it is installed.
fn piglit() -> Vec<(PathBuf, Vec<(Stage, String)>)> {
    let mut out = Vec::new();
    let mut folders = vec![PathBuf::from("/usr/lib/x86_64-linux-gnu/piglit/tests/spec/arb_gl_spirv")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "shader_test") {
                out.push((path.clone(), stages_of(&path)));
            }
        }
    }
    out.sort();
    out
}

fn stages_of(path: &Path) -> Vec<(Stage, String)> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut stages = Vec::new();
    for section in text.split("\n[").skip(1) {
        let Some((head, body)) = section.split_once("]\n") else { continue };
        let stage = match head.strip_suffix(" shader spirv") {
            Some("vertex") => Stage::Vertex,
            Some("fragment") => Stage::Fragment,
            Some("geometry") => Stage::Geometry,
            Some("compute") => Stage::Compute,
            Some("tessellation control") => Stage::TessControl,
            Some("tessellation evaluation") => Stage::TessEvaluation,
            _ => continue,
        };
        stages.push((stage, body.to_owned()));
    }
    stages
}

#[test]
fn piglits_modules_link_to_valid_ones() {
    let mut wrong = Vec::new();
    for (path, stages) in piglit() {
        let shaders: Vec<_> = stages.iter().map(|(stage, text)| special(*stage, &assemble(text), &[])).collect();
        let logs: String = shaders.iter().map(|s| s.log.as_str()).collect();
        let result = linked(&shaders, stages.len() == 1);
        match result.program {
            Some(program) => {
                wrong.extend(faults(&program).iter().map(|fault| format!("{}: {fault}", path.display())));
            }
            None => wrong.push(format!("{}: {logs}{}", path.display(), result.log)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
