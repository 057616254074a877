//! Which internal formats can be sampled, rendered to, and with how many samples: found by trying.

use gallite_tests::gl;

macro_rules! formats {
    ($($name:ident: $format:ident $kind:ident,)*) => {
        &[$((stringify!($name), gl::$name, gl::$format, gl::$kind)),*]
    };
}

/// Name, token, and a format and type that fit it (GL 3.3 core, tables 3.12 to 3.14).
const FORMATS: &[(&str, u32, u32, u32)] = formats![
    R8: RED UNSIGNED_BYTE,
    R8_SNORM: RED BYTE,
    R16: RED UNSIGNED_SHORT,
    R16_SNORM: RED SHORT,
    RG8: RG UNSIGNED_BYTE,
    RG8_SNORM: RG BYTE,
    RG16: RG UNSIGNED_SHORT,
    RG16_SNORM: RG SHORT,
    R3_G3_B2: RGB UNSIGNED_BYTE,
    RGB4: RGB UNSIGNED_BYTE,
    RGB5: RGB UNSIGNED_BYTE,
    RGB8: RGB UNSIGNED_BYTE,
    RGB8_SNORM: RGB BYTE,
    RGB10: RGB UNSIGNED_SHORT,
    RGB12: RGB UNSIGNED_SHORT,
    RGB16: RGB UNSIGNED_SHORT,
    RGB16_SNORM: RGB SHORT,
    RGBA2: RGBA UNSIGNED_BYTE,
    RGBA4: RGBA UNSIGNED_BYTE,
    RGB5_A1: RGBA UNSIGNED_BYTE,
    RGBA8: RGBA UNSIGNED_BYTE,
    RGBA8_SNORM: RGBA BYTE,
    RGB10_A2: RGBA UNSIGNED_BYTE,
    RGB10_A2UI: RGBA_INTEGER UNSIGNED_INT_2_10_10_10_REV,
    RGBA12: RGBA UNSIGNED_SHORT,
    RGBA16: RGBA UNSIGNED_SHORT,
    RGBA16_SNORM: RGBA SHORT,
    SRGB8: RGB UNSIGNED_BYTE,
    SRGB8_ALPHA8: RGBA UNSIGNED_BYTE,
    R16F: RED FLOAT,
    RG16F: RG FLOAT,
    RGB16F: RGB FLOAT,
    RGBA16F: RGBA FLOAT,
    R32F: RED FLOAT,
    RG32F: RG FLOAT,
    RGB32F: RGB FLOAT,
    RGBA32F: RGBA FLOAT,
    R11F_G11F_B10F: RGB FLOAT,
    RGB9_E5: RGB FLOAT,
    R8I: RED_INTEGER BYTE,
    R8UI: RED_INTEGER UNSIGNED_BYTE,
    R16I: RED_INTEGER SHORT,
    R16UI: RED_INTEGER UNSIGNED_SHORT,
    R32I: RED_INTEGER INT,
    R32UI: RED_INTEGER UNSIGNED_INT,
    RG8I: RG_INTEGER BYTE,
    RG8UI: RG_INTEGER UNSIGNED_BYTE,
    RG16I: RG_INTEGER SHORT,
    RG16UI: RG_INTEGER UNSIGNED_SHORT,
    RG32I: RG_INTEGER INT,
    RG32UI: RG_INTEGER UNSIGNED_INT,
    RGB8I: RGB_INTEGER BYTE,
    RGB8UI: RGB_INTEGER UNSIGNED_BYTE,
    RGB16I: RGB_INTEGER SHORT,
    RGB16UI: RGB_INTEGER UNSIGNED_SHORT,
    RGB32I: RGB_INTEGER INT,
    RGB32UI: RGB_INTEGER UNSIGNED_INT,
    RGBA8I: RGBA_INTEGER BYTE,
    RGBA8UI: RGBA_INTEGER UNSIGNED_BYTE,
    RGBA16I: RGBA_INTEGER SHORT,
    RGBA16UI: RGBA_INTEGER UNSIGNED_SHORT,
    RGBA32I: RGBA_INTEGER INT,
    RGBA32UI: RGBA_INTEGER UNSIGNED_INT,
    DEPTH_COMPONENT16: DEPTH_COMPONENT UNSIGNED_SHORT,
    DEPTH_COMPONENT24: DEPTH_COMPONENT UNSIGNED_INT,
    DEPTH_COMPONENT32F: DEPTH_COMPONENT FLOAT,
    DEPTH24_STENCIL8: DEPTH_STENCIL UNSIGNED_INT_24_8,
    DEPTH32F_STENCIL8: DEPTH_STENCIL FLOAT_32_UNSIGNED_INT_24_8_REV,
    COMPRESSED_RED_RGTC1: RED UNSIGNED_BYTE,
    COMPRESSED_RG_RGTC2: RG UNSIGNED_BYTE,
];

/// Prints one line a format.
pub fn print() {
    println!("\nFormats                          texture  renderable  samples");
    for (name, token, format, kind) in FORMATS {
        let (texture, renderable) = try_texture(*token, *format, *kind);
        let samples = if renderable { most_samples(*token) } else { 0 };
        let word = |yes| if yes { "yes" } else { "-" };
        println!("  {name:<30} {:<8} {:<11} {samples}", word(texture), word(renderable));
    }
}

/// Whether a level can be made and whether a framebuffer with it is complete.
fn try_texture(token: u32, format: u32, kind: u32) -> (bool, bool) {
    let (mut texture, mut framebuffer) = (0, 0);
    gl::GenTextures(1, &raw mut texture);
    gl::BindTexture(gl::TEXTURE_2D, texture);
    gl::TexImage2D(gl::TEXTURE_2D, 0, token, 16, 16, 0, format, kind, std::ptr::null());
    let made = gl::GetError() == gl::NO_ERROR;
    gl::GenFramebuffers(1, &raw mut framebuffer);
    gl::BindFramebuffer(gl::FRAMEBUFFER, framebuffer);
    let point = match format {
        gl::DEPTH_COMPONENT => gl::DEPTH_ATTACHMENT,
        gl::DEPTH_STENCIL => gl::DEPTH_STENCIL_ATTACHMENT,
        _ => gl::COLOR_ATTACHMENT0,
    };
    gl::FramebufferTexture2D(gl::FRAMEBUFFER, point, gl::TEXTURE_2D, texture, 0);
    let complete = made && gl::CheckFramebufferStatus(gl::FRAMEBUFFER) == gl::FRAMEBUFFER_COMPLETE;
    gl::BindFramebuffer(gl::FRAMEBUFFER, 0);
    gl::DeleteFramebuffers(1, &raw const framebuffer);
    gl::DeleteTextures(1, &raw const texture);
    while gl::GetError() != gl::NO_ERROR {}
    (made, complete)
}

/// The most samples that a renderbuffer of the format takes.
fn most_samples(token: u32) -> i32 {
    let (mut buffer, mut most, mut got) = (0, 0, 0);
    gl::GetIntegerv(gl::MAX_SAMPLES, &raw mut most);
    gl::GenRenderbuffers(1, &raw mut buffer);
    gl::BindRenderbuffer(gl::RENDERBUFFER, buffer);
    for samples in (1..=most).rev() {
        gl::RenderbufferStorageMultisample(gl::RENDERBUFFER, samples, token, 16, 16);
        if gl::GetError() == gl::NO_ERROR {
            gl::GetRenderbufferParameteriv(gl::RENDERBUFFER, gl::RENDERBUFFER_SAMPLES, &raw mut got);
            break;
        }
    }
    gl::DeleteRenderbuffers(1, &raw const buffer);
    got
}
