//! Lookups, loads and stores of images, and questions about them (SPIR-V 1.0 section 3.32.10, GL 4.6 core appendix C.4).

use spirv::{Dim, ImageFormat, Op, StorageClass};

use super::super::module::Inst;
use super::super::operands::{is_comparison, is_sample};
use super::code::Code;
use super::compute::{fits, operands};
use super::types::{Image, Scalar, Shape, Type};
use super::{Check, refuse};
use crate::stage::Stage;

/// Whether an instruction is of this chapter.
pub(super) fn has(op: Op) -> bool {
    use Op::*;
    is_sample(op)
        || matches!(
            op,
            ImageFetch
                | ImageGather
                | ImageDrefGather
                | ImageRead
                | ImageWrite
                | ImageTexelPointer
                | Image
                | ImageQuerySizeLod
                | ImageQuerySize
                | ImageQueryLod
                | ImageQueryLevels
                | ImageQuerySamples
        )
}

const FLOAT: Shape = Scalar::FLOAT.one();

pub(super) fn check(code: &mut Code<'_, '_>, inst: &Inst) -> Check {
    match inst.op {
        op if is_sample(op) => code.sample(inst),
        Op::ImageFetch => code.fetch(inst),
        Op::ImageGather | Op::ImageDrefGather => code.gather(inst),
        Op::ImageRead => code.read_texel(inst),
        Op::ImageWrite => code.write_texel(inst),
        Op::ImageTexelPointer => code.texel_pointer(inst),
        Op::Image => {
            let [ty, _, sampled] = operands(inst)?;
            let of = code.value(sampled)?;
            fits(matches!(code.globals.ty(of)?, Type::SampledImage { image } if *image == ty))
        }
        _ => code.query(inst),
    }
}

/// How an image is accessed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Sampled; a level of detail is worked out.
    Implicit,
    /// Sampled; a level of detail is given, and has to be.
    Explicit,
    Gather,
    Fetch,
    /// A texel of a storage image.
    Texel,
}

impl Code<'_, '_> {
    /// The image behind a value that is a sampled image.
    fn sampled(&self, id: u32) -> Check<Image> {
        let ty = self.value(id)?;
        match self.globals.ty(ty)? {
            Type::SampledImage { image } => Ok(self.globals.types.image(*image).ok_or("no image")?),
            _ => refuse!("this is no sampled image"),
        }
    }

    /// The image that a value is.
    fn image(&self, id: u32) -> Check<Image> {
        let ty = self.value(id)?;
        self.globals.types.image(ty).ok_or_else(|| "this is no image".into())
    }

    /// Four texel components of an image's type.
    fn texel(&self, ty: u32, image: &Image) -> Check {
        let scalar = self.shape(image.sampled)?.scalar;
        fits(self.shape(ty)? == Shape { scalar, count: 4 })
    }

    fn coordinate(&self, id: u32, kind: impl Fn(Scalar) -> bool, least: u32) -> Check {
        let shape = self.shape_of(id)?;
        fits(kind(shape.scalar) && shape.count >= least)
    }

    fn sample(&mut self, inst: &Inst) -> Check {
        use Op::*;
        let op = inst.op;
        let dref = is_comparison(op);
        let proj = matches!(
            op,
            ImageSampleProjImplicitLod
                | ImageSampleProjExplicitLod
                | ImageSampleProjDrefImplicitLod
                | ImageSampleProjDrefExplicitLod
        );
        let explicit = matches!(
            op,
            ImageSampleExplicitLod
                | ImageSampleDrefExplicitLod
                | ImageSampleProjExplicitLod
                | ImageSampleProjDrefExplicitLod
        );
        if !explicit {
            self.only(&[Stage::Fragment])?;
        }
        let [ty, _, sampled, coordinate, rest @ ..] = &inst.words[..] else { refuse!("too few operands") };
        let image = self.sampled(*sampled)?;
        if image.multisampled || image.dim == Dim::DimBuffer {
            refuse!("this image is not sampled");
        }
        if proj && (image.dim == Dim::DimCube || image.arrayed) {
            refuse!("this image is not projected to");
        }
        let least = image.lookup() + u32::from(proj);
        self.coordinate(*coordinate, |s| s == Scalar::FLOAT, least)?;
        let rest = match (dref, rest) {
            (false, rest) => {
                self.texel(*ty, &image)?;
                rest
            }
            (true, [reference, rest @ ..]) => {
                fits(image.dim != Dim::Dim3D && self.shape(image.sampled)? == FLOAT)?;
                fits(self.shape(*ty)? == FLOAT && self.shape_of(*reference)? == FLOAT)?;
                rest
            }
            (true, []) => refuse!("there is no reference value"),
        };
        self.image_operands(rest, &image, if explicit { Access::Explicit } else { Access::Implicit })
    }

    fn fetch(&mut self, inst: &Inst) -> Check {
        let [ty, _, image, coordinate, rest @ ..] = &inst.words[..] else { refuse!("too few operands") };
        let image = self.image(*image)?;
        if image.storage || image.dim == Dim::DimCube {
            refuse!("this image is not fetched from");
        }
        self.texel(*ty, &image)?;
        self.coordinate(*coordinate, Scalar::is_int, image.lookup())?;
        self.image_operands(rest, &image, Access::Fetch)
    }

    fn gather(&mut self, inst: &Inst) -> Check {
        let [ty, _, sampled, coordinate, which, rest @ ..] = &inst.words[..] else { refuse!("too few operands") };
        let image = self.sampled(*sampled)?;
        if !matches!(image.dim, Dim::Dim2D | Dim::DimCube | Dim::DimRect) || image.multisampled {
            refuse!("this image is not gathered from");
        }
        self.texel(*ty, &image)?;
        self.coordinate(*coordinate, |s| s == Scalar::FLOAT, image.lookup())?;
        if inst.op == Op::ImageDrefGather {
            fits(self.shape_of(*which)? == FLOAT && self.shape(image.sampled)? == FLOAT)?;
        } else if self.globals.uint(*which).is_none_or(|component| component > 3) {
            refuse!("the component is no constant below 4");
        }
        self.image_operands(rest, &image, Access::Gather)
    }

    fn read_texel(&mut self, inst: &Inst) -> Check {
        let [ty, _, image, coordinate, rest @ ..] = &inst.words[..] else { refuse!("too few operands") };
        let image = self.image(*image)?;
        if !image.storage || image.format == ImageFormat::Unknown {
            refuse!("this image is not loaded from");
        }
        self.texel(*ty, &image)?;
        self.storage_coordinate(*coordinate, &image)?;
        self.image_operands(rest, &image, Access::Texel)
    }

    fn write_texel(&mut self, inst: &Inst) -> Check {
        let [image, coordinate, texel, rest @ ..] = &inst.words[..] else { refuse!("too few operands") };
        let image = self.image(*image)?;
        if !image.storage {
            refuse!("this image is not stored to");
        }
        if image.format == ImageFormat::Unknown {
            self.required.add(spirv::Capability::StorageImageWriteWithoutFormat)?;
        }
        self.texel(self.value(*texel)?, &image)?;
        self.storage_coordinate(*coordinate, &image)?;
        self.image_operands(rest, &image, Access::Texel)
    }

    fn storage_coordinate(&self, id: u32, image: &Image) -> Check {
        self.coordinate(id, Scalar::is_int, image.texel())
    }

    fn texel_pointer(&mut self, inst: &Inst) -> Check {
        let [ty, id, pointer, coordinate, sample] = operands(inst)?;
        let (class, to) = self.pointer(pointer)?;
        let image = self.globals.types.image(to).filter(|i| i.storage && class == StorageClass::UniformConstant);
        let Some(image) = image else { refuse!("this is no pointer to a storage image") };
        fits(self.globals.types.pointer(ty) == Some((StorageClass::Image, image.sampled)))?;
        fits(matches!(image.format, ImageFormat::R32i | ImageFormat::R32ui | ImageFormat::R32f))?;
        let coordinate = self.shape_of(coordinate)?;
        fits(coordinate.scalar.is_int() && coordinate.count == image.texel())?;
        fits(self.shape_of(sample)?.is_int())?;
        if !image.multisampled && self.globals.uint(sample) != Some(0) {
            refuse!("the sample of an image without samples is not zero");
        }
        self.roots.insert(id, self.root(pointer));
        Ok(())
    }

    fn query(&mut self, inst: &Inst) -> Check {
        use Op::*;
        self.required.add(spirv::Capability::ImageQuery)?;
        let [ty, _, image, rest @ ..] = &inst.words[..] else { refuse!("too few operands") };
        let result = self.shape(*ty)?;
        if inst.op == ImageQueryLod {
            self.only(&[Stage::Fragment])?;
            let image = self.sampled(*image)?;
            let [coordinate] = rest else { refuse!("wrong number of operands") };
            fits(!image.multisampled && !matches!(image.dim, Dim::DimBuffer | Dim::DimRect))?;
            self.coordinate(*coordinate, |s| s == Scalar::FLOAT, image.plane())?;
            return fits(result == Shape { count: 2, ..FLOAT });
        }
        let image = self.image(*image)?;
        let size = match image.dim {
            Dim::DimCube => 2,
            _ => image.plane(),
        } + u32::from(image.arrayed);
        let mipmapped = image.mipmapped() && !image.storage;
        fits(result.scalar.is_int())?;
        match (inst.op, rest) {
            (ImageQuerySizeLod, [lod]) => {
                let lod = self.shape_of(*lod)?;
                fits(mipmapped && lod.is_int() && result.count == size)
            }
            (ImageQuerySize, []) => fits(!mipmapped && result.count == size),
            (ImageQueryLevels, []) => fits(mipmapped && result.count == 1),
            (ImageQuerySamples, []) => fits(image.multisampled && result.count == 1),
            _ => refuse!("wrong number of operands"),
        }
    }

    /// Optional operands: a mask, and for each of its bits in order what it says.
    fn image_operands(&mut self, words: &[u32], image: &Image, access: Access) -> Check {
        let (mask, mut rest) = match words {
            [] => (0, words),
            [mask, rest @ ..] => (*mask, rest),
        };
        if mask & !0x7f != 0 {
            refuse!("unknown image operands");
        }
        let mut next = |count: usize| -> Check<Vec<u32>> {
            let Some((own, others)) = rest.split_at_checked(count) else { refuse!("an image operand is missing") };
            rest = others;
            Ok(own.to_vec())
        };
        let mipmapped = image.mipmapped();
        if mask & 0x1 != 0 {
            fits(access == Access::Implicit && mipmapped && self.shape_of(next(1)?[0])? == FLOAT)?;
        }
        if mask & 0x2 != 0 {
            let lod = self.shape_of(next(1)?[0])?;
            fits(mipmapped && (access == Access::Explicit && lod == FLOAT || access == Access::Fetch && lod.is_int()))?;
        }
        if mask & 0x4 != 0 {
            let wanted = Shape { count: image.plane(), ..FLOAT };
            for gradient in next(2)? {
                fits(access == Access::Explicit && self.shape_of(gradient)? == wanted)?;
            }
        }
        if access == Access::Explicit && (mask & 0x6).count_ones() != 1 {
            refuse!("there is no level of detail and no gradient, or both");
        }
        if (mask & 0x38).count_ones() > 1 {
            refuse!("there is more than one kind of offset");
        }
        let plane = |shape: Shape| shape.scalar.is_int() && shape.count == image.plane();
        let may_offset = access != Access::Texel && !matches!(image.dim, Dim::DimCube | Dim::DimBuffer);
        if mask & 0x8 != 0 {
            let offset = next(1)?[0];
            fits(may_offset && self.globals.is_known(offset) && plane(self.shape_of(offset)?))?;
        }
        if mask & 0x10 != 0 {
            self.required.add(spirv::Capability::ImageGatherExtended)?;
            fits(may_offset && access == Access::Gather && plane(self.shape_of(next(1)?[0])?))?;
        }
        if mask & 0x20 != 0 {
            self.required.add(spirv::Capability::ImageGatherExtended)?;
            let offsets = next(1)?[0];
            let constant = self.globals.constants.get(&offsets).ok_or("the offsets are no constant")?;
            let Type::Array { of, length: 4 } = self.globals.ty(constant.ty)? else { refuse!("no four offsets") };
            fits(may_offset && access == Access::Gather && plane(self.shape(*of)?) && self.globals.is_known(offsets))?;
        }
        if mask & 0x40 != 0 {
            let sample = self.shape_of(next(1)?[0])?;
            fits(image.multisampled && sample.is_int())?;
        } else if image.multisampled {
            refuse!("there is no sample");
        }
        match rest {
            [] => Ok(()),
            _ => refuse!("there are too many image operands"),
        }
    }
}
