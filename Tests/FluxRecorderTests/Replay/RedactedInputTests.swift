import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Synchronization
import TestFixtures
import Testing

/// Reducers whose outcomes depend on values that the log has as tokens only.
@Suite struct RedactedInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  enum VaultAction: Action {
    case setPIN(Int)
    case setPassword(String)
    case confirm(String)
    case unlock
    case count
    case alarm
  }

  struct VaultStore: Store {
    struct State: StateValue {
      var pin = 0
      var password = ""
      var isStrong = false
      var isOpen = false
      var attempts = 0
    }

    let id: StoreID = "vault"
    let initialState = State()
    var increment = 1
    var readsCounter: (@Sendable () -> Int)?

    func reduce(_ vault: inout State, _ action: VaultAction, _ step: inout Step) throws {
      switch action {
      case .setPIN(let pin):
        guard String(pin).count == 4 else { throw Rejection("a PIN has four digits") }
        vault.pin = pin
        vault.attempts += increment
      case .setPassword(let password):
        vault.password = password
        vault.isStrong = password.count > 30
        if password.count > 30 { step.dispatch(VaultAction.count) }
      case .confirm(let password): if password == vault.password { vault.attempts += increment }
      case .unlock:
        guard String(vault.pin).count == 4 else { throw Rejection("there is no PIN") }
        vault.isOpen = true
        if vault.pin == 1234 { step.effect("greet") { _ in } }
      case .count: vault.attempts += readsCounter?() ?? increment
      case .alarm: vault.attempts += 100
      }
    }
  }

  private func record(_ redaction: Redaction, _ actions: [VaultAction]) throws -> LogFile {
    try FluxRecorderTests.record(
      [VaultStore()], to: folder.url("vault.jsonl"), { $0.redaction = redaction }
    ) { dispatcher in
      for action in actions { dispatcher.dispatch(action) }
    }
  }

  private func verify(_ log: LogFile, _ store: VaultStore = VaultStore()) async throws
    -> ReplayReport
  {
    try await AppDefinition { [store] }.verify(log)
  }

  @Test(
    "a step that checks the length of a redacted number is not compared, and the others are",
    arguments: ["/_0", ""])
  func payload(_ place: String) async throws {
    let log = try record(
      Redaction(states: ["/vault/pin"], actions: ["vault/setPIN": [place]]),
      [.count, .setPIN(1234), .count])
    let report = try await verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(report.steps == 2)
    #expect(
      report.notes.contains(
        "1 step not compared (redacted value): its outcome depends on a value that the log does not have: "
          + "/_0 at step 2"))
    let found = try await verify(log, VaultStore(increment: 2)).divergences
    #expect(found.map(\.step) == [1])
  }

  @Test(
    "so is one that reads a redacted number of the state",
    arguments: ["/vault/pin", "/vault"])
  func state(_ place: String) async throws {
    let log = try record(
      Redaction(states: [place], actions: ["vault/setPIN": ["/_0"]]),
      [.setPIN(1234), .count, .unlock, .count])
    let report = try await verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(
      report.notes.contains(
        "2 steps not compared (redacted value): their outcomes depend on a value that the log does not have: "
          + "/_0 at step 1, /vault/pin at step 3"), "\(report.text)")
  }

  @Test("values and follow-ups that are computed from a redacted text are not compared")
  func computed() async throws {
    let log = try record(
      Redaction(states: ["/vault/password"], actions: ["vault/setPassword": ["/_0"]]),
      [.setPassword(String(repeating: "x", count: 40)), .alarm])
    let report = try await verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(report.notes.contains { $0.hasSuffix("/_0 at step 1") }, "\(report.text)")
  }

  @Test("a difference that no redacted value makes is told, at a step that has one, too")
  func independent() async throws {
    let log = try record(
      Redaction(states: ["/vault/password"], actions: ["vault/setPassword": ["/_0"]]),
      [.setPassword("short"), .count])
    #expect(try await verify(log).verdict == .passed)
    let found = try await verify(log, VaultStore(increment: 2)).divergences
    #expect(found.map { $0.path?.description } == ["/vault/attempts"])
  }

  @Test("equal tokens are replaced together, so that a comparison of two hidden values stays true")
  func equalTokens() async throws {
    let log = try record(
      Redaction(states: ["/vault/password"], actions: ["vault/*": ["/_0"]]),
      [.setPassword("short"), .confirm("short"), .count])
    #expect(try await verify(log).verdict == .passed)
    let found = try await verify(log, VaultStore(increment: 2)).divergences
    #expect(found.map { $0.step } == [2])
  }

  @Test("a hidden payload may have a value of the state, if that leads to what was recorded")
  func comparedValue() async throws {
    let log = try record(
      Redaction(
        states: ["/vault/password"], actions: ["vault/setPassword": ["/_0"], "vault/confirm": [""]]),
      [.setPassword("short"), .confirm("short"), .count])
    let report = try await verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(
      report.notes.contains(
        "1 step not compared (redacted value): its outcome depends on a value that the log does not have: "
          + "/_0 at step 2"), "\(report.text)")
    let found = try await verify(log, VaultStore(increment: 2)).divergences
    #expect(found.map(\.step) == [2])
  }

  enum MemoAction: Action { case write(String?) }

  struct MemoStore: Store {
    struct State: StateValue { var text: String? }

    let id: StoreID = "memo"
    let initialState = State()
    var writes = true

    func reduce(_ memo: inout State, _ action: MemoAction, _ step: inout Step) {
      if case .write(let text) = action, writes { memo.text = text }
    }
  }

  @Test(
    "an optional value is not missing if its whole payload is hidden",
    arguments: [
      ([], false, "the payload"), (["/memo/text"], false, "the payload"),
      ([], true, "/actions/0/payload"), (["/memo/text"], true, "/actions/0/payload"),
    ])
  func optional(states: [String], isBatch: Bool, place: String) async throws {
    let redaction = Redaction(states: states, actions: ["memo/write": [""]])
    let log = try FluxRecorderTests.record(
      [MemoStore()], to: folder.url("memo.jsonl"), { $0.redaction = redaction }
    ) { dispatcher in
      let write = MemoAction.write("tea")
      if isBatch { dispatcher.dispatch(Batch("one", [write])) } else { dispatcher.dispatch(write) }
    }
    let report = try await AppDefinition { [MemoStore()] }.verify(log)
    #expect(report.divergences.isEmpty, "\(report.text)")
    #expect(
      report.notes.contains(
        "1 step not compared (redacted value): its outcome depends on a value that the log does not have: "
          + "\(place) at step 1"), "\(report.text)")
    let found = try await AppDefinition { [MemoStore(writes: false)] }.verify(log).divergences
    #expect(found.map(\.step) == [1])
  }

  @Test("other values are tried beside a store whose redacted state fits no type, too")
  func besideUnfit() async throws {
    let url = folder.url("unfit.jsonl")
    let log = try FluxRecorderTests.record(
      [VaultStore(), Job()], to: url,
      { $0.redaction = Redaction(states: ["/job"], actions: ["vault/setPIN": ["/_0"]]) }
    ) { dispatcher in
      dispatcher.dispatch(TaskAction.start)
      dispatcher.dispatch(VaultAction.setPIN(1234))
      dispatcher.dispatch(VaultAction.count)
    }
    let report = try await AppDefinition { [VaultStore(), Job()] }.verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(
      report.notes.contains(
        "1 step not compared (redacted value): its outcome depends on a value that the log does not have: "
          + "/_0 at step 2"), "\(report.text)")
    let found = try await AppDefinition { [VaultStore(increment: 2), Job()] }.verify(log)
    #expect(found.divergences.map(\.step) == [3], "\(found.text)")
  }

  @Test("what changes by itself from run to run is not taken for a redacted value's work")
  func unsteady() async throws {
    let log = try record(
      Redaction(states: ["/vault/password"], actions: ["vault/setPassword": ["/_0"]]),
      [.setPassword("short"), .count])
    let counter = Atomic(0)
    let store = VaultStore(readsCounter: { counter.add(1, ordering: .relaxed).newValue + 10 })
    #expect(try await verify(log, store).divergences.map(\.step) == [2])
  }

  // MARK: Updates

  @Test("an update that would decide on a redacted value is refused, and so is recording again")
  func update() throws {
    let redaction = Redaction(actions: ["vault/setPIN": ["/_0"]])
    let log = try record(redaction, [.count, .setPIN(1234), .count])
    let before = try Data(contentsOf: folder.url("vault.jsonl"))
    let app = AppDefinition { [VaultStore(increment: 2)] }
    let update = RecordingUpdate(
      of: Timeline(log), in: app, options: .init(environment: [:]))
    let error = try #require(throws: UpdateError.self) { try update.write(to: log.path) }
    #expect(error.reason == .redactedInput(place: "/_0", step: 2, action: "vault/setPIN"))
    #expect(throws: error) { try update.rerecord(to: log.path) }
    var report = ReplayReport(log: log.path)
    report.app = "app"
    report.note(error)
    #expect(
      report.notes == [
        "not updated: the outcome of vault/setPIN depends on a value that the log does not have, because it is "
          + "redacted: /_0; supply one in an upcaster of the app's Evolution, or record it again in the app"
      ])
    #expect(try Data(contentsOf: folder.url("vault.jsonl")) == before)
  }

  // MARK: A running app

  /// An app whose process is the only one.
  private struct RunningApp: ReplayApp {
    let app: any ReplayApp

    var restarts: Bool { false }
    var needsMainActor: Bool { app.needsMainActor }

    func describe() throws(ReplayFailure) -> AppDescription { try app.describe() }
    func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
      try app.start(start)
    }
  }

  @Test("a running app tries no other values, and what may depend on one is no divergence")
  func runningApp() throws {
    let log = try record(
      Redaction(states: ["/vault/pin"], actions: ["vault/setPIN": ["/_0"]]),
      [.count, .setPIN(1234), .unlock, .count])
    func verify(_ stores: [any Store]) throws -> ReplayReport {
      try RunningApp(app: AppDefinition { stores }).verify(Timeline(log))
    }
    let report = try verify([VaultStore()])
    #expect(report.verdict == .passed && report.steps == 2, "\(report.text)")
    #expect(
      report.notes.contains(
        "2 steps not compared (redacted value): their outcomes differ and may depend on a value that the log does not "
          + "have, which a running app cannot test: /_0 at step 2, /vault/pin at step 3; compare with 'verify --app'"
      ),
      "\(report.text)")
    let changed = try verify([VaultStore(increment: 2)])
    // The state has a token, but a value that differs is no decision.
    #expect(changed.divergences.map(\.step) == [1], "\(changed.text)")
  }

  // MARK: After a gap

  enum Phase: String, StateValue { case idle, running }

  enum TaskAction: Action { case start, tick, log, finish, stop }

  struct TaskStore: Store {
    struct State: StateValue {
      var phase = Phase.idle
      var ticks = 0
    }

    let id: StoreID = "task"
    let initialState = State()

    func reduce(_ task: inout State, _ action: TaskAction, _ step: inout Step) throws {
      switch (action, task.phase) {
      case (.start, .idle): task.phase = .running
      case (.tick, .running):
        task.ticks += 1
        step.dispatch(TaskAction.log)
        step.effect("beep") { _ in }
      case (.stop, .running): task.phase = .idle
      case (.log, _), (.finish, _): break
      default: throw Rejection("the task is \(task.phase)")
      }
    }
  }

  /// A feature whose whole state is an enum.
  struct Job: Feature {
    enum Phase: StateValue { case running(ticks: Int) }

    func reduce(_ job: inout Phase?, _ action: TaskAction, _ step: inout Step) throws {
      switch (action, job) {
      case (.start, nil): job = .running(ticks: 0)
      case (.tick, .running(let ticks)): job = .running(ticks: ticks + 1)
      case (.stop, .running): job = nil
      case (.log, _), (.finish, _): break
      default: throw Rejection("no job")
      }
    }
  }

  /// Counts the ticks of a running task.
  struct WatchStore: Store {
    let id: StoreID = "watch"
    let initialState = 0

    func reduce(_ seen: inout Int, _ action: TaskAction, _ step: inout Step) throws {
      guard action == .tick else { return }
      seen += try step[TaskStore.self].phase == .running ? 10 : 1
    }
  }

  /// Counts all actions.
  struct CountStore: Store {
    let id: StoreID = "count"
    let initialState = 0
    var increment = 1

    func reduce(_ count: inout Int, _ action: TaskAction, _ step: inout Step) {
      count += increment
    }
  }

  private func gap(_ stores: [any Store], _ places: [String]) throws -> LogFile {
    let url = folder.url("gap.jsonl")
    let dispatcher = Dispatcher(stores, seed: 7)
    var options = Recorder.Options()
    options.redaction = Redaction(states: places)
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    dispatcher.dispatch(TaskAction.log)
    recorder.pause()
    dispatcher.dispatch(TaskAction.start)
    recorder.resume()
    dispatcher.dispatch(TaskAction.log)
    dispatcher.dispatch(TaskAction.tick)
    dispatcher.dispatch(TaskAction.tick)
    dispatcher.dispatch(TaskAction.stop)
    dispatcher.dispatch(TaskAction.start)
    dispatcher.dispatch(TaskAction.tick)
    try recorder.close()
    return try LogFile.open(url.path)
  }

  @Test(
    "a store or feature that begins at a redacted enum after a gap makes no difference",
    arguments: [
      ["/task/phase"], ["/task"], ["/job"], ["/task/phase", "/job"], ["/task", "/job"],
    ])
  func enumAfterGap(_ places: [String]) async throws {
    let log = try gap([TaskStore(), Job(), WatchStore(), CountStore()], places)
    let report = try await AppDefinition { [TaskStore(), Job(), WatchStore(), CountStore()] }
      .verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
    let changed = try await AppDefinition {
      [TaskStore(), Job(), WatchStore(), CountStore(increment: 2)]
    }.verify(log)
    #expect(changed.verdict == .diverged)
  }
}
