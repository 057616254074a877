//! Vertex arrays and generic attributes (GL 4.6 core 10.2 to 10.3).
