import FluxCore
import SearchExample
import Testing

@Suite struct SearchTests {
  /// Finds every word that contains the keyword; fails for keywords of one letter.
  struct WordEngine: SearchEngine {
    struct TooShort: Error {}

    func results(for keyword: String) throws -> [String] {
      guard keyword.count > 1 else { throw TooShort() }
      return ["flux", "fluxion", "reflux", "redux"].filter { $0.contains(keyword) }
    }
  }

  let search = Dispatcher([Search(engine: WordEngine())]).store(Search.self)

  @Test("a search is absent until it is set up, then prepares, is in progress, and finishes")
  func find() async {
    let phases = search.states()
    search.dispatch(.setup)
    await search.run(.begin(keyword: "flux"))
    #expect(
      await phases.prefix(4).reduce(into: []) { $0.append($1) } == [
        nil, .preparing, .inProgress(keyword: "flux"),
        .finished(keyword: "flux", results: ["flux", "fluxion", "reflux"]),
      ])
  }

  @Test("an error of the engine leads to the phase failed, with its reason")
  func fail() async {
    search.dispatch(.setup)
    await search.run(.begin(keyword: "f"))
    #expect(search.state == .failed(keyword: "f", reason: "TooShort()"))
  }

  @Test(
    "a finished or failed search is discarded, and the next one can begin", arguments: ["f", "ux"])
  func discard(keyword: String) async {
    search.dispatch(.setup)
    await search.run(.begin(keyword: keyword))
    search.dispatch(.discard)
    #expect(search.state == .preparing)
    await search.run(.begin(keyword: "red"))
    #expect(search.state == .finished(keyword: "red", results: ["redux"]))
  }

  /// Never returns, and reports its cancellation.
  struct EndlessEngine: SearchEngine {
    let begun: AsyncStream<Void>.Continuation
    let ended: AsyncStream<Void>.Continuation

    func results(for keyword: String) async throws -> [String] {
      begun.finish()
      for await _ in AsyncStream<Never>.makeStream().stream {}
      ended.finish()
      return ["too late"]
    }
  }

  @Test("closing removes the search from any phase, and cancels the engine's work")
  func close() async {
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Void>.makeStream()
    let search = Dispatcher([Search(engine: EndlessEngine(begun: begin, ended: end))])
      .store(Search.self)
    search.dispatch(.setup)
    async let outcome = search.run(.begin(keyword: "flux"))
    for await _ in begun {}
    #expect(search.state == .inProgress(keyword: "flux"))
    let closed = search.dispatch(.close)
    #expect(closed.result == .changed)
    for await _ in ended {}
    #expect(await outcome.result == .changed)
    #expect(search.state == nil)
  }

  @Test(
    "actions that the current phase does not allow are rejected and change nothing",
    arguments: [
      ([], .begin(keyword: "flux"), "search/begin is impossible in absent"),
      ([], .close, "search/close is impossible in absent"),
      ([.setup], .setup, "search/setup is impossible in preparing"),
      ([.setup], .found(["flux"]), "search/found is impossible in preparing"),
      ([.setup], .discard, "search/discard is impossible in preparing"),
      ([.setup, .close], .discard, "search/discard is impossible in absent"),
    ] as [([Search.Action], Search.Action, String)])
  func impossible(before: [Search.Action], action: Search.Action, message: String) {
    for action in before { search.dispatch(action) }
    let phase = search.state
    let rejection = search.dispatch(action).rejection
    #expect(rejection?.reason == .impossible)
    #expect(rejection?.message == message)
    #expect(search.state == phase)
  }
}
