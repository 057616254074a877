//! Active queries and conditional rendering.

/// Query state of a context.
#[derive(Debug, Default)]
pub struct QueryState {}
