//! Which steps need not be interleaved: the facts that partial-order reductions stand on.
//!
//! Two steps of different processes are *independent* if, wherever both are possible, neither makes the other
//! impossible, and both orders lead to the same state. A process whose next steps are independent of all that the others can ever do may go
//! first, alone, and nobody notices: Peled, *All from one, one for all*, CAV 1993; Nalumasu, Gopalakrishnan, *A new
//! partial order reduction algorithm for concurrent system verification*, CHDL 1997, whose words are used here.
//!
//! Who the others are matters. `run node(q[i], q[(i + 1) % N])` says nothing in the text about who shares a channel with whom, but once the
//! processes exist, everybody's parameters are known. So the analysis is made for a [`Stage`]: the processes that exist,
//! with the values of their variables that never change, and those that may still be created. There are few stages in the life of a system,
//! mostly one.
//!
//! * [`facts`]: what is known of a model as a whole, and why some models are not reduced at all;
//! * [`channels`]: which channels an expression can name;
//! * [`footprint`]: what a step touches;
//! * [`roles`]: for each process and location, whether the process may go first there, and if not, why;
//! * [`groups`], [`guards`], [`relations`]: the same for single steps, and what exactly those wait for that are not possible.
pub mod channels;
pub mod facts;
pub mod footprint;
pub mod groups;
pub mod guards;
mod mistake;
pub mod relations;
pub mod roles;
mod rows;
mod stage;
mod sticky;

pub use mistake::Mistake;
pub use relations::Relations;
pub use roles::{Class, Condition, Obstacle, Role, Roles, classes};
pub use rows::Rows;
pub use stage::{Actor, Stage};
