/// The source lines of the steps of a log, as its steps name them: each text once, and a number for each step.
///
/// To find them, every line of the log has to be read once. ``LogFile/storeSources(_:)`` keeps them beside the log.
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

extension LogFile {
  /// The source lines that an earlier session kept in the index file beside the log; nil if there are none for all steps.
  package func storedSources() -> SourceColumn? {
    guard usesSidecar, isIndexComplete,
      let sources = Sidecar.sources(of: file, header: headerText), sources.count == count
    else { return nil }
    return sources
  }

  /// Keeps the source lines of all steps in the index file beside the log, if there is one that belongs to it.
  ///
  /// - Returns: `true` if they were written.
  /// - Throws: ``LogError`` if the index file cannot be replaced; it is then as it was.
  @discardableResult
  package func storeSources(_ sources: SourceColumn) throws(LogError) -> Bool {
    guard usesSidecar, isIndexComplete, sources.count == count else { return false }
    return try Sidecar.add(sources, to: file, header: headerText)
  }
}
