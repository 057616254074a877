//! (crate documentation follows with the code)
