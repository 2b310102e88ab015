import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

@Suite struct EvolutionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // The app as it was when its logs were recorded.

  enum BasketAction: Action { case put(String), emptied }

  struct BasketStore: Store {
    let id: StoreID = "basket"
    let initialState: [String] = []

    func reduce(_ items: inout [String], _ action: BasketAction, _ step: inout Step) {
      switch action {
      case .put(let item): items.append(item)
      case .emptied:
        items = []
        step.dispatch(BasketAction.put("a present"))
      }
    }
  }

  // The app as it is: store, state, kind, case and payload are others.

  enum CartAction: Action {
    case add(name: String, count: Int)
    case emptied

    static var kind: String { "cart" }
  }

  struct Line: StateValue {
    let name: String
    let count: Int
  }

  struct CartStore: Store {
    let id: StoreID = "cart"
    let initialState: [Line] = []

    func reduce(_ lines: inout [Line], _ action: CartAction, _ step: inout Step) {
      switch action {
      case .add(let name, let count): lines.append(Line(name: name, count: count))
      case .emptied:
        lines = []
        step.dispatch(CartAction.add(name: "a present", count: 1))
      }
    }
  }

  struct WishStore: Store {
    let id: StoreID = "wishes"
    let initialState = 0

    func reduce(_ wishes: inout Int, _ action: Never, _ step: inout Step) {}
  }

  private func sample() throws -> LogFile {
    try record([BasketStore()], to: folder.url("old.jsonl")) { dispatcher in
      dispatcher.dispatch(BasketAction.put("tea"))
      dispatcher.dispatch(BasketAction.put("milk"), to: "basket")
      dispatcher.dispatch(BasketAction.emptied)  // 3, and 4
      dispatcher.dispatch(Batch("both", [BasketAction.put("jam"), BasketAction.put("ham")]))
    }
  }

  private var evolution: Evolution {
    var evolution = Evolution()
    evolution.storeAliases = ["basket": "cart"]
    evolution.actionAliases = ["basket": "cart"]
    evolution.actionUpcasters["basket/put"] = { action in
      let name = action.payload?["_0"] ?? ""
      return ("cart/add", ["name": name, "count": 1])
    }
    evolution.stateUpcasters["basket"] = { state in
      var writer = JSONWriter()
      writer.beginArray()
      for item in state.elements {
        writer.raw(item.kind == .string ? ["count": 1, "name": item] : item)
      }
      writer.endArray()
      return try writer.json()
    }
    return evolution
  }

  @Test("an old log passes with aliases and upcasters, at every place")
  func passes() async throws {
    let log = try sample()
    try log.waitForIndex()
    let replayer = AppDefinition(evolution: evolution) { [CartStore()] }
    for start in 0..<log.count {
      var options = Verification.Options()
      options.range = start..<log.count
      let report = try await replayer.verify(log, options: options)
      var expected = ReplayReport(log: log.path)
      expected.steps = 5 - start
      expected.notes =
        report.notes.isEmpty || start == 0
        ? [] : ["1 cause not compared: it is a step that was not replayed"]
      #expect(report == expected)
    }
  }

  @Test("a difference is told by the old name, with the state in today's form")
  func difference() async throws {
    _ = try sample()
    let log = try edit(folder.url("old.jsonl"), line: 3) {
      $0.replacing(#""milk"]"#, with: #""mulk"]"#)
    }
    let report = try await AppDefinition(evolution: evolution) { [CartStore()] }.verify(log)
    let found = try #require(report.divergences.first)
    #expect(found.store == "basket")
    #expect(found.path?.description == "/basket/1/name")
    #expect(found.recorded == "mulk")
    #expect(found.replayed == "milk")
    let differing = try Timeline(log).differingStates(
      at: found, in: AppDefinition(evolution: evolution) { [CartStore()] })
    #expect(differing.map(\.store) == ["basket"])
    #expect(
      differing.first?.recorded
        == [["count": 1, "name": "tea"], ["count": 1, "name": "mulk"]])
    #expect(
      differing.first?.replayed
        == [["count": 1, "name": "tea"], ["count": 1, "name": "milk"]])
  }

  @Test("without aliases an old log is incompatible, with a severity and what is missing")
  func incompatible() async throws {
    let log = try sample()
    let report = try await AppDefinition { [CartStore(), WishStore()] }.verify(log)
    #expect(
      report.text == """
        incompatible: \(log.path): the app cannot replay this log
          error: no store handles basket/emptied (step 3), basket/put (step 1); if actions were renamed, \
        add aliases to the app's Evolution; if they were removed, drop them there
          warning: the app has no store "basket", so its states are not compared; if it was renamed, \
        add an alias to the app's Evolution; if it was removed, drop it there
          note: the app has a store "cart" that the log does not have; it begins in the state that the app gives it
          note: the app has a store "wishes" that the log does not have; it begins in the state that the app gives it

        """)
  }

  @Test("without an upcaster for the state an old log is incompatible")
  func unfitState() async throws {
    let log = try sample()
    try log.waitForIndex()
    var partial = evolution
    partial.stateUpcasters = [:]
    var options = Verification.Options()
    options.range = 1..<log.count
    let report = try await AppDefinition(evolution: partial) { [CartStore()] }
      .verify(log, options: options)
    #expect(report.verdict == .incompatible)
    #expect(report.severity == .impossible)
    #expect(report.incompatibilities.map(\.name) == ["basket"])
    #expect(
      report.incompatibilities[0].description.hasPrefix(
        #"the recorded state of "basket" does not fit the app: "#))
  }

  @Test("a store that is new is fine")
  func newStore() async throws {
    let log = try sample()
    let report = try await AppDefinition { [BasketStore(), WishStore()] }.verify(log)
    #expect(report.verdict == .passed)
    #expect(report.severity == .fine)
    #expect(report.steps == 5)
  }

  @Test("a new store can begin in another state than its initial one")
  func storeDefault() throws {
    let log = try sample()
    try log.waitForIndex()
    var evolution = Evolution()
    evolution.default("/wishes", 3)
    let model = try AppDefinition(evolution: evolution) { [BasketStore(), WishStore()] }
      .states(at: 0, of: Timeline(log))
    #expect(model[WishStore.self] == 3)
    #expect(model[BasketStore.self] == ["tea"])
  }

  @Test("a store that is gone is risky: everything else is compared")
  func missingStore() async throws {
    let log = try record([BasketStore(), WishStore()], to: folder.url("wishes.jsonl")) {
      $0.dispatch(BasketAction.put("tea"))
    }
    let report = try await AppDefinition { [BasketStore()] }.verify(log)
    #expect(report.verdict == .incompatible)
    #expect(report.severity == .risky)
    #expect(report.steps == 1)
  }

  @Test("an upcaster that throws is told, and nothing runs")
  func throwing() async throws {
    struct Unknown: Error {}
    let log = try sample()
    var broken = evolution
    broken.stateUpcasters["basket"] = { _ in throw Unknown() }
    let report = try await AppDefinition(evolution: broken) { [CartStore()] }.verify(log)
    #expect(
      report.incompatibilities.map(\.description) == [
        #"the recorded state of "basket" does not fit the app: its upcaster threw Unknown(); "#
          + "add an upcaster to the app's Evolution"
      ])
  }

  @Test("an action upcaster that throws is reported at its step, even in a batch")
  func throwingActions() throws {
    struct Unknown: Error {}
    var broken = Evolution()
    broken.actionUpcasters["cart/add"] = { _ in throw Unknown() }
    let app = AppDefinition(evolution: broken) { [CartStore()] }
    let session = try app.start(
      SessionStart(mode: .replay, seed: 0, created: LogInstant(microseconds: 0)))
    defer { session.end() }
    let actions: [JSON] = [
      ["type": "cart/add"], ["type": "cart/add", "id": 2],
      ["type": "batch", "payload": ["actions": [["type": "cart/add"]]]],
    ]
    let steps = try session.dispatch(
      actions.map { ReplayAction(number: 1, time: LogTime(microseconds: 0), action: $0) })
    let threw = ReplayedStep.Outcome.undecodable(#"the upcaster of "cart/add" threw Unknown()"#)
    #expect(steps.map(\.outcome) == [threw, threw, threw])
  }

  @Test("a fork of an old log goes by today's names")
  func fork() throws {
    let log = try sample()
    try log.waitForIndex()
    let replayer = AppDefinition(evolution: evolution) { [CartStore()] }
    let fork = try Fork.redispatching(1..<log.count, of: Timeline(log), in: replayer)
    #expect(try fork.compare().isSame)
    #expect(fork.model["cart"]?.count == 3)
    #expect(fork.steps[0].type == "cart/add")
    #expect(fork.steps[0].target == "cart")
  }

  @Test("a fork that leaves a fork begins in its states: no upcaster takes them a second time")
  func forkOfFork() throws {
    let log = try sample()
    try log.waitForIndex()
    var evolution = Evolution()
    evolution.stateUpcasters["basket"] = { ["a bag", $0.elements.first ?? ""] }
    let app = AppDefinition(evolution: evolution) { [BasketStore()] }
    let fork = try Fork(at: 0, of: Timeline(log), in: app)
    #expect(fork.model == ["basket": ["a bag", "tea"]])
    let left = try Fork(leaving: fork, afterSteps: 0)
    #expect(left.model == ["basket": ["a bag", "tea"]])
    try left.dispatch(["type": "basket/emptied"])
    #expect(left.model == ["basket": ["a present"]])
  }

  @Test("An action with other members is decoded by an upcaster, and by nothing else")
  func otherMembers() throws {
    let action: JSON = [
      "type": "cart/add", "payload": ["name": "a", "count": 1], "text": "x", "id": 2,
    ]
    let message =
      "the action \"cart/add\" has members other than type and payload: text, id; to decode it, "
      + "add an upcaster to the app's Evolution, which gets all of them as the payload"
    func step(_ evolution: Evolution) throws -> (ReplayedStep?, StoreDictionary<JSON>) {
      let app = AppDefinition(evolution: evolution) { [CartStore()] }
      let session = try app.start(
        SessionStart(mode: .replay, seed: 0, created: LogInstant(microseconds: 0)))
      defer { session.end() }
      let steps = try session.dispatch([
        ReplayAction(number: 1, time: LogTime(microseconds: 0), action: action)
      ])
      return (steps.first, try session.states())
    }
    var evolution = Evolution()
    #expect(try step(evolution).0?.outcome == .undecodable(message))
    evolution.actionAliases["cart/put"] = "cart/add"
    #expect(try step(evolution).0?.outcome == .undecodable(message))
    evolution.actionUpcasters["cart/add"] = { action in
      let (name, count) = (action.payload?["text"] ?? "", action.payload?["id"] ?? 0)
      return ("cart/add", ["name": name, "count": count])
    }
    let (taken, states) = try step(evolution)
    #expect(taken?.outcome == .accepted)
    #expect(states == ["cart": [["count": 2, "name": "x"]]])
  }
}
