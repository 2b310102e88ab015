import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Logs of an app with a store and actions that it no longer has.
@Suite struct DroppedPartsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  enum NoteAction: Action { case add(String), count, clear }

  enum StarAction: Action {
    case add, clear
    static var kind: String { "star" }
  }

  /// The notes; `starring` is the app as it was.
  struct NoteStore: Store {
    struct State: StateValue {
      var texts: [String] = []
      var counted = 0
    }

    let id: StoreID = "notes"
    let initialState = State()
    var starring = false
    var prefix = ""

    func reduce(_ state: inout State, _ action: NoteAction, _ step: inout Step) throws {
      switch action {
      case .add(let text):
        state.texts.append(prefix + text)
        if starring { step.dispatch(StarAction.add) }
        step.dispatch(NoteAction.count)
      case .count: state.counted = state.texts.count
      case .clear: state.texts = []
      }
    }

    var reactions: [Reaction<State>] {
      starring
        ? [
          .on(StarAction.self) { state, action, _ in if case .clear = action { state.texts = [] } }
        ]
        : []
    }
  }

  /// The store that was dropped: it has actions of its own, asks for follow-ups, and rejects.
  struct StarStore: Store {
    let id: StoreID = "stars"
    let initialState = 0

    func reduce(_ stars: inout Int, _ action: StarAction, _ step: inout Step) {
      switch action {
      case .add:
        stars += 1
        step.dispatch(NoteAction.count)
      case .clear: stars = 0
      }
    }

    var reactions: [Reaction<Int>] {
      [
        .on(NoteAction.self) { stars, action, step in
          guard case .clear = action else { return }
          if stars > 2 { throw Rejection("too many stars") }
          step.dispatch(NoteAction.count)
          step.effect("announce") { _ in }
        }
      ]
    }
  }

  private func dropping(_ body: (inout Evolution) -> Void = { _ in }) -> Evolution {
    var evolution = Evolution()
    evolution.drop(store: "stars")
    evolution.drop(action: "star")
    body(&evolution)
    return evolution
  }

  private func sample(_ body: (Dispatcher) -> Void) throws -> LogFile {
    let log = try record(
      [NoteStore(starring: true), StarStore()], to: folder.url("stars.jsonl")
    ) { body($0) }
    try log.waitForIndex()
    return log
  }

  @Test("a log whose dropped store's actions were follow-ups passes")
  func followUps() async throws {
    let log = try sample { $0.dispatch(NoteAction.add("tea")) }
    // 1 add, 2 star/add and 3 note/count from it, 4 note/count from 2.
    let report = try await AppDefinition(evolution: dropping()) { [NoteStore()] }.verify(log)
    #expect(
      report.text == """
        passed: \(log.path): 3 steps compared
          note: store not compared, because the app dropped it: stars
          note: 1 step not compared: the app dropped the action, or the store that it needs
          note: 1 cause not compared: it is a step that was not replayed

        """)
  }

  @Test("without the evolution, the log is incompatible")
  func withoutEvolution() async throws {
    let log = try sample { $0.dispatch(NoteAction.add("tea")) }
    let report = try await AppDefinition { [NoteStore()] }.verify(log)
    #expect(report.verdict == .incompatible)
    #expect(report.severity == .impossible)
  }

  @Test("a difference in the other stores is found as before")
  func difference() async throws {
    let log = try sample { $0.dispatch(NoteAction.add("tea")) }
    let report = try await AppDefinition(evolution: dropping()) { [NoteStore(prefix: "+")] }.verify(
      log)
    #expect(report.divergences.map(\.kind) == [.different])
    #expect(report.divergences.first?.path?.description == "/notes/texts/0")
  }

  @Test("a follow-up that today's app adds is found as before")
  func extraFollowUp() async throws {
    struct Eager: Store {
      let id: StoreID = "notes"
      let initialState = NoteStore.State()

      func reduce(_ state: inout NoteStore.State, _ action: NoteAction, _ step: inout Step) throws {
        try NoteStore().reduce(&state, action, &step)
        if case .add = action { step.dispatch(NoteAction.clear) }
      }
    }
    let log = try sample {
      $0.dispatch(NoteAction.add("tea"))
      $0.dispatch(NoteAction.count)
    }
    let report = try await AppDefinition(evolution: dropping()) { [Eager()] }.verify(log)
    #expect(report.divergences.map(\.kind) == [.extra])
  }

  @Test("rejections, follow-ups and effects of the dropped store are counted")
  func otherParts() async throws {
    let log = try sample { dispatcher in
      dispatcher.dispatch(NoteAction.clear)
      for text in ["a", "b", "c"] { dispatcher.dispatch(NoteAction.add(text)) }
      dispatcher.dispatch(NoteAction.clear)
      dispatcher.dispatch(NoteAction.count)
    }
    let report = try await AppDefinition(evolution: dropping()) { [NoteStore()] }.verify(log)
    #expect(report.verdict == .passed)
    let rejected = try #require(log.position(in: 0..<log.count) { $0.isRejected })
    #expect(try log.step(at: rejected).rejection?.store == "stars")
    #expect(report.notes.contains("store not compared, because the app dropped it: stars"))
    #expect(report.notes.contains { $0.hasPrefix("1 follow-up not compared: a store that is not") })
    #expect(
      report.notes.contains("1 effect not compared: its store is not compared"))
  }

  @Test(
    "after a dropped action that changed another store, replay goes on from the recorded states")
  func changedStores() async throws {
    let log = try sample { dispatcher in
      dispatcher.dispatch(NoteAction.add("tea"))
      dispatcher.dispatch(StarAction.clear)
      dispatcher.dispatch(NoteAction.add("milk"))
    }
    let report = try await AppDefinition(evolution: dropping()) { [NoteStore()] }.verify(log)
    #expect(report.verdict == .passed)
    #expect(report.steps == 6)
  }

  @Test("a batch runs without the dropped actions")
  func batch() async throws {
    let log = try sample { $0.dispatch(Batch("both", [StarAction.add, NoteAction.add("tea")])) }
    let report = try await AppDefinition(evolution: dropping()) { [NoteStore()] }.verify(log)
    #expect(report.verdict == .passed)
  }

  @Test("a fork leaves dropped actions out")
  func fork() throws {
    let log = try sample { dispatcher in
      dispatcher.dispatch(StarAction.add)
      dispatcher.dispatch(NoteAction.add("tea"))
    }
    let replayer = AppDefinition(evolution: dropping()) { [NoteStore()] }
    let fork = try Fork.redispatching(0..<log.count, of: Timeline(log), in: replayer)
    #expect(fork.model["notes"] == ["counted": 1, "texts": ["tea"]])
  }

  @Test("an update leaves the dropped store out, and refuses if its actions changed others")
  func update() throws {
    let log = try sample { $0.dispatch(StarAction.clear) }
    let app = AppDefinition(evolution: dropping()) { [NoteStore()] }
    try RecordingUpdate(of: Timeline(log), in: app, options: .init(environment: [:])).write(
      to: log.path)
    #expect(try LogFile.open(log.path).header.stores.map(\.name) == ["notes"])

    let other = try record(
      [NoteStore(starring: true), StarStore()], to: folder.url("others.jsonl")
    ) {
      $0.dispatch(NoteAction.add("tea"))
      $0.dispatch(StarAction.clear)
    }
    let error = #expect(throws: UpdateError.self) {
      try RecordingUpdate(of: Timeline(other), in: app, options: .init(environment: [:])).write(
        to: other.path)
    }
    #expect(error?.reason == .dropped(step: 5, action: "star/clear"))
  }

  @Test("a reducer app drops stores and actions, too")
  func reducerApp() throws {
    let log = try sample { $0.dispatch(NoteAction.add("tea")) }
    let app = AppDefinition(
      evolution: dropping(), store: "notes", initial: NoteStore.State()
    ) { (state, action: NoteAction, _) in
      switch action {
      case .add(let text): state.texts.append(text)
      case .count: state.counted = state.texts.count
      case .clear: state.texts = []
      }
    }
    let report = try app.verify(Timeline(log))
    #expect(report.verdict == .passed)
    #expect(report.steps == 3)
  }

  @Test("the description of the app has the dropped parts, and survives a message")
  func description() throws {
    let app = AppDefinition(evolution: dropping()) { [NoteStore()] }
    let description = try app.describe()
    #expect(description.droppedStores == ["stars"])
    #expect(description.droppedActions == ["star"])
    let message = try LogEncoder(order: .declaration).encode(description)
    var read = try AppDescription(message)
    read.tells = description.tells
    #expect(read == description)
  }
}
