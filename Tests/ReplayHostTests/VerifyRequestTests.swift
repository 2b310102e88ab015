import FluxJSON
import FluxLog
import Testing

@testable import FluxReplay

@Suite struct VerifyRequestTests {
  @Test(
    "a request to verify is written and read back as it was",
    arguments: [
      #"{"log":"a.jsonl"}"#,
      #"{"log":"a","through":7}"#,
      #"{"log":"a","through":7,"bytes":812,"crc":4294967295,"from":2,"to":7}"#,
      #"{"log":"a.jsonl","from":2,"to":7,"ignore":["/a/*","b..c"],"tolerance":0.25,"#
        + #""now":"2026-11-20T12:00:00.000000Z"}"#,
    ])
  func verifyRequest(_ text: String) throws {
    #expect(JSON(message: try VerifyRequest(JSON.parse(text))).text == text)
  }

  @Test("a range with one end, or with its ends reversed, is valid")
  func ranges() throws {
    func range(_ text: String) throws -> Range<Int>? {
      try VerifyRequest(JSON.parse(#"{"log":"a"\#(text)}"#)).options.range
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
        #"{"log":"a","through":7,"bytes":812}"#,
        #""crc" of the request to verify is missing; expected a whole number"#
      ),
      (
        #"{"log":"a","through":7,"bytes":812,"crc":4294967296}"#,
        #""crc" of the request to verify must be a number of 32 bits, found 4294967296"#
      ),
      (
        #"{"log":"a","tolerance":-1}"#,
        #""tolerance" of the request to verify must be a number from 0 on, in the range of a double, found -1"#
      ),
      (
        #"{"log":"a","tolerance":1e400}"#,
        #""tolerance" of the request to verify must be a number from 0 on, in the range of a double, found 1e400"#
      ),
      (
        #"{"log":"a","now":"today"}"#,
        #""now" of the request to verify must be a date and time with a zone, found "today""#
      ),
    ])
  func wrongRequests(_ text: String, _ message: String) throws {
    let json = try JSON.parse(text)
    let error = #expect(throws: MalformedMessage.self) { try VerifyRequest(json) }
    #expect(error?.description == message)
  }

  @Test("the failure names an invalid path to ignore")
  func wrongPath() throws {
    let json = try JSON.parse(#"{"log":"a","ignore":["a["]}"#)
    let error = #expect(throws: MalformedMessage.self) { try VerifyRequest(json) }
    #expect(error?.member == "ignore")
    #expect(error?.found == "a[")
  }
}
