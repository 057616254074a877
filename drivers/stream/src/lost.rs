//! What each kind of reply says once the session has ended.

use gallite_pipe::*;

/// The reply of a screen that was reset.
pub trait LostReply {
    fn lost() -> Self;
}

macro_rules! lost_replies {
    ($($type:ty => $value:expr;)*) => { $(
        impl LostReply for $type {
            fn lost() -> Self {
                $value
            }
        }
    )* };
}

lost_replies! {
    () => ();
    u64 => 0;
    [u8; 32] => [0; 32];
    Caps => Caps::default();
    FormatCaps => FormatCaps::default();
    MemoryInfo => MemoryInfo::default();
    Counters => Counters::default();
    Event => Event::default();
    ResetStatus => ResetStatus::UNKNOWN;
    Outcome => Outcome::DEVICE_LOST;
    WaitStatus => WaitStatus::LOST;
    // Ready, so that no caller polls for ever.
    QueryResult => QueryResult { ready: 1, reserved: 0, value: 0 };
    WindowState => WindowState { status: PresentStatus::DEVICE_LOST, ..WindowState::default() };
}
