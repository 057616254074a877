//! The choice of a pipe format for a GL internal format on a screen.

use gallite_pipe::{Bind, Format, FormatUses};

use crate::device::Device;
use crate::pixels::internal::InternalFormat;

impl Device {
    /// The pipe format a texture or renderbuffer of this internal format is stored in.
    pub fn choose_format(&self, internal: &InternalFormat) -> Format {
        let supported = |format: Format, render: bool| {
            let uses = self.format_caps(format).uses;
            let attachment = if format.is_depth_stencil() { FormatUses::DEPTH_STENCIL } else { FormatUses::COLOR };
            uses.contains(FormatUses::SAMPLED) && (!render || uses.contains(attachment))
        };
        // A stencil-only format that can't be sampled is still good for rendering.
        let stencil = |format: &Format| {
            format.has_stencil() && self.format_caps(*format).uses.contains(FormatUses::DEPTH_STENCIL)
        };
        internal
            .choose(supported)
            .or_else(|| internal.candidates.iter().copied().find(stencil))
            .or_else(|| internal.candidates.last().copied())
            .unwrap_or(Format::NONE)
    }

    /// Every binding a texture of this format may be used with.
    pub fn texture_binds(&self, format: Format) -> Bind {
        let uses = self.format_caps(format).uses;
        let mut bind = Bind::SAMPLED | Bind::TRANSFER;
        if uses.contains(FormatUses::COLOR) {
            bind.insert(Bind::COLOR);
        }
        if uses.contains(FormatUses::DEPTH_STENCIL) {
            bind.insert(Bind::DEPTH_STENCIL);
        }
        // Images have no sRGB formats; texels of such textures are shown in the linear twin.
        if self.format_caps(format.linear()).uses.contains(FormatUses::STORAGE) {
            bind.insert(Bind::STORAGE_IMAGE);
        }
        bind
    }
}
