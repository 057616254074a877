//! Texture objects and images (GL 4.6 core chapter 8).
