//! Clears and triangles through the pipe interface alone, under validation.

mod support;

use gallite_pipe::*;
use support::{FLAT, Rig, flat_desc};

const RGBA8: Format = Format::R8G8B8A8_UNORM;

fn lower_left_triangle(rig: &mut Rig) -> TextureId {
    let texture = rig.texture(RGBA8, 16, 16);
    rig.target(texture, RGBA8, 16, 16);
    rig.program(FLAT, flat_desc(), &[]);
    rig.vertices(&[[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]]);
    rig.clear([0.0, 0.0, 1.0, 1.0]);
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32, 0.0, 0.0, 1.0]));
    rig.draw(PrimitiveMode::TRIANGLES, 3);
    texture
}

fn check_lower_left(rig: &mut Rig, texture: TextureId) {
    let bytes = rig.read(texture, 16, 16, 4);
    // Row 0 is the bottom: the triangle covers the lower left half.
    assert_eq!(Rig::pixel(&bytes, 16, 1, 1), [255, 0, 0, 255]);
    assert_eq!(Rig::pixel(&bytes, 16, 12, 1), [255, 0, 0, 255]);
    assert_eq!(Rig::pixel(&bytes, 16, 1, 12), [255, 0, 0, 255]);
    assert_eq!(Rig::pixel(&bytes, 16, 14, 14), [0, 0, 255, 255]);
}

#[test]
fn a_triangle_over_a_clear() {
    let Some(mut rig) = Rig::new() else { return };
    let texture = lower_left_triangle(&mut rig);
    check_lower_left(&mut rig, texture);
    let counters = rig.screen.counters();
    assert_eq!(counters.render_passes, 1);
    assert_eq!(counters.attachment_clears, 1, "the clear is the pass's load operation");
    assert_eq!(counters.attachment_loads, 0);
    rig.finish();
}

/// The code paths that a screen has chosen.
fn paths(rig: &Rig) -> Vec<String> {
    text(&rig.screen.caps().private_paths).lines().map(str::to_owned).collect()
}

#[test]
fn older_devices_draw_the_same() {
    let Some(full) = Rig::new() else { return };
    let full = paths(&full);
    for (without, gone) in [
        (&["eds1"][..], &["extended-dynamic-state", "extended-dynamic-state-2", "dynamic-blending"][..]),
        (&["eds2"], &["extended-dynamic-state-2", "dynamic-blending"]),
        (&["eds3"], &["dynamic-blending"]),
        (&["vertex_input"], &["vertex-input-dynamic-state"]),
        (&["timeline"], &["timeline-semaphore"]),
        (&["eds1", "vertex_input", "timeline"], &["extended-dynamic-state", "vertex-input-dynamic-state"]),
    ] {
        let Some(mut rig) = Rig::without(without) else { return };
        let left = paths(&rig);
        let has = |paths: &[String], path: &str| paths.iter().any(|has| has == path);
        for path in gone.iter().filter(|path| has(&full, path)) {
            assert!(!has(&left, path), "{path} is taken without {without:?}");
        }
        let texture = lower_left_triangle(&mut rig);
        check_lower_left(&mut rig, texture);
        rig.finish();
    }
}

#[test]
fn counter_clockwise_is_front() {
    let Some(mut rig) = Rig::new() else { return };
    for (cull, visible) in [(CullFace::BACK, true), (CullFace::FRONT, false)] {
        rig.raster(RasterizerState {
            flags: RasterFlags::FRONT_CCW,
            cull,
            line_width: F32::new(1.0),
            point_size: F32::new(1.0),
            ..Default::default()
        });
        let texture = lower_left_triangle(&mut rig);
        let bytes = rig.read(texture, 16, 16, 4);
        assert_eq!(Rig::pixel(&bytes, 16, 1, 1)[0] == 255, visible);
    }
    rig.finish();
}

#[test]
fn surface_oriented_textures_look_the_same_to_callers() {
    let Some(mut rig) = Rig::new() else { return };
    let texture = rig.texture_with(TextureDesc {
        format: RGBA8,
        dim: TextureDim::D2,
        flags: TextureFlags::SURFACE_ORIENTED,
        width: 16,
        height: 16,
        depth: 1,
        layers: 1,
        levels: 1,
        samples: 1,
        bind: Bind::COLOR,
    });
    rig.raster(RasterizerState {
        flags: RasterFlags::FRONT_CCW | RasterFlags::SCISSOR,
        cull: CullFace::BACK,
        line_width: F32::new(1.0),
        point_size: F32::new(1.0),
        ..Default::default()
    });
    rig.target(texture, RGBA8, 16, 16);
    rig.context.set_scissors(0, &[Rect { x: 0, y: 0, width: 16, height: 8 }]);
    rig.program(FLAT, flat_desc(), &[]);
    rig.vertices(&[[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]]);
    rig.clear([0.0, 0.0, 1.0, 1.0]);
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32, 0.0, 0.0, 1.0]));
    rig.draw(PrimitiveMode::TRIANGLES, 3);
    let bytes = rig.read(texture, 16, 16, 4);
    assert_eq!(Rig::pixel(&bytes, 16, 1, 1), [255, 0, 0, 255], "lower left, inside the scissor");
    assert_eq!(Rig::pixel(&bytes, 16, 1, 12), [0, 0, 255, 255], "upper left, outside");
    rig.finish();
}

#[test]
fn draws_follow_uniform_and_vertex_changes() {
    let Some(mut rig) = Rig::new() else { return };
    let texture = rig.texture(RGBA8, 4, 4);
    rig.target(texture, RGBA8, 4, 4);
    rig.program(FLAT, flat_desc(), &[]);
    rig.clear([0.0; 4]);
    // Left column, then right column, in other colours, all in one pass.
    rig.vertices(&[[-1.0, -1.0], [-0.5, -1.0], [-1.0, 1.0], [-0.5, 1.0]]);
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32, 0.0, 0.0, 1.0]));
    rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
    rig.vertices(&[[0.5, -1.0], [1.0, -1.0], [0.5, 1.0], [1.0, 1.0]]);
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[0.0f32, 1.0, 0.0, 1.0]));
    rig.draw(PrimitiveMode::TRIANGLE_STRIP, 4);
    let bytes = rig.read(texture, 4, 4, 4);
    assert_eq!(Rig::pixel(&bytes, 4, 0, 2), [255, 0, 0, 255]);
    assert_eq!(Rig::pixel(&bytes, 4, 1, 2), [0, 0, 0, 0]);
    assert_eq!(Rig::pixel(&bytes, 4, 3, 2), [0, 255, 0, 255]);
    assert_eq!(rig.screen.counters().render_passes, 1, "uploads do not split the pass");
    rig.finish();
}
