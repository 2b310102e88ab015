import Synchronization
import Testing

@testable import FluxJSON

@Suite struct StateMemoryAuditTests {
  /// Counts the elements that are encoded, and keeps the mismatches that the memory reports.
  private final class Record: Sendable {
    private let counts = Mutex<[String: Int]>([:])
    private let types = Mutex<[String]>([])

    var mismatches: [String] { types.withLock { $0 } }

    func count(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }

    func takeCounts() -> [String: Int] {
      counts.withLock { counts in
        defer { counts = [:] }
        return counts
      }
    }

    func memory() -> StateMemory {
      StateMemory { type in self.types.withLock { $0.append(type) } }
    }
  }

  private func text(_ value: some Encodable, _ memory: StateMemory?) throws -> String {
    String(decoding: try LogEncoder().bytes(of: value, remembering: memory), as: UTF8.self)
  }

  // MARK: Exact

  private enum Place: CaseIterable {
    case encoder, keyed, unkeyed, single, nested, superEncoder, userInfo
  }

  /// Writes its index in the array, from the coding path of one of its encoders or containers.
  private struct Numbered: Encodable {
    let place: Place
    private enum Keys: CodingKey { case index, nested }

    private func index(_ path: [any CodingKey]) -> Int { path.first?.intValue ?? -1 }

    func encode(to encoder: any Encoder) throws {
      switch place {
      case .encoder:
        var container = encoder.singleValueContainer()
        try container.encode(index(encoder.codingPath))
      case .keyed:
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(index(container.codingPath), forKey: .index)
      case .unkeyed:
        var container = encoder.unkeyedContainer()
        try container.encode(index(container.codingPath))
      case .single:
        var container = encoder.singleValueContainer()
        try container.encode(index(container.codingPath))
      case .nested:
        var container = encoder.container(keyedBy: Keys.self)
        var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .nested)
        try nested.encode(index(nested.codingPath), forKey: .index)
      case .superEncoder:
        var container = encoder.container(keyedBy: Keys.self)
        let nested = container.superEncoder(forKey: .nested)
        var value = nested.singleValueContainer()
        try value.encode(index(nested.codingPath))
      case .userInfo:
        var container = encoder.singleValueContainer()
        try container.encode(encoder.userInfo.count)
      }
    }
  }

  @Test(
    "An element type that reads its coding path or user info is never remembered",
    arguments: Place.allCases)
  private func codingPath(_ place: Place) throws {
    let record = Record()
    let memory = record.memory()
    for count in [3, 4, 2, 5] {
      var values = Array(repeating: Numbered(place: place), count: count)
      #expect(try text(values, memory) == text(values, nil))
      // Its neighbors move, and have another index.
      values.removeFirst()
      #expect(try text(values, memory) == text(values, nil))
      #expect(!memory.isReady(for: [Numbered].self))
    }
    #expect(record.mismatches == [])
  }

  @Test("A value inside an element that reads its coding path marks the element")
  func nestedCodingPath() throws {
    struct Outer: Encodable {
      let values: [Numbered]
    }
    struct State: Encodable {
      let items: [Outer]
      let others: [Int]
    }
    let record = Record()
    let memory = record.memory()
    let outer = Outer(values: [Numbered(place: .single)])
    let state = State(items: [outer, outer], others: [1, 2])
    let expected = #"{"items":[{"values":[1]},{"values":[1]}],"others":[1,2]}"#
    // The index is that of the first key, which is a name.
    #expect(
      try text(state, memory)
        == expected.replacing("[1]", with: "[-1]"))
    #expect(!memory.isReady(for: [Outer].self))
    #expect(memory.isReady(for: [Int].self))
    #expect(record.mismatches == [])
  }

  private final class Box: Encodable, @unchecked Sendable {
    // Sendable: a test changes it in one thread.
    var value: Int

    init(_ value: Int) { self.value = value }
  }

  private enum Holder: Encodable {
    case plain(Int)
    case object(Box)
  }

  private struct Holders: Encodable {
    var direct: Box
    var optional: Box?
    weak var weakly: Box?
    var list: [Box]
    var named: [String: Box]
    var payload: Holder
  }

  @Test("An element that encodes an object is never remembered, wherever the object is")
  func objectsInside() throws {
    let record = Record()
    let memory = record.memory()
    let boxes = (1...6).map(Box.init)
    let element = Holders(
      direct: boxes[0], optional: boxes[1], weakly: boxes[2], list: [boxes[3]],
      named: ["a": boxes[4]], payload: .object(boxes[5]))
    #expect(
      try text([element], memory)
        == #"[{"direct":{"value":1},"list":[{"value":4}],"named":{"a":{"value":5}},"#
        + #""optional":{"value":2},"payload":{"object":{"_0":{"value":6}}},"weakly":{"value":3}}]"#)
    for box in boxes { box.value += 10 }
    // The element holds one of them weakly.
    defer { withExtendedLifetime(boxes) {} }
    #expect(
      try text([element], memory)
        == #"[{"direct":{"value":11},"list":[{"value":14}],"named":{"a":{"value":15}},"#
        + #""optional":{"value":12},"payload":{"object":{"_0":{"value":16}}},"weakly":{"value":13}}]"#
    )
    #expect(record.mismatches == [])
  }

  @Test("Each kind of place alone keeps an element from being remembered")
  func objectsAlone() throws {
    struct Direct: Encodable { let box: Box }
    struct Optionally: Encodable { let box: Box? }
    struct Weakly: Encodable { weak var box: Box? }
    struct Listed: Encodable { let boxes: [Box] }
    struct Named: Encodable { let boxes: [String: Box] }
    func check(_ make: (Box) -> some Encodable, _ name: String) throws {
      func elements<E: Encodable>(_ element: E) -> [E] { [element] }
      let record = Record()
      let memory = record.memory()
      let box = Box(1)
      let state = elements(make(box))
      let before = try text(state, memory)
      box.value = 2
      let after = try text(state, memory)
      #expect(before.replacing("1", with: "2") == after, "\(name)")
      #expect(record.mismatches == [], "\(name)")
    }
    try check({ Direct(box: $0) }, "direct")
    try check({ Optionally(box: $0) }, "optional")
    try check({ Weakly(box: $0) }, "weak")
    try check({ Listed(boxes: [$0]) }, "list")
    try check({ Named(boxes: ["a": $0]) }, "named")
    try check({ Holder.object($0) }, "payload")
  }

  // MARK: Audited

  /// A value that other values read while they are encoded, as an app reads a global variable.
  private final class Unit: Sendable {
    private let text = Mutex("m")

    var name: String {
      get { text.withLock { $0 } }
      set { text.withLock { $0 = newValue } }
    }
  }

  /// An element that reads something that is not part of its value, and counts its encodings.
  private struct Length: Encodable {
    let name: String
    let unit: Unit
    let record: Record

    func encode(to encoder: any Encoder) throws {
      record.count(name)
      var container = encoder.singleValueContainer()
      try container.encode("\(name) \(unit.name)")
    }
  }

  @Test("One remembered element of a text is encoded again, each in its turn")
  func takesTurns() throws {
    struct State: Encodable {
      var first: [Length]
      var second: [Length]
    }
    let record = Record()
    let memory = record.memory()
    let unit = Unit()
    func lengths(_ names: String...) -> [Length] {
      names.map { Length(name: $0, unit: unit, record: record) }
    }
    var state = State(first: lengths("a", "b"), second: lengths("c", "d", "e"))
    _ = try text(state, memory)
    #expect(record.takeCounts() == ["a": 1, "b": 1, "c": 1, "d": 1, "e": 1])
    for name in ["a", "b", "c", "d", "e", "a", "b"] {
      _ = try text(state, memory)
      #expect(record.takeCounts() == [name: 1])
    }
    // The turn is kept if elements before it come and go, and new elements need no audit.
    state.second.insert(contentsOf: lengths("x", "y"), at: 0)
    _ = try text(state, memory)
    #expect(record.takeCounts() == ["x": 1, "y": 1, "c": 1])
    state.second.removeFirst()
    _ = try text(state, memory)
    #expect(record.takeCounts() == ["d": 1])
    state.second.removeSubrange(0...1)
    _ = try text(state, memory)
    #expect(record.takeCounts() == ["e": 1])
    state.first = []
    for name in ["d", "e", "d"] {
      _ = try text(state, memory)
      #expect(record.takeCounts() == [name: 1])
    }
  }

  @Test("After 256 audits, some texts audit a short array, and each text a long one")
  func auditsLess() throws {
    let record = Record()
    func audits(_ count: Int) throws -> [Int] {
      let memory = record.memory()
      let state = (0..<count).map { Length(name: "\($0)", unit: Unit(), record: record) }
      _ = try text(state, memory)
      _ = record.takeCounts()
      return try (0..<320).map { _ in
        _ = try text(state, memory)
        return record.takeCounts().values.reduce(0, +)
      }
    }
    let short = try audits(2)
    #expect(short.prefix(256) == Array(repeating: 1, count: 256)[...])
    // Each text counts for 8 and its two elements: an audit is due when that adds up to 256.
    #expect(short.suffix(64).enumerated().filter { $0.element > 0 }.map(\.offset) == [25, 51])
    #expect(try audits(300) == Array(repeating: 1, count: 320))
  }

  @Test("A wrong text is found, reported once, and replaced everywhere in the state")
  func mismatch() throws {
    struct State: Encodable {
      var lengths: [Length]
      var counts: [Int]
      var others: [Length]
    }
    let record = Record()
    let memory = record.memory()
    let unit = Unit()
    func length(_ name: String) -> Length { Length(name: name, unit: unit, record: record) }
    let state = State(lengths: [length("a"), length("b")], counts: [1], others: [length("c")])
    #expect(
      try text(state, memory) == #"{"counts":[1],"lengths":["a m","b m"],"others":["c m"]}"#)
    #expect(!memory.hasMismatch)
    unit.name = "km"
    #expect(
      try text(state, memory) == #"{"counts":[1],"lengths":["a km","b km"],"others":["c km"]}"#)
    #expect(memory.hasMismatch)
    #expect(record.mismatches == [String(reflecting: Length.self)])
    unit.name = "mm"
    #expect(
      try text(state, memory) == #"{"counts":[1],"lengths":["a mm","b mm"],"others":["c mm"]}"#)
    #expect(!memory.hasMismatch)
    #expect(record.mismatches == [String(reflecting: Length.self)])
    memory.removeAll()
    #expect(!memory.isReady(for: [Length].self))
    #expect(memory.isReady(for: [Int].self))
  }

  @Test("An audited element that cannot be encoded any longer fails the state")
  func failsLater() throws {
    struct Refusal: Error {}
    struct Fickle: Encodable {
      let refuses: Unit
      func encode(to encoder: any Encoder) throws {
        guard refuses.name == "m" else { throw Refusal() }
        var container = encoder.singleValueContainer()
        try container.encode(1)
      }
    }
    let record = Record()
    let memory = record.memory()
    let switchable = Unit()
    let state = [Fickle(refuses: switchable)]
    #expect(try text(state, memory) == "[1]")
    switchable.name = "off"
    #expect(throws: EncodingError.self) { try text(state, memory) }
    switchable.name = "m"
    #expect(try text(state, memory) == "[1]")
    #expect(record.mismatches.count == 1)
  }
}
