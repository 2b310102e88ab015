import FluxSystem

/// The files of one launch.
package struct LaunchFiles: Sendable {
  /// A file, as it was when the folder was listed.
  package struct File: Sendable, Equatable {
    package let path: String
    package let byteCount: Int64
    /// The last change of the content, in nanoseconds since 1970.
    package let modified: Int64

    init(path: String, _ status: FileStatus) {
      self.path = path
      byteCount = status.byteCount
      modified = status.modified
    }
  }

  package let name: LaunchName
  /// The logs with a header: one, or the segments in order.
  package private(set) var logs: [File] = []
  /// Everything else: actions in flight, locks, indexes, and files that were never completed.
  package private(set) var others: [File] = []
  private var numbers: [String: Int] = [:]

  init(name: LaunchName) {
    self.name = name
  }

  /// The files with the actions in flight of a launch that is recorded or has crashed.
  package var inFlight: [File] { others.filter { $0.path.hasSuffix(".inflight") } }

  package var byteCount: Int64 { (logs + others).reduce(0) { $0 + $1.byteCount } }

  /// Orders launches by their beginning, and those that began in one second by their last change.
  static func isOlder(_ left: LaunchFiles, _ right: LaunchFiles) -> Bool {
    (left.name.start, left.lastChange, left.name.text)
      < (right.name.start, right.lastChange, right.name.text)
  }

  private var lastChange: Int64 { (logs + others).lazy.map(\.modified).max() ?? 0 }

  mutating func add(_ file: String, _ status: File) {
    // A recorder reserves a name with an empty file.
    guard status.byteCount > 0, let number = Self.number(of: file, in: name) else {
      return others.append(status)
    }
    numbers[status.path] = number
    logs.append(status)
  }

  /// The files with the logs in the order in which they were recorded.
  var inOrder: LaunchFiles {
    var sorted = self
    sorted.logs.sort { numbers[$0.path, default: 0] < numbers[$1.path, default: 0] }
    return sorted
  }

  /// Removes a log from the list, and the files next to it.
  mutating func remove(_ log: File) {
    logs.removeAll { $0 == log }
    let beside =
      [LogFileNames.indexPath(of: log.path)] + LogFileNames.inFlightPaths(of: log.path)
    others.removeAll { beside.contains($0.path) }
  }

  /// Returns the number of a log among the launch's logs; nil if the file is no log.
  private static func number(of file: String, in launch: LaunchName) -> Int? {
    guard file.hasPrefix(launch.text), file.hasSuffix(".jsonl") else { return nil }
    let middle = file.dropFirst(launch.text.count).dropLast(".jsonl".count)
    guard let separator = middle.first else { return 0 }
    return separator == "." || separator == "~" ? LogFileNames.number(middle.dropFirst()) : nil
  }
}
