/// What stands before the line that is edited.
package struct Prompt: Equatable, Sendable {
  /// A piece of the prompt in one style.
  package struct Span: Equatable, Sendable {
    package var text: String
    package var style: TextStyle

    /// Makes a span.
    package init(_ text: String, style: TextStyle = .plain) {
      self.text = text
      self.style = style
    }
  }

  /// What stands on the left.
  ///
  /// A space follows it.
  package var spans: [Span]
  /// What stands at the right edge of the first row, as long as the line leaves it room.
  package var right: [Span]

  /// Makes a prompt of spans, whose text is sanitised.
  package init(_ spans: [Span], right: [Span] = []) {
    self.spans = spans
    self.right = right
  }

  /// Makes a prompt of plain text.
  package init(_ text: String) {
    self.init([Span(text)])
  }

  /// The prompt as libedit takes it: escapes stand between two bytes 1.
  var edited: String { Self.render(spans, escapeMark: "\u{1}") + " " }

  /// The right prompt as libedit takes it.
  ///
  /// Escapes that nothing follows are dropped by libedit, so something plain has to end it.
  var editedRight: String { right.isEmpty ? "" : Self.render(right, escapeMark: "\u{1}") + " " }

  /// The prompt as a terminal takes it.
  package var printed: String { Self.render(spans, escapeMark: "") + " " }

  /// What is seen of the prompt.
  var visible: String { spans.map { Self.shown($0.text) }.joined() + " " }

  /// One escape for each change of style, as libedit confuses two that are neighbours, and plain at
  /// the end.
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

  /// The text without what libedit cannot place: scalars that take no column of their own.
  private static func shown(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: text.sanitised.unicodeScalars.filter { ColumnWidth.of($0) > 0 })
    return String(result)
  }
}
