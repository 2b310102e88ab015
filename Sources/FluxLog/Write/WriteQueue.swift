import FluxSystem
import Synchronization

/// The events that wait to be written, between the threads of the app and the writing thread.
///
/// The writing thread naps for two milliseconds at a time while steps come in, so adding one takes
/// a lock and no system call. It sleeps after a while without events; the next event wakes it.
/// ``WriteQueueState`` decides; this class holds the lock, waits and signals.
///
/// The writing thread runs code of the app: `encode(to:)`, log handlers, and deinitializers of states. If that uses
/// the queue, it never waits, because nobody else would end its wait.
final class WriteQueue: Sendable {
  enum Event: Sendable {
    case step(any StepSource)
    /// Indirect like the next one, so that an event is a few words.
    indirect case skip(SkipRecord)
    indirect case mark(LogMark)
    indirect case restore(RestoreRecord)
    /// A request to examine the file.
    case examine
    /// An event whose line is composed.
    case done

    fileprivate var isStep: Bool {
      if case .step = self { true } else { false }
    }
  }

  /// A large step or state that is written, for the thread that should release it.
  ///
  /// While steps wait, that is the app's thread, with its next step. It has copied the state, and without a recorder it
  /// would release it, too. If two threads count the references in the elements of a state at once, each takes
  /// several times as long. If a thread frees a large block of another one, glibc may return it to the system at once,
  /// and the other one waits before it can allocate its next block.
  typealias Spent = any AnyObject & Sendable

  /// The writing thread's view of the queue.
  struct Batch: Sendable, Equatable {
    /// The number of events so far, including this batch.
    var total: UInt64 = 0
    var closing: Closing?
  }

  /// The reason why the writing thread should end.
  enum Closing: Sendable {
    /// Write an end line.
    case close
    /// Write an end line that says that recording failed.
    case closeIncomplete
    /// Write none: the app released the writer.
    case abandon
  }

  private let state: Monitor<WriteQueueState>
  /// The writing thread; 0 until it runs.
  private let writingThread = Atomic<UInt>(0)
  /// `true` if states are left out where there is no room.
  private let isThinning: Bool
  /// Also sees the steps that are dropped.
  private let rewriter: (any ValueRewriter)?

  /// Creates an empty queue that holds up to `capacity` events at first.
  init(
    capacity: Int, actionCapacity: Int = .max, overflow: LogWriter.Options.Overflow = .block,
    rewriter: (any ValueRewriter)? = nil
  ) {
    state = Monitor(
      WriteQueueState(
        capacity: capacity, actionCapacity: actionCapacity, overflow: overflow,
        mergesSkips: rewriter?.changesValues != true))
    isThinning = overflow == .thin
    self.rewriter = rewriter
  }

  var failure: LogError? { state.withLock { $0.failure } }

  private func perform(_ action: WriteQueueState.Action) {
    if action == .signal { state.signal() }
  }

  // MARK: The app's side

  /// Adds an event, or drops it if the queue is full and may; returns the number of events so far.
  @discardableResult
  func push(_ event: consuming Event) -> UInt64 {
    // Not in a closure, which would retain the event.
    let state = unsafe self.state.lock()
    return unsafe state.pointee.isAccepting
      ? addAndUnlock(event, state) : pushSlowPath(event, state)
  }

  @inline(__always)
  private func addAndUnlock(
    _ event: consuming Event, _ state: UnsafeMutablePointer<WriteQueueState>
  ) -> UInt64 {
    let action = unsafe state.pointee.add(event)
    let total = unsafe state.pointee.total
    self.state.unlock()
    perform(action)
    return total
  }

  @inline(never)
  private func pushSlowPath(
    _ event: consuming Event, _ state: UnsafeMutablePointer<WriteQueueState>
  ) -> UInt64 {
    // Released at the end, without the lock: the states can be megabytes.
    var released: [any Sendable] = unsafe state.pointee.takeSpent()
    defer { withExtendedLifetime(released) {} }
    while true {
      switch unsafe admission(of: event, &state.pointee, &released) {
      case .add:
        return unsafe addAndUnlock(event, state)
      case .refuse:
        defer { self.state.unlock() }
        return unsafe state.pointee.total
      case .drop:
        self.state.unlock()
        return drop(event)
      case .wait where isWritingThread:
        return unsafe addAndUnlock(event, state)
      case .wait:
        self.state.unlock()
        wait(for: .room)
        _ = unsafe self.state.lock()
      }
    }
  }

  private func admission(
    of event: Event, _ state: inout WriteQueueState, _ released: inout [any Sendable]
  ) -> WriteQueueState.Admission {
    guard isThinning, case .step(let step) = event else {
      return state.admission(isStep: event.isStep)
    }
    let isKept: (String) -> Bool = { [rewriter] store in rewriter?.seesEveryState(store) ?? false }
    return state.thin(for: step, isKept: isKept, released: &released)
  }

  /// Drops a step for which there is no room elsewhere.
  func pushDropped(_ step: any StepSource) -> UInt64 { drop(.step(step)) }

  /// Drops a step, after the rewriter has seen the values that it has to hide in later lines.
  private func drop(_ event: Event) -> UInt64 {
    guard case .step(let step) = event else { preconditionFailure("only steps are dropped") }
    let record = step.record()
    if let rewriter, rewriter.changesValues { record.show(to: rewriter) }
    return state.withLock { state in
      state.drop(record)
      return state.total
    }
  }

  /// Waits until `total` events are in the file, or none will be any more.
  func waitUntilWritten(_ total: UInt64) { wait(for: .written(total)) }

  /// `true` if the caller runs on the writing thread.
  var isWritingThread: Bool {
    writingThread.load(ordering: .relaxed) == currentThreadIdentity()
  }

  private func wait(for wait: WriteQueueState.Wait) {
    if isWritingThread { return }
    perform(state.withLock { $0.beginWait() })
    state.waitUntil({ $0.isOver(wait) }) { $0.endWait() }
  }

  /// Ends the writing thread, and waits for its end unless the queue is abandoned.
  func close(_ closing: Closing) {
    perform(state.withLock { $0.close(closing) })
    guard closing != .abandon, !isWritingThread else { return }
    state.waitUntil({ $0.hasEnded }) { _ in }
  }

  // MARK: The writing side

  /// Makes the current thread the writing thread.
  func begin() { writingThread.store(currentThreadIdentity(), ordering: .relaxed) }

  /// Waits for events, at most two milliseconds unless the writing thread is idle.
  ///
  /// `events` is empty before the call, and takes the waiting events; its memory is used again.
  func next(isIdle: Bool, _ events: inout [Event], atMost limit: Int = .max) -> Batch {
    if isIdle { state.withLock { $0.fallAsleep() } }
    let (batch, action) =
      isIdle
      ? state.waitUntil({ $0.isReady(isIdle: true) }) { $0.take(&events, atMost: limit) }
      : state.waitUntil(milliseconds: 2, { $0.isReady(isIdle: false) }) {
        $0.take(&events, atMost: limit)
      }
    perform(action)
    return batch
  }

  /// Reports that some of the events that were taken are written, so there is room.
  func release(_ count: Int) { perform(state.withLock { $0.release(count) }) }

  /// Sets the number of events that may wait from now on.
  func limit(to capacity: Int) { perform(state.withLock { $0.limit(to: capacity) }) }

  /// Reports that `total` events are in the file, and what is not needed any more.
  func finish(_ total: UInt64, spent: consuming [Spent] = []) {
    var spent = spent
    let action = state.withLock { $0.finish(total, spent: &spent) }
    perform(action)
    // Here, without the lock.
    withExtendedLifetime(spent) {}
  }

  /// Reports that nothing can be written any more.
  func fail(_ error: LogError) {
    let (action, _) = state.withLock { $0.fail(error) }
    perform(action)
  }

  /// Reports that the writing thread has ended.
  func end() { perform(state.withLock { $0.end() }) }
}
