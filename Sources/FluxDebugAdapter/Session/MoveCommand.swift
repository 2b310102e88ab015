import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// A request that moves a thread.
enum MoveCommand: String, CaseIterable {
  case next, stepIn, stepOut, stepBack
  case `continue`, reverseContinue
  case goto

  /// The direction in which log points are passed; nil for a jump.
  var direction: SearchDirection? {
    switch self {
    case .next, .stepIn, .continue: .forwards
    case .stepBack, .reverseContinue: .backwards
    case .stepOut, .goto: nil
    }
  }
}

extension DebugSession {
  /// Answers the request, then moves, and tells the client where the thread stands.
  func move(_ command: MoveCommand, _ request: Request, isResumed: Bool) throws -> Outcome {
    let arguments = try request.decoded(ThreadArguments.self)
    let (_, world) = try reader()
    let thread = try world.place(ofThread: arguments.threadId).thread
    let target = command == .goto ? try target(of: request, on: thread) : nil
    if !isResumed {
      if command == .continue {
        connection.respond(to: request, ContinueBody())
      } else {
        connection.respond(to: request)
      }
    }
    return search(command, thread, to: target)
  }

  private func target(of request: Request, on thread: ThreadID) throws -> UInt64? {
    let arguments = try request.decoded(GotoArguments.self)
    guard let position = handles.target(arguments.targetId),
      let number = console?.session.timeline.log.number(at: position)
    else { throw RequestError("there is no target \(arguments.targetId)") }
    guard thread == .recording else {
      throw RequestError("the targets are steps of the recording: use thread 1")
    }
    return number
  }

  /// Moves a thread; its request is answered.
  func search(
    _ command: MoveCommand, _ thread: ThreadID, to target: UInt64? = nil
  ) -> Outcome {
    do {
      switch thread {
      case .recording: try moveRecording(command, to: target)
      case .fork(let number): try moveFork(number, command)
      }
    } catch {
      guard let world else { return .done }
      let error = world.requestError(error)
      if error.isCancelled { return .interrupted(thread) }
      synchronize()
      connection.print(error.message, .stderr)
      stop(
        thread,
        StoppedBody(
          reason: "pause", description: "the move failed", threadId: thread.number,
          text: error.message))
    }
    return .done
  }

  // MARK: The recording

  private func moveRecording(_ command: MoveCommand, to target: UInt64?) throws {
    if command == .continue || command == .reverseContinue { try prepareBreakpoints() }
    guard var session = console?.session else { return }
    if session.currentFork != nil { _ = try session.switchToRecording() }
    let before = session.position
    var notes: [String] = []
    let move: Move
    switch command {
    case .next: move = try session.stepOverRoots()
    case .stepIn: move = try session.step()
    case .stepBack: move = try session.step(1, .backwards)
    case .continue: move = try session.run(.forwards)
    case .reverseContinue: move = try session.run(.backwards)
    case .goto: move = try session.move(to: target.map(Position.step) ?? .here)
    case .stepOut:
      let cause = try cause(of: session.position)
      notes = cause.notes
      move = try cause.step.map { try session.move(to: .step($0)) } ?? session.here(stopped: .step)
    }
    if let direction = command.direction {
      try printLogPoints(from: before, to: session.position, direction)
    }
    console?.session = session
    synchronize()
    for note in move.notes + notes { connection.print(note) }
    report(move, isStep: command == .stepOut)
  }

  /// The step that caused the one at a position, or the reason why there is none.
  private func cause(of position: Int) throws -> (step: UInt64?, notes: [String]) {
    let (_, world) = try reader()
    let moment = Moment(.recording(position), in: world)
    switch try moment.cause() {
    case .at(.recording(let position)): return (world.log.number(at: position), [])
    case .missing(let cause):
      return (nil, ["step \(cause), which caused this one, is not in the log"])
    case .none, .at:
      guard let step = try moment.step() else { return (nil, ["no step caused the start"]) }
      return (nil, ["step \(step.number) is a root action: no step of the log caused it"])
    }
  }

  /// Tells the client why a move of the recording ended.
  ///
  /// - Parameters:
  ///   - move: The move.
  ///   - isStep: `true` if the client asked for a step, and the session jumped.
  func report(_ move: Move, isStep: Bool = false) {
    guard var world else { return }
    var body = StoppedBody(reason: "step", threadId: ThreadID.recording.number)
    let position = console?.session.position ?? Timeline.start
    switch move.stopped {
    case .step: break
    case .goto where isStep: break
    case .goto, .until: body = StoppedBody(reason: "goto", threadId: body.threadId)
    case .start:
      body = StoppedBody(
        reason: "start", description: "the start of the log", threadId: body.threadId)
    case .end:
      body = StoppedBody(
        reason: "end", description: "the end of the log", threadId: body.threadId)
    case .none:
      body = StoppedBody(reason: "step", description: "nothing found", threadId: body.threadId)
    case .breakpoint, .watchpoint:
      let hits = move.hits.map { hit in
        Hit(
          hit.point, breakpoints.breakpoint(of: hit.point.number), finding: hit.finding)
      }
      if let first = hits.first {
        body = StoppedBody(
          reason: first.reason, description: first.description, threadId: body.threadId)
      }
      let ids = hits.compactMap(\.id)
      body.hitBreakpointIds = ids.isEmpty ? nil : ids
      let exceptions = hits.compactMap { hit in
        hit.exception(at: "step \(move.step)", rejected: move.rejected, notes: move.notes)
      }
      if let exception = exceptions.first {
        world.exceptions[.recording] = exception
        body.text = exception.message
      }
      if let finding = move.hits.lazy.compactMap(\.finding).first {
        world.findings[position] = finding
      }
    }
    self.world = world
    stop(.recording, body)
  }
}

/// A stop point that a move has reached, in the words of the protocol.
struct Hit {
  let id: Int?
  let reason: String
  let description: String
  private let finding: StopHit.Finding?
  private let kind: ExceptionKind?

  init(
    _ point: StopPoint, _ breakpoint: ClientBreakpoint?, finding: StopHit.Finding? = nil
  ) {
    self.finding = finding
    id = breakpoint?.answer.id
    description = "\(point.kindName) \(point.subject)"
    switch (breakpoint?.kind, point.kind) {
    case (.source, _): (reason, kind) = ("breakpoint", nil)
    case (.function, _): (reason, kind) = ("function breakpoint", nil)
    case (.data, _): (reason, kind) = ("data breakpoint", nil)
    case (.exception(let exception), _): (reason, kind) = ("exception", exception)
    case (nil, .breakpoint): (reason, kind) = ("function breakpoint", nil)
    case (nil, .watchpoint): (reason, kind) = ("data breakpoint", nil)
    case (nil, .rejection): (reason, kind) = ("exception", .rejected)
    case (nil, .gap): (reason, kind) = ("exception", .gap)
    case (nil, .divergence): (reason, kind) = ("exception", .divergence)
    case (nil, .steps), (nil, .rule): (reason, kind) = ("breakpoint", nil)
    }
  }

  /// Describes the exception that a move stopped at.
  ///
  /// - Parameters:
  ///   - step: The step in words.
  ///   - rejected: The reason why it did not commit.
  ///   - notes: The remarks of the move.
  /// - Returns: The exception; nil at another stop point.
  func exception(at step: String, rejected: Rejection?, notes: [String]) -> StopReport? {
    guard let kind else { return nil }
    let message: String
    switch (kind, finding) {
    case (.divergence, .divergence(let divergence)):
      message = divergence.details.joined(separator: "\n")
    case (.divergence, .failure(let failure)): message = failure.description
    case (.rejected, _):
      message = rejected.map { "\($0.reason): \($0.message)" } ?? "the step did not commit"
    case (.damaged, _): message = "lines before \(step) are damaged"
    case (.gap, _), (.divergence, nil):
      message = notes.first ?? "steps before \(step) are missing or damaged"
    }
    return StopReport(
      kind: kind, description: "\(kind.filter.label): \(step)", message: message)
  }
}
