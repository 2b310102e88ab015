import FluxCore
import FluxJSON
import FluxRecorder
import FluxTesting
import Foundation
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

  private enum VaultAction: Action { case lock(Secret<String>), open(Secret<String>) }

  private struct VaultStore: Store {
    struct State: StateValue {
      var code: Secret<String>?
      var length = 0
    }

    let initialState = State()

    func reduce(_ vault: inout State, _ action: VaultAction, _ step: inout Step) throws {
      switch action {
      case .lock(let code): vault.code = code
      case .open(let code):
        guard code == vault.code else { throw Rejection("a wrong code") }
        vault.length = try code.reveal().count
      }
    }
  }

  @Test("Stores get the values of secrets, and their states show tokens")
  func secrets() throws {
    let session = try TestSession(stores: { [VaultStore()] })
    try session.dispatch(VaultAction.lock(Secret("1234")))
    #expect(try session.dispatch(VaultAction.open(Secret("4321"))) == "refused: a wrong code")
    #expect(try session.dispatch(VaultAction.open(Secret("1234"))) == nil)
    #expect(try session.value("vault.length") == 4)
    #expect(try session.value("vault.code") == "<redacted 0000000000000000>")
  }

  private enum ClockAction: Action { case read, readTwice }

  private struct ClockStore: Store {
    let initialState: [Double] = []

    func reduce(_ times: inout [Double], _ action: ClockAction, _ step: inout Step) {
      times.append(step.now.timeIntervalSince1970)
      if action == .readTwice { step.dispatch(ClockAction.read) }
    }
  }

  @Test("Follow-ups have the time of their action, or the times that are given")
  func followUpTimes() throws {
    let session = try TestSession(stores: { [ClockStore()] })
    try session.dispatch(ClockAction.readTwice, at: 1)
    try session.dispatch(ClockAction.readTwice, at: 2, followUpsAt: [2.25])
    try session.dispatch(ClockAction.read)
    #expect(try session.value("clock") == [1, 1, 2, 2.25, 2.25])
  }

  @Test("Every number of seconds is a time", arguments: [-1, .infinity, -.infinity, .nan, 1e300])
  func everyTime(seconds: Double) throws {
    let session = try TestSession(stores: { [ClockStore()] })
    #expect(try session.dispatch(ClockAction.readTwice, at: seconds, followUpsAt: [seconds]) == nil)
    #expect(try session.value("clock")?.elements.count == 2)
  }

  private enum TicketAction: Action { case draw }

  private struct TicketStore: Store {
    let initialState: [String] = []

    func reduce(_ tickets: inout [String], _ action: TicketAction, _ step: inout Step) {
      tickets.append(step.uuid().uuidString)
    }
  }

  @Test("An action gets the random numbers of a recorded step, and the next one its own again")
  func randomNumbers() throws {
    let stores: @Sendable () -> [any Store] = { [TicketStore()] }
    let recorded = try TestSession(stores: stores)
    for _ in 1...4 { try recorded.dispatch(TicketAction.draw) }
    let tickets = try #require(try recorded.value("ticket"))
    try #require(tickets.count == 4)
    let session = try TestSession(stores: stores)
    try session.dispatch(TicketAction.draw, randomStep: 4)
    try session.dispatch(TicketAction.draw)
    try session.dispatch(json: ["type": "ticket/draw"], randomStep: 1)
    let drawn = try session.value("ticket")
    #expect(drawn.map { Array($0.elements) } == [3, 1, 0].compactMap { tickets[$0] })
  }

  @Test("An expression holds at the last action or at one of its follow-ups, and may read the step")
  func holds() throws {
    let session = try TestSession(stores: makeStores)
    #expect(try session.holds("meter.total == 0"))
    try session.dispatch(MeterAction.add(1))
    try session.dispatch(MeterAction.twice(4))
    #expect(try session.holds("$.action.type == 'meter/twice' && meter.total == 1"))
    #expect(try session.holds("meter.total == 5"))
    #expect(try session.holds("changed(meter.total) && was(meter.total) == 5"))
    #expect(try session.holds("$.before.meter.total == 5"))
    #expect(try !session.holds("meter.total == 0"))
    try session.dispatch(MeterAction.refuse)
    #expect(try session.holds("$.rejected.message == 'no'"))
    #expect(try !session.holds("changed(meter.total)"))
    #expect(throws: QueryError.self) { try session.holds("meter.total ==") }
  }

  @Test("It runs an app with a reducer")
  func reducer() throws {
    let app = AppDefinition(store: "meter", initial: Meter()) {
      (meter, action: MeterAction, inputs) in
      if case .add(let amount) = action { meter.total += amount }
    }
    let session = try TestSession(app: app)
    try session.dispatch(json: ["type": "meter/add", "payload": ["_0": 3]])
    #expect(try session.value("meter.total") == 3)
    #expect(try session.holds("meter.total > was(meter.total)"))
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
