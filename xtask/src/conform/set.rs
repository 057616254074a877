//! Named sets of tests, and patterns to choose from them.

use super::profile::{Context, Test};

/// A named set: which lists it is drawn from and which groups it keeps.
pub struct Set {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, for the report.
    pub about: &'static str,
    /// piglit's profile.
    pub profile: &'static str,
    /// Groups "spec@GROUP@"; none means all.
    groups: &'static [&'static str],
    /// Only tests that can run in a core-profile context.
    core_only: bool,
    /// Switches that the tests need.
    pub environment: &'static [(&'static str, &'static str)],
}

/// Contexts of the compatibility profile are made where they are asked for.
const COMPATIBILITY: &[(&str, &str)] = &[("GALLITE_COMPATIBILITY", "1")];

/// The sets that the project reports.
pub const SETS: &[Set] = &[
    Set {
        name: "gl33",
        about: "OpenGL 3.0 to 3.3, GLSL 1.30 to 3.30 and the extensions that 3.0 to 3.3 made core; core-profile tests",
        profile: "quick",
        groups: GL33,
        core_only: true,
        environment: &[],
    },
    Set {
        name: "quick_shader",
        about: "the profile quick_shader, without tests for OpenGL ES contexts",
        profile: "quick_shader",
        groups: &[],
        core_only: false,
        environment: COMPATIBILITY,
    },
    Set {
        name: "glslparser",
        about: "the profile glslparser, without tests for OpenGL ES contexts",
        profile: "glslparser",
        groups: &[],
        core_only: false,
        environment: COMPATIBILITY,
    },
];

/// OpenGL 3.0 to 3.3: the versions' own groups, then what each version took from extensions
/// (GL 3.3 core, appendices E to I list them).
const GL33: &[&str] = &[
    "!opengl 3.0",
    "!opengl 3.1",
    "!opengl 3.2",
    "!opengl 3.3",
    "glsl-1.30",
    "glsl-1.40",
    "glsl-1.50",
    "glsl-3.30",
    // 3.0
    "ext_gpu_shader4",
    "nv_conditional_render",
    "arb_map_buffer_range",
    "arb_color_buffer_float",
    "arb_texture_float",
    "arb_depth_buffer_float",
    "ext_packed_float",
    "ext_texture_shared_exponent",
    "arb_framebuffer_object",
    "ext_framebuffer_object",
    "ext_framebuffer_blit",
    "ext_framebuffer_multisample",
    "ext_packed_depth_stencil",
    "arb_half_float_vertex",
    "ext_texture_integer",
    "ext_texture_array",
    "ext_draw_buffers2",
    "ext_texture_compression_rgtc",
    "arb_texture_rg",
    "ext_transform_feedback",
    "arb_vertex_array_object",
    "arb_framebuffer_srgb",
    "ext_framebuffer_srgb",
    // 3.1
    "arb_draw_instanced",
    "ext_draw_instanced",
    "arb_copy_buffer",
    "nv_primitive_restart",
    "arb_texture_buffer_object",
    "arb_texture_rectangle",
    "arb_uniform_buffer_object",
    "ext_texture_snorm",
    // 3.2
    "arb_vertex_array_bgra",
    "ext_vertex_array_bgra",
    "arb_draw_elements_base_vertex",
    "arb_fragment_coord_conventions",
    "arb_provoking_vertex",
    "ext_provoking_vertex",
    "arb_seamless_cube_map",
    "arb_texture_multisample",
    "arb_depth_clamp",
    "arb_sync",
    "arb_geometry_shader4",
    // 3.3
    "arb_shader_bit_encoding",
    "arb_blend_func_extended",
    "arb_explicit_attrib_location",
    "arb_occlusion_query2",
    "arb_sampler_objects",
    "arb_texture_rgb10_a2ui",
    "arb_texture_swizzle",
    "ext_texture_swizzle",
    "arb_timer_query",
    "ext_timer_query",
    "arb_instanced_arrays",
    "arb_vertex_type_2_10_10_10_rev",
];

impl Set {
    /// Finds a set by its name.
    pub fn find(name: &str) -> Option<&'static Self> {
        SETS.iter().find(|set| set.name == name)
    }

    /// True when the test is of this set.
    pub fn has(&self, test: &Test) -> bool {
        let context_fits = match test.context {
            Context::Core | Context::Unknown => true,
            Context::Compat => !self.core_only,
            Context::Es => false,
        };
        let group = test.name.strip_prefix("spec@").and_then(|rest| rest.split('@').next());
        context_fits && (self.groups.is_empty() || group.is_some_and(|group| self.groups.contains(&group)))
    }
}

/// The group of a test, for tables: "spec@glsl-1.50@a@b" is of "spec@glsl-1.50".
pub fn group_of(name: &str) -> &str {
    match name.match_indices('@').nth(1) {
        Some((at, _)) => &name[..at],
        None => name,
    }
}

/// True when `name` contains the pattern; `*` stands for anything.
pub fn matches(pattern: &str, name: &str) -> bool {
    let mut rest = name;
    for piece in pattern.split('*') {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    true
}

/// Every n-th test, so that `count` are left, spread over all groups and the same in each run.
pub fn sample(tests: &mut Vec<Test>, count: usize) {
    if count == 0 || count >= tests.len() {
        return;
    }
    let total = tests.len();
    let mut index = 0;
    tests.retain(|_| {
        let kept = (index + 1) * count / total != index * count / total;
        index += 1;
        kept
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::profile::Kind;

    fn test(name: &str, context: Context) -> Test {
        Test {
            name: name.into(),
            command: vec!["x".into()],
            kind: Kind::Native,
            context,
            concurrent: true,
            only_on: vec![],
            not_on: vec![],
        }
    }

    #[test]
    fn a_set_keeps_its_groups_and_profile() {
        let Some(set) = Set::find("gl33") else { panic!("no such set") };
        assert!(set.has(&test("spec@glsl-1.50@a", Context::Core)));
        assert!(set.has(&test("spec@!opengl 3.2@a", Context::Unknown)));
        assert!(!set.has(&test("spec@glsl-1.50-compat@a", Context::Core)));
        assert!(!set.has(&test("spec@glsl-1.30@a", Context::Compat)));
        assert!(!set.has(&test("spec@glsl-1.10@a", Context::Core)));
    }

    #[test]
    fn a_set_without_groups_takes_all_but_es() {
        let Some(set) = Set::find("quick_shader") else { panic!("no such set") };
        assert!(set.has(&test("spec@glsl-1.10@a", Context::Compat)));
        assert!(set.has(&test("shaders@a", Context::Core)));
        assert!(!set.has(&test("spec@glsl-es-3.00@a", Context::Es)));
    }

    #[test]
    fn patterns_and_groups() {
        assert!(matches("glsl-1.50*uniform", "spec@glsl-1.50@x@uniform-y"));
        assert!(!matches("uniform*glsl", "spec@glsl-1.50@x@uniform-y"));
        assert_eq!(group_of("spec@glsl-1.50@x@y"), "spec@glsl-1.50");
    }

    #[test]
    fn a_sample_has_the_size_asked_for() {
        let mut tests: Vec<Test> = (0..100).map(|n| test(&n.to_string(), Context::Core)).collect();
        sample(&mut tests, 7);
        assert_eq!(tests.len(), 7);
    }
}
