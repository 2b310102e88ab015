/// Looks at a command line and knows at each place whether it is inside of quotes or brackets.
struct LineScanner {
  /// The scalars of the line.
  let scalars: [Unicode.Scalar]
  /// For each scalar, whether it stands outside of quotes, brackets and parentheses.
  let isFree: [Bool]

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var isFree: [Bool] = []
    var depth = 0
    var quote: Unicode.Scalar?
    var isEscaped = false
    for scalar in scalars {
      isFree.append(depth == 0 && quote == nil)
      guard quote == nil else {
        if scalar == quote, !isEscaped { quote = nil }
        isEscaped = scalar == "\\" && !isEscaped
        continue
      }
      switch scalar {
      case "'", "\"": quote = scalar
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth = max(0, depth - 1)
      default: break
      }
    }
    self.isFree = isFree
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
    var quote: Unicode.Scalar?
    var isEscaped = false
    for place in range {
      let scalar = scalars[place]
      if quote != nil, !isEscaped, scalar == "\\" {
        isEscaped = true
      } else if isEscaped {
        text.append(scalar)
        isEscaped = false
      } else if quote == nil, scalar == "'" || scalar == "\"" {
        quote = scalar
      } else if scalar == quote {
        quote = nil
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  /// What separates the words of a line.
  var isLineBlank: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }
}
