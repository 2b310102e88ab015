/// An observer's place in the table of its dispatcher.
@usableFromInline
final class Registration: @unchecked Sendable {
  // Sendable: the dispatcher's lock guards `order` and `slots`. The other variables are data of the turn, but for the
  // registration, which precedes every turn that knows the observer.

  var order: UInt64 = 0
  /// The stores at which the observer is listed; nil if it was removed.
  var slots: SlotSet?

  /// The stores that the selector has read in this run.
  let reads = TurnLocal(SlotSet())
  /// The stores that it read in the run before.
  let lastReads = TurnLocal(SlotSet())

  @usableFromInline
  init() {}

  /// Ends a run; returns the stores to move to if the selector has read other stores than in the run before.
  @inline(__always)
  func takeMove() -> SlotSet? {
    defer { reads.value.removeAll() }
    return reads.value.isEqual(to: lastReads.value) ? nil : takeChangedReads()
  }

  private func takeChangedReads() -> SlotSet {
    lastReads.value = reads.value
    return reads.value
  }
}

/// A set of stores, by their places in the dispatcher.
struct SlotSet {
  /// The first 64 stores, a bit each.
  private var first: UInt64 = 0
  /// The stores after the first 64, a bit each; most dispatchers have none.
  private var others: [UInt64] = []

  init() {}

  init(_ slot: Int) {
    insert(slot)
  }

  @inline(__always)
  func isEqual(to other: borrowing SlotSet) -> Bool {
    first == other.first
      && (others.isEmpty && other.others.isEmpty || others == other.others)
  }

  var members: [Int] {
    ([first] + others).enumerated().flatMap { index, word in
      (0..<64).filter { word & 1 << $0 != 0 }.map { index * 64 + $0 }
    }
  }

  @inline(__always)
  mutating func insert(_ slot: Int) {
    if slot < 64 { first |= 1 << UInt64(slot) } else { insertFar(slot) }
  }

  private mutating func insertFar(_ slot: Int) {
    let word = slot / 64 - 1
    while others.count <= word { others.append(0) }
    others[word] |= 1 << UInt64(slot % 64)
  }

  mutating func removeAll() {
    first = 0
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
  }
}
