import FluxInspector
import FluxJSON
import FluxLog

/// A tool: one description, from which its schemas, its documentation and the errors of its arguments come.
struct Tool: Sendable {
  /// The effects that a call of the tool may have.
  enum Access: Sendable, Equatable {
    /// It reads recordings.
    case reads
    /// It reads the running app.
    case readsApp
    /// It runs the app's code in fresh stores.
    case replays
    /// It reads recordings, and runs the app's code in fresh stores if the server has an app.
    case mayReplay
    /// It changes the running app.
    case acts(isDestructive: Bool)
  }

  let name: String
  let title: String
  /// Its answer, and the occasions to use it.
  let about: String
  /// An example of its arguments.
  let example: JSON
  let access: Access
  let input: Shape
  let output: Shape
  private let body: @Sendable (JSON, ToolCall, LogLibrary) throws -> JSON

  /// Describes a tool: its title for people, what it answers and when to use it, and an example of its arguments.
  init<Arguments: Described, Answer: Described>(
    _ name: String, _ title: String, about: String, example: JSON, access: Access = .reads,
    body: @escaping @Sendable (Arguments, ToolContext, inout Extras) throws -> Answer
  ) {
    (self.name, self.title, self.about, self.example) = (name, title, about, example)
    self.access = access
    let input = Arguments.shape
    self.input = input
    let shape = Answer.shape
    output = .object(shape.members + Extras.members)
    self.body = { json, call, library in
      let arguments = try ToolArguments(name, input).decoded(Arguments.self, from: json)
      let context = ToolContext(call: call, library: library, cursors: PageCursor(name, json))
      var extras = Extras()
      let answer = try body(arguments, context, &extras)
      return call.frame.object(
        try LogEncoder(order: .declaration).encode(answer), as: shape, extras)
    }
  }

  /// Answers a call with an object within the budget; the arguments are as the client sent them.
  ///
  /// - Throws: ``ToolFailure``, ``TimeOut``, and errors of the app and of files.
  func answer(_ arguments: JSON, _ call: ToolCall, _ library: LogLibrary) throws -> JSON {
    do {
      return try body(arguments, call, library)
    } catch let failure as ToolFailure {
      throw ToolFailure(
        failure.message.hasPrefix("\(name): ") ? failure.message : "\(name): \(failure.message)")
    } catch let error as CommandError {
      throw ToolFailure("\(name): \(ToolFailure(error).message)")
    }
  }

  /// The tool as `tools/list` lists it, in a server that has an app or none.
  func json(canReplay: Bool) -> JSON {
    let isReadOnly = [.reads, .readsApp].contains(access) || access == .mayReplay && !canReplay
    var annotations: JSONMembers = [
      ("title", JSON(stringLiteral: title)), ("readOnlyHint", JSON(booleanLiteral: isReadOnly)),
    ]
    if !isReadOnly {
      annotations.append(
        ("destructiveHint", JSON(booleanLiteral: access == .acts(isDestructive: true))))
    }
    annotations.append(("openWorldHint", false))
    return JSON(object: [
      ("name", JSON(stringLiteral: name)), ("title", JSON(stringLiteral: title)),
      ("description", JSON(stringLiteral: "\(about) Example: \(example.text)")),
      ("inputSchema", input.schema(isAnswer: false)),
      ("outputSchema", output.schema(isAnswer: true)), ("annotations", JSON(object: annotations)),
    ])
  }
}

/// Everything that a tool answers from.
struct ToolContext: Sendable {
  let call: ToolCall
  let library: LogLibrary
  let cursors: PageCursor

  func open(_ log: String) throws -> OpenLog { try library.open(log, for: call) }

  /// Reads a log or a fork of it.
  func read<Result>(
    _ log: String, fork: Int? = nil, _ body: (inout Session) throws -> Result
  ) throws -> Result {
    try open(log).read(call, fork: fork, body)
  }

  /// Reads a log or a fork of it, with the app that rebuilds states which the recorder left out, or which an import lacks.
  func readRebuilding<Result>(
    _ log: String, fork: Int?, _ body: (inout Session) throws -> Result
  ) throws -> Result {
    let open = try open(log)
    let log = open.timeline.log
    guard fork == nil, log.hasUnwrittenStates || log.breaks.contains(where: \.hidesStatesOnly),
      let app = library.appAtHand(for: call)
    else { return try open.read(call, fork: fork, body) }
    return try library.running(call) {
      try open.read(call) { session in
        session.services.app = app
        return try body(&session)
      }
    }
  }

  /// Dispatches actions of a log, or of a fork of it, again, in the app or in the running one.
  ///
  /// On a fork, `body` makes no other.
  func replay<Result>(
    _ log: OpenLog, fork: Int? = nil, _ body: (inout Session) throws -> Result
  ) throws -> Result {
    let app = try library.app(for: call)
    return try library.running(call) {
      guard let fork else { return try log.replay(call, app: app, body) }
      return try log.read(call, fork: fork) { session in
        session.services.app = app
        return try body(&session)
      }
    }
  }
}

/// Checks and decodes the arguments of a tool.
struct ToolArguments {
  private let tool: String
  private let members: [Shape.Member]

  init(_ tool: String, _ shape: Shape) { (self.tool, members) = (tool, shape.members) }

  /// The arguments in short, for documentation and errors: `log, n, path?`.
  var list: String { members.map { $0.name + ($0.isRequired ? "" : "?") }.joined(separator: ", ") }

  func decoded<Arguments: Decodable>(_ type: Arguments.Type, from json: JSON) throws -> Arguments {
    guard json.kind == .object else { throw failure("the arguments are not an object") }
    let names = members.map(\.name)
    for member in json.members where !names.contains(member.name) {
      let meant =
        Spelling.nearest(to: member.name, among: names).map { "; did you mean \($0)?" } ?? ""
      throw failure("there is no argument \(member.name.shownInError)\(meant)")
    }
    for member in members where member.isRequired && json[member.name] == nil {
      throw failure("\(member.name) is missing: \(member.about)")
    }
    for member in members {
      guard case .choice(let choices) = member.shape, let text = json[member.name]?.string,
        !choices.contains(text)
      else { continue }
      throw failure("\(member.name): expected \(member.shape.phrase), found \(text.shownInError)")
    }
    do {
      return try LogDecoder().decode(type, from: json)
    } catch let error as DecodingError {
      throw failure(summary(error, json))
    }
  }

  private func failure(_ problem: String) -> ToolFailure {
    ToolFailure("\(tool): \(problem)\nthe arguments are \(list)")
  }

  private func summary(_ error: DecodingError, _ arguments: JSON) -> String {
    switch error {
    case .keyNotFound(let key, _): "\(key.stringValue) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      problem(context, arguments)
    @unknown default: "\(error)"
    }
  }

  /// Says which argument, or part of one, has another value than its shape asks for.
  private func problem(_ context: DecodingError.Context, _ arguments: JSON) -> String {
    var (shape, value) = (Shape.object(members), arguments)
    for key in context.codingPath {
      guard let inner = shape.inner(key.stringValue),
        let found = key.intValue.map({ value[$0] }) ?? value[key.stringValue]
      else { return context.debugDescription.cut(toBytes: 200) }
      (shape, value) = (inner, found)
    }
    return "\(context.codingPath.dotted): expected \(shape.phrase), found \(value.excerpt(100))"
  }
}
