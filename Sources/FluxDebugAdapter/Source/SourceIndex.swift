import FluxInspector
import FluxLog

/// The steps of a log by the source lines that dispatched them.
///
/// It is made when the first source breakpoint is set, and extended when the log grows. The first session with a log
/// passes through all of it. If the log has an index beside it, the lines are kept there for the next session.
struct SourceIndex: Sendable {
  /// The number of steps between two reports of progress.
  private static let stretch = 1024

  /// The texts of all steps that are indexed.
  private var column = SourceColumn()
  /// The lines of the column's texts; nil for a text in another form.
  private var lines: [SourceLine?] = []
  /// The positions of each line, in order.
  private(set) var positions: [SourceLine: [Int]] = [:]
  /// The files of each name.
  private(set) var files: [String: Set<SourceFileName>] = [:]

  /// The number of steps that are indexed.
  var count: Int { column.count }

  /// Adds the steps that are not indexed yet.
  ///
  /// - Throws: ``CommandError`` if the work is cancelled, and errors of the log.
  mutating func extend(to end: Int, of log: LogFile, _ work: Work) throws {
    // The last line of a log that is being written can turn out to be no step.
    if end < count { self = SourceIndex() }
    if count == 0, let stored = log.storedSources(), stored.count == end {
      column = stored
      return take(0..<end)
    }
    guard count < end else { return }
    while count < end {
      if work.isCancelled() { throw CommandError(.cancelled, "interrupted") }
      work.progress(Progress(activity: "finding source lines", done: count, total: end))
      let start = count
      // What was read is kept if a line cannot be read, or the work is cancelled.
      defer { take(start..<count) }
      while count < min(end, start + Self.stretch) {
        column.append(SourceMember.text(in: try log.lineText(at: count)))
      }
    }
    do throws(LogError) {
      try log.storeSources(column)
    } catch {
      // Keeping them is optional: the next session finds them again.
    }
  }

  /// Sorts steps of the column by their lines.
  private mutating func take(_ range: Range<Int>) {
    for text in column.texts[lines.count...] {
      let line = SourceLine(text)
      lines.append(line)
      if let line { files[line.file.base, default: []].insert(line.file) }
    }
    for position in range {
      let number = Int(column.numbers[position])
      guard number > 0, let line = lines[number - 1] else { continue }
      positions[line, default: []].append(position)
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
