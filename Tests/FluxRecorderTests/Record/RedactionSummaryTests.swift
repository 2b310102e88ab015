import Testing

@testable import FluxRecorder

@Suite struct RedactionSummaryTests {
  @Test("a redaction says what a log may contain")
  func summary() {
    #expect(
      Redaction().summary == "all actions and states in plain text, nothing redacted")
    #expect(
      Redaction(states: ["/a"], actions: ["x": [""], "b": ["/c", "/d"]]).summary
        == "all actions and states in plain text, except at /a, b /c, b /d, x")
    #expect(Redaction.only([]).summary == "names and times in plain text, and no values")
    var redaction = Redaction.only(["/a"], actions: ["b": ["/c"]], keepingTexts: true)
    redaction.states = ["/a/b"]
    #expect(
      redaction.summary
        == "names, times, messages, marks and labels in plain text, and the values at /a, b /c, "
        + "except at /a/b")
  }
}
