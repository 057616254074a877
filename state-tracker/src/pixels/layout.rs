//! Where the channels of one texel lie, whoever owns the texel.

use gallite_pipe::{Channel, ChannelKind, Format};

/// Slot of depth in [`TexelLayout::channels`].
pub const DEPTH: usize = 0;
/// Slot of stencil in [`TexelLayout::channels`].
pub const STENCIL: usize = 1;

/// An absent channel.
pub const ABSENT: Channel = Channel { kind: ChannelKind::None, bits: 0, offset: 0 };

/// Size and channels of one little-endian texel. Slots are red, green, blue, alpha, or depth and stencil.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TexelLayout {
    /// Bytes of the texel.
    pub bytes: u8,
    /// Channels by slot.
    pub channels: [Channel; 4],
}

impl TexelLayout {
    /// Layout of an uncompressed pipe format.
    #[must_use]
    pub fn of(format: Format) -> Self {
        let info = format.info();
        debug_assert!(!format.is_compressed());
        Self { bytes: info.block_bytes, channels: info.channels }
    }
}

/// Where one channel's bits are, with whole-byte channels told apart because they are most of them.
#[derive(Clone, Copy)]
pub enum Access {
    /// Eight bits at this byte.
    Byte(usize),
    /// Sixteen bits from this byte.
    Half(usize),
    /// Thirty-two bits from this byte.
    Word(usize),
    /// Sixty-four bits from this byte.
    Double(usize),
    /// Bits of the little-endian word made of the whole texel (at most 8 bytes).
    Bits(u32, u64),
}

impl Access {
    /// Access to `channel`.
    #[must_use]
    pub fn new(channel: Channel) -> Self {
        let byte = usize::from(channel.offset / 8);
        match (channel.offset % 8, channel.bits) {
            (0, 8) => Self::Byte(byte),
            (0, 16) => Self::Half(byte),
            (0, 32) => Self::Word(byte),
            (0, 64) => Self::Double(byte),
            _ => Self::Bits(u32::from(channel.offset), (1u64 << channel.bits) - 1),
        }
    }

    /// Reads the channel's raw bits of `out.len()` texels of `size` bytes.
    pub fn read(self, texels: &[u8], size: usize, out: &mut [u64]) {
        let texels = texels.chunks_exact(size);
        match self {
            Self::Byte(at) => texels.zip(out).for_each(|(t, o)| *o = u64::from(t[at])),
            Self::Half(at) => texels.zip(out).for_each(|(t, o)| *o = u64::from(u16::from_le_bytes([t[at], t[at + 1]]))),
            Self::Word(at) => texels.zip(out).for_each(|(t, o)| *o = word(&t[at..at + 4])),
            Self::Double(at) => texels.zip(out).for_each(|(t, o)| *o = word(&t[at..at + 8])),
            Self::Bits(shift, mask) => texels.zip(out).for_each(|(t, o)| *o = word(t) >> shift & mask),
        }
    }

    /// Writes the channel's raw bits into texels whose bits for this channel are zero.
    pub fn write(self, texels: &mut [u8], size: usize, values: &[u64]) {
        let texels = texels.chunks_exact_mut(size);
        match self {
            Self::Byte(at) => texels.zip(values).for_each(|(t, v)| t[at] = *v as u8),
            Self::Half(at) => {
                texels.zip(values).for_each(|(t, v)| t[at..at + 2].copy_from_slice(&(*v as u16).to_le_bytes()));
            }
            Self::Word(at) => {
                texels.zip(values).for_each(|(t, v)| t[at..at + 4].copy_from_slice(&(*v as u32).to_le_bytes()));
            }
            Self::Double(at) => texels.zip(values).for_each(|(t, v)| t[at..at + 8].copy_from_slice(&v.to_le_bytes())),
            Self::Bits(shift, mask) => texels.zip(values).for_each(|(t, v)| {
                let merged = word(t) | (v & mask) << shift;
                t.copy_from_slice(&merged.to_le_bytes()[..t.len()]);
            }),
        }
    }
}

fn word(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    let n = bytes.len().min(8);
    all[..n].copy_from_slice(&bytes[..n]);
    u64::from_le_bytes(all)
}
