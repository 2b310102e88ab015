import Foundation

/// The sentences of a text, without code, tables, pictures and addresses.
struct Prose {
  /// A sentence, with the line on which its paragraph begins.
  struct Sentence: Equatable {
    let text: String
    let line: Int

    /// The number of words; each span of code counts as one.
    var wordCount: Int {
      text.split(whereSeparator: \.isWhitespace)
        .count { $0.contains { $0.isLetter || $0.isNumber } }
    }
  }

  let sentences: [Sentence]

  /// Reads a page in Markdown.
  ///
  /// Every paragraph, heading and list item stands alone.
  init(markdown: String) {
    var paragraphs: [(line: Int, text: String)] = []
    var isOpen = false
    var isCode = false
    let lines = markdown.replacing(/(?s)<!--.*?-->/) { match in
      String(repeating: "\n", count: match.output.count { $0.isNewline })
    }.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let content = line.drop { $0 == " " }
      if content.hasPrefix("```") {
        isCode.toggle()
        isOpen = false
      } else if isCode || content.isEmpty || content.hasPrefix("|") {
        isOpen = false
      } else if let item = content.prefixMatch(of: /(#+|-|\*|\d+\.) +/) {
        paragraphs.append((index + 1, String(content[item.range.upperBound...])))
        isOpen = !content.hasPrefix("#")
      } else if isOpen {
        paragraphs[paragraphs.count - 1].text += " " + content
      } else {
        paragraphs.append((index + 1, String(content)))
        isOpen = true
      }
    }
    sentences = paragraphs.flatMap { Self.sentences(of: $0.text, line: $0.line) }
  }

  /// Reads a help text.
  ///
  /// Every line is a paragraph, and an indented line is an example.
  init(help: String) {
    sentences = help.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.element.hasPrefix("  ") }
      .flatMap { Self.sentences(of: String($0.element), line: $0.offset + 1) }
  }

  private static func sentences(of paragraph: String, line: Int) -> [Sentence] {
    // Links keep their text. Code and addresses become one word, which may begin a sentence.
    let text = paragraph.replacing(/``?[^`]+``?/, with: "Code")
      .replacing(/!?\[(?<text>[^\]]*)\]\([^()\s]*\)/) { String($0.output.text) }
      .replacing(/<[a-z]+:[^>]*>|[a-z]+:\/\/\S+/, with: "Link")
      .replacing("**", with: "").replacing(/\*(?<text>[^*\s][^*]*)\*/) { String($0.output.text) }
    var sentences: [Sentence] = []
    var rest = text[...]
    while let end = rest.firstMatch(of: /[.!?]["”)]?\s+(?=["“(]?[A-Z])/) {
      sentences.append(sentence(rest[..<end.range.upperBound], line))
      rest = rest[end.range.upperBound...]
    }
    return (sentences + [sentence(rest, line)]).filter { !$0.text.isEmpty }
  }

  private static func sentence(_ text: Substring, _ line: Int) -> Sentence {
    Sentence(text: text.trimmingCharacters(in: .whitespaces), line: line)
  }
}
