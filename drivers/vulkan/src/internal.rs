//! Pipelines of the driver's own draws: masked clears, blits and mipmaps.

/// Pipelines made on first use.
#[derive(Default)]
pub(crate) struct BlitPipelines {}
