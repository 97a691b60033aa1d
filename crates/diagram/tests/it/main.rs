//! Diagrams against tables: everything small is compared value by value.
mod explicit;
mod functions;
mod order;
mod reach;
mod relations;
mod room;
mod sets;
