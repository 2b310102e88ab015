/// The source lines of the steps of a log, as its steps name them: each text once, and a number for each step.
///
/// To find them, every line of the log has to be read once. They are kept beside the log.
package struct SourceColumn: Sendable, Equatable {
  /// The texts, in the order of their first steps.
  package private(set) var texts: [String] = []
  /// The number of each step's text, counted from 1; 0 for a step without one.
  package private(set) var numbers: [UInt32] = []
  private var known: [String: UInt32] = [:]

  /// Creates the column of no steps.
  package init() {}

  init(texts: [String], numbers: [UInt32]) {
    (self.texts, self.numbers) = (texts, numbers)
    for (place, text) in texts.enumerated() { known[text] = UInt32(place) + 1 }
  }

  /// The number of steps.
  package var count: Int { numbers.count }

  /// Adds the text of the next step; nil if it has none.
  package mutating func append(_ text: String?) {
    guard let text else { return numbers.append(0) }
    if let number = known[text] { return numbers.append(number) }
    texts.append(text)
    known[text] = UInt32(texts.count)
    numbers.append(UInt32(texts.count))
  }

  /// Returns `true` if both have the same texts at the same steps.
  package static func == (left: SourceColumn, right: SourceColumn) -> Bool {
    left.texts == right.texts && left.numbers == right.numbers
  }
}
