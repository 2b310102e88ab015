import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Logs of a reducer without a dispatcher, replayed by it.
@Suite struct ReducerDefinitionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Board: Codable, Sendable {
    var names: [String] = []
    var marks: [Mark] = []
    var user: String?
  }

  struct Mark: Codable, Sendable {
    let id: UUID
    let date: Date
    let dice: Int
  }

  enum BoardAction: Codable, Sendable {
    case add(String), mark, sign(in: String?), row(number: Int, RowAction)
    enum RowAction: Codable, Sendable { case remove, rename(String) }
  }

  struct Refusal: Error, CustomStringConvertible { let description: String }

  static func reduce(
    _ board: inout Board, _ action: BoardAction, _ inputs: inout StepInputs
  ) throws {
    switch action {
    case .add(let name): board.names.append(name)
    case .mark:
      let dice = Int.random(in: 1...6, using: &inputs.random)
      board.marks.append(Mark(id: inputs.uuid(), date: inputs.now, dice: dice))
    case .sign(let name): board.user = name
    case .row(let number, let action):
      board.names.append("half done")
      guard board.names.indices.dropLast().contains(number) else {
        throw Refusal(description: "there is no row \(number)")
      }
      board.names.removeLast()
      switch action {
      case .remove: board.names.remove(at: number)
      case .rename(let name): board.names[number] = name
      }
    }
  }

  static let actions: [BoardAction] = [
    .add("tea"), .mark, .add("cups"), .row(number: 1, .rename("mugs")), .mark,
    .row(number: 5, .remove), .sign(in: "ann"), .row(number: 0, .remove), .sign(in: nil),
  ]

  @Test("an action draws the random numbers of the step that it names")
  func randomStep() throws {
    let start = SessionStart(mode: .simulate, seed: 7, created: LogInstant(microseconds: 0))
    func mark(_ step: UInt64?) -> ReplayAction {
      ReplayAction(
        time: LogTime(microseconds: 0), action: ["type": "board/mark"], randomStep: step)
    }
    func ids(_ steps: [UInt64?]) throws -> [JSON?] {
      let session = try app().start(start)
      defer { session.end() }
      _ = try session.dispatch(steps.map(mark))
      return try session.states()["board"]?["marks"]?.elements.map { $0["id"] } ?? []
    }
    let own = try ids([nil, nil, nil])
    #expect(own.count == 3 && own.allSatisfy { $0 != nil })
    #expect(try ids([3, nil, 1]) == [own[2], own[1], own[0]])
  }

  private func app(
    stores: [StatePart<Board>] = [StatePart("board", \.self)],
    initial: @autoclosure @escaping @Sendable () -> Board = Board(),
    reduce: @escaping AppDefinition<Board, BoardAction>.Reduce = ReducerDefinitionTests.reduce
  ) -> AppDefinition<Board, BoardAction> {
    AppDefinition(
      name: "Board", stores: stores, initial: initial(), actions: [BoardAction.self],
      reduce: reduce)
  }

  /// Records the actions; `states` are those to record.
  private func record(
    _ states: (Board) -> [String: (any Encodable & Sendable)?] = { ["board": $0] },
    rejects: Bool = true
  ) throws -> Timeline {
    let url = folder.url("board.jsonl")
    let clock = Ticks(Date(timeIntervalSinceReferenceDate: 800_000_000.123_456_7))
    var board = Board()
    let recorder = Recorder(to: url)
    recorder.start(states: states(board), seed: 7) { clock.next() }
    for action in Self.actions {
      let step = recorder.begin(action)
      var inputs = step.inputs
      var next = board
      do {
        try Self.reduce(&next, action, &inputs)
        board = next
        step.commit(states: states(board))
      } catch {
        if rejects { step.reject("\(error)") } else { _ = consume step }
      }
    }
    try recorder.close()
    return try openTimeline(url)
  }

  @Test("a log of a reducer passes, with its times, random numbers and UUIDs")
  func passes() throws {
    let timeline = try record()
    #expect(timeline.log.header.seed == 7)
    let report = try app().verify(timeline)
    #expect(report.text == "passed: \(timeline.log.path): 9 steps compared\n")
    #expect(
      try steps(timeline).filter { $0.type.hasPrefix("board/row") }.map(\.action.text) == [
        #"{"type":"board/row/rename","payload":{"_1":{"_0":"mugs"},"number":1}}"#,
        #"{"type":"board/row/remove","payload":{"_1":{},"number":5}}"#,
        #"{"type":"board/row/remove","payload":{"_1":{},"number":0}}"#,
      ])
  }

  @Test("a log of several parts of the state passes, among them one that comes and goes")
  func parts() throws {
    let timeline = try record { ["names": $0.names, "marks": $0.marks, "user": $0.user] }
    let stores = [
      StatePart<Board>("names", \.names), StatePart("marks", \.marks), StatePart("user", \.user),
    ]
    let report = try app(stores: stores).verify(timeline)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(try app(stores: stores).describe().stores.map(\.isFeature) == [false, false, true])
  }

  @Test("a part of the state that the app no longer begins with is absent in a new recording")
  func absentPart() throws {
    let url = folder.url("part.jsonl")
    let recorder = Recorder(to: url)
    recorder.start(states: ["names": [String](), "user": "ann"], seed: 7)
    recorder.record(BoardAction.add("tea"), states: ["names": ["tea"], "user": "ann"])
    try recorder.close()
    let app = app(stores: [StatePart("names", \.names), StatePart("user", \.user)])
    let update = RecordingUpdate(
      of: try openTimeline(url), in: app, options: .init(environment: [:]))
    #expect(try update.rerecord(to: url.path) == 1)
    let new = try openTimeline(url)
    #expect(try new.state(of: "user", at: Timeline.start) == nil)
    #expect(try app.verify(new).verdict == .passed)
  }

  @Test("a log with an action in flight is not recorded again, which would lose it")
  func inFlight() throws {
    let url = folder.url("flight.jsonl")
    let recorder = Recorder(to: url)
    recorder.start(states: ["names": [String]()], seed: 7)
    recorder.record(BoardAction.add("tea"), states: ["names": ["tea"]])
    try recorder.close()
    let action = InFlightAction(
      number: 2, time: LogTime(microseconds: 1), type: "board/add", action: ["type": "board/add"],
      isCommitted: false)
    try InFlightCopy.write([action], beside: url.path)
    let timeline = try openTimeline(url)
    let before = try Data(contentsOf: url)
    let update = RecordingUpdate(
      of: timeline, in: app(stores: [StatePart("names", \.names)]),
      options: .init(environment: [:]))
    let error = #expect(throws: UpdateError.self) { try update.rerecord(to: url.path) }
    #expect(
      error?.summary
        == "the app ended when step 2 was in flight, and a new recording would lose that; repair the log with "
        + "--app first, and review the repaired one")
    #expect(try Data(contentsOf: url) == before)
    #expect(try timeline.log.inFlight() == [action])
  }

  @Test("a step that its app did not end, because the reducer threw, is a rejection on replay")
  func thrown() throws {
    let timeline = try record(rejects: false)
    #expect(try steps(timeline)[5].rejection?.reason == "failed")
    #expect(try app().verify(timeline).verdict == .passed)
  }

  @Test("a reducer that does something else diverges")
  func diverges() throws {
    let timeline = try record()
    let report = try app { board, action, inputs in
      if case .add(let name) = action {
        board.names.append(name.capitalized)
      } else {
        try Self.reduce(&board, action, &inputs)
      }
    }.verify(timeline)
    #expect(report.verdict == .diverged)
    let divergence = try #require(report.divergences.first)
    #expect(divergence.kind == .different)
    #expect(divergence.step == 1)
    #expect(divergence.path?.description == "/board/names/0")
    #expect(divergence.recorded == "tea")
    #expect(divergence.replayed == "Tea")
  }

  @Test("a reducer that refuses with another message, and one that no longer refuses, diverge")
  func rejections() throws {
    let timeline = try record()
    let reworded = try app { board, action, inputs in
      do { try Self.reduce(&board, action, &inputs) } catch { throw Rejection("no such row") }
    }.verify(timeline)
    #expect(reworded.divergences.map(\.kind) == [.message])
    let lenient = try app { board, action, inputs in
      do { try Self.reduce(&board, action, &inputs) } catch {}
    }.verify(timeline)
    #expect(lenient.divergences.first?.kind == .accepted)
  }

  @Test("an app that begins in another state diverges at the start")
  func initial() throws {
    let timeline = try record()
    let report = try app(initial: Board(names: ["milk"])).verify(timeline)
    #expect(report.divergences.map(\.kind) == [.initial])
  }

  @Test("a verification can begin in the middle, and a fork runs other actions")
  func middle() throws {
    let timeline = try record()
    var options = Verification.Options()
    options.range = 3..<9
    #expect(try app().verify(timeline, options: options).verdict == .passed)
    let fork = try Fork(at: 2, of: timeline, in: app())
    _ = try fork.dispatch([
      "type": "board/row/rename", "payload": ["_1": ["_0": "pots"], "number": 0],
    ])
    #expect(fork.model["board"]?["names"] == ["pots", "cups"])
  }

  @Test("the advice for hidden inputs does not speak of a Step")
  func advice() throws {
    let timeline = try record()
    var options = Verification.Options()
    options.runsTwice = true
    let report = try app { board, action, inputs in
      guard case .mark = action else { return try Self.reduce(&board, action, &inputs) }
      board.marks.append(Mark(id: UUID(), date: inputs.now, dice: 1))
    }.verify(timeline, options: options)
    #expect(
      report.divergences.first?.reason
        == "a reducer creates UUIDs; pass them in the action, or take them from the inputs of the step, "
        + "which are the same on replay")
  }

  @Test("follow-ups and effects are counted, because a reducer does not tell them")
  func followUps() throws {
    let url = folder.url("chain.jsonl")
    let recorder = Recorder(to: url)
    recorder.start(states: ["board": Board()])
    var board = Board()
    func send(
      _ action: BoardAction, cause: UInt64? = nil, effect: String? = nil
    ) throws -> UInt64? {
      let step = recorder.begin(action, cause: cause, effect: effect)
      var inputs = step.inputs
      try Self.reduce(&board, action, &inputs)
      let number = step.number
      step.commit(states: ["board": board])
      return number
    }
    let first = try send(.add("a"))
    _ = try send(.add("b"), cause: first)
    _ = try send(.add("c"), cause: first, effect: "load")
    try recorder.close()
    let report = try app().verify(openTimeline(url))
    #expect(
      report.text == """
        passed: \(url.path): 3 steps compared
          note: 1 effect not compared: the app does not report effects
          note: 1 follow-up not compared: the app does not report follow-ups
          note: 1 step was dispatched by effects, which do not run in replay: the effects' policies, delays and results were \
        not compared

        """)
  }

  protocol NameAction: Codable, Sendable {}
  struct Add: NameAction { let name: String }
  struct Clear: NameAction {}
  struct Stray: Codable, Sendable {}

  @Test("actions of several types are read by their kinds, and unknown ones are told")
  func kinds() throws {
    var evolution = Evolution()
    evolution.actionAliases = ["wipe": "clear"]
    let app = AppDefinition(
      evolution: evolution, store: "names", initial: [String](),
      actions: [Add.self, Clear.self, Stray.self]
    ) { (names, action: any NameAction, _) in
      if let add = action as? Add { names.append(add.name) } else { names = [] }
    }
    let session = try app.start(
      SessionStart(mode: .simulate, seed: 1, created: LogInstant(microseconds: 0)))
    func replayed(_ action: JSON) throws -> ReplayedStep.Outcome? {
      let action = ReplayAction(time: LogTime(microseconds: 0), action: action)
      let steps = try session.dispatch([action])
      return steps.first?.outcome
    }
    #expect(try replayed(["type": "add", "payload": ["name": "a"]]) == .accepted)
    #expect(try session.states()["names"] == ["a"])
    #expect(try replayed(["type": "wipe"]) == .accepted)
    #expect(try session.states()["names"] == [])
    #expect(
      try replayed(["type": "remove"])
        == .undecodable(
          #"no action is called "remove"; the app's actions are add, clear, stray. "#
            + "If it was renamed, add an alias to the app's Evolution"))
    #expect(
      try replayed(["type": "stray"])
        == .undecodable(
          #"the payload of "stray" does not fit: Stray is listed in the actions of the app, "#
            + "and is not its NameAction"))
  }

  @Test("several types of actions are inferred by a reducer that takes them, Sendable or not")
  func inferred() throws {
    final class Bump: Decodable { let by: Int }
    final class Names { var all: [String] = [] }
    @Sendable func sum(_ value: Int, _ action: any Decodable) -> Int {
      value + ((action as? Bump)?.by ?? 0)
    }
    let app = AppDefinition(store: "sum", initial: 0, actions: [Bump.self, Add.self]) {
      state, action, _ in state = sum(state, action)
    }
    #expect(try app.describe().actionTypes == ["add", "bump"])
    let parts = AppDefinition(
      stores: [StatePart("names", \Names.all)], initial: Names(), actions: [Add.self]
    ) { (state, action: Add, _) in state.all.append(action.name) }
    #expect(try parts.describe().stores.map(\.name) == ["names"])
  }

  enum Login { struct Submit: Decodable {} }
  enum Signup { struct Submit: Decodable {} }

  @Test("two types of actions that a log cannot tell apart are refused")
  func sameKinds() throws {
    let app = AppDefinition(
      store: "sum", initial: 0, actions: [Login.Submit.self, Signup.Submit.self]
    ) { (sum, _: any Decodable, _) in sum += 1 }
    let failure = #expect(throws: ReplayFailure.self) {
      try app.start(
        SessionStart(mode: .simulate, seed: 1, created: LogInstant(microseconds: 0)))
    }
    #expect(
      failure?.description == """
        the app cannot be replayed: two of its types of actions are called submit in a log, so neither can be told from \
        the other; rename one, or make it a FluxCore.Action that declares another kind
        """)
  }

  enum Leave {
    struct Submit: FluxCore.Action {
      static var kind: String { "leave/submit" }
      var by = 2
    }
  }

  @Test("an action that declares its kind is recorded and replayed under it")
  func declaredKind() async throws {
    let app = AppDefinition(
      store: "sum", initial: 0, actions: [Login.Submit.self, Leave.Submit.self]
    ) { (sum, action: any Decodable, _) in
      sum += (action as? Leave.Submit)?.by ?? 1
    }
    let recorder = Recorder(inMemory: 1 << 20)
    recorder.start(states: ["sum": 0])
    recorder.record(Leave.Submit(), states: ["sum": 2])
    let log = try recorder.timeline().log
    #expect(try log.step(at: 0).type == "leave/submit")
    #expect(try await app.verify(log).verdict == .passed)
  }

  @Test("a state that cannot be encoded fails without the value in the error's text")
  func unencodable() throws {
    struct Code: Codable, Sendable {
      var digits = ""
      func encode(to encoder: any Encoder) throws {
        guard digits.isEmpty else { throw Refusal(description: "\(digits) is secret") }
        _ = encoder.container(keyedBy: CodingKeys.self)
      }
    }
    let app = AppDefinition(
      store: "code", initial: Code(),
      reduce: { (code: inout Code, _: BoardAction, _) in code.digits = "4711" })
    let session = try app.start(
      SessionStart(mode: .simulate, seed: 1, created: LogInstant(microseconds: 0)))
    defer { session.end() }
    let failure = #expect(throws: ReplayFailure.self) {
      try session.dispatch([
        ReplayAction(time: LogTime(microseconds: 0), action: ["type": "board/mark"])
      ])
    }
    #expect(failure?.reason == .cannotEncode("the state of code", why: "it threw Refusal"))
  }

  @Test("the inputs of a step are those of a Step with the same seed, number and time")
  func sameInputs() {
    struct Draws: StateValue { var id: UUID?, dice: UInt64 = 0, now: Date? }
    struct DrawStore: Store {
      struct Action: FluxCore.Action {}
      let initialState = Draws()
      func reduce(_ draws: inout Draws, _ action: Action, _ step: inout Step) {
        draws = Draws(id: step.uuid(), dice: step.random.next(), now: step.now)
      }
    }
    let now = Date(timeIntervalSinceReferenceDate: 800_000_000.25)
    let dispatcher = Dispatcher([DrawStore()], seed: 99, now: { now })
    for number: UInt64 in 1...3 {
      dispatcher.dispatch(DrawStore.Action())
      var inputs = StepInputs(seed: 99, number: number, now: now)
      let draws = Draws(id: inputs.uuid(), dice: inputs.random.next(), now: inputs.now)
      #expect(dispatcher[DrawStore.self] == draws)
    }
  }
}
