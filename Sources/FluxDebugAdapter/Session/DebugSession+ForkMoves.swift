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
        guard let hit = try stopPoint(at: .fork(number, place)) else { continue }
        target = place
        body = StoppedBody(
          reason: hit.reason, description: hit.description, threadId: body.threadId)
        if let id = hit.id { body.hitBreakpointIds = [id] }
        if let exception = hit.exception(
          at: "step \(history.steps[place - 1].number)",
          rejected: history.steps[place - 1].rejection.map(Rejection.init), notes: [])
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
    self.world?.places[.fork(number)] = .fork(number, target ?? (isForwards ? last : 0))
    stop(.fork(number), body)
  }

  /// The first stop point that a step of a fork meets.
  private func stopPoint(at place: Place) throws -> Hit? {
    guard let console, let world, case .fork(let fork, let count) = place else { return nil }
    let moment = Moment(place, in: world)
    guard let step = try moment.step() else { return nil }
    for point in console.session.stopPoints.breakpoints where point.isEnabled {
      let isMet: Bool
      switch point.kind {
      case .breakpoint(let glob): isMet = glob.matches(step.type)
      case .rejection: isMet = step.rejection != nil
      case .steps(let positions, _):
        isMet = try moment.recordedPosition().map { positions.contains($0) } ?? false
      case .watchpoint(let query):
        isMet =
          try values(of: query, at: place, in: world)
          != values(of: query, at: .fork(fork, count - 1), in: world)
      case .gap, .divergence, .rule: isMet = false
      }
      guard isMet else { continue }
      if let condition = point.condition,
        try !condition.holds(for: moment.document(), check: world.check)
      {
        continue
      }
      return Hit(point, breakpoints.breakpoint(of: point.number))
    }
    return nil
  }

  private func values(of query: ValueQuery, at place: Place, in world: World) throws -> [JSON] {
    let document = try Moment(place, in: world).document()
    return switch query {
    case .path(let path): try path.nodes(in: document, check: world.check).map(\.value)
    case .expression(let expression):
      try [expression.value(in: document, check: world.check)].compactMap(\.self)
    }
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
    "this dispatches actions again, which takes the app; name its executable as \"app\" in the launch"
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
