/// The command `stores`.
struct StoresCommand: Command {
  let description = CommandDescription(
    "stores", group: .look, summary: "List the stores and their condition here",
    help: """
      A feature is a store that may be absent. A state is unknown if damage or a gap hides it; it is known again \
      when the store is next written whole. The bytes are the size of the state as JSON.
      """)

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    Reply(try console.session.stores()) { list, text in
      for store in list.stores {
        text.write(store.name, .path)
        if let type = store.type { text.write(" \(type)") }
        if store.isFeature { text.write(", feature") }
        let state = store.byteCount.map { "\($0) bytes" } ?? store.state.rawValue
        try text.line(", \(state)", .dim)
      }
      if list.stores.isEmpty { try text.line("no stores", .dim) }
    }
  }
}
