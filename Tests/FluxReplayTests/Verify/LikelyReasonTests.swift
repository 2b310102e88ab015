import FluxJSON
import FluxLog
import Testing

@testable import FluxReplay

@Suite struct LikelyReasonTests {
  private func place(
    _ tokens: [String], _ recorded: JSON?, _ replayed: JSON?
  ) -> StateComparison.Place {
    StateComparison.Place(tokens: tokens, recorded: recorded, replayed: replayed)
  }

  @Test(
    "elements in another order are told, wherever the list is",
    arguments: [
      (#"[1,2,3]"#, #"[3,1,2]"#, ["0"], true),
      (#"{"a":[{"x":1,"y":2},2]}"#, #"{"a":[2,{"y":2,"x":1}]}"#, ["a", "0"], true),
      (#"{"a":[1,1,2]}"#, #"{"a":[1,2,2]}"#, ["a", "1"], false),
      (#"{"a":[1,2]}"#, #"{"a":[2,1,3]}"#, ["a", "0"], false),
      (#"{"a":1}"#, #"{"a":2}"#, ["a"], false),
    ])
  func reordered(_ left: String, _ right: String, _ tokens: [String], _ isTold: Bool) throws {
    let reason = LikelyReason.reordered(
      tokens, (recorded: try JSON.parse(left), replayed: try JSON.parse(right)))
    #expect((reason != nil) == isTold)
  }

  @Test(
    "two identifiers are told, and nothing else",
    arguments: [
      (
        JSON("5C0E6C1A-9E7B-4C69-9F30-6B1C3F2F2B11"), JSON("5c0e6c1a-9e7b-4c69-9f30-6b1c3f2f2b12"),
        true
      ),
      (JSON("5C0E6C1A-9E7B-4C69-9F30-6B1C3F2F2B11"), JSON("none"), false),
      (JSON("5C0E6C1A-9E7B-4C69-9F30"), JSON("5C0E6C1A-9E7B-4C69-9F30"), false),
      (JSON("5C0E6C1A-9E7B-4C69-9F30-6B1C3F2F2BXX"), JSON("a"), false),
      (JSON(1), JSON(2), false),
    ])
  func identifier(_ left: JSON, _ right: JSON, _ isTold: Bool) {
    #expect((LikelyReason.identifier(place([], left, right)) != nil) == isTold)
  }

  private static let now = LogInstant("2026-11-20T12:00:00Z") ?? LogInstant(microseconds: 0)

  @Test(
    "the present time in place of another one is told, in any usual form",
    arguments: [
      (JSON("2026-11-01T12:00:00Z"), JSON("2026-11-20T12:10:00.25Z"), true),
      (JSON("2026-11-01T12:00:00Z"), JSON("2026-11-19T12:00:00Z"), false),
      (JSON(1_700_000_000), JSON(1_795_176_000), true),  // seconds since 1970
      (JSON(1_700_000_000_000), JSON(1_795_176_000_123), true),  // milliseconds
      (JSON(700_000_000.5), JSON(816_868_800.25), true),  // seconds since 2001
      (JSON(1), JSON(1_795_176_000), false),
      (JSON("then"), JSON("2026-11-20T12:00:00Z"), false),
      (JSON(1_700_000_000), JSON(2_000_000_000), false),
    ])
  func clock(_ left: JSON, _ right: JSON, _ isTold: Bool) {
    let reason = LikelyReason.clock(place([], left, right), now: Self.now)
    #expect((reason != nil) == isTold)
  }

  @Test(
    "numbers that differ in their last digits are told",
    arguments: [
      (JSON(0.1), JSON(0.10000000000000002), true), (JSON(1e30), JSON(1.0000000001e30), true),
      (JSON(1.0), JSON(1.001), false), (JSON(0), JSON(1e-300), false), (JSON(1), JSON("1"), false),
    ])
  func rounding(_ left: JSON, _ right: JSON, _ isTold: Bool) {
    #expect((LikelyReason.rounding(place([], left, right)) != nil) == isTold)
  }

  @Test("the reason names a member that only one side has, and the side")
  func member() throws {
    let (with, without) = (
      try JSON.parse(#"{"a":{"b":1,"c":2}}"#), try JSON.parse(#"{"a":{"b":1}}"#)
    )
    #expect(
      LikelyReason.member(place(["a", "c"], nil, 2), (without, with))
        == #"only the replay has the member "c": it is new, or was omitted before"#)
    #expect(
      LikelyReason.member(place(["a", "c"], 2, nil), (with, without))
        == #"only the recording has the member "c": it was removed, or is omitted now"#)
    #expect(LikelyReason.member(place(["a", "b"], 1, 2), (with, without)) == nil)
    let (longer, shorter) = (try JSON.parse("[1,2]"), try JSON.parse("[1]"))
    #expect(LikelyReason.member(place(["1"], 2, nil), (longer, shorter)) == nil)
  }

  @Test("there is no reason if nothing specific is known")
  func nothing() {
    #expect(
      LikelyReason.ofDifference(
        place(["total"], 1, 2), in: (["total": 1], ["total": 2]), now: Self.now) == nil)
  }
}
