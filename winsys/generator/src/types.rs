//! C types of the registry as Rust: the type at the C boundary, and how the command receives it.

use crate::registry::Param;

/// A parameter's two faces.
pub struct ParamType {
    /// Type in the `extern "C"` signature.
    pub abi: &'static str,
    /// Wrapper type the command takes, built by its unsafe `new`; none when passed as it is.
    pub wrapper: Option<&'static str>,
}

const fn plain(abi: &'static str) -> ParamType {
    ParamType { abi, wrapper: None }
}

const fn wrapped(abi: &'static str, wrapper: &'static str) -> ParamType {
    ParamType { abi, wrapper: Some(wrapper) }
}

/// Maps a parameter's C type.
///
/// # Errors
/// A message when the type isn't known.
pub fn param(param: &Param) -> Result<ParamType, String> {
    Ok(match param.c_type.as_str() {
        // Every other `void *` is an opaque native handle.
        "void *" if param.name == "value" => wrapped("*mut u8", "Out"),
        "EGLDisplay" | "EGLConfig" | "EGLContext" | "EGLSurface" | "EGLSync" | "EGLImage" | "EGLDeviceEXT" => {
            plain(handle(&param.c_type))
        }
        "EGLSyncKHR" => plain("EGLSync"),
        "EGLint" => plain("EGLint"),
        "EGLenum" => plain("EGLenum"),
        "EGLTime" | "EGLTimeKHR" => plain("EGLTime"),
        "EGLNativeDisplayType"
        | "EGLNativePixmapType"
        | "EGLNativeWindowType"
        | "void *"
        | "EGLClientBuffer"
        | "EGLLabelKHR"
        | "EGLObjectKHR" => plain("NativeHandle"),
        "EGLDEBUGPROCKHR" => plain("EGLDEBUGPROCKHR"),
        "const EGLint *" => wrapped("*const EGLint", "ClientArray"),
        "const EGLAttrib *" => wrapped("*const EGLAttrib", "ClientArray"),
        "EGLint *" => wrapped("*mut EGLint", "Out"),
        "EGLAttrib *" => wrapped("*mut EGLAttrib", "Out"),
        "EGLConfig *" => wrapped("*mut EGLConfig", "Out"),
        "EGLDeviceEXT *" => wrapped("*mut EGLDeviceEXT", "Out"),
        "const char *" => wrapped("*const c_char", "ClientStr"),
        other => return Err(format!("no Rust type for `{other}`")),
    })
}

fn handle(c_type: &str) -> &'static str {
    match c_type {
        "EGLDisplay" => "EGLDisplay",
        "EGLConfig" => "EGLConfig",
        "EGLContext" => "EGLContext",
        "EGLSurface" => "EGLSurface",
        "EGLSync" => "EGLSync",
        "EGLImage" => "EGLImage",
        _ => "EGLDeviceEXT",
    }
}

/// Maps a result's C type to the Rust type the entry point returns.
///
/// # Errors
/// A message when the type isn't known.
pub fn result(c_type: &str) -> Result<&'static str, String> {
    Ok(match c_type {
        "EGLBoolean" => "EGLBoolean",
        "EGLint" => "EGLint",
        "EGLenum" => "EGLenum",
        "EGLDisplay" | "EGLConfig" | "EGLContext" | "EGLSurface" | "EGLSync" | "EGLImage" => handle(c_type),
        "EGLSyncKHR" => "EGLSync",
        "const char *" => "StaticStr",
        "char *" => "OwnedStr",
        "__eglMustCastToProperFunctionPointerType" => "ProcAddress",
        other => return Err(format!("no Rust result type for `{other}`")),
    })
}
