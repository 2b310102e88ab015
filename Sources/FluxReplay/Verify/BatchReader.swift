import FluxLog
import FluxSystem
import Foundation

/// Reads the recorded batches of a stretch, each while the one before it is replayed.
///
/// Reading a small step takes two thirds of the time of replaying it, and nothing of it depends on the replay. The first
/// batch is read by the caller: most logs have no second one, and need no thread.
final class BatchReader: Sendable {
  private struct State {
    /// The batch that was read ahead.
    var next: Result<RecordedBatch, LogError>?
    var isStopped = false
    /// `true` while the thread runs.
    var isReading = false
    /// The place of the first batch; nil once it is read.
    var first: Place?
  }

  /// The steps that are still to be read, and the states before them.
  private struct Place {
    var rest: Range<Int>
    var walk: RecordedWalk
  }

  private let log: LogFile
  private let app: AppDescription
  private let size: Int
  private let state: Monitor<State>

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
    self.log = log
    self.app = app
    self.size = max(1, size)
    state = Monitor(State(first: Place(rest: stretch, walk: walk)))
  }

  /// Returns the next batch of a stretch that has more steps.
  ///
  /// - Throws: `LogError` if a step cannot be read.
  func next() throws(LogError) -> RecordedBatch {
    if let place = state.withLock({ $0.first.take() }) { return try first(at: place) }
    let next = state.waitUntil({ $0.next != nil || !$0.isReading }) { $0.next.take() }
    state.signal()
    guard let next else { preconditionFailure("a stretch was read beyond its end") }
    return try next.get()
  }

  /// Stops reading, and waits for the thread to leave the log alone.
  func stop() {
    state.withLock { $0.isStopped = true }
    state.signal()
    state.waitUntil({ !$0.isReading }) { $0.next = nil }
  }

  private func first(at place: Place) throws(LogError) -> RecordedBatch {
    var place = place
    let batch = try read(&place)
    guard batch.damage == nil, !place.rest.isEmpty else { return batch }
    state.withLock { $0.isReading = true }
    let thread = Thread { [self, place] in readAhead(from: place) }
    thread.name = "flux.verify.reader"
    thread.start()
    return batch
  }

  private func readAhead(from place: Place) {
    var place = place
    var isDone = false
    while !isDone {
      let batch: Result<RecordedBatch, LogError>
      do throws(LogError) {
        let read = try read(&place)
        isDone = read.damage != nil || place.rest.isEmpty
        batch = .success(read)
      } catch {
        isDone = true
        batch = .failure(error)
      }
      isDone = state.waitUntil({ $0.next == nil || $0.isStopped }) { [isDone] state in
        if !state.isStopped { state.next = batch }
        if isDone || state.isStopped { state.isReading = false }
        return !state.isReading
      }
      state.signal()
    }
  }

  private func read(_ place: inout Place) throws(LogError) -> RecordedBatch {
    let batch = try RecordedBatch(place.rest.prefix(size), log, &place.walk, for: app)
    place.rest = place.rest.dropFirst(batch.steps.count)
    return batch
  }
}
