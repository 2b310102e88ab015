import FluxJSON

/// A line of text with the meaning of each part.
///
/// The text of a command is made of such lines where a screen, a page or an editor draws it. A terminal gets the same parts
/// as bytes.
package struct StyledLine: Sendable, Equatable {
  /// A part of the line.
  package struct Span: Sendable, Equatable {
    package var text: String
    package var role: TextRole

    package init(_ text: String, _ role: TextRole = .plain) {
      (self.text, self.role) = (text, role)
    }
  }

  package var spans: [Span]

  package init(_ spans: [Span]) { self.spans = spans }

  /// Makes a line of one part.
  package init(_ text: String, _ role: TextRole = .plain) { spans = [Span(text, role)] }

  package var text: String { spans.map(\.text).joined() }

  /// Collects the lines that a closure writes as text.
  static func lines(_ write: (inout TextOutput) throws -> Void) throws -> [StyledLine] {
    var lines: [StyledLine] = []
    var output = TextOutput(LineCollector { lines += $0 })
    try write(&output)
    try output.flush()
    return lines
  }
}

/// Collects lines with their roles and passes them on in pieces, as `ByteSink` does with bytes.
final class LineCollector: TextSink {
  private var lines: [StyledLine] = []
  private(set) var hasBegun = false
  private var spans: [StyledLine.Span] = []
  private var byteCount = 0
  private let pass: ([StyledLine]) throws -> Void

  /// - Parameter pass: Receives the pieces; its errors end the output.
  init(_ pass: @escaping ([StyledLine]) throws -> Void) { self.pass = pass }

  func append(_ text: String, _ role: TextRole) {
    byteCount += text.utf8.count
    if role == .plain, spans.last?.role == .plain {
      spans[spans.count - 1].text += text
    } else {
      spans.append(StyledLine.Span(text, role))
    }
  }

  func append(_ json: JSON) throws {
    var text: [UInt8] = []
    var sink = ByteSink { text += $0 }
    try JSONStreamLayout.lay(out: json, to: &sink)
    try sink.flush()
    for (place, line) in text.split(separator: UInt8(ascii: "\n")).enumerated() {
      if place > 0 { try endLine() }
      append(String(decoding: line, as: UTF8.self), .plain)
    }
  }

  func endLine() throws {
    addLine()
    if byteCount >= ByteSink.pieceSize { try flush() }
  }

  private func addLine() {
    lines.append(StyledLine(spans))
    spans.removeAll(keepingCapacity: true)
    byteCount += 1
  }

  /// Passes on all lines, and what was written of the next one.
  func flush() throws {
    if !spans.isEmpty { addLine() }
    guard !lines.isEmpty else { return }
    hasBegun = true
    do {
      try pass(lines)
    } catch {
      throw SinkFailure(cause: error)
    }
    discard()
  }

  /// Drops what was not passed on yet.
  func discard() {
    lines.removeAll(keepingCapacity: true)
    spans.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}
