import FluxSystem
package import FluxTerminal

/// The prompt before an edited line.
package struct Prompt: Equatable, Sendable {
  /// The spans on the left; a space follows them.
  package var spans: [StyledSpan]

  /// Creates a prompt from spans, whose text is escaped if need be.
  package init(_ spans: [StyledSpan]) {
    self.spans = spans
  }

  /// Creates a prompt from plain text.
  package init(_ text: String) {
    self.init([StyledSpan(text)])
  }

  /// The prompt for libedit, with each escape sequence between two bytes 1.
  var edited: String { Self.render(spans, escapeMark: "\u{1}") + " " }

  package var printed: String { Self.render(spans, escapeMark: "") + " " }

  var visible: String { spans.map { Self.shown($0.text) }.joined() + " " }

  /// Renders spans with one escape sequence for each change of style, and plain style at the end.
  ///
  /// libedit cannot handle two adjacent sequences.
  private static func render(_ spans: [StyledSpan], escapeMark: String) -> String {
    var result = ""
    var style = CellStyle.plain
    func turn(to next: CellStyle) {
      guard next != style else { return }
      result += escapeMark + next.sequence + escapeMark
      style = next
    }
    for span in spans {
      let text = shown(span.text)
      guard !text.isEmpty else { continue }
      turn(to: span.style)
      result += text
    }
    turn(to: .plain)
    return result
  }

  /// Removes scalars without a column, which libedit cannot place.
  private static func shown(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: text.printable.unicodeScalars.filter { ColumnWidth.of($0) > 0 })
    return String(result)
  }
}
