import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Recorders without a file.
@Suite struct MemoryRecorderTests {
  @Test("A recorder in memory has the steps and states, and creates no file")
  func timeline() async throws {
    let folder = try TemporaryFolder()
    let dispatcher = Dispatcher([TallyStore(), Lamp()], seed: 7)
    let recorder = Recorder(inMemory: 1 << 20)
    dispatcher.use(recorder)
    dispatcher.dispatch(TallyAction.chain(2))
    dispatcher.dispatch(TallyAction.refuse)
    let timeline = try recorder.timeline()
    #expect(
      try (0..<4).map { try timeline.step(at: $0).type } == [
        "tally/chain", "tally/add", "tally/add", "tally/refuse",
      ])
    #expect(try timeline.state(of: "tally", at: timeline.end)?["total"] == 3)
    #expect(try timeline.check() == [])
    #expect(try await tally().verify(timeline.log).verdict == .passed)
    // The recording continues; the timeline is a copy.
    dispatcher.dispatch(TallyAction.note("x"))
    #expect(timeline.log.count == 4)
    #expect(try recorder.timeline().log.count == 5)
    #expect(recorder.url.absoluteString == "memory:" && recorder.logs.isEmpty)
    try recorder.export(to: folder.url("kept.jsonl"))
    try recorder.close()
    #expect(recorder.failure == nil)
    #expect(try openTimeline(folder.url("kept.jsonl")).log.count == 5)
    #expect(try recorder.timeline().log.count == 5)
  }

  @Test("It keeps the newest bytes, at most as many as asked for", arguments: [20_000, 100_000])
  func bounded(_ limit: Int) throws {
    let dispatcher = Dispatcher([NotesStore()])
    let recorder = Recorder(inMemory: limit)
    dispatcher.use(recorder)
    for number in 1...3000 {
      dispatcher.dispatch(NotesAction.write("note \(number)"))
      guard number % 500 == 0 else { continue }
      let folder = try TemporaryFolder()
      let excerpt = try recorder.export(to: folder.url("all.jsonl"))
      #expect(excerpt.byteCount <= limit && excerpt.last == UInt64(number))
      if number >= 1000 { #expect(excerpt.byteCount >= limit / 3) }
      let timeline = try recorder.timeline()
      #expect(try timeline.check() == [])
      let notes = try timeline.state(of: "notes", at: timeline.end)
      #expect(notes?["text"]?.string == "note \(number)")
    }
    try recorder.close()
  }

  @Test("Before the first step there is nothing, and the error says so")
  func empty() throws {
    let recorder = Recorder(inMemory: 1 << 20)
    func message() -> String? {
      do throws(LogError) {
        _ = try recorder.timeline()
        return nil
      } catch { return error.message }
    }
    #expect(
      message() == """
        (in memory): cannot export: the recorder is not in use; add it to a dispatcher with use(_:), or call start(states:), first
        """)
    Dispatcher([NotesStore()]).use(recorder)
    #expect(
      message() == """
        (in memory): cannot export: no step has ended yet; dispatch an action first
        """)
  }

  @Test("A recorder without a dispatcher can be in memory, too")
  func started() throws {
    let recorder = Recorder(inMemory: 1 << 20)
    recorder.start(states: ["n": 0])
    recorder.record(NotesAction.write("x"), states: ["n": 1])
    let timeline = try recorder.timeline()
    #expect(try timeline.state(of: "n", at: 0) == 1)
    try recorder.close()
  }

  @Test("A message about a recorder in memory says so, in place of a path")
  func messages() throws {
    let recorder = Recorder(inMemory: 1 << 20)
    recorder.start(states: ["n": 0])
    recorder.start(states: ["n": 0])
    #expect(
      recorder.failure?.message == """
        (in memory): cannot record: it was started a second time; create a recorder for each log
        """)

    var options = Recorder.Options()
    options.redaction = Redaction(states: ["/n/token"])
    let redacting = Recorder(inMemory: 1 << 20, options: options)
    redacting.start(states: ["n": 0])
    try redacting.close()
    #expect(redacting.warnings.map { $0.message.prefix(12) } == ["(in memory):"])
  }

  @Test("Redaction applies in memory")
  func redacted() throws {
    var options = Recorder.Options()
    options.redaction = Redaction(states: ["/notes/text"], actions: ["*": [""]])
    let dispatcher = Dispatcher([NotesStore()])
    let recorder = Recorder(inMemory: 1 << 20, options: options)
    dispatcher.use(recorder)
    dispatcher.dispatch(NotesAction.write("secret words"))
    let timeline = try recorder.timeline()
    let line = String(decoding: try timeline.line(at: 0), as: UTF8.self)
    #expect(!line.contains("secret words") && line.contains("notes/write"))
    try recorder.close()
  }
}
