import FluxJSON
import FluxLog
import Testing

@testable import FluxReplay

@Suite struct VerifyAnswerTests {
  @Test("an answer to verify is the same after writing and reading")
  func verifyAnswer() throws {
    let text =
      #"{"verdict":"passed","steps":7,"redacted":["/a"],"notes":["b"],"newStores":["c"],"closed":false}"#
    let report = try #require(
      try VerifyAnswer.passingReport(JSON.parse(text), on: "a.jsonl"))
    #expect(report.log == "a.jsonl" && report.verdict == .passed)
    #expect(JSON(message: VerifyAnswer(report)).text == text)
  }

  @Test("only a log that passed has a report", arguments: ["diverged", "incompatible", "empty"])
  func others(_ verdict: String) throws {
    let json = try JSON.parse(#"{"verdict":"\#(verdict)","steps":7}"#)
    #expect(try VerifyAnswer.passingReport(json, on: "a.jsonl") == nil)
  }

  @Test("of a log that did not pass, the answer has no details")
  func withoutDetails() throws {
    var report = ReplayReport(log: "a.jsonl")
    report.steps = 7
    report.divergences = [Divergence(.different, step: 7, action: ["type": "a/b"])]
    report.redacted = ["/a"]
    report.notes = ["b"]
    #expect(JSON(message: VerifyAnswer(report)).text == #"{"verdict":"diverged","steps":7}"#)
  }

  @Test("an unknown verdict is refused")
  func wrongVerdict() throws {
    let json = try JSON.parse(#"{"verdict":"fine","steps":7}"#)
    let error = #expect(throws: MalformedMessage.self) {
      try VerifyAnswer.passingReport(json, on: "a.jsonl")
    }
    #expect(
      error?.description == """
        "verdict" of the answer to verify must be passed, diverged, incompatible, damaged, empty, found \
        "fine"
        """)
  }
}
