import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Recordings whose redacted values have types that accept a substitute, and types that refuse each.
@Suite struct RefusedTokenTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  enum Mode: String, StateValue { case plain, rich }

  enum WriteAction: Action { case write(String), choose(Mode), send, count }

  /// Drafts by name, a map of which the names are secret, too.
  struct DraftStore: Store {
    let id: StoreID = "drafts"
    let initialState: [String: String] = [:]

    func reduce(_ drafts: inout [String: String], _ action: WriteAction, _ step: inout Step) {
      if case .write(let text) = action { drafts["draft \(drafts.count)"] = text }
    }
  }

  /// A store with a raw value.
  struct EditorStore: Store {
    struct State: StateValue {
      var mode = Mode.plain
      var sent = 0
    }

    let id: StoreID = "editor"
    let initialState = State()

    func reduce(_ editor: inout State, _ action: WriteAction, _ step: inout Step) throws {
      switch action {
      case .write, .count: break
      case .choose(let mode): editor.mode = mode
      case .send:
        guard editor.mode == .rich else { throw Rejection("nothing to send") }
        editor.sent += 1
        step.dispatch(WriteAction.count)
        step.effect("upload") { _ in }
      }
    }
  }

  /// A store that nothing hides.
  struct TallyStore: Store {
    let id: StoreID = "tally"
    let initialState = 0
    var increment = 1

    func reduce(_ tally: inout Int, _ action: WriteAction, _ step: inout Step) {
      tally += increment
    }
  }

  private func sample(_ redaction: Redaction) throws -> LogFile {
    let log = try record(
      [DraftStore(), EditorStore(), TallyStore()], to: folder.url("notes.jsonl"),
      { $0.redaction = redaction }
    ) { dispatcher in
      dispatcher.dispatch(WriteAction.write("dear"))
      dispatcher.dispatch(WriteAction.choose(.rich))
      dispatcher.dispatch(WriteAction.send)  // 3, and 4 from it
      dispatcher.dispatch(WriteAction.write("ann"))
    }
    try log.waitForIndex()
    return log
  }

  @Test("a batch whose actions are hidden is not compared", arguments: ["", "/actions"])
  func batch(_ place: String) async throws {
    let log = try record(
      [DraftStore(), EditorStore(), TallyStore()], to: folder.url("batch.jsonl"),
      { $0.redaction = Redaction(actions: ["batch": [place]]) }
    ) { dispatcher in
      dispatcher.dispatch(Batch("both", [WriteAction.write("dear"), WriteAction.count]))
      dispatcher.dispatch(WriteAction.count)
    }
    let report = try await verify(log)
    #expect(report.verdict == .passed && report.steps == 1, "\(report.text)")
    #expect(
      report.notes.contains(
        "1 step not compared: the action has a redacted value whose type accepts no substitute: "
          + "\(place.isEmpty ? "the payload" : place) of step 1"), "\(report.text)")
  }

  private func verify(
    _ log: LogFile, from start: Int = 0, increment: Int = 1
  ) async throws -> ReplayReport {
    var options = Verification.Options()
    options.range = start..<log.count
    return try await AppDefinition {
      [DraftStore(), EditorStore(), TallyStore(increment: increment)]
    }.verify(log, options: options)
  }

  @Test("a redacted map leaves the verification of all stores possible", arguments: 0..<5)
  func map(start: Int) async throws {
    let log = try sample(Redaction(states: ["/drafts"], actions: ["write/write": ["/_0"]]))
    let report = try await verify(log, from: start)
    #expect(report.verdict == .passed)
    #expect(report.steps == 5 - start)
    #expect(!report.notes.contains { $0.contains("store drafts not compared") })
  }

  @Test(
    "at the start, a store with a refused token begins in the app's initial state, and is compared")
  func start() async throws {
    let log = try sample(Redaction(states: ["/editor/mode"]))
    let report = try await verify(log)
    #expect(report.verdict == .passed)
    #expect(report.steps == 5)
    #expect(report.notes == ["3 redacted values not compared, except for their presence"])
  }

  /// A store with a raw value, and a number that depends on an action.
  struct LengthStore: Store {
    struct State: StateValue {
      var mode = Mode.plain
      var length = 0
    }

    let id: StoreID = "length"
    let initialState = State()

    func reduce(_ state: inout State, _ action: WriteAction, _ step: inout Step) {
      if case .write(let text) = action { state.length = text.count }
    }
  }

  @Test("a refused token does not hide that a step depends on another redacted value")
  func dependingStep() async throws {
    let redaction = Redaction(states: ["/length/mode"], actions: ["write/write": ["/_0"]])
    let log = try record(
      [LengthStore()], to: folder.url("lengths.jsonl"), { $0.redaction = redaction }
    ) { dispatcher in
      dispatcher.dispatch(WriteAction.count)
      dispatcher.dispatch(WriteAction.write("dear"))
    }
    try log.waitForIndex()
    let report = try await AppDefinition { [LengthStore()] }.verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(
      report.notes.contains(
        "1 step not compared (redacted value): its outcome depends on a value that the log does not have: "
          + "/_0 at step 2"))
  }

  @Test("elsewhere, the store is not compared, and the others are")
  func middle() async throws {
    let log = try sample(Redaction(states: ["/editor/mode"]))
    let report = try await verify(log, from: 3)
    #expect(
      report.text == """
        passed: \(log.path): 2 steps compared
          redacted, not compared: /editor/mode
          note: store editor not compared: the value at /editor/mode is redacted, and its type accepts no \
        substitute; stores that read its state may differ for that reason
          note: 1 cause not compared: it is a step that was not replayed

        """)
    let other = try await verify(log, from: 3, increment: 2)
    #expect(other.divergences.map(\.store) == ["tally"])
  }

  @Test("a step that the store rejects only because of its initial state is not compared")
  func undecided() async throws {
    let log = try sample(Redaction(states: ["/editor/mode"]))
    // Step 3 is accepted in the recording. The replay of the editor is in the plain mode.
    let report = try await verify(log, from: 2)
    #expect(report.verdict == .passed)
    #expect(report.steps == 2)
    #expect(
      report.notes.contains {
        $0.hasPrefix("1 step not compared: a store that is not compared rejected it in")
      })
  }

  @Test("an allow-list hides a whole store, whose type refuses")
  func allowList() async throws {
    let log = try sample(.only(["/tally", "/drafts"], actions: ["*": [""]]))
    for start in 0..<5 {
      let report = try await verify(log, from: start)
      #expect(report.verdict == .passed, "\(start): \(report.text)")
    }
    #expect(try await verify(log, from: 4, increment: 2).verdict == .diverged)
  }

  @Test(
    "a step with a refused token in its payload is not compared, and the replay goes on after it")
  func payload() async throws {
    let log = try sample(Redaction(actions: ["write/choose": ["/_0"]]))
    let report = try await verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(report.steps == 4)
    #expect(
      report.notes.contains(
        "1 step not compared: the action has a redacted value whose type accepts no substitute: "
          + "/_0 of step 2"))
    #expect(try await verify(log, increment: 2).verdict == .diverged)
  }

  enum RowAction: Action { case rename(String), clear }

  enum ListAction: Action { case row(String, RowAction), add(String) }

  /// A list whose actions contain those of its rows.
  struct ListStore: Store {
    let id: StoreID = "list"
    let initialState: [String: String] = [:]

    func reduce(_ rows: inout [String: String], _ action: ListAction, _ step: inout Step) {
      switch action {
      case .add(let row): rows[row] = row
      case .row(let row, .rename(let name)): rows[row] = name
      case .row(let row, .clear): rows[row] = ""
      }
    }
  }

  @Test("an action with the case of another action in its type may have a hidden payload")
  func nestedAction() async throws {
    let log = try record(
      [ListStore()], to: folder.url("rows.jsonl"),
      { $0.redaction = Redaction(actions: ["list/row": [""]]) }
    ) { dispatcher in
      dispatcher.dispatch(ListAction.add("a"))
      dispatcher.dispatch(ListAction.row("a", .rename("b")))
      dispatcher.dispatch(ListAction.row("a", .clear))
      dispatcher.dispatch(ListAction.add("c"))
    }
    try log.waitForIndex()
    #expect(try log.step(at: 1).type == "list/row/rename")
    let report = try await AppDefinition { [ListStore()] }.verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(report.steps == 2)
    #expect(
      report.notes.contains(
        "2 steps not compared: the actions have a redacted value whose type accepts no substitute: "
          + "the payload of step 2, the payload of step 3"), "\(report.text)")
  }

  @Test("the state of a reducer app is treated in the same way")
  func reducerApp() throws {
    let log = try sample(Redaction(states: ["/editor/mode"]))
    struct Whole: Codable, Sendable {
      var editor = EditorStore.State()
      var tally = 0
      var drafts: [String: String] = [:]
    }
    let app = AppDefinition(
      stores: [
        StatePart("editor", \Whole.editor), StatePart("tally", \.tally),
        StatePart("drafts", \.drafts),
      ], initial: Whole(), actions: [WriteAction.self]
    ) { (whole, action: WriteAction, _) in
      switch action {
      case .write(let text): whole.drafts["draft \(whole.drafts.count)"] = text
      case .choose(let mode): whole.editor.mode = mode
      case .send: whole.editor.sent += 1
      case .count: return
      }
      whole.tally += 1
    }
    var options = Verification.Options()
    for start in [0, 3] {
      options.range = start..<log.count
      let report = try app.verify(Timeline(log), options: options)
      #expect(report.verdict == .passed, "\(report.text)")
      #expect(report.steps == 5 - start)
    }
  }

  // MARK: Coding keys

  enum Session: StateValue {
    case signedIn(token: String)
    enum CodingKeys: String, CodingKey { case signedIn = "loggedIn" }
  }

  enum SessionAction: Action {
    case signIn(token: String)
    enum CodingKeys: String, CodingKey { case signIn = "login" }
    static var kind: String { "session" }
  }

  struct SessionStore: Store {
    let id: StoreID = "session"
    let initialState: Session? = nil

    func reduce(_ session: inout Session?, _ action: SessionAction, _ step: inout Step) {
      if case .signIn(let token) = action { session = .signedIn(token: token) }
    }
  }

  @Test(
    "a pointer follows the coding keys, so it survives a case that was renamed with its key kept")
  func renamedCase() async throws {
    var options = Recorder.Options()
    options.redaction = Redaction(states: ["/session/loggedIn/token"])
    options.redaction.actions = ["session/login": ["/token"]]
    let redaction = options.redaction
    let log = try record(
      [SessionStore()], to: folder.url("session.jsonl"), { $0.redaction = redaction }
    ) {
      $0.dispatch(SessionAction.signIn(token: "hunter2"))
    }
    #expect(try !String(contentsOfFile: log.path, encoding: .utf8).contains("hunter2"))
    #expect(try log.step(at: 0).type == "session/login")
    let reopened = try LogFile.open(log.path)
    #expect(reopened.end?.unmatched == [])
    #expect(try await AppDefinition { [SessionStore()] }.verify(reopened).verdict == .passed)
  }
}
