//! State machines: what expanded code names, and what can be asked of it.
