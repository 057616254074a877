//! Shader objects (GL 4.6 core 7.1).
