//! Pixel storage modes (GL 4.6 core 8.4.1, 18.2.1).
