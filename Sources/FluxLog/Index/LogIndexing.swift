import FluxJSON
import FluxSystem
import Foundation

/// Builds the index of a log piece by piece with several threads, and holds it.
///
/// Each piece is scanned by one thread. The thread that completes the next piece in order appends
/// that piece, and all completed ones after it, to the index. So the index grows from the front.
final class LogIndexing: Sendable {
  struct Options: Sendable {
    var threads = 0
    /// Two megabytes hide the overhead of a piece, and stay in the cache between read and scan.
    var pieceSize = 1 << 21
    /// At least ``pieceSize``; a longer line is a finding and is not read.
    var longestLine = MemoryLimit.standard.lineByteCount
    /// Bounds the number of stores that steps write, and the lists of other lines.
    var memory = MemoryLimit.standard
    /// Called by the scanning thread before each piece, with the number of the piece from 0.
    var beforePiece: (@Sendable (Int) -> Void)?
  }

  private struct State {
    /// The index up to the last complete line.
    var settled: LogIndex
    /// `settled` plus a last line without a newline; `nil` if there is no such line.
    var unterminated: LogIndex?
    var range: Range<Int>
    let pieceSize: Int
    var nextPiece = 0
    var nextToJoin = 0
    var waiting: [Int: ScannedPiece] = [:]
    var threads = 0
    var isCancelled = false
    var hasScannedUnterminated = false
    var failure: LogError?

    init(index: LogIndex, size: Int, pieceSize: Int) {
      self.pieceSize = pieceSize
      settled = index
      range = index.end..<max(index.end, size)
    }

    var pieceCount: Int { (range.count + pieceSize - 1) / pieceSize }

    var isComplete: Bool { nextToJoin == pieceCount && threads == 0 }

    var isIdle: Bool { threads == 0 }
  }

  private let file: OpenFile
  private let names: LogNames
  private let options: Options
  private let state: Monitor<State>

  init(file: OpenFile, names: LogNames, index: LogIndex, size: Int, options: Options) {
    self.file = file
    self.names = names
    self.options = options
    state = Monitor(State(index: index, size: size, pieceSize: options.pieceSize))
  }

  var index: LogIndex { state.withLock { $0.unterminated ?? $0.settled } }

  /// Calls `body` with the index, which it must not keep.
  ///
  /// A copy of the index retains a dozen arrays, which searches would notice at every step.
  func withIndex<Result>(_ body: (borrowing LogIndex) -> Result) -> Result {
    state.withLock { state in
      if let index = state.unterminated { return body(index) }
      return body(state.settled)
    }
  }

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

  /// Scans the first piece on this thread, and starts threads for the rest.
  ///
  /// - Throws: ``LogError`` if the first piece cannot be read, or if the steps write too many stores.
  func start() throws(LogError) {
    try checkStoreCount()
    state.withLock { $0.threads += 1 }
    try scanFirst()
  }

  private func scanFirst() throws(LogError) {
    let (range, pieces) = state.withLock { ($0.range, $0.pieceCount) }
    if pieces > 0 { scan(range, pieces: 1) }
    let threadCount =
      options.threads > 0 ? options.threads : ProcessInfo.processInfo.activeProcessorCount
    let (threads, failure) = state.withLock { state in
      let threads = state.failure == nil ? min(threadCount, max(0, pieces - 1)) : 0
      state.threads += threads
      return (threads, state.failure)
    }
    leave()
    if let failure { throw failure }
    for _ in 0..<threads {
      // The thread keeps this object alive, not the log. Closing the log cancels the scan.
      let scanRest = { @Sendable [self] in
        scan(range, pieces: pieces)
        leave()
      }
      // Without another thread, this one scans.
      do throws(SystemError) { try startThread(scanRest) } catch { scanRest() }
    }
  }

  func wait() throws(LogError) {
    try state.waitUntil(\.isIdle) { state throws(LogError) in
      if let failure = state.failure { throw failure }
    }
  }

  /// Waits up to that long for the index to be complete or cancelled; returns `true` if it is.
  func isIdle(afterMilliseconds milliseconds: Int) throws(LogError) -> Bool {
    try state.waitUntil(milliseconds: milliseconds, \.isIdle) { state throws(LogError) in
      if state.isIdle, let failure = state.failure { throw failure }
      return state.isIdle
    }
  }

  /// Starts scanning what was appended; returns `false` if nothing was.
  func resume() throws(LogError) -> Bool {
    let hasMore = try state.waitUntil(\.isIdle) { state throws(LogError) in
      // Read after the wait: the scan that ended may have seen a longer file.
      let size = try file.status().size
      guard size >= state.range.upperBound else {
        throw LogError(path: file.path, reason: .shrunk(line: nil))
      }
      guard size > state.range.upperBound else { return false }
      state.range = state.settled.end..<size
      (state.nextPiece, state.nextToJoin, state.threads) = (0, 0, 1)
      (state.isCancelled, state.hasScannedUnterminated, state.unterminated) = (false, false, nil)
      return true
    }
    if hasMore { try scanFirst() }
    return hasMore
  }

  // MARK: Threads

  /// Scans pieces until `pieces` of them are taken.
  private func scan(_ range: Range<Int>, pieces: Int) {
    var scanner = PieceScanner(
      file: file, fileSize: range.upperBound, longestLine: options.longestLine, names: names)
    do throws(LogError) {
      while let piece = takePiece(below: pieces) {
        options.beforePiece?(piece)
        let start = range.lowerBound + piece * options.pieceSize
        let end = min(start + options.pieceSize, range.upperBound)
        let scanned = try scanner.scan(start..<end, startsLine: piece == 0)
        try checkStoreCount()
        try deliver(scanned, as: piece)
        try scanUnterminated(&scanner)
      }
    } catch {
      state.withLock { $0.failure = error }
    }
  }

  /// The readers of states take memory for each store, so there is no index of a log with too many.
  private func checkStoreCount() throws(LogError) {
    guard names.hasTooManyStores else { return }
    throw LogError(path: file.path, reason: .tooManyStores(limit: names.storeLimit))
  }

  /// The lists of all other lines are in memory as well.
  private func checkLists(_ index: LogIndex) throws(LogError) {
    let limit = options.memory.lineByteCount
    guard index.checker.listByteCount + names.byteCount > limit else { return }
    throw LogError(path: file.path, reason: .listsTooLarge(line: index.nextLine - 1, limit: limit))
  }

  private func leave() {
    state.withLock { $0.threads -= 1 }
    state.signal()
  }

  private func takePiece(below limit: Int) -> Int? {
    state.withLock { state in
      guard !state.isCancelled, state.failure == nil, state.nextPiece < limit else { return nil }
      state.nextPiece += 1
      return state.nextPiece - 1
    }
  }

  private func deliver(_ scanned: ScannedPiece, as piece: Int) throws(LogError) {
    try state.withLock { state throws(LogError) in
      state.waiting[piece] = scanned
      while let next = state.waiting.removeValue(forKey: state.nextToJoin) {
        state.settled.append(next)
        state.nextToJoin += 1
        try checkLists(state.settled)
      }
    }
  }

  /// Scans a last line without a newline, which may still grow.
  private func scanUnterminated(_ scanner: inout PieceScanner) throws(LogError) {
    let rest: Range<Int>? = state.withLock { state in
      guard state.nextToJoin == state.pieceCount, !state.hasScannedUnterminated,
        state.settled.end < state.range.upperBound
      else { return nil }
      state.hasScannedUnterminated = true
      return state.settled.end..<state.range.upperBound
    }
    guard let rest else { return }
    let scanned = try scanner.scan(rest, startsLine: true, includesUnterminated: true)
    state.withLock { state in
      var index = state.settled
      index.append(scanned)
      state.unterminated = index
    }
  }
}
