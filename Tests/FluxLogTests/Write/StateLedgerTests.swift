import FluxJSON
import Testing

@testable import FluxLog

@Suite struct StateLedgerTests {
  private func expect(
    _ isWhole: Bool?, _ entry: StateLedger.Entry?, at location: SourceLocation = #_sourceLocation
  ) {
    let found: Bool? =
      switch entry {
      case .whole: true
      case .patch: false
      case nil: nil
      }
    #expect(found == isWhole, sourceLocation: location)
  }

  private func expectChange(
    _ isWhole: Bool?, _ ledger: inout StateLedger, _ name: String, to state: JSON,
    at location: SourceLocation = #_sourceLocation
  ) {
    expect(isWhole, ledger.change(name, to: RevisedState(state)), at: location)
  }

  /// Some text that no patch can express by less than itself.
  private static func text(_ seed: Int, _ count: Int) -> JSON {
    let letters = (0..<count).map { place in
      Character(Unicode.Scalar(UInt8(97 + (seed &* 31 &+ place &* (7 + seed)) % 26)))
    }
    return JSON(stringLiteral: String(letters))
  }

  @Test("A store without a previous state is written whole, one with it as a patch")
  func previous() {
    let big = Self.text(1, 500)
    var ledger = StateLedger(
      [.init(name: "a", initial: ["big": big, "n": 0]), .init(name: "b")],
      writesWholeStates: false)
    expectChange(false, &ledger, "a", to: ["big": big, "n": 1])
    expectChange(true, &ledger, "b", to: ["big": big, "n": 1])
    expectChange(false, &ledger, "b", to: ["big": big, "n": 2])
    expectChange(true, &ledger, "new", to: ["big": big, "n": 2])
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
      let revised = try #require(try ledger.encode(change))
      _ = ledger.change(store, to: revised)
      return ledger.takeSpent()
    }
    #expect(try encode("a", states[0]).isEmpty)
    #expect(try encode("b", states[1]).isEmpty)
    let spent = try encode("a", states[1])
    #expect(spent.count == spentCount)
    #expect(spent.allSatisfy { $0 === states[0] })
  }

  @Test("An equal state is no change, however it is written")
  func equal() {
    var ledger = StateLedger([.init(name: "a", initial: ["n": 1])], writesWholeStates: false)
    expectChange(nil, &ledger, "a", to: ["n": 1.0])
  }

  @Test("A zero whose sign changes is a change, in every form of the states")
  func zeroSigns() throws {
    let big = Self.text(1, 500)
    let (plus, minus): (JSON, JSON) = (["big": big, "n": 0], ["big": big, "n": -0.0])
    let parsed = try RevisedState(parsing: Array(minus.text.utf8), after: plus)
    #expect(parsed.difference != nil)
    for state in [RevisedState(minus), parsed] {
      var ledger = StateLedger([.init(name: "a", initial: plus)], writesWholeStates: false)
      guard case .patch(let patch) = ledger.change("a", to: state) else {
        Issue.record("no patch")
        continue
      }
      #expect(
        String(decoding: patch.bytes, as: UTF8.self)
          == #"[{"op":"replace","path":"/n","value":-0}]"#)
      expectChange(nil, &ledger, "a", to: minus)
      expectChange(false, &ledger, "a", to: plus)
    }
    var whole = StateLedger([.init(name: "a", initial: plus)], writesWholeStates: true)
    expectChange(nil, &whole, "a", to: plus)
    expectChange(true, &whole, "a", to: minus)
  }

  @Test("A state that corrects the log is written whole, whatever the form")
  func correction() {
    let big = Self.text(1, 500)
    var ledger = StateLedger(
      [.init(name: "a", initial: ["big": big, "n": 0])], writesWholeStates: false)
    expect(true, ledger.change("a", to: RevisedState(["big": big, "n": 1], isCorrection: true)))
    expect(true, ledger.change("a", to: RevisedState(["big": big, "n": 1], isCorrection: true)))
    expectChange(false, &ledger, "a", to: ["big": big, "n": 2])
  }

  @Test("A store is written whole where a patch is not smaller")
  func notSmaller() {
    var ledger = StateLedger([.init(name: "a", initial: [1, 2])], writesWholeStates: false)
    expectChange(true, &ledger, "a", to: [3, 4])
  }

  @Test("Patches since the last whole state are never more bytes than that state")
  func bounded() {
    let big = Self.text(1, 1000)
    var ledger = StateLedger(
      [.init(name: "a", initial: ["big": big, "n": 0])], writesWholeStates: false)
    var patchBytes = 0
    var wholeCount = 0
    for number in 1...200 {
      let state: JSON = ["big": big, "n": JSON(integerLiteral: Int64(number))]
      switch ledger.change("a", to: RevisedState(state)) {
      case .whole:
        wholeCount += 1
        patchBytes = 0
      case .patch(let patch): patchBytes += patch.bytes.count
      case nil: Issue.record("no change")
      }
      #expect(patchBytes <= state.byteCount)
    }
    #expect((2...20).contains(wholeCount))
  }

  @Test("A feature that is removed has no previous state when it comes back")
  func removal() {
    let big = Self.text(1, 500)
    var ledger = StateLedger(
      [.init(name: "a", isFeature: true, initial: ["big": big])], writesWholeStates: false)
    let removals = ["a", "a", "never"].map { ledger.remove($0) }
    #expect(removals == [true, false, false])
    expectChange(true, &ledger, "a", to: ["big": big])
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
