/// The effects of a dispatcher that are under way, and the policies between those of one name.
final class EffectCenter: @unchecked Sendable {
  // Sendable: the variables are guarded by `lock`.

  /// An effect with what it needs to run.
  private struct Ticket {
    let request: EffectRequest
    let token: EffectToken
    let activity: Activity?
  }

  /// The effects of one name, in the order in which they came.
  private struct Lane {
    var running: [Ticket] = []
    /// Waiting for the running one; only the policy `serial` leads here.
    var waiting: [Ticket] = []
    /// The effect of the policy `keeping` whose window is not over, without what it captured.
    var window: (token: EffectToken, activity: Activity?)?

    var isIdle: Bool { running.isEmpty && waiting.isEmpty && window == nil }

    /// Whether an effect of the policy `keeping` is to be dropped.
    var isKeeping: Bool { window != nil || running.contains { !$0.token.isCancelled } }
  }

  private let clock: any Clock<Duration>
  private let lock = Lock()
  private var lanes: [EffectKey: Lane] = [:]
  private var isClosed = false

  /// How many effects wait for another one of their lane.
  var waitingCount: Int { lock.withLock { lanes.values.reduce(0) { $0 + $1.waiting.count } } }

  init(clock: any Clock<Duration>) {
    self.clock = clock
  }

  /// Carries out what a step asked for, in order.
  func run(_ commands: [EffectCommand], cause: UInt64, activity: Activity?, engine: Engine) {
    for command in commands {
      switch command {
      case .cancel(let key): cancel(key)
      case .start(let request):
        let token = EffectToken(name: request.key.name, cause: cause)
        start(Ticket(request: request, token: token, activity: activity), engine)
      }
    }
  }

  /// Cancels all effects of a name, those that wait included.
  private func cancel(_ key: EffectKey) {
    cancel { laneKey, _ in laneKey == key }
  }

  /// Cancels all effects.
  func cancelAll() {
    cancel { _, _ in true }
  }

  /// Cancels all effects that belong to an activity, and lets no further ones of it start.
  func cancelAll(of activity: Activity) {
    activity.cancel()
    cancel { _, itsActivity in itsActivity === activity }
  }

  /// Cancels all effects, and starts none from here on.
  func close() {
    lock.withLock { isClosed = true }
    cancelAll()
  }

  /// Cancels the effects that a test picks.
  ///
  /// What waits is over here, because it never runs. What runs stays in its lane until it ends, so that
  /// a serial one still waits for it. Windows of the policy `keeping` open again.
  private func cancel(where isMeant: (EffectKey, Activity?) -> Bool) {
    var running: [Ticket] = []
    var waiting: [Ticket] = []
    lock.withLock {
      for (key, var lane) in lanes {
        running += lane.running.filter { isMeant(key, $0.activity) }
        waiting += lane.waiting.filter { isMeant(key, $0.activity) }
        lane.waiting.removeAll { isMeant(key, $0.activity) }
        if let window = lane.window, isMeant(key, window.activity) { lane.window = nil }
        lanes[key] = lane.isIdle ? nil : lane
      }
    }
    for ticket in running + waiting { ticket.token.cancel() }
    for ticket in waiting { ticket.activity?.leave() }
  }

  private func start(_ ticket: Ticket, _ engine: Engine) {
    let key = ticket.request.key
    if case .replacing = ticket.request.policy { cancel(key) }
    let launch = lock.withLock { () -> Bool in
      guard !isClosed, ticket.activity?.isCancelled != true else { return false }
      var lane = lanes[key] ?? Lane()
      defer { lanes[key] = lane.isIdle ? nil : lane }
      switch ticket.request.policy {
      case .keeping where lane.isKeeping: return false
      case .serial where !lane.running.isEmpty:
        ticket.activity?.enter()
        lane.waiting.append(ticket)
        return false
      case .keeping(let window) where window > .zero: lane.window = (ticket.token, ticket.activity)
      case .keeping, .serial, .concurrent, .replacing: break
      }
      ticket.activity?.enter()
      lane.running.append(ticket)
      return true
    }
    if launch { self.launch(ticket, engine) }
  }

  // Outside the lock: where the effect has been cancelled already, its task's handlers run in here.
  private func launch(_ ticket: Ticket, _ engine: Engine) {
    let request = ticket.request
    let send = Send(
      engine: engine, slot: request.key.slot, token: ticket.token, activity: ticket.activity,
      file: request.file, line: request.line)
    let task = Task { [clock] in
      if case .replacing(let delay) = request.policy, delay > .zero {
        do {
          try await clock.sleep(for: delay)
        } catch {
          // The only error of a sleep is cancellation.
          return finish(ticket, engine)
        }
      }
      if !ticket.token.isCancelled { await request.operation(send) }
      finish(ticket, engine)
    }
    if case .keeping(let window) = request.policy, window > .zero {
      closeWindow(of: ticket.token, request.key, after: window)
    }
    ticket.token.attach(task)
  }

  private func closeWindow(of token: EffectToken, _ key: EffectKey, after window: Duration) {
    Task { [clock] in
      do {
        try await clock.sleep(for: window)
      } catch {
        // Nobody cancels this task; a clock that throws closes its window at once.
      }
      lock.withLock {
        guard var lane = lanes[key], lane.window?.token === token else { return }
        lane.window = nil
        lanes[key] = lane.isIdle ? nil : lane
      }
    }
  }

  private func finish(_ ticket: Ticket, _ engine: Engine) {
    let key = ticket.request.key
    let next = lock.withLock { () -> Ticket? in
      guard var lane = lanes[key] else { return nil }
      defer { lanes[key] = lane.isIdle ? nil : lane }
      lane.running.removeAll { $0.token === ticket.token }
      guard lane.running.isEmpty, !lane.waiting.isEmpty else { return nil }
      let next = lane.waiting.removeFirst()
      lane.running.append(next)
      return next
    }
    if let next { launch(next, engine) }
    ticket.activity?.leave()
  }
}
