import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct StateMemoryTests {
  private struct Item: Encodable, Equatable {
    var title: String
    var id: Int
    var tags: [String]
    var ratio: Double?
    var parts: [Item]
  }

  private struct State: Encodable {
    var name = "state"
    var items: [Item] = []
    var counts: [Int] = []
    var nested: [[String]] = []
    var byName: [String: [Int]] = [:]
  }

  private func text(_ value: some Encodable, _ memory: StateMemory?) throws -> String {
    String(decoding: try LogEncoder().bytes(of: value, remembering: memory), as: UTF8.self)
  }

  private static func item(_ random: inout RandomJSON, depth: Int = 1) -> Item {
    // Some are short and stand in the value itself, some do not.
    let word = String(repeating: "long \u{E9} ", count: random.below(4))
    return Item(
      title: word + String(random.below(5)), id: random.below(1000),
      tags: (0..<random.below(3)).map { _ in word + "tag" },
      ratio: random.chance(2) ? nil : Double(random.below(100)) / 4,
      parts: depth > 0 && random.chance(4)
        ? (0..<random.below(3)).map { _ in item(&random, depth: depth - 1) } : [])
  }

  /// Changes an array as an app would.
  private static func edit<T>(
    _ array: inout [T], _ random: inout RandomJSON, _ make: (inout RandomJSON) -> T
  ) {
    for _ in 0..<random.below(3) {
      let place = random.below(array.count + 1)
      switch random.below(8) {
      case 0, 1: array.insert(make(&random), at: place)
      case 2 where place < array.count: array.remove(at: place)
      case 3, 4: if place < array.count { array[place] = make(&random) }
      case 5: array.append(make(&random))
      case 6 where place < array.count: array.swapAt(0, place)
      case 7 where random.chance(10): array = []
      default: break
      }
    }
  }

  @Test("With what is remembered of it, a state is written as without")
  func sameText() throws {
    var random = RandomJSON(81)
    let memory = StateMemory()
    var state = State()
    for round in 0..<400 {
      Self.edit(&state.items, &random) { Self.item(&$0) }
      Self.edit(&state.counts, &random) { $0.below(1000) }
      Self.edit(&state.nested, &random) { random in
        (0..<random.below(3)).map { String($0) }
      }
      if !state.items.isEmpty, random.chance(3) {
        state.items[random.below(state.items.count)].parts.append(Self.item(&random, depth: 0))
      }
      if random.chance(5) { state.byName["k\(random.below(4))"] = [random.below(9)] }
      #expect(
        try text(state, memory) == text(state, nil),
        "seed \(SeededGenerator.seed), round \(round)")
    }
  }

  @Test("Arrays may stand elsewhere the next time, be others, or be the whole value")
  func otherPlaces() throws {
    let memory = StateMemory()
    let values: [any Encodable] = [
      ["a": [1, 2], "b": [3, 4]], ["b": [3, 4]], ["a": [1, 2], "b": [3, 4]], ["x", "y"],
      [1, 2, 3], [Int](), [1, 2, 3], [[1], [2]], [nil, 1], ["a": ["x"]], 1,
    ]
    for value in values + values.reversed() {
      #expect(try text(value, memory) == text(value, nil))
    }
  }

  @Test("What is the same bit for bit is not encoded again, and what is not is")
  func savesWork() throws {
    final class Count { var encoded = 0 }
    struct Counted: Encodable {
      let value: String
      let count: Unowned
      func encode(to encoder: any Encoder) throws {
        count.count.encoded += 1
        var container = encoder.singleValueContainer()
        try container.encode(value)
      }
    }
    struct Unowned { unowned let count: Count }
    let count = Count()
    let memory = StateMemory()
    var values = (0..<100).map { Counted(value: "value \($0)", count: Unowned(count: count)) }
    _ = try text(values, memory)
    #expect(count.encoded == 100)
    values[40] = Counted(value: "another value", count: Unowned(count: count))
    _ = try text(values, memory)
    // Each text after the first one encodes an equal element again, to audit it.
    #expect(count.encoded == 101 + 1)
    values.insert(Counted(value: "new", count: Unowned(count: count)), at: 7)
    values.remove(at: 20)
    _ = try text(values, memory)
    // The twelve elements between the two changes moved together.
    #expect(count.encoded == 101 + 1 + 1 + 1)
    #expect(try text(values, memory) == text(values, nil))
  }

  @Test(
    "Elements of a list with a limit are encoded once, in whichever direction they move",
    arguments: [true, false])
  func movesTogether(isAppended: Bool) throws {
    final class Count { var encoded = 0 }
    struct Unowned { unowned let count: Count }
    struct Counted: Encodable {
      let values: [Int]
      let count: Unowned
      func encode(to encoder: any Encoder) throws {
        count.count.encoded += 1
        try values.encode(to: encoder)
      }
    }
    let count = Count()
    let memory = StateMemory()
    var list = (0..<50).map { Counted(values: [$0, $0], count: Unowned(count: count)) }
    _ = try text(list, memory)
    for step in 50..<300 {
      let new = Counted(values: [step, step], count: Unowned(count: count))
      if isAppended {
        list.removeFirst()
        list.append(new)
      } else {
        list.removeLast()
        list.insert(new, at: 0)
      }
      count.encoded = 0
      let written = try text(list, memory)
      // The new element, and usually one that is audited.
      #expect(count.encoded <= 2, "step \(step)")
      #expect(try written == text(list, nil))
    }
  }

  @Test("Equal elements in a list that moves are found, however they repeat")
  func repeats() throws {
    let memory = StateMemory()
    var random = RandomJSON(82)
    var values = (0..<40).map { _ in random.below(3) }
    for round in 0..<400 {
      values.removeFirst(min(random.below(3), values.count))
      for _ in 0..<random.below(3) { values.append(random.below(3)) }
      if random.chance(4), !values.isEmpty { values[random.below(values.count)] = random.below(3) }
      #expect(
        try text(values, memory) == text(values, nil),
        "seed \(SeededGenerator.seed), round \(round)")
    }
  }

  @Test("Bytes between the elements, which are of none of them, say nothing")
  func padding() throws {
    final class Count { var encoded = 0 }
    struct Unowned { unowned let count: Count }
    struct Flag: Encodable {
      let count: Unowned
      var isOn = false
      func encode(to encoder: any Encoder) throws {
        count.count.encoded += 1
        var container = encoder.singleValueContainer()
        try container.encode(isOn)
      }
    }
    func fill(_ flags: inout [Flag], with filler: UInt8) {
      unsafe flags.withUnsafeMutableBytes { bytes in
        for place in bytes.indices
        where place % MemoryLayout<Flag>.stride >= MemoryLayout<Flag>.size {
          unsafe bytes[place] = filler
        }
      }
    }
    let count = Count()
    let memory = StateMemory()
    var flags = Array(repeating: Flag(count: Unowned(count: count)), count: 10)
    fill(&flags, with: 1)
    _ = try text(flags, memory)
    #expect(count.encoded == 10)
    fill(&flags, with: 2)
    _ = try text(flags, memory)
    #expect(count.encoded == 10 + 1)
    flags[4].isOn = true
    fill(&flags, with: 3)
    #expect(
      try text(flags, memory)
        == "[false,false,false,false,true,false,false,false,false,false]")
    #expect(count.encoded == 10 + 1 + 1 + 1)
  }

  @Test("Objects are always encoded, as they may have changed in place")
  func objects() throws {
    final class Object: Encodable {
      var value = 1
    }
    let object = Object()
    let memory = StateMemory()
    #expect(try text([object], memory) == #"[{"value":1}]"#)
    object.value = 2
    #expect(try text([object], memory) == #"[{"value":2}]"#)
  }

  @Test("An element that cannot be encoded leaves what is remembered as it was")
  func failure() throws {
    struct Picky: Encodable {
      let value: Int
      func encode(to encoder: any Encoder) throws {
        guard value >= 0 else { throw Refusal() }
        var container = encoder.singleValueContainer()
        try container.encode(value)
      }
    }
    struct Refusal: Error {}
    struct Lenient: Encodable {
      let first: [Picky]
      let second: [Picky]
      private enum Keys: CodingKey { case first, second }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        do { try container.encode(first, forKey: .first) } catch is Refusal {}
        try container.encode(second, forKey: .second)
      }
    }
    func picky(_ values: [Int]) -> [Picky] { values.map(Picky.init) }
    let memory = StateMemory()
    #expect(try text(picky([1, 2, 3]), memory) == "[1,2,3]")
    #expect(throws: EncodingError.self) { try text(picky([1, -2, 3]), memory) }
    #expect(try text(picky([1, 4, 3]), memory) == "[1,4,3]")
    let lenient = Lenient(first: picky([1, 4, -1, 3]), second: picky([5]))
    #expect(try text(lenient, memory) == #"{"second":[5]}"#)
    #expect(try text(picky([1, 4, 5, 3]), memory) == "[1,4,5,3]")
  }

  @Test("More arrays than are remembered are written all the same")
  func manyArrays() throws {
    let memory = StateMemory()
    let arrays = Dictionary(uniqueKeysWithValues: (0..<400).map { ("k\($0)", [$0, $0 + 1]) })
    #expect(try text(arrays, memory) == text(arrays, nil))
    #expect(try text(arrays, memory) == text(arrays, nil))
  }
}
