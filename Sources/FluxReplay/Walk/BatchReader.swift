import FluxLog
import FluxSystem

/// Reads the recorded batches of a stretch, each while the one before it is replayed.
///
/// Reading a small step takes two thirds of the time of replaying it, and nothing of it depends on the replay. The first
/// batch is read by the caller: most logs have no second one, and need no thread.
///
/// Used by one thread at a time.
final class BatchReader {
  /// The steps that are still to be read, and the states before them.
  private struct Unread {
    var rest: Range<Int>
    var walk: RecordedWalk
    let log: LogFile
    let size: Int
    let app: AppDescription

    mutating func read() throws(LogError) -> RecordedBatch {
      let batch = try RecordedBatch(rest.prefix(size), log, &walk, for: app)
      rest = rest.dropFirst(batch.steps.count)
      return batch
    }
  }

  /// A batch with the steps after it.
  private typealias Reading = (batch: RecordedBatch, end: Unread)

  /// The work of the reading thread.
  private enum Ahead {
    /// It releases the batch that the caller is done with, and reads the next one.
    ///
    /// A batch is released by the thread that allocated it: glibc makes threads wait for each other if one frees what the
    /// other allocates, and verifying small steps took half as long again.
    case reading(spent: RecordedBatch?)
    case done(Result<Reading, LogError>)
  }

  private var unread: Unread
  /// The batch that was returned last.
  private var current: RecordedBatch?
  /// The next batch, which another thread reads; nil if none does.
  private var ahead: Monitor<Ahead>?

  /// Creates a reader, given the states before the stretch and the largest number of steps in a batch.
  init(
    _ stretch: Range<Int>, of log: LogFile, _ walk: RecordedWalk, size: Int,
    for app: AppDescription
  ) {
    unread = Unread(rest: stretch, walk: walk, log: log, size: max(1, size), app: app)
  }

  /// Returns the next batch of a stretch; nil at its end, and after damage.
  ///
  /// The caller has to be done with the batch before.
  func next() throws(LogError) -> RecordedBatch? {
    guard !unread.rest.isEmpty else { return nil }
    let batch: RecordedBatch
    if let ahead = ahead.take() {
      (batch, unread) = try Self.wait(for: ahead).get()
    } else {
      batch = try unread.read()
    }
    if batch.damage != nil { unread.rest = unread.rest.prefix(0) }
    if !unread.rest.isEmpty { ahead = Self.read(from: unread, releasing: current.take()) }
    current = batch
    return batch
  }

  /// Stops reading, and waits for the thread to leave the log alone.
  func stop() {
    unread.rest = unread.rest.prefix(0)
    if let ahead = ahead.take() { _ = Self.wait(for: ahead) }
  }

  private static func read(
    from unread: Unread, releasing spent: consuming RecordedBatch?
  ) -> Monitor<Ahead> {
    let ahead = Monitor<Ahead>(.reading(spent: spent))
    let work = { @Sendable in
      ahead.withLock { $0 = .reading(spent: nil) }
      var end = unread
      let batch = Result { () throws(LogError) in try end.read() }
      ahead.withLock { $0 = .done(batch.map { ($0, end) }) }
      ahead.signal()
    }
    do throws(SystemError) {
      // In a running app, it must not take the processor from the app either.
      try startThread(named: "flux.verify.reader", quality: .inherited, work)
    } catch {
      work()
    }
    return ahead
  }

  private static func wait(for ahead: Monitor<Ahead>) -> Result<Reading, LogError> {
    ahead.waitUntil({ if case .done = $0 { true } else { false } }) { ahead in
      guard case .done(let reading) = ahead else {
        preconditionFailure("a wait ended without its condition")
      }
      return reading
    }
  }
}
