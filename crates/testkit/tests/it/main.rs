//! Tests of the whole product, as one program.
mod broken;
mod corpus;
mod examples;
mod literate;
mod random;
