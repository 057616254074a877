//! Blits, masked clears, mipmaps, multisampling, sampling and orientation, by their pixels.

mod support;

use gallite_pipe::*;
use support::{FLAT, Glsl, Rig, flat_desc};

const RGBA8: Format = Format::R8G8B8A8_UNORM;

fn pattern(width: u32, height: u32) -> Vec<u8> {
    (0..height).flat_map(|y| (0..width).flat_map(move |x| [(x * 10) as u8, (y * 10) as u8, 7, 255])).collect()
}

fn end(texture: TextureId, format: Format, x0: i32, y0: i32, x1: i32, y1: i32) -> BlitEnd {
    BlitEnd { texture, format, x0, y0, x1, y1, ..Default::default() }
}

fn blit(rig: &mut Rig, source: BlitEnd, destination: BlitEnd, mask: BlitMask) {
    rig.context.blit(&BlitInfo { source, destination, mask, ..Default::default() });
}

fn filled(rig: &mut Rig, format: Format, size: u32, bytes: &[u8]) -> TextureId {
    let texture = rig.texture(format, size, size);
    rig.context.texture_write(&Rig::whole(texture, size, size, bytes.len() as u32 / (size * size)), bytes);
    texture
}

#[test]
fn blits_copy_mirror_scale_and_clip() {
    let Some(mut rig) = Rig::new() else { return };
    let source = filled(&mut rig, RGBA8, 8, &pattern(8, 8));
    let grey = [9; 256];
    let target = filled(&mut rig, RGBA8, 8, &grey);
    // Unscaled and partly outside both: only what exists on both sides moves.
    blit(&mut rig, end(source, RGBA8, -2, 0, 6, 8), end(target, RGBA8, 0, 0, 8, 8), BlitMask::COLOR);
    let bytes = rig.read(target, 8, 8, 4);
    assert_eq!(Rig::pixel(&bytes, 8, 1, 3), [9; 4], "no source");
    assert_eq!(Rig::pixel(&bytes, 8, 2, 3), [0, 30, 7, 255]);
    assert_eq!(Rig::pixel(&bytes, 8, 7, 7), [50, 70, 7, 255]);
    // Mirrored in y.
    blit(&mut rig, end(source, RGBA8, 0, 8, 8, 0), end(target, RGBA8, 0, 0, 8, 8), BlitMask::COLOR);
    let bytes = rig.read(target, 8, 8, 4);
    assert_eq!(Rig::pixel(&bytes, 8, 3, 0), [30, 70, 7, 255]);
    // Magnified twice into the upper right, nearest; the rest stays.
    rig.context.texture_write(&Rig::whole(target, 8, 8, 4), &grey);
    blit(&mut rig, end(source, RGBA8, 0, 0, 2, 2), end(target, RGBA8, 4, 4, 8, 8), BlitMask::COLOR);
    let bytes = rig.read(target, 8, 8, 4);
    assert_eq!(Rig::pixel(&bytes, 8, 3, 4), [9; 4]);
    assert_eq!(Rig::pixel(&bytes, 8, 5, 5), [0, 0, 7, 255]);
    assert_eq!(Rig::pixel(&bytes, 8, 6, 5), [10, 0, 7, 255]);
    assert_eq!(Rig::pixel(&bytes, 8, 7, 7), [10, 10, 7, 255]);
    // Scissored, with conversion of formats.
    let half = rig.texture(Format::R16G16B16A16_FLOAT, 8, 8);
    rig.context.blit(&BlitInfo {
        source: end(source, RGBA8, 0, 0, 8, 8),
        destination: end(half, Format::R16G16B16A16_FLOAT, 0, 0, 8, 8),
        mask: BlitMask::COLOR,
        scissored: 1,
        scissor: Rect { x: 0, y: 0, width: 8, height: 8 },
        ..Default::default()
    });
    blit(&mut rig, end(half, Format::R16G16B16A16_FLOAT, 0, 0, 8, 8), end(target, RGBA8, 0, 0, 8, 8), BlitMask::COLOR);
    let bytes = rig.read(target, 8, 8, 4);
    assert_eq!(Rig::pixel(&bytes, 8, 7, 2), [70, 20, 7, 255]);
    rig.finish();
}

#[test]
fn integer_texels_are_blitted_exactly() {
    let Some(mut rig) = Rig::new() else { return };
    for format in [Format::R32_UINT, Format::R32_SINT] {
        let values: Vec<u32> = (0..16).map(|i| 0x8000_0000 + i * 0x0101_0101).collect();
        let source = filled(&mut rig, format, 4, bytemuck::cast_slice(&values));
        let target = filled(&mut rig, format, 4, &[0; 64]);
        blit(&mut rig, end(source, format, 4, 0, 0, 4), end(target, format, 0, 0, 4, 4), BlitMask::COLOR);
        let bytes = rig.read(target, 4, 4, 4);
        let words: &[u32] = bytemuck::cast_slice(&bytes);
        assert_eq!(words[0], values[3]);
        assert_eq!(words[13], values[14]);
    }
    rig.finish();
}

#[test]
fn depth_and_stencil_are_blitted_scaled() {
    let Some(mut rig) = Rig::new() else { return };
    let format = Format::Z24_UNORM_S8_UINT;
    let make =
        |rig: &mut Rig, size| rig.texture_with(Rig::plain(format, size, size, Bind::DEPTH_STENCIL | Bind::SAMPLED));
    let (source, target) = (make(&mut rig, 4), make(&mut rig, 8));
    let texels: Vec<u32> = (0..16).map(|i| (i * 1_000_003) << 8 | (i * 17)).collect();
    rig.context.texture_write(&Rig::whole(source, 4, 4, 4), bytemuck::cast_slice(&texels));
    rig.context.texture_write(&Rig::whole(target, 8, 8, 4), &[0xee; 256]);
    let mask = BlitMask::DEPTH | BlitMask::STENCIL;
    blit(&mut rig, end(source, format, 0, 0, 4, 4), end(target, format, 0, 0, 8, 8), mask);
    let bytes = rig.read(target, 8, 8, 4);
    let words: &[u32] = bytemuck::cast_slice(&bytes);
    for (x, y) in [(0, 0), (7, 0), (3, 5), (7, 7)] {
        let (got, wanted) = (words[y * 8 + x], texels[y / 2 * 4 + x / 2]);
        assert_eq!(got & 0xff, wanted & 0xff, "stencil at {x},{y}");
        assert!((got >> 8).abs_diff(wanted >> 8) <= 1, "depth at {x},{y}");
    }
    rig.finish();
}

#[test]
fn masked_clears_keep_the_other_channels() {
    let Some(mut rig) = Rig::new() else { return };
    let texture = filled(&mut rig, RGBA8, 4, &[100; 64]);
    rig.target(texture, RGBA8, 4, 4);
    let mut info = ClearInfo {
        color_attachments: 1,
        color_write_masks: 0b0101,
        scissored: 1,
        scissor: Rect { x: 0, y: 0, width: 2, height: 4 },
        ..Default::default()
    };
    info.set_color_f32([1.0, 1.0, 0.0, 1.0]);
    rig.context.clear(&info);
    let bytes = rig.read(texture, 4, 4, 4);
    assert_eq!(Rig::pixel(&bytes, 4, 1, 1), [255, 100, 0, 100]);
    assert_eq!(Rig::pixel(&bytes, 4, 2, 1), [100; 4]);
    rig.finish();
}

#[test]
fn masked_stencil_clears_keep_the_other_bits() {
    let Some(mut rig) = Rig::new() else { return };
    let format = Format::Z24_UNORM_S8_UINT;
    let texture = rig.texture_with(Rig::plain(format, 4, 4, Bind::DEPTH_STENCIL));
    let surface = SurfaceView { texture, format, layer_count: 1, ..Default::default() };
    rig.framebuffer(FramebufferState {
        depth: surface,
        stencil: surface,
        width: 4,
        height: 4,
        layers: 1,
        samples: 1,
        ..Default::default()
    });
    let clear = |rig: &mut Rig, stencil, mask| {
        rig.context.clear(&ClearInfo {
            clear_depth: 1,
            depth: F64::new(1.0),
            clear_stencil: 1,
            stencil,
            stencil_write_mask: mask,
            ..Default::default()
        });
    };
    clear(&mut rig, 0xf5, 0xff);
    clear(&mut rig, 0x0a, 0x0f);
    let bytes = rig.read(texture, 4, 4, 4);
    assert_eq!(bytes[..4], [0xfa, 0xff, 0xff, 0xff]);
    rig.finish();
}

#[test]
fn mipmaps_average() {
    let Some(mut rig) = Rig::new() else { return };
    let texture = rig.texture_with(TextureDesc {
        format: RGBA8,
        dim: TextureDim::D2,
        width: 4,
        height: 4,
        depth: 1,
        layers: 1,
        levels: 3,
        samples: 1,
        bind: Bind::SAMPLED,
        ..Default::default()
    });
    let checks: Vec<u8> = (0..16).flat_map(|i| if (i + i / 4) % 2 == 0 { [0; 4] } else { [200; 4] }).collect();
    rig.context.texture_write(&Rig::whole(texture, 4, 4, 4), &checks);
    let info = GenerateMipmap { texture, format: RGBA8, last_level: 2, layer_count: 1, ..Default::default() };
    assert_eq!(rig.context.generate_mipmap(&info), Outcome::DONE);
    let mut bytes = [0; 4];
    let mut transfer = Rig::whole(texture, 1, 1, 4);
    transfer.level = 2;
    rig.context.texture_read(&transfer, &mut bytes);
    assert!(bytes.iter().all(|b| b.abs_diff(100) <= 1), "{bytes:?}");
    rig.finish();
}

#[test]
fn multisampled_edges_resolve_to_averages() {
    let Some(mut rig) = Rig::new() else { return };
    let samples = rig.texture_with(TextureDesc {
        format: RGBA8,
        dim: TextureDim::D2,
        width: 8,
        height: 8,
        depth: 1,
        layers: 1,
        levels: 1,
        samples: 4,
        bind: Bind::COLOR | Bind::SAMPLED,
        ..Default::default()
    });
    let mut state =
        FramebufferState { width: 8, height: 8, layers: 1, samples: 4, color_count: 1, ..Default::default() };
    state.color[0] = rig.surface(samples, RGBA8);
    rig.framebuffer(state);
    rig.program(FLAT, flat_desc(), &[]);
    rig.clear([0.0; 4]);
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32; 4]));
    rig.vertices(&[[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]]);
    rig.draw(PrimitiveMode::TRIANGLES, 3);
    for (x0, x1) in [(0, 8), (8, 0)] {
        let target = rig.texture(RGBA8, 8, 8);
        blit(&mut rig, end(samples, RGBA8, x0, 0, x1, 8), end(target, RGBA8, 0, 0, 8, 8), BlitMask::COLOR);
        let bytes = rig.read(target, 8, 8, 4);
        let near = if x0 == 0 { 0 } else { 7 };
        assert_eq!(Rig::pixel(&bytes, 8, near, 0), [255; 4]);
        assert_eq!(Rig::pixel(&bytes, 8, 7 - near, 7), [0; 4]);
        let edge = Rig::pixel(&bytes, 8, if x0 == 0 { 3 } else { 4 }, 4);
        assert!(edge[0] > 0 && edge[0] < 255, "{edge:?}");
    }
    rig.finish();
}

const QUAD: &str = "#version 330 core
layout(location = 0) in vec2 p; out vec2 uv; void main() { uv = p * 0.5 + 0.5; gl_Position = vec4(p, 0.0, 1.0); }";

#[test]
fn textures_are_sampled_with_row_zero_at_the_bottom() {
    let Some(mut rig) = Rig::new() else { return };
    let texture = filled(&mut rig, RGBA8, 4, &pattern(4, 4));
    let target = rig.texture(RGBA8, 4, 4);
    rig.target(target, RGBA8, 4, 4);
    rig.glsl(&Glsl {
        vertex: QUAD,
        geometry: None,
        fragment: "#version 330 core
            uniform sampler2D s; in vec2 uv; out vec4 c; void main() { c = texture(s, uv); }",
        captured: &[],
    });
    rig.sample(0, Rig::view(texture, RGBA8), SamplerState::default());
    rig.full_quad();
    assert_eq!(rig.read(target, 4, 4, 4), pattern(4, 4));
    rig.finish();
}

#[test]
fn fragment_coordinates_follow_gl_on_images_and_surfaces() {
    let Some(mut rig) = Rig::new() else { return };
    for flags in [TextureFlags::EMPTY, TextureFlags::SURFACE_ORIENTED] {
        let target = rig.texture_with(TextureDesc {
            format: RGBA8,
            dim: TextureDim::D2,
            flags,
            width: 8,
            height: 8,
            depth: 1,
            layers: 1,
            levels: 1,
            samples: 1,
            bind: Bind::COLOR,
        });
        rig.target(target, RGBA8, 8, 8);
        rig.glsl(&Glsl {
            vertex: QUAD,
            geometry: None,
            fragment: "#version 330 core
                in vec2 uv; out vec4 c;
                void main() { c = vec4(gl_FragCoord.xy / 255.0, dFdy(uv.y) > 0.0 ? 1.0 : 0.0, gl_FrontFacing ? 1.0 : 0.0); }",
            captured: &[],
        });
        rig.full_quad();
        let bytes = rig.read(target, 8, 8, 4);
        let low = Rig::pixel(&bytes, 8, 2, 0);
        let high = Rig::pixel(&bytes, 8, 2, 7);
        assert!(low[1] <= 1 && high[1] >= 7, "gl_FragCoord.y grows upward: {low:?} {high:?} {flags:?}");
        assert_eq!((low[2], low[3]), (255, 255), "dFdy and facing {flags:?}");
    }
    rig.finish();
}

#[test]
fn points_have_gl_coordinates_and_size() {
    let Some(mut rig) = Rig::new() else { return };
    rig.raster(RasterizerState {
        flags: RasterFlags::FRONT_CCW,
        line_width: F32::new(1.0),
        point_size: F32::new(4.0),
        ..Default::default()
    });
    let target = rig.texture(RGBA8, 8, 8);
    rig.target(target, RGBA8, 8, 8);
    rig.clear([0.0; 4]);
    rig.glsl(&Glsl {
        vertex: "#version 330 core
            layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }",
        geometry: None,
        fragment: "#version 330 core
            out vec4 c; void main() { c = vec4(gl_PointCoord, 0.0, 1.0); }",
        captured: &[],
    });
    rig.vertices(&[[0.0, 0.0]]);
    rig.draw(PrimitiveMode::POINTS, 1);
    let bytes = rig.read(target, 8, 8, 4);
    let lower = Rig::pixel(&bytes, 8, 2, 2);
    let upper = Rig::pixel(&bytes, 8, 5, 5);
    assert_eq!(lower[3], 255, "four pixels wide");
    assert_eq!(Rig::pixel(&bytes, 8, 1, 1)[3], 0);
    assert!(lower[0] < upper[0] && lower[1] > upper[1], "t starts at the top: {lower:?} {upper:?}");
    rig.finish();
}

#[test]
fn odd_pairings_of_program_and_framebuffer_are_valid() {
    let Some(mut rig) = Rig::new() else { return };
    // A colour output and only a depth attachment; then no attachment at all; then an attribute nobody feeds.
    let format = Format::Z32_FLOAT;
    let depth = rig.texture_with(Rig::plain(format, 4, 4, Bind::DEPTH_STENCIL | Bind::SAMPLED));
    rig.depth_stencil(DepthStencilState {
        depth_test: 1,
        depth_write: 1,
        depth_func: CompareFunc::LESS,
        ..Default::default()
    });
    let surface = SurfaceView { texture: depth, format, layer_count: 1, ..Default::default() };
    let empty = FramebufferState { width: 4, height: 4, layers: 1, samples: 1, ..Default::default() };
    rig.framebuffer(FramebufferState { depth: surface, ..empty });
    rig.program(FLAT, flat_desc(), &[]);
    rig.context.clear(&ClearInfo { clear_depth: 1, depth: F64::new(1.0), ..Default::default() });
    rig.full_quad();
    let bytes = rig.read(depth, 4, 4, 4);
    let values: &[f32] = bytemuck::cast_slice(&bytes);
    assert_eq!(values, [0.5; 16], "clip z 0 of [-1, 1] is depth 0.5");
    rig.framebuffer(empty);
    rig.full_quad();
    let color = rig.texture(RGBA8, 4, 4);
    rig.target(color, RGBA8, 4, 4);
    rig.depth_stencil(DepthStencilState::default());
    let none = rig.elements_id();
    rig.screen.create_vertex_elements(none, &VertexElements::default());
    rig.context.bind_vertex_elements(none);
    rig.context.set_vertex_buffers(&[]);
    rig.draw(PrimitiveMode::TRIANGLES, 3);
    // A sampler whose texture is null.
    rig.glsl(&Glsl {
        vertex: QUAD,
        geometry: None,
        fragment: "#version 330 core
            uniform sampler2D s; uniform samplerBuffer b; in vec2 uv; out vec4 c;
            void main() { c = texture(s, uv) + texelFetch(b, 0); }",
        captured: &[],
    });
    rig.full_quad();
    rig.read(color, 4, 4, 4);
    rig.finish();
}

#[test]
fn indices_of_all_sizes_from_buffers_and_memory() {
    let Some(mut rig) = Rig::new() else { return };
    let target = rig.texture(RGBA8, 4, 4);
    rig.target(target, RGBA8, 4, 4);
    rig.program(FLAT, flat_desc(), &[]);
    rig.context.set_default_block(BindPoint::GRAPHICS, bytemuck::cast_slice(&[1.0f32; 4]));
    rig.vertices(&[[9.0, 9.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]);
    let order = [1u8, 2, 3, 3, 2, 4];
    for size in [1u8, 2, 4] {
        if size == 1 && !rig.screen.caps().features.contains(Features::INDEX_U8) {
            continue;
        }
        let bytes: Vec<u8> =
            order.iter().flat_map(|i| u32::from(*i).to_le_bytes()[..usize::from(size)].to_vec()).collect();
        let padded = [vec![0; 8], bytes.clone()].concat();
        let buffer = rig.buffer(&padded);
        for index_buffer in [buffer, BufferId::NULL] {
            rig.clear([0.0; 4]);
            let info = DrawInfo {
                mode: PrimitiveMode::TRIANGLES,
                index_size: size,
                index_buffer,
                index_offset: if index_buffer.is_null() { 0 } else { 8 },
                instance_count: 1,
                max_index: u32::MAX,
                ..Default::default()
            };
            let user: &[u8] = if index_buffer.is_null() { &bytes } else { &[] };
            rig.context.draw(&info, &[DrawRange { start: 0, count: 6, base_vertex: 0 }], user);
            assert_eq!(rig.read(target, 4, 4, 4), [255; 64], "size {size}");
        }
    }
    rig.finish();
}
