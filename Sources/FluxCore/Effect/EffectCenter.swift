import Synchronization

/// The running and waiting effects of a dispatcher; applies the policies between effects of one name.
final class EffectCenter: @unchecked Sendable {
  // Sendable: `lock` guards the variables.

  private struct Ticket {
    let request: EffectRequest
    let token: EffectToken
    let activity: Activity?
    let host: EffectHost

    /// The number of running effects of its name with which the effect still waits.
    var limit: Int {
      if case .concurrent(let limit) = request.rule { max(1, limit) } else { .max }
    }
  }

  /// The time of the policy `keeping` in which new effects of a name are dropped.
  private struct Window {
    /// The effect that opened it.
    let token: EffectToken
    let activity: Activity?
    /// Returns `true` once its time is over, possibly before the task that closes it has run.
    let isOver: @Sendable () -> Bool
  }

  /// The effects of one name, in the order of their requests.
  private struct Lane {
    var running: [Ticket] = []
    /// The effects that wait for running ones; only a limit of parallel effects makes an effect wait.
    var waiting: [Ticket] = []
    var window: Window?

    var isIdle: Bool { running.isEmpty && waiting.isEmpty && window == nil }

    /// `true` if a new effect of the policy `keeping` is dropped.
    var dropsNewEffects: Bool { window != nil || running.contains { !$0.token.isCancelled } }

    /// `true` if a new effect need not wait: nothing is waiting, and its limit is not reached.
    func canStart(_ ticket: Ticket) -> Bool {
      ticket.limit == .max || waiting.isEmpty && running.count < ticket.limit
    }

    /// Marks the waiting effects whose limits allow it as running; returns them.
    mutating func startWaiting() -> [Ticket] {
      var started: [Ticket] = []
      while let next = waiting.first, running.count < next.limit {
        started.append(waiting.removeFirst())
        running.append(next)
      }
      return started
    }
  }

  let clock: any Clock<Duration>
  private let lock = Lock()
  private var lanes: [EffectKey: Lane] = [:]
  private var isClosed = false
  private var watch: EffectWatch?
  /// `true` if there is a watch; then launching an effect takes the lock once more.
  private let isWatched = Atomic(false)
  /// The number of running and waiting effects of elements.
  private let elementCount = Atomic(0)

  /// The effects that have not ended, cancelled ones included; `stores` are those of the dispatcher, in order.
  func running(_ stores: [StoreID]) -> [RunningEffect] {
    lock.withLock {
      lanes.flatMap { key, lane in
        (lane.running.map { ObjectIdentifier($0.token) } + lane.waiting.map { _ in nil }).map {
          RunningEffect(store: stores[key.slot], name: key.name, task: $0)
        }
      }
    }
  }

  init(clock: any Clock<Duration>) {
    self.clock = clock
  }

  /// Reports each effect that begins to run from now on, instead of to an earlier watch.
  func watch(_ watch: @escaping EffectWatch) {
    lock.withLock { self.watch = watch }
    isWatched.store(true, ordering: .relaxed)
  }

  func run(_ commands: [EffectCommand], cause: UInt64, activity: Activity?, host: EffectHost) {
    for command in commands {
      switch command {
      case .cancel(let key): cancel { laneKey, _ in laneKey == key }
      case .start(let request):
        let token = EffectToken(
          name: request.key.name, cause: cause, isUncancellable: request.isUncancellable)
        start(Ticket(request: request, token: token, activity: activity, host: host))
      }
    }
  }

  func cancelAll() {
    cancel { _, _ in true }
  }

  /// Cancels all effects, even those that nothing else cancels.
  func revokeAll() {
    cancel(revokes: true) { _, _ in true }
  }

  /// `true` if a running or waiting effect belongs to an element of a list.
  @inline(__always)
  var hasEffectsOfElements: Bool { elementCount.load(ordering: .relaxed) > 0 }

  /// Cancels the effects of elements that are gone from the state of a store.
  func cancelEffectsOfMissingElements(of slot: Int, in state: Any) {
    let requests = lock.withLock {
      lanes.filter { $0.key.slot == slot }.values.flatMap { $0.running + $0.waiting }.map(\.request)
    }
    // Without the lock, because it calls code of the app.
    let missing = requests.filter { $0.isPresent?(state) == false }
    guard !missing.isEmpty else { return }
    let keys = Set(missing.map(\.key))
    cancel { key, _ in keys.contains(key) }
  }

  /// Cancels all effects of an activity, and prevents new ones of it from starting.
  func cancelAll(of activity: Activity) {
    activity.cancel()
    cancel { _, effectActivity in effectActivity === activity }
  }

  func close() {
    lock.withLock { isClosed = true }
    revokeAll()
  }

  /// Cancels the effects that match a predicate.
  ///
  /// Waiting effects end here, because they never run, and effects with a higher limit that waited behind them start.
  /// Running effects stay in their lane until they end, so that a serial effect still waits for them. Windows of the policy
  /// `keeping` close. Uncancellable effects are left alone, unless `revokes` is `true`.
  private func cancel(revokes: Bool = false, where matches: (EffectKey, Activity?) -> Bool) {
    var running: [Ticket] = []
    var waiting: [Ticket] = []
    var started: [Ticket] = []
    lock.withLock {
      for (key, var lane) in lanes {
        func isCancelled(_ ticket: Ticket) -> Bool {
          matches(key, ticket.activity) && (revokes || !ticket.request.isUncancellable)
        }
        running += lane.running.filter(isCancelled)
        waiting += lane.waiting.filter(isCancelled)
        lane.waiting.removeAll(where: isCancelled)
        if let window = lane.window, matches(key, window.activity) { lane.window = nil }
        started += lane.startWaiting()
        lanes[key] = lane.isIdle ? nil : lane
      }
    }
    for ticket in running + waiting { ticket.token.cancel(revokes: revokes) }
    for ticket in waiting { leave(ticket) }
    for ticket in started { launch(ticket) }
  }

  /// Calls `body` with the lane of a name under the lock.
  private func withLane<Result>(_ key: EffectKey, _ body: (inout Lane) -> Result) -> Result {
    lock.withLock {
      var lane = lanes[key] ?? Lane()
      defer { lanes[key] = lane.isIdle ? nil : lane }
      return body(&lane)
    }
  }

  private func start(_ ticket: Ticket) {
    let key = ticket.request.key
    var window: Window?
    switch ticket.request.rule {
    case .replacing: cancel { laneKey, _ in laneKey == key }
    case .keeping(let duration):
      closeEndedWindow(of: key)
      if duration > .zero {
        window = Window(
          token: ticket.token, activity: ticket.activity, isOver: clock.timer(for: duration))
      }
    case .concurrent, .uncancellable: break
    }
    let launch = withLane(key) { lane in
      guard !isClosed, ticket.activity?.isCancelled != true else { return false }
      switch ticket.request.rule {
      case .keeping where lane.dropsNewEffects: return false
      case .concurrent where !lane.canStart(ticket):
        enter(ticket)
        lane.waiting.append(ticket)
        return false
      case .keeping: lane.window = window
      case .concurrent, .replacing, .uncancellable: break
      }
      enter(ticket)
      lane.running.append(ticket)
      return true
    }
    if launch { self.launch(ticket) }
  }

  // Called without the lock: if the effect is already cancelled, its task's cancellation handlers run here.
  private func launch(_ ticket: Ticket) {
    let request = ticket.request
    let send = Send(
      host: ticket.host, slot: request.key.slot, token: ticket.token, activity: ticket.activity,
      clock: clock, file: request.file, line: request.line)
    let watch = isWatched.load(ordering: .relaxed) ? lock.withLock { self.watch } : nil
    let didEnd = watch?(request.key.name, ticket.token.cause)
    let task = Task { [clock] in
      await RunningEffect.$currentTask.withValue(ObjectIdentifier(ticket.token)) {
        if case .replacing(let delay) = request.rule, delay > .zero {
          // A sleep only throws if it is cancelled.
          do { try await clock.sleep(for: delay) } catch { return }
        }
        if !ticket.token.isCancelled { await request.operation(send) }
      }
      didEnd?()
      finish(ticket)
    }
    if case .keeping(let window) = request.rule, window > .zero {
      closeWindow(of: ticket.token, request.key, after: window)
    }
    ticket.token.attach(task)
  }

  /// Closes the window of a name if its time is over.
  ///
  /// The task that closes it runs soon after that time, which a test that advances its clock cannot wait for.
  private func closeEndedWindow(of key: EffectKey) {
    // Without the lock, because the clock may be the app's.
    guard let window = lock.withLock({ lanes[key]?.window }), window.isOver() else { return }
    closeWindow(of: window.token, key)
  }

  private func closeWindow(of token: EffectToken, _ key: EffectKey) {
    withLane(key) { lane in
      if lane.window?.token === token { lane.window = nil }
    }
  }

  private func closeWindow(of token: EffectToken, _ key: EffectKey, after window: Duration) {
    Task { [clock] in
      do {
        try await clock.sleep(for: window)
      } catch {
        // This task is never cancelled; if a custom clock throws, the window closes at once.
      }
      closeWindow(of: token, key)
    }
  }

  private func finish(_ ticket: Ticket) {
    let key = ticket.request.key
    let started = withLane(key) { lane in
      lane.running.removeAll { $0.token === ticket.token }
      return lane.startWaiting()
    }
    for next in started { launch(next) }
    leave(ticket)
  }

  private func enter(_ ticket: Ticket) {
    if ticket.request.isPresent != nil { elementCount.add(1, ordering: .relaxed) }
    ticket.activity?.enter()
  }

  private func leave(_ ticket: Ticket) {
    if ticket.request.isPresent != nil { elementCount.subtract(1, ordering: .relaxed) }
    ticket.activity?.leave()
  }
}

/// An effect that is running, or that waits for earlier ones of its name.
package struct RunningEffect: Sendable, CustomStringConvertible {
  /// The effect that runs the current task; a test's clock asks for it, to know which effects sleep.
  @TaskLocal package static var currentTask: ObjectIdentifier?

  package let store: StoreID
  package let name: String
  /// The identity of the effect's task; nil if the effect waits for earlier ones of its name.
  package let task: ObjectIdentifier?

  package var description: String { "\(name) of \(store)" }
}

/// Called when an effect begins to run, with its name and the step that started it; returns what is called at its end.
package typealias EffectWatch =
  @Sendable (_ effect: String, _ cause: UInt64) -> @Sendable () -> Void

extension Clock<Duration> {
  /// Returns a closure that returns `true` once a duration from now is over.
  fileprivate func timer(for duration: Duration) -> @Sendable () -> Bool {
    let end = now.advanced(by: duration)
    return { now >= end }
  }
}
