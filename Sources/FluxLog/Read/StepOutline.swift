/// What the index wants to know of a step line.
struct StepOutline {
  var number: UInt64
  /// Microseconds.
  var time: UInt64
  /// Where the action's type stands in the bytes, between its quotes.
  var type: Range<Int>
  var cause: UInt64?
  var isRejected = false
  /// Where its numbers stand, in a line as writers write it.
  var numbers = LineNumbers()
}

/// One store that a step writes, and how.
struct OutlinedWrite {
  /// Where the store's name stands in the bytes, between its quotes.
  var name: Range<Int>
  var kind: WriteKind
}

/// How a step writes a store.
public enum WriteKind: UInt8, Sendable, Hashable {
  /// With its whole state.
  case whole
  /// With a patch to its previous state.
  case patch
  /// The feature is removed.
  case removal
}
