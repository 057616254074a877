//! Renderbuffer objects (GL 4.6 core 9.2.4).
