//! Driver textures behind texture objects and renderbuffers, and where an image's texels are in them.

use std::sync::Arc;

use gallite_pipe::{
    Bind, Context as PipeContext, CopyImage, Format, SurfaceView, TextureAliasDesc, TextureBox, TextureDesc,
    TextureDim, TextureFlags, TextureId,
};

use crate::device::Device;
use crate::objects::sampler::is_mipmap_filter;
use crate::objects::texture::{Image, TextureKind, TextureState};

/// A texture of the driver. Destroyed with its last owner; the driver keeps it while work uses it.
pub struct Storage {
    device: Arc<Device>,
    /// Its handle.
    pub id: TextureId,
    /// What was asked of the driver.
    pub desc: TextureDesc,
    /// The storage this one is an alias of.
    parent: Option<Arc<Storage>>,
}

impl std::fmt::Debug for Storage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Storage").field("id", &self.id).field("desc", &self.desc).finish_non_exhaustive()
    }
}

impl Storage {
    /// Makes a texture. `levels` counts from the level whose size is `size`.
    pub fn new(
        device: &Arc<Device>,
        kind: TextureKind,
        format: Format,
        size: [u32; 3],
        levels: u32,
        samples: u32,
    ) -> Arc<Self> {
        let ([width, height, depth], layers) = kind.pipe_size(size);
        let mut flags = TextureFlags(0);
        // An sRGB texture is also read and rendered without conversion.
        if format.is_srgb() && format.linear() != format {
            flags.insert(TextureFlags::MUTABLE_FORMAT);
        }
        let desc = TextureDesc {
            format,
            dim: kind.dim(),
            flags,
            width,
            height,
            depth,
            layers,
            levels,
            samples: samples.max(1),
            bind: device.texture_binds(format),
        };
        Self::with_desc(device, desc)
    }

    /// Makes a texture from a complete description.
    pub fn with_desc(device: &Arc<Device>, desc: TextureDesc) -> Arc<Self> {
        let id = device.mint();
        device.screen.create_texture(id, &desc);
        Arc::new(Self { device: Arc::clone(device), id, desc, parent: None })
    }

    /// Makes a texture that shares this one's texels.
    pub fn alias(self: &Arc<Self>, kind: TextureKind, desc: &TextureAliasDesc) -> Arc<Self> {
        let id = self.device.mint();
        self.device.screen.create_texture_alias(id, desc);
        let level = |v: u32| (v >> desc.first_level).max(1);
        let own = TextureDesc {
            format: desc.format,
            dim: kind.dim(),
            width: level(self.desc.width),
            height: level(self.desc.height),
            depth: level(self.desc.depth),
            layers: desc.layer_count,
            levels: desc.level_count,
            ..self.desc
        };
        Arc::new(Self { device: Arc::clone(&self.device), id, desc: own, parent: Some(Arc::clone(self)) })
    }

    /// The storage it is an alias of.
    pub fn parent(&self) -> Option<&Arc<Storage>> {
        self.parent.as_ref()
    }

    /// Whether there was memory to make it. Waits. A lost device counts as having it: what happens there is not about
    /// memory.
    pub fn exists(&self) -> bool {
        self.device.has_texture(self.id)
    }

    /// Size of a level in the driver's terms.
    pub fn level_size(&self, level: u32) -> [u32; 3] {
        let half = |v: u32| (v >> level).max(1);
        [half(self.desc.width), half(self.desc.height), half(self.desc.depth)]
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        self.device.screen.destroy_texture(self.id);
        self.device.release(self.id);
    }
}

/// Where the texels of an image are.
#[derive(Clone, Debug)]
pub struct Place {
    /// The driver's texture.
    pub storage: Arc<Storage>,
    /// Level in it.
    pub level: u32,
    /// First layer in it (the face of a cube map).
    pub layer: u32,
}

impl Image {
    /// Whether it is stored as numbers of another kind than the program asked for, which reach further.
    pub fn is_substitute(&self) -> bool {
        self.internal.base.is_color() && self.internal.kind() != self.format.kind()
    }

    /// The box of a region of the image in its storage. `offset` and `size` are as GL counts them.
    pub fn region(&self, kind: TextureKind, offset: [u32; 3], size: [u32; 3]) -> TextureBox {
        let layer = self.place.as_ref().map_or(0, |p| p.layer);
        let (y, height, z, depth) = match kind {
            TextureKind::D1 => (0, 1, 0, 1),
            TextureKind::D1Array => (0, 1, offset[1], size[1]),
            TextureKind::D2
            | TextureKind::Rect
            | TextureKind::Cube
            | TextureKind::Multisample
            | TextureKind::Buffer => (offset[1], size[1], 0, 1),
            _ => (offset[1], size[1], offset[2], size[2]),
        };
        TextureBox { x: offset[0], y, z: z + layer, width: size[0], height, depth }
    }

    /// The image, or `layer_count` of its layers or slices, as an attachment.
    pub fn surface(&self, first_layer: u32, layer_count: u32) -> Option<SurfaceView> {
        let place = self.place.as_ref()?;
        Some(SurfaceView {
            texture: place.storage.id,
            format: self.format,
            reserved: 0,
            level: place.level,
            first_layer: place.layer + first_layer,
            layer_count,
        })
    }
}

/// Most bytes that the base level of a guessed storage may take.
const MOST_GUESSED: u64 = 64 << 20;

impl TextureState {
    /// Finds room for a new image: in the present storage where it fits, else in a fresh one. Other images keep
    /// their texels wherever they are.
    pub fn place_image(&mut self, device: &Arc<Device>, kind: TextureKind, face: usize, level: u32, image: &mut Image) {
        image.place = None;
        if image.is_empty() {
            return;
        }
        if !self.fits_storage(kind, level, image) {
            self.replace_storage(device, kind, level, image);
        }
        if let Some(storage) = self.storage.as_ref().filter(|_| self.fits_storage(kind, level, image)) {
            image.place =
                Some(Place { storage: Arc::clone(storage), level: level - self.first_level, layer: face as u32 });
            return;
        }
        // The guess about the other levels does not leave room for this one: it gets its own until they agree.
        let own_kind = if kind == TextureKind::Cube { TextureKind::D2 } else { kind };
        let storage = Storage::new(device, own_kind, image.format, image.size, 1, image.samples);
        image.place = Some(Place { storage, level: 0, layer: 0 });
    }

    /// Makes `storage` the one most images are in. Views of another go: they would keep it alive.
    pub(crate) fn set_storage(&mut self, device: &Device, storage: Arc<Storage>, first_level: u32) {
        self.views.retain(|view| {
            let kept = view.desc.texture == storage.id;
            if !kept {
                device.destroy_view(view.id);
            }
            kept
        });
        self.storage = Some(storage);
        self.first_level = first_level;
    }

    /// Whether an image of this size can be this level of the present storage.
    fn fits_storage(&self, kind: TextureKind, level: u32, image: &Image) -> bool {
        let Some(storage) = &self.storage else { return false };
        let Some(index) = level.checked_sub(self.first_level) else { return false };
        let (size, layers) = kind.pipe_size(image.size);
        index < storage.desc.levels
            && storage.desc.format == image.format
            && storage.desc.samples == image.samples.max(1)
            && storage.desc.layers == layers
            && storage.level_size(index) == size
            && (image.samples == 0 || self.image(0, level).is_none_or(|old| old.fixed_samples == image.fixed_samples))
    }

    /// Guesses the whole texture from one image and makes room for it.
    fn replace_storage(&mut self, device: &Arc<Device>, kind: TextureKind, level: u32, image: &Image) {
        // A storage that other levels are in is only given up for the level that decides: the base.
        let base = self.params.base_level;
        let in_use = self.storage.is_some() && level != base && self.image(0, base).is_some();
        if in_use {
            return;
        }
        let mut size = image.size;
        let mut first = level;
        if level > base {
            // A size of 1 may have been anything above.
            let axes = match kind {
                TextureKind::D1 | TextureKind::D1Array => 1,
                TextureKind::D3 => 3,
                _ => 2,
            };
            if axes > 1 && size[..axes].contains(&1) {
                return;
            }
            size = kind.base_size(size, level - base);
            first = base;
            // A guess that is wrong must not take memory that the level alone would not.
            let texels: u64 = size.iter().map(|s| u64::from((*s).max(1))).product();
            let bytes = texels.saturating_mul(u64::from(image.format.block_bytes()));
            if size[..axes].iter().any(|s| *s == 0 || *s > 16384) || bytes > MOST_GUESSED {
                return;
            }
        }
        let full = kind.level_count(size);
        // Most textures are specified with all levels or with one; the filter at this moment is the best hint.
        let wanted = if level == base && !is_mipmap_filter(self.sampler.min_filter) && !self.params.generate_mipmap {
            1
        } else {
            full.min(self.params.max_level.saturating_sub(first).saturating_add(1))
        };
        let levels = wanted.max(level - first + 1).min(full.max(1));
        let storage = Storage::new(device, kind, image.format, size, levels, image.samples);
        self.set_storage(device, storage, first);
    }

    /// Brings levels `first..=last` of all faces together in one storage, copying images that are elsewhere.
    /// True when texels moved, so that attachments must be looked up again.
    pub fn finalize(
        &mut self,
        device: &Arc<Device>,
        pipe: &mut dyn PipeContext,
        kind: TextureKind,
        first: u32,
        last: u32,
    ) -> bool {
        if self.is_gathered(first, last) {
            return false;
        }
        let Some(base) = self.image(0, first).cloned() else { return false };
        let levels = last - first + 1;
        let fits = (first..=last).all(|level| {
            (0..kind.faces()).all(|face| self.image(face, level).is_some_and(|i| self.fits_storage(kind, level, i)))
        });
        let (storage, first_level) = match self.storage.clone().filter(|_| fits) {
            Some(storage) => (storage, self.first_level),
            None => (Storage::new(device, kind, base.format, base.size, levels, base.samples), first),
        };
        for face in 0..kind.faces() {
            for level in first..=last {
                let target = Place { storage: Arc::clone(&storage), level: level - first_level, layer: face as u32 };
                let Some(image) = self.image_mut(face, level) else { continue };
                if let Some(old) = &image.place
                    && old.storage.id != storage.id
                {
                    copy_whole(pipe, kind, image, old, &target);
                }
                image.place = Some(target);
            }
        }
        self.set_storage(device, storage, first_level);
        true
    }

    /// Makes sure that views of another format can be made of an immutable texture, and that image units can show those:
    /// once there are views, texels can't move any more. Storage is not made so from the
    /// start, because devices compress what is never seen otherwise. True when the texels moved; `None` without
    /// memory.
    pub fn make_mutable(&mut self, device: &Arc<Device>, pipe: &mut dyn PipeContext) -> Option<bool> {
        let old = self.storage.clone()?;
        let mut desc = old.desc;
        desc.flags.insert(TextureFlags::MUTABLE_FORMAT);
        if !desc.format.is_compressed() && !desc.format.is_depth_stencil() && desc.samples == 1 {
            desc.bind.insert(Bind::STORAGE_IMAGE);
        }
        if desc == old.desc || old.parent().is_some() {
            return Some(false);
        }
        let storage = Storage::with_desc(device, desc);
        if !storage.exists() {
            return None;
        }
        self.move_storage(device, pipe, &old, storage);
        Some(true)
    }

    /// Makes sure that image units can show the storage in a format: one made without that gives way to one made with
    /// it. True when texels moved.
    pub fn allow_image_format(&mut self, device: &Arc<Device>, pipe: &mut dyn PipeContext, format: Format) -> bool {
        let Some(old) = self.storage.clone() else { return false };
        let needs = TextureDesc {
            flags: if format == old.desc.format {
                old.desc.flags
            } else {
                old.desc.flags | TextureFlags::MUTABLE_FORMAT
            },
            bind: old.desc.bind | Bind::STORAGE_IMAGE,
            ..old.desc
        };
        if needs == old.desc || old.parent().is_some() {
            return false;
        }
        self.move_storage(device, pipe, &old, Storage::with_desc(device, needs));
        true
    }

    /// Moves all that is in the storage to one that differs in what it may be used for.
    fn move_storage(&mut self, device: &Device, pipe: &mut dyn PipeContext, old: &Arc<Storage>, new: Arc<Storage>) {
        for level in 0..new.desc.levels {
            let [width, height, depth] = old.level_size(level);
            let depth = if new.desc.dim == TextureDim::D3 { depth } else { new.desc.layers };
            pipe.copy_image(&CopyImage {
                source: old.id,
                destination: new.id,
                source_level: level,
                destination_level: level,
                source_box: TextureBox { x: 0, y: 0, z: 0, width, height, depth },
                x: 0,
                y: 0,
                z: 0,
                reserved: 0,
            });
        }
        for image in self.faces.iter_mut().flatten().flatten() {
            if let Some(place) = image.place.as_mut().filter(|place| Arc::ptr_eq(&place.storage, old)) {
                place.storage = Arc::clone(&new);
            }
        }
        self.set_storage(device, new, self.first_level);
    }

    fn is_gathered(&self, first: u32, last: u32) -> bool {
        let Some(storage) = &self.storage else { return false };
        self.faces.iter().enumerate().all(|(face, _)| {
            (first..=last).all(|level| {
                self.image(face, level).and_then(|i| i.place.as_ref()).is_some_and(|p| {
                    Arc::ptr_eq(&p.storage, storage)
                        && level.checked_sub(self.first_level) == Some(p.level)
                        && p.layer == face as u32
                })
            })
        })
    }

    /// Makes sure the storage has levels `first..=last`, moving what it holds to a larger one when it must.
    /// The images beyond the ones already there are the caller's to define.
    pub fn grow(
        &mut self,
        device: &Arc<Device>,
        pipe: &mut dyn PipeContext,
        kind: TextureKind,
        first: u32,
        last: u32,
    ) -> bool {
        let has = self.storage.as_ref().is_some_and(|s| {
            first >= self.first_level && last - self.first_level < s.desc.levels && self.is_gathered(first, first)
        });
        if has {
            return false;
        }
        let Some(base) = self.image(0, first).cloned() else { return false };
        let storage = Storage::new(device, kind, base.format, base.size, last - first + 1, base.samples);
        for face in 0..kind.faces() {
            let target = Place { storage: Arc::clone(&storage), level: 0, layer: face as u32 };
            let Some(image) = self.image_mut(face, first) else { continue };
            if let Some(old) = &image.place {
                copy_whole(pipe, kind, image, old, &target);
            }
            image.place = Some(target);
        }
        self.set_storage(device, storage, first);
        true
    }
}

fn copy_whole(pipe: &mut dyn PipeContext, kind: TextureKind, image: &Image, from: &Place, to: &Place) {
    let (size, layers) = kind.pipe_size(image.size);
    let layers = if kind == TextureKind::Cube { 1 } else { layers };
    let depth = if kind == TextureKind::D3 { size[2] } else { layers };
    pipe.copy_image(&CopyImage {
        source: from.storage.id,
        destination: to.storage.id,
        source_level: from.level,
        destination_level: to.level,
        source_box: TextureBox { x: 0, y: 0, z: from.layer, width: size[0], height: size[1], depth },
        x: 0,
        y: 0,
        z: to.layer,
        reserved: 0,
    });
}
