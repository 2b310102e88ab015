import FluxLog

/// The command `state [STORE]`.
struct StateCommand: Command {
  let name = "state"
  let aliases = ["st"]
  let group = CommandGroup.look
  let synopsis = "state [STORE]"
  let summary = "show the state of a store, or of all"
  let help = """
    The state is that after the step here. As text it is one JSON value, so that it can be piped: \
    state | jq .todos
    """
  let examples = ["state", "state todos", "state > state.json"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.store]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let store = arguments.words.first else {
      return ValueAnswer(value: try session.modelHere())
    }
    return ValueAnswer(value: try session.stateHere(of: store))
  }
}

extension Session {
  /// The states of all stores here.
  func modelHere() throws -> JSON {
    let model = try timeline.model(at: position)
    guard model.unknownStores.isEmpty else {
      throw LogError(
        path: log.path,
        reason: .unknownStates(model.unknownStores, step: stepNumber ?? 0))
    }
    return model.json
  }

  fileprivate func stateHere(of store: String) throws -> JSON {
    if let state = try timeline.state(of: store, at: position) { return state }
    guard log.storeNames.contains(store) else { throw noStore(store) }
    throw CommandError(.noStore, "the store \(store) is absent at step \(stepText(at: position))")
  }
}
