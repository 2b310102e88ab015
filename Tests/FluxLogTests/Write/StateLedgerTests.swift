import FluxJSON
import FluxSystem
import Testing

@testable import FluxLog

@Suite struct StateLedgerTests {
  /// Writes one change, and checks its form: whole, a patch, or nothing.
  private func expectChange(
    _ isWhole: Bool?, _ ledger: inout StateLedger, _ name: String, to state: LogValue,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let changes = try ledger.write([.init(store: name, state: state)])
    let found = changes.whole.isEmpty ? (changes.patches.isEmpty ? nil : false) : true
    #expect(found == isWhole, sourceLocation: location)
  }

  private func expectChange(
    _ isWhole: Bool?, _ ledger: inout StateLedger, _ name: String, to state: JSON,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try expectChange(isWhole, &ledger, name, to: LogValue(json: state), at: location)
  }

  /// Some text that no patch can express by less than itself.
  private static func text(_ seed: Int, _ count: Int) -> JSON {
    let letters = (0..<count).map { place in
      Character(Unicode.Scalar(UInt8(97 + (seed &* 31 &+ place &* (7 + seed)) % 26)))
    }
    return JSON(stringLiteral: String(letters))
  }

  @Test("A store without a previous state is written whole, one with it as a patch")
  func previous() throws {
    let big = Self.text(1, 500)
    var ledger = StateLedger(
      [.init(name: "a", initial: ["big": big, "n": 0]), .init(name: "b")],
      writesWholeStates: false)
    try expectChange(false, &ledger, "a", to: ["big": big, "n": 1])
    try expectChange(true, &ledger, "b", to: ["big": big, "n": 1])
    try expectChange(false, &ledger, "b", to: ["big": big, "n": 2])
    try expectChange(true, &ledger, "new", to: ["big": big, "n": 2])
  }

  @Test(
    "Stores whose names differ in their bytes only are two stores, among few and among many",
    arguments: [0, 20])
  func canonicallyEqualNames(others: Int) throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let big = Self.text(1, 500)
    let more = (0..<others).map { LogHeader.Store(name: "\($0)", initial: 0) }
    var ledger = StateLedger(
      [.init(name: composed, initial: ["a": 1, "big": big]), .init(name: decomposed)] + more,
      writesWholeStates: false)
    try expectChange(true, &ledger, decomposed, to: ["b": 1, "big": big])
    try expectChange(false, &ledger, composed, to: ["a": 2, "big": big])
    try expectChange(false, &ledger, decomposed, to: ["b": 2, "big": big])
    let states = try ledger.present().prefix(2)
    #expect(states.map { Array($0.name.utf8) } == [Array(composed.utf8), Array(decomposed.utf8)])
    #expect(states.map { $0.state["big"] == big ? $0.state.count : 0 } == [2, 2])
    let declared = try ledger.declarations(LogHeader(stores: [.init(name: decomposed, type: "D")]))
    #expect(declared.prefix(2).map(\.type) == [nil, "D"])
    #expect(declared.prefix(2).map { $0.initial?["b"] } == [nil, 2])
  }

  /// A state of the app with an array that an encoding remembers.
  private final class Lines: Encodable, Sendable {
    let lines: [String]

    init(_ count: Int) { lines = (0..<count).map { "line \($0) of a text, which is long enough" } }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(lines)
    }
  }

  @Test(
    "A large state is spent once the next one of its store is encoded, whose memory no longer shares its arrays",
    arguments: [(2_000, 1), (10, 0)])
  func spent(count: Int, spentCount: Int) throws {
    var ledger = StateLedger(
      [.init(name: "a", initial: []), .init(name: "b", initial: [])], writesWholeStates: false,
      makeMemory: { _ in StateMemory() })
    let states = [Lines(count), Lines(count + 1)]
    func encode(_ store: String, _ state: Lines) throws -> [WriteQueue.Spent] {
      let change = StepRecord.Change(store: store, state: LogValue(snapshot: state))
      _ = try ledger.write([change])
      return ledger.takeSpent()
    }
    #expect(try encode("a", states[0]).isEmpty)
    #expect(try encode("b", states[1]).isEmpty)
    let spent = try encode("a", states[1])
    #expect(spent.count == spentCount)
    #expect(spent.allSatisfy { $0 === states[0] })
  }

  @Test("An equal state is no change, however it is written")
  func equal() throws {
    var ledger = StateLedger([.init(name: "a", initial: ["n": 1])], writesWholeStates: false)
    try expectChange(nil, &ledger, "a", to: ["n": 1.0])
  }

  @Test("A zero whose sign changes is a change, in every form of the states")
  func zeroSigns() throws {
    let big = Self.text(1, 500)
    let (plus, minus): (JSON, JSON) = (["big": big, "n": 0], ["big": big, "n": -0.0])
    var ledger = StateLedger([.init(name: "a", initial: plus)], writesWholeStates: false)
    let patches = try ledger.write([.init(store: "a", state: LogValue(json: minus))]).patches
    #expect(
      patches.map { String(decoding: $0.patch, as: UTF8.self) }
        == [#"[{"op":"replace","path":"/n","value":-0}]"#])
    try expectChange(nil, &ledger, "a", to: minus)
    try expectChange(false, &ledger, "a", to: plus)
    var whole = StateLedger([.init(name: "a", initial: plus)], writesWholeStates: true)
    try expectChange(nil, &whole, "a", to: plus)
    try expectChange(true, &whole, "a", to: minus)
  }

  /// Lengths that are written with a unit, which is not part of them.
  private final class Lengths: Encodable, Sendable {
    static let unit = Monitor("m")
    let lengths: [Length]

    struct Length: Encodable {
      let length: Int
      func encode(to encoder: any Encoder) throws {
        try "\(length) \(unit.withLock { $0 }) and some more text".encode(to: encoder)
      }
    }

    init(_ lengths: Int...) { self.lengths = lengths.map { Length(length: $0) } }
  }

  @Test("A state that corrects the log is written whole, whatever the form")
  func correction() throws {
    var ledger = StateLedger(
      [.init(name: "a")], writesWholeStates: false, makeMemory: { _ in StateMemory() })
    try expectChange(true, &ledger, "a", to: LogValue(snapshot: Lengths(1, 2, 3, 4)))
    try expectChange(false, &ledger, "a", to: LogValue(snapshot: Lengths(1, 2, 3, 5)))
    Lengths.unit.withLock { $0 = "km" }
    try expectChange(true, &ledger, "a", to: LogValue(snapshot: Lengths(1, 2, 3, 6)))
    try expectChange(false, &ledger, "a", to: LogValue(snapshot: Lengths(1, 2, 3, 7)))
  }

  @Test("A store is written whole where a patch is not smaller")
  func notSmaller() throws {
    var ledger = StateLedger([.init(name: "a", initial: [1, 2])], writesWholeStates: false)
    try expectChange(true, &ledger, "a", to: [3, 4])
  }

  @Test("Patches since the last whole state are never more bytes than that state")
  func bounded() throws {
    let big = Self.text(1, 1000)
    var ledger = StateLedger(
      [.init(name: "a", initial: ["big": big, "n": 0])], writesWholeStates: false)
    var patchBytes = 0
    var wholeCount = 0
    for number in 1...200 {
      let state: JSON = ["big": big, "n": JSON(integerLiteral: Int64(number))]
      let changes = try ledger.write([.init(store: "a", state: LogValue(json: state))])
      #expect(changes.whole.count + changes.patches.count == 1)
      if !changes.whole.isEmpty {
        wholeCount += 1
        patchBytes = 0
      }
      patchBytes += changes.patches.first?.patch.count ?? 0
      #expect(patchBytes <= state.byteCount)
    }
    #expect((2...20).contains(wholeCount))
  }

  @Test("A feature that is removed has no previous state when it comes back")
  func removal() throws {
    let big = Self.text(1, 500)
    var ledger = StateLedger(
      [.init(name: "a", isFeature: true, initial: ["big": big])], writesWholeStates: false)
    let removals = try ["a", "a", "never"].map { name in
      try ledger.write([.init(store: name, state: nil)]).removed
    }
    #expect(removals == [["a"], [], []])
    try expectChange(true, &ledger, "a", to: ["big": big])
  }

  @Test("What is skipped is present with its newest state")
  func skipped() throws {
    var ledger = StateLedger(
      [.init(name: "a", initial: 1), .init(name: "b", initial: 2), .init(name: "c")],
      writesWholeStates: false)
    ledger.skip(.init(store: "a", state: LogValue(json: 10)))
    ledger.skip(.init(store: "b", state: nil))
    ledger.skip(.init(store: "d", state: LogValue(json: 40)))
    ledger.skip(.init(store: "d", state: LogValue(json: 41)))
    let present = try ledger.present()
    #expect(present.map(\.name) == ["a", "d"])
    #expect(present.map(\.state) == [10, 41])
  }
}
