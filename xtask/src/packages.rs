//! Which Debian packages which command needs, and why.

/// What a package is for. A command asks only for the groups it uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Compiling the library: glslang is C++ built with CMake.
    Build,
    /// Running programs: a Vulkan loader and driver, libglvnd, a virtual X server, screenshots.
    Run,
    /// The test suite: validation layers and the SPIR-V validator.
    Test,
    /// Conformance and acceptance: piglit and the programs whose pictures are compared.
    Conform,
}

/// Every group, in the order in which they are installed.
pub const ALL: &[Group] = &[Group::Build, Group::Run, Group::Test, Group::Conform];

/// The release whose own Mesa is too old; its backports carry one that is not.
pub const BACKPORTED_RELEASE: &str = "bookworm";

/// The oldest Mesa whose lavapipe and Zink the tests and tables are written for.
pub const MESA_MAJOR: u32 = 25;

/// Packages of Mesa's, all of one version, from backports where the release needs it.
pub const MESA: &[&str] = &["mesa-vulkan-drivers", "libgl1-mesa-dri", "libegl-mesa0", "libglx-mesa0", "libgbm1"];

/// The packages of one group beside Mesa's (which belong to [`Group::Run`]).
pub fn of(group: Group) -> &'static [&'static str] {
    match group {
        Group::Build => &["cmake", "g++", "make", "pkg-config"],
        Group::Run => &[
            "libvulkan1",
            "libegl1",
            "libgl1",
            "libgles2",
            "libopengl0",
            "libx11-6",
            "libx11-xcb1",
            "libxcb1",
            "xvfb",
            "imagemagick",
        ],
        Group::Test => &["vulkan-validationlayers", "spirv-tools", "vulkan-tools", "x11-utils"],
        Group::Conform => &["piglit", "mpv", "ffmpeg", "gtk-4-examples", "mesa-utils", "apitrace", "fonts-dejavu-core"],
    }
}
