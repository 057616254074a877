//! The built-ins of the compatibility profile: what is accepted in which version, what it becomes, what state changes.

use gallite_shader::reflection::StateUniform;
use gallite_shader::state_uniform::Conventional;
use gallite_shader::{
    CompileOptions, CompiledShader, LegacyState, LinkInput, LinkResult, Profile, Stage, compile, link,
};

fn build(stage: Stage, profile: Profile, source: &str) -> CompiledShader {
    compile(stage, source, &CompileOptions { profile, ..CompileOptions::default() })
}

#[track_caller]
fn accept(stage: Stage, source: &str) -> CompiledShader {
    let shader = build(stage, Profile::Compatibility, source);
    assert!(shader.ok, "refused: {}\n{source}", shader.log);
    shader
}

#[track_caller]
fn refuse(stage: Stage, profile: Profile, source: &str) {
    assert!(!build(stage, profile, source).ok, "accepted:\n{source}");
}

#[track_caller]
fn linked(shaders: &[CompiledShader], legacy: LegacyState) -> LinkResult {
    let result = link(&LinkInput { shaders, legacy, ..LinkInput::default() });
    assert!(result.ok, "{}", result.log);
    result
}

/// A version directive for each version that has the profile's names.
const VERSIONS: [&str; 7] = [
    "",
    "#version 110\n",
    "#version 120\n",
    "#version 130\n",
    "#version 140\n",
    "#version 150 compatibility\n",
    "#version 330 compatibility\n",
];

/// GLSL 4.60 compatibility 7.1, 7.3: inputs and outputs of the vertex stage.
#[test]
fn vertex_variables() {
    for version in VERSIONS {
        let shader = accept(
            Stage::Vertex,
            &format!(
                "{version}void main() {{ gl_Position = ftransform(); gl_ClipVertex = gl_ModelViewMatrix * gl_Vertex;\n\
                 gl_FrontColor = gl_Color; gl_BackColor = gl_Color * 0.5; gl_FrontSecondaryColor = gl_SecondaryColor;\n\
                 gl_BackSecondaryColor = gl_SecondaryColor; gl_FogFragCoord = gl_FogCoord + gl_Normal.x;\n\
                 gl_TexCoord[0] = gl_MultiTexCoord0; gl_TexCoord[7] = gl_MultiTexCoord7; }}"
            ),
        );
        let result = linked(&[shader], LegacyState::default());
        let reflection = &result.program.unwrap().reflection;
        let conventional = &reflection.conventional;
        assert!(conventional.contains(&(0, Conventional::Vertex as u8)), "{conventional:?}");
        assert_eq!(conventional.len(), 7, "{conventional:?}");
        let vertex = reflection.attributes.iter().find(|a| a.name == "gl_Vertex").expect("listed");
        assert_eq!(vertex.location, -1);
    }
}

/// GLSL 1.50 3.3: without a profile word the core profile is meant; a core context has no other.
#[test]
fn profiles() {
    let source = |head: &str| format!("{head}void main() {{ gl_Position = gl_Vertex; }}");
    refuse(Stage::Vertex, Profile::Compatibility, &source("#version 150\n"));
    refuse(Stage::Vertex, Profile::Compatibility, &source("#version 330 core\n"));
    refuse(Stage::Vertex, Profile::Core, &source("#version 140\n"));
    refuse(Stage::Vertex, Profile::Core, &source("#version 150 compatibility\n"));
    accept(
        Stage::Fragment,
        "#version 330 compatibility\nvoid main() { gl_FragColor = texture2DProj(s, v); }"
            .replace("void", "uniform sampler2D s; in vec3 v;\nvoid")
            .as_str(),
    );
}

/// GLSL 4.60 compatibility 7.4: state of every kind.
#[test]
fn state() {
    let terms = [
        "gl_ModelViewMatrix[0]",
        "gl_ProjectionMatrixInverse[1]",
        "gl_ModelViewProjectionMatrixTranspose[2]",
        "gl_TextureMatrixInverseTranspose[3][0]",
        "vec4(gl_NormalMatrix[0], gl_NormalScale)",
        "gl_ClipPlane[2]",
        "vec4(gl_Point.size, gl_Point.sizeMin, gl_Point.fadeThresholdSize, gl_Point.distanceQuadraticAttenuation)",
        "gl_FrontMaterial.emission",
        "vec4(gl_BackMaterial.shininess)",
        "gl_LightSource[1].halfVector",
        "vec4(gl_LightSource[7].spotDirection, gl_LightSource[0].spotCosCutoff)",
        "gl_LightModel.ambient",
        "gl_FrontLightModelProduct.sceneColor",
        "gl_BackLightProduct[3].specular",
        "gl_TextureEnvColor[1]",
        "gl_EyePlaneS[0]",
        "gl_ObjectPlaneQ[7]",
        "gl_Fog.color * gl_Fog.scale",
        "vec4(gl_MaxLights, gl_MaxClipPlanes, gl_MaxTextureUnits, gl_MaxTextureCoords)",
    ];
    for version in VERSIONS {
        let shader =
            accept(Stage::Fragment, &format!("{version}void main() {{ gl_FragColor = {}; }}", terms.join(" + ")));
        let result = linked(&[shader], LegacyState::default());
        let reflection = &result.program.unwrap().reflection;
        let has = |state, element, member| {
            reflection.state_uniforms.iter().any(|s| (s.state, s.element, s.member) == (state, element, member))
        };
        assert!(has(StateUniform::LightSource, 7, 5) && has(StateUniform::Fog, 0, 4) && has(StateUniform::Point, 0, 6));
        assert!(has(StateUniform::ModelView, 0, 0) && !has(StateUniform::ModelViewInverse, 0, 0));
        let listed = reflection.uniforms.iter().find(|u| u.name == "gl_LightSource[7].spotDirection").expect("listed");
        assert_eq!(listed.location, -1);
        assert!(reflection.locations.is_empty());
    }
}

/// GLSL 4.60 compatibility 7.2, 7.6: the fragment stage's colours are the vertex stage's.
#[test]
fn colours_and_coordinates_cross_stages() {
    for (vertex, fragment) in VERSIONS.iter().zip(VERSIONS) {
        let vs = accept(
            Stage::Vertex,
            &format!(
                "{vertex}void main() {{ gl_Position = gl_Vertex; gl_FrontColor = gl_Color; gl_TexCoord[1] = gl_MultiTexCoord2; }}"
            ),
        );
        let fs = accept(
            Stage::Fragment,
            &format!(
                "{fragment}void main() {{ gl_FragColor = gl_Color + gl_TexCoord[0] + gl_TexCoord[1] + gl_FogFragCoord; }}"
            ),
        );
        let result = linked(&[vs, fs], LegacyState::default());
        let reflection = &result.program.unwrap().reflection;
        assert_eq!(reflection.conventional.len(), 3);
        assert!(
            reflection.legacy.reads_colors && reflection.legacy.writes_colors && !reflection.legacy.writes_back_colors
        );
    }
}

/// Redeclared sizes (GLSL 4.60 compatibility 7.6).
#[test]
fn coordinates_may_be_redeclared() {
    let vs = accept(
        Stage::Vertex,
        "#version 120\nvarying vec4 gl_TexCoord[3];\nvoid main() { gl_Position = gl_Vertex;\n\
        for (int i = 0; i < 3; i++) gl_TexCoord[i] = gl_MultiTexCoord0; }",
    );
    let fs = accept(
        Stage::Fragment,
        "#version 120\nvarying vec4 gl_TexCoord[gl_MaxTextureCoords];\n\
        uniform int i; void main() { gl_FragColor = gl_TexCoord[i]; }",
    );
    linked(&[vs, fs], LegacyState::default());
    refuse(
        Stage::Vertex,
        Profile::Compatibility,
        "varying vec4 gl_TexCoord[100]; void main() { gl_Position = gl_Vertex; }",
    );
}

/// A geometry stage between them.
#[test]
fn geometry_stage() {
    let vs = accept(
        Stage::Vertex,
        "#version 150 compatibility\nvoid main() { gl_Position = gl_Vertex; gl_FrontColor = gl_Color;\n\
        gl_TexCoord[0] = gl_MultiTexCoord0; }",
    );
    let gs = accept(
        Stage::Geometry,
        "#version 150 compatibility\nlayout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n\
        void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; gl_FrontColor = gl_in[i].gl_FrontColor;\n\
        gl_TexCoord[0] = gl_in[i].gl_TexCoord[0]; EmitVertex(); } }",
    );
    let fs = accept(
        Stage::Fragment,
        "#version 150 compatibility\nvoid main() { gl_FragColor = gl_Color * gl_TexCoord[0]; }",
    );
    linked(&[vs, gs, fs], LegacyState { clamp_vertex_color: true, ..LegacyState::default() });
}

/// Each piece of state makes other code, and the same state the same.
#[test]
fn state_makes_variants() {
    let vs = accept(
        Stage::Vertex,
        "#version 120\nvoid main() { gl_Position = gl_Vertex; gl_ClipVertex = gl_Vertex;\n\
        gl_FrontColor = gl_Color; gl_BackColor = gl_Color.bgra; gl_TexCoord[0] = gl_MultiTexCoord0; }",
    );
    let fs = accept(Stage::Fragment, "#version 120\nvoid main() { gl_FragData[0] = gl_Color + gl_TexCoord[0]; }");
    let shaders = [vs, fs];
    let base = linked(&shaders, LegacyState::default()).program.unwrap();
    let variants = [
        LegacyState { two_sided: true, ..LegacyState::default() },
        LegacyState { flat: true, ..LegacyState::default() },
        LegacyState { clamp_vertex_color: true, ..LegacyState::default() },
        LegacyState { alpha_func: 5, ..LegacyState::default() },
        LegacyState { alpha_func: 1, ..LegacyState::default() },
        LegacyState { clip_planes: 0b101, ..LegacyState::default() },
        LegacyState { point_sprites: 1, ..LegacyState::default() },
    ];
    for variant in variants {
        let program = linked(&shaders, variant).program.unwrap();
        assert_ne!(program.stages, base.stages, "{variant:?}");
        assert_eq!(program.reflection.flags.clip_distances, if variant.clip_planes != 0 { 3 } else { 0 });
        assert_eq!(program.reflection.flags.uses_discard, variant.alpha_func != 0);
        assert_eq!(program.stages, linked(&shaders, variant).program.unwrap().stages);
    }
}

/// GLSL 1.10 4.1.4, 4.2.2, 6.1 and GLSL 1.20 4.3.3: suffixes of numbers, names of functions, constants.
#[test]
fn old_sources() {
    for source in [
        "void main() { gl_Position = vec4(1.0f) * .5f; }",
        "float foo() { return 0.5; }\nconst float foo = 1.0;\nvoid main() { gl_Position = vec4(foo - foo()); }",
        "void main() { gl_Position = abs(gl_Vertex); }\nvec4 abs(vec4 v) { return v; }",
        "#version 120\nvoid main() { const mat2 m = mat2(1.0, 2.0, 4.0, 8.0); const mat2 t = transpose(m);\n\
         gl_Position = vec4(t[0], t[1]); }",
    ] {
        accept(Stage::Vertex, source);
    }
    for source in [
        "float exp(float x, float y) { return x + y; }\nvoid main() { gl_Position = vec4(exp(2.0)); }",
        "float f(float x, float) { return x; }\nvoid main() { gl_Position = vec4(f(2.0, 1.0)); }",
    ] {
        refuse(Stage::Vertex, Profile::Compatibility, source);
    }
}

/// GLSL 1.50 compatibility 4.3.6: what a geometry shader declares `varying`, it writes.
#[test]
fn varyings_of_geometry_shaders() {
    let source = "#version 150 compatibility\nlayout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n\
                  varying float v;\nvoid main() { v = 0.0; gl_Position = gl_in[0].gl_Position; EmitVertex(); }";
    accept(Stage::Geometry, source);
}

/// GL 4.6 compatibility 8.23.1: the depth texture mode is for functions with four components; a constructor of one is not.
#[test]
fn comparisons_of_one_component() {
    let compares = |source: &str| {
        let vertex = accept(Stage::Vertex, "#version 130\nvoid main() { gl_Position = gl_Vertex; }");
        let fragment = accept(Stage::Fragment, source);
        let result = linked(&[vertex, fragment], LegacyState::default());
        result.program.unwrap().reflection.legacy.compares_to_vectors
    };
    let of =
        |value: &str| format!("#version 130\nuniform sampler2DShadow s;\nvoid main() {{ gl_FragColor = {value}; }}");
    assert!(compares(&of("shadow2D(s, vec3(0.5))")));
    assert!(!compares(&of("vec4(texture(s, vec3(0.5)))")));
}
