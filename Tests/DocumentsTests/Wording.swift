/// Counts the patterns that make prose sound translated.
///
/// None of them is wrong in every sentence, so each page has a budget for them, which may only fall. A ``Habit``, in contrast,
/// is never allowed.
struct Wording: Equatable {
  enum Pattern: String, CaseIterable {
    /// A sentence of fewer than six words: rows of them read like a telegram.
    case short
    /// "The page has the figures", for contains, lists or covers.
    case has
    /// "The step that you go to", for "the step you go to".
    case that
    /// "Its folder of its own", for separate or "its own folder".
    case ofItsOwn = "of-its-own"
    /// A heading such as "The parts of a session", for "Session parts".
    case heading
    /// Words that only we use so: beside, today's, people's, is told, stands.
    case odd
  }

  private(set) var counts: [Pattern: Int] = [:]

  subscript(pattern: Pattern) -> Int { counts[pattern] ?? 0 }

  init(_ counts: [Pattern: Int]) { self.counts = counts.filter { $0.value != 0 } }

  /// Counts the patterns in a page.
  init(markdown: String) throws {
    let has = try Self.words(
      #"\b(has|have) (the|all|them|both|every|each|those|these)\b"#)
    let that = try Self.words(
      #"\b(the|a|an|any|every|each|all|those) [\w-]+ that (you|it|they|we) "#)
    let ofItsOwn = try Self.words(#"\bof (its|their|your|our|his) own\b"#)
    let odd = try Self.words(
      #"\b(beside|besides|today's|of today|people's|is told|are told|stands|whoever|just as well)\b"#
    )
    var counts: [Pattern: Int] = [:]
    for sentence in Prose(markdown: markdown).sentences {
      let text = sentence.text
      // Items and headings need no verb, so only whole sentences count as short; a single word is a label.
      if text.hasSuffix("."), (2..<6).contains(sentence.wordCount) {
        counts[.short, default: 0] += 1
      }
      counts[.has, default: 0] += text.matches(of: has).count
      counts[.that, default: 0] += text.matches(of: that).count
      counts[.ofItsOwn, default: 0] += text.matches(of: ofItsOwn).count
      counts[.odd, default: 0] += text.matches(of: odd).count
    }
    let ofHeading = /^#+ [^`#]* of (a|an|the|its|your|all)? ?\w+/
    for line in markdown.split(separator: "\n") where line.prefixMatch(of: ofHeading) != nil {
      counts[.heading, default: 0] += 1
    }
    self.init(counts)
  }

  private static func words(_ pattern: String) throws -> Regex<AnyRegexOutput> {
    try Regex(pattern).ignoresCase()
  }
}

extension Wording {
  /// The budget of a page in one line: the patterns that occur, with their numbers.
  var line: String {
    Pattern.allCases.filter { self[$0] > 0 }.map { "\($0.rawValue) \(self[$0])" }
      .joined(separator: ", ")
  }

  /// Reads a budget; `nil` if the line has another form.
  init?(line: some StringProtocol) {
    var counts: [Pattern: Int] = [:]
    for part in line.split(separator: ", ") {
      let words = part.split(separator: " ")
      guard words.count == 2, let pattern = Pattern(rawValue: String(words[0])),
        let count = Int(words[1])
      else { return nil }
      counts[pattern] = count
    }
    self.init(counts)
  }
}
