import FluxCore
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation

/// Carries out the commands of clients in the app.
struct LiveCommands: Sendable {
  let dispatcher: Dispatcher
  let recorder: Recorder
  let allowed: Set<LivePermission>
  let models: KeptModels
  let queue: LiveQueue

  func perform(_ request: LiveRequest) throws(RPCError) -> LiveHostMachine.Answer {
    switch request {
    case .initialize: return .welcome(welcome)
    case .watch: return .done
    case .present(let position, let ignoresActions):
      let model = if let position { try model(at: position) } else { dispatcher.model }
      do {
        try dispatcher.present(
          model, whilePresenting: ignoresActions ? .ignoring : .dispatching)
      } catch {
        throw RPCError(.failed, error.description)
      }
      return .done
    case .resume:
      dispatcher.endPresenting()
      return .done
    case .restore(let position):
      if let place = position.states?.firstRedactedPlace {
        throw RPCError(
          .failed,
          "the log has no value for \(place), which is redacted, and the app no longer has the model after step "
            + "\(position.step); it can be shown, but not restored")
      }
      let model = try model(at: position)
      do {
        try dispatcher.restore(model)
      } catch {
        throw RPCError(.failed, error.description)
      }
      dispatcher.endPresenting()
      return .done
    case .dispatch(let action, let target): return try dispatch(action, to: target)
    }
  }

  private var welcome: LiveWelcome {
    let name = recorder.options.app?.name
    let path: String?
    if case .memory = recorder.destination { path = nil } else { path = recorder.url.path }
    let problem =
      path == nil ? "the app records in memory" : recorder.failure.map { $0.message }
    return LiveWelcome(
      app: .init(name: name, version: recorder.options.app?.version), process: UInt64(getpid()),
      log: path, problem: problem, allows: LivePermission.allCases.filter(allowed.contains))
  }

  // MARK: Models

  private func model(at position: LivePosition) throws(RPCError) -> Model {
    if let model = models.model(after: position.step) { return model }
    guard let recorded = position.states else { throw .forgotten(step: position.step) }
    let states = RestoredStates(recorded, Evolution())
    let model = dispatcher.model(of: states)
    guard states.problems.isEmpty else {
      throw RPCError(ReplayFailure(.statesNotRestorable(states.problems)))
    }
    return model
  }

  // MARK: Dispatching

  private func dispatch(
    _ json: JSON, to target: String?
  ) throws(RPCError) -> LiveHostMachine.Answer {
    if let place = json.firstRedactedPlace {
      throw .undecodable("the value at \(Pointer(tokens: place)) of the action is redacted")
    }
    let action: any Action
    do {
      action = try ActionCoder(types: dispatcher.actionTypes).decode(json)
    } catch {
      throw .undecodable(error.description)
    }
    let outcome = dispatcher.dispatch(opening: action, to: target.map { StoreID($0) })
    do {
      // The client reads the steps in the log.
      try recorder.flush()
    } catch {
      // The recorder has reported that it records no more; the action was dispatched all the same.
    }
    return .dispatched(
      LiveDispatched(
        verdict: outcome.result.name, step: outcome.step,
        last: outcome.step.map { max($0, queue.lastStep) }))
  }
}

extension Dispatcher {
  fileprivate func dispatch(opening action: any Action, to target: StoreID?) -> Outcome {
    dispatch(action, to: target)
  }
}

extension Outcome.Result {
  fileprivate var name: String {
    switch self {
    case .changed: "changed"
    case .unchanged: "unchanged"
    case .rejected: "rejected"
    case .queued: "queued"
    case .ignored: "ignored"
    }
  }
}

extension JSON {
  /// The place of the first token of a redacted value; nil if there is none.
  fileprivate var firstRedactedPlace: [String]? {
    switch kind {
    case .object:
      for member in members {
        if let place = member.value.firstRedactedPlace { return [member.name] + place }
      }
      return nil
    case .array:
      for (index, element) in elements.enumerated() {
        if let place = element.firstRedactedPlace { return [String(index)] + place }
      }
      return nil
    default: return isRedactionToken ? [] : nil
    }
  }
}

extension StoreDictionary<JSON> {
  /// The place of the first token of a redacted value, from the model; nil if there is none.
  fileprivate var firstRedactedPlace: Pointer? {
    for (store, state) in ordered {
      if let place = state.firstRedactedPlace { return Pointer(tokens: [store] + place) }
    }
    return nil
  }
}
