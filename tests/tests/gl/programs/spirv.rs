//! SPIR-V modules as shaders: GL 4.6 core 7.2, 7.3.1.1, 7.4.2 and appendix C. `spirv-as` of spirv-tools makes the modules.

use gallite_tests::draw::{
    Program, Target, buffer, compile_log, expect_error, expect_no_error, gen_vertex_array, get_i32, link, quad,
    require_extension, shader_status, texture_2d,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::Env;
use std::ffi::{CStr, CString};
use std::io::Write;
use std::process::{Command, Stdio};

use super::super::shared::{dispatch, storage, words};

gl_tests! {
    render core(3, 3): uniforms_blocks_and_textures, constants_are_specialised, layouts_are_the_modules_own, counters_and_arrays,
        shorter_vectors_read_longer_ones, pipelines_match_by_location, binaries_come_back, outputs_are_captured;
    every core(3, 3): loading_and_its_errors, specialising_and_its_errors, names_are_not_told, languages_do_not_mix,
        what_is_no_valid_module, extensions_are_listed;
}

const EXTENSION: &str = "GL_ARB_gl_spirv";

fn assemble(text: &str) -> Vec<u8> {
    let mut child = Command::new("spirv-as")
        .args(["--target-env", "spv1.0", "-o", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("spirv-tools is installed");
    child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("writes");
    let out = child.wait_with_output().expect("runs");
    assert!(out.status.success(), "{text}");
    out.stdout
}

/// A shader with a module that is not specialised.
fn loaded(stage: u32, module: &[u8]) -> u32 {
    let shader = gl::CreateShader(stage);
    load(&[shader], module);
    expect_no_error("glShaderBinary");
    shader
}

fn load(shaders: &[u32], module: &[u8]) {
    let length = module.len() as i32;
    let format = gl::SHADER_BINARY_FORMAT_SPIR_V;
    gl::ShaderBinary(shaders.len() as i32, shaders.as_ptr(), format, module.as_ptr().cast(), length);
}

fn specialise(shader: u32, entry: &CStr, constants: &[(u32, u32)]) {
    let (indices, values): (Vec<u32>, Vec<u32>) = constants.iter().copied().unzip();
    gl::SpecializeShader(shader, entry.as_ptr(), constants.len() as u32, indices.as_ptr(), values.as_ptr());
}

fn shader_i32(shader: u32, what: u32) -> i32 {
    let mut value = -1;
    gl::GetShaderiv(shader, what, &mut value);
    value
}

#[track_caller]
fn special(stage: u32, text: &str, constants: &[(u32, u32)]) -> u32 {
    let shader = loaded(stage, &assemble(text));
    specialise(shader, c"main", constants);
    expect_no_error("glSpecializeShader");
    assert_eq!(shader_i32(shader, gl::COMPILE_STATUS), 1, "{}", compile_log(shader));
    shader
}

#[track_caller]
fn program(shaders: &[u32], separable: bool) -> Program {
    let p = gl::CreateProgram();
    gl::ProgramParameteri(p, gl::PROGRAM_SEPARABLE, separable.into());
    shaders.iter().for_each(|s| gl::AttachShader(p, *s));
    link(p).unwrap_or_else(|log| panic!("{log}"));
    Program(p)
}

const TYPES: &str = "%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%v2 = OpTypeVector %float 2
%v4 = OpTypeVector %float 4
%in2 = OpTypePointer Input %v2
%in4 = OpTypePointer Input %v4
%out4 = OpTypePointer Output %v4
%zero = OpConstant %int 0
%one = OpConstant %int 1
%two = OpConstant %int 2
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
";

/// Passes the position on, and half of it, moved to [0, 1], at location 2.
fn vertex() -> String {
    format!(
        "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main \"main\" %position %place %block
OpDecorate %position Location 0
OpDecorate %place Location 2
OpMemberDecorate %PerVertex 0 BuiltIn Position
OpDecorate %PerVertex Block
{TYPES}%PerVertex = OpTypeStruct %v4
%outBlock = OpTypePointer Output %PerVertex
%position = OpVariable %in4 Input
%place = OpVariable %out4 Output
%block = OpVariable %outBlock Output
%half = OpConstant %float 0.5
%halves = OpConstantComposite %v4 %half %half %half %half
%main = OpFunction %void None %fn
%entry = OpLabel
%p = OpLoad %v4 %position
%to = OpAccessChain %out4 %block %zero
OpStore %to %p
%s = OpFMul %v4 %p %halves
%m = OpFAdd %v4 %s %halves
OpStore %place %m
OpReturn
OpFunctionEnd
"
    )
}

/// A fragment shader that stores `%color`, of what `body` computes it.
fn fragment(head: &str, globals: &str, body: &str) -> String {
    format!(
        "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main \"main\" %place %result
OpExecutionMode %main OriginLowerLeft
OpDecorate %place Location 2
OpDecorate %result Location 0
{head}{TYPES}%place = OpVariable %in4 Input
%result = OpVariable %out4 Output
{globals}%main = OpFunction %void None %fn
%entry = OpLabel
{body}OpStore %result %color
OpReturn
OpFunctionEnd
"
    )
}

const PLAIN: &str = "%color = OpLoad %v4 %place\n";

/// A uniform by its location, a texture by its binding, a member of a block by its offset.
const MIXED: [&str; 3] = [
    "OpDecorate %tint Location 3
OpDecorate %tex Binding 2
OpDecorate %tex DescriptorSet 0
OpDecorate %B Block
OpMemberDecorate %B 0 Offset 32
OpMemberDecorate %B 1 Offset 0
OpDecorate %b Binding 5
",
    "%pu4 = OpTypePointer UniformConstant %v4
%tint = OpVariable %pu4 UniformConstant
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%ptex = OpTypePointer UniformConstant %sampled
%tex = OpVariable %ptex UniformConstant
%B = OpTypeStruct %v4 %float
%pB = OpTypePointer Uniform %B
%b = OpVariable %pB Uniform
%pb4 = OpTypePointer Uniform %v4
",
    "%t = OpLoad %v4 %tint
%s = OpLoad %sampled %tex
%c = OpLoad %v4 %place
%c2 = OpVectorShuffle %v2 %c %c 0 1
%x = OpImageSampleImplicitLod %v4 %s %c2
%at = OpAccessChain %pb4 %b %zero
%m = OpLoad %v4 %at
%tx = OpFMul %v4 %t %x
%color = OpFAdd %v4 %tx %m
",
];

fn mixed() -> String {
    fragment(MIXED[0], MIXED[1], MIXED[2])
}

fn uniforms_blocks_and_textures(_: &Env) {
    require_extension(EXTENSION);
    let target = Target::new(4, 4);
    let p = program(&[special(gl::VERTEX_SHADER, &vertex(), &[]), special(gl::FRAGMENT_SHADER, &mixed(), &[])], false);
    p.bind();
    gl::Uniform4f(3, 1.0, 1.0, 0.0, 1.0);
    gl::ActiveTexture(gl::TEXTURE2);
    texture_2d(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, Some(&[[255_u8; 4]]));
    gl::ActiveTexture(gl::TEXTURE0);
    let block = buffer(gl::UNIFORM_BUFFER, &[0.0_f32, 0.0, 0.0, 0.0, 9.0, 9.0, 9.0, 9.0, -1.0, 0.0, 1.0, 0.0]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 5, block);
    quad();
    expect_no_error("a draw");
    target.image().expect_all([0, 255, 255, 255]);
    // The block's index is 0; the program may move it as any other.
    gl::UniformBlockBinding(p.0, 0, 1);
    let other = buffer(gl::UNIFORM_BUFFER, &[0.0_f32; 12]);
    gl::BindBufferBase(gl::UNIFORM_BUFFER, 1, other);
    quad();
    target.image().expect_all([255, 255, 0, 255]);
}

/// 7.2.1: values that are given take the place of defaults, in what is computed from them too.
fn constants_are_specialised(_: &Env) {
    require_extension(EXTENSION);
    let text = fragment(
        "OpDecorate %scale SpecId 7\nOpDecorate %flag SpecId 8\nOpDecorate %count SpecId 9\n",
        "%bool = OpTypeBool
%scale = OpSpecConstant %float 1
%flag = OpSpecConstantTrue %bool
%count = OpSpecConstant %int 2
%more = OpSpecConstantOp %int IAdd %count %one
%array = OpTypeArray %float %more
%parray = OpTypePointer Private %array
%pfloat = OpTypePointer Private %float
%list = OpVariable %parray Private
%white = OpSpecConstantComposite %v4 %scale %scale %scale %f1
%black = OpConstantComposite %v4 %f0 %f0 %f0 %f1
",
        "%last = OpAccessChain %pfloat %list %count
OpStore %last %f1
%l = OpLoad %float %last
%chosen = OpSelect %float %flag %f1 %f0
%r = OpFMul %float %l %chosen
%p = OpCompositeInsert %v4 %r %white 0
%color = OpFAdd %v4 %p %black
",
    );
    let target = Target::new(4, 4);
    for (constants, expected) in [
        (&[][..], [255, 255, 255, 255]),
        (&[(7, 0.0_f32.to_bits())], [255, 0, 0, 255]),
        (&[(8, 0), (9, 40)], [0, 255, 255, 255]),
    ] {
        let vertex = special(gl::VERTEX_SHADER, &vertex(), &[]);
        program(&[vertex, special(gl::FRAGMENT_SHADER, &text, constants)], false).bind();
        quad();
        expect_no_error("a draw");
        target.image().expect_all(expected);
    }
}

fn compute(head: &str, globals: &str, body: &str) -> Program {
    let text = format!(
        "OpCapability Shader
OpCapability AtomicStorage
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
{head}{TYPES}{globals}%main = OpFunction %void None %fn
%entry = OpLabel
{body}OpReturn
OpFunctionEnd
"
    );
    let p = program(&[special(gl::COMPUTE_SHADER, &text, &[])], false);
    p.bind();
    p
}

/// 7.6.2.3: offsets, strides and the order of matrices are those of the decorations.
fn layouts_are_the_modules_own(_: &Env) {
    require_extension(EXTENSION);
    require_extension("GL_ARB_compute_shader");
    require_extension("GL_ARB_shader_atomic_counters");
    let p = compute(
        "OpDecorate %arr ArrayStride 32
OpDecorate %In BufferBlock
OpMemberDecorate %In 0 Offset 64
OpMemberDecorate %In 0 RowMajor
OpMemberDecorate %In 0 MatrixStride 16
OpMemberDecorate %In 1 Offset 0
OpDecorate %in Binding 1
OpDecorate %outArr ArrayStride 4
OpDecorate %Out BufferBlock
OpMemberDecorate %Out 0 Offset 0
OpDecorate %out Binding 3
",
        "%mat = OpTypeMatrix %v2 2
%n2 = OpConstant %uint 2
%arr = OpTypeArray %float %n2
%In = OpTypeStruct %mat %arr
%pIn = OpTypePointer Uniform %In
%in = OpVariable %pIn Uniform
%outArr = OpTypeRuntimeArray %float
%Out = OpTypeStruct %outArr
%pOut = OpTypePointer Uniform %Out
%out = OpVariable %pOut Uniform
%pf = OpTypePointer Uniform %float
%pm = OpTypePointer Uniform %mat
",
        "%a1 = OpAccessChain %pf %in %one %one
%x = OpLoad %float %a1
%o0 = OpAccessChain %pf %out %zero %zero
OpStore %o0 %x
%am = OpAccessChain %pm %in %zero
%m = OpLoad %mat %am
%y = OpCompositeExtract %float %m 1 0
%o1 = OpAccessChain %pf %out %zero %one
OpStore %o1 %y
%n = OpArrayLength %uint %out 0
%nf = OpConvertUToF %float %n
%o2 = OpAccessChain %pf %out %zero %two
OpStore %o2 %nf
",
    );
    let mut numbers = [0.0_f32; 24];
    numbers[8] = 5.0;
    // Row 0 is at 64, column 1 of it 4 bytes on.
    numbers[17] = 7.0;
    storage(1, &numbers);
    let out = storage(3, &[0.0_f32; 3]);
    dispatch(1, 1, 1);
    assert_eq!(words(out, 3).iter().map(|w| f32::from_bits(*w)).collect::<Vec<_>>(), [5.0, 7.0, 3.0]);
    let query = |interface, index, property: u32| {
        let mut value = -1;
        gl::GetProgramResourceiv(p.0, interface, index, 1, &property, 1, std::ptr::null_mut(), &mut value);
        value
    };
    let mut count = 0;
    gl::GetProgramInterfaceiv(p.0, gl::BUFFER_VARIABLE, gl::ACTIVE_RESOURCES, &mut count);
    assert_eq!(count, 3);
    assert_eq!(query(gl::BUFFER_VARIABLE, 0, gl::OFFSET), 64);
    assert_eq!(query(gl::BUFFER_VARIABLE, 0, gl::MATRIX_STRIDE), 16);
    assert_eq!(query(gl::BUFFER_VARIABLE, 0, gl::IS_ROW_MAJOR), 1);
    assert_eq!(query(gl::BUFFER_VARIABLE, 1, gl::ARRAY_STRIDE), 32);
    assert_eq!(query(gl::SHADER_STORAGE_BLOCK, 0, gl::BUFFER_BINDING), 1);
    assert_eq!(query(gl::SHADER_STORAGE_BLOCK, 1, gl::BUFFER_BINDING), 3);
}

/// Counters by binding and offset, blocks of an array by an index that is no constant.
fn counters_and_arrays(_: &Env) {
    require_extension(EXTENSION);
    require_extension("GL_ARB_compute_shader");
    require_extension("GL_ARB_shader_atomic_counters");
    compute(
        "OpDecorate %ticks Binding 1
OpDecorate %ticks Offset 4
OpDecorate %Out BufferBlock
OpMemberDecorate %Out 0 Offset 0
OpDecorate %out Binding 2
",
        "%pc = OpTypePointer AtomicCounter %uint
%ticks = OpVariable %pc AtomicCounter
%n2 = OpConstant %uint 2
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%Out = OpTypeStruct %uint
%outs = OpTypeArray %Out %n2
%pOuts = OpTypePointer Uniform %outs
%out = OpVariable %pOuts Uniform
%pu = OpTypePointer Uniform %uint
",
        "%a = OpAtomicIIncrement %uint %ticks %u1 %u0
%b = OpAtomicIIncrement %uint %ticks %u1 %u0
%i = OpBitwiseAnd %uint %b %u1
%to = OpAccessChain %pu %out %i %zero
OpStore %to %b
",
    );
    let counters = buffer(gl::ATOMIC_COUNTER_BUFFER, &[7_u32, 20]);
    gl::BindBufferBase(gl::ATOMIC_COUNTER_BUFFER, 1, counters);
    let first = storage(2, &[0_u32]);
    let second = storage(3, &[0_u32]);
    dispatch(1, 1, 1);
    assert_eq!(words(counters, 2), [7, 22]);
    assert_eq!((words(first, 1)[0], words(second, 1)[0]), (0, 21));
}

/// 7.4.2: a stage may take the first components of what the one before it hands on.
fn shorter_vectors_read_longer_ones(_: &Env) {
    require_extension(EXTENSION);
    let target = Target::new(4, 4);
    let body = "%c = OpLoad %v2 %place\n%color = OpVectorShuffle %v4 %c %c 1 0 1 0\n";
    let short = fragment("", "", body).replace("%place = OpVariable %in4", "%place = OpVariable %in2");
    program(&[special(gl::VERTEX_SHADER, &vertex(), &[]), special(gl::FRAGMENT_SHADER, &short, &[])], false).bind();
    quad();
    expect_no_error("a draw");
    assert_eq!(target.image().at(3, 0), [32, 223, 32, 223]);
}

/// 7.4.2: a pipeline's stages meet by location, whatever each was written in.
fn pipelines_match_by_location(_: &Env) {
    require_extension(EXTENSION);
    require_extension("GL_ARB_separate_shader_objects");
    let target = Target::new(4, 4);
    let v = program(&[special(gl::VERTEX_SHADER, &vertex(), &[])], true);
    let f = program(&[special(gl::FRAGMENT_SHADER, &fragment("", "", PLAIN), &[])], true);
    let source = "#version 330 core\n#extension GL_ARB_separate_shader_objects : require
layout(location = 2) in vec4 whatever; out vec4 result; void main() { result = vec4(1.0) - whatever * 0.0; }\n";
    let (shader, ok) = shader_status(gl::FRAGMENT_SHADER, source);
    assert!(ok, "{}", compile_log(shader));
    let g = program(&[shader], true);
    let name = gallite_tests::draw::gen_pipeline();
    gl::UseProgram(0);
    gl::BindProgramPipeline(name);
    gl::UseProgramStages(name, gl::VERTEX_SHADER_BIT, v.0);
    gl::UseProgramStages(name, gl::FRAGMENT_SHADER_BIT, f.0);
    quad();
    expect_no_error("a draw");
    let image = target.image();
    assert_eq!((image.at(0, 0), image.at(3, 3)), ([32, 32, 128, 255], [223, 223, 128, 255]));
    gl::UseProgramStages(name, gl::FRAGMENT_SHADER_BIT, g.0);
    quad();
    expect_no_error("a draw");
    target.image().expect_all([255; 4]);
}

fn binaries_come_back(_: &Env) {
    require_extension(EXTENSION);
    require_extension("GL_ARB_get_program_binary");
    let target = Target::new(4, 4);
    let shaders =
        [special(gl::VERTEX_SHADER, &vertex(), &[]), special(gl::FRAGMENT_SHADER, &fragment("", "", PLAIN), &[])];
    // A separable program's binary has its shaders in it.
    for separable in [false, true] {
        let p = program(&shaders, separable);
        let mut length = 0;
        gl::GetProgramiv(p.0, gl::PROGRAM_BINARY_LENGTH, &mut length);
        let mut bytes = vec![0_u8; length as usize];
        let (mut written, mut format) = (0, 0);
        gl::GetProgramBinary(p.0, length, &mut written, &mut format, bytes.as_mut_ptr().cast());
        let other = gl::CreateProgram();
        gl::ProgramBinary(other, format, bytes.as_ptr().cast(), written);
        gl::UseProgram(other);
        quad();
        expect_no_error("a draw");
        assert_eq!(target.image().at(3, 0), [223, 32, 128, 255]);
    }
}

/// 11.1.2.1: what is captured is what the decorations say.
fn outputs_are_captured(_: &Env) {
    require_extension(EXTENSION);
    require_extension("GL_ARB_transform_feedback3");
    let text = vertex()
        .replace("OpCapability Shader", "OpCapability Shader\nOpCapability TransformFeedback")
        .replace("OpDecorate %place Location 2", "OpExecutionMode %main Xfb\nOpDecorate %place Location 2")
        .replace("OpDecorate %position Location 0\n", "")
        .replace(
            "OpDecorate %place Location 2",
            "OpDecorate %position Location 0
OpDecorate %place Location 2
OpDecorate %place XfbBuffer 1
OpDecorate %place XfbStride 24
OpDecorate %place Offset 8",
        );
    let p = program(&[special(gl::VERTEX_SHADER, &text, &[])], false);
    p.bind();
    let captured = buffer(gl::TRANSFORM_FEEDBACK_BUFFER, &[-1.0_f32; 6]);
    gl::BindBufferBase(gl::TRANSFORM_FEEDBACK_BUFFER, 1, captured);
    let target = Target::new(4, 4);
    target.bind();
    gl::BindVertexArray(gen_vertex_array());
    gl::Enable(gl::RASTERIZER_DISCARD);
    gl::VertexAttrib4f(0, 1.0, 0.0, -1.0, 3.0);
    gl::BeginTransformFeedback(gl::POINTS);
    gl::DrawArrays(gl::POINTS, 0, 1);
    gl::EndTransformFeedback();
    gl::Disable(gl::RASTERIZER_DISCARD);
    expect_no_error("a capture");
    let floats: Vec<f32> = words(captured, 6).iter().map(|w| f32::from_bits(*w)).collect();
    assert_eq!(floats[2..], [1.0, 0.5, 0.0, 2.0]);
}

fn loading_and_its_errors(_: &Env) {
    require_extension(EXTENSION);
    assert_eq!(get_i32(gl::NUM_SHADER_BINARY_FORMATS), 1);
    assert_eq!(get_i32(gl::SHADER_BINARY_FORMATS) as u32, gl::SHADER_BINARY_FORMAT_SPIR_V);
    let module = assemble(&vertex());
    let (shader, ok) = shader_status(gl::VERTEX_SHADER, "#version 330 core\nvoid main() { }\n");
    assert!(ok);
    assert_eq!(shader_i32(shader, gl::SPIR_V_BINARY), 0);
    for (damage, what) in [(module.len() - 3, "a part of a word"), (8, "half a header"), (0, "nothing")] {
        load(&[shader], &module[..damage]);
        expect_error(gl::INVALID_VALUE, what);
    }
    let mut foreign = module.clone();
    foreign[..4].reverse();
    load(&[shader], &foreign);
    expect_error(gl::INVALID_VALUE, "another byte order");
    // Whatever failed left the source's outcome alone.
    assert_eq!(shader_i32(shader, gl::COMPILE_STATUS), 1);
    assert!(shader_i32(shader, gl::SHADER_SOURCE_LENGTH) > 0);
    // Several shaders, of one type even, may have one module.
    let second = gl::CreateShader(gl::VERTEX_SHADER);
    load(&[shader, second], &module);
    expect_no_error("two shaders");
    assert_eq!(shader_i32(second, gl::SPIR_V_BINARY), 1);
    assert_eq!(shader_i32(shader, gl::COMPILE_STATUS), 0);
    assert_eq!(shader_i32(shader, gl::SHADER_SOURCE_LENGTH), 0);
    gl::CompileShader(shader);
    expect_error(gl::INVALID_OPERATION, "a module is not compiled");
    // A source takes the module's place.
    let source = CString::new("#version 330 core\nvoid main() { }\n").expect("no null");
    gl::ShaderSource(shader, 1, &source.as_ptr(), std::ptr::null());
    assert_eq!(shader_i32(shader, gl::SPIR_V_BINARY), 0);
    gl::CompileShader(shader);
    expect_no_error("a source is");
    assert_eq!(shader_i32(shader, gl::COMPILE_STATUS), 1);
}

fn specialising_and_its_errors(_: &Env) {
    require_extension(EXTENSION);
    let plain = gl::CreateShader(gl::VERTEX_SHADER);
    specialise(plain, c"main", &[]);
    expect_error(gl::INVALID_OPERATION, "no module");
    specialise(plain + 1000, c"main", &[]);
    expect_error(gl::INVALID_VALUE, "no shader");
    specialise(gl::CreateProgram(), c"main", &[]);
    expect_error(gl::INVALID_OPERATION, "a program");
    let shader = loaded(gl::VERTEX_SHADER, &assemble(&vertex()));
    specialise(shader, c"other", &[]);
    expect_error(gl::INVALID_VALUE, "no such entry point");
    specialise(shader, c"main", &[(5, 1)]);
    expect_error(gl::INVALID_VALUE, "no such constant");
    let wrong = loaded(gl::FRAGMENT_SHADER, &assemble(&vertex()));
    specialise(wrong, c"main", &[]);
    expect_error(gl::INVALID_VALUE, "an entry point of another stage");
    // 7.3: a program with a shader that is not specialised doesn't link.
    let p = gl::CreateProgram();
    gl::AttachShader(p, shader);
    assert!(link(p).is_err());
    specialise(shader, c"main", &[]);
    expect_no_error("glSpecializeShader");
    assert_eq!(shader_i32(shader, gl::COMPILE_STATUS), 1);
    specialise(shader, c"main", &[]);
    expect_error(gl::INVALID_OPERATION, "twice");
    load(&[shader], &assemble(&vertex()));
    specialise(shader, c"main", &[]);
    expect_no_error("once for each module");
    assert!(link(p).is_ok());
}

/// 7.3.1.1: modules have no names that count; everything else can be asked for.
fn names_are_not_told(_: &Env) {
    require_extension(EXTENSION);
    require_extension("GL_ARB_program_interface_query");
    let p = program(&[special(gl::VERTEX_SHADER, &vertex(), &[]), special(gl::FRAGMENT_SHADER, &mixed(), &[])], false);
    let (program_i32, p) = (|what| p.get(what), p.0);
    // Two members of the block, the texture and the tint.
    assert_eq!(program_i32(gl::ACTIVE_UNIFORMS), 4);
    assert_eq!(program_i32(gl::ACTIVE_UNIFORM_MAX_LENGTH), 1);
    assert_eq!(program_i32(gl::ACTIVE_UNIFORM_BLOCKS), 1);
    assert_eq!(program_i32(gl::ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH), 1);
    assert_eq!(program_i32(gl::ACTIVE_ATTRIBUTES), 1);
    assert_eq!(program_i32(gl::ACTIVE_ATTRIBUTE_MAX_LENGTH), 1);
    for name in [c"tint", c"", c"#l3", c"tex"] {
        assert_eq!(gl::GetUniformLocation(p, name.as_ptr()), -1);
        assert_eq!(gl::GetProgramResourceIndex(p, gl::UNIFORM, name.as_ptr()), gl::INVALID_INDEX);
        assert_eq!(gl::GetUniformBlockIndex(p, name.as_ptr()), gl::INVALID_INDEX);
        assert_eq!(gl::GetAttribLocation(p, name.as_ptr()), -1);
        assert_eq!(gl::GetFragDataLocation(p, name.as_ptr()), -1);
    }
    let query = |interface, index, property: u32| {
        let mut value = -7;
        gl::GetProgramResourceiv(p, interface, index, 1, &property, 1, std::ptr::null_mut(), &mut value);
        value
    };
    let mut locations = Vec::new();
    for index in 0..4 {
        let (mut length, mut size, mut kind, mut name) = (-1, 0, 0, [1_i8; 8]);
        gl::GetActiveUniform(p, index, 8, &mut length, &mut size, &mut kind, name.as_mut_ptr().cast());
        assert_eq!((length, name[0]), (0, 0));
        assert_eq!(query(gl::UNIFORM, index, gl::NAME_LENGTH), 1);
        locations.push((kind, query(gl::UNIFORM, index, gl::LOCATION), query(gl::UNIFORM, index, gl::OFFSET)));
    }
    locations.sort_unstable();
    let sampler = locations.iter().find(|l| l.0 == gl::SAMPLER_2D).expect("a sampler");
    let mut unit = -1;
    gl::GetUniformiv(p, sampler.1, &mut unit);
    assert_eq!(unit, 2);
    locations.retain(|l| l.0 != gl::SAMPLER_2D);
    assert_eq!(locations, [(gl::FLOAT, -1, 0), (gl::FLOAT_VEC4, -1, 32), (gl::FLOAT_VEC4, 3, -1)]);
    assert_eq!(query(gl::UNIFORM_BLOCK, 0, gl::BUFFER_BINDING), 5);
    assert_eq!(query(gl::UNIFORM_BLOCK, 0, gl::BUFFER_DATA_SIZE), 48);
    assert_eq!(query(gl::PROGRAM_INPUT, 0, gl::LOCATION), 0);
    assert_eq!(query(gl::PROGRAM_OUTPUT, 0, gl::LOCATION), 0);
    expect_no_error("queries");
}

/// 7.3: all shaders of a program are modules, or none is.
fn languages_do_not_mix(_: &Env) {
    require_extension(EXTENSION);
    let (shader, ok) =
        shader_status(gl::FRAGMENT_SHADER, "#version 330 core\nout vec4 c; void main() { c = vec4(1.0); }\n");
    assert!(ok);
    let p = gl::CreateProgram();
    gl::AttachShader(p, special(gl::VERTEX_SHADER, &vertex(), &[]));
    gl::AttachShader(p, shader);
    let log = link(p).expect_err("a mixed program");
    assert!(log.contains("SPIR-V"), "{log}");
    expect_no_error("a link that fails");
}

/// Appendix C: a module that breaks the rules fails to specialise, and says why.
fn what_is_no_valid_module(_: &Env) {
    require_extension(EXTENSION);
    for (from, to, why) in [
        ("OpDecorate %place Location 2\n", "", "an output without a location"),
        ("OpCapability Shader", "OpCapability Shader\nOpCapability Linkage", "another kind of module"),
        ("OpCapability Shader", "OpCapability Shader\nOpExtension \"SPV_KHR_nothing\"", "an unknown extension"),
        ("%s = OpFMul %v4 %p %halves", "%s = OpFMul %v4 %p %half", "a scalar where a vector is wanted"),
        ("OpStore %to %p", "OpStore %block %p", "a vector where a block is wanted"),
        ("OpStore %to %p", "%w = OpLoad %PerVertex %block\nOpStore %to %p", "a block as a whole"),
        ("%p = OpLoad %v4 %position", "%p = OpUndef %v4\nOpBranch %gone\n%gone = OpLabel\nOpBranch %gone", "no end"),
        ("BuiltIn Position", "BuiltIn VertexIndex", "a built-in variable of Vulkan"),
        (" %place %block", " %place", "an output that is not listed"),
        ("Logical GLSL450", "Physical32 GLSL450", "another addressing model"),
    ] {
        let text = vertex().replacen(from, to, 1);
        assert_ne!(text, vertex(), "{why}");
        let shader = loaded(gl::VERTEX_SHADER, &assemble(&text));
        specialise(shader, c"main", &[]);
        expect_no_error(why);
        assert_eq!(shader_i32(shader, gl::COMPILE_STATUS), 0, "{why}");
        assert!(compile_log(shader).contains("error"), "{why}");
    }
}

fn extensions_are_listed(_: &Env) {
    require_extension("GL_ARB_spirv_extensions");
    let count = get_i32(gl::NUM_SPIR_V_EXTENSIONS);
    for index in 0..count as u32 {
        let name = gl::GetStringi(gl::SPIR_V_EXTENSIONS, index);
        assert!(!name.is_null());
    }
    gl::GetStringi(gl::SPIR_V_EXTENSIONS, count as u32);
    expect_error(gl::INVALID_VALUE, "beyond the list");
}
