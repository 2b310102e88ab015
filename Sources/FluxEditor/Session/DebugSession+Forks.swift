import FluxCommands
import FluxInspector
import FluxJSON
import FluxLog

// Forks from frames and variables.
extension DebugSession {
  /// Forks before the step of a frame, and dispatches its action again.
  func restartFrame(_ request: Request) throws {
    let arguments = try request.decoded(FrameArguments.self)
    let reader = try reader()
    guard reader.hasApp else { throw RequestError.noApp }
    guard let place = try reader.place(ofFrame: arguments.frameId),
      let step = try reader.at(place).currentStep()
    else { throw RequestError("the frame has no step to dispatch again") }
    let fork = try fork(at: place) { session in
      if case .fork(let number, let count) = place {
        session = try session.standing(at: .fork(number, count - 1))
        _ = try session.dispatch(step.action, to: step.target)
      } else {
        _ = try session.redispatch(
          PositionRange(from: .step(step.number), through: .step(step.number)))
      }
    }
    connection.respond(to: request)
    if case .recording(let position) = place, position + 1 < reader.log.count {
      restarts[fork.number] = Restart(position: position, stepCount: fork.stepCount)
      connection.print(
        "to dispatch the recorded steps after step \(step.number) again, continue on fork \(fork.number)"
      )
    }
    begin(fork.number, at: min(1, fork.stepCount), reason: "restart")
  }

  /// Dispatches the rest of the recording on the fork of a restarted frame; returns `false` if there is none, or if the
  /// fork has other steps by now.
  func dispatchRest(of session: inout Session) throws -> Bool {
    guard let fork = session.currentFork, let restart = restarts[fork.number],
      fork.stepCount == restart.stepCount
    else { return false }
    try session.repeatRecording(from: restart.position, onFork: fork.number)
    restarts[fork.number] = nil
    console?.session.takeForks(of: session)
    synchronize()
    return true
  }

  /// Begins a fork in a state with another value for a variable.
  func setVariable(_ request: Request) throws {
    let arguments = try request.decoded(SetVariableArguments.self)
    let reader = try reader()
    guard reader.hasApp else { throw RequestError.noApp }
    let container = try reader.container(arguments.variablesReference)
    guard let (place, elements) = try reader.elements(of: arguments.name, in: container),
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
    guard let state = try reader.at(place).currentState(of: store) else {
      throw RequestError("the store \(store) is absent")
    }
    let edit = (store: store, state: try state.replacing(elements.dropFirst(2), with: value))
    let fork = try fork(at: place) { _ = try $0.fork(editing: [edit]) }
    let children = reader.children(
      of: value, in: .value(.fork(fork.number, 0), .document, elements))
    connection.respond(
      to: request,
      SetVariableBody(
        value: ValueText.text(of: value), type: ValueText.type(of: value),
        variablesReference: children.reference, namedVariables: children.named,
        indexedVariables: children.indexed))
    begin(fork.number, at: 0, reason: "entry")
  }

  /// Makes a fork at a place; no thread moves.
  private func fork(
    at place: Place, _ make: (inout Session) throws -> Void
  ) throws -> ForkSummary {
    guard var session = try console?.session.standing(at: place) else {
      throw RequestError("there is no log: launch or attach first")
    }
    try make(&session)
    guard let fork = session.currentFork else { throw RequestError("the app made no fork") }
    console?.session.takeForks(of: session)
    return fork
  }

  /// Tells the client of a new fork, and where its thread stands.
  func begin(_ fork: Int, at count: Int, reason: String) {
    synchronize()
    let thread = Place.thread(ofFork: fork)
    published?.places[thread] = .fork(fork, count)
    connection.tell("thread", ThreadBody(reason: "started", threadId: thread))
    stop(StoppedBody(reason: reason, description: "fork \(fork)", threadId: thread))
  }
}

/// A frame of the recording that was restarted on a fork, which does not repeat the steps after it yet.
struct Restart {
  /// The position of the frame's step.
  let position: Int
  /// The steps that the fork began with.
  let stepCount: Int
}

extension RequestError {
  static let noApp = RequestError(
    "this replays actions, which needs the app; name its executable as \"app\" in the launch"
  )
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
