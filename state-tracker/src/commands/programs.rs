//! Program objects (GL 4.6 core 7.3, 7.13).
