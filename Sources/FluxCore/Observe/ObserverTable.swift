/// The observers of a dispatcher: each is listed at the stores whose changes it observes.
///
/// An observer of one store stays in that store's list. An observer of the model moves to the stores that its
/// selector reads. Every list is in the order of registration.
struct ObserverTable {
  private var bySlot: [[RegisteredObserver]]
  /// The observers that a step calls whatever it changes: model observers whose first selection is running.
  private var everywhere: [RegisteredObserver] = []
  private var count: UInt64 = 0

  init(storeCount: Int) {
    bySlot = Array(repeating: [], count: storeCount)
  }

  /// Returns the observers of a store, in the order of registration.
  @inline(__always)
  func observers(of slot: Int) -> [RegisteredObserver] {
    everywhere.isEmpty ? bySlot[slot] : observers(of: [slot])
  }

  /// Returns the observers of several stores, in the order of registration, each model observer once.
  func observers(of slots: [Int]) -> [RegisteredObserver] {
    var found = slots.flatMap { bySlot[$0] } + everywhere
    found.sort { $0.order < $1.order }
    for index in found.indices.dropFirst().reversed()
    where found[index].order == found[index - 1].order {
      found.remove(at: index)
    }
    return found
  }

  /// Adds an observer after the existing ones.
  mutating func add(_ observer: Observer, _ registration: Registration, at slots: SlotSet?) {
    count += 1
    registration.order = count
    insert(RegisteredObserver(order: count, slot: 0, observer: observer), registration, at: slots)
  }

  /// Moves an observer to other stores; it keeps its place in the order.
  ///
  /// Does nothing if the observer was removed. An observer that reads no store leaves the table, because it never runs again.
  ///
  /// - Returns: The observer, because releasing it can run code of the app.
  mutating func move(_ registration: Registration, to slots: SlotSet) -> RegisteredObserver? {
    guard let moved = remove(registration) else { return nil }
    insert(moved, registration, at: slots)
    return moved
  }

  /// Moves an observer from all stores to `slots`, unless it has moved or was removed.
  mutating func settle(_ registration: Registration, at slots: SlotSet) -> RegisteredObserver? {
    guard case .everywhere = registration.place else { return nil }
    return move(registration, to: slots)
  }

  /// Removes an observer; returns it, because releasing it can run code of the app.
  mutating func remove(_ registration: Registration) -> RegisteredObserver? {
    defer { registration.place = .removed }
    switch registration.place {
    case .removed: return nil
    case .everywhere: return Self.remove(registration.order, from: &everywhere)
    case .slots(let slots):
      var removed: RegisteredObserver?
      for slot in slots.members {
        removed = Self.remove(registration.order, from: &bySlot[slot]) ?? removed
      }
      return removed
    }
  }

  private mutating func insert(
    _ observer: RegisteredObserver, _ registration: Registration, at slots: SlotSet?
  ) {
    guard let slots else {
      registration.place = .everywhere
      return Self.insert(observer, into: &everywhere)
    }
    registration.place = .slots(slots)
    for slot in slots.members {
      Self.insert(
        RegisteredObserver(order: observer.order, slot: slot, observer: observer.observer),
        into: &bySlot[slot])
    }
  }

  private static func insert(
    _ observer: RegisteredObserver, into list: inout [RegisteredObserver]
  ) {
    let place = list.lastIndex { $0.order < observer.order }
    list.insert(observer, at: place.map { $0 + 1 } ?? 0)
  }

  private static func remove(
    _ order: UInt64, from list: inout [RegisteredObserver]
  ) -> RegisteredObserver? {
    list.firstIndex { $0.order == order }.map { list.remove(at: $0) }
  }
}

struct RegisteredObserver {
  /// The place among all observers of the dispatcher: observers run in the order of registration.
  let order: UInt64
  /// The store at which the observer is listed; unused for observers of the model.
  let slot: Int
  let observer: Observer
}

/// An observer's place in the table of its dispatcher.
@usableFromInline
final class Registration: @unchecked Sendable {
  // Sendable: the dispatcher's lock guards `order` and `place`. The other variables are data of the turn.

  enum Place {
    case removed
    /// At every store, and so in every step.
    case everywhere
    case slots(SlotSet)
  }

  fileprivate(set) var order: UInt64 = 0
  fileprivate(set) var place = Place.removed

  /// The stores that the selector has read in this run.
  let reads = TurnLocal(SlotSet())
  /// The stores that it read in the run before.
  private let lastReads = TurnLocal(SlotSet())
  /// `true` after the first run in a turn.
  private let hasRun = TurnLocal(false)

  @usableFromInline
  init() {}

  /// Returns the stores to move to if the selector has run and read other stores than in the run before.
  @inline(__always)
  func takeMove() -> SlotSet? {
    reads.value.isEqual(to: lastReads.value) && hasRun.value ? nil : takeChangedReads()
  }

  private func takeChangedReads() -> SlotSet {
    lastReads.value = reads.value
    hasRun.value = true
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
