import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem

extension ExportFormat {
  /// A table of the steps, as comma-separated values (RFC 4180).
  static let csv = ExportFormat(
    name: "csv",
    help: """
      csv: a table (RFC 4180) with one row a step: n, t, time, type, payload, target, cause, effect, at, rejected, \
      changed. Text that a spreadsheet could take for a formula begins with an apostrophe, and control \
      characters are written as JSON escapes them.
      """
  ) { steps, sink in
    sink.append(row: columns)
    try steps.forEach { position, step in
      sink.append(row: try steps.fields(of: step, at: position))
      try sink.drain()
    }
    return []
  }

  private static let columns = [
    "n", "t", "time", "type", "payload", "target", "cause", "effect", "at", "rejected", "changed",
  ]
}

extension ExportedSteps {
  fileprivate func fields(of step: LogStep, at position: Int) throws -> [String] {
    [
      String(step.number), Seconds(step.time).description, instant(of: step).description,
      step.type.asCell, step.payload.map(\.asCell) ?? "", step.target?.asCell ?? "",
      step.cause.map(String.init) ?? "", step.effect?.asCell ?? "", step.source?.asCell ?? "",
      step.rejection.map { "\($0.reason): \($0.message)".asCell } ?? "",
      try StepSummary.stores(
        timeline.changedStores(at: position), step.unwritten,
        timeline.unrecordedStores(at: position)
      ).asCell,
    ]
  }
}

extension JSON {
  /// The JSON text; a number stays one, also if it is negative.
  fileprivate var asCell: String { kind == .number ? description : description.asCell }
}

extension String {
  /// The text as a spreadsheet may open it: what must not be shown as it is becomes an escape, also a tab or a return
  /// before a formula, and an apostrophe stands before what would be a formula.
  fileprivate var asCell: String {
    let text = printable(as: .json)
    // Some programs drop the blanks at the beginning.
    let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
    guard let first, "=+-@＝＋－＠﹢﹣﹦﹫−".unicodeScalars.contains(first) else { return text }
    return "'" + text
  }

  /// The field, in quotes if it contains a character that would end it.
  fileprivate var quotedIfNeeded: String {
    let ends: Set<UInt8> = [0x22, 0x2C, 0x0A, 0x0D]
    guard utf8.contains(where: ends.contains) else { return self }
    return "\"\(replacing(scalars: ["\"": "\"\""]))\""
  }
}

extension ByteSink {
  fileprivate mutating func append(row fields: [String]) {
    append(fields.map(\.quotedIfNeeded).joined(separator: ",") + "\r\n")
  }
}
