//! Hints (GL 4.6 core 21.5).
