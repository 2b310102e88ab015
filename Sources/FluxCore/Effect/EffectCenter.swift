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
    /// The effect of the policy `keeping` whose window is not over.
    var window: EffectToken?

    var isIdle: Bool { running.isEmpty && waiting.isEmpty && window == nil }
  }

  private let clock: any Clock<Duration>
  private let lock = Lock()
  private var lanes: [EffectKey: Lane] = [:]
  private var isClosed = false

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
    end(lock.withLock { emptyLane(key) })
  }

  /// Cancels all effects.
  func cancelAll() {
    end(lock.withLock { Array(lanes.keys).flatMap { emptyLane($0) } })
  }

  /// Cancels all effects that belong to an activity, and lets no further ones of it start.
  func cancelAll(of activity: Activity) {
    activity.cancel()
    let tickets = lock.withLock {
      lanes.values.flatMap { $0.running + $0.waiting }.filter { $0.activity === activity }
    }
    for ticket in tickets { ticket.token.cancel() }
  }

  /// Cancels all effects, and starts none from here on.
  func close() {
    lock.withLock { isClosed = true }
    cancelAll()
  }

  /// Cancels what a lane held.
  ///
  /// What waited never runs, so it is over here; what runs ends by itself.
  private func end(_ emptied: [(ticket: Ticket, isRunning: Bool)]) {
    for (ticket, isRunning) in emptied {
      ticket.token.cancel()
      if !isRunning { ticket.activity?.leave() }
    }
  }

  private func emptyLane(_ key: EffectKey) -> [(ticket: Ticket, isRunning: Bool)] {
    guard let lane = lanes.removeValue(forKey: key) else { return [] }
    return lane.running.map { ($0, true) } + lane.waiting.map { ($0, false) }
  }

  private func start(_ ticket: Ticket, _ engine: Engine) {
    let key = ticket.request.key
    if case .replacing = ticket.request.policy { cancel(key) }
    lock.lock()
    defer { lock.unlock() }
    guard !isClosed, ticket.activity?.isCancelled != true else { return }
    var lane = lanes[key] ?? Lane()
    switch ticket.request.policy {
    case .keeping where !lane.running.isEmpty || lane.window != nil:
      return
    case .serial where !lane.running.isEmpty:
      ticket.activity?.enter()
      lane.waiting.append(ticket)
    case .keeping(let window) where window > .zero:
      lane.window = ticket.token
      closeWindow(of: ticket, after: window)
      fallthrough
    default:
      ticket.activity?.enter()
      lane.running.append(ticket)
      launch(ticket, engine)
    }
    lanes[key] = lane
  }

  private func launch(_ ticket: Ticket, _ engine: Engine) {
    let request = ticket.request
    let send = Send(
      engine: engine, slot: request.key.slot, token: ticket.token, activity: ticket.activity,
      file: request.file,
      line: request.line)
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
    ticket.token.attach(task)
  }

  private func closeWindow(of ticket: Ticket, after window: Duration) {
    let key = ticket.request.key
    Task { [clock] in
      do {
        try await clock.sleep(for: window)
      } catch {
        // Nobody cancels this task; a clock that throws closes its window at once.
      }
      lock.withLock {
        guard var lane = lanes[key], lane.window === ticket.token else { return }
        lane.window = nil
        lanes[key] = lane.isIdle ? nil : lane
      }
    }
  }

  private func finish(_ ticket: Ticket, _ engine: Engine) {
    let key = ticket.request.key
    lock.withLock {
      guard var lane = lanes[key],
        let index = lane.running.firstIndex(where: { $0.token === ticket.token })
      else { return }
      lane.running.remove(at: index)
      if lane.running.isEmpty, !lane.waiting.isEmpty {
        let next = lane.waiting.removeFirst()
        lane.running.append(next)
        launch(next, engine)
      }
      lanes[key] = lane.isIdle ? nil : lane
    }
    ticket.activity?.leave()
  }
}
