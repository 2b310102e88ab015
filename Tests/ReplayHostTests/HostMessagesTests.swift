import FluxLog
import Testing

@testable import FluxReplay

@Suite struct HostMessagesTests {
  private static func written(_ write: (inout JSONWriter) -> Void) throws -> String {
    var writer = JSONWriter()
    write(&writer)
    return try writer.json().text
  }

  @Test(
    "a request to verify is written and read back as it was",
    arguments: [
      #"{"log":"a.jsonl"}"#,
      #"{"log":"a.jsonl","from":2,"to":7,"ignore":["/a/*","b..c"],"tolerance":0.25,"#
        + #""now":"2026-11-20T12:00:00.000000Z"}"#,
    ])
  func verifyRequest(_ text: String) throws {
    #expect(try Self.written(VerifyRequest(JSON.parse(text)).write) == text)
  }

  @Test("a range that has only one end, or whose ends are the wrong way round, is a range")
  func ranges() throws {
    func range(_ text: String) throws -> Range<Int>? {
      try VerifyRequest(JSON.parse(#"{"log":"a"\#(text)}"#)).range
    }
    #expect(try range("") == nil)
    #expect(try range(#","from":3"#) == 3..<Int.max)
    #expect(try range(#","to":3"#) == 0..<3)
    #expect(try range(#","from":5,"to":3"#) == 5..<5)
    #expect(try range(#","from":18446744073709551615,"to":3"#) == Int.max..<Int.max)
  }

  @Test(
    "what is wrong with a request to verify is said",
    arguments: [
      (#"{}"#, #""log" of the request to verify is missing; expected a string"#),
      (
        #"{"log":"a","now":"today"}"#,
        #""now" of the request to verify has to be a date and time with a zone, and is "today""#
      ),
    ])
  func wrongRequests(_ text: String, _ message: String) throws {
    let json = try JSON.parse(text)
    let error = #expect(throws: MalformedMessage.self) { try VerifyRequest(json) }
    #expect(error?.description == message)
  }

  @Test("a path that cannot be ignored is said, with the path")
  func wrongPath() throws {
    let json = try JSON.parse(#"{"log":"a","ignore":["a["]}"#)
    let error = #expect(throws: MalformedMessage.self) { try VerifyRequest(json) }
    #expect(error?.member == "ignore")
    #expect(error?.found == "a[")
  }

  @Test("an answer to verify is written and read back as it was")
  func verifyAnswer() throws {
    let text =
      #"{"verdict":"passed","steps":7,"redacted":["/a"],"notes":["b"],"newStores":["c"]}"#
    let answer = try VerifyAnswer(JSON.parse(text))
    #expect(try Self.written(answer.write) == text)
    #expect(VerifyAnswer(answer.report(on: "a.jsonl")) == answer)
  }

  @Test("a verdict that there is not is refused")
  func wrongVerdict() throws {
    let json = try JSON.parse(#"{"verdict":"fine","steps":7}"#)
    let error = #expect(throws: MalformedMessage.self) { try VerifyAnswer(json) }
    #expect(
      error?.description == """
        "verdict" of the answer to verify has to be passed, diverged, incompatible, damaged, and is \
        "fine"
        """)
  }

  @Test("messages from outside are lines without line ends in them")
  func lines() throws {
    let id = try JSON.parse("\"a\"")
    let value = try JSON.parse("{\n\"b\":\r\n\"c\\nd\"}")
    let line = RPCLine.result(id) { $0.raw(value) }
    #expect(
      String(decoding: line, as: UTF8.self)
        == "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{ \"b\":\r \"c\\nd\"}}\n")
    #expect(try RPCMessage(Array(line.dropLast())) == .result(id: id, value))
  }
}
