/// The parts of a step line that the index needs.
struct StepOutline {
  var number: UInt64
  /// In microseconds.
  var time: UInt64
  /// The range of the action's type in the bytes, between its quotes.
  var type: Range<Int>
  var cause: UInt64?
  var isRejected = false
  /// The places of the numbers, if the line is as writers write it.
  var numbers = LineNumbers()
}

/// A store that a step writes, and how.
struct OutlinedWrite {
  /// The range of the store's name in the bytes, between its quotes.
  var name: Range<Int>
  var kind: WriteKind
}

/// The way in which a step writes a store.
public enum WriteKind: UInt8, Sendable, Hashable {
  /// The step contains the whole state.
  case whole
  /// The step contains a patch to the previous state.
  case patch
  /// The step removes the feature.
  case removal
}
