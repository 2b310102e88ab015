import FluxSystem
import FluxTerminal

/// The prompt before an edited line.
package struct Prompt: Equatable, Sendable {
  /// A piece of the prompt in one style.
  package struct Span: Equatable, Sendable {
    package var text: String
    package var style: TextStyle

    package init(_ text: String, style: TextStyle = .plain) {
      self.text = text
      self.style = style
    }
  }

  /// The spans on the left; a space follows them.
  package var spans: [Span]

  /// Creates a prompt from spans, whose text is escaped if need be.
  package init(_ spans: [Span]) {
    self.spans = spans
  }

  /// Creates a prompt from plain text.
  package init(_ text: String) {
    self.init([Span(text)])
  }

  /// The prompt for libedit, with each escape sequence between two bytes 1.
  var edited: String { Self.render(spans, escapeMark: "\u{1}") + " " }

  package var printed: String { Self.render(spans, escapeMark: "") + " " }

  var visible: String { spans.map { Self.shown($0.text) }.joined() + " " }

  /// Renders spans with one escape sequence for each change of style, and plain style at the end.
  ///
  /// libedit cannot handle two adjacent sequences.
  private static func render(_ spans: [Span], escapeMark: String) -> String {
    var result = ""
    var style = TextStyle.plain
    func turn(to next: TextStyle) {
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

/// The style of a text on a terminal.
package enum TextStyle: Int, Sendable {
  case plain = 0
  case green = 32
  case yellow = 33
  case cyan = 36

  /// The sequence that switches to this style from any other (ECMA-48, SGR).
  var sequence: String { self == .plain ? "\u{1B}[0m" : "\u{1B}[0;\(rawValue)m" }
}
