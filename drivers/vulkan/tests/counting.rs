//! Queries, capture and geometry.

mod support;

use gallite_pipe::*;
use support::{FLAT, Glsl, Rig, flat_desc};

const RGBA8: Format = Format::R8G8B8A8_UNORM;

fn query(rig: &mut Rig, kind: QueryKind) -> QueryId {
    let id = rig.query_id();
    rig.screen.create_query(id, &QueryDesc { kind, index: 0 });
    id
}

fn result(rig: &mut Rig, id: QueryId) -> u64 {
    let result = rig.context.query_result(id, 1);
    assert_eq!(result.ready, 1);
    result.value
}

#[test]
fn samples_are_counted_over_pass_breaks() {
    let Some(mut rig) = Rig::new() else { return };
    let target = rig.texture(RGBA8, 8, 8);
    rig.program(FLAT, flat_desc(), &[]);
    rig.target(target, RGBA8, 8, 8);
    let (count, any, none) = (
        query(&mut rig, QueryKind::OCCLUSION),
        query(&mut rig, QueryKind::ANY_SAMPLES),
        query(&mut rig, QueryKind::OCCLUSION),
    );
    rig.full_quad();
    rig.context.begin_query(count);
    rig.full_quad();
    rig.context.begin_query(any);
    // A readback breaks the pass while both are active.
    rig.read(target, 8, 8, 4);
    rig.full_quad();
    rig.context.end_query(count);
    rig.context.end_query(any);
    rig.full_quad();
    rig.context.begin_query(none);
    rig.context.end_query(none);
    assert_eq!(result(&mut rig, count), 128);
    assert_eq!(result(&mut rig, any), 1);
    assert_eq!(result(&mut rig, none), 0);
    rig.finish();
}

#[test]
fn polling_comes_to_an_end() {
    let Some(mut rig) = Rig::new() else { return };
    let target = rig.texture(RGBA8, 8, 8);
    rig.program(FLAT, flat_desc(), &[]);
    rig.target(target, RGBA8, 8, 8);
    let id = query(&mut rig, QueryKind::OCCLUSION);
    rig.context.begin_query(id);
    rig.full_quad();
    rig.context.end_query(id);
    let mut tries = 0;
    while rig.context.query_result(id, 0).ready == 0 {
        tries += 1;
        assert!(tries < 1_000_000, "polling alone must get there");
        std::thread::yield_now();
    }
    rig.finish();
}

#[test]
fn time_passes() {
    let Some(mut rig) = Rig::new() else { return };
    let target = rig.texture(RGBA8, 64, 64);
    rig.program(FLAT, flat_desc(), &[]);
    rig.target(target, RGBA8, 64, 64);
    let (before, elapsed, after) = (
        query(&mut rig, QueryKind::TIMESTAMP),
        query(&mut rig, QueryKind::TIME_ELAPSED),
        query(&mut rig, QueryKind::TIMESTAMP),
    );
    rig.context.end_query(before);
    rig.context.begin_query(elapsed);
    rig.full_quad();
    rig.context.end_query(elapsed);
    rig.context.end_query(after);
    let (t0, dt, t1) = (result(&mut rig, before), result(&mut rig, elapsed), result(&mut rig, after));
    assert!(t1 > t0 && dt <= t1 - t0, "{t0} {dt} {t1}");
    assert!(rig.screen.timestamp() >= t1);
    rig.finish();
}

#[test]
fn a_condition_skips_draws_and_clears() {
    let Some(mut rig) = Rig::new() else { return };
    let target = rig.texture(RGBA8, 8, 8);
    rig.program(FLAT, flat_desc(), &[]);
    rig.target(target, RGBA8, 8, 8);
    rig.clear([0.0; 4]);
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32; 4]));
    let empty = query(&mut rig, QueryKind::OCCLUSION);
    rig.context.begin_query(empty);
    rig.context.end_query(empty);
    for (inverted, drawn) in [(0, 0), (1, 255)] {
        rig.context.set_render_condition(&RenderCondition { query: empty, mode: ConditionMode::WAIT, inverted });
        rig.full_quad();
        rig.context.set_render_condition(&RenderCondition::default());
        let bytes = rig.read(target, 8, 8, 4);
        assert_eq!(bytes[0], drawn);
    }
    rig.finish();
}

#[test]
fn the_device_decides_a_condition_without_a_wait() {
    for (without, native) in [(&[][..], true), (&["conditional_rendering"], false), (&["dynamic_rendering"], true)] {
        let Some(mut rig) = Rig::without(without) else { return };
        let target = rig.texture(RGBA8, 8, 8);
        rig.program(FLAT, flat_desc(), &[]);
        rig.target(target, RGBA8, 8, 8);
        rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32; 4]));
        let (some, none) = (query(&mut rig, QueryKind::ANY_SAMPLES), query(&mut rig, QueryKind::OCCLUSION));
        rig.context.begin_query(some);
        rig.full_quad();
        rig.context.end_query(some);
        rig.raster(RasterizerState { flags: RasterFlags::FRONT_CCW, cull: CullFace::FRONT, ..Default::default() });
        rig.context.begin_query(none);
        rig.full_quad();
        rig.context.end_query(none);
        rig.raster(RasterizerState { flags: RasterFlags::FRONT_CCW, ..Default::default() });
        rig.clear([0.0; 4]);
        let before = rig.screen.counters();
        // Each draws one colour channel, two draws in a row and one after a break of the pass.
        let cases = [(some, 0, 1u8), (some, 1, 2), (none, 0, 4), (none, 1, 8)];
        for (id, inverted, mask) in cases {
            rig.blend(BlendAttachment { write_mask: mask, ..Default::default() });
            rig.context.set_render_condition(&RenderCondition { query: id, mode: ConditionMode::WAIT, inverted });
            rig.full_quad();
            rig.full_quad();
            rig.context.set_render_condition(&RenderCondition::default());
        }
        let after = rig.screen.counters();
        assert_eq!(after.waits == before.waits && after.submits == before.submits, native, "{without:?}");
        let bytes = rig.read(target, 8, 8, 4);
        assert_eq!(Rig::pixel(&bytes, 8, 3, 3), [255, 0, 0, 255], "drawn if some, or if not none, {without:?}");
        rig.finish();
    }
}

#[test]
fn capture_appends_and_counts() {
    let Some(mut rig) = Rig::new() else { return };
    if !rig.screen.caps().features.contains(Features::TRANSFORM_FEEDBACK) {
        return;
    }
    let target = rig.texture(RGBA8, 8, 8);
    rig.target(target, RGBA8, 8, 8);
    rig.glsl(&Glsl {
        vertex: "#version 330 core
            layout(location = 0) in vec2 p; out vec2 twice;
            void main() { twice = p * 2.0; gl_Position = vec4(p, 0.0, 1.0); }",
        geometry: None,
        fragment: "#version 330 core
            in vec2 twice; out vec4 c; void main() { c = vec4(twice, 0.0, 1.0); }",
        captured: &["twice"],
    });
    let buffer = rig.buffer(&[0; 256]);
    let id = rig.xfb_id();
    rig.screen.create_xfb_target(id, &XfbTargetDesc { buffer, offset: 16, size: 240 });
    let written = query(&mut rig, QueryKind::XFB_PRIMITIVES_WRITTEN);
    let generated = query(&mut rig, QueryKind::PRIMITIVES_GENERATED);
    rig.context.begin_query(written);
    rig.context.begin_query(generated);
    rig.context.set_xfb_targets(&[XfbBinding { target: id, append: 0, reserved: 0 }]);
    rig.vertices(&[[0.0, 0.25], [0.5, 0.0], [0.0, 1.0]]);
    rig.draw(PrimitiveMode::TRIANGLES, 3);
    // Paused, with a pass break, and resumed.
    rig.context.set_xfb_targets(&[]);
    rig.read(target, 8, 8, 4);
    rig.context.set_xfb_targets(&[XfbBinding { target: id, append: 1, reserved: 0 }]);
    rig.draw(PrimitiveMode::TRIANGLES, 3);
    rig.context.set_xfb_targets(&[]);
    rig.context.end_query(written);
    rig.context.end_query(generated);
    let mut bytes = vec![0u8; 256];
    rig.context.buffer_read(buffer, 0, &mut bytes);
    let floats: &[f32] = bytemuck::cast_slice(&bytes);
    assert_eq!(floats[4..10], [0.0, 0.5, 1.0, 0.0, 0.0, 2.0]);
    assert_eq!(floats[10..16], floats[4..10]);
    assert_eq!(floats[16], 0.0);
    assert_eq!(result(&mut rig, written), 2);
    assert_eq!(result(&mut rig, generated), 2);
    // And drawn from.
    rig.context.draw_xfb(&XfbDrawInfo {
        target: id,
        mode: u32::from(PrimitiveMode::TRIANGLES.0),
        instance_count: 1,
        base_instance: 0,
        stride: 8,
    });
    rig.read(target, 8, 8, 4);
    rig.finish();
}

#[test]
fn geometry_chooses_the_layer() {
    let Some(mut rig) = Rig::new() else { return };
    let target = rig.texture_with(TextureDesc {
        format: RGBA8,
        dim: TextureDim::D2_ARRAY,
        width: 4,
        height: 4,
        depth: 1,
        layers: 3,
        levels: 1,
        samples: 1,
        bind: Bind::COLOR,
        ..Default::default()
    });
    let mut state = FramebufferState {
        width: 4,
        height: 4,
        layers: 3,
        samples: 1,
        color_count: 1,
        layered: 1,
        ..Default::default()
    };
    state.color[0] = SurfaceView { texture: target, format: RGBA8, layer_count: 3, ..Default::default() };
    rig.framebuffer(state);
    rig.clear([0.0; 4]);
    rig.glsl(&Glsl {
        vertex: "#version 330 core
            layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }",
        geometry: Some(
            "#version 330 core
            layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
            void main() { for (int i = 0; i < 3; i++) { gl_Layer = 2; gl_Position = gl_in[i].gl_Position; EmitVertex(); } }",
        ),
        fragment: "#version 330 core
            out vec4 c; void main() { c = vec4(1.0); }",
        captured: &[],
    });
    rig.full_quad();
    for layer in 0..3 {
        let mut transfer = Rig::whole(target, 4, 4, 4);
        transfer.region.z = layer;
        let mut bytes = [9; 64];
        rig.context.texture_read(&transfer, &mut bytes);
        assert_eq!(bytes, [if layer == 2 { 255 } else { 0 }; 64], "layer {layer}");
    }
    rig.finish();
}
