import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

/// 82 reductions from the tests of other libraries, each a log of one step.
@Suite(.enabled(if: Corpora.isPresent))
struct ReducerVectorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Every state is read back equal", arguments: [LogWriter.Options.States.full, .adaptive])
  func vectors(_ mode: LogWriter.Options.States) throws {
    let vectors = try Corpora.json("reducer-vectors/vectors.small.json")
    #expect(vectors.count == 82)
    for (place, vector) in vectors.elements.enumerated() {
      let expected = try #require(vector["expectedState"])
      let before = vector["initialState"]
      let recording = TestRecording(
        stores: [.init(name: "s", type: "S", isFeature: before == nil, initial: before)],
        steps: [.init(number: 1, type: "reduce", model: ["s": expected])])
      let path = folder.path("\(place).jsonl")
      try recording.write(to: path, mode)
      let timeline = Timeline(try LogFile.opened(path))
      let id = vector["id"]?.string ?? "\(place)"
      #expect(try timeline.state(of: "s", at: 0) == expected, "\(id)")
      #expect(try timeline.state(of: "s", at: Timeline.start) == before, "\(id)")
    }
  }

  @Test(
    "One log of all of them gives each state, from any direction",
    arguments: [LogWriter.Options.States.full, .adaptive])
  func oneLog(_ mode: LogWriter.Options.States) throws {
    let states = try Corpora.json("reducer-vectors/vectors.small.json").elements.flatMap {
      [$0["initialState"], $0["expectedState"]].compactMap { $0 }
    }
    var recording = TestRecording(stores: [.init(name: "s", type: "S", initial: 0)])
    for (place, state) in states.enumerated() {
      recording.steps.append(
        .init(number: UInt64(place) + 1, type: "reduce", model: ["s": state]))
    }
    let path = folder.path("all.jsonl")
    try recording.write(to: path, mode)
    let timeline = Timeline(try LogFile.opened(path))
    for position in states.indices.reversed() {
      #expect(try timeline.state(of: "s", at: position) == states[position])
    }
    for position in states.indices {
      #expect(try timeline.state(of: "s", at: position) == states[position])
    }
  }
}
