import FluxJSON
import FluxLog
import Testing

@testable import FluxReplay

@Suite struct VerifyAnswerTests {
  @Test("an answer to verify is the same after writing and reading")
  func verifyAnswer() throws {
    let text =
      #"{"verdict":"passed","steps":7,"redacted":["/a"],"notes":["b"],"newStores":["c"],"closed":false}"#
    let answer = try VerifyAnswer(JSON.parse(text))
    #expect(JSON(message: answer).text == text)
    #expect(VerifyAnswer(answer.report(on: "a.jsonl")) == answer)
  }

  @Test("an unknown verdict is refused")
  func wrongVerdict() throws {
    let json = try JSON.parse(#"{"verdict":"fine","steps":7}"#)
    let error = #expect(throws: MalformedMessage.self) { try VerifyAnswer(json) }
    #expect(
      error?.description == """
        "verdict" of the answer to verify must be passed, diverged, incompatible, damaged, empty, found \
        "fine"
        """)
  }
}
