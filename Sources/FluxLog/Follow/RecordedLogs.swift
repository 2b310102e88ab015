import FluxJSON
import FluxSystem

/// A file of a recording: the whole log, or a segment of it.
package struct RecordedSegment: Sendable {
  package let path: String
  /// The id in the header.
  package let log: String
  /// The number of the first step.
  package let first: UInt64
  /// The beginning of the recording; nil if the header does not say.
  package let created: LogInstant?
  private let identity: FileIdentity
  /// The first bytes of the header, which contain the id: the system may give a new file the identity of an old one.
  private let beginning: [UInt8]

  private static let beginningByteCount = 128

  /// Reads the header of a file; nil if it has no id.
  fileprivate init?(_ path: String, _ file: OpenFile) throws(LogError) {
    let header = try HeaderLine(file: file, size: try file.status().size).header
    guard let log = header.log else { return nil }
    self.path = path
    (self.log, first, created) = (log, header.first, header.created)
    identity = try file.identity()
    beginning = try file.bytes(at: 0, count: Self.beginningByteCount)
  }

  /// Returns `true` if an open file is this one.
  func isContent(of file: OpenFile) throws(LogError) -> Bool {
    guard try file.identity() == identity else { return false }
    return try file.bytes(at: 0, count: beginning.count) == beginning
  }
}

/// The logs that a recorder has written at its destination, now and in earlier launches, found by their headers.
///
/// A log changes its name if a later launch needs that, so a log is known by the id in its header.
package final class RecordedLogs: Sendable {
  private let paths: @Sendable () throws(LogError) -> [String]
  /// The headers that were read, by path; they never change.
  ///
  /// A monitor, because the Thread Sanitizer does not see the locking of Linux's `Mutex`, and several parts of an app ask.
  private let known = Monitor<[String: RecordedSegment]>([:])

  /// Finds the logs at a path: the log itself, those that made room for it, and the segments of a flight recorder.
  package init(at path: String) {
    paths = {
      let names = LogFileNames(path: path)
      return [path]
        + [LogFileNames.Series.numbered, .segments].flatMap { series in
          names.numbers(series).map { names.path(series, $0) }
        }
    }
  }

  /// Finds the logs of all launches in a folder.
  package init(in folder: LaunchFolder) {
    paths = { () throws(LogError) in try folder.launches().flatMap { $0.logs.map(\.path) } }
  }

  /// Returns all segments: the newest recording last, and its segments in order.
  ///
  /// - Throws: ``LogError`` if the folder cannot be read, or ``LogError/isOutOfFiles``.
  package func segments() throws(LogError) -> [RecordedSegment] {
    let paths = try paths()
    var found: [RecordedSegment] = []
    for path in paths { if let segment = try findSegment(at: path) { found.append(segment) } }
    known.withLock { $0 = $0.filter { paths.contains($0.key) } }
    return found.sorted { left, right in
      let starts = [left, right].map { $0.created ?? LogInstant(microseconds: 0) }
      return (starts[0], left.log, left.first) < (starts[1], right.log, right.first)
    }
  }

  /// Returns the segments of a recording, in order; none if it is unknown.
  ///
  /// - Throws: ``LogError`` if the folder cannot be read, or ``LogError/isOutOfFiles``.
  package func segments(of log: String) throws(LogError) -> [RecordedSegment] {
    try segments().filter { $0.log == log }
  }

  /// Returns the segment at a path; nil if there is none that can be read.
  package func segment(at path: String) -> RecordedSegment? {
    do throws(LogError) {
      return try findSegment(at: path)
    } catch {
      return nil
    }
  }

  /// Returns the segment at a path; nil if it is none of the recorder's.
  ///
  /// - Throws: ``LogError/isOutOfFiles``, which says nothing about the file.
  private func findSegment(at path: String) throws(LogError) -> RecordedSegment? {
    do throws(LogError) {
      let file = try OpenFile(reading: path, followsLinks: false)
      if let segment = known.withLock({ $0[path] }), try segment.isContent(of: file) {
        return segment
      }
      let segment = try RecordedSegment(path, file)
      known.withLock { $0[path] = segment }
      return segment
    } catch {
      if error.isOutOfFiles { throw error }
      // Deleted meanwhile, reserved by a recorder that begins, or no log at all: it is none of the recorder's logs.
      return nil
    }
  }
}
