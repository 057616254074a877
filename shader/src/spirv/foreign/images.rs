//! Lookups, loads and stores of images, and questions about them (SPIR-V 1.0 section 3.32.10, GL 4.6 core appendix C.4).

use spirv::{Dim, ImageFormat, Op, StorageClass};

use super::super::module::Inst;
use super::code::Code;
use super::compute::{fits, operands};
use super::globals::Value;
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

fn is_sample(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        ImageSampleImplicitLod
            | ImageSampleExplicitLod
            | ImageSampleDrefImplicitLod
            | ImageSampleDrefExplicitLod
            | ImageSampleProjImplicitLod
            | ImageSampleProjExplicitLod
            | ImageSampleProjDrefImplicitLod
            | ImageSampleProjDrefExplicitLod
    )
}

const FLOAT: Shape = Shape { scalar: Scalar::Float(32), count: 1 };

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
#[derive(Clone, Copy, Default)]
struct Access {
    /// A level of detail is given, and has to be.
    explicit: bool,
    /// One is worked out.
    implicit: bool,
    gather: bool,
    fetch: bool,
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
        let dref = matches!(
            op,
            ImageSampleDrefImplicitLod
                | ImageSampleDrefExplicitLod
                | ImageSampleProjDrefImplicitLod
                | ImageSampleProjDrefExplicitLod
        );
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
        let least = image.plane() + u32::from(image.arrayed) + u32::from(proj);
        self.coordinate(*coordinate, |s| s == Scalar::Float(32), least)?;
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
        self.image_operands(rest, &image, Access { explicit, implicit: !explicit, ..Access::default() })
    }

    fn fetch(&mut self, inst: &Inst) -> Check {
        let [ty, _, image, coordinate, rest @ ..] = &inst.words[..] else { refuse!("too few operands") };
        let image = self.image(*image)?;
        if image.storage || image.dim == Dim::DimCube {
            refuse!("this image is not fetched from");
        }
        self.texel(*ty, &image)?;
        self.coordinate(*coordinate, Scalar::is_int, image.plane() + u32::from(image.arrayed))?;
        self.image_operands(rest, &image, Access { fetch: true, ..Access::default() })
    }

    fn gather(&mut self, inst: &Inst) -> Check {
        let [ty, _, sampled, coordinate, which, rest @ ..] = &inst.words[..] else { refuse!("too few operands") };
        let image = self.sampled(*sampled)?;
        if !matches!(image.dim, Dim::Dim2D | Dim::DimCube | Dim::DimRect) || image.multisampled {
            refuse!("this image is not gathered from");
        }
        self.texel(*ty, &image)?;
        self.coordinate(*coordinate, |s| s == Scalar::Float(32), image.plane() + u32::from(image.arrayed))?;
        if inst.op == Op::ImageDrefGather {
            fits(self.shape_of(*which)? == FLOAT && self.shape(image.sampled)? == FLOAT)?;
        } else if self.globals.uint(*which).is_none_or(|component| component > 3) {
            refuse!("the component is no constant below 4");
        }
        self.image_operands(rest, &image, Access { gather: true, ..Access::default() })
    }

    fn read_texel(&mut self, inst: &Inst) -> Check {
        let [ty, _, image, coordinate, rest @ ..] = &inst.words[..] else { refuse!("too few operands") };
        let image = self.image(*image)?;
        if !image.storage || image.format == ImageFormat::Unknown {
            refuse!("this image is not loaded from");
        }
        self.texel(*ty, &image)?;
        self.storage_coordinate(*coordinate, &image)?;
        self.image_operands(rest, &image, Access::default())
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
        self.image_operands(rest, &image, Access::default())
    }

    /// Faces and layers of cube maps are one number.
    fn storage_coordinate(&self, id: u32, image: &Image) -> Check {
        let layer = image.arrayed && image.dim != Dim::DimCube;
        self.coordinate(id, Scalar::is_int, image.plane() + u32::from(layer))
    }

    fn texel_pointer(&mut self, inst: &Inst) -> Check {
        let [ty, id, pointer, coordinate, sample] = operands(inst)?;
        let (class, to) = self.pointer(pointer)?;
        let image = self.globals.types.image(to).filter(|i| i.storage && class == StorageClass::UniformConstant);
        let Some(image) = image else { refuse!("this is no pointer to a storage image") };
        fits(self.globals.types.pointer(ty) == Some((StorageClass::Image, image.sampled)))?;
        fits(matches!(image.format, ImageFormat::R32i | ImageFormat::R32ui | ImageFormat::R32f))?;
        let layer = image.arrayed && image.dim != Dim::DimCube;
        let coordinate = self.shape_of(coordinate)?;
        fits(coordinate.scalar.is_int() && coordinate.count == image.plane() + u32::from(layer))?;
        let shape = self.shape_of(sample)?;
        fits(shape.count == 1 && shape.scalar.is_int())?;
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
            self.coordinate(*coordinate, |s| s == Scalar::Float(32), image.plane())?;
            return fits(result == Shape { count: 2, ..FLOAT });
        }
        let image = self.image(*image)?;
        let size = match image.dim {
            Dim::DimCube => 2,
            _ => image.plane(),
        } + u32::from(image.arrayed);
        let mipmapped = matches!(image.dim, Dim::Dim1D | Dim::Dim2D | Dim::Dim3D | Dim::DimCube)
            && !image.multisampled
            && !image.storage;
        fits(result.scalar.is_int())?;
        match (inst.op, rest) {
            (ImageQuerySizeLod, [lod]) => {
                let lod = self.shape_of(*lod)?;
                fits(mipmapped && lod.count == 1 && lod.scalar.is_int() && result.count == size)
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
        let mipmapped = matches!(image.dim, Dim::Dim1D | Dim::Dim2D | Dim::Dim3D | Dim::DimCube) && !image.multisampled;
        let sampling = access.explicit || access.implicit;
        if mask & 0x1 != 0 {
            fits(access.implicit && mipmapped && self.shape_of(next(1)?[0])? == FLOAT)?;
        }
        if mask & 0x2 != 0 {
            let lod = self.shape_of(next(1)?[0])?;
            let as_int = lod.count == 1 && lod.scalar.is_int();
            fits(mipmapped && (access.explicit && lod == FLOAT || access.fetch && as_int))?;
        }
        if mask & 0x4 != 0 {
            let wanted = Shape { scalar: Scalar::Float(32), count: image.plane() };
            for gradient in next(2)? {
                fits(access.explicit && self.shape_of(gradient)? == wanted)?;
            }
        }
        if access.explicit && (mask & 0x6).count_ones() != 1 {
            refuse!("there is no level of detail and no gradient, or both");
        }
        if (mask & 0x38).count_ones() > 1 {
            refuse!("there is more than one kind of offset");
        }
        let plane = |shape: Shape| shape.scalar.is_int() && shape.count == image.plane();
        let may_offset =
            (sampling || access.gather || access.fetch) && !matches!(image.dim, Dim::DimCube | Dim::DimBuffer);
        if mask & 0x8 != 0 {
            let offset = next(1)?[0];
            fits(may_offset && self.globals.constants.contains_key(&offset) && plane(self.shape_of(offset)?))?;
        }
        if mask & 0x10 != 0 {
            self.required.add(spirv::Capability::ImageGatherExtended)?;
            fits(may_offset && access.gather && plane(self.shape_of(next(1)?[0])?))?;
        }
        if mask & 0x20 != 0 {
            self.required.add(spirv::Capability::ImageGatherExtended)?;
            let offsets = next(1)?[0];
            let constant = self.globals.constants.get(&offsets).ok_or("the offsets are no constant")?;
            let Type::Array { of, length: 4 } = self.globals.ty(constant.ty)? else { refuse!("no four offsets") };
            fits(may_offset && access.gather && plane(self.shape(*of)?) && constant.value != Value::Undefined)?;
        }
        if mask & 0x40 != 0 {
            let sample = self.shape_of(next(1)?[0])?;
            fits(image.multisampled && sample.count == 1 && sample.scalar.is_int())?;
        } else if image.multisampled {
            refuse!("there is no sample");
        }
        match rest {
            [] => Ok(()),
            _ => refuse!("there are too many image operands"),
        }
    }
}
