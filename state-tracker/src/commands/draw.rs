//! Drawing commands (GL 4.6 core 10.4).
