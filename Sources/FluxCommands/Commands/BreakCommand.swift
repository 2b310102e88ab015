import FluxInspector
import FluxJSON
import FluxLog

extension Command {
  static let `break` = Command(
    "break", aliases: ["b"], group: .stop, synopsis: "break GLOB [if EXPR]",
    summary: "Stop at actions of a type",
    help: """
      GLOB is matched against the type of each action: * matches any characters, also /, and ? matches one \
      character. A type with blanks or quotes becomes a GLOB with ? in their place, if an action of the log has it. \
      With a condition, moves stop at a step only if it is true there.
      """,
    examples: ["break todo/*", "break todo/add if length(todos.items) > 3"],
    arguments: .expression, completions: [.actionType, .words(["if"]), .path]
  ) { arguments, console in
    try console.session.addBreakpoint(arguments, isTemporary: false)
  }

  static let tbreak = Command(
    "tbreak", group: .stop, synopsis: "tbreak GLOB [if EXPR]",
    summary: "Stop once at an action of a type",
    help: "Like break, but the first move that reaches the breakpoint deletes it.",
    examples: ["tbreak todo/add"],
    arguments: .expression, completions: [.actionType, .words(["if"]), .path]
  ) { arguments, console in
    try console.session.addBreakpoint(arguments, isTemporary: true)
  }

  static let watch = Command(
    "watch", aliases: ["wa"], group: .stop, synopsis: "watch VALUE [if EXPR]",
    summary: "Stop at steps that change a value",
    help: """
      VALUE is a path, a function call or an expression. Moves stop at steps that create, change or remove \
      that value. A part of the step itself, such as $.rejected, is compared with the same part of the \
      previous step. With a condition, they stop only if it is true after the step.
      """,
    examples: [
      "watch todos.items[0].done", "watch todos.items if length(todos.items) > 3",
      "watch $.rejected",
    ],
    arguments: .expression, completions: [.path, .words(["if"]), .path]
  ) { arguments, console in
    let (subject, condition) = try arguments.subjectAndCondition()
    let query = try arguments.query(subject)
    return .stopPoint(try console.session.addStopPoint(.watchpoint(query), if: condition))
  }

  static let `catch` = Command(
    "catch", group: .stop, synopsis: "catch rejected|gap|divergence|rule NAME",
    summary: "Stop at rejections, gaps, divergences or broken rules",
    help: """
      catch rejected stops at steps that did not commit. catch gap stops at the first step after lines that are \
      missing or damaged.

      catch divergence stops at steps whose replay diverges from the recording, and shows the difference. It \
      needs the app. The first move that could stop there replays the whole log, even past divergences; a \
      difference that only follows from an earlier divergence is not reported again. If the app fails at a \
      step, that is the last step to stop at.

      catch rule NAME stops at the step that violates a rule. 'rules FILE' checks the rules first.
      """,
    examples: ["catch rejected", "catch gap", "catch divergence", "catch rule total"],
    arguments: .words(2), completions: [.words(["rejected", "gap", "divergence", "rule"])]
  ) { arguments, console in
    if arguments.words.first == "rule" {
      guard arguments.words.count == 2 else { throw arguments.usage("expected the name of a rule") }
      return .stopPoint(try console.session.addStopPoint(.rule(arguments.words[1])))
    }
    let kinds: [String: StopPoint.Kind] = [
      "rejected": .rejection, "gap": .gap, "divergence": .divergence,
    ]
    guard arguments.words.count < 2, let kind = kinds[arguments.words.first ?? ""] else {
      let word = arguments.words.first ?? ""
      let question = Spelling.question(word, among: ["rejected", "gap", "divergence", "rule"])
      throw arguments.usage("expected rejected, gap, divergence or rule NAME\(question)")
    }
    return .stopPoint(try console.session.addStopPoint(kind))
  }
}

extension Session {
  fileprivate mutating func addBreakpoint(
    _ arguments: CommandArguments, isTemporary: Bool
  ) throws -> Reply {
    let (subject, condition) = try arguments.subjectAndCondition()
    guard !subject.isEmpty else { throw arguments.usage("the type of an action is missing") }
    if let glob = try typeWithBlanks(subject) {
      return .stopPoint(
        try addStopPoint(.breakpoint(glob), if: condition, isTemporary: isTemporary))
    }
    if let hint = arguments.withoutQuotes {
      throw arguments.usage("an action type contains no quotes", hint: hint)
    }
    if condition == nil, isExpression(subject) {
      throw arguments.usage(
        "\(subject) is an expression, not an action type",
        hint: "to go to the next step at which it is true: until \(subject)")
    }
    if let blank = subject.firstIndex(where: \.isWhitespace) {
      let (glob, rest) = (subject[..<blank], CommandLine.trimmed(String(subject[blank...])))
      throw arguments.usage(
        "an action type contains no blanks",
        hint: "a condition begins with if: break \(glob) if \(rest)")
    }
    return .stopPoint(
      try addStopPoint(
        .breakpoint(Glob(subject)), if: condition, isTemporary: isTemporary))
  }

  /// A glob for a type that is no glob, such as `[Auth] Login`, alone or in quotes; nil if no action of the log has it.
  ///
  /// The glob can be written and saved without quotes.
  private func typeWithBlanks(_ text: String) throws -> Glob? {
    let type = StepFilter.unquoted(text) ?? text
    let scalars = type.unicodeScalars.map { scalar in
      scalar.properties.isWhitespace || "'\"|>".unicodeScalars.contains(scalar) ? "?" : scalar
    }
    let glob = String(String.UnicodeScalarView(scalars))
    guard glob != type else { return nil }
    try waitForIndex()
    return timeline.hasAction(ofType: type) ? Glob(glob) : nil
  }

  /// `true` if a text can only be meant as a condition: it is an expression, and not the type of an action.
  private func isExpression(_ text: String) -> Bool {
    guard log.typeMeant(by: text) == nil else { return false }
    do throws(QueryError) {
      guard case .expression = try ValueQuery(text) else { return false }
      return true
    } catch {
      return false
    }
  }
}
