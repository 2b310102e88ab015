import FluxJSON

/// The states of a store on a fork, in order, as differences.
///
/// Most steps change a small part of a state. A state is stored whole from time to time, so reading any of them applies
/// a limited number of differences. The texts are restored exactly.
struct StateHistory: Sendable {
  /// A whole state, and those after it.
  fileprivate struct Segment {
    /// The place of the whole state among all states.
    let first: Int
    /// The text of the whole state; nil if the store is absent.
    let text: [UInt8]?
    /// The differences to the states after it; 4 bytes with the length precede each.
    var deltas: [UInt8] = []
    var count = 1
  }

  private var segments: [Segment]
  /// The numbers of steps after which the states come to be, the first one aside.
  private var changes: [Int] = []

  /// The number of differences after which a state is stored whole.
  ///
  /// Applying so many takes 3 ms at 50 KB, and the whole state then adds 50 bytes to each of them.
  private static let limit = 1_024

  /// Begins with the state at the start of the fork; nil if the store is absent.
  init(_ initial: JSON?) {
    segments = [Segment(first: 0, text: initial?.bytes)]
  }

  /// Adds the state after a number of steps.
  ///
  /// - Parameters:
  ///   - state: The state; nil if the step removed the feature.
  ///   - previous: The last state; nil if the store was absent.
  ///   - count: The number of steps, not smaller than the last one.
  mutating func append(_ state: JSON?, after previous: JSON?, steps count: Int) {
    changes.append(count)
    let last = segments.count - 1
    if let state, let previous, segments[last].count <= Self.limit {
      let delta = ByteDelta(from: previous, to: state).bytes
      // Beyond that, whole states are not much larger, and faster to read.
      let limit = 2 * (segments[last].text?.count ?? 0)
      if delta.count < state.byteCount / 2, segments[last].deltas.count + delta.count <= limit {
        segments[last].append(delta)
        return
      }
    }
    segments.append(Segment(first: changes.count, text: state?.bytes))
  }

  /// The memory of the texts and differences.
  var byteCount: Int {
    segments.reduce(0) { $0 + ($1.text?.count ?? 0) + $1.deltas.count }
  }

  /// Returns the text of the state after a number of steps; nil if the store is absent.
  func text(afterSteps count: Int) -> [UInt8]? {
    let place = changes.partitioningIndex { $0 > count }
    let segment = segments[segments.partitioningIndex { $0.first > place } - 1]
    var reader = Reader(segment)
    for _ in segment.first..<place { reader.advance(in: segment) }
    return reader.text
  }

  /// Reads the states from the first to the last.
  struct Walk {
    private let history: StateHistory
    private var segment = 0
    private var reader: Reader
    private var place = 0

    /// The text of the current state; nil if the store is absent.
    var text: [UInt8]? { reader.text }

    init(_ history: StateHistory) {
      self.history = history
      reader = Reader(history.segments[0])
    }

    /// Goes to the state after a number of steps, which is not smaller than the last one.
    mutating func advance(toSteps count: Int) {
      while place < history.changes.count, history.changes[place] <= count {
        place += 1
        if segment + 1 < history.segments.count, history.segments[segment + 1].first == place {
          segment += 1
          reader = Reader(history.segments[segment])
        } else {
          reader.advance(in: history.segments[segment])
        }
      }
    }
  }

  /// Applies the differences of a segment, one after the other.
  private struct Reader {
    private(set) var text: [UInt8]?
    private var offset = 0

    init(_ segment: Segment) { text = segment.text }

    mutating func advance(in segment: Segment) {
      let start = offset + Segment.lengthCount
      let end = start + segment.length(at: offset)
      // Taken out, so that the text is changed in place.
      var changed = text.take() ?? []
      ByteDelta.apply(segment.deltas[start..<end], to: &changed)
      text = changed
      offset = end
    }
  }
}

extension StateHistory.Segment {
  static let lengthCount = 4

  mutating func append(_ delta: [UInt8]) {
    // A difference is shorter than a text, whose length has 32 bits.
    let length = UInt32(delta.count)
    for shift in stride(from: 0, to: 32, by: 8) {
      deltas.append(UInt8(truncatingIfNeeded: length >> UInt32(shift)))
    }
    deltas += delta
    count += 1
  }

  func length(at offset: Int) -> Int {
    deltas[offset..<offset + Self.lengthCount].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension JSON {
  fileprivate var bytes: [UInt8] { unsafe withBytes { unsafe [UInt8]($0) } }
}
