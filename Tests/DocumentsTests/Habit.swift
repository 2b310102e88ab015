/// A habit of wording that the project's prose avoids, and the words to use instead.
struct Habit {
  /// A regular expression, matched without case in a sentence without its final punctuation.
  let pattern: String
  let advice: String

  static let all = [
    Habit(pattern: #"\bnil where\b"#, advice: "nil if"),
    Habit(pattern: #"^where\b"#, advice: "if or when: where is for places"),
    Habit(pattern: #"\b(is|are) (another|others) than\b"#, advice: "differs from"),
    Habit(pattern: #"\bis another one\b"#, advice: "differs"),
    Habit(pattern: #"\bno more$"#, advice: "no longer, before the verb"),
    Habit(pattern: #"\banew\b"#, advice: "again"),
    Habit(pattern: #"\b(is|are|was|were) told of\b"#, advice: "receives, is notified of"),
    Habit(pattern: #"\bso many\b"#, advice: "that many, or a number"),
    Habit(pattern: #"\bholds? of\b"#, advice: "is true for"),
    Habit(pattern: #"\bcomes? to another\b"#, advice: "differs, diverges"),
    Habit(pattern: #"\b(becomes?|became|comes|came) of\b"#, advice: "the outcome of, results from"),
    Habit(pattern: #"\blets? go of\b"#, advice: "releases"),
    Habit(pattern: #"\bbears?\b"#, advice: "has"),
    Habit(pattern: #"\blikewise\b"#, advice: "also, the same"),
    Habit(pattern: #"\bby itself\b"#, advice: "alone, without help"),
    Habit(pattern: #"\bgoes on\b"#, advice: "continues"),
    Habit(pattern: #"\bjust so\b"#, advice: "say exactly how"),
    Habit(pattern: #"\bgoes away\b"#, advice: "disappears, is removed"),
  ]

  /// The longest sentence that a reader follows without going back.
  static let maximumWordCount = 40

  /// Describes the bad habits in a text, one line each: where, what, and what to write instead.
  static func findings(in prose: Prose, of source: String) throws -> [String] {
    let habits = try all.map { (try Regex($0.pattern).ignoresCase(), $0.advice) }
    return prose.sentences.flatMap { sentence in
      let place = "\(source):\(sentence.line)"
      let text = sentence.text.trimmingSuffix { ".!:".contains($0) }
      var findings = habits.compactMap { regex, advice -> String? in
        guard !text.hasSuffix("?"), let match = text.firstMatch(of: regex) else { return nil }
        return "\(place): “\(text[match.range])” (\(advice)): \(sentence.text)"
      }
      if sentence.wordCount > maximumWordCount {
        findings.append("\(place): a sentence of \(sentence.wordCount) words: \(sentence.text)")
      }
      return findings
    }
  }

  /// Describes the doc comments that begin with a word that says nothing about the symbol.
  static func findings(inDocCommentsOf swift: String, of source: String) -> [String] {
    var isInside = false
    return swift.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      index, line in
      let content = line.drop { $0 == " " }
      defer { isInside = content.hasPrefix("///") }
      // Words are compared without a regular expression, which would take most of the time of all documents' tests.
      guard !isInside, content.hasPrefix("/// "),
        ["What", "Whether", "Where", "How", "Who"].contains(
          content.dropFirst(4).prefix(while: \.isLetter))
      else { return nil }
      return "\(source):\(index + 1): begin with the noun or the verb that matters: \(content)"
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
    var text = self[...]
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return text
  }
}
