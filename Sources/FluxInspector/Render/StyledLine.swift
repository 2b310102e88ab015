import FluxSystem

/// A line of text with the meaning of each part, for front-ends that draw.
package struct StyledLine: Sendable, Equatable {
  /// A piece of the line.
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

  /// The whole text.
  package var text: String { spans.map(\.text).joined() }

  /// Collects the lines that a closure writes as text.
  static func lines(_ write: (inout TextOutput) throws -> Void) throws -> [StyledLine] {
    var bytes: [UInt8] = []
    var output = TextOutput(ByteSink { bytes += $0 }, palette: .named)
    try write(&output)
    try output.flush()
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
      .map { StyledLine(marked: String(decoding: $0, as: UTF8.self)) }
  }

  /// Reads a line in which the palette of names marks the roles.
  private init(marked text: String) {
    var parts = text.split(separator: "\u{1B}", omittingEmptySubsequences: false)[...]
    spans = parts.popFirst().map { $0.isEmpty ? [] : [Span(String($0))] } ?? []
    for part in parts {
      // The names have the letter that ends a mark.
      let role = TextRole.allCases.first { part.hasPrefix("[\($0.rawValue)m") }
      let rest = String(part.dropFirst(role.map { $0.rawValue.count + 2 } ?? "[0m".count))
      if !rest.isEmpty { spans.append(Span(rest, role ?? .plain)) }
    }
  }
}
