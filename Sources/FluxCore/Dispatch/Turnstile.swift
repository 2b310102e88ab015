import Synchronization

/// The one queue of a dispatcher: it lets one thread at a time have the turn, first come, first served.
///
/// What waits in the queue is either a thread at the entrance, or an item that was appended from inside
/// a turn and belongs to the thread whose turn that was. So an action and everything that follows from
/// it run on the thread that dispatched it, and no thread runs what another one asked for. A thread
/// whose items stand behind others' passes the turn on and sleeps until it comes back. Items that
/// nobody waits for belong to a worker thread, which exists from the first such item on.
///
/// Most turns meet no other thread and queue nothing: they begin and end with one atomic exchange each,
/// and never take the lock.
///
/// Invariant: unless the word is marked as crowded, the queue is empty and the owner has no home.
final class Turnstile<Item: Sendable>: @unchecked Sendable {
  // Sendable: the owner is atomic, and every variable is guarded by `lock`.

  /// A thread with something in the queue: at the entrance, or items of its own.
  final class Home {
    fileprivate let condition = Lock.Condition()
    fileprivate var hasTurn = false
    fileprivate var pendingItems = 0
  }

  private enum Ticket {
    case entrance(Home)
    case item(Item, Home)

    var home: Home {
      switch self {
      case .entrance(let home), .item(_, let home): home
      }
    }
  }

  /// Who has the turn: a thread's identity, or nobody.
  ///
  /// The lowest bit says that the turn cannot end without a look at the queue.
  private let owner = TurnOwner()
  private let lock = Lock()
  private var queue = Queue<Ticket>()
  /// The owner's home, once it needs one: most turns are over without anything queued.
  private var ownerHome: Home?
  private var worker: Home?
  private var isClosed = false

  private static var nobody: UInt { TurnOwner.nobody }
  private static var crowded: UInt { TurnOwner.crowded }

  enum Entry {
    /// The turn is this thread's; it must call ``next()`` until that returns nil.
    case entered
    /// This thread has had the turn all along: the call came from inside it.
    case nested
    /// The turn is another thread's, and this thread has the turn of another dispatcher: it must not wait,
    /// because that other thread may wait for it in turn.
    case elsewhere
  }

  /// Takes the turn, waiting for it where another thread has it; inside the turn of another dispatcher it waits
  /// only where told to.
  @inline(__always)
  func enter(evenFromElsewhere: Bool = false) -> Entry {
    let thread = currentThreadIdentity()
    let (exchanged, current) = owner.word.compareExchange(
      expected: Self.nobody, desired: thread, ordering: .acquiringAndReleasing)
    if exchanged { return .entered }
    if current & ~Self.crowded == thread { return .nested }
    return waitToEnter(thread, evenFromElsewhere)
  }

  private func waitToEnter(_ thread: UInt, _ evenFromElsewhere: Bool) -> Entry {
    if !evenFromElsewhere, TurnOwners.hasTurn(thread) { return .elsewhere }
    lock.lock()
    defer { lock.unlock() }
    if claim(thread) { return .entered }
    let home = Home()
    queue.append(.entrance(home))
    awaitTurn(home)
    return .entered
  }

  /// Under the lock: takes the turn if it is free, or else sees to it that its owner looks at the queue.
  private func claim(_ newOwner: UInt) -> Bool {
    while true {
      let current = owner.word.load(ordering: .acquiring)
      let desired = current == Self.nobody ? newOwner : current | Self.crowded
      let (exchanged, _) = owner.word.compareExchange(
        expected: current, desired: desired, ordering: .acquiringAndReleasing)
      if exchanged { return current == Self.nobody }
    }
  }

  /// Appends an item of the thread that has the turn; only that thread may call it.
  func append(_ item: Item) {
    lock.lock()
    defer { lock.unlock() }
    let home = ownerHome ?? Home()
    ownerHome = home
    home.pendingItems += 1
    queue.append(.item(item, home))
    owner.word.bitwiseOr(Self.crowded, ordering: .acquiringAndReleasing)
  }

  /// Whether the turn is this thread's.
  var hasTurn: Bool {
    owner.word.load(ordering: .acquiring) & ~Self.crowded == currentThreadIdentity()
  }

  /// Appends an item that nobody waits for; only a thread that does not have the turn may call it.
  ///
  /// - Returns: Whether a worker must be started, with ``work(_:)`` on a thread of its own; nil where the
  ///   turnstile is closed, and the item forgotten.
  func appendDetached(_ item: Item) -> Bool? {
    lock.lock()
    defer { lock.unlock() }
    guard !isClosed else { return nil }
    let needsWorker = worker == nil
    let home = worker ?? Home()
    worker = home
    home.pendingItems += 1
    queue.append(.item(item, home))
    if claim(Self.crowded) { passTurn() }
    return needsWorker
  }

  /// Ends the turn if nothing is queued, neither by it nor by others.
  @inline(__always)
  func tryToLeave() -> Bool {
    owner.word.compareExchange(
      expected: currentThreadIdentity(), desired: Self.nobody, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// The next item of the thread that has the turn, when its place in the queue has come.
  ///
  /// Returns nil, with the turn passed on, when the thread has no more items.
  func next() -> Item? {
    lock.lock()
    defer { lock.unlock() }
    guard let home = ownerHome, home.pendingItems > 0 else {
      passTurn()
      return nil
    }
    if queue.first?.home !== home {
      passTurn()
      awaitTurn(home)
    }
    return takeItem(of: home)
  }

  /// Runs the worker's items whenever their turn comes, until the turnstile is closed.
  func work(_ run: (Item) -> Void) {
    while let first = firstItemOfWorker() {
      run(first)
      while let item = next() { run(item) }
    }
  }

  private func firstItemOfWorker() -> Item? {
    lock.lock()
    defer { lock.unlock() }
    guard let worker else { return nil }
    while !worker.hasTurn {
      if isClosed, worker.pendingItems == 0 {
        self.worker = nil
        return nil
      }
      worker.condition.wait(lock)
    }
    beginTurn(of: worker)
    return takeItem(of: worker)
  }

  /// Lets the worker end once it has run what is queued.
  func close() {
    lock.withLock {
      isClosed = true
      worker?.condition.signal()
    }
  }

  private func takeItem(of home: Home) -> Item? {
    guard case .item(let item, let itsHome)? = queue.popFirst(), itsHome === home else {
      preconditionFailure("the turn is only given to the home of the first ticket")
    }
    home.pendingItems -= 1
    return item
  }

  /// Gives the turn to whoever stands first, or to nobody.
  private func passTurn() {
    ownerHome = nil
    guard let home = queue.first?.home else {
      owner.word.store(Self.nobody, ordering: .releasing)
      return
    }
    // The sleeper puts its own identity there when it wakes.
    owner.word.store(Self.crowded, ordering: .releasing)
    home.hasTurn = true
    home.condition.signal()
  }

  private func awaitTurn(_ home: Home) {
    while !home.hasTurn { home.condition.wait(lock) }
    if case .entrance(let first)? = queue.first, first === home { _ = queue.popFirst() }
    beginTurn(of: home)
  }

  private func beginTurn(of home: Home) {
    home.hasTurn = false
    owner.word.store(currentThreadIdentity() | Self.crowded, ordering: .releasing)
    ownerHome = home
  }
}
