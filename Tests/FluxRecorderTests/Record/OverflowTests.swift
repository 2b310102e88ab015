import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

/// An app that is faster than the thread that writes its log.
///
/// One test at a time: they hold the writing thread up by the same means.
@Suite(.serialized) struct OverflowTests {
  private enum Count: Action {
    case one
    case key(text: String)
  }

  /// The state that cannot be written before it is allowed.
  private struct Tally: StateValue {
    static let isBeingWritten = DispatchSemaphore(value: 0)
    static let mayBeWritten = DispatchSemaphore(value: 0)

    var count = 0

    enum CodingKeys: CodingKey { case count }

    init() {}

    init(from decoder: any Decoder) throws {
      count = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .count)
    }

    func encode(to encoder: any Encoder) throws {
      if count == 1 {
        Self.isBeingWritten.signal()
        #expect(Self.mayBeWritten.wait(timeout: .now() + 30) == .success)
      }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(count, forKey: .count)
    }
  }

  private struct TallyStore: Store {
    let id: StoreID = "tally"
    let initialState = Tally()

    func reduce(_ tally: inout Tally, _ action: Count, _ step: inout Step) { tally.count += 1 }
  }

  @Test(
    "steps that may be dropped do not wait: they are a gap, behind which the model stands whole")
  func drops() throws {
    let folder = try TemporaryFolder()
    let url = folder.url("tally.jsonl")
    var options = Recorder.Options()
    options.log.overflow = .drop
    options.log.queueCapacity = 1
    let recorder = Recorder(to: url, options: options)
    let dispatcher = Dispatcher([TallyStore()])
    dispatcher.use(recorder)
    dispatcher.dispatch(Count.one)
    #expect(Tally.isBeingWritten.wait(timeout: .now() + 30) == .success)
    // One waits, and then there is no room.
    for _ in 2...5 { dispatcher.dispatch(Count.one) }
    Tally.mayBeWritten.signal()
    try recorder.flush()
    dispatcher.dispatch(Count.one)
    try recorder.close()

    let lines = try linesWithoutSums(url).dropFirst().map { $0.replacing(/"t":[0-9.]+,/, with: "") }
    #expect(
      lines == [
        #"{"n":1,"action":{"type":"count/one"},"states":{"tally":{"count":1}}}"#,
        #"{"n":2,"action":{"type":"count/one"},"states":{"tally":{"count":2}}}"#,
        #"{"gap":{"from":3,"to":5,"why":"dropped"}}"#,
        #"{"n":6,"action":{"type":"count/one"},"states":{"tally":{"count":6}}}"#,
        #"{"end":{"steps":3,"ok":true}}"#,
      ])
    #expect(recorder.failure == nil)
  }

  @Test("what is redacted in a step that was dropped is redacted in what the app says later")
  func redactsDroppedSteps() throws {
    let folder = try TemporaryFolder()
    let url = folder.url("tally.jsonl")
    var options = Recorder.Options()
    options.log.durability = .buffered
    options.log.overflow = .drop
    options.log.queueCapacity = 1
    options.redaction = Redaction(actions: ["count/key": ["/text"]])
    let recorder = Recorder(to: url, options: options)
    let dispatcher = Dispatcher([TallyStore()])
    dispatcher.use(recorder)
    dispatcher.dispatch(Count.one)
    #expect(Tally.isBeingWritten.wait(timeout: .now() + 30) == .success)
    dispatcher.dispatch(Count.one)
    dispatcher.dispatch(Count.key(text: "open sesame"))
    Tally.mayBeWritten.signal()
    try recorder.flush()
    recorder.mark("the key was open sesame")
    try recorder.close()

    let lines = try linesWithoutSums(url).dropFirst().map {
      $0.replacing(/"t":[0-9.]+,|,"t":[0-9.]+/, with: "")
        .replacing(/<redacted [0-9a-f]{16}>/, with: "<redacted>")
    }
    #expect(
      lines == [
        #"{"n":1,"action":{"type":"count/one"},"states":{"tally":{"count":1}}}"#,
        #"{"n":2,"action":{"type":"count/one"},"states":{"tally":{"count":2}}}"#,
        #"{"mark":"the key was <redacted>"}"#,
        #"{"gap":{"from":3,"to":3,"why":"dropped"}}"#,
        #"{"end":{"steps":2,"ok":true}}"#,
      ])
  }
}
