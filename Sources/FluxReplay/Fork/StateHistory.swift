import FluxJSON

/// The states of a store on a fork, in order, as the patches that a log would have.
///
/// Most steps change a small part of a state. A state is stored whole from time to time, so reading any of them applies
/// a limited number of patches.
struct StateHistory: Sendable {
  /// A whole state, and those after it.
  private struct Segment {
    /// The place of the whole state among all states.
    let first: Int
    /// The text of the whole state, which may have been a part of a long message; nil if the store is absent.
    let text: [UInt8]?
    /// The texts of the patches to the states after it.
    var patches: [[UInt8]] = []
    var patchByteCount = 0

    /// The whole state.
    ///
    /// One of the app is no larger than memory, so the copies that lead to the next ones need no limit.
    var draft: Draft? {
      text.map { Draft(JSON(ofValid: $0), copyLimit: MemoryLimit(byteCount: .max)) }
    }
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

  /// Adds the state after a number of steps, which is not smaller than the last one.
  ///
  /// `state` is nil if the step removed the feature, and `previous` if the store was absent.
  mutating func append(_ state: JSON?, after previous: JSON?, steps count: Int) {
    changes.append(count)
    let last = segments.count - 1
    if let state, let previous, segments[last].patches.count < Self.limit {
      let patch = previous.patch(to: state).text
      let byteCount = segments[last].patchByteCount + patch.count
      // Beyond that, whole states are not much larger, and faster to read.
      if patch.count < state.byteCount / 2, byteCount <= 2 * (segments[last].text?.count ?? 0) {
        segments[last].patches.append(patch)
        segments[last].patchByteCount = byteCount
        return
      }
    }
    segments.append(Segment(first: changes.count, text: state?.bytes))
  }

  /// The memory of the states and patches, as text.
  var byteCount: Int { segments.reduce(0) { $0 + ($1.text?.count ?? 0) + $1.patchByteCount } }

  /// Returns the state after a number of steps; nil if the store is absent.
  func state(afterSteps count: Int) -> JSON? {
    let place = changes.partitioningIndex { $0 > count }
    var walk = Walk(self, segment: segments.partitioningIndex { $0.first > place } - 1)
    walk.advance(toSteps: count)
    return walk.state
  }

  /// Reads states in order, from the whole one of a segment on.
  struct Walk {
    private let history: StateHistory
    private var segment: Int
    private var place: Int
    private var draft: Draft?

    /// The current state; nil if the store is absent.
    var state: JSON? { draft?.json() }

    init(_ history: StateHistory, segment: Int = 0) {
      (self.history, self.segment) = (history, segment)
      place = history.segments[segment].first
      draft = history.segments[segment].draft
    }

    /// Goes to the state after a number of steps, which is not smaller than the last one.
    mutating func advance(toSteps count: Int) {
      while place < history.changes.count, history.changes[place] <= count {
        place += 1
        if segment + 1 < history.segments.count, history.segments[segment + 1].first == place {
          segment += 1
          draft = history.segments[segment].draft
        } else {
          apply(history.segments[segment].patches[place - history.segments[segment].first - 1])
        }
      }
    }

    private mutating func apply(_ patch: [UInt8]) {
      do {
        try draft?.apply(operations: JSON.parse(patch))
      } catch {
        preconditionFailure("a patch does not fit the state that it was made from: \(error)")
      }
    }
  }
}

extension JSON {
  init(ofValid text: some Collection<UInt8>) {
    self.init(writing: { $0.raw(text) })
  }

  /// The text of the value alone, which may be a part of a long one.
  var bytes: [UInt8] { unsafe withBytes { unsafe [UInt8]($0) } }
}
