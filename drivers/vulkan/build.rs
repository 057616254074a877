//! Turns the driver's own shaders, templates in WGSL, into SPIR-V and an index of them, and gives the crate an identity, so that
//! pipelines which another build left on disk are never read.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use naga::ShaderStage;
use naga::back::spv;

#[path = "../../shader/build_identity.rs"]
mod build_identity;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../../shader/build_identity.rs");
    println!("cargo:rustc-env=GALLITE_VULKAN_BUILD={}", build_identity::identity(DECIDES));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut index = String::new();
    let text = |name: &str| std::fs::read_to_string(Path::new("src/wgsl").join(name)).expect("a shader file");

    emit(&mut index, "FULLSCREEN", &text("fullscreen.wgsl"), ShaderStage::Vertex);
    let clear = text("clear.wgsl");
    for (name, ty) in [("F32", "f32"), ("I32", "i32"), ("U32", "u32")] {
        emit(&mut index, &format!("CLEAR_{name}"), &clear.replace("TYPE", ty), ShaderStage::Fragment);
    }
    let blit = text("blit.wgsl");
    for (dim, texture, load, ndim) in [
        ("1D", "texture_1d<TYPE>", "textureLoad(source, texel.x, 0)", 1),
        ("2D", "texture_2d<TYPE>", "textureLoad(source, texel.xy, 0)", 2),
        ("3D", "texture_3d<TYPE>", "textureLoad(source, vec3<i32>(texel.xy, info.slice), 0)", 3),
        ("MS", "texture_multisampled_2d<TYPE>", "textureLoad(source, texel.xy, 0)", 2),
    ] {
        for (name, ty, result, body) in OUTPUTS {
            let mut fetch = format!("value = {load};");
            if dim == "MS" && *name == "F32" {
                fetch = "for (var s = 0; s < info.samples; s++) { value += textureLoad(source, texel.xy, s); } \
                         value = value / f32(info.samples);"
                    .into();
            }
            let source = blit
                .replace("RESULT", result)
                .replace("BODY", body)
                .replace("FETCH", &fetch)
                .replace("TEXTURE", texture)
                .replace("TYPE", ty);
            emit(&mut index, &format!("BLIT_{dim}_{name}"), &source, ShaderStage::Fragment);
        }
        if dim == "MS" {
            continue;
        }
        let coordinate = match ndim {
            1 => "uv.x",
            2 => "uv",
            _ => "vec3<f32>(uv, (f32(info.slice) + 0.5) / info.depth)",
        };
        // WGSL samples one-dimensional textures only with the implicit level; there is one level here.
        let call = if ndim == 1 { "textureSample" } else { "textureSampleLevel" };
        let level = if ndim == 1 { "" } else { ", 0.0" };
        let fetch = format!("let uv = at / info.size; value = {call}(source, smooth_sampler, {coordinate}{level});");
        let (_, ty, result, body) = OUTPUTS[0];
        let source = blit
            .replace("RESULT", result)
            .replace("BODY", body)
            .replace("FETCH", &fetch)
            .replace("TEXTURE", texture)
            .replace("TYPE", ty);
        emit(&mut index, &format!("BLIT_{dim}_LINEAR"), &source, ShaderStage::Fragment);
    }
    std::fs::write(out.join("internal_shaders.rs"), index).expect("the output folder is writable");
}

/// What decides which pipeline a program gets: this crate's code, that of the shader crate, and the interface between them.
const DECIDES: &[&str] = &["src", "Cargo.toml", "../../shader/src", "../../pipe-interface/src", "../../Cargo.lock"];

/// Name, sampled type, result of the entry point, and what it does with the value read.
const OUTPUTS: &[(&str, &str, &str, &str)] = &[
    ("F32", "f32", "-> @location(0) vec4<f32>", "return value;"),
    ("I32", "i32", "-> @location(0) vec4<i32>", "return value;"),
    ("U32", "u32", "-> @location(0) vec4<u32>", "return value;"),
    ("DEPTH", "f32", "-> @builtin(frag_depth) f32", "return value.x;"),
    ("STENCIL", "u32", "", "if (((value.x | info.stencil_always) & info.stencil_bit) == 0u) { discard; }"),
];

fn emit(index: &mut String, name: &str, source: &str, stage: ShaderStage) {
    let module =
        naga::front::wgsl::parse_str(source).unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(source)));
    let info = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::IMMEDIATES)
        .validate(&module)
        .unwrap_or_else(|e| panic!("{name}: {e:?}"));
    let options = spv::Options { flags: spv::WriterFlags::empty(), ..Default::default() };
    let pipeline = spv::PipelineOptions { shader_stage: stage, entry_point: "main".into() };
    let words = spv::write_vec(&module, &info, &options, Some(&pipeline)).unwrap_or_else(|e| panic!("{name}: {e}"));
    writeln!(index, "/// {name}, from `src/wgsl`.\npub(crate) static {name}: &[u32] = &{words:?};").expect("a string");
}
