import FluxLog
import Harness

/// The text of a state with todos of about 142 bytes each, and of the states that follow it.
struct TodoState {
  private var items: [String]

  init(_ count: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = ["buy", "milk", "call", "about", "the", "new", "roof", "before", "friday", "café"]
    func phrase(_ count: Int) -> String {
      (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    }
    items = (0..<count).map { index in
      #"{"created":\#(780_000_000.5 + Double(index)),"done":false,"id":\#(index),"note":""#
        + phrase(6) + #"","tags":["\#(phrase(1))","\#(phrase(1))"],"title":"\#(phrase(4))"}"#
    }
  }

  /// The state as one line of JSON.
  var text: String { #"{"items":[\#(items.joined(separator: ","))]}"# }

  /// Marks one todo as done.
  mutating func finish(_ index: Int) {
    items[index] = items[index].replacing(#""done":false"#, with: #""done":true"#)
  }

  /// Removes one todo.
  mutating func remove(_ index: Int) { items.remove(at: index) }

  /// Adds a todo before all others.
  mutating func addFirst() {
    items.insert(#"{"created":1.5,"done":false,"id":-1,"note":"","tags":[],"title":"new"}"#, at: 0)
  }
}
