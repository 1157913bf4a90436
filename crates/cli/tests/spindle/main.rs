//! The command as a person and a script meet it: files in, text and exit status out.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod bad_input;
mod collect;
mod compare;
mod corpus;
mod documents;
mod emulate;
mod help;
mod hosts;
mod inputs;
mod masking;
mod measure;
mod measure_ends;
mod place;
mod place_page;
mod rates;
mod replay;
mod results;
mod simulate;
mod size;
mod volume;
mod world;
