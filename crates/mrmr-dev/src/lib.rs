//! Development support: the ladder check and shared test material (not published).
