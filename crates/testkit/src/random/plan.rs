//! Which constructs one model may use.
//!
//! Every model leaves most of them out (swarm testing, Groce et al. 2012): a model with everything
//! in it rarely gets far enough to show how two things go together.
use super::prng::Random;

/// What a model may contain.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Plan {
    pub arrays: bool,
    pub structs: bool,
    pub mtypes: bool,
    pub channels: bool,
    pub rendezvous: bool,
    pub channel_passing: bool,
    pub odd_receives: bool,
    pub atomic: bool,
    pub d_step: bool,
    pub unless: bool,
    pub timeout: bool,
    pub gotos: bool,
    pub loops: bool,
    pub counting: bool,
    pub dynamic: bool,
    pub provided: bool,
    pub priorities: bool,
    pub enabled: bool,
    pub remote: bool,
    pub last: bool,
    pub inlines: bool,
    pub macros: bool,
    pub blocks: bool,
    pub assertions: bool,
    pub false_assertions: bool,
    pub faults: bool,
    pub output: bool,
    pub deterministic: bool,
    pub wide_values: bool,
}

impl Plan {
    /// A random choice that respects what SPIN forbids to combine.
    pub fn random(random: &mut Random) -> Plan {
        let mut some = |percent| random.chance(percent);
        let priorities = some(10);
        let enabled = some(8);
        let remote = some(15);
        let channels = some(75);
        let deterministic = some(5);
        Plan {
            arrays: some(45),
            structs: some(30),
            mtypes: some(40),
            channels,
            // A rendezvous without a partner is a second step to a D_proctype of SPIN.
            rendezvous: channels && !priorities && !enabled && !deterministic && some(65),
            channel_passing: channels && some(30),
            odd_receives: some(50),
            atomic: some(60),
            // SPIN has no remote references inside d_step.
            d_step: !remote && some(40),
            unless: some(40),
            timeout: some(25),
            gotos: some(35),
            loops: some(75),
            counting: some(35),
            dynamic: !remote && !enabled && some(45),
            provided: some(10),
            priorities,
            enabled,
            remote,
            last: some(10),
            inlines: some(30),
            macros: some(30),
            blocks: some(45),
            assertions: some(40),
            false_assertions: some(25),
            faults: some(5),
            output: some(30),
            deterministic,
            wide_values: some(30),
        }
    }
}
