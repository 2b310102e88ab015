import FluxLog

/// The command `stores`.
struct StoresCommand: Command {
  let name = "stores"
  let group = CommandGroup.look
  let synopsis = "stores"
  let summary = "list the stores, and what they are here"
  let help = """
    A feature is a store that may be absent. A state is unknown where damage or a gap hides it, \
    until the store is next written whole. The bytes are those of the state as JSON.
    """
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let described = session.log.header.stores
    let entries = try session.log.storeNames.map { name in
      let store = described.first { $0.name == name }
      return StoresAnswer.Entry(
        name: name, type: store?.type, isFeature: store?.isFeature ?? false,
        state: try session.timeline.storeState(name, at: session.position))
    }
    return StoresAnswer(entries: entries)
  }
}
