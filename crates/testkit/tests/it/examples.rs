//! The models in `examples/`.
