import FluxJSON
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

/// Reducers of other architectures, each attached to a log in five lines.
@Suite struct ForeignReducerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a reducer in the manner of ReSwift is recorded by a middleware of five lines")
  func reSwift() throws {
    typealias App = ReSwiftStyle
    let url = folder.url("reswift.jsonl")
    let recorder = Recorder(to: url)
    recorder.start(states: ["app": App.AppState()])
    let recording: App.Middleware = { next, state in
      { action in
        let step = recorder.begin(action)
        next(action)
        step.commit(states: ["app": state()])
      }
    }
    let store = App.Store(reducer: App.reducer, middleware: [recording])
    var states = [store.state]
    let actions: [any App.Action] = [
      App.Increase(), App.SetName(name: "joe"), App.Nothing(), App.Increase(by: 5),
      App.SetName(name: nil),
    ]
    for action in actions {
      store.dispatch(action)
      states.append(store.state)
    }
    try recorder.close()

    let timeline = try openTimeline(url)
    #expect(
      try steps(timeline).map(\.action.text) == [
        #"{"type":"increase","payload":{"by":1}}"#,
        #"{"type":"setName","payload":{"name":"joe"}}"#, #"{"type":"nothing"}"#,
        #"{"type":"increase","payload":{"by":5}}"#, #"{"type":"setName"}"#,
      ])
    for (position, state) in zip(Timeline.start..., states) {
      #expect(try timeline.state(of: "app", at: position) == LogEncoder().encode(state))
    }
  }

  @Test("a reducer in the manner of the Composable Architecture is wrapped in five lines")
  func composable() throws {
    typealias App = ComposableStyle
    let url = folder.url("composable.jsonl")
    let recorder = Recorder(to: url)
    recorder.start(states: ["search": App.Search(), "detail": nil])
    let base = App.search
    let recorded = App.Reduce<App.Search, App.SearchAction> { state, action in
      let step = recorder.begin(action)
      let effect = base.reduce(&state, action)
      step.commit(states: ["search": state, "detail": state.detail])
      return effect
    }
    // What the store's states were, from a run that is not recorded: the same reducer without the wrapper.
    var states = [App.Search()]
    let observed = App.Reduce<App.Search, App.SearchAction> { state, action in
      let effect = recorded.reduce(&state, action)
      states.append(state)
      return effect
    }
    let store = App.Store(App.Search(), observed)
    store.send(.queryChanged("tea"))
    store.send(.opened(index: 1))
    store.send(.opened(index: 1))
    store.send(.closed)
    try recorder.close()

    let timeline = try openTimeline(url)
    #expect(
      try steps(timeline).map(\.action.text) == [
        #"{"type":"search/queryChanged","payload":{"_0":"tea"}}"#,
        #"{"type":"search/found","payload":{"_0":["tea 1","tea 2"]}}"#,
        #"{"type":"search/opened","payload":{"index":1}}"#,
        #"{"type":"search/opened","payload":{"index":1}}"#, #"{"type":"search/closed"}"#,
      ])
    #expect(
      try steps(timeline).map(\.changed) == [
        ["search"], ["search"], ["detail", "search"], [], ["search", "detail"],
      ])
    for (position, state) in zip(Timeline.start..., states) {
      #expect(try timeline.state(of: "search", at: position) == LogEncoder().encode(state))
      #expect(
        try timeline.state(of: "detail", at: position)
          == state.detail.map { try LogEncoder().encode($0) })
    }
  }
}

/// A log that has to be sound, indexed to its end.
func openTimeline(_ url: URL) throws -> Timeline {
  let log = try LogFile.open(url.path)
  try log.waitForIndex()
  #expect(log.findings == [])
  return Timeline(log)
}

/// All steps of a log.
func steps(_ timeline: Timeline) throws -> [LogStep] {
  try (0..<timeline.log.count).map { try timeline.log.step(at: $0) }
}
