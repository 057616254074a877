//! Built-in uniforms: the state of a context that shaders read by a `gl_` name (GLSL 4.60 compatibility section 7.4).

use serde::{Deserialize, Serialize};

macro_rules! state_uniforms {
    ($($(#[$doc:meta])* $id:ident = $name:literal;)+) => {
        /// A built-in uniform the tracker itself keeps up to date.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum StateUniform { $($(#[$doc])* $id),+ }

        impl StateUniform {
            /// The state behind a uniform's name.
            pub fn by_name(name: &str) -> Option<Self> {
                Some(match name {
                    $($name => Self::$id,)+
                    _ => return None,
                })
            }
        }
    };
}

state_uniforms! {
    /// near, far, diff.
    DepthRange = "gl_DepthRange";
    /// The model-view matrix and its forms.
    ModelView = "gl_ModelViewMatrix";
    #[allow(missing_docs)] ModelViewInverse = "gl_ModelViewMatrixInverse";
    #[allow(missing_docs)] ModelViewTranspose = "gl_ModelViewMatrixTranspose";
    #[allow(missing_docs)] ModelViewInverseTranspose = "gl_ModelViewMatrixInverseTranspose";
    /// The projection matrix and its forms.
    Projection = "gl_ProjectionMatrix";
    #[allow(missing_docs)] ProjectionInverse = "gl_ProjectionMatrixInverse";
    #[allow(missing_docs)] ProjectionTranspose = "gl_ProjectionMatrixTranspose";
    #[allow(missing_docs)] ProjectionInverseTranspose = "gl_ProjectionMatrixInverseTranspose";
    /// Projection times model-view and its forms.
    ModelViewProjection = "gl_ModelViewProjectionMatrix";
    #[allow(missing_docs)] ModelViewProjectionInverse = "gl_ModelViewProjectionMatrixInverse";
    #[allow(missing_docs)] ModelViewProjectionTranspose = "gl_ModelViewProjectionMatrixTranspose";
    #[allow(missing_docs)] ModelViewProjectionInverseTranspose = "gl_ModelViewProjectionMatrixInverseTranspose";
    /// Texture matrices by coordinate set, and their forms.
    Texture = "gl_TextureMatrix";
    #[allow(missing_docs)] TextureInverse = "gl_TextureMatrixInverse";
    #[allow(missing_docs)] TextureTranspose = "gl_TextureMatrixTranspose";
    #[allow(missing_docs)] TextureInverseTranspose = "gl_TextureMatrixInverseTranspose";
    /// The inverse transpose of the upper left of the model-view matrix.
    NormalMatrix = "gl_NormalMatrix";
    /// The factor of GL_RESCALE_NORMAL.
    NormalScale = "gl_NormalScale";
    /// Clip planes in eye space.
    ClipPlane = "gl_ClipPlane";
    /// size, sizeMin, sizeMax, fadeThresholdSize and the three distance attenuations.
    Point = "gl_Point";
    /// emission, ambient, diffuse, specular, shininess of the front.
    FrontMaterial = "gl_FrontMaterial";
    /// The same of the back.
    BackMaterial = "gl_BackMaterial";
    /// ambient, diffuse, specular, position, halfVector, spotDirection, spotExponent, spotCutoff, spotCosCutoff and the
    /// three attenuations, by light.
    LightSource = "gl_LightSource";
    /// ambient.
    LightModel = "gl_LightModel";
    /// sceneColor.
    FrontLightModelProduct = "gl_FrontLightModelProduct";
    #[allow(missing_docs)] BackLightModelProduct = "gl_BackLightModelProduct";
    /// ambient, diffuse, specular, by light.
    FrontLightProduct = "gl_FrontLightProduct";
    #[allow(missing_docs)] BackLightProduct = "gl_BackLightProduct";
    /// Texture environment colours by unit.
    TextureEnvColor = "gl_TextureEnvColor";
    /// Planes of texture coordinate generation by coordinate set.
    EyePlaneS = "gl_EyePlaneS";
    #[allow(missing_docs)] EyePlaneT = "gl_EyePlaneT";
    #[allow(missing_docs)] EyePlaneR = "gl_EyePlaneR";
    #[allow(missing_docs)] EyePlaneQ = "gl_EyePlaneQ";
    #[allow(missing_docs)] ObjectPlaneS = "gl_ObjectPlaneS";
    #[allow(missing_docs)] ObjectPlaneT = "gl_ObjectPlaneT";
    #[allow(missing_docs)] ObjectPlaneR = "gl_ObjectPlaneR";
    #[allow(missing_docs)] ObjectPlaneQ = "gl_ObjectPlaneQ";
    /// color, density, start, end, scale.
    Fog = "gl_Fog";
    /// The reference of the alpha test. No program can name it.
    AlphaReference = "gl_gallite_AlphaReference";
}

/// Where a value of a [`StateUniform`] lives in the default block's buffer: matrices by columns of 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateUniformSlot {
    /// Which state.
    pub state: StateUniform,
    /// Array element, 0 where it is none.
    pub element: u8,
    /// Struct member, 0 where it is none.
    pub member: u8,
    /// Byte offset in the default block's buffer.
    pub offset: u32,
}

/// Arrays of vertex data that are not generic attributes, in the order in which the tracker keeps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Conventional {
    Vertex = 0,
    Normal = 1,
    Color = 2,
    SecondaryColor = 3,
    FogCoord = 4,
    ColorIndex = 5,
    EdgeFlag = 6,
    /// The first of eight sets of texture coordinates.
    TexCoord0 = 8,
}

impl Conventional {
    /// The number of the array a built-in attribute reads.
    pub fn index_of(name: &str) -> Option<u8> {
        let array = match name {
            "gl_Vertex" => Self::Vertex,
            "gl_Normal" => Self::Normal,
            "gl_Color" => Self::Color,
            "gl_SecondaryColor" => Self::SecondaryColor,
            "gl_FogCoord" => Self::FogCoord,
            _ => {
                let set: u8 = name.strip_prefix("gl_MultiTexCoord")?.parse().ok()?;
                return (set < 8).then_some(Self::TexCoord0 as u8 + set);
            }
        };
        Some(array as u8)
    }
}
