import FluxJSON
import FluxLog
import Testing

@testable import FluxReplay

@Suite struct ReplayComparerTests {
  private static let recorded =
    #"{"n":1,"t":0.1,"action":{"type":"count/up"},"states":{"count":1}}"#

  private func divergence(_ first: JSON?, _ second: JSON?) throws -> Divergence? {
    let log = try WrittenLog([Self.recorded], members: #","redacted":["/count/key"]"#).open().log
    let app = ScriptedApp { _ in [] }.describe()
    var comparer = ReplayComparer(
      try ComparisonContext(log: log, app: app, .init()), beginningIn: ["count": 7])
    let steps = [first, second].map { state in
      ReplayedStep(
        number: 1, time: LogTime(microseconds: 100_000),
        changes: state.map { [.init(store: "count", state: $0)] } ?? [])
    }
    try comparer.compare(log.step(at: 0), steps[0], steps[1])
    return comparer.divergences.first
  }

  @Test("a replay that changed nothing has the state from before")
  func unchanged() throws {
    let found = try #require(try divergence(nil, 8))
    #expect(found.recorded == 7 && found.replayed == 8)
    // A change to the same state is none.
    #expect(try divergence(nil, 7) == nil)
    #expect(try divergence(8, 8) == nil)
  }

  @Test("of a redacted value, only the presence is compared, and the divergence says so")
  func redacted() throws {
    #expect(try divergence(["key": "a"], ["key": "b"]) == nil)
    let found = try #require(try divergence(["key": .null], ["key": "b"]))
    #expect(found.path?.description == "/count/key" && found.isRedacted)
    #expect(found.recorded == .null && found.replayed == "<redacted>")
  }
}
