import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct SequenceAlignmentTests {
  @Test(
    "What both have in common is paired up, in its order",
    arguments: [
      ([], [], []),
      ([1, 2, 3], [1, 2, 3], [[0, 0, 3]]),
      ([1, 2, 3], [1, 3], [[0, 0, 1], [2, 1, 1]]),
      ([1, 3], [1, 2, 3], [[0, 0, 1], [1, 2, 1]]),
      ([1, 2, 3, 4], [5, 2, 3, 6], [[1, 1, 2]]),
      ([1, 2], [3, 4], []),
      ([1, 1, 1], [1, 1], [[0, 0, 2]]),
      ([1, 2, 3, 1, 2, 3], [1, 2, 3], [[0, 0, 3]]),
    ] as [([UInt64], [UInt64], [[Int]])])
  func runs(old: [UInt64], new: [UInt64], expected: [[Int]]) {
    let runs = SequenceAlignment(old, new).runs
    #expect(runs.map { [$0.old, $0.new, $0.count] } == expected)
  }

  @Test("The stretches between the runs lead from the start to the end")
  func stretches() {
    let stretches = SequenceAlignment(of: ["a", "b", "c", "d"], ["a", "x", "c"]).stretches
    #expect(stretches.map(\.old) == [0..<0, 1..<2, 3..<4])
    #expect(stretches.map(\.new) == [0..<0, 1..<2, 3..<3])
    #expect(stretches.map(\.count) == [1, 1, 0])
  }

  @Test("Runs ascend, pair up equals only, and of few differences as many as can be")
  func random() {
    var generator = SeededGenerator()
    for round in 0..<200 {
      let old = sequence(&generator, count: 30)
      let new = sequence(&generator, count: 30)
      let runs = SequenceAlignment(old, new).runs
      #expect(isSound(runs, old, new), "round \(round), seed \(SeededGenerator.seed)")
      #expect(runs.reduce(0) { $0 + $1.count } == longest(old, new))
    }
  }

  @Test("Sequences with more differences than a search can bear are paired up by what is unique")
  func large() {
    var generator = SeededGenerator()
    let common = (0..<2000).map { UInt64($0) }
    func scattered() -> [UInt64] {
      common.flatMap { value -> [UInt64] in
        Bool.random(using: &generator) ? [value, generator.next() | 1 << 63] : [value]
      }
    }
    let (old, new) = (scattered(), scattered())
    let runs = SequenceAlignment(old, new).runs
    #expect(isSound(runs, old, new))
    #expect(runs.reduce(0) { $0 + $1.count } == 2000)
    // Nothing in common, and nothing unique.
    let (ones, twos) = (
      Array(repeating: UInt64(1), count: 600), Array(repeating: UInt64(2), count: 600)
    )
    #expect(SequenceAlignment(ones, twos).runs == [])
  }

  private func sequence(_ generator: inout SeededGenerator, count: Int) -> [UInt64] {
    (0..<Int.random(in: 0...count, using: &generator)).map { _ in
      UInt64.random(in: 0..<6, using: &generator)
    }
  }

  private func isSound(
    _ runs: [SequenceAlignment.Run], _ old: [UInt64], _ new: [UInt64]
  ) -> Bool {
    var (i, j) = (0, 0)
    for run in runs {
      guard run.old >= i, run.new >= j, run.count > 0 else { return false }
      (i, j) = (run.old + run.count, run.new + run.count)
      guard i <= old.count, j <= new.count, old[run.old..<i] == new[run.new..<j] else {
        return false
      }
    }
    return true
  }

  /// The length of a longest common subsequence, by the textbook.
  private func longest(_ old: [UInt64], _ new: [UInt64]) -> Int {
    var row = Array(repeating: 0, count: new.count + 1)
    for value in old {
      var diagonal = 0
      for j in new.indices {
        let above = row[j + 1]
        row[j + 1] = value == new[j] ? diagonal + 1 : max(above, row[j])
        diagonal = above
      }
    }
    return row[new.count]
  }
}
