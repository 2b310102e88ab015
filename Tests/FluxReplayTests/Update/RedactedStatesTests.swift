import FluxJSON
import FluxLog
import Testing

@testable import FluxReplay

@Suite struct RedactedStatesTests {
  /// Numbers the tokens of a text from 1, in order of appearance.
  private func counted(_ text: String) -> String {
    var text = text
    var tokens = 0
    let token = /<redacted [0-9a-f]{16}>/.matchingSemantics(.unicodeScalar)
    while let match = text.firstMatch(of: token) {
      tokens += 1
      // By scalars: an accent may follow.
      text.unicodeScalars.replace(match.output.unicodeScalars, with: "<\(tokens)>".unicodeScalars)
    }
    return text
  }

  @Test(
    "what stands at a redacted place is a token in a message too, however it is written",
    arguments: [
      (#""hunter2""#, "not hunter2, hunter22 or hunter", "not <1>, <1>2 or hunter"),
      (#""pa\"ss""#, #"bad pa"ss"#, "bad <1>"),
      (#""pa\"ss""#, #"login("pa\"ss")"#, #"login("<1>")"#),
      (#""a/b\n1""#, #"login("a/b\n1")"#, #"login("<1>")"#),
      (#""hunter2""#, "hunter2\u{301}", "<1>\u{301}"),
      (#""caf\u00e9""#, "caf\u{e9}, cafe\u{301}", "<1>, <1>"),
      (#""hunter2""#, "HUNTER2, aHVudGVyMg==", "<1>, <1>=="),
      (#"["caf\u00e9","cafe\u0301"]"#, "caf\u{e9}, cafe\u{301}", "<1>, <2>"),
      (#"{"card":41111,"holder":["anna"],"cvc":123}"#, "41111 of anna, 123", "<1> of <2>, 123"),
      ("41111", "no card 41111", "no card <1>"), (#""abc""#, "abc, abcd", "abc, abcd"),
      (#""abc""#, "abc", "<1>"), ("null", "null", "null"), ("true", "true", "true"),
    ])
  func messages(_ secret: String, _ message: String, _ expected: String) throws {
    var states = try RedactedStates(["/vault/secret"])
    let state = try JSON.parse(#"{"secret":\#(secret)}"#)
    _ = try states.redacted(state, of: "vault", recorded: nil)
    #expect(counted(states.texts.replaced(inMessage: message)) == expected)
  }

  @Test("a member of a redacted object has one token in all messages, that of its own place")
  func members() throws {
    var states = try RedactedStates(["/vault/card", "/vault/holder"])
    _ = try states.redacted(["card": ["holder": "anna"]], of: "vault", recorded: nil)
    let first = states.texts.replaced(inMessage: "no anna")
    _ = try states.redacted(["card": ["holder": "anna", "cvc": 1]], of: "vault", recorded: nil)
    #expect(states.texts.replaced(inMessage: "no anna") == first)
    let state = try states.redacted(["holder": "anna"], of: "vault", recorded: nil)
    #expect(states.texts.replaced(inMessage: "no anna") == "no \(state["holder"]?.string ?? "")")
  }

  @Test("values that look alike but differ in bytes have tokens of their own")
  func exact() throws {
    var states = try RedactedStates(["/vault/*"])
    let state = try states.redacted(
      ["a": "caf\u{e9}-1234", "b": "cafe\u{301}-1234", "c": "caf\u{e9}-1234"], of: "vault",
      recorded: nil)
    #expect(counted(state.text) == #"{"a":"<1>","b":"<2>","c":"<1>"}"#)
  }
}
