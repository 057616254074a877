//! State queries (GL 4.6 core chapter 22).
