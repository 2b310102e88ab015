import FluxCore
import FluxRecorder
import FluxTesting
import Foundation
import TestFixtures
import Testing

@Suite struct ExpectReplayTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.path }

  init() throws { folder = try TemporaryFolder() }

  /// Returns the issues that `expectReplay` records for the folder.
  private func issues(
    _ environment: [String: String] = [:], listing: [String]? = nil,
    stores: @escaping @Sendable () -> [any Store] = makeStores
  ) async throws -> [String] {
    let run = try await Run().perform(environment) { [path] in
      try await expectReplay(
        of: path, listing: listing, in: AppDefinition(stores: stores))
    }
    return run.issues
  }

  private func mismatch(_ name: String, remedy: String) -> String {
    """
    diverged: \(path)/\(name): 1 divergence, 2 steps compared

      \(path)/\(name):3: step 2, {"type":"meter/add","payload":{"_0":2}}
        after meter/add, the store meter differs at /meter/total
          recorded: 2
          replayed: 20
        next:
          swift run flux-inspect \(path)/\(name) -g 2
          swift run flux-inspect \(path)/\(name) -g 2 -e diff
          swift run flux-inspect \(path)/\(name) -g 2 -e 'blame /meter/total'

    \(remedy)
    """
  }

  @Test("recordings that replay are no issue, in folders inside as well")
  func passes() async throws {
    try recordSample(to: folder.url("a.jsonl"))
    try FileManager.default.createDirectory(
      at: folder.url("more"), withIntermediateDirectories: false)
    try recordSample(to: folder.url("more/b.jsonl"))
    #expect(try await issues() == [])
    #expect(try await issues(listing: ["a.jsonl", "more/b.jsonl"]) == [])
    #expect(try await issues(["CI": "1"]) == [])
  }

  @Test("a report says which circumstances differ from the recorded ones")
  func circumstances() async throws {
    var options = Recorder.Options()
    options.circumstances = ["locale": "de_AT", "hasUndo": true]
    let dispatcher = Dispatcher(makeStores())
    let recorder = Recorder(to: folder.url("a.jsonl"), options: options)
    dispatcher.use(recorder)
    dispatcher.dispatch(MeterAction.add(2))
    try recorder.close()
    let (path, today) = (
      path, ["locale": "de_DE", "hasUndo": true] as [String: any Encodable & Sendable]
    )
    let run = try await Run().perform {
      try await expectReplay(
        of: path, in: AppDefinition(circumstances: today, stores: makeOtherStores))
    }
    #expect(
      run.issues == [
        """
        diverged: \(path)/a.jsonl: 1 divergence, 1 step compared

          \(path)/a.jsonl:2: step 1, {"type":"meter/add","payload":{"_0":2}}
            after meter/add, the store meter differs at /meter/total
              recorded: 2
              replayed: 20
            next:
              swift run flux-inspect \(path)/a.jsonl -g 1
              swift run flux-inspect \(path)/a.jsonl -g 1 -e diff
              swift run flux-inspect \(path)/a.jsonl -g 1 -e 'blame /meter/total'
          circumstance: locale was "de_AT" in the recording and is "de_DE" now

        If the change is intended, run the test with FLUX_UPDATE=1, and commit the recording.
        """
      ])
  }

  @Test("recordings of a reducer without a dispatcher replay, and those of another one do not")
  func reducer() async throws {
    let recorder = Recorder(to: folder.url("sum.jsonl"))
    recorder.start(states: ["sum": 0])
    var sum = 0
    for number in 1...3 {
      sum += number
      recorder.record(Adding.add(number), states: ["sum": sum])
    }
    try recorder.close()
    let (path, twice) = (path, 2)
    let honest = AppDefinition(store: "sum", initial: 0) { (sum, action: Adding, _) in
      if case .add(let number) = action { sum += number }
    }
    let passed = try await Run().perform { try await expectReplay(of: path, in: honest) }
    #expect(passed.issues == [])
    let other = AppDefinition(store: "sum", initial: 0) { (sum, action: Adding, _) in
      if case .add(let number) = action { sum += number == 2 ? number * twice : number }
    }
    let line = #line + 2
    let failed = try await Run().perform {
      try await expectReplay(of: path, in: other)
    }
    #expect(failed.lines == [line])
    #expect(
      failed.issues == [
        """
        diverged: \(path)/sum.jsonl: 1 divergence, 2 steps compared

          \(path)/sum.jsonl:3: step 2, {"type":"adding/add","payload":{"_0":2}}
            after adding/add, the store sum differs at /sum
              recorded: 3
              replayed: 5
            next:
              swift run flux-inspect \(path)/sum.jsonl -g 2
              swift run flux-inspect \(path)/sum.jsonl -g 2 -e diff
              swift run flux-inspect \(path)/sum.jsonl -g 2 -e 'blame /sum'

        If the change is intended, run the test with FLUX_UPDATE=1, and commit the recording.
        """
      ])
  }

  private enum Adding: Codable, Sendable { case add(Int) }

  @Test("each recording that replays otherwise is an issue at the caller, with the whole report")
  func mismatch() async throws {
    for name in ["a.jsonl", "b.jsonl"] { try recordSample(to: folder.url(name)) }
    let line = #line + 2
    let run = try await Run().perform { [path] in
      try await expectReplay(of: path, in: AppDefinition(stores: makeOtherStores))
    }
    let remedy =
      "If the change is intended, run the test with FLUX_UPDATE=1, and commit the recording."
    #expect(
      run.issues == [mismatch("a.jsonl", remedy: remedy), mismatch("b.jsonl", remedy: remedy)])
    #expect(run.lines == [line, line])
  }

  @Test("under CI a recording that replays otherwise is an issue, whatever is asked for")
  func mismatchUnderCI() async throws {
    try recordSample(to: folder.url("a.jsonl"))
    let before = try folder.files()
    let run = try await Run().perform(["CI": "true", "FLUX_UPDATE": "1"]) { [path] in
      try await expectReplay(
        of: path, in: AppDefinition(stores: makeOtherStores), update: true)
    }
    #expect(
      run.issues == [
        mismatch(
          "a.jsonl",
          remedy: """
            If the change is intended, run the test with FLUX_UPDATE=1 outside of CI, and commit the \
            recording.
            """)
      ])
    #expect(run.messages == [])
    #expect(try folder.files() == before)
  }

  @Test("a recording that is missing and one that is not listed are issues")
  func listing() async throws {
    for name in ["a.jsonl", "old.jsonl"] { try recordSample(to: folder.url(name)) }
    let obsolete = """
      \(path)/old.jsonl: the recording is obsolete: the test does not list it; \
      remove it, or put it on the list
      """
    #expect(
      try await issues(listing: ["a.jsonl", "gone.jsonl"]) == [
        "\(path)/gone.jsonl: the recording is missing; record it, or take it off the test's list",
        obsolete,
      ])
    let before = try folder.files()
    #expect(
      try await issues(["CI": "1", "FLUX_UPDATE": "1"], listing: ["a.jsonl", "gone.jsonl"]) == [
        "\(path)/gone.jsonl: the recording is missing; commit it, or take it off the test's list",
        obsolete,
      ])
    #expect(try folder.files() == before)
  }

  @Test("a folder without recordings proves nothing", arguments: [nil, []] as [[String]?])
  func empty(_ listing: [String]?) async throws {
    try Data("not a log".utf8).write(to: folder.url("notes.txt"))
    #expect(
      try await issues(listing: listing) == [
        """
        \(path): there is nothing to replay; \
        record the app, and put its logs (*.jsonl) there
        """
      ])
  }

  @Test("a folder that is not there is an issue")
  func noFolder() async throws {
    let run = try await Run().perform { [path] in
      try await expectReplay(
        of: "\(path)/nowhere", in: AppDefinition(stores: makeStores))
    }
    #expect(run.issues.count == 1)
    #expect(run.issues.first?.hasPrefix("\(path)/nowhere: the folder cannot be read: ") == true)
  }

  @Test("a recording without a step proves nothing")
  func noStep() async throws {
    try record(to: folder.url("a.jsonl")) { _, _ in }
    #expect(
      try await issues() == [
        """
        empty: \(path)/a.jsonl: 0 steps compared
        No step was compared, so nothing was tested; record some actions.
        """
      ])
  }

  @Test("a recording that cannot be read is an issue, and the others are replayed")
  func unreadable() async throws {
    try Data().write(to: folder.url("a.jsonl"))
    try recordSample(to: folder.url("b.jsonl"))
    let issues = try await issues(stores: makeOtherStores)
    #expect(issues.count == 2)
    #expect(
      issues.first
        == "\(path)/a.jsonl: the file is empty; a log starts with a header line")
  }

  @Test("a listed name needs its ending, and without it its recording is not called obsolete")
  func withoutEnding() async throws {
    try recordSample(to: folder.url("a.jsonl"))
    #expect(
      try await issues(listing: ["a"]) == [
        "\(path)/a: there is no such file; write a.jsonl in the test's list"
      ])
  }

  @Test("damage, and what the app lacks, are issues and are not written over")
  func unusable() async throws {
    struct Other: Store {
      let id: StoreID = "other"
      let initialState = 0
      func reduce(_ state: inout Int, _ action: MeterAction, _ step: inout Step) {}
    }
    for name in ["a.jsonl", "b.jsonl"] {
      try record(to: folder.url(name)) { dispatcher, _ in dispatcher.dispatch(MeterAction.add(2)) }
    }
    var text = try String(contentsOf: folder.url("a.jsonl"), encoding: .utf8)
    text = text.replacing(#""total":2"#, with: #""total":3"#)
    try text.write(to: folder.url("a.jsonl"), atomically: true, encoding: .utf8)
    let before = try folder.files()
    let damaged = try await issues(["FLUX_UPDATE": "1"])
    #expect(damaged.count == 1)
    #expect(damaged.first?.hasPrefix("damaged: \(path)/a.jsonl: 0 steps compared\n") == true)
    let lacking = try await issues(
      ["FLUX_UPDATE": "1"], listing: ["a.jsonl", "b.jsonl"], stores: { [Other()] })
    #expect(
      lacking.last
        == "\(path)/b.jsonl: the recording cannot be replayed: the app cannot be replayed: it defines none of the "
        + "log's stores, which are meter; it defines other")
    // A step that is accepted now is a difference, but one of the stores is missing.
    let refusing = try TemporaryFolder()
    try record(to: refusing.url("a.jsonl"), [MeterStore(), Other()]) { dispatcher, _ in
      dispatcher.dispatch(MeterAction.refuse)
      dispatcher.dispatch(MeterAction.add(2))
    }
    let kept = try refusing.files()
    let run = try await Run().perform(["FLUX_UPDATE": "1"]) { [path = refusing.url.path] in
      try await expectReplay(of: path, in: AppDefinition { [Other()] })
    }
    #expect(run.issues.first?.hasPrefix("diverged: ") == true)
    #expect(try refusing.files() == kept)
    #expect(try folder.files() == before)
  }

  @Test("a relative folder is beside the source of the test")
  func relative() async throws {
    let run = try await Run().perform {
      try await expectReplay(
        of: "No Recordings", in: AppDefinition(stores: makeStores))
    }
    let beside = URL(filePath: #filePath).deletingLastPathComponent().path
    #expect(run.issues.first?.hasPrefix("\(beside)/No Recordings: ") == true)
  }
}
