import Harness

/// The state that the figures are measured with: about 142 bytes of JSON each.
struct Todo: Codable, Equatable {
  var id: Int
  var title: String
  var done: Bool
  var note: String
  var tags: [String]
  var created: Double

  static func random(id: Int, using random: inout SeededGenerator) -> Todo {
    let words = ["buy", "milk", "call", "about", "the", "new", "roof", "before", "friday", "café"]
    func phrase(_ count: Int) -> String {
      (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    }
    return Todo(
      id: id, title: phrase(4), done: .random(using: &random), note: phrase(5),
      tags: [phrase(1), phrase(1)],
      created: Double(Int.random(in: 780_000_000_000..<790_000_000_000, using: &random)) / 1000)
  }
}

/// The state of a store with todos.
struct Todos: Codable, Equatable {
  var items: [Todo]

  static func random(_ count: Int, seed: UInt64) -> Todos {
    var random = SeededGenerator(seed: seed)
    return Todos(items: (1...count).map { .random(id: $0, using: &random) })
  }
}
