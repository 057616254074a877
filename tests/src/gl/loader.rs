//! Turns the table in `functions.rs` into one wrapper per command.

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
