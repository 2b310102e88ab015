import FluxCore
import Testing

/// The code of the page "Coming from UniFlow".
@Suite struct ComingFromUniFlowTests {
  struct Search: Feature {
    enum Phase: StateValue {
      case preparing
      case inProgress(keyword: String, percent: Int)
      case finished(results: [String])
      case failed(reason: String)
    }

    enum Action: FluxCore.Action {
      case setup
      case begin(keyword: String)
      case progress(percent: Int)
      case found([String])
      case failed(reason: String)
      case discard
      case close
    }

    let engine: @Sendable (_ keyword: String) async throws -> [String]

    func reduce(_ search: inout Phase?, _ action: Action, _ step: inout Step) throws {
      switch (search, action) {
      case (nil, .setup):
        search = .preparing
      case (.preparing, .begin(let keyword)):
        search = .inProgress(keyword: keyword, percent: 0)
        step.effect("search", then: Action.found, catch: { .failed(reason: "\($0)") }) {
          [engine] in try await engine(keyword)
        }
      case (.inProgress(let keyword, _), .progress(let percent)):
        search = .inProgress(keyword: keyword, percent: percent)
        if percent > 100 { throw Rejection("progress cannot exceed 100 percent") }
      case (.inProgress, .found(let results)):
        search = .finished(results: results)
      case (.inProgress, .failed(let reason)):
        search = .failed(reason: reason)
      case (.finished, .discard), (.failed, .discard):
        search = .preparing
        step.dispatch(Action.begin(keyword: "again"))
      case (.some, .close):
        search = nil
        step.cancel("search")
      default:
        throw Rejection.impossible
      }
    }
  }

  /// The number of searches: a store that reacts to a feature's actions.
  struct SearchCount: Projection {
    let initialState = 0
    var reactions: [Reaction<Int>] {
      [
        .on(Search.Action.self) { count, action, step in
          if case .inProgress(_, percent: 0)? = try step[Search.self] { count += 1 }
        }
      ]
    }
  }

  @MainActor final class SearchView {
    var results: [String] = []

    init(search: StoreHandle<Search>) {
      search.observe(for: self, results(in:)) { view, results in view.results = results }
    }
  }

  @MainActor final class SearchScreen {
    var texts: [String] = []

    init(_ dispatcher: Dispatcher) {
      dispatcher.observe(
        for: self, { "\($0[SearchCount.self]): \(results(in: $0[Search.self]).count)" }
      ) {
        $0.texts.append($1)
      }
    }
  }

  let dispatcher = Dispatcher([
    Search { keyword in ["\(keyword) 1", "\(keyword) 2"] }, SearchCount(),
  ])

  var search: StoreHandle<Search> { dispatcher.store(Search.self) }

  @Test("its transitions and rejections")
  func transitions() async {
    search.dispatch(.setup)
    #expect(search.state == .preparing)
    let outcome = search.dispatch(.discard)
    if let rejection = outcome.rejection {
      #expect(rejection.message == "search/discard is impossible in preparing")
    }
    #expect(outcome.result == .rejected)
    await search.run(.begin(keyword: "flux"))
    #expect(search.state == .finished(results: ["flux 1", "flux 2"]))
    await search.run(.discard)
    #expect(search.state == .finished(results: ["again 1", "again 2"]))
    #expect(dispatcher[SearchCount.self] == 2)
    search.dispatch(.close)
    #expect(dispatcher.model[Search.self] == nil)
  }

  @Test("its mutations and their consequences")
  func mutations() {
    let seen = Recorded<Mutation?>()
    let search = Dispatcher([Search { _ in [] }], mode: .simulate).store(Search.self)
    let receipt = search.onChange { change in
      seen.append(change.mutation())
      if change.mutation() == .initialization { search.dispatch(.begin(keyword: "flux")) }
    }
    search.dispatch(.setup)
    search.dispatch(.progress(percent: 10))
    search.dispatch(.progress(percent: 110))
    #expect(search.state == .inProgress(keyword: "flux", percent: 10))
    search.dispatch(.close)
    #expect(seen.all == [.initialization, .transition, .actualization, .deinitialization])
    receipt.cancel()
  }

  @Test("its transactions, and its access log")
  func transactions() async {
    let reports = dispatcher.outcomes()
    dispatcher.dispatch(Batch("restart", [Search.Action.setup, Search.Action.setup]))
    #expect(search.state == nil)
    for await report in reports {
      #expect(report.outcome.rejection?.message == "search/setup is impossible in preparing")
      #expect(
        report.envelope.source.description.hasPrefix("FluxCoreTests/ComingFromUniFlowTests.swift:"))
      break
    }
  }

  @Test("its views")
  @MainActor
  func views() {
    let search = Dispatcher([Search { _ in [] }], mode: .simulate).store(Search.self)
    let seen = Recorded<[String]>()
    let view = SearchView(search: search)
    let later = search.observe(initial: false, results(in:)) { results in seen.append(results) }
    search.dispatch(.setup)
    search.dispatch(.begin(keyword: "flux"))
    search.dispatch(.found(["flux"]))
    later.cancel()
    search.dispatch(.close)
    #expect(view.results == [])
    #expect(seen.all == [["flux"]])
  }

  @Test("its subscriptions to several features")
  @MainActor
  func severalFeatures() {
    let dispatcher = Dispatcher([Search { _ in [] }, SearchCount()], mode: .simulate)
    let screen = SearchScreen(dispatcher)
    dispatcher.dispatch(Search.Action.setup)
    dispatcher.dispatch(Search.Action.begin(keyword: "flux"))
    dispatcher.dispatch(Search.Action.found(["flux"]))
    #expect(screen.texts == ["0: 0", "1: 0", "1: 1"])
  }
}

/// The view of a search.
@Sendable private func results(
  in phase: ComingFromUniFlowTests.Search.Phase?
) -> [String] {
  guard case .finished(let results)? = phase else { return [] }
  return results
}
