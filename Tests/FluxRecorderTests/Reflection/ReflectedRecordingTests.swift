import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Logs of apps whose states and actions are not `Encodable`.
@Suite struct ReflectedRecordingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Screen {
    var title: String
    var pin: Secret<String>?
    var user = "joe@example.org"
    var opened: (() -> Void)?
  }

  enum Sheet {
    case set(text: String)
    case close
  }

  enum Presented<Action> {
    case presented(Action)
    case dismiss
  }

  enum Failure: Error { case bad, worse(code: Int) }

  enum FeatureAction {
    case sheet(Presented<Sheet>)
    case response(Result<Int, Failure>)
    case row(id: Int, Sheet)
    case both(Sheet, Sheet)
    case tapped
    case typed(String)
  }

  private func recorder(
    _ name: String, _ states: [String: Any?], _ change: (inout Recorder.Options) -> Void = { _ in }
  ) -> Recorder {
    var options = Recorder.Options()
    options.recordsSource = false
    change(&options)
    let clock = Ticks(Date(timeIntervalSinceReferenceDate: 800_000_000))
    let recorder = Recorder(to: folder.url(name), options: options)
    recorder.start(reflecting: states, now: { clock.next() })
    return recorder
  }

  @Test("States and actions without conformances are in the log, which says where they come from")
  func everything() throws {
    let recorder = recorder("all.jsonl", ["screen": Screen(title: "a"), "user": nil])
    recorder.record(
      FeatureAction.typed("b"), reflecting: ["screen": Screen(title: "b"), "user": Sheet.close])
    recorder.record(FeatureAction.tapped, reflecting: ["screen": Screen(title: "b"), "user": nil])
    recorder.begin(FeatureAction.row(id: 3, .close)).reject("no row 3")
    recorder.record(FeatureAction.tapped, states: ["count": 1])
    recorder.record(ShopAction.open, reflecting: ["screen": Screen(title: "c")])
    let step = recorder.begin(FeatureAction.response(.failure(.bad)))
    step.commit(reflecting: ["screen": Screen(title: "d")])
    recorder.record(Sheet.set(text: "x"), rejection: "closed")
    try recorder.close()
    #expect(recorder.failure == nil)
    let lines = try linesWithoutSums(folder.url("all.jsonl"))
    #expect(
      lines[0].contains(
        #""stores":{"screen":{"type":"Screen","reflected":true,"initial":{"title":"a","user":"joe@example.org"}},"user":{"feature":true,"reflected":true}}"#
      ), "\(lines[0])")
    #expect(
      lines.dropFirst() == [
        #"{"n":1,"t":0.100000,"action":{"type":"feature/typed","payload":{"_0":"b"}},"reflected":true,"states":{"screen":{"title":"b","user":"joe@example.org"},"user":{"close":{}}}}"#,
        #"{"n":2,"t":0.200000,"action":{"type":"feature/tapped"},"reflected":true,"removed":["user"]}"#,
        #"{"n":3,"t":0.300000,"action":{"type":"feature/row/close","payload":{"_1":{},"id":3}},"reflected":true,"rejected":{"reason":"refused","message":"no row 3"}}"#,
        #"{"n":4,"t":0.400000,"action":{"type":"feature/tapped"},"reflected":true,"states":{"count":1}}"#,
        #"{"n":5,"t":0.500000,"action":{"type":"shop/open"},"states":{"screen":{"title":"c","user":"joe@example.org"}}}"#,
        #"{"n":6,"t":0.600000,"action":{"type":"feature/response/failure/bad"},"reflected":true,"states":{"screen":{"title":"d","user":"joe@example.org"}}}"#,
        #"{"n":7,"t":0.700000,"action":{"type":"sheet/set","payload":{"text":"x"}},"reflected":true,"rejected":{"reason":"refused","message":"closed"}}"#,
        #"{"end":{"steps":7,"ok":true}}"#,
      ])
    let timeline = try openTimeline(folder.url("all.jsonl"))
    #expect(try timeline.check() == [])
    #expect(timeline.log.header.stores.map(\.isReflected) == [true, true])
    #expect(try timeline.step(at: 0).isReflected && !timeline.step(at: 4).isReflected)
  }

  @Test("Redaction and secrets hold")
  func redaction() throws {
    let recorder = recorder("redacted.jsonl", ["screen": Screen(title: "a")]) {
      $0.redaction = Redaction(states: ["/screen/user"])
    }
    recorder.record(
      FeatureAction.typed("for joe@example.org"),
      reflecting: ["screen": Screen(title: "b", pin: Secret("7391-2285"))])
    recorder.record(
      Presented<Secret<String>>.presented(Secret("7391-2285")),
      reflecting: ["screen": Screen(title: "c")])
    try recorder.close()
    let text = try String(contentsOf: folder.url("redacted.jsonl"), encoding: .utf8)
    #expect(!text.contains("joe@example.org"), "\(text)")
    let timeline = try openTimeline(folder.url("redacted.jsonl"))
    let pin = try timeline.state(of: "screen", at: 0)?["pin"]?.string
    #expect(pin?.hasPrefix("<redacted ") == true && pin != "<redacted 0000000000000000>")
    #expect(try timeline.step(at: 1).payload?["_0"]?.string == pin)
    #expect(!text.contains(#""pin":"7391"#))
  }

  @Test("What is cut is reported, once for each value")
  func limit() throws {
    let recorder = recorder("cut.jsonl", ["list": [1, 2, 3]]) { $0.reflectionLimit = 3 }
    for count in 4...6 {
      recorder.record(FeatureAction.tapped, reflecting: ["list": Array(1...count)])
    }
    try recorder.close()
    #expect(
      recorder.warnings.map(\.message) == [
        """
        \(folder.url("cut.jsonl").path): reflection reads 3 values of the state of list, at most 128 inside each other \
        and fewer on a small stack, and the rest is written as `$opaque`; make the type Encodable, or raise `reflectionLimit`
        """
      ])
  }

  @Test("A log that cannot be replayed is refused with what is missing")
  func refused() async throws {
    let recorder = recorder("replay.jsonl", ["tally": Screen(title: "a")])
    recorder.record(FeatureAction.tapped, reflecting: ["tally": Screen(title: "b")])
    try recorder.close()
    let timeline = try openTimeline(folder.url("replay.jsonl"))
    let message = """
      the app cannot be replayed: reflection recorded the states of tally, which cannot be decoded; make Screen and \
      its actions Codable, and record with start(states:)
      """
    let app = tally()
    // No app has the stores of watched objects.
    let others = AppDefinition(store: "others", initial: 0) { (_, _: Int, _) in }
    await #expect { try await others.verify(timeline.log) } throws: { "\($0)" == message }
    await #expect { try await app.verify(timeline.log) } throws: { "\($0)" == message }
    #expect { try Fork(at: 0, of: timeline, in: app) } throws: { "\($0)" == message }

    let second = Recorder(to: folder.url("action.jsonl"))
    second.start(states: ["tally": Tally()])
    second.record(FeatureAction.tapped, states: ["tally": Tally()])
    try second.close()
    let other = try openTimeline(folder.url("action.jsonl"))
    let report = try await app.verify(other.log)
    #expect(report.verdict == .incompatible)
    let why = """
      reflection recorded the action of step 1, feature/tapped, which cannot be decoded; make its type Codable, and \
      record again, or drop it in the app's Evolution
      """
    #expect(report.incompatibilities.map(\.description).contains(why))
    for attempt in [
      { _ = try Fork.redispatching(0..<1, of: other, in: app) },
      { _ = try Shrinker(0..<1, of: other, in: app).run { _ in true } },
    ] {
      #expect { try attempt() } throws: { "\($0)" == "the app cannot be replayed: \(why)" }
    }
  }

  @Test("An action has the same name and payload with and without Encodable")
  func names() throws {
    enum PlainAction {
      case sheet(Sheet), row(id: Int, Sheet), note(String), bare, many(Int, x: Int)
    }
    enum Sheet { case set(text: String), close }
    enum Coded {
      enum PlainAction: Encodable, Sendable {
        case sheet(Sheet), row(id: Int, Sheet), note(String), bare, many(Int, x: Int)
      }
      enum Sheet: Encodable, Sendable { case set(text: String), close }
      enum Lamp: String, Encodable, Sendable { case on, off = "dark" }
      enum Level: Int, Encodable, Sendable { case low, high }
      struct Move: Encodable, Sendable { var x = 1; var y: Int? }
    }
    enum Lamp: String { case on, off = "dark" }
    enum Level: Int { case low, high }
    struct Move { var x = 1; var y: Int? }
    let pairs: [(plain: Any, coded: any Encodable & Sendable)] = [
      (PlainAction.sheet(.set(text: "x")), Coded.PlainAction.sheet(.set(text: "x"))),
      (PlainAction.sheet(.close), Coded.PlainAction.sheet(.close)),
      (PlainAction.row(id: 3, .set(text: "x")), Coded.PlainAction.row(id: 3, .set(text: "x"))),
      (PlainAction.note("x"), Coded.PlainAction.note("x")),
      (PlainAction.bare, Coded.PlainAction.bare),
      (PlainAction.many(1, x: 2), Coded.PlainAction.many(1, x: 2)),
      (Lamp.off, Coded.Lamp.off), (Level.high, Coded.Level.high),
      (Move(), Coded.Move()), (Move(y: 2), Coded.Move(y: 2)),
    ]
    let recorder = recorder("names.jsonl", ["count": 0])
    for (plain, coded) in pairs {
      recorder.record(plain, reflecting: [:])
      recorder.record(coded, states: [:])
    }
    try recorder.close()
    let timeline = try openTimeline(folder.url("names.jsonl"))
    for place in pairs.indices {
      let (plain, coded) = (try timeline.step(at: 2 * place), try timeline.step(at: 2 * place + 1))
      #expect(plain.isReflected && !coded.isReflected)
      #expect(plain.action.text == coded.action.text)
    }
  }

  @Test("States that are passed and states that are read may take turns")
  func bothDoors() throws {
    let recorder = recorder("doors.jsonl", ["count": 0])
    recorder.record(FeatureAction.tapped, states: ["count": 1])
    recorder.record(FeatureAction.tapped, reflecting: ["count": 0])
    try recorder.close()
    let timeline = try openTimeline(folder.url("doors.jsonl"))
    #expect(try timeline.state(of: "count", at: 0) == 1)
    #expect(try timeline.state(of: "count", at: 1) == 0)
  }

  protocol Detail {}
  enum Choice: Detail { case picked(id: Int) }
  struct Note: Detail { var text = ["a": 1] }
  enum ErasedAction { case detail(any Detail) }

  @Test("The cases of an existential value are found in each action")
  func existentialCases() throws {
    let recorder = recorder("erased.jsonl", ["count": 0])
    recorder.record(ErasedAction.detail(Note()), reflecting: [:])
    recorder.record(ErasedAction.detail(Choice.picked(id: 3)), reflecting: [:])
    try recorder.close()
    let timeline = try openTimeline(folder.url("erased.jsonl"))
    #expect(try timeline.step(at: 0).type == "erased/detail")
    #expect(try timeline.step(at: 1).type == "erased/detail/picked")
  }

  @Test("A skipped action is judged as it is")
  func skipped() throws {
    let recorder = recorder("skipped.jsonl", ["count": 0]) {
      $0.shouldSkip = { if case FeatureAction.typed = $0 { true } else { false } }
    }
    recorder.record(FeatureAction.typed("x"), reflecting: ["count": 1])
    recorder.record(FeatureAction.tapped, reflecting: ["count": 1])
    try recorder.close()
    let timeline = try openTimeline(folder.url("skipped.jsonl"))
    #expect(timeline.log.count == 1)
    #expect(try timeline.state(of: "count", at: 0) == 1)
  }
}
