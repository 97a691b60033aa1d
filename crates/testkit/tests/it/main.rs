//! Tests of the whole product, as one program.
mod broken;
mod corpus;
mod examples;
mod golden;
mod literate;
mod random;
mod robustness;
