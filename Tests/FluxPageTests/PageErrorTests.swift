import FluxJSON
import Testing

@testable import FluxInspector
@testable import FluxPage

@Suite struct PageErrorTests {
  @Test("an error says what to do next in the words of the page")
  func next() throws {
    let errors = [
      CommandError(.notAttached, "this needs a running app", next: .attach),
      CommandError(.noApp, "this replays actions, which needs the app", next: .openWithApp),
      CommandError(.badPosition, "there is no action before the first step", next: .goToFirstStep),
      CommandError(.notFound, "no fork 7", hint: "the forks are 1, 2"),
    ]
    let texts = try errors.map {
      String(decoding: try LogEncoder(order: .declaration).bytes(of: PageError($0)), as: UTF8.self)
    }
    #expect(
      texts == [
        #"{"error":{"code":"not-attached","message":"this needs a running app","#
          + #""hint":"Start flux-inspect serve with --attach to use a running app."}}"#,
        #"{"error":{"code":"no-app","message":"this replays actions, which needs the app","#
          + #""hint":"Start flux-inspect serve with --app to replay the recording."}}"#,
        #"{"error":{"code":"bad-position","message":"there is no action before the first step","#
          + #""hint":"Go to a later step."}}"#,
        #"{"error":{"code":"not-found","message":"no fork 7","hint":"the forks are 1, 2"}}"#,
      ])
  }

  @Test("a query that visits too many nodes is too much work, not a wrong request")
  func tooMuchWork() throws {
    let failure = QueryError(
      query: "$..[?$..*]", column: 1, reason: "the query visits too many nodes",
      hint: "use fewer '..'")
    let error = PageError(failure, in: try PageFixture.log("todomvc.jsonl").timeline)
    #expect(error.status == 422)
    #expect(error.error.code == "too-much-work")
    #expect(error.error.message == failure.message)
  }
}
