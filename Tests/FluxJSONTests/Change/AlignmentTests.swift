import TestFixtures
import Testing

@testable import FluxJSON

@Suite("CommonSubsequence and UniqueMatches")
struct AlignmentTests {
  /// The length of a longest common subsequence, by the table that defines it.
  private func length(_ a: [UInt64], _ b: [UInt64]) -> Int {
    var row = Array(repeating: 0, count: b.count + 1)
    for x in a {
      var diagonal = 0
      for (j, y) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = x == y ? diagonal + 1 : max(above, row[j])
        diagonal = above
      }
    }
    return row[b.count]
  }

  @Test("The subsequence is common, ascending, and as long as any")
  func longest() throws {
    for run in 0..<300 {
      var random = RandomJSON(20_000 + run)
      let letters = 1 + random.below(6)
      let a = (0..<random.below(40)).map { _ in UInt64(random.below(letters)) }
      let b = (0..<random.below(40)).map { _ in UInt64(random.below(letters)) }
      var sequence = CommonSubsequence(old: a, new: b)
      let found = sequence.matches()
      let matches = try #require(found)
      let note: Comment = "seed \(SeededGenerator.seed), run \(run): \(a) and \(b)"
      #expect(matches.count == length(a, b), note)
      #expect(matches.allSatisfy { a[$0.old] == b[$0.new] }, note)
      expectAscending(matches, note)
    }
  }

  private func expectAscending(_ matches: [(old: Int, new: Int)], _ note: Comment) {
    for (first, second) in zip(matches, matches.dropFirst()) {
      #expect(first.old < second.old && first.new < second.new, note)
    }
  }

  @Test("Beyond the limit of differences the search is given up, in bounded time")
  func limit() {
    let a = (0..<100_000).map { UInt64($0) }
    var sequence = CommonSubsequence(old: a, new: a.map { $0 + 1_000_000 })
    let matches = sequence.matches()
    #expect(matches == nil)
    #expect(sequence.steps < 100_000)
  }

  @Test("What occurs once on both sides is paired up where the order is the same")
  func unique() {
    let matches = UniqueMatches.ascending([1, 2, 3, 4, 5, 5, 6], [9, 4, 2, 3, 5, 6, 6, 1])
    #expect(matches.map(\.old) == [1, 2])
    #expect(matches.map(\.new) == [2, 3])
    var random = RandomJSON(30_000)
    let a = (0..<5_000).map { UInt64($0) }
    let shuffled = UniqueMatches.ascending(a, a.shuffled(using: &random))
    expectAscending(shuffled, "seed \(SeededGenerator.seed)")
    #expect(shuffled.count > 100)
    #expect(UniqueMatches.ascending(a, a).count == a.count)
  }
}
