import FluxSystem

/// The pointers of a redaction, and which of them have matched a value.
final class PointerUsage: Sendable {
  private let pointers = Monitor<[(name: String, isMatched: Bool)]>([])

  /// Adds pointers under consecutive numbers; returns the first number.
  func add(_ names: [String]) -> Int {
    pointers.withLock { pointers in
      defer { pointers += names.map { ($0, false) } }
      return pointers.count
    }
  }

  func note(_ numbers: [Int]) {
    guard !numbers.isEmpty else { return }
    pointers.withLock { for number in numbers { $0[number].isMatched = true } }
  }

  func name(_ number: Int) -> String { pointers.withLock { $0[number].name } }

  /// The pointers that have matched no value, in the order in which they were added.
  var unmatched: [String] { pointers.withLock { $0.filter { !$0.isMatched }.map(\.name) } }
}
