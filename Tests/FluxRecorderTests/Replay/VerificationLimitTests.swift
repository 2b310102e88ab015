import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

@Suite struct VerificationLimitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("what lies in a gap is not replayed, and the replay goes on behind it")
  func gaps() async throws {
    let url = folder.url("gaps.jsonl")
    let dispatcher = Dispatcher([TallyStore(), Lamp()])
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    dispatcher.dispatch(TallyAction.add(1))  // 1
    recorder.pause()
    dispatcher.dispatch(TallyAction.add(2))
    dispatcher.dispatch(Lamp.Action.turnOn)
    recorder.resume()
    dispatcher.dispatch(TallyAction.refuse)  // 4: rejected, so the model stays hidden
    dispatcher.dispatch(TallyAction.add(3))  // 5: has the whole model
    dispatcher.dispatch(TallyAction.chain(1))  // 6, and 7
    dispatcher.dispatch(Lamp.Action.brighten)
    recorder.pause()
    dispatcher.dispatch(Lamp.Action.brighten)
    recorder.resume()
    try recorder.close()
    let log = try LogFile.open(url.path)
    let report = try await tally().verify(log)
    #expect(
      report.text == """
        passed: \(url.path): 4 steps compared
          note: steps 2 to 3 are not in the log (paused); 2 steps after them not compared, replay resumes after step 5

        """)
    for start in 0..<log.count {
      var options = Verification.Options()
      options.range = start..<log.count
      let part = try await tally().verify(log, options: options)
      #expect(part.verdict == .passed, "from \(start)")
      #expect(part.steps == [4, 3, 3, 3, 2, 1][start], "from \(start)")
    }
  }

  @Test("the first twenty gaps have a note each, and the others one", arguments: [20, 21, 45])
  func manyGaps(count: Int) async throws {
    let url = folder.url("gaps.jsonl")
    let dispatcher = Dispatcher([TallyStore(), Lamp()])
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    for _ in 0..<count {
      recorder.pause()
      dispatcher.dispatch(TallyAction.add(1))
      recorder.resume()
      dispatcher.dispatch(TallyAction.add(2))
    }
    try recorder.close()
    let notes = try await tally().verify(LogFile.open(url.path)).notes
    let first = (0..<20).map { gap in
      """
      step \(2 * gap + 1) is not in the log (paused); 1 step after it not compared, replay resumes after \
      step \(2 * gap + 2)
      """
    }
    let others = count - 20
    let (plural, last) = (others == 1 ? "" : "s", 2 * count - 1)
    let more = """
      \(others) more gap\(plural) up to step \(last); \(others) step\(plural) after them not compared, replay \
      resumes after step \(last + 1)
      """
    #expect(notes == (others == 0 ? first : first + [more]))
  }

  private func lines(_ url: URL) throws -> [Substring] {
    try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
  }

  private func sample() throws -> URL {
    let url = folder.url("sample.jsonl")
    _ = try record(to: url) { dispatcher in
      for amount in 1...6 { dispatcher.dispatch(TallyAction.add(amount)) }
    }
    return url
  }

  @Test("damage ends the replay; the steps before it are compared")
  func damage() async throws {
    var lines = try lines(sample())
    lines[4] = lines[4].dropLast(20)
    let url = folder.url("damaged.jsonl")
    try (lines.joined(separator: "\n") + "\n").write(to: url, atomically: true, encoding: .utf8)
    let report = try await tally().verify(LogFile.open(url.path))
    #expect(report.verdict == .damaged)
    #expect(report.steps == 3)
    #expect(report.damage.map(\.line) == [5])
    #expect(report.damage.map(\.step) == [4])
    var rules = TallyRules()
    rules.factor = 2
    #expect(try await tally(rules).verify(LogFile.open(url.path)).verdict == .diverged)
  }

  @Test("after a gap that a repair left, replay resumes where the last store is written whole")
  func repaired() async throws {
    let url = folder.url("long.jsonl")
    _ = try record(to: url) { dispatcher in
      for amount in 1...3 { dispatcher.dispatch(TallyAction.add(amount)) }
      dispatcher.dispatch(Lamp.Action.turnOn)
      for amount in 5...7 { dispatcher.dispatch(TallyAction.add(amount)) }
    }
    var lines = try lines(url)
    lines[2] = lines[2].dropLast(20)
    let damaged = folder.url("damaged.jsonl")
    try (lines.joined(separator: "\n") + "\n").write(to: damaged, atomically: true, encoding: .utf8)
    let copy = folder.url("repaired.jsonl")
    _ = try Timeline(LogFile.open(damaged.path)).repair(to: copy.path)
    let log = try LogFile.open(copy.path)
    #expect(
      try await tally().verify(log).text == """
        passed: \(copy.path): 4 steps compared
          note: step 2 is not in the log (damaged); 2 steps after it not compared, replay resumes after step 4

        """)
    for start in 0..<log.count {
      var options = Verification.Options()
      options.range = start..<log.count
      let part = try await tally().verify(log, options: options)
      #expect(part.steps == [4, 3, 3, 3, 2, 1][start], "from \(start)")
    }
    var rules = TallyRules()
    rules.factor = 2
    let report = try await tally(rules).verify(log)
    #expect(report.divergences.map(\.step) == [1])
  }

  @Test("a line with two steps is the damage, and not the next one, which is intact")
  func glued() async throws {
    var lines = try lines(sample())
    lines[3] = lines[3] + lines[4]
    lines.remove(at: 4)
    let url = folder.url("glued.jsonl")
    try (lines.joined(separator: "\n") + "\n").write(to: url, atomically: true, encoding: .utf8)
    let report = try await tally().verify(LogFile.open(url.path))
    #expect(report.steps == 2)
    #expect(report.damage.map(\.line) == [4])
    #expect(report.damage.map(\.step) == [3])
  }

  @Test("a patch that does not apply is damage, with line and step")
  func patch() async throws {
    var lines = try lines(sample())
    lines[3] =
      #"{"n":3,"t":0.300000,"action":{"type":"tally/add","payload":{"_0":3}},"#
      + #""patches":{"tally":[{"op":"replace","path":"/no/where","value":1}]}}"#
    let url = folder.url("patch.jsonl")
    try (lines.joined(separator: "\n") + "\n").write(to: url, atomically: true, encoding: .utf8)
    let report = try await tally().verify(LogFile.open(url.path))
    #expect(report.verdict == .damaged)
    #expect(report.steps == 2)
    #expect(report.damage.map(\.line) == [4])
    #expect(report.damage.map(\.step) == [3])
  }

  @Test("a log that was cut off anywhere is verified as far as it goes")
  func cutOff() async throws {
    let text = try Data(contentsOf: sample())
    let url = folder.url("cut.jsonl")
    let header = try #require(text.firstIndex(of: 0x0A)) + 1
    for end in stride(from: header, through: text.count, by: 37) {
      try text.prefix(end).write(to: url)
      let report = try await tally().verify(LogFile.open(url.path))
      #expect(report.verdict == (report.steps == 0 ? .empty : .passed), "at byte \(end)")
    }
  }

  @Test("a log without steps is empty, which is no pass")
  func empty() async throws {
    let log = try record(to: folder.url("empty.jsonl")) { _ in }
    let report = try await tally().verify(log)
    #expect(report.text == "empty: \(log.path): 0 steps compared\n")
  }

  @Test("redacted fields are named and not compared, and everything else is")
  func redacted() async throws {
    let url = folder.url("redacted.jsonl")
    _ = try record(
      [HotelStore()], to: url,
      { options in
        options.redaction = Redaction(
          states: ["/hotel/key", "/hotel/guests/*/password"],
          actions: ["hotel/*": ["/key"]])
        options.log.states = .full
      }
    ) { dispatcher in
      dispatcher.dispatch(HotelAction.open(key: "hunter2"))
      // Two passwords: a payload with one that the log has met has a token, if the writer is that far.
      dispatcher.dispatch(HotelAction.admit(name: "joe", password: "swordfish"))
      dispatcher.dispatch(HotelAction.admit(name: "ann", password: "marlin-42"))
    }
    let replayer = AppDefinition { [HotelStore()] }
    let report = try await replayer.verify(LogFile.open(url.path))
    #expect(
      report.text == """
        passed: \(url.path): 3 steps compared
          redacted, not compared: /hotel/key, /hotel/guests/*/password
          note: 3 redacted values not compared, except for their presence

        """)
    let edited = try edit(url, line: 4) { $0.replacing(#""name":"joe""#, with: #""name":"jim""#) }
    let diverged = try await replayer.verify(edited)
    #expect(diverged.divergences.map(\.path?.description) == ["/hotel/guests/0/name"])
    #expect(diverged.redacted == ["/hotel/key", "/hotel/guests/*/password"])
  }

  @Test("a state that was made of redacted input is named and not compared")
  func redactedInput() async throws {
    let log = try record(
      [HotelStore()], to: folder.url("input.jsonl"),
      { options in
        options.redaction = Redaction(actions: ["hotel/admit": ["/password"]])
      }
    ) { dispatcher in
      dispatcher.dispatch(HotelAction.admit(name: "joe", password: "swordfish"))
    }
    let report = try await AppDefinition { [HotelStore()] }.verify(log)
    #expect(report.verdict == .passed)
    #expect(report.redacted == ["/hotel/guests/0/password"])
  }

  @Test("a verification tells how far it is, and what its progress throws ends it")
  func progress() throws {
    struct Enough: Error {}
    let log = try LogFile.open(sample().path)
    var options = Verification.Options()
    options.batchSize = 2
    var seen: [[Int]] = []
    _ = try tally().verifyHere(Timeline(log), options: options) { seen.append([$0, $1]) }
    #expect(seen == [[0, 6], [2, 6], [4, 6], [6, 6]])
    #expect(throws: Enough.self) {
      try tally().verifyHere(Timeline(log), options: options) { done, _ in
        if done == 4 { throw Enough() }
      }
    }
  }
}
