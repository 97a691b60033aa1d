//! Where each variable and channel lies in the bytes of a state.
//!
//! A state is a stack of frames: one for the globals, then one per process in the order of
//! creation. Processes die youngest first, so frames are only ever pushed and popped at the end.
//!
//! ```text
//! hidden globals | header, globals, global channels | process 0 | process 1 | …
//!                  └ identity of the state starts here
//! process = type, location, [priority], own variables, own channels
//! channel = length, slots (unused ones are zero)
//! ```
use crate::{ChannelShape, Expr, Initial, Model, ProcessType, ShapeId, Variable};

/// Offsets inside one frame.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Per variable: where its first element lies.
    pub variables: Vec<u32>,
    /// The channels that initial values create, in order of creation.
    pub channels: Vec<(u32, ShapeId)>,
    /// Bytes.
    pub size: u32,
}

/// Offsets of everything.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Bytes at the front that do not count for the identity of a state.
    pub hidden: u32,
    /// Where the last mover is kept, if anybody asks for it.
    pub last_mover: Option<u32>,
    /// Where the monitor's location is kept.
    pub monitor: Option<u32>,
    /// Globals; offsets from the start of the state.
    pub globals: Frame,
    /// Per process type; offsets from the start of the process's frame.
    pub processes: Vec<Frame>,
    /// Whether process frames have a priority.
    pub priorities: bool,
}

/// Offset of the location in a process frame; the type is before it.
pub const LOCATION: u32 = 1;
/// Offset of the priority, if there is one.
pub const PRIORITY: u32 = 3;

/// Bytes of a channel's length.
pub const LENGTH: u32 = 2;

impl Layout {
    pub(super) fn new(model: &Model) -> Layout {
        let mut layout = Layout { priorities: uses_priorities(model), ..Layout::default() };
        let hidden = |variable: &Variable| variable.hidden && !matches!(variable.initial, Initial::Channels(_));
        layout.hidden = model.globals.iter().filter(|it| hidden(it)).map(bytes).sum();
        let mut at = layout.hidden;
        layout.last_mover = uses(model, &|it| matches!(it, Expr::LastMover)).then(|| take(&mut at, 1));
        layout.monitor = model.monitor.as_ref().map(|_| take(&mut at, 2));
        let mut at_hidden = 0;
        for variable in &model.globals {
            let end = if hidden(variable) { &mut at_hidden } else { &mut at };
            layout.globals.variables.push(take(end, bytes(variable)));
        }
        layout.globals.close(model, &model.globals, at);
        layout.processes =
            model.processes.iter().map(|process| process_frame(model, process, layout.priorities)).collect();
        layout
    }

    /// Bytes of a state with no process.
    pub fn fixed(&self) -> u32 {
        self.globals.size
    }
}

impl Frame {
    /// Puts the channels behind the variables.
    fn close(&mut self, model: &Model, variables: &[Variable], mut at: u32) {
        for variable in variables {
            if let Initial::Channels(shape) = variable.initial {
                for _ in 0..variable.elements() {
                    self.channels.push((take(&mut at, channel_bytes(model.shape(shape))), shape));
                }
            }
        }
        self.size = at;
    }
}

fn process_frame(model: &Model, process: &ProcessType, priorities: bool) -> Frame {
    let mut at = if priorities { PRIORITY + 1 } else { PRIORITY };
    let mut frame = Frame::default();
    for variable in &process.variables {
        frame.variables.push(take(&mut at, bytes(variable)));
    }
    frame.close(model, &process.variables, at);
    frame
}

fn take(at: &mut u32, size: u32) -> u32 {
    let start = *at;
    *at += size;
    start
}

fn bytes(variable: &Variable) -> u32 {
    (variable.elements() * variable.ty.size()) as u32
}

/// Bytes of one message.
pub fn message_bytes(shape: &ChannelShape) -> u32 {
    shape.fields.iter().map(|field| field.size() as u32).sum()
}

/// A rendezvous holds nothing between two states.
fn channel_bytes(shape: &ChannelShape) -> u32 {
    if shape.capacity == 0 { 0 } else { LENGTH + shape.capacity * message_bytes(shape) }
}

/// Whether any expression of the model has a part that satisfies `test`.
pub(super) fn uses(model: &Model, test: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    crate::access::expressions(model, &mut |expr| found = found || expr.any(test));
    found
}

fn uses_priorities(model: &Model) -> bool {
    let is = |expr: &Expr| *expr != Expr::Constant(1);
    let spawn = |effect: &crate::Effect| match effect {
        crate::Effect::Spawn { priority, .. } => is(priority),
        crate::Effect::SetPriority(..) => true,
        _ => false,
    };
    model.start.iter().any(|start| start.priority != 1)
        || model.processes.iter().flat_map(|it| &it.edges).flat_map(|it| &it.effects).any(spawn)
}
