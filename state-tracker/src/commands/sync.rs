//! Sync objects, flush and finish (GL 4.6 core 2.3.2, 4.1).
