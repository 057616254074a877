//! Tests of the harness itself: the gates must have been seen red.

use gallite_tests::draw::{
    SOLID_VS, Target, buffer, capture, capturing_program, depth_stencil_target, expect_no_error, gen_framebuffer,
    gen_renderbuffer, gen_vertex_array, get_i32, program, quad, solid, tex_parameter, texture_2d, vertex_attrib,
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
    every core(3, 3): scene_for_the_verifier;
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

/// Atoms whose effect a 3.3 core context can see, and what the verifier says when their pushes are left out.
const ATOMS: &[(&str, &str)] = &[
    ("Framebuffer", "set_framebuffer: FramebufferState.color differs"),
    ("Program", "bind_shader(GRAPHICS): pushed"),
    ("Viewport", "set_viewports[0]: Viewport.x differs"),
    ("Scissor", "set_scissors[0]: Rect.width differs"),
    ("Rasterizer", "bind_rasterizer: pushed"),
    ("Blend", "bind_blend: pushed"),
    ("BlendColor", "set_blend_color: pushed"),
    ("DepthStencil", "bind_depth_stencil: pushed"),
    ("StencilReference", "set_stencil_reference: pushed"),
    ("SampleMask", "set_sample_mask: pushed"),
    ("VertexElements", "bind_vertex_elements: pushed"),
    ("VertexBuffers", "set_vertex_buffers[0]: VertexBuffer.buffer differs"),
    ("Uniforms", "set_default_block(GRAPHICS): byte 2 differs"),
    ("UniformBuffers", "set_uniform_buffers(GRAPHICS)[0]: BufferRange.offset differs"),
    ("Textures", "set_samplers(GRAPHICS)[0]: SampledBinding.sampler differs"),
    ("TextureUnits", "set_samplers(GRAPHICS)[0]: SampledBinding.view differs"),
    ("TransformFeedback", "set_xfb_targets: pushed"),
];

/// Each atom is left out in a child of its own; the scene, which passes otherwise, must fail and name what is stale.
fn lesson_27_every_dropped_atom_is_named(env: &Env) {
    if env.lane.is_system() {
        skip("the verifier is Gallite's");
    }
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

/// Changes every kind of state that 3.3 has and draws each time.
fn scene_for_the_verifier(_: &Env) {
    let target = Target::new(8, 8);
    let ranges = buffer(gl::UNIFORM_BUFFER, &[0.0_f32; 256]);
    gl::BindBufferRange(gl::UNIFORM_BUFFER, 0, ranges, 0, 16);
    let other = texture_2d::<u8>(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, None);
    let first = texture_2d::<u8>(gl::RGBA8, 1, 1, gl::RGBA, gl::UNSIGNED_BYTE, None);
    let program = program(SOLID_VS, SCENE_FS);
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
    expect_no_error("scene");
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
    gl::BindVertexArray(gen_vertex_array());
    buffer(gl::ARRAY_BUFFER, &[0_i16; 16]);
    gl::EnableVertexAttribArray(0);
    gl::VertexAttribPointer(0, 2, gl::SHORT, gl::TRUE, 0, std::ptr::null());
    gl::DrawArrays(gl::TRIANGLE_STRIP, 0, 4);
}
