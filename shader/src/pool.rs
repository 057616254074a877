//! Threads that compile and link beside the program's own.
//!
//! A job is queued and gives a [`Pending`] at once. Who waits for one that no thread has begun runs it itself, so a
//! wait never depends on a free thread: jobs may wait for other jobs, and a program that asks for each outcome at
//! once pays for no hand-over.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Most threads unless a program asks for more: compiles share memory bandwidth with the program.
const MOST_BY_DEFAULT: u32 = 8;
/// Most threads whatever is asked for.
const MOST: u32 = 64;

/// Jobs that threads of pools run now.
static RUNNING: AtomicUsize = AtomicUsize::new(0);
/// Whether the process ends.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Ends the threads' work for good at the end of the process, since what the front end needs is destroyed then: no job is
/// begun any more, and those that run are waited for.
pub fn end(patience: Duration) {
    ENDED.store(true, Ordering::SeqCst);
    let began = Instant::now();
    while RUNNING.load(Ordering::SeqCst) != 0 && began.elapsed() < patience {
        std::thread::sleep(Duration::from_micros(200));
    }
}

type Job<T> = Box<dyn FnOnce() -> T + Send>;

struct Slot<T> {
    job: Mutex<Option<(Job<T>, T)>>,
    outcome: OnceLock<T>,
}

/// The outcome of a job, there or to come. Cheap to clone.
pub struct Pending<T>(Arc<Slot<T>>);

impl<T> Clone for Pending<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").field("done", &self.is_done()).finish()
    }
}

impl<T> Pending<T> {
    fn new(job: Job<T>, on_panic: T) -> Self {
        Self(Arc::new(Slot { job: Mutex::new(Some((job, on_panic))), outcome: OnceLock::new() }))
    }

    /// Whether the outcome is there.
    pub fn is_done(&self) -> bool {
        self.0.outcome.get().is_some()
    }

    /// Whether both are of one job.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The outcome, after running the job or waiting for the thread that does.
    pub fn wait(&self) -> &T {
        self.0.outcome.get_or_init(|| {
            let job = lock(&self.0.job).take();
            // The one initialiser takes the job, and it leaves an outcome whatever happens.
            let (job, on_panic) = job.expect("a job is taken once");
            catch_unwind(AssertUnwindSafe(job)).unwrap_or(on_panic)
        })
    }
}

/// A queued job, whatever it yields.
trait Runnable: Send + Sync {
    fn run(&self);
}

impl<T: Send + Sync> Runnable for Pending<T> {
    fn run(&self) {
        self.wait();
    }
}

#[derive(Default)]
struct State {
    queue: VecDeque<Box<dyn Runnable>>,
    threads: u32,
    idle: u32,
    limit: u32,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

/// The threads. They start when there is work, and end with the pool.
pub struct Pool(Arc<Shared>);

impl Default for Pool {
    /// As many threads as the machine has cores besides the program's own, at least one.
    fn default() -> Self {
        let pool = Self(Arc::default());
        pool.set_threads(u32::MAX);
        pool
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = lock(&self.0.state);
        f.debug_struct("Pool").field("threads", &state.threads).field("limit", &state.limit).finish()
    }
}

impl Pool {
    /// Changes how many threads there may be: 0 runs jobs where they are submitted, `u32::MAX` leaves the number to
    /// the pool. Jobs that are queued stay so.
    pub fn set_threads(&self, count: u32) {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        let limit = match count {
            u32::MAX => (cores - 1).clamp(1, MOST_BY_DEFAULT),
            count => count.min(MOST),
        };
        lock(&self.0.state).limit = limit;
        self.0.wake.notify_all();
    }

    /// Queues a job. A job that panics yields `on_panic`.
    pub fn submit<T: Send + Sync + 'static>(
        &self,
        on_panic: T,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Pending<T> {
        let pending = Pending::new(Box::new(job), on_panic);
        let mut state = lock(&self.0.state);
        if state.limit == 0 {
            drop(state);
            pending.wait();
            return pending;
        }
        state.queue.push_back(Box::new(pending.clone()));
        if state.queue.len() > state.idle as usize && state.threads < state.limit {
            let shared = Arc::clone(&self.0);
            let thread = std::thread::Builder::new().name("gallite-compile".into()).spawn(move || work(&shared));
            // Without a thread the job runs where its outcome is asked for.
            state.threads += u32::from(thread.is_ok());
        } else {
            self.0.wake.notify_one();
        }
        pending
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        state.closed = true;
        // Who still holds an outcome to come runs it.
        let unfinished = std::mem::take(&mut state.queue);
        drop(state);
        self.0.wake.notify_all();
        drop(unfinished);
    }
}

/// What a thread does until it is one too many.
fn work(shared: &Shared) {
    let mut state = lock(&shared.state);
    loop {
        if state.threads > state.limit.max(1) || (state.closed && state.queue.is_empty()) {
            state.threads -= 1;
            return;
        }
        let Some(job) = state.queue.pop_front() else {
            state.idle += 1;
            state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
            continue;
        };
        drop(state);
        RUNNING.fetch_add(1, Ordering::SeqCst);
        if ENDED.load(Ordering::SeqCst) {
            RUNNING.fetch_sub(1, Ordering::SeqCst);
            loop {
                std::thread::park();
            }
        }
        job.run();
        RUNNING.fetch_sub(1, Ordering::SeqCst);
        // Gone before the lock is taken: it may hold the last reference to anything, this pool included.
        drop(job);
        state = lock(&shared.state);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    fn pool(threads: u32) -> Pool {
        let pool = Pool::default();
        pool.set_threads(threads);
        pool
    }

    #[test]
    fn every_job_runs_once_whoever_runs_it() {
        for threads in [0, 1, 3] {
            let pool = pool(threads);
            let runs = Arc::new(AtomicU32::new(0));
            let jobs: Vec<_> = (0..100)
                .map(|i| {
                    let runs = Arc::clone(&runs);
                    pool.submit(0, move || {
                        runs.fetch_add(1, Ordering::Relaxed);
                        i
                    })
                })
                .collect();
            for (i, job) in jobs.iter().enumerate().rev() {
                assert_eq!(*job.wait(), i);
                assert!(job.is_done());
            }
            assert_eq!(runs.load(Ordering::Relaxed), 100);
        }
    }

    #[test]
    fn jobs_wait_for_jobs_on_one_thread() {
        let pool = pool(1);
        let first: Vec<_> = (0..20).map(|i| pool.submit(0, move || i)).collect();
        let sum = pool.submit(0, move || first.iter().map(|job| job.wait()).sum::<i32>());
        assert_eq!(*sum.wait(), 190);
    }

    #[test]
    fn a_panic_is_an_outcome() {
        let pool = pool(1);
        assert_eq!(*pool.submit("failed", || panic!("on purpose")).wait(), "failed");
        assert_eq!(*pool.submit("failed", || "fine").wait(), "fine");
    }

    /// A burst finds a thread for each job, idle ones or not.
    #[test]
    fn a_burst_starts_threads() {
        let pool = pool(2);
        pool.submit((), || ()).wait();
        while lock(&pool.0.state).idle == 0 && lock(&pool.0.state).threads != 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let barrier = Arc::new(std::sync::Barrier::new(2));
        let jobs = [(); 2].map(|()| {
            let barrier = Arc::clone(&barrier);
            pool.submit((), move || {
                barrier.wait();
            })
        });
        let began = Instant::now();
        while !jobs.iter().all(Pending::is_done) {
            assert!(began.elapsed() < Duration::from_secs(20), "one thread waits for the other's job");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn zero_threads_run_jobs_at_once() {
        let pool = pool(0);
        assert!(pool.submit(0, || 1).is_done());
    }

    #[test]
    fn a_pool_may_end_in_its_own_job_or_before_its_jobs() {
        let pool = Arc::new(pool(1));
        let (send, receive) = std::sync::mpsc::channel::<()>();
        let held = Arc::clone(&pool);
        let last = pool.submit((), move || {
            let _ = receive.recv();
            drop(held);
        });
        let never_begun = pool.submit(0, || 7);
        drop(pool);
        send.send(()).unwrap();
        last.wait();
        assert_eq!(*never_begun.wait(), 7);
    }
}
