package import FluxInspector
package import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// Writes text for people.
///
/// All that must not be shown as it is becomes an escape (`\u001b`), so no value of a log can control a terminal or a CI
/// service. Line ends are written by ``endLine()`` alone.
package struct TextOutput {
  private var sink: any TextSink
  private var output = TextGuard()
  /// The terminal; nil if text is whole.
  let screen: TextScreen?
  /// The number of columns that the line takes so far; 0 without a screen.
  private(set) var column = 0

  package init(_ sink: ByteSink, palette: Palette = .plain, screen: TextScreen? = nil) {
    self.sink = TerminalSink(bytes: sink, palette: palette)
    self.screen = screen
  }

  /// Writes lines with their roles.
  init(_ collector: LineCollector) {
    sink = collector
    screen = nil
  }

  /// `true` if something was passed on.
  var hasBegun: Bool { sink.hasBegun }

  package mutating func write(_ text: String, _ role: TextRole = .plain) {
    guard !text.isEmpty else { return }
    sink.append(guarded(text), role)
    if let screen { column += screen.width(of: text) }
  }

  package mutating func endLine() throws {
    output = TextGuard()
    column = 0
    try sink.endLine()
  }

  package mutating func line(_ text: String, _ role: TextRole = .plain) throws {
    write(text, role)
    try endLine()
  }

  mutating func lines(_ text: String) throws {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines {
      try self.line(String(line))
    }
  }

  /// Writes a value on several lines; on a terminal folded, unless all of it is asked for.
  ///
  /// A terminal shows as many levels as the depth says; nil for as many as fit.
  mutating func value(_ json: JSON, depth: Int? = nil, isWhole: Bool = false) throws {
    if let screen {
      let extent =
        isWhole
        ? FoldedValue.Extent(depth: depth) : FoldedValue.extent(of: json, depth: depth, on: screen)
      return try FoldedValue(screen: screen, extent: extent).write(json) { spans in
        for span in spans { write(span.text, span.role) }
        try endLine()
      }
    }
    try sink.append(json)
    try endLine()
  }

  /// Drops what was not passed on yet.
  mutating func discard() { sink.discard() }

  package mutating func flush() throws { try sink.flush() }

  /// Returns a text in which whatever must not be shown as it is has become an escape.
  private mutating func guarded(_ text: String) -> String {
    let before = output
    if output.passes(text.utf8) { return text }
    output = before
    return text.unicodeScalars.reduce(into: "") { guarded, scalar in
      if output.escapes(scalar) {
        guarded += scalar.escape(as: .json)
      } else {
        guarded.unicodeScalars.append(scalar)
      }
    }
  }
}

// MARK: Parts that several results have

extension TextOutput {
  /// Writes notes, and the reason why a command failed.
  package mutating func diagnose(notes: [String], error: CommandError?) throws {
    for note in notes {
      write("note: ", .heading)
      try wrapped(note)
    }
    guard let error else { return }
    write("error: ", .error)
    // The lines of an expression and the mark below it stay as they are.
    if error.message.contains("\n") { try lines(error.message) } else { try wrapped(error.message) }
    guard let hint = error.advice else { return }
    write("hint: ", .heading)
    try wrapped(hint)
  }

  /// Writes an action with its step: `5 todo/add {"title":"milk"}`; a long payload leaves room for the text behind it.
  package mutating func action(
    _ number: some CustomStringConvertible, _ type: String, _ payload: JSON?,
    before tail: String = ""
  ) {
    write("\(number) ", .number)
    write(fittedName(type), .action)
    guard let payload else { return }
    write(" ")
    write(fitted(payload.description, before: tail))
  }

  /// Writes a step of a list: `5 todo/toggle {"id":2} +3s  todos`.
  mutating func step(_ step: StepSummary) throws {
    let outcome = Self.outcome(
      StepSummary.stores(step.changed, step.unwritten, step.notRecorded), step.rejected)
    try self.step(step.number, step.type, step.payload, at: step.t, outcome, cause: step.cause)
  }

  /// Writes a step, its outcome, its cause and remarks on it; on a terminal they are cut where the line ends.
  mutating func step(
    _ number: UInt64, _ type: String, _ payload: JSON?, at t: Seconds,
    _ outcome: [(text: String, role: TextRole)], cause: UInt64?,
    remarks: [(text: String, role: TextRole)] = []
  ) throws {
    let cause = cause.map { "  caused by \($0)" } ?? ""
    let tail = [(text: " +\(t)s", role: .dim)] + outcome + [(cause, .dim)] + remarks
    action(number, type, payload, before: tail.map(\.text).joined())
    for span in tail { write(fitted(span.text), span.role) }
    try endLine()
  }

  /// The stores that a step changed, or the reason why it did not commit.
  static func outcome(
    _ changed: String, _ rejection: LogRejection?
  ) -> [(text: String, role: TextRole)] {
    if let rejection {
      return [
        ("  rejected: ", .error), ("\(rejection.reason): \(rejection.message)", .plain),
      ]
    }
    guard !changed.isEmpty else { return [] }
    return [("  \(changed)", .dim)]
  }

  /// Writes the number of steps that could not be evaluated, if there are any.
  mutating func unjudged(_ count: Int?) throws {
    guard let count else { return }
    try line(SearchEnd.sentence(onUnknownSteps: count), .dim)
  }

  /// Writes a selected value on one line: `todos.items[0] = {"id":1}`.
  mutating func selected(_ value: SelectedValue) throws {
    write(fittedName(value.shorthand), .path)
    write(" = ")
    try line(fitted(value.value.description))
  }

  /// Writes a display on one line, or on several if its path selects several values.
  mutating func display(_ display: DisplayedValue) throws {
    write("  \(display.number): ", .dim)
    write(fittedName(display.query.text), .path)
    if let failure = display.failure { return try line(fitted(" is unknown: \(failure)"), .dim) }
    if display.query.isSingular, let value = display.values.first {
      write(" = ")
      return try line(fitted(value.value.description))
    }
    try line(display.values.isEmpty ? fitted(" has no value") : "", .dim)
    for value in display.values {
      write("     ")
      try selected(value)
    }
  }

  /// Writes types of actions, the counts right-aligned.
  mutating func types(_ types: [TypeCount]) throws {
    let width = types.map { String($0.count).count }.max() ?? 0
    for entry in types {
      write(String(entry.count).rightAligned(to: width), .count)
      try line(" \(entry.type)", .action)
    }
  }

  /// Writes a change on one line: `~ /todos/items/0/done: false -> true`.
  ///
  /// With the identity of the element that the value is in, if its index says too little.
  mutating func change(_ change: StateChange, identity: String? = nil) throws {
    switch change.operation {
    case .add: write("+ ", .added)
    case .remove: write("- ", .removed)
    case .replace: write("~ ", .changed)
    }
    write(fittedName(change.path), .path)
    if let identity { write(fitted(" (\(identity))", before: ": …"), .dim) }
    write(": ")
    let arrow = change.operation == .replace ? " -> " : ""
    if let old = change.old?.string, let new = change.new?.string {
      if let edit = LineEdit(from: old, to: new) { return try self.edit(edit) }
      // Two texts that end where the line does would hide the words in which they differ.
      let isCut = !hasRoom(for: "\(JSON(stringLiteral: old))\(arrow)\(JSON(stringLiteral: new))")
      if let edit = TextEdit(from: old, to: new, isShortToo: isCut) {
        self.edit(edit)
        return try lookAlike(change)
      }
    }
    let values = Self.differingParts(change.old?.description, change.new?.description)
    if let old = values.old { write(fitted(old, before: arrow + tail(of: values.new)), .removed) }
    write(arrow, .dim)
    if let new = values.new { write(fitted(new), .added) }
    try lookAlike(change)
  }

  /// The parts of two long texts that fit on a line: those where they differ.
  private static func differingParts(
    _ old: String?, _ new: String?
  ) -> (old: String?, new: String?) {
    guard let old, let new, max(old.unicodeScalars.count, new.unicodeScalars.count) > 100 else {
      return (old, new)
    }
    let common = zip(old.unicodeScalars, new.unicodeScalars).prefix { $0 == $1 }.count
    let skipped = common - context
    guard skipped > 0 else { return (old, new) }
    func rest(of text: String) -> String {
      "…" + String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(skipped)))
    }
    return (rest(of: old), rest(of: new))
  }

  /// Ends the line of a change, with the scalars of two texts that a reader would take for the same.
  private mutating func lookAlike(_ change: StateChange) throws {
    if let scalars = LookAlike.scalars(change.old, change.new) {
      write(fitted("  \(scalars.left) -> \(scalars.right)"), .dim)
    }
    try endLine()
  }
}
