//! Tests of the harness itself: the gates must have been seen red.

use gallite_tests::draw::{
    Program, SOLID_VS, Target, buffer, capture, capturing_program, depth_stencil_target, expect_no_error,
    gen_framebuffer, gen_renderbuffer, gen_vertex_array, get_i32, program, program_with, quad, solid, tex_parameter,
    texture_2d, vertex_attrib,
};
use gallite_tests::gl;
use gallite_tests::gl_tests;
use gallite_tests::harness::{Env, caps, counter, faults, run_child, skip};

gl_tests! {
    gate bare(): negative_control_of_the_validation_gate;
    every core(3, 3): lesson_29_lane_proof;
    noop bare(): lesson_27_every_dropped_atom_is_named, lesson_29_a_lane_on_another_driver_is_refused;
    noop core(3, 3): counters_are_there;
    lesser core(3, 3): the_driver_says_which_paths_it_chose;
    vulkan bare(): messages_of_the_validation_layer_reach_the_gate;
    every bare(): info_prints_capabilities_paths_and_workarounds;
    every core(4, 3): scene_for_the_verifier;
}

/// Prints what a validation layer would print; the runner demands that its gate fires.
fn negative_control_of_the_validation_gate(_: &Env) {
    eprintln!("Validation Error: [ VUID-gallite-tests-negative-control ] not a real message");
}

/// The renderer string names the driver stack of the lane and no other.
fn lesson_29_lane_proof(env: &Env) {
    let renderer = gallite_tests::draw::get_string(gl::RENDERER);
    println!("lane {} on {renderer}", env.lane.name);
    env.lane.prove(&renderer).expect("lane");
}

/// Faults that the driver plays under the real layer: what it says comes by the messenger and the log to where the gate looks.
fn messages_of_the_validation_layer_reach_the_gate(env: &Env) {
    if env.lane.is_system() {
        skip("the faults are Gallite's");
    }
    let run = |fault: &str| {
        let variables = [("GALLITE_VULKAN_FAULTS", fault), ("GALLITE_VALIDATION", "sync")];
        run_child("vulkan", &variables, "lessons::passes::copies_and_fills_go_before_the_pass")
    };
    let output = run("");
    assert!(faults(&output).is_empty() && output.contains("child: passed"), "{output}");
    for (fault, message) in [("invalid_call", "VUID-VkBufferCreateInfo-size-00912"), ("no_barriers", "SYNC-HAZARD-")] {
        let output = run(fault);
        assert!(faults(&output).iter().any(|line| line.contains(message)), "{fault}\n{output}");
    }
    let output = run("no_such_fault");
    assert!(output.contains("child: broken "), "an unknown fault is refused\n{output}");
}

/// A child that is told one lane and given another driver does not run a single test.
fn lesson_29_a_lane_on_another_driver_is_refused(env: &Env) {
    if env.lane.is_system() {
        skip("the lanes are Gallite's");
    }
    let output = run_child("stream:noop", &[("GALLITE_DRIVER", "noop")], "harness::lesson_29_lane_proof");
    assert!(output.contains("broken lane stream:noop sees renderer"), "{output}");
    assert!(!output.contains("passed"), "{output}");
}

fn counters_are_there(env: &Env) {
    if env.lane.is_system() {
        skip("the counters are Gallite's");
    }
    for name in ["calls", "draws", "submits", "live_objects", "verify_mismatches"] {
        assert!(counter(name).is_some(), "{name}");
    }
    assert_eq!(counter("no_such_counter"), None);
}

/// One of two paths is taken, by what the device of the lane has.
fn the_driver_says_which_paths_it_chose(env: &Env) {
    let Some(text) = caps() else { skip("the capabilities are Gallite's") };
    let has = |line: &str| text.lines().any(|l| l == line);
    let lesser = env.lane.name.starts_with("lesser:");
    assert_eq!(has("path render-pass-objects"), lesser, "{text}");
    assert_eq!(has("path dynamic-rendering"), !lesser, "{text}");
    assert_eq!(has("feature MIRROR_CLAMP_TO_EDGE"), !lesser, "{text}");
    assert!(has("feature GEOMETRY_SHADER"), "{text}");
    if text.contains("llvmpipe") {
        assert!(text.lines().any(|l| l.starts_with("workaround lower-double-round-even: lavapipe ")), "{text}");
    }
}

/// What `cargo xtask info` prints.
fn info_prints_capabilities_paths_and_workarounds(env: &Env) {
    let printed = |without: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_gallite-info"))
            .env("GALLITE_TEST_LIB", gallite_tests::egl::library_path())
            .env("GALLITE_VULKAN_WITHOUT", without)
            .output()
            .expect("gallite-info");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    if env.lane.is_system() {
        return assert!(!printed("").contains("\nDriver\n"), "only Gallite's driver is asked");
    }
    let text = printed("");
    for part in ["\nDriver\n", " features (", " code paths (", " limits\n", "max_texture_2d_size ", " workarounds ("] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    assert!(text.contains("GEOMETRY_SHADER"), "{text}");
    assert_eq!(text.contains("dynamic-rendering"), env.lane.is_vulkan(), "{text}");
    assert!(!text.contains("render-pass-objects"), "{text}");
    if env.lane.is_vulkan() {
        let text = printed("dynamic_rendering");
        assert!(text.contains("render-pass-objects") && !text.contains(" dynamic-rendering"), "{text}");
    }
}

/// What the verifier says when an atom's pushes are left out.
const ATOMS: &[(&str, &str)] = &[
    ("Framebuffer", "set_framebuffer: FramebufferState.color differs"),
    ("RenderCondition", "set_render_condition: RenderCondition.query differs"),
    ("Program", "bind_shader(GRAPHICS): pushed"),
    ("Viewport", "set_viewports[0]: Viewport.x differs"),
    ("Scissor", "set_scissors[0]: Rect.width differs"),
    ("Rasterizer", "bind_rasterizer: pushed"),
    ("Blend", "bind_blend: pushed"),
    ("BlendColor", "set_blend_color: pushed"),
    ("DepthStencil", "bind_depth_stencil: pushed"),
    ("StencilReference", "set_stencil_reference: pushed"),
    ("SampleMask", "set_sample_mask: pushed"),
    ("MinSamples", "set_min_samples: pushed"),
    ("Patches", "set_patch_defaults: PatchDefaults.vertices differs"),
    ("VertexElements", "bind_vertex_elements: pushed"),
    ("VertexBuffers", "set_vertex_buffers[0]: VertexBuffer.buffer differs"),
    ("StateValues", "set_default_block(GRAPHICS): byte"),
    ("Uniforms", "set_default_block(GRAPHICS): byte 2 differs"),
    ("UniformBuffers", "set_uniform_buffers(GRAPHICS)[0]: BufferRange.offset differs"),
    ("StorageBuffers", "set_storage_buffers(GRAPHICS)[0]: BufferRange.offset differs"),
    ("Textures", "set_samplers(GRAPHICS)[0]: SampledBinding.sampler differs"),
    ("TextureUnits", "set_samplers(GRAPHICS)[0]: SampledBinding.view differs"),
    ("Images", "set_images(GRAPHICS)[0]: ImageBinding.texture differs"),
    ("TransformFeedback", "set_xfb_targets: pushed"),
    ("ComputeProgram", "bind_shader(COMPUTE): pushed"),
    ("ComputeStateValues", "set_default_block(COMPUTE): byte"),
    ("ComputeUniforms", "set_default_block(COMPUTE): byte 2 differs"),
    ("ComputeUniformBuffers", "set_uniform_buffers(COMPUTE)[0]: BufferRange.offset differs"),
    ("ComputeStorageBuffers", "set_storage_buffers(COMPUTE)[0]: BufferRange.offset differs"),
    ("ComputeTextures", "set_samplers(COMPUTE)[0]: SampledBinding.view differs"),
    ("ComputeImages", "set_images(COMPUTE)[0]: ImageBinding.texture differs"),
];

/// The names in the tracker's list of atoms.
fn atoms_of_the_tracker() -> Vec<&'static str> {
    let source = include_str!("../../../state-tracker/src/atoms/mod.rs");
    let list = source.split_once("\natoms! {\n").and_then(|(_, rest)| rest.split_once("\n}")).expect("the list").0;
    list.lines().filter_map(|line| Some(line.trim().split_once(": ")?.0)).collect()
}

/// Each atom is left out in a child of its own; the scene, which passes otherwise, must fail and name what is stale.
fn lesson_27_every_dropped_atom_is_named(env: &Env) {
    if env.lane.is_system() {
        skip("the verifier is Gallite's");
    }
    let named: Vec<&str> = ATOMS.iter().map(|(atom, _)| *atom).collect();
    assert_eq!(atoms_of_the_tracker(), named, "each atom has a row, in the same order");
    let run =
        |atom: &str| run_child("verify:noop", &[("GALLITE_VERIFY_DROP", atom)], "harness::scene_for_the_verifier");
    for (atom, message) in ATOMS {
        let output = run(atom);
        assert!(output.contains("child: failed "), "{atom}: the scene did not fail\n{output}");
        let message = format!("verify mismatch: {message}");
        assert!(output.lines().any(|line| line.contains(&message)), "{atom}: {message}\n{output}");
    }
    let output = run("");
    assert!(output.contains("child: passed"), "nothing left out\n{output}");
    let output = run("NoSuchAtom");
    assert!(output.contains("child: broken "), "an unknown atom is refused\n{output}");
}

/// Reads a uniform, a block and a texture.
pub const SCENE_FS: &str = "#version 330 core
uniform vec4 colour;
layout(std140) uniform Block { vec4 more; };
uniform sampler2D image;
out vec4 result;
void main() { result = colour + more + texture(image, vec2(0.5)); }
";

/// Changes every kind of state and draws, clears, blits or dispatches each time.
fn scene_for_the_verifier(_: &Env) {
    // Before the first draw, from which on the child leaves an atom out: what the verifier finds is stale then.
    let dispatches = Dispatches::new();
    dispatches.run();
    let target = Target::new(8, 8);
    let ranges = buffer(gl::UNIFORM_BUFFER, &[0.0_f32; 256]);
    gl::BindBufferRange(gl::UNIFORM_BUFFER, 0, ranges, 0, 16);
    let other = texture_2d::<u8>(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, None);
    let first = texture_2d::<u8>(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, None);
    let bind_storage = |offset: isize| gl::BindBufferRange(gl::SHADER_STORAGE_BUFFER, 0, ranges, offset, 16);
    bind_storage(0);
    let show = |texture: u32| gl::BindImageTexture(0, texture, 0, gl::FALSE, 0, gl::READ_ONLY, gl::RGBA8);
    show(other);
    let program = program(SOLID_VS, DRAW_FS);
    program.set4f("colour", [0.5; 4]);
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[0.0_f32; 8]);
    vertex_attrib(0, 2, 0, 0);
    let draw = || gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
    draw();
    let changes: &[&dyn Fn()] = &[
        &|| gl::Viewport(1, 1, 4, 4),
        &|| gl::Enable(gl::SCISSOR_TEST),
        &|| gl::Scissor(0, 0, 4, 4),
        &|| gl::Enable(gl::CULL_FACE),
        &|| gl::Enable(gl::BLEND),
        &|| gl::BlendColor(0.5, 0.5, 0.5, 0.5),
        &|| program.set4f("colour", [0.25; 4]),
        &|| gl::BindBufferRange(gl::UNIFORM_BUFFER, 0, ranges, 256, 16),
        &|| gl::BindTexture(gl::TEXTURE_2D, other),
        &|| gl::BindTexture(gl::TEXTURE_2D, first),
        &|| tex_parameter(gl::TEXTURE_2D, gl::TEXTURE_WRAP_S, gl::CLAMP_TO_EDGE),
        &|| bind_storage(512),
        &|| show(first),
        &|| gl::DepthRange(0.25, 0.75),
        &|| gl::PatchParameteri(gl::PATCH_VERTICES, 4),
    ];
    for change in changes {
        change();
        draw();
    }
    depth_stencil_target(4, 4);
    quad();
    gl::Enable(gl::DEPTH_TEST);
    quad();
    gl::Enable(gl::STENCIL_TEST);
    gl::StencilFunc(gl::ALWAYS, 3, 0xff);
    quad();
    multisampled();
    gl::BindFramebuffer(gl::FRAMEBUFFER, target.framebuffer);
    solid([1.0; 4]);
    quad();
    let vertex =
        "#version 330 core\nin vec2 p;\nout vec2 seen;\nvoid main() { seen = p; gl_Position = vec4(p, 0.0, 1.0); }\n";
    capturing_program(vertex, &["seen"], gl::INTERLEAVED_ATTRIBS);
    capture(gl::TRIANGLES, 12, 0.0_f32, quad);
    quad();
    dispatches.change_and_run();
    conditional(&target);
    expect_no_error("scene");
}

/// Reads what a draw may read.
const DRAW_FS: &str = "#version 430 core
uniform vec4 colour;
layout(std140) uniform Block { vec4 more; };
uniform sampler2D image;
layout(std430, binding = 0) buffer Store { vec4 kept; };
layout(binding = 0, rgba8) uniform readonly image2D picture;
out vec4 result;
void main() {
    result = colour + more + texture(image, vec2(0.5)) + kept + imageLoad(picture, ivec2(0)) + vec4(gl_DepthRange.near);
}
";

/// Draws, clears and blits under a condition.
fn conditional(target: &Target) {
    let mut query = 0;
    gl::GenQueries(1, &mut query);
    gl::BeginQuery(gl::SAMPLES_PASSED, query);
    quad();
    gl::EndQuery(gl::SAMPLES_PASSED);
    gl::BeginConditionalRender(query, gl::QUERY_WAIT);
    quad();
    target.clear([0.0; 4]);
    gl::BindFramebuffer(gl::READ_FRAMEBUFFER, Target::new(8, 8).framebuffer);
    gl::BindFramebuffer(gl::DRAW_FRAMEBUFFER, target.framebuffer);
    gl::BlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, gl::COLOR_BUFFER_BIT, gl::NEAREST);
    gl::EndConditionalRender();
    quad();
}

/// Compute work that reads all that a dispatch may read.
struct Dispatches {
    program: Program,
    other: Program,
    ranges: u32,
    images: [u32; 2],
}

const COMPUTE: &str = "#version 430 core
layout(local_size_x = 1) in;
uniform vec4 colour;
layout(std140, binding = 3) uniform Block { vec4 more; };
layout(binding = 3) uniform sampler2D image;
layout(binding = 3, rgba8) uniform readonly image2D picture;
layout(std430, binding = 3) buffer Store { vec4 kept; };
void main() {
    kept = colour + more + textureLod(image, vec2(0.5), 0.0) + imageLoad(picture, ivec2(0)) + vec4(gl_DepthRange.near);
}
";

impl Dispatches {
    fn new() -> Self {
        let compute = |source: &str| program_with(&[(gl::COMPUTE_SHADER, source)], |_| {});
        let other = compute("#version 430 core\nlayout(local_size_x = 1) in;\nvoid main() {}\n");
        let program = compute(COMPUTE);
        program.bind();
        program.set4f("colour", [0.5; 4]);
        let ranges = buffer(gl::UNIFORM_BUFFER, &[0.0_f32; 256]);
        let images = [(); 2].map(|_| texture_2d::<u8>(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, None));
        let made = Self { program, other, ranges, images };
        made.show(0);
        made.bind(gl::UNIFORM_BUFFER, 0);
        made.bind(gl::SHADER_STORAGE_BUFFER, 0);
        made
    }

    fn run(&self) {
        self.program.bind();
        gl::DispatchCompute(1, 1, 1);
    }

    fn bind(&self, target: u32, offset: isize) {
        gl::BindBufferRange(target, 3, self.ranges, offset, 16);
    }

    fn show(&self, at: usize) {
        gl::ActiveTexture(gl::TEXTURE3);
        gl::BindTexture(gl::TEXTURE_2D, self.images[at]);
        gl::ActiveTexture(gl::TEXTURE0);
        gl::BindImageTexture(3, self.images[at], 0, gl::FALSE, 0, gl::READ_ONLY, gl::RGBA8);
    }

    /// Changes one thing at a time.
    fn change_and_run(&self) {
        self.run();
        self.program.set4f("colour", [0.25; 4]);
        self.run();
        self.bind(gl::UNIFORM_BUFFER, 256);
        self.run();
        self.bind(gl::SHADER_STORAGE_BUFFER, 512);
        self.run();
        self.show(1);
        self.run();
        gl::DepthRange(0.125, 0.5);
        self.run();
        self.other.bind();
        gl::DispatchCompute(1, 1, 1);
    }
}

/// Draws with another vertex layout on a target with four samples and with a sample mask.
fn multisampled() {
    gl::BindFramebuffer(gl::FRAMEBUFFER, gen_framebuffer());
    gl::BindRenderbuffer(gl::RENDERBUFFER, gen_renderbuffer());
    gl::RenderbufferStorageMultisample(gl::RENDERBUFFER, 4, gl::RGBA8, 4, 4);
    let renderbuffer = get_i32(gl::RENDERBUFFER_BINDING) as u32;
    gl::FramebufferRenderbuffer(gl::FRAMEBUFFER, gl::COLOR_ATTACHMENT0, gl::RENDERBUFFER, renderbuffer);
    quad();
    gl::Enable(gl::SAMPLE_MASK);
    gl::SampleMaski(0, 1);
    quad();
    gl::Enable(gl::SAMPLE_SHADING);
    gl::MinSampleShading(1.0);
    quad();
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[0_i16; 16]);
    gl::EnableVertexAttribArray(0);
    gl::VertexAttribPointer(0, 2, gl::SHORT, gl::TRUE, 0, std::ptr::null());
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
}
