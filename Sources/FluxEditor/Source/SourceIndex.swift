import FluxLog

/// The steps of a log by the source lines that dispatched them.
///
/// It is made when the first source breakpoint is set, and extended when the log grows. Reads no step: the log's index
/// has the source lines.
struct SourceIndex: Sendable {
  /// The number of steps that are indexed.
  private(set) var count = 0
  /// The source lines by their numbers in the log; nil for a text in another form.
  private var lines: [SourceLine?] = []
  /// The positions of each line, in order.
  private(set) var positions: [SourceLine: [Int]] = [:]
  private(set) var files: [String: Set<SourceFileName>] = [:]

  /// Adds the steps that are not indexed yet.
  mutating func extend(to end: Int, of log: LogFile) {
    // The last line of a log that is being written can turn out to be no step.
    if end < count { self = SourceIndex() }
    guard count < end else { return }
    lines += log.sourceTexts[lines.count...].map(SourceLine.init)
    log.forEachSource(in: count..<end) { position, source in
      guard let line = lines[source] else { return }
      if positions[line, default: []].isEmpty {
        files[line.file.base, default: []].insert(line.file)
      }
      positions[line, default: []].append(position)
    }
    count = end
  }

  /// The lines that dispatched steps, in any of several files of one name.
  func lines(of files: Set<SourceFileName>) -> Set<Int> {
    Set(positions.keys.lazy.filter { files.contains($0.file) }.map(\.line))
  }

  /// The positions of a line, in any of several files of one name.
  func positions(of line: Int, in files: Set<SourceFileName>) -> [Int] {
    positions.filter { $0.key.line == line && files.contains($0.key.file) }
      .flatMap(\.value).sorted()
  }
}
