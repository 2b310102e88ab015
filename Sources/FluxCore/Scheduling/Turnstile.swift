import Synchronization

/// The queue of a dispatcher: gives the turn to one thread at a time, first come, first served.
///
/// The queue holds two kinds of tickets: a thread that waits to enter, and an item that a thread appended
/// during its turn. An item runs on the thread that appended it, so an action and everything that follows
/// from it run on the thread that dispatched the action. If a thread's next item is behind tickets of other
/// threads, the thread passes the turn on and sleeps until its item is first. A thread with an ``OtherTurn``
/// does not sleep, and runs its items before the others. Detached items, which no thread waits for, run on a
/// worker thread that starts with the first such item.
///
/// Most turns meet no other thread and queue nothing. They begin and end with one atomic exchange each, and
/// never take the lock.
///
/// Invariant: if the owner's word is not marked as contended, the queue is empty and the owner has no
/// participant.
final class Turnstile<Item: Sendable>: @unchecked Sendable {
  // Sendable: the owner is atomic, and `lock` guards every variable.

  /// A thread with tickets in the queue.
  final class Participant {
    fileprivate let condition = Lock.Condition()
    fileprivate var hasTurn = false
    fileprivate var isAsleep = false
    fileprivate var pendingItems = 0
  }

  private enum Ticket {
    case entrance(Participant)
    case item(Item, Participant)

    var participant: Participant {
      switch self {
      case .entrance(let participant), .item(_, let participant): participant
      }
    }
  }

  private let owner = TurnOwner()
  private let lock = Lock()
  private var queue = Queue<Ticket>()
  /// The owner as a participant; nil until it needs one, because most turns queue nothing.
  private var owningParticipant: Participant?
  private var worker: Participant?
  private var isClosed = false
  /// The number of threads that sleep and have not been woken.
  private var sleepingThreads = 0

  /// The number of threads that wait for their turn, and of workers that wait for an item.
  var waitingThreads: Int { lock.withLock { sleepingThreads } }

  /// `true` if no thread has the turn, and nothing waits for it.
  var isIdle: Bool {
    lock.withLock { queue.isEmpty && owner.word.load(ordering: .acquiring) == Self.nobody }
  }

  private static var nobody: UInt { TurnOwner.nobody }
  private static var contended: UInt { TurnOwner.contended }

  enum Entry {
    /// This thread has the turn now; it must call ``next()`` until that returns nil.
    case entered
    /// This thread already had the turn: the call came from inside it.
    case nested
    /// Another thread has the turn, and this thread has the turn of another dispatcher. It must not wait,
    /// because the other thread may be waiting for it.
    case wouldDeadlock
  }

  /// Takes the turn, and waits for it if another thread has it.
  ///
  /// With `waitsInsideOtherTurns` it waits even if this thread has the turn of another dispatcher.
  @inline(__always)
  func enter(waitsInsideOtherTurns: Bool = false) -> Entry {
    let thread = currentThreadIdentity()
    let (exchanged, current) = owner.word.compareExchange(
      expected: Self.nobody, desired: thread, ordering: .acquiringAndReleasing)
    if exchanged { return .entered }
    if current & ~Self.contended == thread { return .nested }
    return waitToEnter(thread, waitsInsideOtherTurns)
  }

  private func waitToEnter(_ thread: UInt, _ waitsInsideOtherTurns: Bool) -> Entry {
    if !waitsInsideOtherTurns, TurnOwner.hasAnyTurn { return .wouldDeadlock }
    lock.lock()
    defer { lock.unlock() }
    if claim(thread) { return .entered }
    let participant = Participant()
    queue.append(.entrance(participant))
    awaitTurn(participant)
    return .entered
  }

  /// Takes the turn if it is free, and marks it as contended if it is not; called under the lock.
  private func claim(_ newOwner: UInt) -> Bool {
    while true {
      let current = owner.word.load(ordering: .acquiring)
      let desired = current == Self.nobody ? newOwner : current | Self.contended
      let (exchanged, _) = owner.word.compareExchange(
        expected: current, desired: desired, ordering: .acquiringAndReleasing)
      if exchanged { return current == Self.nobody }
    }
  }

  /// Appends an item of the thread that has the turn; only that thread may call it.
  func append(_ item: Item) {
    lock.lock()
    defer { lock.unlock() }
    let participant = owningParticipant ?? Participant()
    owningParticipant = participant
    participant.pendingItems += 1
    queue.append(.item(item, participant))
    owner.word.bitwiseOr(Self.contended, ordering: .acquiringAndReleasing)
  }

  var hasTurn: Bool {
    owner.word.load(ordering: .acquiring) & ~Self.contended == currentThreadIdentity()
  }

  /// Appends an item that no thread waits for; only a thread without the turn may call it.
  ///
  /// - Returns: `true` if the caller must start a worker: ``work(_:)`` on a new thread. Nil if the turnstile
  ///   is closed and the item was dropped.
  func appendDetached(_ item: Item) -> Bool? {
    lock.lock()
    defer { lock.unlock() }
    guard !isClosed else { return nil }
    let needsWorker = worker == nil
    let participant = worker ?? Participant()
    worker = participant
    participant.pendingItems += 1
    queue.append(.item(item, participant))
    if claim(Self.contended) { passTurn() }
    return needsWorker
  }

  @inline(__always)
  func tryToLeave() -> Bool {
    owner.word.compareExchange(
      expected: currentThreadIdentity(), desired: Self.nobody, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Returns the next item of the thread that has the turn, once that item is first in the queue.
  ///
  /// If the thread has no more items, it passes the turn on and returns nil.
  func next() -> Item? {
    lock.lock()
    defer { lock.unlock() }
    guard let participant = owningParticipant, participant.pendingItems > 0 else {
      passTurn()
      return nil
    }
    if queue.first?.participant !== participant {
      // A thread that gets the turn may wait for this one, so its item does not wait until it is first.
      if OtherTurn.isCurrent {
        return takeItem(queue.removeFirst { $0.participant === participant }, of: participant)
      }
      passTurn()
      awaitTurn(participant)
    }
    return takeItem(queue.popFirst(), of: participant)
  }

  /// Runs the detached items, each in its turn, until the turnstile is closed.
  func work(_ run: (Item) -> Void) {
    while let first = firstDetachedItem() {
      run(first)
      while let item = next() { run(item) }
    }
  }

  private func firstDetachedItem() -> Item? {
    lock.lock()
    defer { lock.unlock() }
    guard let worker else { return nil }
    while !worker.hasTurn {
      if isClosed, worker.pendingItems == 0 {
        self.worker = nil
        return nil
      }
      sleep(worker)
    }
    beginTurn(of: worker)
    return takeItem(queue.popFirst(), of: worker)
  }

  /// Lets the worker end after it has run the queued items.
  func close() {
    lock.withLock {
      isClosed = true
      guard let worker else { return }
      wake(worker)
      worker.condition.signal()
    }
  }

  private func takeItem(_ ticket: Ticket?, of participant: Participant) -> Item {
    guard case .item(let item, let owner)? = ticket, owner === participant else {
      preconditionFailure("A participant with the turn takes only its own items")
    }
    participant.pendingItems -= 1
    return item
  }

  /// Gives the turn to the participant of the first ticket, or to nobody.
  private func passTurn() {
    owningParticipant = nil
    guard let participant = queue.first?.participant else {
      owner.word.store(Self.nobody, ordering: .releasing)
      return
    }
    // The sleeping thread stores its own identity when it wakes.
    owner.word.store(Self.contended, ordering: .releasing)
    participant.hasTurn = true
    wake(participant)
    participant.condition.signal()
  }

  private func awaitTurn(_ participant: Participant) {
    while !participant.hasTurn { sleep(participant) }
    if case .entrance(let first)? = queue.first, first === participant { _ = queue.popFirst() }
    beginTurn(of: participant)
  }

  private func sleep(_ participant: Participant) {
    participant.isAsleep = true
    sleepingThreads += 1
    participant.condition.wait(lock)
    wake(participant)
  }

  private func wake(_ participant: Participant) {
    guard participant.isAsleep else { return }
    participant.isAsleep = false
    sleepingThreads -= 1
  }

  private func beginTurn(of participant: Participant) {
    participant.hasTurn = false
    owner.word.store(currentThreadIdentity() | Self.contended, ordering: .releasing)
    owningParticipant = participant
  }
}
