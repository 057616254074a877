//! Buffer objects (GL 4.6 core chapter 6).
