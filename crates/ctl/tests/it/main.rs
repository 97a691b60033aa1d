//! What the crate promises, from text to text and from graph to set.
mod chance;
mod meaning;
mod text;
