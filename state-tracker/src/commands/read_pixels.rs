//! Reading pixels (GL 4.6 core 18.2).
