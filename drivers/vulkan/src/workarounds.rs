//! What some devices do wrong, and what is done about it: a line each, with its reason.

use ash::vk;
use gallite_pipe::{STAGE_COUNT, ShaderStage};
use gallite_shader::passes::component_stores::split_component_stores;
use gallite_shader::passes::double_rounding::lower_double_round_even;

type Stages = [Vec<u32>; STAGE_COUNT];

/// One thing that some devices do wrong.
struct Workaround {
    name: &'static str,
    /// What goes wrong without it.
    reason: &'static str,
    /// Whether the device with these properties needs it.
    applies: fn(&vk::PhysicalDeviceProperties) -> bool,
    /// Changes the code of a program's stages, those that there are not being empty.
    apply: fn(&mut Stages),
}

const TABLE: &[Workaround] = &[
    Workaround {
        name: "split-component-stores",
        reason: "lavapipe writes all of a vector of the patch where an invocation of a control stage writes a component \
                 whose number is not constant, over what other invocations wrote",
        applies: is_lavapipe,
        apply: |stages| edit(&mut stages[ShaderStage::TESS_CONTROL.0 as usize], split_component_stores),
    },
    Workaround {
        name: "lower-double-round-even",
        reason: "lavapipe rounds 1.5 to 1 with RoundEven of doubles",
        applies: is_lavapipe,
        apply: |stages| stages.iter_mut().for_each(|words| edit(words, lower_double_round_even)),
    },
];

fn is_lavapipe(properties: &vk::PhysicalDeviceProperties) -> bool {
    let mesa = vk::VendorId::MESA.as_raw() as u32;
    properties.vendor_id == mesa && properties.device_type == vk::PhysicalDeviceType::CPU
}

fn edit(words: &mut Vec<u32>, pass: fn(&[u32]) -> Vec<u32>) {
    if !words.is_empty() {
        *words = pass(words);
    }
}

/// What a device needs: a bit for each line of [`TABLE`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Workarounds(u32);

impl Workarounds {
    /// What the device with these properties needs.
    pub fn of(properties: &vk::PhysicalDeviceProperties) -> Self {
        let needed = TABLE.iter().enumerate().filter(|(_, workaround)| (workaround.applies)(properties));
        Self(needed.map(|(i, _)| 1 << i).sum())
    }

    fn in_force(self) -> impl Iterator<Item = &'static Workaround> {
        TABLE.iter().enumerate().filter(move |(i, _)| self.0 & 1 << i != 0).map(|(_, workaround)| workaround)
    }

    /// Changes the code of a program's stages.
    pub fn apply(self, stages: &mut Stages) {
        self.in_force().for_each(|workaround| (workaround.apply)(stages));
    }

    /// Those in force, one `name: reason` a line.
    pub fn text(self) -> String {
        self.in_force().map(|w| format!("{}: {}", w.name, w.reason)).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gallite_pipe::{Caps, set_text, text};

    #[test]
    fn each_is_for_the_devices_it_names() {
        let other = vk::PhysicalDeviceProperties { vendor_id: 0x10de, ..Default::default() };
        assert_eq!(Workarounds::of(&other).text(), "");
        let lavapipe = vk::PhysicalDeviceProperties {
            vendor_id: vk::VendorId::MESA.as_raw() as u32,
            device_type: vk::PhysicalDeviceType::CPU,
            ..Default::default()
        };
        let lines = Workarounds::of(&lavapipe).text();
        assert_eq!(lines.lines().count(), 2, "{lines}");
    }

    #[test]
    fn all_of_them_fit_where_they_are_told() {
        let all = Workarounds((1 << TABLE.len()) - 1).text();
        let mut caps = Caps::default();
        set_text(&mut caps.workarounds, &all);
        assert_eq!(text(&caps.workarounds), all);
        for workaround in TABLE {
            assert!(workaround.reason.len() > 20 && !workaround.name.contains(' '), "{}", workaround.name);
        }
    }
}
