import FluxSystem

/// The actions whose lines are not written yet, in a file beside the log.
///
/// The file is mapped into memory: it survives a crash of the process, and logging an action takes
/// no system call. It is created before the first step, full of zeros so that no page is missing
/// when the disk is full. A clean close removes it; after a crash, readers find it. Records follow
/// one another and begin again at the front. They overwrite a record without a line only if the
/// writer may drop steps.
///
/// `@unchecked Sendable`: the memory is only touched under the monitor's lock. `@safe`: it is
/// mapped as long as the ring lives, and nothing is written beyond its end.
@safe
final class InFlightRing: @unchecked Sendable {
  private struct State {
    let byteCount: Int
    /// The offset of the next record.
    var next = InFlightRecord.ringHeaderCount
    /// The records whose lines are not written, oldest first, from `firstLive` on.
    var live: [(number: UInt64, place: Range<Int>)] = []
    var firstLive = 0
    var isStopped = false

    /// Returns the range for a record: after the newest one, or at the front.
    func place(_ size: Int) -> Range<Int> {
      let start = next + size <= byteCount ? next : InFlightRecord.ringHeaderCount
      return start..<start + size
    }

    /// `true` if the oldest record is in that range, or between the newest one and the end.
    ///
    /// Records lie in a circle in the order of their age, so the oldest is the first in the way.
    func isTaken(_ place: Range<Int>) -> Bool {
      guard firstLive < live.count else { return false }
      let oldest = live[firstLive].place
      return oldest.overlaps(place) || place.lowerBound < next && oldest.lowerBound >= next
    }
  }

  /// The identity of the file.
  let place: FilePlace
  private let memory: UnsafeMutableRawBufferPointer
  private let waits: Bool
  private let state: Monitor<State>

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: The file, which is replaced if it exists.
  ///   - byteCount: Its size; at least 4 KB are used.
  ///   - identity: The identity of the log, which ties the ring to it.
  ///   - waits: `true` if an action waits for space; otherwise it overwrites the oldest one.
  /// - Throws: ``LogError`` if the file cannot be created or mapped.
  init(path: String, byteCount: Int, identity: UInt32, waits: Bool) throws(LogError) {
    let size = max(4096, byteCount / 8 * 8)
    let file = try OpenFile(replacing: path)
    var first = InFlightRecord.ringHeader(identity: identity)
    first += Array(repeating: 0, count: size - first.count)
    if let failure = withoutFileSizeSignal({ file.append(first).failure }) { throw failure }
    place = try file.place()
    // The map outlives the descriptor; its size is that of the file.
    let address = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw file.failure("map")
    }
    unsafe memory = UnsafeMutableRawBufferPointer(start: address, count: size)
    self.waits = waits
    state = Monitor(State(byteCount: size))
  }

  deinit { unsafe munmap(memory.baseAddress, memory.count) }

  /// Logs an action before its reducers run.
  ///
  /// Keeps only the beginning of an action that is larger than a quarter of the ring, and nothing of
  /// such an origin.
  func note(number: UInt64, time: LogTime, origin: [UInt8] = [], action: [UInt8]) {
    let limit = unsafe memory.count / 4
    let origin = origin.count <= limit ? origin : []
    unsafe origin.withUnsafeBytes { origin in
      unsafe action.withUnsafeBytes { text in
        let kept = unsafe UnsafeRawBufferPointer(rebasing: text[..<min(text.count, limit)])
        unsafe note(number: number, time: time, origin: origin, text: kept, of: text.count)
      }
    }
  }

  private func note(
    number: UInt64, time: LogTime, origin: UnsafeRawBufferPointer, text: UnsafeRawBufferPointer,
    of fullCount: Int
  ) {
    let size = InFlightRecord.byteCount(textCount: origin.count + text.count)
    state.waitUntil({ $0.isStopped || !waits || !$0.isTaken($0.place(size)) }) { state in
      guard !state.isStopped else { return }
      let place = state.place(size)
      while state.isTaken(place) { state.firstLive += 1 }
      state.next = place.upperBound
      state.live.append((number, place))
      unsafe InFlightRecord.write(
        to: UnsafeMutableRawBufferPointer(rebasing: memory[place]), number: number, time: time,
        origin: origin, text: text, fullCount: fullCount)
    }
  }

  /// Marks the newest step as committed.
  func commit(number: UInt64) {
    state.withLock { state in
      guard let last = state.live.last, last.number == number else { return }
      unsafe InFlightRecord.setCommitted(
        UnsafeMutableRawBufferPointer(rebasing: memory[last.place]))
    }
  }

  /// Frees the space of all steps up to `number`, whose lines are in the file.
  func release(through number: UInt64) {
    state.withLock { state in
      while state.firstLive < state.live.count, state.live[state.firstLive].number <= number {
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
}
