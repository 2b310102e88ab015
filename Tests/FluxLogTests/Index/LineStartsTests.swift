import TestFixtures
import Testing

@testable import FluxLog

@Suite struct LineStartsTests {
  @Test(
    "Every start is the one that was put in",
    arguments: [0, 1, 2, 63, 64, 65, 128, 129, 1000], [1, 255, 256, 70_000, 1_000_000])
  func starts(count: Int, longest: UInt32) throws {
    var generator = SeededGenerator()
    var place: UInt32 = 17
    let starts = (0..<count).map { _ in
      place += UInt32.random(in: 1...longest, using: &generator)
      return place
    }
    let column = LineStarts(starts)
    #expect(column.count == count)
    #expect(column.all == starts, "seed \(SeededGenerator.seed)")
    #expect((0..<count).map { column[$0] } == starts.map { Int($0) })
    #expect(column.last == starts.last.map { Int($0) })
  }
}
