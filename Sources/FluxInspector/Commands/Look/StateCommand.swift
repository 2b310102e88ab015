import FluxLog
import FluxReplay

/// The command `state [STORE]`.
struct StateCommand: Command {
  let name = "state"
  let aliases = ["st"]
  let group = CommandGroup.look
  let synopsis = "state [STORE]"
  let summary = "show the state of a store, or of all"
  let help = """
    The state is that after the step here, on a fork that after its newest step. As text it is one JSON value, so that it can be piped: \
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
    if let branch = branches.current { return branch.use(\.model) }
    return try timeline.knownModel(at: position)
  }

  fileprivate func stateHere(of store: String) throws -> JSON {
    if let branch = branches.current {
      if let state = branch.use({ $0.model[store] }) { return state }
    } else if let state = try timeline.state(of: store, at: position) {
      return state
    }
    let isKnown =
      branches.current?.use { branch in branch.app.stores.contains { $0.name == store } }
      ?? log.storeNames.contains(store)
    guard isKnown else { throw noStore(store) }
    throw CommandError(.noStore, "the store \(store) is absent \(placeText)")
  }
}
