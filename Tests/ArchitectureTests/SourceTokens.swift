/// The identifiers and punctuation of a Swift source, without comments and the text of string literals.
///
/// Interpolations in string literals count as code. This is not a full lexer: it knows just enough to tell
/// code from text, which is all that finding declared and used names takes.
struct SourceTokens {
  enum Token: Equatable {
    case word(String)
    case mark(Character)
  }

  private(set) var tokens: [Token] = []
  private let characters: [Character]
  private var index = 0

  init(_ text: String) {
    characters = Array(text)
    scan(until: nil)
  }

  /// Scans code up to the end of the text, or to the parenthesis that closes an interpolation.
  private mutating func scan(until closing: Character?) {
    var depth = 0
    while let next = peek() {
      if isAhead("//") {
        skipLine()
      } else if isAhead("/*") {
        skipComment()
      } else if next == "\"" || (next == "#" && isStringAhead) {
        scanString()
      } else if next.isLetter || next == "_" {
        scanWord()
      } else {
        if next == "(" { depth += 1 }
        if next == ")" {
          if closing != nil, depth == 0 { return }
          depth -= 1
        }
        if !next.isWhitespace { tokens.append(.mark(next)) }
        index += 1
      }
    }
  }

  private func peek(_ distance: Int = 0) -> Character? {
    let place = index + distance
    return place < characters.count ? characters[place] : nil
  }

  private func isAhead(_ text: String) -> Bool {
    text.enumerated().allSatisfy { peek($0.offset) == $0.element }
  }

  private var isStringAhead: Bool {
    var distance = 0
    while peek(distance) == "#" { distance += 1 }
    return peek(distance) == "\""
  }

  private mutating func skipLine() {
    while let next = peek(), next != "\n" { index += 1 }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if isAhead("/*") {
        depth += 1
        index += 2
      } else if isAhead("*/") {
        depth -= 1
        index += 2
      } else {
        index += 1
      }
    } while depth > 0 && peek() != nil
  }

  private mutating func scanWord() {
    var word = ""
    while let next = peek(), next.isLetter || next.isNumber || next == "_" {
      word.append(next)
      index += 1
    }
    tokens.append(.word(word))
  }

  private mutating func scanString() {
    var pounds = ""
    while peek() == "#" {
      pounds.append("#")
      index += 1
    }
    let quote = isAhead("\"\"\"") ? "\"\"\"" : "\""
    index += quote.count
    while peek() != nil, !isAhead(quote + pounds) {
      if isAhead("\\" + pounds + "(") {
        index += 2 + pounds.count
        scan(until: ")")
        index += 1
      } else if isAhead("\\" + pounds) {
        index += 2 + pounds.count
      } else {
        index += 1
      }
    }
    index += quote.count + pounds.count
  }
}
