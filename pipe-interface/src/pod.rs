//! Plain-old-data building blocks: open enums, flag sets, and payload structs that check themselves.
//!
//! Every value that crosses the interface is [`bytemuck::Pod`]: fixed size, no padding, no pointer.
//! Because any bit pattern is a valid `Pod`, enums are *open*: a transparent integer with named
//! constants. Code that receives bytes from a peer calls [`Validate::validate`] before it lets a value
//! reach a driver; code inside one process never needs to.

/// Says whether a value that came from outside holds only meanings this version knows.
pub trait Validate {
    /// `Err` names the type whose value is out of range.
    fn validate(&self) -> Result<(), InvalidValue>;

    /// Maps any bit pattern to a valid one, and a valid one to itself. For generators of test input.
    fn clamp(&mut self);

    /// Calls `visit` with each handle inside, null ones included, in field order.
    fn visit_handles(&self, visit: &mut dyn FnMut(AnyHandle)) {
        let _ = visit;
    }
}

/// A handle whose kind is known only at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AnyHandle {
    /// Name of the handle's type.
    pub kind: &'static str,
    /// Slot.
    pub slot: u32,
    /// Generation; zero when null.
    pub generation: u32,
}

/// A value outside its type's domain, found while checking bytes from a peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("value out of range for {0}")]
pub struct InvalidValue(pub &'static str);

/// A payload: plain old data that can check itself.
pub trait Payload: bytemuck::Pod + Validate {}
impl<T: bytemuck::Pod + Validate> Payload for T {}

macro_rules! any_bits_valid {
    ($($ty:ty),*) => { $(impl Validate for $ty {
        #[inline]
        fn validate(&self) -> Result<(), InvalidValue> { Ok(()) }
        #[inline]
        fn clamp(&mut self) {}
    })* };
}
any_bits_valid!((), u8, u16, u32, u64, i8, i16, i32, i64, F32, F64);

impl<T: Validate, const N: usize> Validate for [T; N] {
    fn validate(&self) -> Result<(), InvalidValue> {
        self.iter().try_for_each(Validate::validate)
    }
    fn clamp(&mut self) {
        self.iter_mut().for_each(Validate::clamp);
    }
    fn visit_handles(&self, visit: &mut dyn FnMut(AnyHandle)) {
        self.iter().for_each(|item| item.visit_handles(visit));
    }
}

macro_rules! float_bits {
    ($(#[$doc:meta])* $name:ident, $float:ty, $bits:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(transparent)]
        pub struct $name($bits);

        impl $name {
            /// Wraps a value; the bits are kept exactly.
            #[inline]
            pub const fn new(value: $float) -> Self { Self(value.to_bits()) }
            /// The value.
            #[inline]
            pub const fn get(self) -> $float { <$float>::from_bits(self.0) }
        }
        impl From<$float> for $name {
            #[inline]
            fn from(value: $float) -> Self { Self::new(value) }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { self.get().fmt(f) }
        }
    };
}
float_bits! {
    /// A 32-bit float compared and hashed by its bits, so that state holding it is `Eq` and `Hash`.
    F32, f32, u32
}
float_bits! {
    /// A 64-bit float compared and hashed by its bits.
    F64, f64, u64
}

/// Declares an open enum: a transparent integer with named constants.
macro_rules! pod_enum {
    ($(#[$meta:meta])* pub $name:ident : $repr:ty { $($(#[$vmeta:meta])* $variant:ident = $value:expr),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(transparent)]
        pub struct $name(pub $repr);

        impl $name {
            $($(#[$vmeta])* pub const $variant: Self = Self($value);)+
            /// Every value with a name, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The constant's name, or `None` when the value has none.
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$variant => Some(stringify!($variant)),)+
                    _ => None,
                }
            }
            /// Whether the value is one of the named ones.
            pub const fn is_valid(self) -> bool { self.name().is_some() }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => write!(f, concat!(stringify!($name), "({})"), self.0),
                }
            }
        }
        impl $crate::pod::Validate for $name {
            fn validate(&self) -> Result<(), $crate::pod::InvalidValue> {
                if self.is_valid() { Ok(()) } else { Err($crate::pod::InvalidValue(stringify!($name))) }
            }
            fn clamp(&mut self) {
                if !self.is_valid() { *self = Self::ALL[self.0 as usize % Self::ALL.len()]; }
            }
        }
    };
}

/// Declares a set of flags over an unsigned integer.
macro_rules! pod_flags {
    ($(#[$meta:meta])* pub $name:ident : $repr:ty { $($(#[$vmeta:meta])* $variant:ident = $value:expr),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(transparent)]
        pub struct $name(pub $repr);

        impl $name {
            $($(#[$vmeta])* pub const $variant: Self = Self($value);)+
            /// The empty set.
            pub const EMPTY: Self = Self(0);
            /// Every bit with a name.
            pub const ALL: Self = Self(0 $(| $value)+);

            /// Whether all of `other`'s bits are set.
            #[inline]
            pub const fn contains(self, other: Self) -> bool { self.0 & other.0 == other.0 }
            /// Whether any of `other`'s bits is set.
            #[inline]
            pub const fn intersects(self, other: Self) -> bool { self.0 & other.0 != 0 }
            /// Whether no bit is set.
            #[inline]
            pub const fn is_empty(self) -> bool { self.0 == 0 }
            /// Adds `other`'s bits.
            #[inline]
            pub fn insert(&mut self, other: Self) { self.0 |= other.0; }
            /// Removes `other`'s bits.
            #[inline]
            pub fn remove(&mut self, other: Self) { self.0 &= !other.0; }
            /// The set with `other`'s bits when `on`, else unchanged.
            #[inline]
            pub const fn with(self, other: Self, on: bool) -> Self {
                if on { Self(self.0 | other.0) } else { self }
            }
            /// The names of the bits that are set.
            pub fn names(self) -> Vec<&'static str> {
                let mut names = Vec::new();
                $(if self.contains(Self::$variant) { names.push(stringify!($variant)); })+
                names
            }
        }
        impl std::ops::BitOr for $name {
            type Output = Self;
            #[inline]
            fn bitor(self, rhs: Self) -> Self { Self(self.0 | rhs.0) }
        }
        impl std::ops::BitOrAssign for $name {
            #[inline]
            fn bitor_assign(&mut self, rhs: Self) { self.0 |= rhs.0; }
        }
        impl std::ops::BitAnd for $name {
            type Output = Self;
            #[inline]
            fn bitand(self, rhs: Self) -> Self { Self(self.0 & rhs.0) }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", self.names().join("|"))
            }
        }
        impl $crate::pod::Validate for $name {
            fn validate(&self) -> Result<(), $crate::pod::InvalidValue> {
                if Self::ALL.contains(*self) { Ok(()) } else { Err($crate::pod::InvalidValue(stringify!($name))) }
            }
            fn clamp(&mut self) { self.0 &= Self::ALL.0; }
        }
    };
}

/// Declares a padding-free payload struct; its check is the check of each field.
/// A struct with implicit padding does not compile (`Pod` refuses it).
macro_rules! pod_struct {
    ($(#[$meta:meta])* pub $name:ident { $($(#[$fmeta:meta])* $field:ident : $ty:ty),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub struct $name { $($(#[$fmeta])* pub $field: $ty),+ }

        impl Default for $name {
            fn default() -> Self { bytemuck::Zeroable::zeroed() }
        }
        impl $crate::pod::Validate for $name {
            fn validate(&self) -> Result<(), $crate::pod::InvalidValue> {
                $($crate::pod::Validate::validate(&self.$field)?;)+
                Ok(())
            }
            fn clamp(&mut self) { $($crate::pod::Validate::clamp(&mut self.$field);)+ }
            fn visit_handles(&self, visit: &mut dyn FnMut($crate::pod::AnyHandle)) {
                $($crate::pod::Validate::visit_handles(&self.$field, visit);)+
            }
        }
        impl $name {
            /// The names of the fields, in order.
            pub const FIELDS: &'static [&'static str] = &[$(stringify!($field)),+];

            /// The name of the first field that differs, as `Type.field`.
            pub fn first_difference(&self, other: &Self) -> Option<&'static str> {
                $(if self.$field != other.$field { return Some(concat!(stringify!($name), ".", stringify!($field))); })+
                None
            }

            /// Calls `visit` with each field's name and value, in order.
            pub fn visit_fields(&self, visit: &mut dyn FnMut(&'static str, &dyn std::fmt::Debug)) {
                $(visit(stringify!($field), &self.$field);)+
            }
        }
    };
}

pub(crate) use {pod_enum, pod_flags, pod_struct};
