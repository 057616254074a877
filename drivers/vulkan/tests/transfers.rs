//! Buffer and texture transfers.

mod support;

use gallite_pipe::*;
use support::Rig;

#[test]
fn buffers_keep_writes_in_order() {
    let Some(mut rig) = Rig::new() else { return };
    let a = rig.buffer(&[1; 64]);
    let b = rig.buffer(&[0; 64]);
    let copy = |rig: &mut Rig, source, destination| {
        rig.context.copy_buffer(&CopyBuffer { source, destination, size: 64, ..Default::default() });
    };
    copy(&mut rig, a, b);
    // Written after the copy was recorded: the copy must still see the old bytes.
    rig.context.buffer_write(a, 0, MapFlags::EMPTY, &[2; 32]);
    let mut bytes = [9; 64];
    assert_eq!(rig.context.buffer_read(b, 0, &mut bytes), Outcome::DONE);
    assert_eq!(bytes, [1; 64]);
    rig.context.buffer_read(a, 0, &mut bytes);
    assert_eq!((bytes[0], bytes[31], bytes[32]), (2, 2, 1));
    rig.finish();
}

#[test]
fn mappings_read_and_write() {
    let Some(mut rig) = Rig::new() else { return };
    let buffer = rig.buffer(&[7; 128]);
    let map = rig.context.buffer_map(buffer, 16, 32, MapFlags::READ | MapFlags::WRITE).unwrap();
    let mut seen = [0; 4];
    assert!(map.read(0, &mut seen));
    assert_eq!(seen, [7; 4]);
    assert!(map.write(4, &[1, 2, 3, 4]));
    assert!(rig.context.buffer_unmap(buffer));
    let mut bytes = [0; 8];
    rig.context.buffer_read(buffer, 18, &mut bytes);
    assert_eq!(bytes, [7, 7, 1, 2, 3, 4, 7, 7]);
    rig.finish();
}

#[test]
fn fills_of_every_value_size() {
    let Some(mut rig) = Rig::new() else { return };
    for size in [1u32, 2, 4, 8, 12, 16] {
        let buffer = rig.buffer(&[0xee; 96]);
        let value = [0x0403_0201, 0x0807_0605, 0x0c0b_0a09, 0x100f_0e0d];
        rig.context.clear_buffer(&ClearBuffer { buffer, offset: 0, size: 48, value, value_size: size, reserved: 0 });
        let mut bytes = [0; 96];
        rig.context.buffer_read(buffer, 0, &mut bytes);
        for (i, byte) in bytes.iter().enumerate() {
            let wanted = if i < 48 { (i as u32 % size + 1) as u8 } else { 0xee };
            assert_eq!(*byte, wanted, "value size {size}, byte {i}");
        }
    }
    rig.finish();
}

#[test]
fn texels_come_back_as_written() {
    let Some(mut rig) = Rig::new() else { return };
    let formats: Vec<Format> =
        Format::ALL.iter().copied().filter(|f| rig.screen.format_caps(*f).uses.contains(FormatUses::SAMPLED)).collect();
    assert!(formats.contains(&Format::R8G8B8A8_UNORM) && formats.contains(&Format::Z24_UNORM_S8_UINT));
    for format in formats {
        let (width, height) = (12, 12);
        let bind = if format.is_depth_stencil() { Bind::SAMPLED | Bind::DEPTH_STENCIL } else { Bind::SAMPLED };
        let texture = rig.texture_with(TextureDesc {
            format,
            dim: TextureDim::D2,
            width,
            height,
            depth: 1,
            layers: 1,
            levels: 1,
            samples: 1,
            bind,
            ..Default::default()
        });
        let row = format.row_bytes(width) as usize;
        let rows = format.block_rows(height) as usize;
        let mut bytes: Vec<u8> = (0..row * rows).map(|i| (i * 37 % 251) as u8).collect();
        if format.has_depth() && format.block_bytes() >= 4 && format != Format::Z24_UNORM_S8_UINT {
            // Floats in [0, 1], and no bits where the format has none.
            let texel = format.block_bytes() as usize;
            for (i, t) in bytes.chunks_exact_mut(texel).enumerate() {
                t.fill(0);
                let v = i as f32 / 200.0;
                let word = if format == Format::Z24X8_UNORM { ((i as u32) * 70001) << 8 } else { v.to_bits() };
                t[..4].copy_from_slice(&word.to_le_bytes());
                if texel == 8 {
                    t[4] = i as u8;
                }
            }
        }
        let transfer = TextureTransfer {
            texture,
            region: TextureBox { width, height, depth: 1, ..Default::default() },
            row_stride: row as u32,
            layer_stride: (row * rows) as u64,
            ..Default::default()
        };
        rig.context.texture_write(&transfer, &bytes);
        let mut back = vec![0; bytes.len()];
        assert_eq!(rig.context.texture_read(&transfer, &mut back), Outcome::DONE);
        assert_eq!(back, bytes, "{format:?}");
    }
    rig.finish();
}

#[test]
fn texture_parts_and_buffers() {
    let Some(mut rig) = Rig::new() else { return };
    let texture = rig.texture(Format::R8G8B8A8_UNORM, 8, 8);
    let zero = vec![0; 256];
    rig.context.texture_write(&Rig::whole(texture, 8, 8, 4), &zero);
    let part = TextureTransfer {
        texture,
        region: TextureBox { x: 2, y: 3, width: 4, height: 2, depth: 1, ..Default::default() },
        row_stride: 16,
        layer_stride: 32,
        ..Default::default()
    };
    let source = rig.buffer(&(0..64).collect::<Vec<u8>>());
    assert_eq!(rig.context.texture_write_from_buffer(source, 16, &part), Outcome::DONE);
    let bytes = rig.read(texture, 8, 8, 4);
    assert_eq!(Rig::pixel(&bytes, 8, 2, 3), [16, 17, 18, 19]);
    assert_eq!(Rig::pixel(&bytes, 8, 5, 4), [44, 45, 46, 47]);
    assert_eq!(Rig::pixel(&bytes, 8, 6, 4), [0; 4]);
    let sink = rig.buffer(&[0xff; 64]);
    assert_eq!(rig.context.texture_read_to_buffer(sink, 4, &part), Outcome::DONE);
    let mut out = [0; 40];
    rig.context.buffer_read(sink, 0, &mut out);
    assert_eq!(out[..4], [0xff; 4]);
    assert_eq!(out[4..36], (16..48).collect::<Vec<u8>>());
    rig.finish();
}

#[test]
fn fences_and_reuse_over_many_batches() {
    let Some(mut rig) = Rig::new() else { return };
    let buffer = rig.buffer(&[0; 1024]);
    for i in 0..200u32 {
        let other = rig.buffer(&[i as u8; 1024]);
        rig.context.copy_buffer(&CopyBuffer { source: other, destination: buffer, size: 1024, ..Default::default() });
        let fence = rig.fence_id();
        rig.context.flush(fence, FlushFlags::EMPTY);
        rig.screen.destroy_buffer(other);
        assert_eq!(rig.screen.fence_wait(fence, u64::MAX), WaitStatus::SIGNALED);
        rig.screen.destroy_fence(fence);
    }
    let mut last = [0; 4];
    rig.context.buffer_read(buffer, 0, &mut last);
    assert_eq!(last, [199; 4]);
    assert!(rig.screen.counters().live_allocations < 40, "nothing piles up without presenting");
    rig.finish();
}
