//! Query objects and conditional rendering (GL 4.6 core 4.2, 10.9).
