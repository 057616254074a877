//! Locations of the outputs that captured parts are copied to.
//!
//! Vulkan counts the locations of a stage's outputs, whoever reads them, so copies share locations component by component
//! where they can: those of one scalar kind and one vertex stream.

use crate::gl_type::Scalar;
use crate::spirv::Ty;

/// What may share a location: a scalar kind and a vertex stream.
type Class = (Scalar, u32);

/// Locations given out so far, from the first on that the stage's own outputs leave.
pub(super) struct Copies {
    first: u32,
    /// Of each location, what shares it and which components are taken.
    taken: Vec<(Class, u8)>,
}

impl Copies {
    /// None yet; `first` is free and so are all after it.
    pub fn from(first: u32) -> Self {
        Self { first, taken: Vec::new() }
    }

    /// Gives a copy its location and first component.
    pub fn place(&mut self, ty: &Ty, stream: u32) -> (u32, u32) {
        let slots = ty.slots().max(1) as usize;
        // Vectors and scalars of 32 bits, and arrays of them, leave the rest of their locations to others.
        let element = match ty {
            Ty::Array(element, _) => element,
            other => other,
        };
        let (class, width) = match element {
            Ty::Basic(shape) if shape.columns == 1 && !shape.scalar.is_long() => {
                ((shape.scalar, stream), u32::from(shape.rows).clamp(1, 4))
            }
            Ty::Basic(shape) => ((shape.scalar, stream), 4),
            _ => ((Scalar::Float, stream), 4),
        };
        let mut at = 0;
        loop {
            for component in 0..=4 - width {
                let mask = ((1_u8 << width) - 1) << component;
                let fits = |taken: &(Class, u8)| taken.0 == class && taken.1 & mask == 0;
                if self.taken.iter().skip(at).take(slots).all(fits) {
                    self.take(at, slots, class, mask);
                    return (self.first + at as u32, component);
                }
            }
            at += 1;
        }
    }

    fn take(&mut self, at: usize, slots: usize, class: Class, mask: u8) {
        if self.taken.len() < at + slots {
            self.taken.resize(at + slots, (class, 0));
        }
        self.taken[at..at + slots].iter_mut().for_each(|taken| taken.1 |= mask);
    }

    /// The first location after all of them.
    pub fn end(&self) -> u32 {
        self.first + self.taken.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gl_type::Shape;
    use std::sync::Arc;

    fn vector(scalar: Scalar, rows: u8) -> Ty {
        Ty::Basic(Shape { scalar, columns: 1, rows })
    }

    #[test]
    fn copies_share_locations() {
        let mut copies = Copies::from(7);
        let int = vector(Scalar::Int, 1);
        let ints = |n| Ty::Array(Arc::new(int.clone()), n);
        assert_eq!(copies.place(&ints(2), 0), (7, 0));
        assert_eq!(copies.place(&ints(3), 0), (7, 1));
        // The third location has its first component free only where the array of two has ended.
        assert_eq!(copies.place(&vector(Scalar::Int, 1), 0), (7, 2));
        assert_eq!(copies.place(&vector(Scalar::Int, 2), 0), (8, 2));
        assert_eq!(copies.place(&vector(Scalar::Int, 3), 0), (10, 0));
        assert_eq!(copies.end(), 11);
    }

    #[test]
    fn kinds_and_streams_keep_apart() {
        let mut copies = Copies::from(0);
        assert_eq!(copies.place(&vector(Scalar::Float, 1), 0), (0, 0));
        assert_eq!(copies.place(&vector(Scalar::Int, 1), 0), (1, 0));
        assert_eq!(copies.place(&vector(Scalar::Float, 1), 1), (2, 0));
        assert_eq!(copies.place(&vector(Scalar::Float, 3), 0), (0, 1));
        assert_eq!(copies.place(&vector(Scalar::Float, 1), 0), (3, 0));
        assert_eq!(copies.end(), 4);
    }
}
