import FluxSystem

/// The file of a log, or the files of a flight recorder, with the actions in flight next to it.
///
/// A segment is a complete log. The next segment is on the disk before the last one is ended, and
/// the oldest segments are deleted only then, so the files never keep less than the limit. The
/// actions in flight are next to both segments in the meantime.
struct SegmentedSink: LineSink {
  /// The step after which a test kills a rotation.
  enum RotationStep: String {
    case shared, begun, ended, deleted, moved
  }

  private struct Segment {
    let path: String
    let byteCount: Int64
    let stepCount: UInt64
  }

  /// An empty segment that already has the actions in flight next to it.
  private struct NextSegment {
    let file: OpenFile
    let folder: OpenFile
    let number: Int
  }

  /// The actions in flight; `nil` if they are not kept.
  let ring: InFlightRing?
  let files: RecordedFiles
  /// The lock over all segments; `nil` if there is only one file.
  private let lock: SegmentLock?
  private let holdsLocks: Bool
  private var current: SegmentFile
  private var next: NextSegment?
  private let names: LogFileNames
  private let options: LogWriter.Options
  private var number: Int
  private var finished: [Segment] = []

  /// Begins a log: creates its file with the header, and the file of actions in flight.
  init(path: String, header: LogHeader, options: LogWriter.Options) throws(LogError) {
    self.options = options
    names = LogFileNames(path: path)
    let opening = LogOpening(names, existing: options.existing)
    // Nothing at the path changes before the header is on the disk.
    let draft = try opening.draft()
    var taken: SegmentLock?
    do throws(LogError) {
      if options.retention != nil { taken = try SegmentLock(of: path) }
      let begun = try SegmentFile(draft, header: header)
      try draft.synchronize()
      let new = try options.retention == nil ? opening.open() : opening.openSegment()
      number = new.number
      current = try begun.moved(to: new.file.path)
      if options.durability == .synced { try current.file.synchronizeName() }
      new.removeReplaced()
    } catch {
      unsafe unlink(draft.path)
      taken?.release()
      throw error.path == draft.path ? LogError(path: path, reason: error.reason) : error
    }
    holdsLocks = options.locking.isHeld(at: path)
    if !holdsLocks {
      taken?.release()
      taken = nil
      current.file.unlock()
    }
    lock = taken
    options.housekeeping?(current.file.path)
    // Those of an earlier recording, whose log was replaced or removed.
    LogOpening.removeInFlight(of: current.file.path)
    ring = Self.ring(LogFileNames.inFlightPath(of: current.file.path), header, options)
    files = RecordedFiles(.file(path: current.file.path))
  }

  /// Creates the ring; if the disk has no room, a smaller one, and without any room none.
  private static func ring(
    _ path: String, _ header: LogHeader, _ options: LogWriter.Options
  ) -> InFlightRing? {
    guard options.durability != .buffered else { return nil }
    var byteCount = max(RingFile.leastByteCount, options.inFlightByteCount)
    while true {
      do throws(LogError) {
        let ring = try InFlightRing(
          path: path, byteCount: byteCount, identity: header.identity,
          waits: options.overflow == .block, refuses: options.overflow == .thin,
          access: options.ring, report: options.onFailure)
        if byteCount < options.inFlightByteCount {
          let reason = LogError.Reason.inFlight(.smaller(byteCount: byteCount))
          options.onFailure?(LogError(path: path, reason: reason))
        }
        return ring
      } catch {
        let smaller = byteCount / 32 * 8
        // There may be room for a smaller one.
        guard [ENOSPC, EDQUOT, EFBIG].contains(error.code), smaller >= RingFile.leastByteCount
        else {
          options.onFailure?(LogError(path: path, reason: error.reason.ofInFlightFile))
          return nil
        }
        byteCount = smaller
      }
    }
  }

  var path: String { current.file.path }
  var lastStepCount: UInt64 { current.lastStepCount }

  mutating func append(_ lines: [UInt8]) throws(LogError) { try current.append(lines) }

  func synchronize() throws(LogError) { try current.file.synchronize() }

  /// Fails if another program has removed or shortened the file; reports it once if one renamed it.
  mutating func examine() throws(LogError) {
    guard let loss = try current.newLoss() else { return }
    let error = LogError(path: path, reason: .lost(loss))
    guard loss == .moved else { throw error }
    options.onFailure?(error)
  }

  func removeInFlight() { ring?.remove() }

  func unlock() {
    current.file.unlock()
    lock?.release()
  }

  // MARK: Segments

  /// `true` if the segment has reached a quarter of the limit.
  ///
  /// A chain of follow-ups may fill twice that, so that it stays in one segment and can be verified
  /// alone. A longer chain is cut. A segment whose header has large states gets at least as many bytes
  /// of steps, so that a step does not write more than twice its bytes.
  func isFull(stepCount: UInt64, waitingByteCount: Int, isInChain: Bool) -> Bool {
    let share = isInChain ? 2 : 1
    return switch options.retention {
    case nil: false
    case .bytes(let limit):
      current.byteCount + Int64(waitingByteCount)
        >= max(
          Int64(share) * Int64(options.segmentByteCount ?? limit / 4), 2 * current.headerByteCount)
    case .steps(let limit): stepCount >= UInt64(share * max(1, limit / 4))
    }
  }

  /// Creates the file of the next segment, with the actions in flight next to it from the start.
  ///
  /// It has the next free number. Everything that takes a descriptor is opened here, while the segment
  /// before can still go on.
  ///
  /// - Returns: `false` if the process has no descriptor left.
  mutating func openNext() throws(LogError) -> Bool {
    var number = number + 1
    while true {
      let path = names.path(.segments, number)
      ring?.share(with: path)
      options.onRotation?(.shared, path)
      do throws(LogError) {
        if let file = try LogOpening.create(path) {
          if !holdsLocks { file.unlock() }
          next = NextSegment(file: file, folder: try Self.folder(of: file), number: number)
          return true
        }
      } catch {
        ring?.unshare(with: path)
        guard error.isOutOfFiles else { throw error }
        return false
      }
      ring?.unshare(with: path)
      number += 1
    }
  }

  /// Opens the folder of a new segment, or removes the segment.
  private static func folder(of file: OpenFile) throws(LogError) -> OpenFile {
    do throws(LogError) {
      return try OpenFile(folderOf: file.path)
    } catch {
      unsafe unlink(file.path)
      throw error
    }
  }

  /// Continues in the segment that ``openNext()`` created.
  mutating func rotate(to header: LogHeader, stepCount: UInt64) throws(LogError) {
    guard let next = next.take() else { preconditionFailure("no next segment is open") }
    let begun = try begin(next, header)
    options.onRotation?(.begun, next.file.path)
    let end = LogEnd(steps: stepCount, isComplete: true, isContinued: true)
    try current.append(LineBuffer.lines(end.write))
    current.file.unlock()
    options.onRotation?(.ended, next.file.path)
    finished.append(Segment(path: path, byteCount: current.byteCount, stepCount: stepCount))
    current = begun
    number = next.number
    deleteOldest()
    options.housekeeping?(path)
    options.onRotation?(.deleted, path)
    ring?.move(to: path)
    files.add(.file(path: path))
    options.onRotation?(.moved, path)
  }

  /// Writes the header of the next segment to the disk, or removes the segment.
  private func begin(_ next: NextSegment, _ header: LogHeader) throws(LogError) -> SegmentFile {
    do throws(LogError) {
      let begun = try SegmentFile(next.file, header: header)
      try next.file.synchronize()
      try next.folder.synchronizeFolder()
      return begun
    } catch {
      ring?.unshare(with: next.file.path)
      unsafe unlink(next.file.path)
      throw error
    }
  }

  private mutating func deleteOldest() {
    while let oldest = finished.first, isEnough(finished.dropFirst()) {
      // A segment that cannot be deleted is no reason to stop recording.
      unsafe unlink(oldest.path)
      finished.removeFirst()
      files.removeOldest()
    }
  }

  private func isEnough(_ segments: ArraySlice<Segment>) -> Bool {
    switch options.retention {
    case nil: false
    case .bytes(let limit): segments.reduce(0) { $0 + $1.byteCount } >= limit
    case .steps(let limit): segments.reduce(0) { $0 + $1.stepCount } >= limit
    }
  }
}

/// The file of one log or segment.
///
/// Life cycle: empty and locked; replaced by a locked file with the header; growing by whole lines;
/// with an end line, and unlocked. After a crash, the last line may be cut off, and there is no end line. After a failed
/// write, the file is cut back to its last whole line, and an end line with `ok` false follows if
/// there is room.
private struct SegmentFile {
  private(set) var file: OpenFile
  /// The size of all whole lines.
  private(set) var byteCount: Int64 = 0
  private(set) var headerByteCount: Int64 = 0
  private(set) var lastStepCount: UInt64 = 0
  private var isMoved = false

  /// Writes the header to a new file.
  ///
  /// If that fails, the file is removed: it was empty before, and is no log.
  init(_ file: OpenFile, header: LogHeader) throws(LogError) {
    self.file = file
    do throws(LogError) {
      try append(LineBuffer.lines(header.write))
      headerByteCount = byteCount
    } catch {
      unsafe unlink(file.path)
      throw error
    }
  }

  func moved(to path: String) throws(LogError) -> SegmentFile {
    var moved = self
    moved.file = try file.renamed(to: path)
    return moved
  }

  /// Returns a change by another program that was not returned before; `nil` if there is none.
  mutating func newLoss() throws(LogError) -> LogLoss? {
    let status = try file.status()
    guard status.isLinked else { return .removed }
    guard status.byteCount >= byteCount else { return .truncated }
    if isMoved { return nil }
    if try file.isAtPath() { return nil }
    isMoved = true
    return .moved
  }

  mutating func append(_ lines: [UInt8]) throws(LogError) {
    lastStepCount = 0
    let (written, failure) = file.append(lines)
    guard let failure else {
      byteCount += Int64(written)
      return
    }
    // A line ends with the only newline in it.
    let whole = lines[..<written].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    byteCount += Int64(whole)
    // A step line begins with its number.
    let steps = lines[..<whole].split(separator: 0x0A).count { $0.starts(with: #"{"n":"#.utf8) }
    lastStepCount = UInt64(steps)
    // If this fails, too, the torn line stays, which readers expect after a crash.
    do throws(LogError) { try file.truncate(to: byteCount) } catch { throw failure }
    throw failure
  }
}
