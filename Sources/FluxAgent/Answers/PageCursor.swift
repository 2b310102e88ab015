import FluxInspector
import FluxJSON

/// A place between two pages of an answer, as a text that fits only the call that it came from.
struct PageCursor: Sendable, Equatable {
  let tool: String
  /// A sum of the arguments: a cursor of another log or another question is refused.
  private let sum: UInt64

  /// Describes the cursors of a tool's call; the cursor in its arguments and the size of a page do not matter.
  init(_ tool: String, _ arguments: JSON) {
    self.tool = tool
    let texts = arguments.members.filter { $0.name != "cursor" && $0.name != "count" }
      .map { "\($0.name)=\($0.value.text)" }.sorted()
    // FNV-1a: the same in each process.
    sum = texts.joined(separator: "\n").utf8.reduce(0xCBF2_9CE4_8422_2325) { sum, byte in
      (sum ^ UInt64(byte)) &* 0x100_0000_01B3
    }
  }

  /// The text of the cursor at the index of an array.
  func text(_ index: Int) -> String { text([index]) }

  /// The text of the cursor at a place of rows.
  func text(_ cursor: Cursor) -> String { text(cursor.numbers ?? [cursor.position]) }

  private var prefix: String { "\(tool)-\(String(sum, radix: 16))-" }

  private func text(_ numbers: [Int]) -> String {
    prefix + numbers.map(String.init).joined(separator: ".")
  }

  /// Reads the index of an array from a cursor of this call; nil if there is none.
  ///
  /// - Throws: ``ToolFailure`` for a cursor of another call.
  func index(_ text: String?) throws(ToolFailure) -> Int? {
    guard let numbers = try numbers(text) else { return nil }
    guard numbers.count == 1, numbers[0] >= 0 else { throw foreign }
    return numbers[0]
  }

  /// Reads the place of rows from a cursor of this call; nil if there is none.
  ///
  /// The place may lie beyond the log. The initial value has the position -1.
  ///
  /// - Throws: As ``index(_:)``.
  func cursor(_ text: String?) throws(ToolFailure) -> Cursor? {
    guard let numbers = try numbers(text) else { return nil }
    if numbers.count == 1, numbers[0] >= -1 { return Cursor(position: numbers[0]) }
    guard let cursor = Cursor(writes: numbers) else { throw foreign }
    return cursor
  }

  private func numbers(_ text: String?) throws(ToolFailure) -> [Int]? {
    guard let text else { return nil }
    guard text.hasPrefix(prefix) else { throw foreign }
    let numbers = text.dropFirst(prefix.count).split(separator: ".").compactMap { Int($0) }
    guard self.text(numbers) == text else { throw foreign }
    return numbers
  }

  private var foreign: ToolFailure {
    ToolFailure(
      "\(tool): the cursor belongs to another call; repeat the call that gave it, with the same arguments and "
        + "its cursor, or leave out the cursor to begin again")
  }
}

/// The reason why a tool has no answer, in words that say what would be right.
struct ToolFailure: Error, Sendable, Equatable {
  let message: String

  init(_ message: String) { self.message = message }

  /// Describes an error of the session, with what this server can do about it.
  init(_ error: CommandError) {
    message = error.message + (error.note.map { "\n\($0.toolText)" } ?? "")
  }
}

extension Note {
  /// The remark and the next thing to do, in the words for a client of this server.
  var toolText: String { text(wording: \.toolWords) }
}

extension CommandError.NextStep {
  /// The words for a client of this server.
  fileprivate var toolWords: String {
    switch self {
    case .attach: "this needs a running app: restart the server with --attach NAME"
    case .resume: "app_show without n lets the app run again"
    case .openWithApp:
      "restart the server with --app PATH, the executable of an app that serves its stores"
    case .verify: "verify shows where the app no longer behaves as recorded"
    case .fork, .chooseFork, .leaveFork, .returnToFork, .dispatch: "what_if makes a fork"
    case .onlyRead: "every tool that only reads the log works"
    case .overwrite: "choose another name"
    case .goToStep(let number): "to see that step, ask for step \(number)"
    case .watch(let value): "history lists the steps that changed \(value)"
    case .findRejections, .listRejections: "to find rejected steps, the expression is $.rejected"
    case .readAction(let member): "the action of the step is $.action: $.action.\(member)"
    case .readStep(let member): "it is a part of the step: $.\(member)"
    case .goToFirstStep: "ask for the first step, or for a later one"
    case .goForward: "ask for a later step"
    case .goPastDamage: "ask for a step after the damage; check lists the damaged lines"
    case .goToKnownState(_, let places?):
      "\(places); a server that was started with --app PATH rebuilds the others by replay"
    case .redispatch(let places?): "\(places); what_if computes the states on a fork"
    case .redispatch(nil): "what_if computes the states on a fork"
    case .goToKnownState:
      "ask for an earlier step, or for a later one at which the state is known again"
    case .listEffects: "why lists what the step caused"
    case .listActionsInFlight: "overview lists them"
    case .listStopPoints, .listDisplays: "this server has none"
    case .checkRules: "rules checks them"
    }
  }
}
