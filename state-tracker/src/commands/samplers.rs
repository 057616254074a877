//! Sampler objects (GL 4.6 core 8.2).
