/// The scheduling rules of a turnstile as a value: one operation at a time, without threads.
///
/// The worker is a thread like the others, with the number ``worker``.
struct TurnstileModel {
  /// A step of a thread's script.
  ///
  /// `leave` takes several steps: it runs the thread's items, one per step, and then gives up the turn.
  enum Operation: Equatable, Sendable {
    case enter
    case enterAgain
    case append(String)
    case appendDetached(String)
    case leave
  }

  /// An observable result of an operation.
  enum Event: Equatable, Hashable, Sendable, CustomStringConvertible {
    case entered(Int)
    case nested(Int)
    case appended(Int)
    case detached(Int, startsWorker: Bool)
    case runs(String, Int)
    case left(Int)

    var description: String {
      switch self {
      case .entered(let thread): "\(thread) entered"
      case .nested(let thread): "\(thread) was inside"
      case .appended(let thread): "\(thread) appended"
      case .detached(let thread, true): "\(thread) detached, worker needed"
      case .detached(let thread, false): "\(thread) detached"
      case .runs(let item, let thread): "\(thread) runs \(item)"
      case .left(let thread): "\(thread) left"
      }
    }
  }

  private enum Ticket: Equatable {
    case entrance(Int)
    case item(String, Int)

    var thread: Int {
      switch self {
      case .entrance(let thread), .item(_, let thread): thread
      }
    }
  }

  static let worker = 9

  private var scripts: [Int: [Operation]]
  private var owner: Int?
  private var queue: [Ticket] = []
  private(set) var asleep: Set<Int> = []
  private var hasWorker = false
  private var workerHasStarted = false

  init(_ scripts: [[Operation]]) {
    self.scripts = Dictionary(uniqueKeysWithValues: scripts.enumerated().map { ($0, $1) })
  }

  /// The threads that can take a step, in order.
  var runnable: [Int] {
    var threads = scripts.filter { !$1.isEmpty && !asleep.contains($0) }.map(\.key)
    if hasWorker, !asleep.contains(Self.worker) { threads.append(Self.worker) }
    return threads.sorted()
  }

  /// The next operation of a thread; nil for the worker, which has no script.
  func operation(of thread: Int) -> Operation? { scripts[thread]?.first }

  /// Takes a step of a thread; returns the events of all threads that it lets continue.
  mutating func step(_ thread: Int) -> [Event] {
    guard thread != Self.worker else { return stepOfWorker() }
    guard let operation = scripts[thread]?.first else { return [] }
    if operation != .leave { scripts[thread]?.removeFirst() }
    switch operation {
    case .enter:
      guard owner != nil else {
        owner = thread
        return [.entered(thread)]
      }
      queue.append(.entrance(thread))
      asleep.insert(thread)
      return []
    case .enterAgain:
      return [.nested(thread)]
    case .append(let item):
      queue.append(.item(item, thread))
      return [.appended(thread)]
    case .appendDetached(let item):
      defer { hasWorker = true }
      queue.append(.item(item, Self.worker))
      return [.detached(thread, startsWorker: !hasWorker)] + (owner == nil ? passTurn() : [])
    case .leave:
      guard hasItems(thread) else {
        scripts[thread]?.removeFirst()
        return [.left(thread)] + passTurn()
      }
      return runNext(thread)
    }
  }

  private mutating func stepOfWorker() -> [Event] {
    guard workerHasStarted else {
      workerHasStarted = true
      if owner == Self.worker { return resume(Self.worker) }
      asleep.insert(Self.worker)
      return []
    }
    if hasItems(Self.worker) { return runNext(Self.worker) }
    asleep.insert(Self.worker)
    return passTurn()
  }

  private func hasItems(_ thread: Int) -> Bool {
    queue.contains { if case .item(_, thread) = $0 { true } else { false } }
  }

  private mutating func runNext(_ thread: Int) -> [Event] {
    if queue.first?.thread == thread { return resume(thread) }
    asleep.insert(thread)
    return passTurn()
  }

  private mutating func passTurn() -> [Event] {
    owner = queue.first?.thread
    guard let owner, asleep.contains(owner) else { return [] }
    return resume(owner)
  }

  /// Lets the thread of the first ticket continue with it.
  private mutating func resume(_ thread: Int) -> [Event] {
    asleep.remove(thread)
    switch queue.removeFirst() {
    case .entrance: return [.entered(thread)]
    case .item(let item, _): return [.runs(item, thread)]
    }
  }
}

extension TurnstileModel {
  /// Calls `body` with every order in which the threads can take their steps.
  func forEachSchedule(_ body: ([Int]) -> Void) {
    var schedule: [Int] = []
    func explore(_ model: TurnstileModel) {
      let runnable = model.runnable
      if runnable.isEmpty { return body(schedule) }
      for thread in runnable {
        var next = model
        _ = next.step(thread)
        schedule.append(thread)
        explore(next)
        schedule.removeLast()
      }
    }
    explore(self)
  }
}
