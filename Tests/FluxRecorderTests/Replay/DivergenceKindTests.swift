import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Synchronization
import TestFixtures
import Testing

@Suite struct DivergenceKindTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sample() throws -> LogFile {
    try record(to: folder.url("kinds.jsonl")) { dispatcher in
      dispatcher.dispatch(TallyAction.add(2))  // 1
      dispatcher.dispatch(TallyAction.chain(2))  // 2, and 3, 4
      dispatcher.dispatch(TallyAction.refuse)  // 5
      dispatcher.dispatch(TallyAction.stamp)  // 6
      dispatcher.dispatch(TallyAction.note("b"))  // 7
      dispatcher.dispatch(TallyAction.note("a"))  // 8
    }
  }

  /// Describes each divergence in one line: its kind, step, recorded and replayed values, and reason.
  private func told(_ report: ReplayReport) -> [String] {
    report.divergences.map { found in
      let values = [found.recorded, found.replayed].map { $0?.text ?? "nothing" }
      return
        "\(found.kind.rawValue) \(found.step): \(values[0]) -> \(values[1]): \(found.reason ?? "")"
    }
  }

  @Test("an app that begins in another state is told, and replay goes on from the recorded one")
  func initial() async throws {
    var rules = TallyRules()
    rules.begin = { Tally(total: 10, notes: ["new"]) }
    let report = try await tally(rules).verify(sample())
    #expect(told(report) == [#"initial 0: nothing -> "new": "#])
    #expect(report.divergences.map(\.path?.description) == ["/tally/notes/0"])
    #expect(report.divergences.map(\.others) == [1])
    #expect(report.divergences.map(\.line) == [1])
    #expect(report.steps == 8)
    var options = Verification.Options()
    options.initial = .ignore
    #expect(try await tally(rules).verify(sample(), options: options).verdict == .passed)
    options.initial = .compare
    options.range = 1..<8
    #expect(try await tally(rules).verify(sample(), options: options).verdict == .passed)
  }

  @Test("an initial state that was changed in the log is found at the start")
  func tamperedInitial() async throws {
    _ = try sample()
    let log = try edit(folder.url("kinds.jsonl"), line: 1) {
      $0.replacing(#""dice":0"#, with: #""dice":6"#)
    }
    let report = try await tally().verify(log)
    #expect(told(report).first == "initial 0: 6 -> 0: ")
  }

  @Test("places that differ between two fresh starts are counted, not compared")
  func unstableStart() async throws {
    var rules = TallyRules()
    rules.begin = { Tally(id: UUID()) }
    let report = try await tally(rules).verify(sample())
    #expect(told(report) == [])
    #expect(
      report.notes == [
        "1 place of the initial states not compared, because two fresh starts differ there: /tally/id"
      ])
    rules.begin = { Tally(total: 1, id: UUID()) }
    let changed = try await tally(rules).verify(sample())
    #expect(told(changed) == ["initial 0: 0 -> 1: "])
    #expect(changed.divergences.map(\.others) == [0])
  }

  @Test("an action that is refused now is told with the reason")
  func rejected() async throws {
    var rules = TallyRules()
    rules.refusesAdding = true
    let report = try await tally(rules).verify(sample())
    #expect(
      told(report) == [
        #"rejected 1: nothing -> {"reason":"refused","message":"the tally is closed","store":"tally"}: "#
      ])
    #expect(report.steps == 1)
  }

  @Test("what differs from the recorded states, too, does not follow from an earlier difference")
  func independent() async throws {
    var rules = TallyRules()
    rules.refusesAdding = true
    var options = Verification.Options()
    options.stopsAtFirst = false
    let report = try await tally(rules).verify(sample(), options: options)
    #expect(report.divergences.map(\.step) == [1, 3, 4])
    #expect(report.divergences.map(\.kind) == [.rejected, .rejected, .rejected])
    #expect(report.divergences.map(\.reason) == [nil, nil, nil])
  }

  @Test("what does not differ from the recorded states follows from an earlier difference")
  func consequence() async throws {
    var rules = TallyRules()
    rules.factor = 3
    rules.limit = 5
    var options = Verification.Options()
    options.stopsAtFirst = false
    let report = try await tally(rules).verify(sample(), options: options)
    #expect(report.divergences.map(\.step) == [1, 3, 4])
    #expect(report.divergences.map(\.kind) == [.different, .rejected, .rejected])
    #expect(
      report.divergences.map(\.reason) == [
        nil, "it follows from step 1, which already differs",
        "it follows from step 1, which already differs",
      ])
    #expect(report.divergences.map(\.follows) == [nil, 1, 1])
  }

  @Test("only a limited number of divergences is tested for its origin")
  func consequenceLimit() async throws {
    let log = try record(to: folder.url("many.jsonl")) { dispatcher in
      dispatcher.dispatch(TallyAction.add(2))
      for _ in 1...40 { dispatcher.dispatch(TallyAction.add(0)) }
    }
    var rules = TallyRules()
    rules.factor = 3
    rules.limit = 5
    var options = Verification.Options()
    options.stopsAtFirst = false
    let report = try await tally(rules).verify(log, options: options)
    #expect(report.divergences.count == 41)
    #expect(report.divergences.count { $0.reason != nil } == 32)
    #expect(
      report.notes == [
        "the reasons of 8 divergences were not tested: only those of the first 32 were"
      ])
  }

  @Test("an action that is not refused any more is told")
  func accepted() async throws {
    var rules = TallyRules()
    rules.refuses = false
    let report = try await tally(rules).verify(sample())
    #expect(
      told(report) == [
        #"accepted 5: {"reason":"refused","message":"nothing to refuse","store":"tally"} -> nothing: "#
      ])
  }

  @Test("a refusal with another message is told, unless messages are ignored")
  func message() async throws {
    var rules = TallyRules()
    rules.refusal = "the tally refuses"
    let report = try await tally(rules).verify(sample())
    #expect(
      told(report) == [#"message 5: "nothing to refuse" -> "the tally refuses": "#])
    var options = Verification.Options()
    options.messages = .ignore
    #expect(try await tally(rules).verify(sample(), options: options).verdict == .passed)
  }

  @Test("a message that was changed in the log is found at its step")
  func tamperedMessage() async throws {
    _ = try sample()
    let log = try edit(folder.url("kinds.jsonl"), line: 6) {
      $0.replacing("nothing to refuse", with: "something to refuse")
    }
    let report = try await tally().verify(log)
    #expect(
      told(report) == [#"message 5: "something to refuse" -> "nothing to refuse": "#])
  }

  @Test("a rejection for another reason, or by another store, is told")
  func reason() async throws {
    _ = try sample()
    let log = try edit(folder.url("kinds.jsonl"), line: 6) {
      $0.replacing(#""reason":"refused""#, with: #""reason":"impossible""#)
    }
    let report = try await tally().verify(log)
    #expect(
      told(report) == [
        #"reason 5: {"reason":"impossible","message":"nothing to refuse","store":"tally"} -> "#
          + #"{"reason":"refused","message":"nothing to refuse","store":"tally"}: "#
      ])
  }

  @Test("a message that may have been worded with redacted values is counted, not compared")
  func redactedMessage() async throws {
    let url = folder.url("hotel.jsonl")
    _ = try record(
      [HotelStore(isShut: true)], to: url,
      { $0.redaction = Redaction(actions: ["hotel/*": ["/key"]]) }
    ) { $0.dispatch(HotelAction.open(key: "k-1")) }
    let log = try edit(url, line: 2) {
      $0.replacing("not even", with: "and certainly not")
    }
    let report = try await AppDefinition { [HotelStore(isShut: true)] }.verify(log)
    #expect(report.verdict == .passed)
    #expect(
      report.notes == [
        "1 message not compared: the action or the state has redacted values, from which a reducer may word "
          + "its message"
      ])
  }

  @Test("a redacted value must be there, and is not compared")
  func redactedPresence() async throws {
    let url = folder.url("hotel.jsonl")
    let log = try record(
      [HotelStore()], to: url, { $0.redaction = Redaction(states: ["/hotel/key"]) }
    ) { $0.dispatch(HotelAction.open(key: "k-1")) }
    let hotel = AppDefinition { [HotelStore()] }
    let report = try await hotel.verify(log)
    #expect(report.verdict == .passed)
    #expect(report.notes == ["1 redacted value not compared, except for its presence"])
    let tampered = try edit(url, line: 2) {
      $0.replacing(/"<redacted [0-9a-f]{16}>"/, with: "null")
    }
    let found = try await hotel.verify(tampered)
    #expect(told(found) == [#"different 1: null -> "<redacted>": "#])
    #expect(found.divergences.map(\.isRedacted) == [true])
    let forgetful = try await AppDefinition { [HotelStore(isForgetful: true)] }.verify(log)
    #expect(forgetful.divergences.map(\.path?.description) == ["/hotel/key"])
    #expect(forgetful.divergences.map(\.replayed) == [nil])
    #expect(forgetful.divergences.map(\.isRedacted) == [true])
  }

  /// Records an effect, and the action that came of it.
  private func fetched() async throws -> URL {
    let url = folder.url("fetched.jsonl")
    let dispatcher = Dispatcher([TallyStore(), Lamp()])
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    dispatcher.dispatch(TallyAction.add(1))  // 1
    await dispatcher.run(TallyAction.fetch)  // 2, and 3
    try recorder.close()
    return url
  }

  @Test(
    "an effect that is not asked for any more is told at the step that asked for it",
    arguments: [nil, "search"])
  func effectMissing(_ name: String?) async throws {
    var rules = TallyRules()
    rules.fetches = name
    let report = try await tally(rules).verify(LogFile.open(fetched().path))
    let extra = name.map { [#"effect-extra 2: nothing -> "\#($0)": "#] } ?? []
    #expect(told(report) == [#"effect-missing 2: "fetch" -> nothing: "#] + extra)
    #expect(report.divergences.allSatisfy { $0.store == "tally" })
  }

  @Test("effects that a log lists are compared by store and in order, cancellations too")
  func listedEffects() async throws {
    let url = try await fetched()
    let listed = #""effects":{"tally":["fetch"]}"#
    let cases = [
      #""effects":{"tally":["fetch","-fetch"]}"#: #"effect-missing 2: "-fetch" -> nothing: "#,
      #""effects":{"lamp":["-on"],"tally":["fetch"]}"#: #"effect-missing 2: "-on" -> nothing: "#,
      #""effects":{"tally":[]}"#: #"effect-extra 2: nothing -> "fetch": "#,
    ]
    for (tampered, expected) in cases {
      let log = try edit(url, line: 3) { $0.replacing(listed, with: tampered) }
      #expect(told(try await tally().verify(log)) == [expected])
    }
  }

  @Test("the effect and the cause of a step that came back from one cannot be changed in the log")
  func tamperedEffect() async throws {
    let url = try await fetched()
    #expect(try await tally().verify(LogFile.open(url.path)).verdict == .passed)
    let renamed = try edit(url, line: 4) {
      $0.replacing(#""effect":"fetch""#, with: #""effect":"load""#)
    }
    #expect(
      told(try await tally().verify(renamed)) == [#"effect-missing 2: "load" -> nothing: "#])
    let moved = try edit(url, line: 4) { $0.replacing(#""cause":2"#, with: #""cause":1"#) }
    #expect(
      told(try await tally().verify(moved)) == [#"effect-missing 1: "fetch" -> nothing: "#])
  }

  @Test("a recorded follow-up that is not asked for any more is told")
  func missing() async throws {
    var rules = TallyRules()
    rules.followUps = .none
    let report = try await tally(rules).verify(sample())
    #expect(
      told(report) == [
        #"missing 3: {"action":{"type":"tally/add","payload":{"_0":1}}} -> nothing: "#
      ])
    #expect(
      report.divergences[0].chain == [
        .init(number: 3, type: "tally/add"), .init(number: 2, type: "tally/chain"),
      ])
  }

  @Test("where fewer follow-ups are asked for, the first one too many is told")
  func fewer() async throws {
    var rules = TallyRules()
    rules.followUps = .one
    let report = try await tally(rules).verify(sample())
    #expect(report.divergences.map(\.kind) == [.missing])
    #expect(report.divergences.map(\.step) == [4])
  }

  @Test("a follow-up with another payload is told")
  func another() async throws {
    var rules = TallyRules()
    rules.followUps = .another
    let report = try await tally(rules).verify(sample())
    #expect(
      told(report) == [
        #"followUp 3: {"action":{"type":"tally/add","payload":{"_0":1}}} -> "#
          + #"{"action":{"type":"tally/add","payload":{"_0":7}}}: "#
      ])
  }

  @Test("a follow-up with another target is told")
  func elsewhere() async throws {
    var rules = TallyRules()
    rules.followUps = .elsewhere
    let report = try await tally(rules).verify(sample())
    #expect(
      told(report) == [
        #"followUp 3: {"action":{"type":"tally/add","payload":{"_0":1}}} -> "#
          + #"{"action":{"type":"tally/add","payload":{"_0":1}},"target":"tally"}: "#
      ])
  }

  @Test("a follow-up that the record does not have is told at the step that asks for it")
  func extra() async throws {
    var rules = TallyRules()
    rules.followsUpStamps = true
    let report = try await tally(rules).verify(sample())
    #expect(
      told(report) == [
        #"extra 6: nothing -> {"action":{"type":"tally/add","payload":{"_0":0}}}: "#
      ])
  }

  @Test("a follow-up behind which the record ends is not told, but that it was not compared")
  func cutOff() async throws {
    let url = folder.url("kinds.jsonl")
    let log = try sample()
    try log.waitForIndex()
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    let cut = folder.url("cut.jsonl")
    try (lines.prefix(4).joined(separator: "\n") + "\n")
      .write(to: cut, atomically: true, encoding: .utf8)
    let report = try await tally().verify(LogFile.open(cut.path))
    #expect(report.verdict == .passed)
    #expect(
      report.notes == [
        "the log ends before the follow-ups of step 2",
        "the log was not closed: its app ended without closing it, or is still recording; its last steps may be missing",
      ])
  }

  @Test("an action whose payload does not fit any more is told")
  func undecodable() async throws {
    _ = try sample()
    let log = try edit(folder.url("kinds.jsonl"), line: 8) {
      $0.replacing(#""payload":{"_0":"b"}"#, with: #""payload":{"_0":1}"#)
    }
    let report = try await tally().verify(log)
    #expect(report.divergences.map(\.kind) == [.undecodable])
    #expect(report.divergences.map(\.step) == [7])
    #expect(
      report.divergences[0].reason?.hasPrefix(#"the payload of "tally/note" does not fit: "#)
        == true)
  }

  @Test(
    "one replay in this process proves no reason, whatever the values suggest",
    arguments: [(true, false, "/tally/stamp"), (false, true, "/tally/id")])
  func unprovedReason(_ readsClock: Bool, _ makesIdentifiers: Bool, _ path: String) async throws {
    var rules = TallyRules()
    rules.readsClock = readsClock
    rules.makesIdentifiers = makesIdentifiers
    let report = try await tally(rules).verify(sample())
    #expect(report.divergences.map(\.path?.description) == [path])
    #expect(report.divergences[0].reason == nil)
  }

  @Test("elements that a reducer sorts by design are not taken for the order of a set")
  func order() async throws {
    var rules = TallyRules()
    rules.sortsNotes = true
    let report = try await tally(rules).verify(sample())
    #expect(report.divergences.map(\.step) == [8])
    #expect(report.divergences.map(\.path?.description) == ["/tally/notes/0"])
    #expect(report.divergences.map(\.others) == [1])
    #expect(report.divergences[0].reason == nil)
  }

  @Test(
    "two replays of a reducer with hidden input differ, whatever the record says",
    arguments: [
      (true, false, "/tally/stamp", "a reducer reads the clock; use step.now"),
      (false, true, "/tally/id", "a reducer creates UUIDs; use step.uuid()"),
    ])
  func twice(
    _ readsClock: Bool, _ makesIdentifiers: Bool, _ path: String, _ reason: String
  ) async throws {
    var rules = TallyRules()
    rules.readsClock = readsClock
    rules.makesIdentifiers = makesIdentifiers
    var options = Verification.Options()
    options.runsTwice = true
    options.ignoring = [try IgnoredPath("/tally/other")]
    options.stopsAtFirst = false
    let report = try await tally(rules).verify(sample(), options: options)
    let hidden = report.divergences.filter { $0.comparison == .replays }
    #expect(hidden.map(\.path?.description) == [path])
    #expect(hidden.map(\.step) == [6])
    #expect(hidden[0].reason?.hasPrefix(reason) == true)
    #expect(report.divergences.first == hidden[0])
  }

  @Test("two replays of an honest reducer are the same")
  func twiceHonest() async throws {
    var options = Verification.Options()
    options.runsTwice = true
    #expect(try await tally().verify(sample(), options: options).verdict == .passed)
  }

  @Test("rounding is a reason if a second replay has the same digits, and not for a clock")
  func rounding() async throws {
    var rules = TallyRules()
    rules.divisor = 3.0000000000001
    let rounded = try await tally(rules).verify(sample())
    #expect(rounded.divergences.map(\.path?.description) == ["/tally/share"])
    #expect(rounded.divergences[0].reason?.hasPrefix("the numbers differ by less than") == true)
    let drift = Atomic(0)
    rules.drift = { Double(drift.add(1, ordering: .relaxed).newValue) * 1e-13 }
    let drifting = try await tally(rules).verify(sample())
    #expect(drifting.divergences.map(\.path?.description) == ["/tally/share"])
    #expect(drifting.divergences[0].reason == nil)
  }

  @Test(
    "what is to be ignored is not told, and everything else is",
    arguments: [
      ("/tally/stamp", true), ("/*/stamp", true), ("/tally/*", true), ("tally.stamp", true),
      ("$.state.tally.stamp", true), ("$.state..stamp", true), ("/tally/id", false),
      ("tally.id", false), ("/lamp/stamp", false),
    ])
  func ignored(_ path: String, _ passes: Bool) async throws {
    var rules = TallyRules()
    rules.readsClock = true
    var options = Verification.Options()
    options.ignoring = [try IgnoredPath(path)]
    let report = try await tally(rules).verify(sample(), options: options)
    #expect((report.verdict == .passed) == passes)
  }

  @Test(
    "numbers within the tolerance are the same",
    arguments: [(0.0, false), (1e-9, false), (1e-3, true)])
  func tolerance(_ tolerance: Double, _ passes: Bool) async throws {
    var rules = TallyRules()
    rules.divisor = 3.0001
    var options = Verification.Options()
    options.tolerance = tolerance
    let report = try await tally(rules).verify(sample(), options: options)
    #expect((report.verdict == .passed) == passes)
  }
}
