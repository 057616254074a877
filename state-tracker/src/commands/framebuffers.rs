//! Framebuffer objects, attachments, draw and read buffers (GL 4.6 core 9.2 to 9.4, 17.4.1).
