import FluxInspector
import FluxJSON

extension Tool {
  static let state = Tool(
    "state", "Look at a state",
    about: """
      The state after a step: that of all stores, or what a path (cart.lines[0].count, cart.lines[*].id) or an expression \
      (length(cart.lines)) selects. Large values are folded; ask again with the path that the answer gives. A state that \
      the recorder left out is rebuilt by the app, if the server has one, and the answer says so.
      """,
    example: ["log": "shop.jsonl", "n": 16, "path": "cart"]
  ) { (arguments: StateArguments, context, extras) in
    try context.readRebuilding(arguments.log, fork: arguments.fork) { session in
      let here = session.standing(at: try context.position(arguments.n, session, &extras))
      return try StateReading(arguments: arguments, session: here, context: context)
        .answer(&extras)
    }
  }

  static let diff = Tool(
    "diff", "Compare two states",
    about: """
      The differences between the states after two steps: each value with old and new, and the elements of arrays by \
      their identity. Use step for what a single step changed.
      """,
    example: ["log": "shop.jsonl", "from": 7, "to": 17, "store": "cart"]
  ) { (arguments: DiffArguments, context, extras) in
    try context.readRebuilding(arguments.log, fork: arguments.fork) { session in
      let from = try context.position(arguments.from, session, &extras)
      let here = session.standing(at: try context.position(arguments.to, session, &extras))
      let start = session.timeline.stepNumber(at: from).value.map(Position.step) ?? .start
      var difference = try here.difference(from: start, in: arguments.store)
      difference.form = .elements
      extras.notes += difference.notes.map(\.toolText)
      return DiffAnswer(difference: try context.verbatim(difference))
    }
  }

  static let whoWrote = Tool(
    "who_wrote", "Find who wrote a value",
    about: """
      The step that wrote a value last, up to step n; with all, every step that wrote it, the newest first. The first \
      question when a value is wrong.
      """,
    example: ["log": "shop.jsonl", "path": "cart.lines", "all": true]
  ) { (arguments: WhoWroteArguments, context, extras) in
    try context.read(arguments.log, fork: arguments.fork) { session in
      let here = session.standing(at: try context.position(orEnd: arguments.n, session, &extras))
      let rows = try here.blame(context.path(arguments.path), all: arguments.all ?? false)
      let page = try context.page(rows, from: arguments.cursor, &extras) { first, _ in
        Cursor(position: session.position(of: first.number))
      }
      return WritesAnswer(of: try context.verbatim(rows.header), writes: page.rows)
    }
  }

  static let values = Tool(
    "values", "History of a value",
    about: """
      The values that a path or an expression took, the oldest first, each with the step that led to it. Use it to see \
      how a value developed.
      """,
    example: ["log": "shop.jsonl", "path": "cart.total"]
  ) { (arguments: ValuesArguments, context, extras) in
    try context.read(arguments.log, fork: arguments.fork) { session in
      let rows = try session.history(of: context.query(arguments.path))
      let page = try context.page(rows, from: arguments.cursor, &extras) { first, last in
        // Forwards, a position would let the search begin with the first step again.
        last.map { Cursor(behindWriteAt: session.position(of: $0.number)) }
          ?? Cursor(position: session.position(of: first.number))
      }
      return WritesAnswer(of: try context.verbatim(rows.header), writes: page.rows)
    }
  }
}

struct StateArguments: Described {
  let log: String
  let n: Int64
  let path: String?
  let depth: Int?
  let skip: Int?
  let fork: Int?
  let cursor: String?

  static let about: KeyValuePairs = [
    "log": LogArgument.about,
    "n": "The number of the step; the number before the first step is the state at the start",
    "path":
      "A path such as cart.lines[0] or cart.lines[10:20], a JSON Pointer, or an expression such as length(cart.lines)",
    "depth": "The levels of objects and arrays to show, at least 1; without it, as many as fit",
    "skip": "For a long text: the number of bytes to leave out at its beginning",
    "fork": LogArgument.aboutFork, "cursor": LogArgument.aboutCursor,
  ]
}

struct StateAnswer: Described {
  let n: VerbatimJSON
  let value: VerbatimJSON?
  let nodes: [VerbatimJSON]?
  let rebuilt: VerbatimJSON?

  static let about: KeyValuePairs = [
    "n": "The number of the step",
    "value": "The value; {folded, path} stands for a part that is left out",
    "nodes": "{path, value}: the values of a path that can select several",
    "rebuilt":
      "{stores, from, differs?}: the stores whose states the recorder left out, and the app rebuilt from a step",
  ]
}

/// Reads what a path selects, folded to the budget.
private struct StateReading {
  let arguments: StateArguments
  let session: Session
  let context: ToolContext

  func answer(_ extras: inout Extras) throws -> StateAnswer {
    if let depth = arguments.depth, depth < 1 {
      throw ToolFailure("depth is a number of levels, at least 1; found \(depth)")
    }
    let n = try context.verbatim(session.timeline.stepNumber(at: session.position))
    func single(_ json: JSON, at path: String?, _ rebuilt: RebuiltStates?) throws -> StateAnswer {
      extras.notes += rebuilt.map { [$0.sentence] } ?? []
      return StateAnswer(
        n: n, value: VerbatimJSON(folded(try skipping(json), at: path, &extras)), nodes: nil,
        rebuilt: try rebuilt.map(context.verbatim))
    }
    guard let text = arguments.path else {
      let model = try session.model()
      return try single(model.value, at: "", model.rebuilt)
    }
    switch try context.query(text) {
    case .expression(let expression):
      let found = try session.value(of: expression)
      return try single(found.value, at: nil, found.rebuilt)
    case .path(let path):
      let selection = try session.values(at: path)
      if selection.isSingular, let found = selection.values.first {
        return try single(found.value, at: found.shorthand, selection.rebuilt)
      }
      extras.notes += selection.notes.map(\.toolText)
      let rows = try selection.values.map { try LogEncoder(order: .declaration).encode($0) }
      return StateAnswer(
        n: n, value: nil, nodes: try context.page(rows, from: arguments.cursor, &extras),
        rebuilt: try selection.rebuilt.map(context.verbatim))
    }
  }

  /// The rest of a long text.
  private func skipping(_ json: JSON) throws -> JSON {
    guard let count = arguments.skip else { return json }
    guard json.kind == .string, let text = json.string, count >= 0 else {
      throw ToolFailure(
        "skip is a number of bytes, at least 0, for a value that is a text; this is \(json.kind)"
      )
    }
    return JSON(stringLiteral: text.dropping(bytes: count))
  }

  private func folded(_ json: JSON, at path: String?, _ extras: inout Extras) -> JSON {
    let room = context.call.frame.room * 4 / 5
    let depth = arguments.depth
    var target = room
    for _ in 0..<8 {
      var fold = Fold()
      let result = fold.fold(json, at: path, to: target, depth: depth)
      if WireText.size(of: result) <= room {
        if json.kind == .string, let beginning = result["begins"]?.string {
          let skip = (arguments.skip ?? 0) + beginning.utf8.count
          extras.left.append("the rest of the text: call state again with skip \(skip)")
        } else if fold.count > 0 {
          let paths = fold.paths.prefix(5).joined(separator: ", ")
          var ways = paths.isEmpty ? [] : ["ask for one by its path: \(paths.cut(toBytes: 400))"]
          if fold.hasLongPaths {
            ways.append(
              "a part without a path has one of more than \(Fold.longestPath) bytes, which consists of the names "
                + "on the way to it")
          }
          extras.left.append(
            "\(fold.sentence("part"))\(depth == nil ? "" : " at depth \(depth ?? 1)"); "
              + (ways.isEmpty ? "ask for a smaller part" : ways.joined(separator: "; ")))
        }
        return result
      }
      target = target * 3 / 5
    }
    extras.left.append("the value does not fit; ask for a part of it")
    return .null
  }
}

private struct DiffArguments: Described {
  let log: String
  let from: Int64
  let to: Int64
  let store: String?
  let fork: Int?

  static let about: KeyValuePairs = [
    "log": LogArgument.about, "from": "The number of the step whose state is the old one",
    "to": "The number of the step whose state is the new one", "store": "The only store to compare",
    "fork": LogArgument.aboutFork,
  ]
}

private struct DiffAnswer: Described {
  let difference: VerbatimJSON

  static let about: KeyValuePairs = [
    "difference":
      "{from, to, changes: [{path, op, old?, new?}], elements: [{path, key, kind, from?, to?, changes}]}"
  ]
}

private struct WhoWroteArguments: Described {
  let log: String
  let path: String
  let n: Int64?
  let all: Bool?
  let fork: Int?
  let cursor: String?

  static let about: KeyValuePairs = [
    "log": LogArgument.about,
    "path": "A path into the states, such as cart.lines or cart.lines[0].count",
    "n": "The last step to look at; without it, the end of the log",
    "all": "true for every write, not only the last", "fork": LogArgument.aboutFork,
    "cursor": LogArgument.aboutCursor,
  ]
}

private struct ValuesArguments: Described {
  let log: String
  let path: String
  let fork: Int?
  let cursor: String?

  static let about: KeyValuePairs = [
    "log": LogArgument.about,
    "path": "A path such as cart.total, or an expression such as length(cart.lines)",
    "fork": LogArgument.aboutFork, "cursor": LogArgument.aboutCursor,
  ]
}

private struct WritesAnswer: Described {
  let of: VerbatimJSON
  let writes: [VerbatimJSON]

  static let about: KeyValuePairs = [
    "of": "{path} or {expression}: what was asked for",
    "writes": "{n, type?, value?, afterGap?}: no type is the initial value, no value a removal",
  ]
}
