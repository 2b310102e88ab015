import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem

// Steps in columns, and sentences in lines, that fit the terminal.
extension TextOutput {
  /// Narrower terminals have no room for times and causes.
  private static let wide = 60

  /// Writes a step of a list: its number, action, time, outcome and cause.
  ///
  /// On a terminal these are columns that fit it. A long type is cut inside, because both ends of it matter. Elsewhere
  /// they follow each other, whole.
  mutating func row(_ step: StepSummary, numberWidth: Int) throws {
    guard let screen else { return try self.step(step) }
    let isWide = screen.columns >= Self.wide
    let time = isWide ? " +\(step.t.time)s" : ""
    let timeWidth = isWide ? max(12, screen.width(of: time)) : 0
    write(String(step.number).rightAligned(to: numberWidth), .number)
    write(" ")
    // On a wide terminal, the time does not stand far from a short action.
    let most = min(
      screen.columns - timeWidth - (isWide ? 26 : 12), column + max(37, screen.columns / 2))
    let end = max(column + 12, most)
    write(screen.cutInside(step.type.printable(as: .json), to: end - column), .action)
    if let payload = step.payload, end - column > 6 {
      write(" ")
      write(screen.cut(payload.description.printable(as: .json), to: end - column))
    }
    let cause = isWide ? step.cause.map { "  caused by \($0)" } ?? "" : ""
    var outcome = Self.outcome(
      StepSummary.stores(step.changed, step.unwritten, step.notRecorded), step.rejected)
    // The usual reason leaves its room to the message.
    if let rejection = step.rejected, rejection.reason == "refused" {
      outcome[outcome.count - 1].text = rejection.message
      if !isWide { outcome = [("  ", .plain), (rejection.message, .error)] }
    }
    if !time.isEmpty || !outcome.isEmpty {
      write(
        String(repeating: " ", count: max(0, end + timeWidth - screen.width(of: time) - column)))
    }
    write(time, .dim)
    for (text, role) in outcome {
      let room = screen.columns - column - screen.width(of: cause)
      if room > 1 { write(screen.cut(text.printable(as: .json), to: room), role) }
    }
    write(cause, .dim)
    try endLine()
  }

  /// Writes a line; on a terminal it is broken between words, and the rest is indented below its beginning.
  ///
  /// With `endsLine` being `false`, more can be written behind the text.
  package mutating func wrapped(
    _ text: String, _ role: TextRole = .plain, endsLine: Bool = true
  ) throws {
    guard let screen, column + screen.width(of: text) > screen.columns else {
      write(text, role)
      if endsLine { try endLine() }
      return
    }
    let indent = String(text.prefix { $0 == " " })
    let deeper = indent + "  "
    var row = indent
    var isEmpty = true
    for word in text.dropFirst(indent.count).split(
      separator: " ", omittingEmptySubsequences: false)
    {
      let longer = isEmpty ? "\(row)\(word)" : "\(row) \(word)"
      if isEmpty && column == 0 || column + screen.width(of: longer) <= screen.columns {
        row = longer
      } else {
        try line(row, role)
        row = "\(deeper)\(word)"
      }
      isEmpty = false
    }
    write(row, role)
    if endsLine { try endLine() }
  }
}

extension Session {
  /// The number of digits of the last step's number.
  var numberWidth: Int { timeline.number(at: log.count - 1).map { String($0).count } ?? 1 }
}
