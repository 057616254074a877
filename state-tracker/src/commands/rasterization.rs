//! Viewport, primitive clipping and rasterization state (GL 4.6 core 13.5 to 14.6).
