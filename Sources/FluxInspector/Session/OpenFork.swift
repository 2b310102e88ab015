package import FluxReplay
import FluxSystem

/// A fork of a session: its number there, and its steps as a value, which can be read while the app dispatches.
package struct OpenFork: Sendable {
  /// 1 for the first, never used again.
  package let number: Int
  /// The names of the app's stores.
  let stores: [String]
  package private(set) var history: ForkHistory
  private let fork: SharedFork

  /// Takes over a fork, which nothing else uses from then on.
  init(number: Int, _ fork: Fork) {
    (self.number, history, stores) = (number, fork.history, fork.app.stores.map(\.name))
    self.fork = SharedFork(fork)
  }

  package func use<Result: Sendable>(_ body: (Fork) throws -> Result) rethrows -> Result {
    try fork.use(body)
  }

  /// Makes a fork that leaves this one after `count` of its steps, in the states there with `edits` in place of some.
  func leaving(
    afterSteps count: Int, editing edits: [ReplayedStep.Change]
  ) throws -> Fork {
    try use { Unshared(fork: try Fork(leaving: $0, afterSteps: count, editing: edits)) }.fork
  }

  /// Uses the fork for something that adds steps.
  mutating func extend<Result: Sendable>(_ body: (Fork) throws -> Result) rethrows -> Result {
    let result = try fork.use(body)
    history = fork.use(\.history)
    return result
  }
}

/// A fork that sessions share.
///
/// `@unchecked Sendable`: a `Fork` is for one thread at a time. It is private, is reached only while the
/// lock is held, and cannot leave a call of ``use(_:)``, whose result has to be `Sendable`, as a `Fork`
/// is not.
private final class SharedFork: @unchecked Sendable {
  private let fork: Fork
  private let lock = Monitor(())

  init(_ fork: Fork) { self.fork = fork }

  func use<Result: Sendable>(_ body: (Fork) throws -> Result) rethrows -> Result {
    try lock.withLock { _ in try body(fork) }
  }
}

/// A new fork on its way out of a call of ``OpenFork/use(_:)``.
///
/// `@unchecked Sendable`: the call that makes it keeps nothing of it.
private struct Unshared: @unchecked Sendable {
  let fork: Fork
}

/// The forks of a session, in the order in which they were made.
struct Forks: Sendable {
  private(set) var all: [OpenFork] = []
  private var lastNumber = 0

  mutating func add(_ fork: Fork) -> OpenFork {
    lastNumber += 1
    all.append(OpenFork(number: lastNumber, fork))
    return all[all.count - 1]
  }

  mutating func remove(_ number: Int) { all.removeAll { $0.number == number } }

  subscript(number: Int) -> OpenFork? { all.first { $0.number == number } }

  /// Changes a fork in its place.
  mutating func replace(_ fork: OpenFork) {
    if let place = all.firstIndex(where: { $0.number == fork.number }) { all[place] = fork }
  }
}
