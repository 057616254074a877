//! Copying pixels between framebuffers (GL 4.6 core 18.3).
