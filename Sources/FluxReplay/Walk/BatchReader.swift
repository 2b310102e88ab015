import FluxLog
import FluxSystem
import Foundation

/// Reads the recorded batches of a stretch, each while the one before it is replayed.
///
/// Reading a small step takes two thirds of the time of replaying it, and nothing of it depends on the replay. The first
/// batch is read by the caller: most logs have no second one, and need no thread.
///
/// Used by one thread at a time.
final class BatchReader {
  /// The steps that are still to be read, and the states before them.
  private struct Place {
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

  /// A batch with the place after it.
  private typealias Reading = (batch: RecordedBatch, end: Place)

  private var place: Place
  /// The batch at the place, which another thread reads; nil if none does.
  private var ahead: Monitor<Result<Reading, LogError>?>?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - stretch: The positions of the steps.
  ///   - log: The log.
  ///   - walk: The states before the stretch.
  ///   - size: The largest number of steps in a batch.
  ///   - app: The app that replays the steps.
  init(
    _ stretch: Range<Int>, of log: LogFile, _ walk: RecordedWalk, size: Int,
    for app: AppDescription
  ) {
    place = Place(rest: stretch, walk: walk, log: log, size: max(1, size), app: app)
  }

  /// Returns the next batch of a stretch; nil at its end, and after damage.
  ///
  /// - Throws: `LogError` if a step cannot be read.
  func next() throws(LogError) -> RecordedBatch? {
    guard !place.rest.isEmpty else { return nil }
    let batch: RecordedBatch
    if let ahead = ahead.take() {
      (batch, place) = try Self.wait(for: ahead).get()
    } else {
      batch = try place.read()
    }
    if batch.damage != nil { place.rest = place.rest.prefix(0) }
    if !place.rest.isEmpty { ahead = Self.read(from: place) }
    return batch
  }

  /// Stops reading, and waits for the thread to leave the log alone.
  func stop() {
    place.rest = place.rest.prefix(0)
    if let ahead = ahead.take() { _ = Self.wait(for: ahead) }
  }

  private static func read(from place: Place) -> Monitor<Result<Reading, LogError>?> {
    let ahead = Monitor<Result<Reading, LogError>?>(nil)
    let thread = Thread {
      var end = place
      let batch = Result { () throws(LogError) in try end.read() }
      ahead.withLock { $0 = batch.map { ($0, end) } }
      ahead.signal()
    }
    thread.name = "flux.verify.reader"
    thread.start()
    return ahead
  }

  private static func wait(
    for ahead: Monitor<Result<Reading, LogError>?>
  ) -> Result<Reading, LogError> {
    ahead.waitUntil({ $0 != nil }) { reading in
      guard let reading else { preconditionFailure("a wait ended without its condition") }
      return reading
    }
  }
}
