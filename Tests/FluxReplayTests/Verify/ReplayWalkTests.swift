import FluxJSON
import FluxLog
import Synchronization
import Testing

@testable import FluxReplay

@Suite struct ReplayWalkTests {
  private final class Calls: Sendable {
    let numbers = Mutex<[[UInt64]]>([])
  }

  @Test("a state that is not written ends a call, and progress counts whole batches")
  func unwritten() throws {
    let steps = (1...6).map { number in
      let change =
        [2, 3, 5].contains(number) ? #""unwritten":["count"]"# : #""states":{"count":\#(number)}"#
      return #"{"n":\#(number),"t":0.1,"action":{"type":"count/up"},\#(change)}"#
    }
    let calls = Calls()
    let app = ScriptedApp { actions in
      let numbers = actions.compactMap(\.number)
      calls.numbers.withLock { $0.append(numbers) }
      return numbers.map { number in
        ReplayedStep(
          number: number, time: LogTime(microseconds: 100_000),
          changes: [.init(store: "count", state: JSON(message: number))])
      }
    }
    var progress: [Int] = []
    let report = try app.verifyHere(WrittenLog(steps).open()) { done, _ in
      progress.append(done)
    }
    #expect(report.verdict == .passed)
    #expect(calls.numbers.withLock { $0 } == [[1, 2], [3], [4, 5], [6]])
    #expect(progress == [0, 6])
  }
}
