import FluxInspector
import FluxLog

/// The steps of a log by the source lines that dispatched them.
///
/// It is made when the first source breakpoint is set, by one pass through the log, and extended when the log grows.
struct SourceIndex: Sendable {
  /// The number of steps between two reports of progress.
  private static let stretch = 1024

  /// The number of steps that are indexed.
  private(set) var count = 0
  /// The positions of each line, in order.
  private(set) var positions: [SourceLine: [Int]] = [:]
  /// The files of each name.
  private(set) var files: [String: Set<SourceFileName>] = [:]

  /// Adds the steps that are not indexed yet.
  ///
  /// - Throws: ``CommandError`` if the work is cancelled, and errors of the log.
  mutating func extend(to end: Int, of log: LogFile, _ work: Work) throws {
    // The last line of a log that is being written can turn out to be no step.
    if end < count { self = SourceIndex() }
    var lines: [String: SourceLine] = [:]
    while count < end {
      if work.isCancelled() { throw CommandError(.cancelled, "interrupted") }
      work.progress(Progress(activity: "finding source lines", done: count, total: end))
      let stop = min(end, count + Self.stretch)
      while count < stop {
        defer { count += 1 }
        guard let text = SourceMember.text(in: try log.lineText(at: count)) else { continue }
        guard let line = lines[text] ?? SourceLine(text) else { continue }
        lines[text] = line
        positions[line, default: []].append(count)
        files[line.file.base, default: []].insert(line.file)
      }
    }
  }

  /// The lines of a file that dispatched steps, in order.
  func lines(of files: some Sequence<SourceFileName>) -> [Int] {
    let files = Set(files)
    return positions.keys.filter { files.contains($0.file) }.map(\.line).sorted()
  }

  /// The positions of a line, in any of several files of one name.
  func positions(of line: Int, in files: some Sequence<SourceFileName>) -> [Int] {
    let files = Set(files)
    return positions.filter { $0.key.line == line && files.contains($0.key.file) }
      .flatMap(\.value).sorted()
  }
}
