import FluxJSON
import FluxSystem

/// A copy of the log that an app records, with the same segments, which can be read while it grows.
///
/// Its files only grow, and contain the app's bytes from the start of each segment on. So after any break, also one of
/// this process, the copy continues from ``place``. The names of its files are chosen here, and nothing that the app sends
/// is part of a path.
package final class LogCopy: Sendable {
  private struct Segment {
    let path: String
    let first: UInt64
    /// The file, which is locked; nil once a later segment has its header.
    ///
    /// A copy may have more segments than a process may have open files.
    var file: OpenFile?
    /// The size of the file.
    var byteCount: Int
    /// `true` if the first line is the header that the app promised.
    var hasHeader: Bool
  }

  private struct State {
    var log: String?
    var segments: [Segment] = []
    /// The number of the next file, in its name; the first has none.
    var nextNumber = 1
    /// A file that was begun by a process that ended before its header was complete.
    var unfinished: OpenFile?
    /// The offset of the next byte to come; nil if the app has not begun.
    var next: Int?
    /// The number of the connection that the bytes come from; what an earlier one still brings is ignored.
    var source = 0
    var deleted: [ClosedRange<UInt64>] = []
    var isClosed: Bool?
    var failure: Failure?

    /// The bytes on the disk, where each file takes a block.
    var byteCount: Int { segments.reduce(0) { $0 + max($1.byteCount, 4096) } }
  }

  /// The path of the first file; the next ones have numbers.
  package let path: String
  private let names: LogFileNames
  private let limit: Int
  private let state: Monitor<State>

  /// Makes a copy, or continues one whose files are there.
  ///
  /// - Parameters:
  ///   - path: The path of the first file.
  ///   - limit: The bytes of all files at most; the oldest segments are deleted first.
  ///   - original: The path of the app's file, which is refused as a copy also if its recorder does not lock it.
  /// - Throws: ``LogError`` if another file is at the path, if a recorder or another copy writes it, or if a file cannot
  ///   be read.
  package init(
    at path: String, limit: Int = MemoryLimit.standard.unpackedByteCount, of original: String? = nil
  ) throws(LogError) {
    (self.path, self.limit) = (path, limit)
    names = LogFileNames(path: path)
    var state = State()
    let logs = RecordedLogs(at: path)
    let recorded = original.flatMap(Self.identity(of:))
    var newest: (first: UInt64, file: OpenFile)?
    for path in [path] + names.numbers(.segments).map({ [names] in names.path(.segments, $0) }) {
      guard try FileStatus(at: path, followsLinks: false) != nil else { continue }
      let file = try OpenFile(appending: path)
      try Self.lock(file)
      guard try file.identity() != recorded else { throw LogError(path: path, reason: .locked) }
      guard let segment = logs.segment(at: path) else {
        guard try Self.isBegun(file) else { throw LogError(path: path, reason: .exists) }
        state.unfinished = file
        continue
      }
      guard state.log == nil || state.log == segment.log else {
        throw LogError(path: path, reason: .exists)
      }
      state.log = segment.log
      state.segments.append(
        Segment(
          path: path, first: segment.first, byteCount: try file.status().size, hasHeader: true))
      if newest.map({ $0.first <= segment.first }) ?? true { newest = (segment.first, file) }
    }
    state.segments.sort { $0.first < $1.first }
    if let last = state.segments.indices.last { state.segments[last].file = newest?.file }
    for (segment, next) in zip(state.segments, state.segments.dropFirst()) {
      state.deleted += try Self.steps(between: segment, and: next.first)
    }
    if !state.segments.isEmpty { state.nextNumber = max(2, names.next(.segments)) }
    self.state = Monitor(state)
  }

  /// Returns the identity of a file; nil if it cannot be found, as one on another machine.
  private static func identity(of path: String) -> FileIdentity? {
    do throws(LogError) {
      return try FileStatus(at: path, followsLinks: true)?.identity
    } catch {
      return nil
    }
  }

  /// Returns a path for the copy of another log next to one at a path: the next numbered name that is free.
  package static func nextPath(beside path: String) -> String {
    let names = LogFileNames(path: path)
    return names.path(.numbered, names.next(.numbered))
  }

  /// Takes the lock of a file, which a recorder holds on the log that it writes, and another copy on each of its files.
  private static func lock(_ file: OpenFile) throws(LogError) {
    guard try file.lock() else { throw LogError(path: file.path, reason: .locked) }
  }

  /// Returns `true` for an empty file, and for the beginning of a header.
  private static func isBegun(_ file: OpenFile) throws(LogError) -> Bool {
    let beginning = #"{"flux":"#.utf8
    let bytes = try file.bytes(at: 0, count: beginning.count)
    let size = try file.status().size
    guard try file.newline(in: 0..<size, by: 1 << 16) == nil else { return false }
    return beginning.starts(with: bytes) || bytes.elementsEqual(beginning)
  }

  // MARK: State

  /// The id of the log; nil before it is known.
  package var log: String? { state.withLock { $0.log } }

  /// The path of the newest segment; nil before its header is there.
  package var newestPath: String? { state.withLock { $0.segments.last { $0.hasHeader }?.path } }

  /// The paths of all segments, oldest first.
  package var paths: [String] { state.withLock { $0.segments.map(\.path) } }

  /// The steps between two segments that the app had deleted before it sent them.
  package var deleted: [ClosedRange<UInt64>] { state.withLock { $0.deleted } }

  /// `true` if the log was closed, `false` if its app has ended otherwise; nil if more may come.
  package var isClosed: Bool? { state.withLock { $0.isClosed } }

  /// The reason why the copy does not continue; nil if it does.
  package var failure: Failure? { state.withLock { $0.failure } }

  /// The number of the next file, and the offset of the next byte to come; it changes whenever something comes.
  package var next: (file: Int, offset: Int?) { state.withLock { ($0.nextNumber, $0.next) } }

  /// The place after the last complete line; nil if there is none.
  package func place() throws(LogError) -> SegmentPlace? {
    let found = state.withLock { ($0.log, $0.segments) }
    for segment in found.1.reversed() where segment.hasHeader {
      guard let log = found.0, let recorded = RecordedLogs(at: path).segment(at: segment.path),
        recorded.log == log, var reader = try SegmentReader(recorded)
      else { throw LogError(path: segment.path, reason: .changed) }
      return try reader.lastPlace()
    }
    return nil
  }

  /// Waits until the copy has all lines before a place, or does not continue.
  ///
  /// - Returns: `true` if it has them.
  package func wait(for place: SegmentPlace, milliseconds: Int) -> Bool {
    func isReached(_ state: borrowing State) -> Bool {
      guard let log = state.log, let last = state.segments.last else { return false }
      return place.isReached(
        by: SegmentPlace(log: log, first: last.first, offset: last.byteCount))
    }
    return state.waitUntil(
      milliseconds: milliseconds, { isReached($0) || $0.failure != nil }
    ) { isReached($0) }
  }

  /// Waits until the app has said that the log ends here, or the copy does not continue; returns `true` if it has.
  package func waitForEnd(milliseconds: Int) -> Bool {
    state.waitUntil(milliseconds: milliseconds, { $0.isClosed != nil || $0.failure != nil }) {
      $0.isClosed != nil
    }
  }

  // MARK: Receiving

  /// Begins to receive from another connection, instead of the one before.
  ///
  /// - Returns: The number of the connection.
  package func connect() -> Int {
    state.withLock { state in
      state.source += 1
      state.next = nil
      state.isClosed = nil
      // The next segment may be another one by now, or its header is sent again.
      if let last = state.segments.last, !last.hasHeader {
        state.unfinished = last.file
        state.segments.removeLast()
      }
      return state.source
    }
  }

  /// Begins a segment, or continues the newest from a place.
  ///
  /// - Throws: ``Failure``, which is also kept.
  package func begin(_ place: SegmentPlace, from source: Int) throws(Failure) {
    try change(source) { [path, names] state throws(Failure) in
      guard state.log == nil || state.log == place.log else {
        throw .invalid("the log \(place.log) instead of \(state.log ?? "")")
      }
      if let last = state.segments.last, last.first == place.first {
        guard place.offset <= last.byteCount else {
          throw .invalid("byte \(place.offset) of a segment with \(last.byteCount) bytes here")
        }
        return state.next = place.offset
      }
      guard place.offset == 0, state.segments.last.map({ $0.first < place.first }) ?? true else {
        throw .invalid("byte \(place.offset) of the segment from step \(place.first)")
      }
      if let last = state.segments.last {
        guard last.hasHeader else { throw .invalid("a segment without a header") }
      }
      do throws(LogError) {
        if let begun = state.unfinished.take() {
          guard unsafe unlink(begun.path) == 0 else {
            throw LogError(SystemError(lastOf: "delete"), path: begun.path)
          }
        }
        let new = state.nextNumber == 1 ? path : names.path(.segments, state.nextNumber)
        state.nextNumber += 1
        let file = try OpenFile(creating: new)
        try Self.lock(file)
        state.segments.append(
          Segment(path: new, first: place.first, file: file, byteCount: 0, hasHeader: false))
      } catch {
        throw .file(error)
      }
      (state.log, state.next) = (place.log, 0)
      try makeRoom(in: &state)
    }
  }

  /// Appends bytes of the newest segment that the copy does not have.
  ///
  /// - Throws: ``Failure``, which is also kept.
  package func append(_ bytes: [UInt8], at offset: Int, from source: Int) throws(Failure) {
    try change(source) { state throws(Failure) in
      guard let next = state.next, let index = state.segments.indices.last,
        let file = state.segments[index].file
      else { throw .invalid("text before log/segment, which names its place") }
      guard offset == next else { throw .invalid("text at byte \(offset) instead of \(next)") }
      let segment = state.segments[index]
      do throws(LogError) {
        let known = min(bytes.count, segment.byteCount - offset)
        if known > 0, try file.bytes(at: offset, count: known) != Array(bytes[..<known]) {
          throw LogError(path: segment.path, reason: .changed)
        }
        let new = file.append(Array(bytes[known...]))
        state.segments[index].byteCount += new.written
        if let failure = new.failure { throw failure }
        state.next = offset + bytes.count
      } catch {
        if case .changed = error.reason {
          throw .invalid("other bytes at \(offset) than before, in \(segment.path)")
        }
        if !segment.hasHeader {
          // On a full disk, an empty file or a part of a header would be all that is kept.
          unsafe unlink(segment.path)
          state.segments.removeLast()
        }
        throw .file(error)
      }
      if !segment.hasHeader, bytes.contains(0x0A) { try checkHeader(of: index, in: &state) }
      try makeRoom(in: &state)
    }
  }

  /// Takes note that the app sends no more of the log.
  package func end(isClosed: Bool, from source: Int) {
    state.withLock { if $0.source == source { $0.isClosed = isClosed } }
    state.signal()
  }

  /// Keeps the reason why the copy does not continue, unless its connection was replaced; the first reason counts.
  package func fail(_ failure: Failure, from source: Int? = nil) {
    state.withLock { state in
      guard source == nil || source == state.source, state.failure == nil else { return }
      state.failure = failure
    }
    state.signal()
  }

  /// Calls `body` unless the copy has failed or the connection was replaced, and keeps its failure.
  private func change(
    _ source: Int, _ body: (inout State) throws(Failure) -> Void
  ) throws(Failure) {
    defer { state.signal() }
    try state.withLock { state throws(Failure) in
      guard state.source == source else { return }
      if let failure = state.failure { throw failure }
      do throws(Failure) {
        try body(&state)
      } catch {
        state.failure = error
        throw error
      }
    }
  }

  /// Checks the first line, which is complete.
  private func checkHeader(of index: Int, in state: inout State) throws(Failure) {
    let segment = state.segments[index]
    do throws(LogError) {
      let header = try LogFile.header(of: LogPlace(segment.path))
      guard header.log == state.log, header.first == segment.first else {
        throw LogError(path: segment.path, reason: .changed)
      }
      state.segments[index].hasHeader = true
      // Not before: after a break, another segment may come instead of one without a header.
      if index > 0 {
        state.segments[index - 1].file = nil
        state.deleted += try Self.steps(between: state.segments[index - 1], and: segment.first)
      }
    } catch {
      if case .system = error.reason { throw .file(error) }
      throw .invalid(
        "a first line that is not the header of the segment from step \(segment.first)")
    }
  }

  /// Deletes the oldest segments until the limit is kept.
  private func makeRoom(in state: inout State) throws(Failure) {
    while state.byteCount > limit {
      guard state.segments.count > 1 else { throw .tooLarge(byteCount: limit) }
      let oldest = state.segments.removeFirst()
      // A file that stays is no reason to end the copy: the next one makes room as well.
      unsafe unlink(oldest.path)
    }
  }

  /// Returns the steps between a segment and the next one.
  private static func steps(
    between last: Segment, and first: UInt64
  ) throws(LogError) -> [ClosedRange<UInt64>] {
    let file = try LogFile.open(last.path)
    try file.waitForIndex()
    let next = file.missingAtEnd.from
    return next < first ? [next...first - 1] : []
  }
}
