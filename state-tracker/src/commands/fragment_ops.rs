//! Per-fragment operations (GL 4.6 core 14.9, 17.3, 17.4.2).
