import FluxSystem

/// The actions whose lines are not written yet, in a file next to the log.
///
/// The file survives a crash of the process. It is created before the first step with all its blocks,
/// so that no page is missing when the disk is full. A clean close removes it; after a crash, readers
/// find it. Records follow one another and begin again at the front. They overwrite a record without
/// a line only if the writer may drop steps. A ring that refuses actions instead has a reserved record at
/// its front, which says from which step on there was no room.
///
/// Usually the file is mapped into memory, and logging an action takes no system call. If another
/// program cuts or removes it, the ring repairs it and reports that; see ``RingFile``.
///
/// `@unchecked Sendable`: the file's memory is only touched under the monitor's lock. `@safe`: the
/// file keeps it mapped, and nothing is written beyond its end.
@safe
final class InFlightRing: @unchecked Sendable {
  private struct State {
    /// The path of the file, which moves from segment to segment.
    var path: String
    var file: RingFile
    /// `true` once the system has denied a link, which is reported once.
    var isLinkDenied = false
    var next = InFlightRecord.reserved.upperBound
    /// The records whose lines are not written, oldest first, from `firstLive` on.
    var live: [(number: UInt64, bytes: Range<Int>)] = []
    var firstLive = 0
    var isStopped = false
    /// The bytes of the records whose lines are not written.
    var usedByteCount = 0
    /// The last step that found no room.
    var refused: UInt64?
    /// `true` from the first step that found no room until half of the ring is free.
    var isRefusing = false
    /// `true` if the writing thread sleeps, so that the next action has to examine the file.
    var isUnwatched = false

    /// Returns the range for a record: after the newest one, or at the front.
    func range(_ size: Int, in byteCount: Int) -> Range<Int> {
      let start = next + size <= byteCount ? next : InFlightRecord.reserved.upperBound
      return start..<start + size
    }

    /// `true` if the oldest record is in that range, or between the newest one and the end.
    ///
    /// Records lie in a circle in the order of their age, so the oldest is the first in the way.
    func isTaken(_ range: Range<Int>) -> Bool {
      guard firstLive < live.count else { return false }
      let oldest = live[firstLive].bytes
      return oldest.overlaps(range) || range.lowerBound < next && oldest.lowerBound >= next
    }
  }

  private let byteCount: Int
  private let identity: UInt32
  private let access: LogWriter.Options.Ring
  private let waits: Bool
  private let refuses: Bool
  private let report: (@Sendable (LogError) -> Void)?
  private let state: Monitor<State>

  /// Creates the file.
  ///
  /// An action without space waits for it with `waits`, is not kept with `refuses`, so that its step is to be dropped, and
  /// otherwise overwrites the oldest one. `report` is called on any thread with each problem of the file.
  init(
    path: String, byteCount: Int, identity: UInt32, waits: Bool, refuses: Bool = false,
    access: LogWriter.Options.Ring = .automatic, report: (@Sendable (LogError) -> Void)? = nil
  ) throws(LogError) {
    let file = try RingFile(path: path, byteCount: byteCount, identity: identity, access: access)
    self.byteCount = file.byteCount
    self.identity = identity
    self.access = access
    self.waits = waits
    self.refuses = refuses
    self.report = report
    state = Monitor(State(path: path, file: file))
  }

  // MARK: Names

  // While a log is recorded, a user may remove or rename it and begin another recording at its path. The actions in
  // flight at that path then belong to the other recording and are left alone.

  /// Gives the file a second name, next to the coming segment.
  ///
  /// So the file is next to the newest segment whenever the app is killed. The sandbox of Apple's systems and some file
  /// systems deny that, so readers also look next to the previous segment.
  func share(with log: String) {
    let own = state.withLock { $0.path }
    guard isFile(at: own), unsafe link(own, LogFileNames.inFlightPath(of: log)) != 0 else { return }
    let code = errno
    // The name is taken, or the file was removed: nothing is denied.
    if code == EEXIST || code == ENOENT { return }
    let isFirst = state.withLock { state in
      defer { state.isLinkDenied = true }
      return !state.isLinkDenied
    }
    if isFirst { report?(LogError(path: own, reason: .inFlight(.notLinked(code: code)))) }
  }

  /// Undoes ``share(with:)``: the segment belongs to another recorder.
  func unshare(with log: String) { remove(LogFileNames.inFlightPath(of: log)) }

  /// Moves the file next to another segment, and removes its other name.
  func move(to log: String) {
    let (old, new) = (state.withLock { $0.path }, LogFileNames.inFlightPath(of: log))
    if isFile(at: old) {
      // Something that cannot be replaced has the name: the file stays, and moves with a later segment.
      guard unsafe rename(old, new) == 0 else { return }
      // `rename` does nothing if both names belong to one file.
      unsafe unlink(old)
    }
    state.withLock { $0.path = new }
  }

  /// Removes the file: all actions are in the log.
  func remove() { remove(state.withLock { $0.path }) }

  private func remove(_ path: String) {
    if isFile(at: path) { unsafe unlink(path) }
  }

  /// `true` if a path leads to the file; one that cannot be examined can be neither moved nor removed.
  private func isFile(at path: String) -> Bool {
    let identity = state.withLock { $0.file.identity }
    do throws(LogError) { return try FileStatus(at: path)?.identity == identity } catch {
      return false
    }
  }

  // MARK: Actions

  /// Logs an action before its reducers run.
  ///
  /// Keeps only the beginning of an action that is larger than a quarter of the ring, and nothing of
  /// such an origin. With `mayWait: false`, an action without space overwrites the oldest one in any case.
  func note(
    number: UInt64, time: LogTime, origin: [UInt8] = [], action: [UInt8], mayWait: Bool = true
  ) {
    let waits = waits && mayWait
    let limit = byteCount / 4
    let record = InFlightRecord.record(
      number: number, time: time, origin: origin.count <= limit ? origin : [],
      text: action.prefix(limit), fullCount: action.count)
    let problem = state.waitUntil(
      { $0.isStopped || !waits || !$0.isTaken($0.range(record.count, in: byteCount)) }
    ) { state -> LogError? in
      var problem: LogError?
      if state.isUnwatched {
        state.isUnwatched = false
        problem = repair(&state)
      }
      guard !state.isStopped else { return problem }
      let range = state.range(record.count, in: byteCount)
      if refuses, isRefused(range, &state) {
        return refuse(number, time, &state) ?? problem
      }
      while state.isTaken(range) { state.firstLive += 1 }
      state.next = range.upperBound
      state.isRefusing = false
      state.usedByteCount += range.count
      state.live.append((number, range))
      return write(record, at: range.lowerBound, &state) ?? problem
    }
    if let problem { report?(problem) }
  }

  /// `true` if there is no room, or too little since there was none.
  ///
  /// Each time steps are dropped, the next one writes the whole model, so it should be rare.
  private func isRefused(_ range: Range<Int>, _ state: inout State) -> Bool {
    state.isTaken(range) || state.isRefusing && state.usedByteCount > byteCount / 2
  }

  /// Notes that a step and those after it are dropped.
  private func refuse(_ number: UInt64, _ time: LogTime, _ state: inout State) -> LogError? {
    state.refused = number
    guard !state.isRefusing else { return nil }
    state.isRefusing = true
    let record = InFlightRecord.dropped(from: number, at: time)
    return write(record, at: InFlightRecord.reserved.lowerBound, &state)
  }

  /// Marks the newest step as committed; returns `false` if there was no room for it.
  ///
  /// A step can still commit after a failed recording has stopped the ring. Otherwise readers would conclude that the app
  /// ended during that step.
  @discardableResult
  func commit(number: UInt64) -> Bool {
    let (isKept, problem) = state.withLock { state -> (Bool, LogError?) in
      guard let last = state.live.last, last.number == number else {
        return (state.isStopped || state.refused != number, nil)
      }
      let offset = last.bytes.lowerBound + InFlightRecord.Offset.flag
      return (true, write(InFlightRecord.committedFlag, at: offset, &state))
    }
    if let problem { report?(problem) }
    return isKept
  }

  /// Writes to the file; if that fails, the ring is no longer used.
  private func write(_ bytes: [UInt8], at offset: Int, _ state: inout State) -> LogError? {
    do throws(LogError) {
      try state.file.write(bytes, at: offset)
      return nil
    } catch {
      return giveUp(error, &state)
    }
  }

  /// Frees the space of all steps up to `number`, whose lines are in the file.
  func release(through number: UInt64) {
    state.withLock { state in
      while state.firstLive < state.live.count, state.live[state.firstLive].number <= number {
        state.usedByteCount -= state.live[state.firstLive].bytes.count
        state.firstLive += 1
      }
      if state.firstLive > 1024 || state.firstLive == state.live.count {
        state.live.removeFirst(state.firstLive)
        state.firstLive = 0
      }
    }
    state.signal()
  }

  /// Ignores all actions from now on, and wakes the threads that wait.
  func stop() {
    state.withLock { $0.isStopped = true }
    state.signal()
  }

  // MARK: Other programs

  /// Repairs the file if another program has cut or removed it, and reports that.
  func examine() {
    guard let file = state.withLock({ $0.isStopped ? nil : $0.file }) else { return }
    do throws(LogError) {
      // Without the lock, so that no action waits for the system calls.
      if try file.condition() == .sound { return }
    } catch {
      // The repair meets the same error, and reports it.
    }
    if let problem = state.withLock({ repair(&$0) }) { report?(problem) }
    state.signal()
  }

  /// Lets the next action examine the file, because the writing thread is about to sleep.
  func leaveUnwatched() { state.withLock { $0.isUnwatched = true } }

  /// Repairs the file; returns the problem, or `nil` if there is none.
  private func repair(_ state: inout State) -> LogError? {
    guard !state.isStopped else { return nil }
    do throws(LogError) {
      switch try state.file.condition() {
      case .sound: return nil
      case .cut:
        try state.file.restore()
        return LogError(path: state.path, reason: .inFlight(.cut))
      case .removed:
        state.file = try RingFile(
          path: state.path, byteCount: byteCount, identity: identity, access: access,
          content: state.file.content())
        return LogError(path: state.path, reason: .inFlight(.removed))
      }
    } catch {
      return giveUp(error, &state)
    }
  }

  private func giveUp(_ error: LogError, _ state: inout State) -> LogError {
    state.isStopped = true
    (state.live, state.firstLive) = ([], 0)
    return LogError(path: state.path, reason: error.reason.ofInFlightFile)
  }
}

extension LogError.Reason {
  /// The reason why a recorder has no file of actions in flight.
  var ofInFlightFile: LogError.Reason {
    guard case .system(let operation, let code) = self else { return self }
    return .inFlight(.unavailable(operation: operation, code: code))
  }
}
