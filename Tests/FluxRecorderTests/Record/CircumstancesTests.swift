import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// The constants of an app in the headers of its logs, and in reports.
@Suite struct CircumstancesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct CountStore: Store {
    let id: StoreID = "count"
    let initialState = 0
    func reduce(_ count: inout Int, _ action: CountAction, _ step: inout Step) { count += 1 }
  }

  enum CountAction: Action { case add }

  struct Flags: Codable, Sendable {
    var sync = true
    var limit = 3
  }

  private let recorded: [String: any Encodable & Sendable] = [
    "locale": "de_DE", "flags": Flags(), "account": "ann-1234",
  ]

  private func log(_ redaction: Redaction = Redaction()) throws -> LogFile {
    let url = folder.url("count.jsonl")
    let dispatcher = Dispatcher([CountStore()])
    var options = Recorder.Options()
    options.circumstances = recorded
    options.redaction = redaction
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    dispatcher.dispatch(CountAction.add)
    try recorder.close()
    return try LogFile.open(url.path)
  }

  private func report(
    _ log: LogFile, _ today: [String: any Encodable & Sendable]
  ) async throws -> ReplayReport {
    try await AppDefinition(circumstances: today) { [CountStore()] }.verify(log)
  }

  @Test("the header has the values with their types, and a log without them has none")
  func header() throws {
    let log = try log()
    #expect(
      log.header.circumstances == [
        "account": "ann-1234", "flags": ["limit": 3, "sync": true], "locale": "de_DE",
      ])
    #expect(
      log.headerText.contains(
        #""circumstances":{"account":"ann-1234","flags":{"limit":3,"sync":true},"locale":"de_DE"},"#
          .utf8))
  }

  @Test("equal ones are not mentioned, and neither are those of an app that declares none")
  func equal() async throws {
    let log = try log()
    #expect(try await report(log, recorded).circumstances.isEmpty)
    #expect(try await report(log, [:]).circumstances.isEmpty)
  }

  @Test("a report lists those that differ, and still passes")
  func different() async throws {
    let log = try log()
    let report = try await report(
      log, ["locale": "en_US", "flags": Flags(sync: false), "beta": 1])
    #expect(
      report.text == """
        passed: \(log.path): 1 step compared
          circumstance: account was "ann-1234" in the recording and is not set now
          circumstance: beta was not set in the recording and is 1 now
          circumstance: flags was {"limit":3,"sync":true} in the recording and is \
        {"limit":3,"sync":false} now
          circumstance: locale was "de_DE" in the recording and is "en_US" now

        """)
    #expect(
      try LogEncoder(order: .declaration).encode(report).text
        == #"{"verdict":"passed","steps":1,"divergences":[],"circumstances":["#
        + #"{"name":"account","recorded":"ann-1234"},{"name":"beta","today":1},"#
        + #"{"name":"flags","recorded":{"limit":3,"sync":true},"today":{"limit":3,"sync":false}},"#
        + #"{"name":"locale","recorded":"de_DE","today":"en_US"}]}"#)
  }

  @Test("a redacted one is a token, and counts as not compared")
  func redacted() async throws {
    let log = try log(Redaction(circumstances: ["/account", "/missing"]))
    let token = try #require(log.header.circumstances["account"]?.string)
    #expect(token.hasPrefix("<redacted "))
    let report = try await report(log, ["locale": "de_DE", "flags": Flags(), "account": "bob"])
    #expect(report.circumstances.isEmpty)
    #expect(
      report.notes == ["1 circumstance not compared, because of redacted values: account"])
    #expect(try LogFile.open(log.path).end?.unmatched == ["circumstances /missing"])
  }

  @Test("copies of a redacted one are replaced in payloads, too")
  func copies() throws {
    let url = folder.url("copies.jsonl")
    var options = Recorder.Options()
    options.circumstances = recorded
    options.redaction = Redaction(circumstances: ["/account"])
    let recorder = Recorder(to: url, options: options)
    recorder.start(states: [:])
    recorder.record(NamedAction("find", payload: ["text": "of ANN-1234"]), states: [:])
    recorder.mark("ann-1234")
    try recorder.close()
    let lines = try linesWithoutSums(url)
    #expect(lines[1].contains(#""payload":{"text":"of <redacted "#))
    #expect(lines[2].contains(#""mark":"<redacted "#))
  }

  @Test("an allow-list redacts those that it does not allow")
  func allowList() throws {
    let header = try log(.only(["/count"], circumstances: ["/locale", "/flags/sync"])).header
    #expect(header.circumstances["locale"] == "de_DE")
    #expect(header.circumstances["flags"]?["sync"] == true)
    #expect(header.circumstances["flags"]?["limit"]?.string?.hasPrefix("<redacted ") == true)
    #expect(header.circumstances["account"]?.string?.hasPrefix("<redacted ") == true)
  }

  @Test("a saved fork and an update keep them")
  func rewrites() throws {
    let log = try log()
    try log.waitForIndex()
    let app = AppDefinition { [CountStore()] }
    let fork = try Fork(at: 0, of: Timeline(log), in: app)
    let saved = folder.url("saved.jsonl").path
    try fork.save(to: saved, log: "1")
    #expect(try LogFile.open(saved).header.circumstances == log.header.circumstances)
    try RecordingUpdate(of: Timeline(log), in: app, options: .init(environment: [:])).write(
      to: log.path)
    #expect(try LogFile.open(log.path).header.circumstances == log.header.circumstances)
  }

  @Test("a recorder of another architecture records them, and its app compares them")
  func started() throws {
    var options = Recorder.Options()
    options.circumstances = ["locale": "de_DE"]
    let url = folder.url("session.jsonl")
    let recorder = Recorder(to: url, options: options)
    recorder.start(states: ["count": 0])
    try recorder.close()
    let app = AppDefinition(circumstances: ["locale": "fr_FR"], store: "count", initial: 0) {
      (count, _: CountAction, _) in count += 1
    }
    let report = try app.verify(Timeline(LogFile.open(url.path)))
    #expect(
      report.circumstances == [
        CircumstanceDifference("locale", recorded: "de_DE", today: "fr_FR")
      ])
  }

  @Test("the description of the app has them, and a message keeps them")
  func description() throws {
    let description = try AppDefinition(circumstances: recorded) { [CountStore()] }.describe()
    var read = try AppDescription(LogEncoder(order: .declaration).encode(description))
    read.tells = description.tells
    #expect(read == description)
  }
}
