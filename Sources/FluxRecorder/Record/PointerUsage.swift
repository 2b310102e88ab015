import FluxCore

/// The pointers of a redaction, and which of them have matched a value.
final class PointerUsage: @unchecked Sendable {
  // Sendable: `lock` guards the variables.

  private let lock = Lock()
  private var pointers: [(name: String, isMatched: Bool)] = []

  /// Adds pointers under consecutive numbers; returns the first number.
  func add(_ names: [String]) -> Int {
    lock.withLock {
      defer { pointers += names.map { ($0, false) } }
      return pointers.count
    }
  }

  func note(_ numbers: [Int]) {
    guard !numbers.isEmpty else { return }
    lock.withLock { for number in numbers { pointers[number].isMatched = true } }
  }

  func name(_ number: Int) -> String { lock.withLock { pointers[number].name } }

  /// The pointers that have matched no value, in the order in which they were added.
  var unmatched: [String] { lock.withLock { pointers.filter { !$0.isMatched }.map(\.name) } }
}
