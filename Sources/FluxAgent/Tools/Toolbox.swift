/// The tools of a server.
struct Toolbox: Sendable {
  /// All tools there are, in the order in which they are listed.
  static let all: [Tool] =
    [
      .recordings, .overview, .steps, .step, .state, .diff, .whoWrote, .values, .find, .why, .check,
      .rules,
    ] + [.verify, .whatIf, .shrink, .writeTest] + [.appState, .appDispatch, .appShow, .appRestore]

  /// The tools that a server offers, by what the person who started it allows.
  let tools: [Tool]

  init(_ world: AgentWorld) {
    tools = Self.all.filter { tool in
      switch tool.access {
      case .reads, .mayReplay: true
      case .replays: world.canReplay
      case .readsApp, .acts: world.attach != nil
      }
    }
  }

  subscript(name: String) -> Tool? { tools.first { $0.name == name } }
}
