//! KHR_debug state of a context: callback, message log, volume control, group stack (GL 4.6 core chapter 20).
//!
//! Output is always synchronous: a message is delivered before the command that caused it returns, on its thread.

use std::collections::VecDeque;

use hashbrown::HashMap;

use crate::client_memory::{ClientPtr, DebugCall, DebugProc};
use crate::gl::*;

/// GL_MAX_DEBUG_MESSAGE_LENGTH, terminator included.
pub const MAX_MESSAGE_LENGTH: usize = 4096;
/// GL_MAX_DEBUG_LOGGED_MESSAGES.
pub const MAX_LOGGED_MESSAGES: usize = 64;
/// GL_MAX_DEBUG_GROUP_STACK_DEPTH, the default group included.
pub const MAX_GROUP_DEPTH: usize = 64;
/// GL_MAX_LABEL_LENGTH, terminator included.
pub const MAX_LABEL_LENGTH: usize = 256;

/// GL_DEBUG_SOURCE_* in order.
pub const SOURCES: [GLenum; 6] = [
    GL_DEBUG_SOURCE_API,
    GL_DEBUG_SOURCE_WINDOW_SYSTEM,
    GL_DEBUG_SOURCE_SHADER_COMPILER,
    GL_DEBUG_SOURCE_THIRD_PARTY,
    GL_DEBUG_SOURCE_APPLICATION,
    GL_DEBUG_SOURCE_OTHER,
];

/// GL_DEBUG_TYPE_* in order.
pub const TYPES: [GLenum; 9] = [
    GL_DEBUG_TYPE_ERROR,
    GL_DEBUG_TYPE_DEPRECATED_BEHAVIOR,
    GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR,
    GL_DEBUG_TYPE_PORTABILITY,
    GL_DEBUG_TYPE_PERFORMANCE,
    GL_DEBUG_TYPE_OTHER,
    GL_DEBUG_TYPE_MARKER,
    GL_DEBUG_TYPE_PUSH_GROUP,
    GL_DEBUG_TYPE_POP_GROUP,
];

/// GL_DEBUG_SEVERITY_* in order.
pub const SEVERITIES: [GLenum; 4] =
    [GL_DEBUG_SEVERITY_HIGH, GL_DEBUG_SEVERITY_MEDIUM, GL_DEBUG_SEVERITY_LOW, GL_DEBUG_SEVERITY_NOTIFICATION];

/// Which values of one property of a message a control addresses: one, or all for GL_DONT_CARE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// All values.
    Any,
    /// The value of this index in [`SOURCES`], [`TYPES`] or [`SEVERITIES`].
    One(usize),
}

impl Choice {
    /// Reads a parameter of glDebugMessageControl; `None` when it is no value of the property.
    pub fn parse(values: &[GLenum], value: GLenum) -> Option<Self> {
        if value == GL_DONT_CARE {
            return Some(Self::Any);
        }
        values.iter().position(|v| *v == value).map(Self::One)
    }

    fn matches(self, index: usize) -> bool {
        matches!(self, Self::Any) || self == Self::One(index)
    }
}

const ALL_SEVERITIES: u8 = 0b1111;
/// GL 4.6 core 20.4: all messages are enabled at first but those of low severity.
const INITIAL_SEVERITIES: u8 = 0b1011;

/// Which messages are let through.
#[derive(Clone)]
struct Volume {
    /// A bit per severity, by source and type.
    severities: [[u8; TYPES.len()]; SOURCES.len()],
    /// Severity bits of single ids that were controlled by id, by source, type and id.
    ids: HashMap<(u8, u8, GLuint), u8>,
}

impl Default for Volume {
    fn default() -> Self {
        Self { severities: [[INITIAL_SEVERITIES; TYPES.len()]; SOURCES.len()], ids: HashMap::new() }
    }
}

impl Volume {
    fn passes(&self, source: usize, kind: usize, id: GLuint, severity: usize) -> bool {
        let mask = self.ids.get(&(source as u8, kind as u8, id)).unwrap_or(&self.severities[source][kind]);
        mask & (1 << severity) != 0
    }

    fn control(&mut self, source: Choice, kind: Choice, severity: Choice, enabled: bool) {
        let bits = match severity {
            Choice::Any => ALL_SEVERITIES,
            Choice::One(index) => 1 << index,
        };
        let apply = |mask: &mut u8| if enabled { *mask |= bits } else { *mask &= !bits };
        for (_, by_type) in self.severities.iter_mut().enumerate().filter(|(s, _)| source.matches(*s)) {
            by_type.iter_mut().enumerate().filter(|(t, _)| kind.matches(*t)).for_each(|(_, mask)| apply(mask));
        }
        for ((s, t, _), mask) in &mut self.ids {
            if source.matches(usize::from(*s)) && kind.matches(usize::from(*t)) {
                apply(mask);
            }
        }
    }
}

/// A message, in the log or on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// GL_DEBUG_SOURCE_*.
    pub source: GLenum,
    /// GL_DEBUG_TYPE_*.
    pub kind: GLenum,
    /// Id.
    pub id: GLuint,
    /// GL_DEBUG_SEVERITY_*.
    pub severity: GLenum,
    /// Text without terminator.
    pub text: Vec<u8>,
}

struct Group {
    volume: Volume,
    /// Message that opened the group, sent again when it closes.
    opened_by: Option<Message>,
}

/// Debug output state of a context.
pub struct DebugState {
    /// GL_DEBUG_OUTPUT.
    pub output: bool,
    /// GL_DEBUG_OUTPUT_SYNCHRONOUS; kept for queries, output is synchronous anyway.
    pub synchronous: bool,
    callback: DebugProc,
    user: ClientPtr<u8>,
    log: VecDeque<Message>,
    groups: Vec<Group>,
}

impl DebugState {
    /// Initial state. GL 4.6 core 20.1: output starts on in a debug context and off in others.
    pub fn new(debug_context: bool) -> Self {
        let base = Group { volume: Volume::default(), opened_by: None };
        Self {
            output: debug_context,
            synchronous: false,
            callback: DebugProc::default(),
            user: ClientPtr::default(),
            log: VecDeque::new(),
            groups: vec![base],
        }
    }

    /// glDebugMessageCallback.
    pub fn set_callback(&mut self, callback: DebugProc, user: ClientPtr<u8>) {
        self.callback = callback;
        self.user = user;
    }

    /// The callback and its user pointer.
    pub fn callback(&self) -> (DebugProc, ClientPtr<u8>) {
        (self.callback, self.user)
    }

    fn top(&mut self) -> Option<&mut Group> {
        self.groups.last_mut()
    }

    /// Whether a message would reach anyone: saves composing it.
    pub fn wants(&self, source: GLenum, kind: GLenum, id: GLuint, severity: GLenum) -> bool {
        let index = |values: &[GLenum], value| values.iter().position(|v| *v == value);
        let (Some(s), Some(t), Some(v)) = (index(&SOURCES, source), index(&TYPES, kind), index(&SEVERITIES, severity))
        else {
            return false;
        };
        self.output && self.groups.last().is_some_and(|g| g.volume.passes(s, t, id, v))
    }

    /// Delivers a message to the callback, or to the log when there is none. A full log drops it.
    pub fn deliver(&mut self, message: Message) {
        if !self.wants(message.source, message.kind, message.id, message.severity) {
            return;
        }
        if !self.callback.is_null() {
            let text = &message.text[..message.text.len().min(MAX_MESSAGE_LENGTH - 1)];
            let Message { source, kind, id, severity, .. } = message;
            self.callback.call(&DebugCall { source, kind, id, severity, text }, self.user);
        } else if self.log.len() < MAX_LOGGED_MESSAGES {
            let mut message = message;
            message.text.truncate(MAX_MESSAGE_LENGTH - 1);
            self.log.push_back(message);
        }
    }

    /// Controls all messages of the given properties in the current group.
    pub fn control(&mut self, source: Choice, kind: Choice, severity: Choice, enabled: bool) {
        if let Some(group) = self.top() {
            group.volume.control(source, kind, severity, enabled);
        }
    }

    /// Controls single messages in the current group.
    pub fn control_ids(&mut self, source: usize, kind: usize, ids: &[GLuint], enabled: bool) {
        if let Some(group) = self.top() {
            let mask = if enabled { ALL_SEVERITIES } else { 0 };
            for id in ids {
                group.volume.ids.insert((source as u8, kind as u8, *id), mask);
            }
        }
    }

    /// Opens a group, which inherits the volume control. False when the stack is full.
    pub fn push_group(&mut self, message: Message) -> bool {
        if self.groups.len() >= MAX_GROUP_DEPTH {
            return false;
        }
        self.deliver(message.clone());
        let volume = self.groups.last().map(|g| g.volume.clone()).unwrap_or_default();
        self.groups.push(Group { volume, opened_by: Some(message) });
        true
    }

    /// Closes the current group. False when only the default group is left.
    pub fn pop_group(&mut self) -> bool {
        if self.groups.len() < 2 {
            return false;
        }
        // GL 4.6 core 20.6: the volume control of the parent is back before the message of the pop is sent.
        if let Some(Group { opened_by: Some(message), .. }) = self.groups.pop() {
            self.deliver(Message { kind: GL_DEBUG_TYPE_POP_GROUP, ..message });
        }
        true
    }

    /// GL_DEBUG_GROUP_STACK_DEPTH.
    pub fn depth(&self) -> usize {
        self.groups.len()
    }

    /// GL_DEBUG_LOGGED_MESSAGES.
    pub fn logged(&self) -> usize {
        self.log.len()
    }

    /// The oldest logged message.
    pub fn oldest(&self) -> Option<&Message> {
        self.log.front()
    }

    /// Takes the oldest logged message out.
    pub fn take_oldest(&mut self) -> Option<Message> {
        self.log.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: GLenum, id: GLuint, severity: GLenum) -> Message {
        Message { source: GL_DEBUG_SOURCE_API, kind, id, severity, text: b"x".to_vec() }
    }

    #[test]
    fn low_severity_is_off_at_first_and_groups_restore_control() {
        let mut debug = DebugState::new(true);
        debug.deliver(message(GL_DEBUG_TYPE_ERROR, 1, GL_DEBUG_SEVERITY_LOW));
        assert_eq!(debug.logged(), 0);
        let group = Message {
            source: GL_DEBUG_SOURCE_APPLICATION,
            ..message(GL_DEBUG_TYPE_PUSH_GROUP, 7, GL_DEBUG_SEVERITY_NOTIFICATION)
        };
        assert!(debug.push_group(group));
        debug.control(Choice::Any, Choice::Any, Choice::Any, false);
        debug.deliver(message(GL_DEBUG_TYPE_ERROR, 1, GL_DEBUG_SEVERITY_HIGH));
        assert_eq!(debug.logged(), 1, "only the push itself");
        assert!(debug.pop_group() && !debug.pop_group());
        debug.deliver(message(GL_DEBUG_TYPE_ERROR, 1, GL_DEBUG_SEVERITY_HIGH));
        let kinds: Vec<_> = std::iter::from_fn(|| debug.take_oldest()).map(|m| m.kind).collect();
        assert_eq!(kinds, [GL_DEBUG_TYPE_PUSH_GROUP, GL_DEBUG_TYPE_POP_GROUP, GL_DEBUG_TYPE_ERROR]);
    }

    #[test]
    fn a_broad_control_overrides_an_earlier_one_by_id() {
        let mut debug = DebugState::new(true);
        debug.control_ids(0, 0, &[5], false);
        debug.deliver(message(GL_DEBUG_TYPE_ERROR, 5, GL_DEBUG_SEVERITY_HIGH));
        assert_eq!(debug.logged(), 0);
        debug.control(Choice::Any, Choice::Any, Choice::One(0), true);
        debug.deliver(message(GL_DEBUG_TYPE_ERROR, 5, GL_DEBUG_SEVERITY_HIGH));
        debug.deliver(message(GL_DEBUG_TYPE_ERROR, 5, GL_DEBUG_SEVERITY_MEDIUM));
        assert_eq!(debug.logged(), 1);
    }
}
