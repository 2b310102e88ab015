import FluxJSON
import FluxLog
import Testing

@testable import FluxReplay

@Suite struct LikelyReasonTests {
  private func place(
    _ tokens: [String], _ recorded: JSON?, _ replayed: JSON?
  ) -> StateComparison.Pair {
    StateComparison.Pair(tokens: tokens, recorded: recorded, replayed: replayed)
  }

  private func input(
    _ tokens: [String], _ left: JSON?, _ right: JSON?, in states: (JSON?, JSON?) = (nil, nil),
    areReplays: Bool = false
  ) -> HiddenInput {
    HiddenInput(
      of: place(tokens, left, right), in: states, now: Self.now, areReplays: areReplays)
  }

  @Test(
    "an array with the same elements in a different order suggests a set, wherever the array is",
    arguments: [
      (#"[1,2,3]"#, #"[3,1,2]"#, ["0"], HiddenInput.order),
      (#"{"a":[{"x":1,"y":2},2]}"#, #"{"a":[2,{"y":2,"x":1}]}"#, ["a", "0"], .order),
      (#"{"a":[1,1,2]}"#, #"{"a":[1,2,2]}"#, ["a", "1"], .other),
      (#"{"a":[1,2]}"#, #"{"a":[2,1,3]}"#, ["a", "0"], .other),
      (#"{"a":["\u00e9","e"]}"#, #"{"a":["e","e\u0301"]}"#, ["a", "0"], .other),
      (#"{"a":1}"#, #"{"a":2}"#, ["a"], .other),
    ])
  func reordered(
    _ left: String, _ right: String, _ tokens: [String], _ expected: HiddenInput
  ) throws {
    let states = (try JSON.parse(left), try JSON.parse(right))
    #expect(input(tokens, nil, nil, in: states) == expected)
  }

  @Test(
    "two UUIDs suggest that a reducer creates them",
    arguments: [
      (
        JSON("5C0E6C1A-9E7B-4C69-9F30-6B1C3F2F2B11"), JSON("5c0e6c1a-9e7b-4c69-9f30-6b1c3f2f2b12"),
        HiddenInput.identifiers
      ),
      (JSON("5C0E6C1A-9E7B-4C69-9F30-6B1C3F2F2B11"), JSON("none"), .other),
      (JSON("5C0E6C1A-9E7B-4C69-9F30"), JSON("5C0E6C1A-9E7B-4C69-9F30"), .other),
      (JSON("5C0E6C1A-9E7B-4C69-9F30-6B1C3F2F2BXX"), JSON("a"), .other),
      (JSON(1), JSON(2), .other),
    ])
  func identifier(_ left: JSON, _ right: JSON, _ expected: HiddenInput) {
    #expect(input([], left, right) == expected)
  }

  private static let now = LogInstant("2026-11-20T12:00:00Z") ?? LogInstant(microseconds: 0)

  @Test(
    "the current time in place of another value suggests the clock, in any usual form",
    arguments: [
      (JSON("2026-11-01T12:00:00Z"), JSON("2026-11-20T12:10:00.25Z"), HiddenInput.clock),
      (JSON("2026-11-01T12:00:00Z"), JSON("2026-11-19T12:00:00Z"), .other),
      (JSON(1_700_000_000), JSON(1_795_176_000), .clock),  // seconds since 1970
      (JSON(1_700_000_000_000), JSON(1_795_176_000_123), .clock),  // milliseconds
      (JSON(700_000_000.5), JSON(816_868_800.25), .clock),  // seconds since 2001
      (JSON(1), JSON(1_795_176_000), .clock),
      (JSON("then"), JSON("2026-11-20T12:00:00Z"), .clock),
      (JSON("then"), JSON("2026-11-20 12:00:00 +0000"), .clock),
      (JSON("then"), JSON("2026-11-20 12:00:00 +0100"), .other),
      (JSON(1_700_000_000), JSON(2_000_000_000), .other),
    ])
  func clock(_ left: JSON, _ right: JSON, _ expected: HiddenInput) {
    #expect(input([], left, right) == expected)
  }

  @Test("of two replays, both values have to be the current time")
  func clockOfReplays() {
    let (then, now) = (JSON(1_700_000_000), JSON(1_795_176_000))
    #expect(input([], then, now, areReplays: true) == .other)
    #expect(input([], now, JSON(1_795_176_001), areReplays: true) == .clock)
  }

  @Test(
    "numbers with a fraction that differ in their last digits suggest rounding, and integers do not",
    arguments: [
      (JSON(0.1), JSON(0.10000000000000002), true), (JSON(0.5), JSON(0.50000000001), true),
      (JSON(1e30), JSON(1.0000000001e30), false), (JSON(4_000_000_000), JSON(4_000_000_001), false),
      (JSON(1_000_000_000.5), JSON(1_000_000_001), false),
      (JSON(1.5), JSON(1.501), false), (JSON(0), JSON(1e-300), false),
      (JSON(1.5), JSON("1.5"), false),
    ])
  func rounding(_ left: JSON, _ right: JSON, _ isSuggested: Bool) throws {
    #expect(LikelyReason.isRounding(place([], left, right)) == isSuggested)
    let hint = Divergence.Hint(place(["s"], left, right), in: (left, right), now: Self.now)
    #expect((hint == .rounding) == isSuggested)
  }

  @Test("a clock is not taken for rounding")
  func clockIsNotRounding() {
    let (left, right) = (JSON(816_868_800.25), JSON(816_868_800.5))
    let hint = Divergence.Hint(place(["s"], left, right), in: (left, right), now: Self.now)
    #expect(hint == .hiddenInput(.clock))
  }

  @Test(
    "one more member among the same names is a hint, in both directions; renamed and only members are not",
    arguments: [
      (
        #"{"a":{"b":1}}"#, #"{"a":{"b":1,"c":2}}"#,
        Divergence.Hint.member(name: "c", isAdded: true, others: ["b"])
      ),
      (
        #"{"a":{"b":1,"c":2}}"#, #"{"a":{"b":1}}"#,
        .member(name: "c", isAdded: false, others: ["b"])
      ),
      (#"{"a":{"b":1,"c":2}}"#, #"{"a":{"b":1,"d":2}}"#, nil),
      (#"{"a":{}}"#, #"{"a":{"c":2}}"#, nil),
      (#"{"a":{"b":1,"c":2}}"#, #"{"a":{"b":1,"c":3}}"#, nil),
    ])
  func member(_ left: String, _ right: String, _ expected: Divergence.Hint?) throws {
    let states = (recorded: try JSON.parse(left), replayed: try JSON.parse(right))
    let found = StateComparison(tolerance: 0, ignored: nil)
      .compare(states.recorded, states.replayed, at: ["store"]).places[0]
    #expect(Divergence.Hint(found, in: states, now: Self.now) == expected)
  }
}
