import FluxCore
import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import TestFixtures
import Testing

@testable import FluxHost
@testable import FluxRecorder

/// Logs that a client lets a running app verify, with the recorder's redaction.
@Suite struct AttachedVerifyTests {
  private static let stores: @Sendable () -> [any Store] = { [HotelStore(), TallyStore()] }

  /// An app that has recorded five steps; `replayed` are its fresh stores.
  private func app(
    _ replayed: @escaping @Sendable () -> [any Store] = Self.stores,
    allows: Set<AppHost.Permission> = .all
  ) throws -> AttachedApp {
    let app = try AttachedApp(
      Self.stores(), app: AppDefinition(name: "Tally", stores: replayed), allows: allows
    ) { options in
      options.redaction = Redaction(states: ["/hotel/key"], actions: ["*": ["/key"]])
    }
    app.dispatcher.dispatch(HotelAction.open(key: "sesame"))
    app.dispatcher.dispatch(TallyAction.chain(3))
    try app.recorder.flush()
    return app
  }

  /// A client's copy of the app's log, with changes to its lines.
  private func copy(
    of app: AttachedApp, _ change: (inout [String]) -> Void = { _ in }
  ) throws -> Timeline {
    var lines = try app.folder.text(of: "tally.jsonl").split(separator: "\n").map(String.init)
    change(&lines)
    let text = lines.map { "\($0)\n" }.joined()
    let log = try LogFile.open(try app.folder.write(text, to: "copy.jsonl"))
    try log.waitForIndex()
    return Timeline(log)
  }

  /// Verifies a log in the app; the count is that of the requests that it took.
  private func verify(
    _ timeline: Timeline, in client: LiveConnection
  ) throws -> (report: ReplayReport, requests: UInt64) {
    let before = client.link.nextID
    let replay = try #require(client.replay)
    let report = try replay.verify(timeline)
    return (report, client.link.nextID - before)
  }

  /// The report of the same stores in this process.
  private func expected(
    _ timeline: Timeline, _ stores: @escaping @Sendable () -> [any Store] = Self.stores
  ) throws -> ReplayReport {
    try AppDefinition(name: "Tally", stores: stores).verifyHere(timeline)
  }

  @Test("a log passes where it was recorded, with one request and the report of the steps")
  func passes() throws {
    let app = try app()
    let timeline = try copy(of: app)
    let (report, requests) = try verify(timeline, in: app.attach())
    #expect(report.verdict == .passed && report.steps == timeline.log.count)
    #expect(try report == expected(timeline))
    #expect(requests == 1)
  }

  @Test("a copy passes up to its last step while the app records further")
  func prefix() throws {
    let app = try app()
    let timeline = try copy(of: app) { $0.removeLast() }
    app.dispatcher.dispatch(TallyAction.add(1))
    try app.recorder.close()
    let (report, requests) = try verify(timeline, in: app.attach())
    #expect(report.verdict == .passed && report.steps == timeline.log.count)
    #expect(!report.isClosed && requests == 1)
  }

  @Test("the log of an earlier launch passes")
  func earlierLaunch() throws {
    let (earlier, app) = (try app(), try app())
    try earlier.recorder.close()
    let log = earlier.recorder.url.path
    try FileManager.default.copyItem(atPath: log, toPath: app.folder.path("tally~1.jsonl"))
    let (report, requests) = try verify(Timeline(try LogFile.open(log)), in: app.attach())
    #expect(report.verdict == .passed && report.isClosed && requests == 1)
  }

  @Test("a copy with another line diverges, although the app's log passes")
  func changedCopy() throws {
    let app = try app()
    let timeline = try copy(of: app) { lines in
      lines[4] = lines[4].replacing(/,"sum":".{8}"/, with: "").replacing(
        #""total":3"#, with: #""total":4"#)
    }
    let (report, requests) = try verify(timeline, in: app.attach())
    #expect(report.verdict == .diverged && requests > 1)
    #expect(report.divergences.map(\.step) == [4])
  }

  @Test("a log that diverges in the app has the report of its steps")
  func diverges() throws {
    let stores: @Sendable () -> [any Store] = {
      [HotelStore(), TallyStore(rules: TallyRules(factor: 2))]
    }
    let app = try app(stores)
    let timeline = try copy(of: app)
    let (report, requests) = try verify(timeline, in: app.attach())
    #expect(report.verdict == .diverged && requests > 1)
    #expect(
      try report.divergences.map(\.step) == expected(timeline, stores).divergences.map(\.step))
  }

  @Test("a log that the app does not have passes step by step")
  func unknownLog() throws {
    let app = try app()
    let timeline = try copy(of: app) { lines in
      lines[0] = lines[0].replacing(/"log":"[^"]*"/, with: #""log":"another""#)
        .replacing(/,"sum":".{8}"/, with: "")
    }
    let (report, requests) = try verify(timeline, in: app.attach())
    #expect(report.verdict == .passed && report.steps == timeline.log.count && requests > 1)
  }

  @Test("an app that does not send its logs verifies none, so the steps cross")
  func notAllowed() throws {
    let app = try app(allows: [.replay])
    let client = try app.attach()
    #expect(!client.welcome.verifies)
    let (report, requests) = try verify(copy(of: app), in: client)
    #expect(report.verdict == .passed && requests > 1)
  }
}
