//! EGL 1.5 3.4: configs.

use crate::egl::client::{ClientArray, Out};
use crate::egl::config::Config;
use crate::egl::config_choose::Criteria;
use crate::egl::display;
use crate::egl::error::EglResult;
use crate::egl::types::*;

/// Writes as many handles as fit, or with null `configs` only their number.
fn write_configs<'a>(
    found: impl ExactSizeIterator<Item = &'a Config>,
    configs: &Out<EGLConfig>,
    config_size: EGLint,
    num_config: &Out<EGLint>,
) {
    let total = found.len() as EGLint;
    if configs.is_null() {
        num_config.set(total);
        return;
    }
    let handles: Vec<EGLConfig> = found.take(usize::try_from(config_size).unwrap_or(0)).map(Config::handle).collect();
    configs.set_all(&handles);
    num_config.set(handles.len() as EGLint);
}

/// eglGetConfigs.
pub fn GetConfigs(
    dpy: EGLDisplay,
    configs: Out<EGLConfig>,
    config_size: EGLint,
    num_config: Out<EGLint>,
) -> EglResult<EGLBoolean> {
    let session = display::session(dpy)?;
    num_config.require("num_config")?;
    write_configs(session.configs.iter(), &configs, config_size, &num_config);
    Ok(EGLBoolean::TRUE)
}

/// eglChooseConfig.
pub fn ChooseConfig(
    dpy: EGLDisplay,
    attrib_list: ClientArray<EGLint>,
    configs: Out<EGLConfig>,
    config_size: EGLint,
    num_config: Out<EGLint>,
) -> EglResult<EGLBoolean> {
    let session = display::session(dpy)?;
    num_config.require("num_config")?;
    let criteria = Criteria::parse(&attrib_list.pairs()?)?;
    let chosen = criteria.choose(&session.configs);
    write_configs(chosen.into_iter(), &configs, config_size, &num_config);
    Ok(EGLBoolean::TRUE)
}

/// eglGetConfigAttrib.
pub fn GetConfigAttrib(
    dpy: EGLDisplay,
    config: EGLConfig,
    attribute: EGLint,
    value: Out<EGLint>,
) -> EglResult<EGLBoolean> {
    let session = display::session(dpy)?;
    let config = session.config(config)?;
    value.require("value")?;
    value.set(config.attribute(attribute)?);
    Ok(EGLBoolean::TRUE)
}
