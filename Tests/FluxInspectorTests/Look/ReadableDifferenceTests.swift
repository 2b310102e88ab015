import FluxJSON
import TestFixtures
import Testing

@testable import FluxInspector

@Suite struct ReadableDifferenceTests {
  /// The entries as lines: the kind, the place, and what is there.
  private func lines(
    _ old: String, _ new: String, keys: [Pointer: String] = [:]
  ) throws -> [String] {
    ReadableDifference(from: try JSON.parse(old), to: try JSON.parse(new), keys: keys).entries
      .flatMap { entry -> [String] in
        switch entry {
        case .value(let value): [line(value)]
        case .element(let element):
          [
            "\(element.kind) \(element.array) \(element.key) "
              + "\(element.from.map(String.init) ?? "-") \(element.to.map(String.init) ?? "-")"
          ] + element.changes.map { "  " + line($0) }
        }
      }
  }

  private func line(_ value: ValueChange) -> String {
    "\(value.path) \(value.old?.text ?? "-") \(value.new?.text ?? "-")"
  }

  @Test(
    "Elements are found by their identity, and all else by its place",
    arguments: [
      (#"{"a":1,"b":2}"#, #"{"b":3,"c":4}"#, ["/a 1 -", "/b 2 3", "/c - 4"]),
      (#"[{"id":1},{"id":2}]"#, #"[{"id":2}]"#, ["removed  1 0 -"]),
      (#"[{"id":1}]"#, #"[{"id":2},{"id":1}]"#, ["added  2 - 0"]),
      (#"[{"id":1},{"id":2}]"#, #"[{"id":2},{"id":1}]"#, ["moved  2 1 0"]),
      (
        #"[{"id":"a","n":1},{"id":"b"}]"#, #"[{"id":"a","n":2},{"id":"b"}]"#,
        [#"changed  "a" 0 0"#, "  /0/n 1 2"]
      ),
      (
        #"[{"id":1,"n":1},{"id":2},{"id":3}]"#, #"[{"id":2},{"id":3},{"id":1,"n":2}]"#,
        ["moved  1 0 2", "  /2/n 1 2"]
      ),
      (#"[{"id":1},{"id":1}]"#, #"[{"id":1}]"#, [#"/1 {"id":1} -"#]),
      (#"[1,2,3]"#, "[1,3]", ["/1 2 -"]),
      (#"[1,2,3,4]"#, "[3,4]", ["/0 1 -", "/1 2 -"]),
      (#"[1,2]"#, "[1,5,2]", ["/1 - 5"]),
      (#"[[1],[2]]"#, "[[1],[3]]", ["/1/0 2 3"]),
      (#"[]"#, #"[{"id":1}]"#, ["added  1 - 0"]),
      (#"[{"id":1}]"#, "[]", ["removed  1 0 -"]),
      (#"[{"id":1}]"#, "{}", [#" [{"id":1}] {}"#]),
      (#"[{"id":null}]"#, #"[{"id":null,"a":1}]"#, ["/0/a - 1"]),
      (
        #"{"l":[{"id":1,"x":[{"id":7}]},{"id":2,"x":[]}]}"#,
        #"{"l":[{"id":1,"x":[]},{"id":2,"x":[{"id":7}]}]}"#,
        ["removed /l/0/x 7 0 -", "added /l/1/x 7 - 0"]
      ),
    ])
  func entries(_ old: String, _ new: String, _ expected: [String]) throws {
    #expect(try lines(old, new) == expected)
  }

  @Test("Another member can identify the elements of one array")
  func keys() throws {
    let old = #"{"a":[{"tag":1},{"tag":2}],"b":[{"tag":1},{"tag":2}]}"#
    let new = #"{"a":[{"tag":2}],"b":[{"tag":2}]}"#
    #expect(
      try lines(old, new, keys: [Pointer("/a"): "tag"]) == [
        "removed /a 1 0 -", #"/b/0 {"tag":1} -"#,
      ])
  }

  @Test(
    "Without id, elements are found by key, uuid or name, if that is unique",
    arguments: [
      (#"[{"key":1},{"key":2}]"#, #"[{"key":2}]"#, ["removed  1 0 -"]),
      (#"[{"uuid":"a"}]"#, #"[{"uuid":"b"},{"uuid":"a"}]"#, [#"added  "b" - 0"#]),
      (
        #"[{"name":"a","n":1},{"name":"b"}]"#, #"[{"name":"b"},{"name":"a","n":2}]"#,
        [#"moved  "b" 1 0"#, #"changed  "a" 0 1"#, "  /1/n 1 2"]
      ),
      (#"[{"name":"a"},{"name":"a"}]"#, #"[{"name":"a"}]"#, [#"/1 {"name":"a"} -"#]),
      (
        #"[{"id":1,"name":"a"}]"#, #"[{"id":1,"name":"b"}]"#,
        ["changed  1 0 0", #"  /0/name "a" "b""#]
      ),
    ])
  func usualKeys(_ old: String, _ new: String, _ expected: [String]) throws {
    #expect(try lines(old, new) == expected)
  }

  @Test("Two elements that changed places are a swap, and three are not")
  func swaps() throws {
    func swaps(_ new: [Int]) throws -> [[Int]] {
      let arrays = [[1, 2, 3, 4, 5], new].map { keys in
        "[" + keys.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
      }
      return ReadableDifference(from: try JSON.parse(arrays[0]), to: try JSON.parse(arrays[1]))
        .entries.compactMap { entry in
          guard case .element(let element) = entry, let swap = element.swap else { return nil }
          return [swap.first.place, swap.second.place]
        }
    }
    #expect(Set(try swaps([1, 4, 3, 2, 5])) == [[1, 3]])
    #expect(try swaps([2, 1, 3, 4, 5]) == [[0, 1]])
    #expect(Set(try swaps([5, 2, 3, 4, 1])) == [[0, 4]])
    #expect(try swaps([2, 3, 1, 4, 5]) == [])
    #expect(try swaps([2, 1, 3, 4]) == [])
  }

  @Test("Removed elements have the index that they had, however far apart they are")
  func formerIndexes() throws {
    let old = #"["a","b","c","d","e","f"]"#
    #expect(try lines(old, #"["b","c","d","f"]"#) == [#"/0 "a" -"#, #"/4 "e" -"#])
  }

  @Test("Many moves are one line, and a swap is one line")
  func summaries() throws {
    func lines(_ old: [Int], _ new: [Int]) throws -> [ReadableDifference.Line] {
      let arrays = [old, new].map { keys in
        "[" + keys.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
      }
      return ReadableDifference.lines(
        of: ReadableDifference(from: try JSON.parse(arrays[0]), to: try JSON.parse(arrays[1]))
          .entries)
    }
    let root = Pointer(tokens: [])
    #expect(
      try lines(Array(1...11), Array((1...11).reversed()))
        == [.moves(array: root, count: 11, isReversed: true)])
    #expect(
      try lines(Array(1...20), Array(11...20) + Array(1...10))
        == [.moves(array: root, count: 10, isReversed: false)])
    let swapped = try lines([1, 2, 3, 4, 5], [1, 4, 3, 2, 5])
    #expect(swapped.map(\.path.description) == ["/1"])
  }

  @Test("The lines of a long array take no time for each pair of elements", .timeLimit(.minutes(1)))
  func longArrays() throws {
    let elements = (0..<50_000).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let entries = ReadableDifference(
      from: try JSON.parse("[]"), to: try JSON.parse("[\(elements)]")
    ).entries
    #expect(ReadableDifference.lines(of: entries).count == 50_000)
  }

  @Test("As few elements as possible are moved")
  func moves() throws {
    var generator = SeededGenerator(seed: SeededGenerator.seed)
    for count in 1...40 {
      let order = Array(0..<count).shuffled(using: &generator)
      func array(_ keys: [Int]) -> String {
        "[" + keys.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
      }
      let moved = try lines(array(Array(0..<count)), array(order))
      #expect(
        moved.count == count - longestIncreasing(order), "seed \(SeededGenerator.seed), \(order)")
    }
  }

  /// The length of a longest increasing subsequence, by trying all ends.
  private func longestIncreasing(_ numbers: [Int]) -> Int {
    var lengths: [Int] = []
    for (place, number) in numbers.enumerated() {
      let before = (0..<place).filter { numbers[$0] < number }.map { lengths[$0] }
      lengths.append((before.max() ?? 0) + 1)
    }
    return lengths.max() ?? 0
  }
}
