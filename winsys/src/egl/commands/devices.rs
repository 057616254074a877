//! EGL_EXT_device_base and its relatives: devices.

use crate::egl::client::Out;
use crate::egl::device::DeviceObject;
use crate::egl::display;
use crate::egl::entry::StaticStr;
use crate::egl::error::{EglError, EglResult, ensure};
use crate::egl::strings;
use crate::egl::types::*;

/// eglQueryDevicesEXT.
pub fn QueryDevicesEXT(
    max_devices: EGLint,
    devices: Out<EGLDeviceEXT>,
    num_devices: Out<EGLint>,
) -> EglResult<EGLBoolean> {
    num_devices.require("num_devices")?;
    // EGL_EXT_device_enumeration: EGL_BAD_PARAMETER for a list without room.
    ensure(devices.is_null() || max_devices > 0, EGL_BAD_PARAMETER, "max_devices isn't positive")?;
    let all = DeviceObject::all();
    if devices.is_null() {
        num_devices.set(all.len() as EGLint);
        return Ok(EGLBoolean::TRUE);
    }
    let handles: Vec<EGLDeviceEXT> =
        all.iter().take(usize::try_from(max_devices).unwrap_or(0)).map(DeviceObject::handle).collect();
    devices.set_all(&handles);
    num_devices.set(handles.len() as EGLint);
    Ok(EGLBoolean::TRUE)
}

/// eglQueryDeviceAttribEXT: no extension of ours defines an attribute.
pub fn QueryDeviceAttribEXT(device: EGLDeviceEXT, _attribute: EGLint, _value: Out<EGLAttrib>) -> EglResult<EGLBoolean> {
    DeviceObject::lookup(device)?;
    Err(EglError::new(EGL_BAD_ATTRIBUTE, "not an attribute of a device"))
}

/// eglQueryDeviceStringEXT.
pub fn QueryDeviceStringEXT(device: EGLDeviceEXT, name: EGLint) -> EglResult<StaticStr> {
    let device = DeviceObject::lookup(device)?;
    let description = &device.description;
    let unknown = || EglError::new(EGL_BAD_PARAMETER, "not a string of this device");
    let text = match name {
        EGL_EXTENSIONS => return Ok(StaticStr::new(strings::device_extensions(device))),
        EGL_VENDOR => &description.vendor,
        EGL_RENDERER_EXT => &description.name,
        EGL_DRIVER_NAME_EXT if description.driver_uuid.is_some() => return Ok(StaticStr::new(c"gallite")),
        EGL_DRM_DEVICE_FILE_EXT => description.drm_primary.as_ref().ok_or_else(unknown)?,
        EGL_DRM_RENDER_NODE_FILE_EXT => description.drm_render.as_ref().ok_or_else(unknown)?,
        _ => return Err(unknown()),
    };
    Ok(StaticStr::new(strings::intern(text)))
}

/// eglQueryDeviceBinaryEXT (EGL_EXT_device_persistent_id).
pub fn QueryDeviceBinaryEXT(
    device: EGLDeviceEXT,
    name: EGLint,
    max_size: EGLint,
    value: Out<u8>,
    size: Out<EGLint>,
) -> EglResult<EGLBoolean> {
    let description = &DeviceObject::lookup(device)?.description;
    size.require("size")?;
    let uuid = match name {
        EGL_DEVICE_UUID_EXT => description.device_uuid,
        EGL_DRIVER_UUID_EXT => description.driver_uuid,
        _ => None,
    };
    let uuid = uuid.ok_or_else(|| EglError::new(EGL_BAD_PARAMETER, "not a binary property of this device"))?;
    if !value.is_null() {
        let room = usize::try_from(max_size).unwrap_or(0).min(uuid.len());
        value.set_all(&uuid[..room]);
    }
    size.set(uuid.len() as EGLint);
    Ok(EGLBoolean::TRUE)
}

/// eglQueryDisplayAttribEXT.
pub fn QueryDisplayAttribEXT(dpy: EGLDisplay, attribute: EGLint, value: Out<EGLAttrib>) -> EglResult<EGLBoolean> {
    let session = display::session(dpy)?;
    value.require("value")?;
    // EGL_EXT_device_query.
    ensure(attribute == EGL_DEVICE_EXT, EGL_BAD_ATTRIBUTE, "not an attribute of a display")?;
    let handle = session.device_object().map_or(EGLDeviceEXT::NONE, DeviceObject::handle);
    value.set(handle.0.cast_signed());
    Ok(EGLBoolean::TRUE)
}
