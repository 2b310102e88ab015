/// Looks at a command line and knows at each place whether it is inside of quotes or brackets.
///
/// A quote begins where a word or a value can begin: after a blank, a bracket, a comma, a colon or an operator.
/// Elsewhere an apostrophe is a letter like others, as in the pointer `/a/it's`.
struct LineScanner {
  /// The scalars of the line.
  let scalars: [Unicode.Scalar]
  /// For each scalar, whether it stands outside of quotes, brackets and parentheses.
  let isFree: [Bool]
  /// For each scalar, whether it begins or ends a quote.
  private let isQuote: [Bool]

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var isFree: [Bool] = []
    var isQuote: [Bool] = []
    var depth = 0
    var quote: Unicode.Scalar?
    var isEscaped = false
    var last: Unicode.Scalar = " "
    for scalar in scalars {
      isFree.append(depth == 0 && quote == nil)
      let begins = quote == nil && (scalar == "'" || scalar == "\"") && last.isBeforeQuote
      let ends = scalar == quote && !isEscaped
      isQuote.append(begins || ends)
      isEscaped = quote != nil && scalar == "\\" && !isEscaped
      last = scalar
      if begins { quote = scalar }
      if ends { quote = nil }
      guard quote == nil else { continue }
      switch scalar {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth = max(0, depth - 1)
      default: break
      }
    }
    self.isFree = isFree
    self.isQuote = isQuote
  }

  /// The text of a stretch of the line, without blanks around it.
  func text(_ range: Range<Int>) -> String {
    CommandLine.trimmed(String(String.UnicodeScalarView(scalars[range])))
  }

  /// The places of the words in a stretch: what blanks outside of quotes and brackets separate.
  func words(in range: Range<Int>) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    for place in range {
      let isBlank = isFree[place] && scalars[place].isLineBlank
      if isBlank, let begun = start { words.append(begun..<place) }
      start = isBlank ? nil : start ?? place
    }
    if let start { words.append(start..<range.upperBound) }
    return words
  }

  /// The word at a stretch, without the quotes around it or around its parts; in quotes, a
  /// backslash stands before a sign that is meant as itself.
  func unquoted(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    var isQuoted = false
    var isEscaped = false
    for place in range {
      let scalar = scalars[place]
      if isQuote[place] {
        isQuoted.toggle()
      } else if isQuoted, !isEscaped, scalar == "\\" {
        isEscaped = true
      } else {
        text.append(scalar)
        isEscaped = false
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  /// What separates the words of a line.
  var isLineBlank: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }

  /// Whether a quote can begin behind it.
  fileprivate var isBeforeQuote: Bool {
    switch self {
    case "(", "[", "{", ",", ":", "=", "<", ">", "!", "&", "|": true
    default: isLineBlank
    }
  }
}
