import FluxCore

/// The pointers of a redaction, and which of them have matched a value.
final class PointerUsage: @unchecked Sendable {
  // Sendable: `lock` guards the variables.

  private let lock = Lock()
  private var names: [String] = []
  private var isMatched: [Bool] = []
  private var rest = 0

  /// Adds pointers under consecutive numbers; returns the first number.
  func add(_ names: [String]) -> Int {
    lock.withLock {
      defer {
        self.names += names
        isMatched += names.map { _ in false }
        rest += names.count
      }
      return self.names.count
    }
  }

  /// Notes that pointers have matched a value.
  func note(_ numbers: [Int]) {
    guard !numbers.isEmpty else { return }
    lock.withLock {
      guard rest > 0 else { return }
      for number in numbers where !isMatched[number] {
        isMatched[number] = true
        rest -= 1
      }
    }
  }

  /// The pointers that have matched no value, in the order in which they were added.
  var unmatched: [String] {
    lock.withLock {
      rest == 0 ? [] : zip(names, isMatched).filter { !$0.1 }.map(\.0)
    }
  }
}
