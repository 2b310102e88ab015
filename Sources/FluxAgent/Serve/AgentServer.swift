import FluxInspector
package import FluxSystem

/// Serves one client of the Model Context Protocol on two streams, until the client closes its one.
///
/// The caller's thread reads, and answers at once what takes no work. Each call has a thread, so a fast call overtakes a
/// slow one, and a call is cancelled while it runs.
package final class AgentServer: Sendable {
  private struct State {
    var machine: AgentMachine
    /// The calls that are under way, by their serial numbers.
    var calls: [Int: ToolCall] = [:]
    var waiting: [AgentRequest] = []
    var isOver = false
  }

  /// The number of calls that run at a time; others wait.
  private static let largestCount = 8
  /// The number of calls that wait; a client that sends more has lost its way.
  private static let largestQueue = 1000
  /// The milliseconds that calls may take to end after the client is gone.
  private static let longestEnd = 1000

  private let connection: AgentConnection
  private let answers: Answers
  private let world: AgentWorld
  private let state: Monitor<State>

  /// Makes a server for the logs and apps that the client may use.
  ///
  /// - Throws: ``SystemError`` if the system has no thread for the answers.
  package init(
    _ world: AgentWorld, reading input: Descriptor, writing output: Descriptor
  ) throws(SystemError) {
    self.world = world
    connection = try AgentConnection(reading: input, writing: output)
    answers = Answers(world)
    state = Monitor(State(machine: AgentMachine(answers.catalogue)))
  }

  /// Serves the client until it closes its stream; no log is opened before it asks for one.
  package func run() {
    while let line = connection.receive() {
      switch line {
      case .line(let bytes): receive(bytes)
      case .tooLong(let limit):
        connection.send(
          AgentMachine.failure(
            nil, ProtocolError(.invalidRequest, "a message has at most \(limit) bytes")))
      }
    }
    // A client that sends its requests and closes the stream still gets the answers that are quick.
    state.waitUntil(milliseconds: Self.longestEnd, { $0.calls.isEmpty && $0.waiting.isEmpty }) {
      state in
      (state.isOver, state.waiting) = (true, [])
      for call in state.calls.values { call.cancel() }
    }
    state.waitUntil(milliseconds: Self.longestEnd / 4, { $0.calls.isEmpty }) { _ in }
    connection.close(milliseconds: Self.longestEnd / 4)
  }

  private func receive(_ line: [UInt8]) {
    for outcome in state.withLock({ $0.machine.receive(line) }) {
      switch outcome {
      case .send(let bytes): connection.send(bytes)
      case .cancel(let serial):
        state.withLock { state in
          state.calls[serial]?.cancel()
          state.waiting.removeAll { $0.serial == serial }
        }
      case .call(let request): begin(request)
      }
    }
  }

  // MARK: Calls

  private func begin(_ request: AgentRequest) {
    let isFull = state.withLock { state in
      guard state.waiting.count < Self.largestQueue else { return true }
      state.waiting.append(request)
      return false
    }
    guard !isFull else {
      return finish(
        request,
        .failure(
          ProtocolError(
            .invalidRequest, "\(Self.largestQueue) calls are waiting; wait for answers first")))
    }
    startWaiting()
  }

  private func startWaiting() {
    while let (request, call) = state.withLock({ state -> (AgentRequest, ToolCall)? in
      guard !state.isOver, state.calls.count < Self.largestCount, !state.waiting.isEmpty else {
        return nil
      }
      let request = state.waiting.removeFirst()
      let progress = ProgressPace { [weak self] in self?.report($0, $1, of: request, $2) }
      let call = ToolCall(budget: world.budget, seconds: world.timeLimit) { progress.report($0) }
      state.calls[request.serial] = call
      return (request, call)
    }) {
      do throws(SystemError) {
        // A value may nest 512 levels deep, and a filter as well.
        try startThread(stackSize: 8 << 20) { [self] in
          end(request, answers.answer(request, call))
          startWaiting()
          state.signal()
        }
      } catch {
        end(request, .failure(ProtocolError(.internalError, error.text(about: "the call"))))
      }
    }
  }

  private func end(_ request: AgentRequest, _ result: Result<JSONMembers, ProtocolError>) {
    finish(request, result)
    state.withLock { $0.calls[request.serial] = nil }
  }

  private func finish(_ request: AgentRequest, _ result: Result<JSONMembers, ProtocolError>) {
    // A line leaves under the lock, so nothing follows a cancellation.
    state.withLock { state in
      guard let line = state.machine.answer(request, result) else { return }
      connection.send(line)
    }
  }

  private func report(_ done: Int, _ total: Int, of request: AgentRequest, _ message: String) {
    state.withLock { state in
      guard !state.isOver,
        let line = state.machine.progress(of: request, done, total: total, message)
      else { return }
      connection.send(line)
    }
  }
}

/// Passes progress on a few times a second, as numbers that only grow.
private final class ProgressPace: Sendable {
  private struct State {
    var activity = ""
    /// The work of the activities before.
    var base = 0
    var last = FluxInspector.Progress(activity: "", done: 0, total: 0)
    var told = -1
    var time: ContinuousClock.Instant?
  }

  private static let pace = Duration.milliseconds(200)

  private let state = Monitor(State())
  private let tell: @Sendable (_ done: Int, _ total: Int, _ message: String) -> Void

  init(_ tell: @escaping @Sendable (_ done: Int, _ total: Int, _ message: String) -> Void) {
    self.tell = tell
  }

  func report(_ progress: FluxInspector.Progress) {
    let due = state.withLock { state -> (Int, Int, String)? in
      if progress.activity != state.activity || progress.total < state.last.total {
        state.base += state.last.total
        state.activity = progress.activity
      }
      state.last = progress
      let done = state.base + min(progress.done, progress.total)
      let now = ContinuousClock.now
      guard done > state.told, state.time.map({ now - $0 >= Self.pace }) ?? true else { return nil }
      (state.told, state.time) = (done, now)
      return (
        done, state.base + progress.total,
        "\(progress.activity): \(progress.done) of \(progress.total)"
      )
    }
    if let due { tell(due.0, due.1, due.2) }
  }
}
