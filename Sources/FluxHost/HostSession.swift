import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

final class HostSession: ReplaySession {
  private let connection: HostConnection
  private let limits: HostApp.Limits
  private let checker: StepChecker
  private let session: UInt64
  /// The app, if it can start another process to find the step that fails.
  private let spawning: HostApp?
  /// The start of a session that would continue from here.
  private var here: SessionStart
  /// The size of the answer to a step, on average in the last message; nil before the first.
  private var answerByteCount: Int?
  private var isOver = false

  /// Starts a session on a connection that is the session's alone.
  ///
  /// `spawning` is the app if it can start another process to find the step that fails.
  init(
    _ connection: HostConnection, of app: AppDescription, _ limits: HostApp.Limits,
    _ start: SessionStart, restarting spawning: HostApp?
  ) throws(ReplayFailure) {
    (self.connection, self.limits, self.spawning) = (connection, limits, spawning)
    checker = StepChecker(app: app, mode: start.mode)
    here = start
    session = try Self.begin(start, in: connection, limit: limits.start)
    // A later search for a failing step begins in these states.
    if start.states == nil { here.states = try states() }
  }

  /// Starts the session in the host; returns its number.
  private static func begin(
    _ start: SessionStart, in connection: HostConnection, limit: Double
  ) throws(ReplayFailure) -> UInt64 {
    do throws(ReplayFailure) {
      let result = try connection.ask(.start, limit: limit, params: start)
      return try MalformedMessage.turned(
        into: { connection.failure(.malformed($0)) },
        try Message(result, called: "the reference to a session").required("session", .integer))
    } catch {
      throw error.noting(
        "it happened while a session started in the states before step \(start.next)")
    }
  }

  deinit { end() }

  func end() {
    guard !isOver else { return }
    isOver = true
    connection.end(session, within: .seconds(limits.end))
  }

  func states() throws(ReplayFailure) -> StoreDictionary<JSON> {
    try ask(.states, ["session": session]) { json throws(MalformedMessage) in
      try Message(json, called: "the states").required("states", .states)
    }
  }

  func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON] {
    let request = UpcastRequest(session: session, states: states)
    let answer: [JSON]
    do throws(ReplayFailure) {
      answer = try ask(.upcast, request) { json throws(MalformedMessage) in
        Array(
          try Message(json, called: "the answer to upcast").required("states", .array).elements)
      }
    } catch {
      let stores = Set(states.map(\.store)).sorted().joined(separator: ", ")
      throw error.noting("it happened while recorded states of \(stores) were upcast")
    }
    guard answer.count == states.count else {
      throw failure(
        .protocolViolation(
          found: answer.count.counted("state"), expected: states.count.counted("state")))
    }
    return answer
  }

  func dispatch(_ actions: [ReplayAction]) throws(ReplayFailure) -> [ReplayedStep] {
    var steps: [ReplayedStep] = []
    steps.reserveCapacity(actions.count)
    var rest = actions[...]
    var byteCount = 0
    while !rest.isEmpty {
      let batch = nextBatch(of: rest)
      rest = rest.dropFirst(batch.count)
      do throws(ReplayFailure) {
        steps += try dispatch(batch)
        byteCount += connection.lastByteCount
        try check(byteCount, of: actions.count)
      } catch {
        var failure = error
        failure.completed = steps + failure.completed
        throw failure
      }
    }
    return steps
  }

  /// Ends the session if the answers that the caller keeps take too much memory.
  private func check(_ byteCount: Int, of actionCount: Int) throws(ReplayFailure) {
    let limit = limits.messageByteCount
    guard byteCount > limit else { return }
    throw failure(
      .protocolViolation(
        found: "answers of \(byteCount) bytes to \(actionCount.counted("action"))",
        expected: "at most \(limit); \(MemoryLimit.advice)"))
  }

  private func dispatch(_ batch: ArraySlice<ReplayAction>) throws(ReplayFailure) -> [ReplayedStep] {
    let steps: [ReplayedStep]
    var begun: [UInt64] = []
    do throws(ReplayFailure) {
      let request = DispatchRequest(session: session, actions: Array(batch))
      steps = try ask(.dispatch, steps: batch.count, request, onProgress: { begun.append($0.step) })
      { json throws(MalformedMessage) in
        try Message(json, called: "the answer to dispatch").list("steps", ReplayedStep.init)
      }
      if let problem = checker.problem(with: steps, for: batch, next: here.next) {
        throw failure(problem)
      }
    } catch {
      // If the host still runs, its state is unknown.
      end()
      throw located(error, in: batch, begun)
    }
    checker.advance(&here, by: steps)
    answerByteCount = connection.lastByteCount / batch.count
    return steps
  }

  /// Returns a failure with its step: the last one that the app has begun, or else the one that a search finds.
  private func located(
    _ failure: ReplayFailure, in batch: ArraySlice<ReplayAction>, _ begun: [UInt64]
  ) -> ReplayFailure {
    if let spawning { return FailureSearch(app: spawning, start: here).locate(failure, in: batch) }
    guard connection.process == nil, failure.step == nil, failure.reason != .cancelled,
      let step = begun.last
    else { return failure }
    // Without numbers, the steps do not tell the place: an action may have follow-ups, or take no number.
    let action = batch.count == 1 ? batch.first : batch.first { $0.number == step }
    return failure.located(at: step, action?.action["type"]?.string)
  }

  /// Returns the actions of the next message: as many as its size limit allows, and at least one.
  private func nextBatch(of rest: ArraySlice<ReplayAction>) -> ArraySlice<ReplayAction> {
    var byteCount = 0
    let batch = rest.prefix(batchSize).prefix { action in
      byteCount += action.action.byteCount
      return byteCount <= limits.messageByteCount / 4
    }
    return batch.isEmpty ? rest.prefix(1) : batch
  }

  /// The number of actions for an answer of about a megabyte.
  ///
  /// A message costs about 50 microseconds, which is little for that size, and the memory is small. To find
  /// the step of a crash, a whole batch has to run again. Even if each step changes every store, the answer is far
  /// smaller than the largest message.
  private var batchSize: Int {
    let all = max(here.states?.ordered.reduce(0) { $0 + $1.value.byteCount } ?? 1, 1)
    let usual = BatchSize.bytes / max(answerByteCount ?? all, 1)
    // The first answers may be far larger than the states before them.
    let largest = min(answerByteCount == nil ? 16 : usual, limits.messageByteCount / 4 / all)
    return max(1, min(usual, largest))
  }

  private func ask<Answer>(
    _ method: AppProtocol.Method, steps: Int = 0, _ params: some Encodable,
    onProgress: (RequestProgress) -> Void = { _ in },
    _ read: (JSON) throws(MalformedMessage) -> Answer
  ) throws(ReplayFailure) -> Answer {
    guard !isOver else { throw ReplayFailure(.ended, app: connection.name) }
    let result = try connection.ask(
      method, limit: limits.call, steps: steps,
      onProgress: { progress in
        onProgress(progress)
        return true
      }, params: params)
    return try MalformedMessage.turned(into: { failure(.malformed($0)) }, try read(result))
  }

  private func failure(_ reason: ReplayFailure.Reason) -> ReplayFailure {
    // A running app goes on, and would keep the session.
    if connection.process == nil { end() }
    isOver = true
    return connection.failure(reason)
  }
}

extension ReplayFailure.Reason {
  fileprivate static func malformed(_ problem: String) -> Self {
    .protocolViolation(found: problem, expected: "the form in docs/app-protocol.md")
  }
}

extension ReplayFailure {
  /// Returns the failure with the task that it interrupted, if the app's process was lost.
  fileprivate func noting(_ task: String) -> ReplayFailure {
    var failure = self
    switch reason {
    case .exited, .timedOut, .unresponsive, .protocolViolation: failure.note = task
    default: break
    }
    return failure
  }
}

/// Finds the step at which a host fails.
///
/// A message has many actions, and a crash does not tell which one caused it. The search dispatches them one
/// by one in a fresh host, from the states before them.
struct FailureSearch {
  let app: HostApp
  let start: SessionStart

  /// Returns the failure with its step and the steps before it, or with a note if the step was not found.
  func locate(_ failure: ReplayFailure, in actions: ArraySlice<ReplayAction>) -> ReplayFailure {
    guard failure.step == nil, let first = actions.first else { return failure }
    guard actions.count > 1 else {
      return failure.located(at: first.number ?? start.next, first.action["type"]?.string)
    }
    var failure = failure
    switch failure.reason {
    case .exited, .timedOut, .protocolViolation, .refused, .cannotEncode: break
    default: return failure
    }
    var completed: [ReplayedStep] = []
    do {
      let session = try app.startSession(start)
      defer { session.end() }
      for action in actions { completed += try session.dispatch([action]) }
    } catch {
      guard error.step != nil || error.reason == .cancelled else { return failure }
      failure = error
      failure.completed = completed
      return failure
    }
    failure.note =
      "\(range(actions)); dispatched one by one in a fresh process, none of them failed"
    return failure
  }

  private func range(_ actions: ArraySlice<ReplayAction>) -> String {
    guard let first = actions.first?.number, let last = actions.last?.number else {
      return "it happened at one of \(actions.count.counted("action")) from step \(start.next) on"
    }
    return "it happened at one of the steps \(first) to \(last)"
  }
}
