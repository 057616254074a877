//! What some devices do wrong, and what is done about it: a line each, with its reason.

use ash::vk;
use gallite_pipe::{STAGE_COUNT, ShaderStage};
use gallite_shader::passes::component_stores::split_component_stores;
use gallite_shader::passes::double_rounding::lower_double_round_even;

/// What a device needs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Workarounds {
    /// Lavapipe writes all of a vector of the patch where an invocation of a control stage writes a component whose number
    /// is not constant, over what other invocations wrote.
    split_component_stores: bool,
    /// Lavapipe rounds 1.5 to 1 with RoundEven of doubles.
    lower_double_round_even: bool,
}

impl Workarounds {
    /// What the device with these properties needs.
    pub fn of(properties: &vk::PhysicalDeviceProperties) -> Self {
        let mesa = vk::VendorId::MESA.as_raw() as u32;
        let is_lavapipe = properties.vendor_id == mesa && properties.device_type == vk::PhysicalDeviceType::CPU;
        Self { split_component_stores: is_lavapipe, lower_double_round_even: is_lavapipe }
    }

    /// Changes the code of a program's stages.
    pub fn apply(self, stages: &mut [Vec<u32>; STAGE_COUNT]) {
        let control = &mut stages[ShaderStage::TESS_CONTROL.0 as usize];
        if self.split_component_stores && !control.is_empty() {
            *control = split_component_stores(control);
        }
        if self.lower_double_round_even {
            stages
                .iter_mut()
                .filter(|words| !words.is_empty())
                .for_each(|words| *words = lower_double_round_even(words));
        }
    }
}
