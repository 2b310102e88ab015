import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem

extension Command {
  static let state = Command(
    "state", aliases: ["st"], group: .look, synopsis: "state [STORE|PATH] [--depth N] [--all]",
    summary: "Show the state of one store, or of all",
    help: """
      This is the state after the current step, on the recording or on a fork. The text is one JSON value, so \
      you can pipe it: state | jq .todos

      With a path such as todos.items[0] or /todos/items, state is the same as print.

      On a terminal, a state that is longer than the screen is folded: …12 more, {…4 members}, […30 elements]. A long \
      line is cut. Output to a file or a shell command is never cut.
      """,
    examples: ["state", "state todos --depth 2", "state todos.items[0]", "state > state.json"],
    options: CommandOption.folding, arguments: .words(1), completions: [.pathOr(.store)]
  ) { arguments, console in
    let session = console.session
    let folding = try arguments.folding()
    let word = arguments.words.first
    if let word, !session.log.storeNames.contains(word),
      word.contains(where: { "./[$".contains($0) })
    {
      return try .value(of: .path(arguments.path()), in: session, folding: folding)
    }
    let state = try word.map { try session.state(of: $0) } ?? session.model()
    return Reply(state) { try $1.value($0.value, depth: folding.depth, isWhole: folding.isWhole) }
  }

  static let print = Command(
    "print", aliases: ["p"], group: .look, synopsis: "print VALUE [--depth N] [--all]",
    summary: "Show the value of a path or an expression",
    help: """
      VALUE is a path, a function call or an expression. A path is a JSONPath query (RFC 9535) that may begin with the name of a store, or a JSON Pointer: \
      todos.items[0].done, todos.items[?@.done == false], /todos/items/0/done. A path that begins with $ starts \
      at the whole step: $.action.payload, $.before.todos.

      A path that can select only one value prints that value; it is an error if there is none. Any other path \
      prints each value that it selects with its place. On a fork, the path starts at the step there.

      length(todos.items) and cart.total > 100 are expressions. A path in parentheses is one too: (cart.coupon) is \
      true if there is such a value. A long value is folded on a terminal, as by state.
      """,
    examples: [
      "print todos.items[0]", "print todos.items[*].title", "print $.action.payload",
      "print length(todos.items)",
    ],
    options: CommandOption.folding, arguments: .expression, completions: [.path]
  ) { arguments, console in
    try .value(
      of: try arguments.query(), in: console.session, folding: try arguments.folding())
  }

  static let stores = Command(
    "stores", group: .look, summary: "List the stores and their status here",
    help: """
      A feature is a store that may be absent. A state is unknown if damage or a gap hides it; it is known again \
      when the store is next written whole. A state is not written here if the recorder was behind; it is known again \
      when the store is next written. With --app, a replay rebuilds it. The bytes are the size of the state as JSON.
      """
  ) { arguments, console in
    Reply(try console.session.stores()) { list, text in
      for store in list.stores {
        text.write(store.name, .path)
        if let type = store.type { text.write(" \(type)") }
        if store.isFeature { text.write(", feature") }
        if store.isReflected == true { text.write(", reflected") }
        let state = store.byteCount.map { $0.counted("byte") } ?? store.state.words
        let origin = store.state == .rebuilt ? ", rebuilt by replay" : ""
        try text.line(", \(state)\(origin)", .dim)
      }
      if list.stores.isEmpty { try text.line("no stores", .dim) }
    }
  }

  static let action = Command(
    "action", aliases: ["a"], group: .look,
    summary: "Show the action of this step, its origin and effects",
    help: """
      The cause of a step is the earlier step that led to it: by a follow-up, an observer or an effect. A \
      follow-up is an action that a reducer asks for. Recorders in debug builds also log the source line that \
      dispatched the action. Effects are listed by store: search was started, -search was cancelled. On a \
      fork, this is the action of the step there.
      """
  ) { arguments, console in
    Reply(try console.session.action()) { report, text in
      try text.line(report.action["type"]?.string ?? "", .action)
      if let payload = report.action.actionContent { try text.value(payload) }
      let origins = [
        ("target", report.target), ("cause", report.cause.map { "step \($0)" }),
        ("effect", report.effect), ("from", report.from),
        ("effects", report.effects.map(TextOutput.effects)), ("at", report.source),
        (
          "reflected",
          report.isReflected.map { _ in "recorded by reflection, cannot be dispatched" }
        ),
      ]
      for case (let label, let origin?) in origins {
        text.write("\(label): ", .dim)
        try text.line(origin)
      }
      guard let external = report.external else { return }
      text.write("x: ", .dim)
      try text.value(external)
    }
  }
}

extension Reply {
  /// The value of a path or an expression, as 'print' shows it.
  static func value(
    of query: ValueQuery, in session: Session, folding: (depth: Int?, isWhole: Bool) = (nil, false)
  ) throws -> Reply {
    let path: Path
    switch query {
    case .path(let asked): path = asked
    case .expression(let expression):
      return Reply(try session.value(of: expression)) { try $1.value($0.value) }
    }
    return Reply(try session.values(at: path)) { selection, text in
      if selection.isSingular, let only = selection.values.first {
        return try text.value(only.value, depth: folding.depth, isWhole: folding.isWhole)
      }
      for value in selection.values { try text.selected(value) }
      if selection.values.isEmpty { try text.line("nothing is selected", .dim) }
    }
  }
}

extension CommandOption {
  /// The options for values that may be longer than the screen.
  fileprivate static let folding = [
    CommandOption("--depth", value: "N", "Show N levels on a terminal"),
    CommandOption("--all", "Show the whole value on a terminal"),
  ]
}

extension CommandArguments {
  /// The depth that is asked for, and `true` if the whole value is.
  fileprivate func folding() throws(CommandError) -> (depth: Int?, isWhole: Bool) {
    guard let text = value(of: "--depth") else { return (nil, has("--all")) }
    guard let depth = Int(text), depth > 0 else {
      throw usage("expected a number of levels from 1 after --depth, found \(text)")
    }
    return (depth, has("--all"))
  }
}

extension StoreEntry.Presence {
  fileprivate var words: String { self == .unwritten ? "not written here" : rawValue }
}
