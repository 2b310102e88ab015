import FluxJSON
import FluxLog

extension ExportedSteps {
  private static let columns = [
    "n", "t", "time", "type", "payload", "target", "cause", "effect", "at", "rejected", "changed",
  ]

  /// Writes a table with a row for each step, as comma-separated values (RFC 4180).
  func writeTable(to sink: inout ByteSink) throws {
    sink.append(row: Self.columns)
    try forEach { position, step in
      sink.append(row: try fields(of: step, at: position))
      try sink.drain()
    }
  }

  private func fields(of step: LogStep, at position: Int) throws -> [String] {
    [
      String(step.number), Seconds(step.time).description, instant(of: step).description, step.type,
      step.payload?.description ?? "", step.target ?? "", step.cause.map { String($0) } ?? "",
      step.effect ?? "", step.source ?? "",
      step.rejection.map { "\($0.reason): \($0.message)" } ?? "",
      try timeline.changedStores(at: position).joined(separator: ", "),
    ]
  }
}

extension ByteSink {
  fileprivate mutating func append(row fields: [String]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(field.quotedIfNeeded.utf8)
    }
    append("\r\n".utf8)
  }
}

extension String {
  /// The field, in quotes if it contains a character that would end it.
  fileprivate var quotedIfNeeded: String {
    let ends: Set<UInt8> = [0x22, 0x2C, 0x0A, 0x0D]
    guard utf8.contains(where: ends.contains) else { return self }
    let doubled = unicodeScalars.reduce(into: "") { text, scalar in
      text += scalar == "\"" ? "\"\"" : String(scalar)
    }
    return "\"\(doubled)\""
  }
}
