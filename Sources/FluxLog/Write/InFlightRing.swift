import FluxSystem

/// The actions whose lines are not written yet, in a file beside the log that is mapped into
/// memory: it survives a crash of the process, and noting an action is no system call.
///
/// Life of the file: made (with zeros, so that no page can be missing when the disk is full)
/// before the first step; removed by a clean close; found by readers after a crash. Records
/// follow one another and begin again at the front; none overwrites one whose line is not
/// written, unless the writer may drop steps.
///
/// `@unchecked Sendable`: the memory is only touched under the monitor's lock. `@safe`: it is
/// mapped for as long as the ring lives, and no place beyond its end is written.
@safe
final class InFlightRing: @unchecked Sendable {
  private struct State {
    let byteCount: Int
    /// Where the next record goes.
    var next = InFlightRecord.ringHeaderCount
    /// The records whose lines are not written, oldest first, from `firstLive` on.
    var live: [(number: UInt64, place: Range<Int>)] = []
    var firstLive = 0
    var isStopped = false

    /// Where a record of that size goes: after the newest, or at the front.
    func place(_ size: Int) -> Range<Int> {
      let start = next + size <= byteCount ? next : InFlightRecord.ringHeaderCount
      return start..<start + size
    }

    /// Whether the oldest record stands where that record goes, or on the way to the front.
    ///
    /// Records lie in a circle in the order of their age, so no other one is first.
    func isTaken(_ place: Range<Int>) -> Bool {
      guard firstLive < live.count else { return false }
      let oldest = live[firstLive].place
      return oldest.overlaps(place) || place.lowerBound < next && oldest.lowerBound >= next
    }
  }

  /// Which file it is.
  let place: FilePlace
  private let memory: UnsafeMutableRawBufferPointer
  private let waits: Bool
  private let state: Monitor<State>

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - path: The file, replaced where there is one.
  ///   - byteCount: Its size, at least 4 KB.
  ///   - identity: What the log is known by, which ties the ring to its log.
  ///   - waits: Whether an action waits for space, or takes that of one that is not written.
  /// - Throws: ``LogError`` where the file cannot be made or mapped.
  init(
    path: String, byteCount: Int, identity: UInt32, waits: Bool
  ) throws(LogError) {
    let size = max(4096, byteCount / 8 * 8)
    let file = try OpenFile(replacing: path)
    var first = InFlightRecord.ringHeader(identity: identity)
    first += Array(repeating: 0, count: size - first.count)
    if let failure = withoutFileSizeSignal({ file.append(first).failure }) { throw failure }
    place = try file.place()
    // The map outlives the descriptor; its size is that of the file.
    let address = unsafe mmap(
      nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw file.failure("map")
    }
    unsafe memory = UnsafeMutableRawBufferPointer(start: address, count: size)
    self.waits = waits
    state = Monitor(State(byteCount: size))
  }

  deinit { unsafe munmap(memory.baseAddress, memory.count) }

  /// Notes an action before its reducers run.
  ///
  /// An action of more than a quarter of the ring is noted with the beginning of its text only, an origin
  /// of more than that not at all.
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

  /// Notes that the newest step has committed.
  func commit(number: UInt64) {
    state.withLock { state in
      guard let last = state.live.last, last.number == number else { return }
      unsafe InFlightRecord.setCommitted(
        UnsafeMutableRawBufferPointer(rebasing: memory[last.place]))
    }
  }

  /// Gives up the space of all steps up to a number: their lines are in the file.
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

  /// Lets nobody wait any more: nothing is written from now on.
  func stop() {
    state.withLock { $0.isStopped = true }
    state.signal()
  }
}
