import FluxJSON
import FluxLog
import FluxReplay
import TestFixtures
import Testing

/// The stores in the header of a log that is updated.
@Suite struct UpdatedStoresTests {
  @Test(
    "a store keeps its recorded type unless the app tells another",
    arguments: [(nil, "Count"), ("Tally", "Tally")])
  func types(told: String?, written: String) throws {
    let folder = try TemporaryFolder()
    let log = try folder.write(
      """
      {"flux":"1.0","first":1,"stores":{"count":{"type":"Count","initial":0}}}
      {"n":1,"t":0.1,"action":{"type":"count/up"},"states":{"count":1}}
      {"end":{"steps":1,"ok":true}}

      """, to: "recorded.jsonl")
    var app = ScriptedApp { actions in
      actions.map { action in
        ReplayedStep(
          number: action.number ?? 0, time: action.time,
          changes: [.init(store: "count", state: 2)])
      }
    }
    app.description.stores = [.init(name: "count", type: told), .init(name: "lamp", type: "Lamp")]
    let path = folder.path("updated.jsonl")
    let update = try RecordingUpdate(
      of: Timeline(LogFile.open(log)), in: app, options: .init(environment: [:]))
    _ = try update.write(to: path)
    let stores = try LogFile.open(path).header.stores
    #expect(stores.map(\.name) == ["count", "lamp"])
    #expect(stores.map(\.type) == [written, "Lamp"])
  }
}
