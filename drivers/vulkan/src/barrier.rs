//! Access tracking: which barriers the commands of one batch need between them.
//!
//! All images stay in the general layout, so only execution and memory dependencies are left to find. A batch
//! starts with a full barrier; hence a context needs to remember only what its open batch has done, in a table of its own
//! indexed by the storage's track slot.

use ash::vk;

/// One kind of access.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access {
    pub stages: vk::PipelineStageFlags,
    pub access: vk::AccessFlags,
    pub write: bool,
}

const fn access(stages: u32, access: u32, write: bool) -> Access {
    Access { stages: vk::PipelineStageFlags::from_raw(stages), access: vk::AccessFlags::from_raw(access), write }
}

const FRAGMENT_TESTS: u32 =
    vk::PipelineStageFlags::EARLY_FRAGMENT_TESTS.as_raw() | vk::PipelineStageFlags::LATE_FRAGMENT_TESTS.as_raw();
const SHADERS: u32 = vk::PipelineStageFlags::ALL_GRAPHICS.as_raw();

impl Access {
    pub const VERTEX: Self =
        access(vk::PipelineStageFlags::VERTEX_INPUT.as_raw(), vk::AccessFlags::VERTEX_ATTRIBUTE_READ.as_raw(), false);
    pub const INDEX: Self =
        access(vk::PipelineStageFlags::VERTEX_INPUT.as_raw(), vk::AccessFlags::INDEX_READ.as_raw(), false);
    pub const INDIRECT: Self =
        access(vk::PipelineStageFlags::DRAW_INDIRECT.as_raw(), vk::AccessFlags::INDIRECT_COMMAND_READ.as_raw(), false);
    pub const UNIFORM: Self = access(
        SHADERS | vk::PipelineStageFlags::COMPUTE_SHADER.as_raw(),
        vk::AccessFlags::UNIFORM_READ.as_raw(),
        false,
    );
    pub const SAMPLED: Self =
        access(SHADERS | vk::PipelineStageFlags::COMPUTE_SHADER.as_raw(), vk::AccessFlags::SHADER_READ.as_raw(), false);
    pub const STORAGE: Self = access(
        SHADERS | vk::PipelineStageFlags::COMPUTE_SHADER.as_raw(),
        vk::AccessFlags::SHADER_READ.as_raw() | vk::AccessFlags::SHADER_WRITE.as_raw(),
        true,
    );
    pub const COLOR: Self = access(
        vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT.as_raw(),
        vk::AccessFlags::COLOR_ATTACHMENT_READ.as_raw() | vk::AccessFlags::COLOR_ATTACHMENT_WRITE.as_raw(),
        true,
    );
    pub const DEPTH_STENCIL: Self = access(
        FRAGMENT_TESTS,
        vk::AccessFlags::DEPTH_STENCIL_ATTACHMENT_READ.as_raw()
            | vk::AccessFlags::DEPTH_STENCIL_ATTACHMENT_WRITE.as_raw(),
        true,
    );
    pub const COPY_READ: Self =
        access(vk::PipelineStageFlags::TRANSFER.as_raw(), vk::AccessFlags::TRANSFER_READ.as_raw(), false);
    pub const COPY_WRITE: Self =
        access(vk::PipelineStageFlags::TRANSFER.as_raw(), vk::AccessFlags::TRANSFER_WRITE.as_raw(), true);
    pub const XFB_WRITE: Self = access(
        vk::PipelineStageFlags::TRANSFORM_FEEDBACK_EXT.as_raw(),
        vk::AccessFlags::TRANSFORM_FEEDBACK_WRITE_EXT.as_raw(),
        true,
    );
    pub const XFB_COUNTER: Self = access(
        vk::PipelineStageFlags::TRANSFORM_FEEDBACK_EXT.as_raw() | vk::PipelineStageFlags::DRAW_INDIRECT.as_raw(),
        vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_READ_EXT.as_raw()
            | vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_WRITE_EXT.as_raw(),
        true,
    );
}

/// What the open batch did to one storage.
#[derive(Debug, Clone, Copy, Default)]
struct Track {
    batch: u64,
    /// Set when main used it; then transfers to it can't go early.
    in_main: bool,
    /// Set when main wrote it; then transfers from it can't go early either.
    main_wrote: bool,
    /// Stretches of early, between barriers there, that read and wrote it last.
    early_read: u64,
    early_written: u64,
    /// Pass in which it is an attachment.
    attached_in: u64,
    /// One more than the pass whose draws store to it.
    stored_in: u64,
    write_stages: vk::PipelineStageFlags,
    write_access: vk::AccessFlags,
    /// Readers since the last write.
    read_stages: vk::PipelineStageFlags,
    /// What the last write was already made visible to.
    seen_stages: vk::PipelineStageFlags,
    seen_access: vk::AccessFlags,
}

/// A memory barrier to come.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pending {
    pub src_stages: vk::PipelineStageFlags,
    pub src: vk::AccessFlags,
    pub dst_stages: vk::PipelineStageFlags,
    pub dst: vk::AccessFlags,
}

impl Pending {
    pub fn is_empty(&self) -> bool {
        self.src_stages.is_empty() && self.dst_stages.is_empty()
    }
}

/// The hazard table of one context.
pub(crate) struct Tracker {
    tracks: Vec<Track>,
    batch: u64,
    /// Serial number of the render pass that is open or was last.
    pub pass: u64,
    pub pending: Pending,
    /// Number of the stretch of early that is recorded; never 0.
    early: u64,
    /// Shaders stored to something since the last full barrier.
    stored: bool,
}

impl Default for Tracker {
    fn default() -> Self {
        Self { tracks: Vec::new(), batch: 0, pass: 0, pending: Pending::default(), early: 1, stored: false }
    }
}

impl Tracker {
    /// Forgets everything: a batch begins.
    pub fn begin_batch(&mut self) {
        self.batch += 1;
        self.pass += 1;
        self.pending = Pending::default();
        self.stored = false;
    }

    fn track(&mut self, slot: u32) -> &mut Track {
        let index = slot as usize;
        if index >= self.tracks.len() {
            self.tracks.resize(index + 1, Track::default());
        }
        let track = &mut self.tracks[index];
        if track.batch != self.batch {
            *track = Track { batch: self.batch, ..Track::default() };
        }
        track
    }

    /// Notes an access in main, adding what barrier it needs to `pending`.
    #[inline]
    pub fn access(&mut self, slot: u32, new: Access) {
        let pass = self.pass;
        self.stored |= new.access.contains(vk::AccessFlags::SHADER_WRITE);
        let track = self.track(slot);
        track.in_main = true;
        track.main_wrote |= new.write;
        // An attachment of the open pass that shaders read as well is a feedback loop; GL leaves its
        // result open until a texture barrier, which ends the pass.
        if track.attached_in == pass {
            return;
        }
        let mut barrier = Pending::default();
        if new.write {
            if !track.write_stages.is_empty() || !track.read_stages.is_empty() {
                barrier.src_stages = track.write_stages | track.read_stages;
                barrier.src = track.write_access;
                barrier.dst_stages = new.stages;
                barrier.dst = new.access;
            }
            track.write_stages = new.stages;
            track.write_access = write_bits(new.access);
            track.read_stages = vk::PipelineStageFlags::empty();
            track.seen_stages = vk::PipelineStageFlags::empty();
            track.seen_access = vk::AccessFlags::empty();
        } else {
            let seen = track.seen_stages.contains(new.stages) && track.seen_access.contains(new.access);
            if !track.write_stages.is_empty() && !seen {
                barrier.src_stages = track.write_stages;
                barrier.src = track.write_access;
                barrier.dst_stages = new.stages;
                barrier.dst = new.access;
                track.seen_stages |= new.stages;
                track.seen_access |= new.access;
            }
            track.read_stages |= new.stages;
        }
        if !barrier.dst_stages.is_empty() {
            self.pending.src_stages |= barrier.src_stages;
            self.pending.src |= barrier.src;
            self.pending.dst_stages |= barrier.dst_stages;
            self.pending.dst |= barrier.dst;
        }
    }

    /// Notes that draws of the pass that is open or begins store to a storage. Stores of one pass are not ordered among
    /// each other: a memory barrier, which ends the pass, does that.
    pub fn store_in_pass(&mut self, slot: u32) {
        let pass = self.pass + 1;
        if self.track(slot).stored_in != pass {
            self.access(slot, Access::STORAGE);
            self.track(slot).stored_in = pass;
        }
    }

    /// Notes that a storage is an attachment of the pass that begins.
    pub fn attach(&mut self, slot: u32) {
        let pass = self.pass;
        self.track(slot).attached_in = pass;
    }

    /// Whether a transfer to one storage, from memory or from another storage, may go early: before all that main has
    /// recorded. If so, whether a barrier must come before it there.
    pub fn early_transfer(&mut self, read: Option<u32>, written: u32) -> Option<bool> {
        if self.track(written).in_main || read.is_some_and(|slot| self.track(slot).main_wrote) {
            return None;
        }
        let stretch = self.early;
        let target = self.track(written);
        let mut hazard = target.early_written == stretch || target.early_read == stretch;
        hazard |= read.is_some_and(|slot| self.track(slot).early_written == stretch);
        self.early += u64::from(hazard);
        let stretch = self.early;
        if let Some(slot) = read {
            self.track(slot).early_read = stretch;
        }
        self.track(written).early_written = stretch;
        Some(hazard)
    }

    /// Whether main used a storage.
    pub fn in_main(&mut self, slot: u32) -> bool {
        self.track(slot).in_main
    }

    /// Whether shaders stored to something that no full barrier followed.
    pub fn has_stores(&self) -> bool {
        self.stored
    }

    /// A barrier over everything, for accesses that nobody tracks.
    pub fn full(&mut self) {
        self.stored = false;
        let all = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
        self.pending.src_stages |= vk::PipelineStageFlags::ALL_COMMANDS;
        self.pending.src |= vk::AccessFlags::MEMORY_WRITE;
        self.pending.dst_stages |= vk::PipelineStageFlags::ALL_COMMANDS;
        self.pending.dst |= all;
    }
}

/// The bits of an access that write.
fn write_bits(access: vk::AccessFlags) -> vk::AccessFlags {
    access
        & (vk::AccessFlags::SHADER_WRITE
            | vk::AccessFlags::COLOR_ATTACHMENT_WRITE
            | vk::AccessFlags::DEPTH_STENCIL_ATTACHMENT_WRITE
            | vk::AccessFlags::TRANSFER_WRITE
            | vk::AccessFlags::HOST_WRITE
            | vk::AccessFlags::TRANSFORM_FEEDBACK_WRITE_EXT
            | vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_WRITE_EXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_after_write_needs_one_barrier() {
        let mut t = Tracker::default();
        t.begin_batch();
        t.access(3, Access::COPY_WRITE);
        assert!(t.pending.is_empty());
        t.access(3, Access::SAMPLED);
        assert_eq!(t.pending.src, vk::AccessFlags::TRANSFER_WRITE);
        t.pending = Pending::default();
        t.access(3, Access::SAMPLED);
        assert!(t.pending.is_empty(), "the write is visible already");
        t.access(3, Access::UNIFORM);
        assert!(!t.pending.is_empty(), "but not to another kind of read");
    }

    #[test]
    fn write_after_read_is_an_execution_dependency() {
        let mut t = Tracker::default();
        t.begin_batch();
        t.access(0, Access::VERTEX);
        t.access(0, Access::COPY_WRITE);
        assert_eq!(t.pending.src_stages, vk::PipelineStageFlags::VERTEX_INPUT);
        assert!(t.pending.src.is_empty());
        t.begin_batch();
        t.access(0, Access::VERTEX);
        assert!(t.pending.is_empty(), "a batch begins with everything visible");
    }

    #[test]
    fn stores_of_one_pass_need_no_barrier_between_them() {
        let mut t = Tracker::default();
        t.begin_batch();
        t.store_in_pass(4);
        t.store_in_pass(4);
        assert!(t.pending.is_empty());
        t.access(4, Access::VERTEX);
        assert!(!t.pending.is_empty(), "what was stored is read");
        t.pending = Pending::default();
        t.pass += 1;
        t.store_in_pass(4);
        assert!(!t.pending.is_empty(), "another pass");
    }

    #[test]
    fn main_use_forbids_early_transfers() {
        let mut t = Tracker::default();
        t.begin_batch();
        assert_eq!(t.early_transfer(None, 1), Some(false));
        assert_eq!(t.early_transfer(None, 1), Some(true), "in order with the first");
        t.access(1, Access::VERTEX);
        assert_eq!(t.early_transfer(None, 1), None, "main reads the old bytes");
        assert_eq!(t.early_transfer(Some(1), 2), Some(true), "but what is only read is read early too");
        t.access(1, Access::COPY_WRITE);
        assert_eq!(t.early_transfer(Some(1), 3), None, "main wrote it");
    }

    #[test]
    fn early_transfers_are_ordered_where_they_meet() {
        let mut t = Tracker::default();
        t.begin_batch();
        assert_eq!(t.early_transfer(Some(1), 2), Some(false));
        assert_eq!(t.early_transfer(Some(1), 3), Some(false), "two reads");
        assert_eq!(t.early_transfer(Some(2), 4), Some(true), "read after write");
        assert_eq!(t.early_transfer(Some(3), 5), Some(false), "the barrier was for all");
        assert_eq!(t.early_transfer(None, 3), Some(true), "write after read");
        t.begin_batch();
        assert_eq!(t.early_transfer(None, 3), Some(false), "another batch");
    }

    #[test]
    fn stores_are_known_until_the_full_barrier() {
        let mut t = Tracker::default();
        t.begin_batch();
        t.access(1, Access::SAMPLED);
        t.access(2, Access::COLOR);
        assert!(!t.has_stores());
        t.store_in_pass(3);
        assert!(t.has_stores());
        t.full();
        assert!(!t.has_stores());
    }
}
