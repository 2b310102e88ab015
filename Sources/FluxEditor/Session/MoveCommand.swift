import FluxCommands
import FluxInspector
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
    let thread = try reader().place(ofThread: arguments.threadId).thread
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

  private func target(of request: Request, on thread: Int) throws -> UInt64? {
    let arguments = try request.decoded(GotoArguments.self)
    guard let position = handles.target(arguments.targetId),
      let number = console?.session.timeline.log.number(at: position)
    else { throw RequestError("there is no target \(arguments.targetId)") }
    guard thread == Place.recordingThread else {
      throw RequestError("the targets are steps of the recording: use thread 1")
    }
    return number
  }

  /// Moves a thread; its request is answered.
  func search(_ command: MoveCommand, _ thread: Int, to target: UInt64? = nil) -> Outcome {
    do {
      return try move(command, thread, to: target)
    } catch {
      guard let published else { return .done }
      let error = RequestError(error, in: published.session)
      if error.isCancelled { return .interrupted(thread) }
      synchronize()
      connection.print(error.message, .stderr)
      stop(
        StoppedBody(
          reason: "pause", description: "the move failed", threadId: thread, text: error.message))
    }
    return .done
  }

  private func move(
    _ command: MoveCommand, _ thread: Int, to target: UInt64?
  ) throws -> Outcome {
    if command == .continue || command == .reverseContinue { try prepareBreakpoints() }
    let start = try reader().place(ofThread: thread)
    guard var session = console?.session else { return .done }
    if start.fork != nil {
      session = try session.standing(at: start)
    } else if session.currentFork != nil {
      _ = try session.switchToRecording()
    }
    var notes: [String] = []
    var move: Move
    switch command {
    case .next: move = try session.stepOverRoots()
    case .stepIn: move = try session.step()
    case .stepBack: move = try session.step(1, .backwards)
    case .continue:
      move = try session.run(.forwards)
      if move.stopped == .end, try dispatchRest(of: &session) { move = try session.run(.forwards) }
    case .reverseContinue: move = try session.run(.backwards)
    case .goto: move = try session.move(to: target.map(Position.step) ?? .here)
    case .stepOut:
      let obstacle = try obstacleToCause(of: session)
      notes = obstacle.map { [$0] } ?? []
      move = try obstacle == nil ? session.moveToCause() : session.here(stopped: .step)
    }
    if let direction = command.direction {
      try printLogPoints(from: start, to: session.place, direction)
    }
    if start.fork == nil { console?.session = session }
    synchronize()
    published?.places[thread] = session.place
    if command == .continue, start.fork == nil, move.stopped == .end, isGrowing {
      // An app that shows an earlier step makes none to wait for.
      if let state = session.liveState, state != .live { showInApp(thread) }
      return .waiting
    }
    for note in move.notes.map(\.line) + notes { connection.print(note) }
    report(move, thread, isStep: command == .stepOut)
    return .done
  }

  /// The reason why a thread cannot move to the step that caused this one; nil if it can.
  private func obstacleToCause(of session: Session) throws -> String? {
    switch try session.cause() {
    case .at(let place):
      return place.thread == session.place.thread
        ? nil : "the step was caused by one before the fork"
    case .missing(let cause): return "step \(cause), which caused this one, is not in the log"
    case .none:
      guard let step = try session.currentStep() else { return "no step caused the start" }
      return "no step of the log caused step \(step.number)"
    }
  }

  /// Tells the client why a move of a thread ended; with `isStep`, it asked for a step, and the session jumped.
  func report(_ move: Move, _ thread: Int, isStep: Bool = false) {
    let name = move.fork.map { "fork \($0)" } ?? "the log"
    func body(_ reason: String, _ description: String? = nil) -> StoppedBody {
      StoppedBody(reason: reason, description: description, threadId: thread)
    }
    switch move.stopped {
    case .step: stop(body("step"))
    case .goto where isStep: stop(body("step"))
    case .goto, .until: stop(body("goto"))
    case .start: stop(body("start", "the start of \(name)"))
    case .end: stop(body("end", "the end of \(name)"))
    case .none: stop(body("step", "nothing found"))
    case .breakpoint, .watchpoint:
      let hits = move.hits.map { hit in
        Hit(hit, breakpoints.breakpoint(of: hit.point.number))
      }
      var body = hits.first.map { body($0.reason, $0.description) } ?? body("step")
      let ids = hits.compactMap(\.id)
      body.hitBreakpointIds = ids.isEmpty ? nil : ids
      let exceptions = hits.compactMap { hit in
        hit.exception(at: "step \(move.step)", rejected: move.rejected, notes: move.notes)
      }
      if let exception = exceptions.first {
        published?.exceptions[thread] = exception
        body.text = exception.message
      }
      if let finding = move.hits.lazy.compactMap(\.finding).first,
        case .recording(let position)? = published?.places[thread]
      {
        published?.findings[position] = finding
      }
      stop(body)
    }
  }
}

/// A stop point that a move has reached, in the words of the protocol.
struct Hit {
  let id: Int?
  let reason: String
  let description: String
  private let finding: StopHit.Finding?
  private let kind: ExceptionKind?

  init(_ hit: StopHit, _ breakpoint: ClientBreakpoint?) {
    let point = hit.point
    finding = hit.finding
    id = breakpoint?.answer.id
    description = "\(point.kindName) \(point.subject)" + (hit.change.map { ": \($0)" } ?? "")
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

  /// Describes the exception that a move stopped at; nil at another stop point.
  ///
  /// The step is in words, and `rejected` is the reason why it did not commit.
  func exception(at step: String, rejected: LogRejection?, notes: [Note]) -> StopReport? {
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
      message = notes.first?.line ?? "steps before \(step) are missing or damaged"
    }
    return StopReport(
      kind: kind, description: "\(kind.filter.label): \(step)", message: message)
  }
}

extension StopHit {
  /// The values of a watchpoint before and after the step, in short; nil at another stop point.
  fileprivate var change: String? {
    guard case .watchpoint = point.kind else { return nil }
    return [old, new].map { values in
      guard let values else { return "unknown" }
      return values.isEmpty
        ? "nothing" : values.map { ValueText.short($0.value) }.joined(separator: ", ")
    }.joined(separator: " -> ")
  }
}
