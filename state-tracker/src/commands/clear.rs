//! Clearing (GL 4.6 core 17.4.3).
