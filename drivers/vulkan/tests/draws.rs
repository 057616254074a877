//! Draws that follow one another: their order, and state that changes between them, on devices that can do much and little.

mod support;

use gallite_pipe::*;
use support::{FLAT, Glsl, Rig, flat_desc};

const RGBA8: Format = Format::R8G8B8A8_UNORM;

/// Ways to do without features that the driver has another path for.
const LESSER: &[&[&str]] = &[
    &[],
    &["multi_draw"],
    &["eds3"],
    &["eds2"],
    &["vertex_input"],
    &["eds1", "vertex_input"],
    &["dynamic_rendering"],
    &[
        "timeline",
        "dynamic_rendering",
        "eds1",
        "vertex_input",
        "multi_draw",
        "depth_clip_control",
        "conditional_rendering",
        "null_descriptor",
        "custom_border_color",
    ],
];

/// Colours by the number of the quad, four vertices each.
const NUMBERED: Glsl<'_> = Glsl {
    vertex: "#version 330 core
        layout(location = 0) in vec2 p; flat out int quad;
        void main() { gl_Position = vec4(p, 0.0, 1.0); quad = gl_VertexID / 4; }",
    geometry: None,
    fragment: "#version 330 core
        flat in int quad; layout(location = 0) out vec4 c;
        void main() { c = vec4(quad == 0, quad == 1, quad == 2, 1.0); }",
    captured: &[],
};

fn quad(x0: f32, y0: f32, x1: f32, y1: f32) -> [[f32; 2]; 4] {
    [[x0, y0], [x1, y0], [x0, y1], [x1, y1]]
}

#[test]
fn draws_keep_their_order() {
    for without in LESSER {
        let Some(mut rig) = Rig::without(without) else { return };
        let target = rig.texture(RGBA8, 4, 4);
        rig.target(target, RGBA8, 4, 4);
        rig.glsl(&NUMBERED);
        let quads = [quad(-1.0, -1.0, 1.0, 1.0), quad(0.0, -1.0, 1.0, 1.0), quad(-1.0, 0.0, 1.0, 1.0)];
        rig.vertices(&quads.concat());
        let info = DrawInfo {
            mode: PrimitiveMode::TRIANGLE_STRIP,
            instance_count: 1,
            max_index: u32::MAX,
            ..Default::default()
        };
        let arrays = |rig: &mut Rig, number: u32| {
            rig.context.draw(&info, &[DrawRange { start: number * 4, count: 4, base_vertex: 0 }], &[]);
        };
        for number in 0..3 {
            arrays(&mut rig, number);
        }
        let bytes = rig.read(target, 4, 4, 4);
        let corners = |bytes: &[u8]| [(0, 0), (3, 0), (0, 3), (3, 3)].map(|(x, y)| Rig::pixel(bytes, 4, x, y));
        let (red, green, blue) = ([255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]);
        assert_eq!(corners(&bytes), [red, green, blue, blue], "{without:?}");
        // The other way round, with a clear between them: nothing before it is left.
        arrays(&mut rig, 2);
        arrays(&mut rig, 1);
        rig.clear([0.0, 0.0, 0.0, 1.0]);
        arrays(&mut rig, 2);
        arrays(&mut rig, 1);
        let bytes = rig.read(target, 4, 4, 4);
        assert_eq!(corners(&bytes), [[0, 0, 0, 255], green, blue, green], "{without:?}");
        // Indexed at different offsets and base vertices, mixed with draws in order and with instances.
        let indices: Vec<u8> = (0..8u16).flat_map(u16::to_le_bytes).collect();
        let index_buffer = rig.buffer(&indices);
        let indexed = DrawInfo { index_size: 2, index_buffer, ..info };
        let one = |offset: u64, base_vertex: i32| {
            (DrawInfo { index_offset: offset, ..indexed }, DrawRange { start: 0, count: 4, base_vertex })
        };
        rig.clear([0.0; 4]);
        for (info, range) in [one(0, 0), one(8, 0)] {
            rig.context.draw(&info, &[range], &[]);
        }
        arrays(&mut rig, 0);
        rig.context.draw(
            &DrawInfo { instance_count: 2, ..info },
            &[DrawRange { start: 4, count: 4, base_vertex: 0 }],
            &[],
        );
        let (info, range) = one(8, 4);
        rig.context.draw(&info, &[range], &[]);
        let bytes = rig.read(target, 4, 4, 4);
        assert_eq!(corners(&bytes), [red, green, blue, blue], "{without:?}");
        rig.finish();
    }
}

#[test]
fn facing_follows_the_framebuffer_in_force() {
    for without in LESSER {
        let Some(mut rig) = Rig::without(without) else { return };
        let plain = rig.texture(RGBA8, 4, 4);
        let surface = rig.texture_with(TextureDesc {
            format: RGBA8,
            dim: TextureDim::D2,
            width: 4,
            height: 4,
            depth: 1,
            layers: 1,
            levels: 1,
            samples: 1,
            bind: Bind::SAMPLED | Bind::COLOR,
            flags: TextureFlags::SURFACE_ORIENTED,
        });
        rig.program(FLAT, flat_desc(), &[]);
        rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32; 4]));
        rig.raster(RasterizerState { flags: RasterFlags::FRONT_CCW, cull: CullFace::BACK, ..Default::default() });
        // All in one batch: no read between the draws.
        for target in [plain, surface, plain, surface] {
            rig.target(target, RGBA8, 4, 4);
            rig.clear([0.0; 4]);
            rig.full_quad();
        }
        for target in [plain, surface] {
            assert_eq!(rig.read(target, 4, 4, 4), [255; 64], "counter-clockwise is front, {without:?}");
        }
        rig.finish();
    }
}

/// Squares of a 4 by 4 board, drawn one by one with another state each.
fn board(rig: &mut Rig) -> Vec<u8> {
    let color = rig.texture(RGBA8, 16, 16);
    let format = Format::Z24_UNORM_S8_UINT;
    let depth = rig.texture_with(Rig::plain(format, 16, 16, Bind::DEPTH_STENCIL | Bind::SAMPLED));
    let surface = SurfaceView { texture: depth, format, layer_count: 1, ..Default::default() };
    let mut state =
        FramebufferState { width: 16, height: 16, layers: 1, samples: 1, color_count: 1, ..Default::default() };
    state.color[0] = rig.surface(color, RGBA8);
    rig.framebuffer(FramebufferState { depth: surface, stencil: surface, ..state });
    rig.clear([0.25, 0.5, 0.75, 1.0]);
    rig.context.clear(&ClearInfo {
        clear_depth: 1,
        depth: F64::new(0.25),
        clear_stencil: 1,
        stencil: 1,
        stencil_write_mask: 0xff,
        ..Default::default()
    });
    rig.program(FLAT, flat_desc(), &[]);
    let opaque = BlendAttachment { write_mask: 15, ..Default::default() };
    let added = BlendAttachment {
        enable: 1,
        src_color: BlendFactor::SRC_ALPHA,
        dst_color: BlendFactor::ONE,
        src_alpha: BlendFactor::ONE,
        dst_alpha: BlendFactor::ZERO,
        ..opaque
    };
    let constant = BlendAttachment { src_color: BlendFactor::CONSTANT_COLOR, dst_color: BlendFactor::ZERO, ..added };
    let fill = RasterizerState { flags: RasterFlags::FRONT_CCW, line_width: F32::new(1.0), ..Default::default() };
    let never = DepthStencilState { depth_test: 1, depth_func: CompareFunc::LESS, ..Default::default() };
    let face = StencilFace { func: CompareFunc::NOTEQUAL, compare_mask: 0xff, write_mask: 0xff, ..Default::default() };
    let masked = DepthStencilState { stencil_test: 1, front: face, back: face, ..Default::default() };
    for square in 0..16u32 {
        let (x, y) = ((square % 4) as f32 * 0.5 - 1.0, (square / 4) as f32 * 0.5 - 1.0);
        rig.context.set_blend_color(&[0.5f32, 0.25, 1.0, 1.0].map(F32::new));
        rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32, 0.5, 0.0, 0.5]));
        rig.context.set_stencil_reference(1, 1);
        rig.context.set_scissors(0, &[Rect { x: 0, y: 0, width: 14, height: 14 }]);
        rig.blend(match square {
            1 | 5 | 9 => added,
            2 => BlendAttachment { write_mask: 4, ..opaque },
            3 => constant,
            _ => opaque,
        });
        rig.depth_stencil(match square {
            4 => never,
            6 => DepthStencilState { depth_func: CompareFunc::GREATER, ..never },
            7 => masked,
            8 => DepthStencilState { front: StencilFace { func: CompareFunc::EQUAL, ..face }, ..masked },
            _ => DepthStencilState::default(),
        });
        rig.raster(match square {
            10 => RasterizerState { cull: CullFace::BACK, ..fill },
            11 => RasterizerState { cull: CullFace::FRONT, ..fill },
            12 => RasterizerState { flags: fill.flags | RasterFlags::DISCARD, ..fill },
            14 => RasterizerState {
                front_mode: PolygonMode::POINT,
                back_mode: PolygonMode::POINT,
                point_size: F32::new(1.0),
                ..fill
            },
            15 => RasterizerState { flags: fill.flags | RasterFlags::SCISSOR, ..fill },
            _ => fill,
        });
        rig.vertices(&quad(x, y, x + 0.5, y + 0.5));
        // Square 13 as a list, so that the topology changes too.
        let list = square == 13;
        rig.draw(if list { PrimitiveMode::TRIANGLES } else { PrimitiveMode::TRIANGLE_STRIP }, if list { 3 } else { 4 });
    }
    rig.read(color, 16, 16, 4)
}

#[test]
fn state_between_draws_is_the_same_on_lesser_devices() {
    let mut expected: Option<Vec<u8>> = None;
    for without in LESSER {
        let Some(mut rig) = Rig::without(without) else { return };
        let bytes = board(&mut rig);
        let square = |x: u32, y: u32| Rig::pixel(&bytes, 16, x * 4 + 1, y * 4 + 1);
        let (clear, drawn) = ([64, 128, 191, 255], [255, 128, 0, 128]);
        let near = |a: [u8; 4], b: [u8; 4]| a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 1);
        assert_eq!(square(0, 0), drawn, "{without:?}");
        let sum = square(1, 0);
        assert!(near(sum, [191, 191, 191, 128]), "source times alpha is added: {sum:?}, {without:?}");
        assert_eq!(square(2, 0), [64, 128, 0, 255], "blue alone is written, {without:?}");
        let constant = square(3, 0);
        assert!(near(constant, [128, 32, 0, 128]), "the constant colour: {constant:?}, {without:?}");
        assert_eq!(square(0, 1), clear, "0.5 is not less than 0.25, {without:?}");
        assert_eq!(square(2, 1), drawn, "but greater, {without:?}");
        assert_eq!(square(3, 1), clear, "stencil differs from nothing, {without:?}");
        assert_eq!(square(0, 2), drawn, "stencil equal, {without:?}");
        assert_eq!(square(2, 2), drawn, "back faces culled, {without:?}");
        assert_eq!(square(3, 2), clear, "front faces culled, {without:?}");
        assert_eq!(square(0, 3), clear, "discarded, {without:?}");
        assert_eq!(Rig::pixel(&bytes, 16, 15, 15), clear, "scissored, {without:?}");
        assert_eq!(Rig::pixel(&bytes, 16, 13, 13), drawn, "inside the scissor, {without:?}");
        let expected = expected.get_or_insert_with(|| bytes.clone());
        assert_eq!(expected, &bytes, "{without:?}");
        rig.finish();
    }
}

#[test]
fn clears_reach_layers_that_rendering_does_not() {
    for without in [&[][..], &["dynamic_rendering"]] {
        let Some(mut rig) = Rig::without(without) else { return };
        let layered = |rig: &mut Rig, format, layers, bind| {
            rig.texture_with(TextureDesc {
                format,
                dim: TextureDim::D2_ARRAY,
                width: 4,
                height: 4,
                depth: 1,
                layers,
                levels: 1,
                samples: 1,
                bind: Bind::SAMPLED | bind,
                ..Default::default()
            })
        };
        let depth_format = Format::Z24_UNORM_S8_UINT;
        let few = layered(&mut rig, RGBA8, 2, Bind::COLOR);
        let many = layered(&mut rig, RGBA8, 5, Bind::COLOR);
        let depth = layered(&mut rig, depth_format, 4, Bind::DEPTH_STENCIL);
        let surface = |texture, format, layer_count| SurfaceView { texture, format, layer_count, ..Default::default() };
        let attachment = surface(depth, depth_format, 4);
        let mut state = FramebufferState {
            width: 4,
            height: 4,
            layers: 2,
            layered: 1,
            samples: 1,
            color_count: 2,
            depth: attachment,
            stencil: attachment,
            ..Default::default()
        };
        state.color[0] = surface(few, RGBA8, 2);
        state.color[1] = surface(many, RGBA8, 5);
        rig.framebuffer(state);
        // GL 4.6 core 9.8: all layers of every layered attachment are cleared. Whole, then a corner with masks.
        let mut info = ClearInfo {
            color_attachments: 3,
            color_write_masks: 0xff,
            clear_depth: 1,
            depth: F64::new(1.0),
            clear_stencil: 1,
            stencil: 0x33,
            stencil_write_mask: 0xff,
            ..Default::default()
        };
        info.set_color_f32([1.0, 0.0, 0.0, 1.0]);
        rig.context.clear(&info);
        info.set_color_f32([0.0, 1.0, 0.0, 1.0]);
        info.color_write_masks = 0x22;
        info.scissored = 1;
        info.scissor = Rect { x: 0, y: 0, width: 2, height: 2 };
        info.depth = F64::new(0.0);
        info.stencil = 0xff;
        info.stencil_write_mask = 0x0f;
        rig.context.clear(&info);
        let mut read = |texture, z| {
            let mut transfer = Rig::whole(texture, 4, 4, 4);
            transfer.region.z = z;
            let mut bytes = [0u8; 64];
            assert_eq!(rig.context.texture_read(&transfer, &mut bytes), Outcome::DONE);
            [Rig::pixel(&bytes, 4, 0, 0), Rig::pixel(&bytes, 4, 3, 3)]
        };
        for (texture, layers) in [(few, 2), (many, 5)] {
            for z in 0..layers {
                assert_eq!(
                    read(texture, z),
                    [[255, 255, 0, 255], [255, 0, 0, 255]],
                    "layer {z} of {layers}, {without:?}"
                );
            }
        }
        for z in 0..4 {
            assert_eq!(read(depth, z), [[0x3f, 0, 0, 0], [0x33, 0xff, 0xff, 0xff]], "depth of layer {z}, {without:?}");
        }
        rig.finish();
    }
}

#[test]
fn contents_given_up_are_those_of_one_framebuffer() {
    let Some(mut rig) = Rig::new() else { return };
    let (a, b) = (rig.texture(RGBA8, 4, 4), rig.texture(RGBA8, 4, 4));
    rig.program(FLAT, flat_desc(), &[]);
    let loads = |rig: &mut Rig| {
        rig.context.flush(FenceId::NULL, FlushFlags::EMPTY);
        rig.screen.counters().attachment_loads
    };
    for target in [a, b] {
        rig.target(target, RGBA8, 4, 4);
        rig.clear([1.0; 4]);
        rig.full_quad();
    }
    rig.target(a, RGBA8, 4, 4);
    rig.full_quad();
    let before = loads(&mut rig);
    // Given up after drawing, in the open pass: the next pass on it loads nothing.
    rig.full_quad();
    rig.context.invalidate(&InvalidateInfo { color_attachments: 1, ..Default::default() });
    rig.full_quad();
    let after = loads(&mut rig);
    assert_eq!(after - before, 1, "only the pass before the contents were given up loads");
    rig.context.invalidate(&InvalidateInfo { color_attachments: 1, ..Default::default() });
    rig.target(b, RGBA8, 4, 4);
    rig.full_quad();
    assert_eq!(loads(&mut rig) - after, 1, "what another framebuffer holds is still there");
    rig.finish();
}

#[test]
fn the_first_draw_of_a_linked_program_makes_no_pipeline() {
    for (without, made) in [(&[][..], 0), (&["precompile"][..], 1), (&["dynamic_rendering"][..], 0)] {
        let Some(mut rig) = Rig::without(without) else { return };
        let target = rig.texture(RGBA8, 4, 4);
        rig.target(target, RGBA8, 4, 4);
        rig.program(FLAT, flat_desc(), &[]);
        rig.full_quad();
        rig.read(target, 4, 4, 4);
        let before = rig.screen.counters();
        rig.glsl(&NUMBERED);
        let began = std::time::Instant::now();
        while rig.screen.counters().pipelines_created == before.pipelines_created && made == 0 {
            assert!(began.elapsed().as_secs() < 60, "no pipeline is made after the link, {without:?}");
            std::thread::yield_now();
        }
        rig.full_quad();
        assert_eq!(Rig::pixel(&rig.read(target, 4, 4, 4), 4, 1, 1), [255, 0, 0, 255]);
        let after = rig.screen.counters();
        assert_eq!(after.pipelines_created_in_draw - before.pipelines_created_in_draw, made, "{without:?}");
        assert_eq!(after.pipelines_created - before.pipelines_created, 1, "{without:?}");
        rig.finish();
    }
}

/// Most programs link everything before they draw anything.
#[test]
fn programs_linked_before_anything_is_drawn_to_make_no_pipeline_in_a_draw() {
    for without in [&[][..], &["dynamic_rendering"][..]] {
        let Some(mut rig) = Rig::without(without) else { return };
        let flat = rig.program(FLAT, flat_desc(), &[]);
        let numbered = rig.glsl(&NUMBERED);
        let target = rig.texture(RGBA8, 4, 4);
        rig.target(target, RGBA8, 4, 4);
        rig.clear([0.0; 4]);
        let began = std::time::Instant::now();
        while rig.screen.counters().pipelines_created < 2 {
            assert!(began.elapsed().as_secs() < 60, "no pipelines are made after the clear, {without:?}");
            std::thread::yield_now();
        }
        for (program, wanted) in [(numbered, [255, 0, 0, 255]), (flat, [0, 0, 0, 0])] {
            rig.context.bind_shader(BindPoint::GRAPHICS, program);
            rig.full_quad();
            assert_eq!(Rig::pixel(&rig.read(target, 4, 4, 4), 4, 1, 1), wanted);
        }
        assert_eq!(rig.screen.counters().pipelines_created_in_draw, 0, "{without:?}");
        assert_eq!(rig.screen.counters().pipelines_created, 2, "{without:?}");
        rig.finish();
    }
}
