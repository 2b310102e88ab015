import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

// A fork's thread steps over the fork's own steps.
extension DebugSession {
  /// Moves the thread of a fork, and tells the client where it stands.
  func moveFork(_ number: Int, _ command: MoveCommand) throws {
    let (_, world) = try reader()
    guard let history = world.forks[number],
      case .fork(_, let count)? = world.places[.fork(number)]
    else { throw RequestError("fork \(number) is gone") }
    let last = history.steps.count
    var body = StoppedBody(reason: "step", threadId: ThreadID.fork(number).number)
    var target: Int?
    switch command {
    case .stepIn: target = count < last ? count + 1 : nil
    case .stepBack: target = count > 0 ? count - 1 : nil
    case .next: target = (count..<last).first { history.isRoot($0) }.map { $0 + 1 }
    case .stepOut:
      target = count
      switch try Moment(.fork(number, count), in: world).cause() {
      case .at(.fork(_, let cause)): target = cause
      case .at(.recording): connection.print("the step was caused by one before the fork")
      case .missing(let cause): connection.print("step \(cause), which caused this one, is missing")
      case .none: connection.print("no step caused this one")
      }
    case .continue, .reverseContinue:
      try prepareBreakpoints()
      let places =
        command == .continue
        ? Array(count..<last).map { $0 + 1 } : Array(1..<max(1, count)).reversed()
      for place in places {
        try world.check()
        guard let (hit, notes) = try stopPoint(at: .fork(number, place)) else { continue }
        target = place
        body = StoppedBody(
          reason: hit.reason, description: hit.description, threadId: body.threadId)
        if let id = hit.id { body.hitBreakpointIds = [id] }
        if let exception = hit.exception(
          at: "step \(history.steps[place - 1].number)",
          rejected: history.steps[place - 1].rejection.map(Rejection.init), notes: notes)
        {
          self.world?.exceptions[.fork(number)] = exception
          body.text = exception.message
        }
        break
      }
    case .goto: break
    }
    let isForwards = command.direction != .backwards
    if target == nil {
      body = StoppedBody(
        reason: isForwards ? "end" : "start",
        description: "the \(isForwards ? "end" : "start") of fork \(number)",
        threadId: body.threadId)
    }
    let end = target ?? (isForwards ? last : 0)
    if command.direction != nil {
      let passed =
        isForwards
        ? Array(count..<max(count, end)).map { $0 + 1 }
        : Array(max(1, end)..<max(1, end, count)).reversed()
      try printLogPoints(passing: passed.map { .fork(number, $0) })
    }
    self.world?.places[.fork(number)] = .fork(number, end)
    stop(.fork(number), body)
  }

  // MARK: Forks from frames

  /// Forks before the step of a frame, and dispatches its action again.
  func restartFrame(_ request: Request) throws {
    let arguments = try request.decoded(FrameArguments.self)
    let (reader, world) = try reader()
    guard world.hasApp else { throw RequestError.noApp }
    guard let place = try reader.place(ofFrame: arguments.frameId),
      let step = try Moment(place, in: world).step(), var session = console?.session
    else { throw RequestError("the frame has no step to dispatch again") }
    switch place {
    case .recording:
      let range = PositionRange(from: .step(step.number), through: .step(step.number))
      if session.currentFork != nil { _ = try session.switchToRecording() }
      _ = try session.redispatch(range)
    case .fork(let number, let count):
      let made = try session.fork(leaving: number, afterSteps: count - 1)
      do {
        _ = try session.dispatch(step.action, to: step.target)
      } catch {
        // A fork without its step is of no use.
        _ = try session.dropFork(made.number)
        throw error
      }
    }
    guard let fork = session.currentFork else { throw RequestError("the app made no fork") }
    console?.session = session
    connection.respond(to: request)
    begin(fork.number, at: min(1, fork.stepCount), reason: "restart")
  }

  /// Begins a fork in a state with another value for a variable.
  func setVariable(_ request: Request) throws {
    let arguments = try request.decoded(SetVariableArguments.self)
    let (reader, world) = try reader()
    guard world.hasApp else { throw RequestError.noApp }
    guard let container = handles.container(arguments.variablesReference),
      let (place, elements) = try reader.elements(of: arguments.name, in: container),
      case .name(let store)? = elements.dropFirst().first, elements.first == .name("state")
    else {
      throw RequestError("\(arguments.name) is not a part of a state, so it cannot be set")
    }
    let value: JSON
    do throws(JSONError) {
      value = try JSON.parse(arguments.value)
    } catch {
      throw RequestError("the value is not JSON: \(error.message); a text has quotes")
    }
    guard let state = try Moment(place, in: world).state(of: store), var session = console?.session
    else { throw RequestError("the store \(store) is absent") }
    let edit = (store: store, state: try state.replacing(elements.dropFirst(2), with: value))
    let fork: ForkSummary
    switch place {
    case .recording(let position):
      let base = world.log.number(at: position).map(Position.step) ?? .start
      fork = try session.fork(at: base, editing: [edit])
    case .fork(let number, let count):
      fork = try session.fork(leaving: number, afterSteps: count, editing: [edit])
    }
    console?.session = session
    let counts = reader.counts(of: value)
    let new = Place.fork(fork.number, 0)
    connection.respond(
      to: request,
      SetVariableBody(
        value: ValueText.text(of: value), type: ValueText.type(of: value),
        variablesReference: counts.isContainer
          ? handles.number(of: .value(new, .document, elements)) : 0,
        namedVariables: counts.named, indexedVariables: counts.indexed))
    begin(fork.number, at: 0, reason: "entry")
  }

  /// Tells the client of a new fork, and where its thread stands.
  func begin(_ fork: Int, at count: Int, reason: String) {
    synchronize()
    world?.places[.fork(fork)] = .fork(fork, count)
    let thread = ThreadID.fork(fork)
    connection.tell("thread", ThreadBody(reason: "started", threadId: thread.number))
    stop(
      thread, StoppedBody(reason: reason, description: "fork \(fork)", threadId: thread.number))
  }
}

extension RequestError {
  static let noApp = RequestError(
    "this replays actions, which needs the app; name its executable as \"app\" in the launch"
  )
}

extension ForkHistory {
  /// `true` if no step of the fork caused the one at an index.
  fileprivate func isRoot(_ index: Int) -> Bool {
    steps[index].cause.map { $0 < first } ?? true
  }
}

extension JSON {
  /// The same value with another one at a place in it.
  fileprivate func replacing(
    _ elements: some Sequence<Location.Element>, with value: JSON
  ) throws -> JSON {
    let pointer = Location(Array(elements)).pointer
    return try Patch([.replace(pointer, value)]).applied(to: self)
  }
}
