import FluxCore
import FluxJSON
import FluxTesting
import Testing

@Suite("A session of a test")
struct TestSessionTests {
  @Test("Actions as values and as JSON lead to values, and follow-ups run")
  func dispatching() throws {
    let session = try TestSession(stores: makeStores)
    #expect(try session.dispatch(MeterAction.twice(4)) == nil)
    #expect(
      try session.dispatch(json: ["type": "meter/add", "payload": ["_0": 1]], at: 2.5) == nil)
    #expect(try session.value("meter.total") == 9)
    #expect(try session.value("meter.total > 8") == true)
    #expect(try session.value("meter.none") == nil)
    #expect(try session.value("meter[*]") == [9])
  }

  @Test("A rejection is returned, and an unknown action is an error")
  func rejection() throws {
    let session = try TestSession(stores: makeStores)
    #expect(try session.dispatch(MeterAction.refuse) == "refused: no")
    #expect(throws: TestSession.Failure.self) {
      try session.dispatch(json: ["type": "lamp/on"])
    }
  }

  @Test("It begins in recorded states, with the recorded seed and time")
  func start() throws {
    let start = """
      {"mode":"simulate","seed":"0931da33e8b4a1c5","created":"2026-11-21T07:30:35.202564Z",\
      "states":{"meter":{"total":40}},"next":7,"t":1.500000}
      """
    let session = try TestSession(stores: makeStores, start: start)
    try session.dispatch(MeterAction.add(2))
    #expect(try session.value("meter.total") == 42)
  }

  @Test("Each value that differs has a line")
  func mismatches() throws {
    let session = try TestSession(stores: makeOtherStores)
    try session.dispatch(MeterAction.add(2))
    #expect(
      try session.mismatches(["meter.total": 20, "meter.id": nil, "length(meter)": 1]) == [])
    #expect(
      try session.mismatches(["meter.total": 2, "meter.id": "x", "length(meter)": nil]) == [
        "meter.total is 20, and not 2", #"meter.id is missing, and not "x""#,
        "length(meter) is 1, and not missing",
      ])
  }
}
