//! Tests of the whole product, as one program.
mod architecture;
mod broken;
mod compiled;
mod corpus;
mod examples;
mod golden;
mod literate;
mod models;
mod optimised;
mod random;
mod robustness;
