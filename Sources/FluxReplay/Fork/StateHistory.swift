import FluxJSON

/// The states of a store on a fork, in order, as the patches that a log would have.
///
/// Most steps change a small part of a state. A state is stored whole from time to time, so reading any of them applies
/// a limited number of patches.
struct StateHistory: Sendable {
  /// A whole state, and those after it.
  fileprivate struct Segment {
    /// The place of the whole state among all states.
    let first: Int
    /// The text of the whole state, which may have been a part of a long message; nil if the store is absent.
    let text: [UInt8]?
    /// The texts of the patches to the states after it; 4 bytes with the length precede each.
    var patches: [UInt8] = []
    var count = 1
  }

  private var segments: [Segment]
  /// The numbers of steps after which the states come to be, the first one aside.
  private var changes: [Int] = []

  /// The number of patches after which a state is stored whole.
  ///
  /// At 50 KB, the whole state then adds 50 bytes to each of them.
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
      let patch = previous.patch(to: state).text
      // Beyond that, whole states are not much larger, and faster to read.
      let limit = 2 * (segments[last].text?.count ?? 0)
      if patch.count < state.byteCount / 2, segments[last].patches.count + patch.count <= limit {
        segments[last].append(patch)
        return
      }
    }
    segments.append(Segment(first: changes.count, text: state?.bytes))
  }

  /// The memory of the states and patches, as text.
  var byteCount: Int {
    segments.reduce(0) { $0 + ($1.text?.count ?? 0) + $1.patches.count }
  }

  /// Returns the state after a number of steps; nil if the store is absent.
  func state(afterSteps count: Int) -> JSON? {
    let place = changes.partitioningIndex { $0 > count }
    let segment = segments[segments.partitioningIndex { $0.first > place } - 1]
    var reader = Reader(segment)
    for _ in segment.first..<place { reader.advance(in: segment) }
    return reader.state
  }

  /// Reads the states from the first to the last.
  struct Walk {
    private let history: StateHistory
    private var segment = 0
    private var reader: Reader
    private var place = 0

    /// The current state; nil if the store is absent.
    var state: JSON? { reader.state }
    /// `true` unless the store is absent.
    var isPresent: Bool { reader.isPresent }

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

  /// Applies the patches of a segment, one after the other.
  private struct Reader {
    private var draft: Draft?
    private var offset = 0

    /// A state of the app is no larger than memory, so the copies that lead to it need no limit.
    init(_ segment: Segment) {
      draft = segment.text.map {
        Draft(JSON(ofValid: $0), copyLimit: MemoryLimit(byteCount: .max))
      }
    }

    var state: JSON? { draft?.json() }
    var isPresent: Bool { draft != nil }

    mutating func advance(in segment: Segment) {
      let start = offset + Segment.lengthCount
      let end = start + segment.length(at: offset)
      do {
        try draft?.apply(operations: JSON.parse(Array(segment.patches[start..<end])))
      } catch {
        preconditionFailure("a patch does not fit the state that it was made from: \(error)")
      }
      offset = end
    }
  }
}

extension StateHistory.Segment {
  static let lengthCount = 4

  mutating func append(_ patch: [UInt8]) {
    // A patch is shorter than a text, whose length has 32 bits.
    let length = UInt32(patch.count)
    for shift in stride(from: 0, to: 32, by: 8) {
      patches.append(UInt8(truncatingIfNeeded: length >> UInt32(shift)))
    }
    patches += patch
    count += 1
  }

  func length(at offset: Int) -> Int {
    patches[offset..<offset + Self.lengthCount].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension JSON {
  /// Creates a value from the text of one.
  init(ofValid text: some Collection<UInt8>) {
    self.init(writing: { $0.raw(text) })
  }

  fileprivate var bytes: [UInt8] { unsafe withBytes { unsafe [UInt8]($0) } }
}
