//! Turns the table in `functions.rs` into one wrapper per command.

use super::types::GLDEBUGPROC;
use std::ffi::c_void;

/// Declares one wrapper per GL command and a `load` function that resolves them all.
///
/// The wrappers are ordinary functions, not `unsafe` ones: they are exactly as trusting as the C
/// prototypes they stand for, and every test is a C program in that sense. A test that hands GL a
/// pointer owns the memory behind it for as long as the specification says GL may read it.
macro_rules! gl_functions {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?;)*) => {
        #[allow(non_snake_case)]
        struct Table { $($name: Option<extern "C" fn($($ty),*) $(-> $ret)?>,)* }

        static TABLE: std::sync::OnceLock<Table> = std::sync::OnceLock::new();

        /// Names of all commands in the table, without the `gl` prefix.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// Resolves every command through `get`; the first call of the process decides.
        pub fn load(get: &dyn Fn(&str) -> *const std::ffi::c_void) {
            TABLE.get_or_init(|| Table {
                $($name: {
                    let address = get(concat!("gl", stringify!($name)));
                    // SAFETY: the GL binding ABI fixes the prototype behind each command name, and
                    // a null address becomes `None`.
                    unsafe { std::mem::transmute::<
                        *const std::ffi::c_void,
                        Option<extern "C" fn($($ty),*) $(-> $ret)?>,
                    >(address) }
                },)*
            });
        }

        /// The types of each command's parameters, as text.
        pub const PARAMETERS: &[&str] = &[$(concat!($(stringify!($ty), ", "),*)),*];

        /// Calls command number `index` of [`NAMES`] with arguments that `source` makes; whatever it returns is dropped.
        pub fn call_with(index: usize, source: &mut dyn $crate::gl::ArgumentSource) {
            let commands: &[fn(&mut dyn $crate::gl::ArgumentSource)] = &[$(
                |_source| { let _ = $name($($crate::gl::Argument::make(_source, stringify!($arg))),*); }
            ),*];
            if let Some(command) = commands.get(index) {
                command(source);
            }
        }

        $(
            #[doc = concat!("`gl", stringify!($name), "`.")]
            #[allow(non_snake_case, clippy::too_many_arguments)]
            #[track_caller]
            #[inline]
            pub fn $name($($arg: $ty),*) $(-> $ret)? {
                let table = TABLE.get().expect("GL commands are not loaded");
                match table.$name {
                    Some(command) => command($($arg),*),
                    None => panic!(concat!("gl", stringify!($name), " has no address")),
                }
            }
        )*
    };
}
pub(super) use gl_functions;

/// Makes arguments for [`super::call_with`] from a parameter's name and type.
pub trait ArgumentSource {
    /// An integer; `bits` wide, the rest is cut off.
    fn integer(&mut self, name: &'static str, bits: u32) -> u64;
    /// A floating-point number.
    fn float(&mut self, name: &'static str) -> f64;
    /// Memory that GL reads.
    fn input(&mut self, name: &'static str) -> *const c_void;
    /// Memory that GL writes.
    fn output(&mut self, name: &'static str) -> *mut c_void;
}

/// A type of a parameter.
pub trait Argument {
    /// Makes one.
    fn make(source: &mut dyn ArgumentSource, name: &'static str) -> Self;
}

macro_rules! integers {
    ($($type:ty),*) => { $(impl Argument for $type {
        fn make(source: &mut dyn ArgumentSource, name: &'static str) -> Self {
            source.integer(name, <$type>::BITS) as Self
        }
    })* };
}
integers!(u8, i8, u16, i16, u32, i32, u64, i64, isize);

macro_rules! floats {
    ($($type:ty),*) => { $(impl Argument for $type {
        fn make(source: &mut dyn ArgumentSource, name: &'static str) -> Self {
            source.float(name) as Self
        }
    })* };
}
floats!(f32, f64);

impl<T> Argument for *const T {
    fn make(source: &mut dyn ArgumentSource, name: &'static str) -> Self {
        source.input(name).cast()
    }
}

impl<T> Argument for *mut T {
    fn make(source: &mut dyn ArgumentSource, name: &'static str) -> Self {
        source.output(name).cast()
    }
}

impl Argument for GLDEBUGPROC {
    fn make(_: &mut dyn ArgumentSource, _: &'static str) -> Self {
        None
    }
}
