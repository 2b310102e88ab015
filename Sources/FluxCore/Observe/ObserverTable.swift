/// The observers of a dispatcher: each is listed at the stores whose changes it observes.
///
/// An observer of one store stays in that store's list. An observer of the model moves to the stores that its
/// selector reads. Every list is in the order of registration.
struct ObserverTable {
  private var bySlot: [[RegisteredObserver]]
  private var count: UInt64 = 0

  init(storeCount: Int) {
    bySlot = Array(repeating: [], count: storeCount)
  }

  @inline(__always)
  func observers(of slot: Int) -> [RegisteredObserver] { bySlot[slot] }

  /// Returns the observers of several stores, in the order of registration, each model observer once.
  func observers(of slots: [Int]) -> [RegisteredObserver] {
    var found = slots.flatMap { bySlot[$0] }
    found.sort { $0.order < $1.order }
    for index in found.indices.dropFirst().reversed()
    where found[index].order == found[index - 1].order {
      found.remove(at: index)
    }
    return found
  }

  /// Adds an observer after the existing ones.
  mutating func add(_ observer: Observer, _ registration: Registration, at slots: SlotSet) {
    count += 1
    registration.order = count
    insert(RegisteredObserver(order: count, observer: observer), registration, at: slots)
  }

  /// Moves an observer to other stores; it keeps its place in the order.
  ///
  /// Does nothing if the observer was removed. An observer that reads no store leaves the table, because it never runs
  /// again.
  ///
  /// - Returns: The observer, because releasing it can run code of the app.
  mutating func move(_ registration: Registration, to slots: SlotSet) -> RegisteredObserver? {
    guard let moved = remove(registration) else { return nil }
    insert(moved, registration, at: slots)
    return moved
  }

  /// Removes an observer; returns it, because releasing it can run code of the app.
  mutating func remove(_ registration: Registration) -> RegisteredObserver? {
    var removed: RegisteredObserver?
    for slot in registration.slots.take()?.members ?? [] {
      guard let place = bySlot[slot].firstIndex(where: { $0.order == registration.order }) else {
        continue
      }
      removed = bySlot[slot].remove(at: place)
    }
    return removed
  }

  private mutating func insert(
    _ observer: RegisteredObserver, _ registration: Registration, at slots: SlotSet
  ) {
    registration.slots = slots
    var observer = observer
    for slot in slots.members {
      observer.slot = slot
      let place = bySlot[slot].lastIndex { $0.order < observer.order }
      bySlot[slot].insert(observer, at: place.map { $0 + 1 } ?? 0)
    }
  }
}

struct RegisteredObserver {
  /// The place among all observers of the dispatcher: observers run in the order of registration.
  let order: UInt64
  /// The store at which the observer is listed; unused for observers of the model.
  var slot = 0
  let observer: Observer
}
