//! Transform feedback (GL 4.6 core 13.3).
