import FluxSystem

/// The requests that wait, and the ones that run.
///
/// One thread puts requests in as they arrive. A worker takes them in order. While it searches the log, a second
/// thread takes the requests that only read. Requests that must act at once, such as `pause`, interrupt what runs.
final class Inbox: Sendable {
  /// The reason why a running request has to end, the weakest first.
  enum Interruption: Comparable {
    case breakpointsChanged, pause, cancel, end
  }

  /// A piece of work.
  struct Job: Sendable {
    let request: Request
    /// `true` for a search that goes on after the breakpoints were changed; its request is answered.
    var isResumed = false
    /// `true` for such a search that ends at once, because the client has cancelled it meanwhile.
    var isCancelled = false
  }

  /// The two threads that work.
  enum Lane: Sendable { case worker, reader }

  private struct Running {
    let request: Request
    let began: ContinuousClock.Instant
    var interruption: Interruption?
    /// The identifier of its progress, once it is shown.
    var progressId: String?
  }

  private struct State {
    var waiting: [Job] = []
    var running: [Lane: Running] = [:]
    var isOver = false

    /// The worker's request, if it searches the log.
    var search: Running? { running[.worker].flatMap { $0.request.kind == .search ? $0 : nil } }

    mutating func interrupt(_ lane: Lane, _ reason: Interruption) {
      if let known = running[lane]?.interruption, known >= reason { return }
      running[lane]?.interruption = reason
    }

    mutating func interruptAll() {
      for lane in running.keys { interrupt(lane, .end) }
    }
  }

  /// The time after which a search counts as long; shorter ones answer in order.
  private static let patience = Duration.milliseconds(50)

  private let state = Monitor(State())

  // MARK: Putting in

  /// Adds a request behind all others.
  func add(_ request: Request) {
    state.withLock { state in
      state.waiting.append(Job(request: request))
      if let reason = Self.interruption(by: request), state.search != nil {
        state.interrupt(.worker, reason)
      }
    }
    state.signal()
  }

  /// The reason for which a search ends when a request arrives; nil if it goes on.
  private static func interruption(by request: Request) -> Interruption? {
    switch request.kind {
    case .breakpoints: .breakpointsChanged
    case .pause: .pause
    case .search, .read, .other: nil
    }
  }

  /// Interrupts what runs, because the debuggee ends.
  func interruptForEnd() { state.withLock { $0.interruptAll() } }

  /// Cancels a request, or what a progress stands for; returns a request that had not begun, and was removed.
  ///
  /// A request that is answered stays: a pause has to act, and a search that goes on has to end with `stopped`.
  func cancel(request: Int?, progress: String?) -> Request? {
    state.withLock { state in
      for (lane, running) in state.running {
        let isMeant =
          running.request.seq == request && request != nil
          || progress != nil && running.progressId == progress
        if isMeant { state.interrupt(lane, .cancel) }
      }
      guard let request, let place = state.waiting.firstIndex(where: { $0.request.seq == request })
      else { return nil }
      let job = state.waiting[place]
      guard !job.isResumed, job.request.kind != .pause else {
        state.waiting[place].isCancelled = true
        return nil
      }
      return state.waiting.remove(at: place).request
    }
  }

  /// Ends everything: what runs is interrupted, and nothing waits any more.
  func end() {
    state.withLock { state in
      state.isOver = true
      state.waiting = []
      state.interruptAll()
    }
    state.signal()
  }

  // MARK: Taking out

  /// The next thing that a thread does.
  enum Next {
    case job(Job)
    /// Nothing came within the time.
    case nothing
    case end
  }

  /// Waits for the worker's next request.
  func next(milliseconds: Int?) -> Next {
    let next: Next = state.waitUntil(
      milliseconds: milliseconds, { $0.isOver || !$0.waiting.isEmpty }
    ) { state in
      guard !state.isOver else { return .end }
      guard !state.waiting.isEmpty else { return .nothing }
      let job = state.waiting.removeFirst()
      state.running[.worker] = Running(request: job.request, began: .now)
      if job.request.kind == .search {
        // They came before the search began, so nothing else interrupts it.
        let reasons = state.waiting.compactMap { Self.interruption(by: $0.request) }
        if let strongest = reasons.max() { state.interrupt(.worker, strongest) }
        if job.isCancelled { state.interrupt(.worker, .cancel) }
      }
      return .job(job)
    }
    // The other thread may take what waits behind this request.
    state.signal()
    return next
  }

  /// Waits for a request that only reads while the worker searches; nil at the end.
  func nextRead() -> Request? {
    while true {
      let (request, isOver): (Request?, Bool) = state.waitUntil(
        { $0.isOver || $0.search != nil && !$0.waiting.isEmpty }
      ) { state in
        guard !state.isOver else { return (nil, true) }
        guard let search = state.search, ContinuousClock.now - search.began > Self.patience,
          let place = state.waiting.firstIndex(where: { $0.request.kind == .read })
        else { return (nil, false) }
        let request = state.waiting.remove(at: place).request
        state.running[.reader] = Running(request: request, began: .now)
        return (request, false)
      }
      if isOver { return nil }
      if let request { return request }
      // The predicate may hold while nothing can be taken: a search that is still young.
      state.waitUntil(milliseconds: 20, { $0.isOver }) { _ in }
    }
  }

  /// Ends a request; returns the reason why it was interrupted, if it was.
  @discardableResult
  func finish(_ lane: Lane) -> Interruption? {
    let reason = state.withLock { $0.running.removeValue(forKey: lane)?.interruption }
    state.signal()
    return reason
  }

  /// Puts back a search that goes on: one that changed breakpoints have interrupted, behind their requests, or one that
  /// has waited for new steps.
  func resume(_ request: Request) {
    state.withLock { state in
      let place = state.waiting.lastIndex { $0.request.kind == .breakpoints }
      state.waiting.insert(
        Job(request: request, isResumed: true), at: place.map { $0 + 1 } ?? 0)
    }
    state.signal()
  }

  // MARK: While a request runs

  /// `true` if the request of a lane has to end.
  func isInterrupted(_ lane: Lane) -> Bool {
    state.withLock { state in state.isOver || state.running[lane]?.interruption != nil }
  }

  /// Takes note of the progress that is shown for the worker's request.
  func showsProgress(_ id: String) { state.withLock { $0.running[.worker]?.progressId = id } }

  /// Waits for ten milliseconds, or until everything ends.
  func waitALittle() {
    state.waitUntil(milliseconds: 10, { $0.isOver }) { _ in }
  }

  /// The worker's request, and the time since it began.
  var running: (request: Request, time: Duration)? {
    state.withLock { state in
      state.running[.worker].map { ($0.request, ContinuousClock.now - $0.began) }
    }
  }
}
