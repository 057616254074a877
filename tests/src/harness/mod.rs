//! The runner: a parent process lists tests times lanes and a child process per lane executes them.
//!
//! A driver is chosen once per process, so each lane is a child of its own; a child that dies takes
//! only the test it was running with it. Everything a child prints goes through one pipe, which is
//! how a validation message finds the test that caused it.

mod child;
mod environment;
mod expected;
mod gate;
mod lane;
mod parent;
mod window;

pub use child::{Env, caps, counter, run_child, skip};
pub use environment::is_ending_child;
pub use gate::faults;
pub use lane::{Lane, lanes};
pub use parent::main;
pub use window::{Connection, Window};

/// What the harness prepares before the body of a test runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setup {
    /// A current core-profile context of this version without surface.
    Core(u8, u8),
    /// A current core-profile context of this version on a pbuffer of this size.
    Pbuffer(u8, u8, u16, u16),
    /// A current compatibility-profile context on a pbuffer of this size.
    Compatibility(u16, u16),
    /// An initialised display and nothing else.
    Display,
    /// An X server; the test opens its own display.
    X11,
    /// Nothing at all.
    Bare,
}

/// The lanes a test makes sense on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// Lanes that produce pixels.
    Render,
    /// The same, and the one on a lesser device: what is tested takes another path there.
    Lesser,
    /// The one on the least device, which lacks what programs see: what is tested is what they see then.
    Least,
    /// The no-op driver only: what is tested never reaches a driver.
    Noop,
    /// The plain Vulkan driver only: slow work that wrappers add nothing to.
    Vulkan,
    /// Every lane.
    Every,
}

/// One test.
#[derive(Clone, Copy)]
pub struct Test {
    /// Module path and function name.
    pub name: &'static str,
    /// What must be prepared.
    pub setup: Setup,
    /// Where it runs.
    pub on: On,
    /// The validation gate has to fire: a negative control of the gate itself.
    pub gate_must_fire: bool,
    /// The body; a panic is a failure.
    pub run: fn(&Env),
}

/// Lists the tests of a module as `TESTS`.
///
/// ```text
/// gl_tests! {
///     render core(3, 3): clear_colour, clear_depth;
///     noop core(3, 3): errors_of_bind_buffer;
/// }
/// ```
/// A function missing from the list is dead code, which the compiler reports.
#[macro_export]
macro_rules! gl_tests {
    ($($on:ident $setup:ident $args:tt: $($name:ident),+ $(,)?;)+) => {
        /// The tests of this module.
        pub const TESTS: &[$crate::harness::Test] = &[$($(
            $crate::harness::Test {
                name: concat!(module_path!(), "::", stringify!($name)),
                setup: $crate::gl_tests!(@setup $setup $args),
                on: $crate::gl_tests!(@on $on),
                gate_must_fire: $crate::gl_tests!(@gate $on),
                run: $name,
            },
        )+)+];
    };
    (@on render) => { $crate::harness::On::Render };
    (@on least) => { $crate::harness::On::Least };
    (@on lesser) => { $crate::harness::On::Lesser };
    (@on vulkan) => { $crate::harness::On::Vulkan };
    (@on noop) => { $crate::harness::On::Noop };
    (@on every) => { $crate::harness::On::Every };
    (@on gate) => { $crate::harness::On::Every };
    (@gate gate) => { true };
    (@gate $other:ident) => { false };
    (@setup core($major:expr, $minor:expr)) => { $crate::harness::Setup::Core($major, $minor) };
    (@setup pbuffer($w:expr, $h:expr)) => { $crate::harness::Setup::Pbuffer(3, 3, $w, $h) };
    (@setup compatibility($w:expr, $h:expr)) => { $crate::harness::Setup::Compatibility($w, $h) };
    (@setup display()) => { $crate::harness::Setup::Display };
    (@setup x11()) => { $crate::harness::Setup::X11 };
    (@setup bare()) => { $crate::harness::Setup::Bare };
}
