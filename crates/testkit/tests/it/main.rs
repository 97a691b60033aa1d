//! Tests of the whole product, as one program.
mod architecture;
mod broken;
mod checkpoint;
mod compiled;
mod corpus;
mod depth;
mod examples;
mod golden;
mod literate;
mod models;
mod optimised;
mod random;
mod reduced;
mod robustness;
mod switches;
mod temporal;
