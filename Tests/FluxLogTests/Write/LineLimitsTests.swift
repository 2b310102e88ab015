import FluxJSON
import FluxSystem
import TestFixtures
import Testing

@testable import FluxLog

/// Actions, states and headers that readers would refuse are not written.
@Suite struct LineLimitsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("log.jsonl") }

  init() throws { folder = try TemporaryFolder() }

  private static func nested(_ depth: Int) throws -> JSON {
    try JSON.parse(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
  }

  private static func action(_ payload: JSON) -> LogValue {
    LogValue(json: ["type": "t", "payload": payload])
  }

  /// An array of numbers and a last element, so that a patch is smaller than it.
  private static func list(_ last: JSON) -> LogValue {
    LogValue(encoding: { JSON(array: (0..<2_000).map { .init(integerLiteral: $0) } + [last]) })
  }

  /// Writes two steps with values of this depth, and a third that changes nothing; returns the failures.
  private func write(depth: Int) throws -> [LogError.Reason] {
    let failures = Monitor<[LogError.Reason]>([])
    var options = LogWriter.Options()
    options.onFailure = { error in failures.withLock { $0.append(error.reason) } }
    let header = LogHeader(stores: [
      .init(name: "a", initial: 0), .init(name: "b", initial: try Self.list(0).json()),
    ])
    let writer = try LogWriter(path: path, header: header, options: options)
    let time = LogTime(microseconds: 0)
    let (state, payload) = (try Self.nested(depth), try Self.nested(depth - 1))
    let first = writer.begin(step: 1, at: time, action: Self.action(payload))
    writer.append(StepRecord(number: 1, time: time, action: first, changes: []))
    writer.append(
      StepRecord(
        number: 2, time: time, action: Self.action(1),
        changes: [
          .init(store: "a", state: LogValue(json: state)),
          .init(store: "b", state: Self.list(payload)),
        ]))
    writer.append(
      StepRecord(
        number: 3, time: time, action: Self.action(2),
        changes: [
          .init(store: "a", state: LogValue(json: 1)), .init(store: "b", state: Self.list(1)),
        ]))
    try writer.close()
    return failures.withLock { $0 }
  }

  @Test("An action or a state that readers would refuse is left out and reported")
  func steps() throws {
    let deepest = JSON.maximumDepthInLine
    let failures = try write(depth: deepest + 1)
    guard failures.count == 1, case .cannotEncode(1, nil, let why) = failures[0] else {
      Issue.record("\(failures)")
      return
    }
    #expect(why.contains("more than 504 arrays and objects"))
    let timeline = Timeline(try LogFile.opened(path))
    #expect(try timeline.check() == [])
    #expect(timeline.log.gaps.map(\.gap) == [LogGap(from: 1, through: 2, why: .dropped)])
    #expect(try timeline.state(of: "a", at: 0) == 1)
  }

  @Test("A log has actions and states up to the limit, whole and in patches")
  func deepest() throws {
    let deepest = JSON.maximumDepthInLine
    #expect(try write(depth: deepest) == [])
    let timeline = Timeline(try LogFile.opened(path))
    #expect(try timeline.check() == [])
    #expect(timeline.log.count == 3)
    #expect(try timeline.state(of: "a", at: 1) == Self.nested(deepest))
    #expect(timeline.log.shape(at: 1)?.kind(of: "b") == .patch)
  }

  @Test(
    "A patch to a state that no line could hold does not apply, and every other state can be shown")
  func patches() throws {
    let deepest = JSON.maximumStateDepth
    let inner = String(repeating: "/0", count: 400)
    func step(_ number: Int, _ type: String, _ path: String, _ value: JSON) -> String {
      #"{"n":\#(number),"t":0,"action":{"type":"\#(type)"},"#
        + #""patches":{"a":[{"op":"\#(type)","path":"\#(path)","value":\#(value)}]}}"#
    }
    let lines = [
      #"{"flux":"1.1","stores":{"a":{"initial":\#(try Self.nested(401))}}}"#,
      step(1, "add", inner + "/0", try Self.nested(deepest - 401)),
      step(2, "replace", inner + "/0", try Self.nested(deepest - 401)),
      step(3, "replace", inner + "/0", try Self.nested(deepest - 400)),
      #"{"n":4,"t":0,"action":{"type":"end"},"states":{"a":0}}"#,
    ]
    _ = try folder.write(lines.map(SampleLog.summed).joined().utf8, to: "log.jsonl")
    let timeline = Timeline(try LogFile.opened(path))
    for position in timeline.positions where position != 2 {
      #expect(try timeline.model(at: position).unknownStores == [])
      #expect(try timeline.document(at: position).json()["n"] != nil)
      if position >= 0 {
        #expect(throws: Never.self) { try timeline.line(at: position, withModel: true) }
      }
    }
    #expect(try timeline.state(of: "a", at: 1) == Self.nested(deepest))
    #expect(try timeline.model(at: 2).unknownStores == ["a"])
    let problems = try timeline.check().map(\.problem).filter(\.isDamage)
    let reason =
      "operation 0 (replace \"\(inner)/0\"): the result would nest deeper than 510 levels"
    #expect(problems == [.patchDoesNotApply(store: "a", reason: reason)])
  }

  @Test("A header that readers would refuse is an error, and there is no log")
  func headers() throws {
    let tooDeep = try Self.nested(JSON.maximumDepthInLine + 1)
    let late = LogInstant(microseconds: 253_402_300_800_000_000)
    #expect(LogInstant(late.description) == nil)
    for header in [
      LogHeader(stores: [.init(name: "a", initial: tooDeep)]),
      LogHeader(circumstances: ["locale": tooDeep]), LogHeader(first: 1 << 63),
      LogHeader(first: .max), LogHeader(created: late),
    ] {
      #expect(throws: LogError.self) { try LogWriter(path: path, header: header) }
      #expect(throws: LogError.self) { try LogFile.open(path) }
      #expect(throws: LogError.self) { try LogWriter(memory: 1 << 20, header: header) }
    }
    let writer = try LogWriter(
      path: path,
      header: LogHeader(
        created: LogInstant(microseconds: late.microseconds - 1), first: (1 << 63) - 1,
        circumstances: ["locale": try Self.nested(JSON.maximumDepthInLine)]))
    try writer.close()
    #expect(try LogFile.opened(path).findings == [])
  }
}
