import FluxCore
import FluxLog
import FluxSystem
import Foundation
import Observation
import Synchronization

extension Recorder {
  /// Records each change of `@Observable` objects as a step, such as `cart/changed`.
  ///
  /// ```swift
  /// @MainActor func record(_ cart: Cart, in recorder: Recorder) {
  ///   recorder.watch("cart") { (items: cart.items, total: cart.total) }
  /// }
  /// ```
  /// The closure returns what is recorded, and it watches the properties that it reads, also those of nested
  /// objects. The value is read as in ``start(reflecting:seed:now:)``, which registers no access: read what should
  /// be watched in the closure, as in `cart.items.map(\.name)`.
  ///
  /// All changes in one turn of the main actor are one step, with the values after the turn; values between are not
  /// recorded. A change to an equal value is no step. Objects that another thread changes are read on the main actor
  /// soon after the change, and that thread never waits for the read.
  ///
  /// On the main actor, ``mark(_:)``, ``flush()``, ``export(last:to:)``, ``timeline()``, ``pause()``, ``resume()`` and
  /// ``close()`` first record the changes of the turn so far, so do not call them from within a change of a watched
  /// property. On another thread they do not wait for the end of a turn.
  ///
  /// If the recorder was not started, it starts with this value. Otherwise the step `cart/watched` adds it, unless the
  /// store has that value already. The recorder retains the closure until it is closed.
  ///
  /// A recorder that a dispatcher uses records only the dispatcher's steps, and warns of others. Watched objects need a
  /// separate recorder then.
  ///
  /// - Parameters:
  ///   - store: The name of the store, and the kind of its actions.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - read: Returns the value to record.
  @MainActor
  public func watch<Value>(
    _ store: String, file: StaticString = #fileID, line: UInt = #line,
    _ read: @escaping @MainActor () -> Value
  ) {
    if process.isForked { return }
    let watch = Watch(self, store, CallSite(file: file, line: line), read)
    let isClosed = lock.withLock {
      if unsafe shared.phase == .closed { return true }
      unsafe shared.watches.append(watch)
      return false
    }
    if !isClosed { watch.begin() }
  }

  /// Records the changes of watched objects that the scheduled reads have not found yet, if this is the main actor.
  func recordPendingChanges() {
    // Before any lock: another thread of the parent may have held it.
    if process.isForked { return }
    let watches = lock.withLock { unsafe shared.watches }
    if watches.isEmpty || !MainQueue.isCurrent { return }
    MainActor.assumeIsolated { for watch in watches { watch.updateIfScheduled() } }
  }

  fileprivate var phase: Phase { lock.withLock { unsafe shared.phase } }

  /// `true` if the app records its steps, without a dispatcher.
  fileprivate var hasAppSteps: Bool { lock.withLock { unsafe shared.appSteps != nil } }
}

/// Observable objects whose changes are recorded.
@MainActor
final class Watch {
  private weak var recorder: Recorder?
  private let store: String
  private let source: CallSite
  private let read: @MainActor () -> Any
  /// `true` while a read is scheduled, which all changes until then need only once.
  private nonisolated let isScheduled = Atomic(false)
  private var looking: Task<Void, Never>?
  /// The name of the next step: the first one adds the store.
  private var name = "watched"

  /// The times after which a change of another thread is looked for again.
  ///
  /// Observation tells of a change before it happens. On the main actor, the change has happened when the scheduled
  /// read runs. Another thread may have been suspended just before it.
  private nonisolated static let delays: [Duration] = [
    .milliseconds(1), .milliseconds(20), .milliseconds(200),
  ]

  init(
    _ recorder: Recorder, _ store: String, _ source: CallSite,
    _ read: @escaping @MainActor () -> Any
  ) {
    self.recorder = recorder
    self.store = store
    self.source = source
    self.read = read
  }

  /// Reads the value for the first time, and starts the recorder with it if nothing else did.
  func begin() {
    guard let recorder else { return }
    if recorder.phase == .notStarted {
      name = "changed"
      track { recorder.start(reflecting: [store: read()]) }
    } else {
      update()
    }
    // Observation begins after the read, and tells nothing of a change by another thread between the two.
    lookAgain()
  }

  /// Reads the value now if a read is scheduled; that one then finds nothing new.
  func updateIfScheduled() {
    if isScheduled.load(ordering: .sequentiallyConsistent) { update() }
  }

  /// Reads the value again, watches what that reads, and records a step if the value changed.
  private func update() {
    guard let recorder else { return }
    switch recorder.phase {
    case .notStarted, .failed, .closed: return
    case .beginning:
      // The changes until the log has begun are found by reading again.
      track { _ = read() }
      return lookAgain(after: Self.delays.dropFirst())
    case .recording: break
    }
    guard let log = recorder.logOfSteps.log else { return }
    let changes = track { log.encoding { recorder.reflected.changes([store: read()]) } }
    guard !changes.isEmpty else {
      name = "changed"
      return
    }
    let step = OpenStep(
      recorder, .sent(NamedAction("\(store)/\(name)")), ActionOrigin(), source: source,
      isOpen: false)
    if step.number != nil {
      name = "changed"
    } else if recorder.hasAppSteps {
      // A step inside another one is not recorded, so the change is recorded after that one.
      recorder.reflected.forget([store])
      lookAgain(after: Self.delays.dropFirst())
    }
    step.commit(changes)
  }

  /// Runs `body`, and schedules a read when something that it has read changes.
  ///
  /// The change has not happened by then, and a property may be inaccessible during it, so nothing is read there.
  private func track<Result>(_ body: () -> Result) -> Result {
    isScheduled.store(false, ordering: .sequentiallyConsistent)
    return withObservationTracking(body) { [weak self] in self?.schedule() }
  }

  private nonisolated func schedule() {
    guard !isScheduled.exchange(true, ordering: .sequentiallyConsistent) else { return }
    let isOnMainActor = MainQueue.isCurrent
    Task { @MainActor [weak self] in
      self?.update()
      if !isOnMainActor { self?.lookAgain() }
    }
  }

  /// Reads the value some more times, unless a later change of another thread begins that again.
  private func lookAgain(after delays: ArraySlice<Duration> = Watch.delays[...]) {
    looking?.cancel()
    looking = Task { [weak self] in
      for delay in delays {
        do {
          try await Task.sleep(for: delay)
        } catch {
          return
        }
        self?.update()
      }
    }
  }
}
