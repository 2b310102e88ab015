import Foundation

/// Makes the index of a log, in stretches and by several threads, and keeps it.
///
/// Each stretch is scanned by one thread; whoever completes the one that comes next puts it, and
/// all that wait behind it, in the index. So the index grows from the front.
final class LogIndexing: Sendable {
  private struct State {
    /// The index as far as all lines are known to be whole.
    var settled: LogIndex
    /// The same, and a line that the file ends in without a newline; nil where there is none.
    var unterminated: LogIndex?
    /// Where the scan that is under way began, and where it ends.
    var range: Range<Int>
    /// When the file was last changed before that.
    var modified: Int64
    let pieceSize: Int
    var nextPiece = 0
    var nextToJoin = 0
    var waiting: [Int: ScannedPiece] = [:]
    var threads = 0
    var isCancelled = false
    var hasLookedAtEnd = false
    var failure: LogError?

    init(index: LogIndex, status: OpenFile.Status, pieceSize: Int) {
      modified = status.modified
      self.pieceSize = pieceSize
      settled = index
      range = index.end..<max(index.end, status.size)
    }

    var pieceCount: Int { (range.count + pieceSize - 1) / pieceSize }

    /// Whether all is in the index.
    var isComplete: Bool { nextToJoin == pieceCount && threads == 0 }

    /// Whether nothing more will happen.
    var isIdle: Bool { threads == 0 }
  }

  private let file: OpenFile
  private let names: LogNames
  private let header: [UInt8]
  private let savesLargeIndex: Bool
  private let threadCount: Int
  private let pieceSize: Int
  private let longestLine: Int
  private let beforePiece: (@Sendable (Int) -> Void)?
  private let state: Monitor<State>

  init(
    file: OpenFile, names: LogNames, header: [UInt8], index: LogIndex, status: OpenFile.Status,
    options: LogFile.Options
  ) {
    self.file = file
    self.names = names
    self.header = header
    savesLargeIndex = options.usesSidecar && status.size >= options.largeByteCount
    threadCount =
      options.threads > 0 ? options.threads : ProcessInfo.processInfo.activeProcessorCount
    pieceSize = options.pieceSize
    longestLine = options.longestLine
    beforePiece = options.beforePiece
    state = Monitor(State(index: index, status: status, pieceSize: pieceSize))
  }

  var index: LogIndex { state.withLock { $0.unterminated ?? $0.settled } }

  var isComplete: Bool { state.withLock { $0.isComplete } }

  var progress: (done: Int, total: Int) {
    state.withLock { state in
      let done = state.isComplete ? state.range.upperBound : state.settled.end
      return (done, state.range.upperBound)
    }
  }

  func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  /// Scans the first stretch at once, and leaves the rest to threads.
  func start() throws(LogError) {
    state.withLock { $0.threads += 1 }
    try scanFirst()
  }

  private func scanFirst() throws(LogError) {
    let (range, pieces) = state.withLock { ($0.range, $0.pieceCount) }
    if pieces > 0 { scan(range, pieces: 1) }
    let (threads, failure) = state.withLock { state in
      let threads = state.failure == nil ? min(threadCount, max(0, pieces - 1)) : 0
      state.threads += threads
      return (threads, state.failure)
    }
    // Before the others begin: the last that leaves is one that saves the index.
    leave()
    if let failure { throw failure }
    for _ in 0..<threads {
      // The thread keeps the work alive, not the log: closing the log cancels it.
      Thread { [self] in
        scan(range, pieces: pieces)
        if leave(toSave: savesLargeIndex) { saveLarge() }
      }.start()
    }
  }

  /// Waits until the index is complete or was cancelled.
  func wait() throws(LogError) {
    try state.waitUntil(\.isIdle) { state throws(LogError) in
      if let failure = state.failure { throw failure }
    }
  }

  /// Waits that long, or until the index is complete or was cancelled; returns whether it is.
  func isIdle(afterMilliseconds milliseconds: Int) throws(LogError) -> Bool {
    try state.waitUntil(milliseconds: milliseconds, \.isIdle) { state throws(LogError) in
      if state.isIdle, let failure = state.failure { throw failure }
      return state.isIdle
    }
  }

  /// Begins to scan what was appended since; false where there is nothing new.
  func resume() throws(LogError) -> Bool {
    let hasMore = try state.waitUntil(\.isIdle) { state throws(LogError) in
      // Only now: whoever was waited for may have seen a longer file than there was before.
      let status = try file.status()
      let size = status.size
      guard size >= state.range.upperBound else {
        throw LogError(path: file.path, reason: .shrunk(line: nil))
      }
      guard size > state.range.upperBound else { return false }
      (state.range, state.modified) = (state.settled.end..<size, status.modified)
      (state.nextPiece, state.nextToJoin, state.threads) = (0, 0, 1)
      (state.isCancelled, state.hasLookedAtEnd, state.unterminated) = (false, false, nil)
      return true
    }
    if hasMore { try scanFirst() }
    return hasMore
  }

  // MARK: Threads

  /// Scans stretches until `pieces` of them are done.
  private func scan(_ range: Range<Int>, pieces: Int) {
    var scanner = PieceScanner(
      file: file, fileSize: range.upperBound, longestLine: longestLine, names: names)
    do throws(LogError) {
      while let piece = takePiece(below: pieces) {
        beforePiece?(piece)
        let start = range.lowerBound + piece * pieceSize
        let end = min(start + pieceSize, range.upperBound)
        deliver(try scanner.scan(start..<end, startsLine: piece == 0), as: piece)
        try joinUnterminated(&scanner)
      }
    } catch {
      state.withLock { $0.failure = error }
    }
  }

  /// Returns whether this thread has done the last of it, and is to save the index.
  @discardableResult
  private func leave(toSave: Bool = false) -> Bool {
    let saves = state.withLock { state in
      state.threads -= 1
      let saves = toSave && state.isComplete
      // Whoever waits for the index, and ends the process then, finds the save under way.
      if saves { Self.saves.withLock { $0 += 1 } }
      return saves
    }
    state.signal()
    return saves
  }

  // MARK: Sidecar

  /// How many indexes are being saved that nobody has asked for.
  private static let saves = Monitor(0)

  static func waitForSaves() { saves.waitUntil({ $0 == 0 }) { _ in } }

  private func saveLarge() {
    // Nobody asked for it, and nobody misses it.
    do throws(LogError) { try save() } catch {}
    Self.saves.withLock { $0 -= 1 }
    Self.saves.signal()
  }

  /// Writes the sidecar, where the log is as it was scanned and nothing is wrong with it.
  @discardableResult
  func save() throws(LogError) -> Bool {
    let identity = try Sidecar.Identity(log: file, header: header)
    let (index, size, modified) = state.withLock {
      ($0.settled, $0.range.upperBound, $0.modified)
    }
    guard isComplete, index.checker.findings.isEmpty, index.end == size, identity.size == size,
      identity.modified == modified
    else { return false }
    try Sidecar.save(index, identity: identity, names: names, log: file.path)
    return true
  }

  private func takePiece(below limit: Int) -> Int? {
    state.withLock { state in
      guard !state.isCancelled, state.failure == nil, state.nextPiece < limit else { return nil }
      state.nextPiece += 1
      return state.nextPiece - 1
    }
  }

  private func deliver(_ scanned: ScannedPiece, as piece: Int) {
    state.withLock { state in
      state.waiting[piece] = scanned
      while let next = state.waiting.removeValue(forKey: state.nextToJoin) {
        state.settled.append(next)
        state.nextToJoin += 1
      }
    }
  }

  /// At the very end: looks at a line without a newline, which may become longer.
  private func joinUnterminated(_ scanner: inout PieceScanner) throws(LogError) {
    let rest: Range<Int>? = state.withLock { state in
      guard state.nextToJoin == state.pieceCount, !state.hasLookedAtEnd,
        state.settled.end < state.range.upperBound
      else { return nil }
      state.hasLookedAtEnd = true
      return state.settled.end..<state.range.upperBound
    }
    guard let rest else { return }
    let scanned = try scanner.scan(rest, startsLine: true, takesUnterminated: true)
    state.withLock { state in
      var index = state.settled
      index.append(scanned)
      state.unterminated = index
    }
  }
}
