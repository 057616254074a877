//! Where fragments are shaded sample by sample, what they read is interpolated at the sample (GL 4.6 core section 14.3.1.1); Vulkan does
//! so for inputs that say so.

use std::collections::HashSet;

use crate::spirv::{Capability, Decoration, Module, StorageClass};

/// Has every input of a fragment shader that is interpolated, and no built-in, interpolated at the sample.
pub fn interpolate_at_samples(words: &[u32]) -> Vec<u32> {
    super::edit(words, run)
}

fn run(module: &mut Module) {
    let decorated = module.decorated();
    let has = |id: u32, what: Decoration| decorated.of(id, what).is_some();
    let inputs: HashSet<u32> = module
        .variables()
        .into_iter()
        .filter(|v| v.3 == StorageClass::Input as u32)
        .map(|v| v.2)
        .filter(|id| has(*id, Decoration::Location) && !has(*id, Decoration::Flat) && !has(*id, Decoration::Sample))
        .collect();
    if inputs.is_empty() {
        return;
    }
    // An input is interpolated at one place.
    let centroid = Decoration::Centroid as u32;
    module.annotations.retain(|a| a.word(1) != centroid || !inputs.contains(&a.word(0)));
    let mut inputs: Vec<u32> = inputs.into_iter().collect();
    inputs.sort_unstable();
    for id in inputs {
        module.decorate(id, Decoration::Sample, &[]);
    }
    module.add_capability(Capability::SampleRateShading);
}
