// Checks that the contents of a sidecar are plausible for a log. Checksums do not help against
// someone who sets them. So everything that the reader relies on is checked here once, before it is
// used: places and numbers have to ascend and be in range. Contents that are plausible but wrong
// show when a line is read: it is not the expected step.

extension Sidecar {
  var isPlausible: Bool {
    guard checker.isPlausible, nextLine <= identity.size + 2,
      entries.reduce(0, { $0 + $1.count }) == checker.position
    else { return false }
    var end = 0
    for entry in entries {
      // A line takes at least one byte.
      guard entry.offset >= end, entry.end <= identity.size,
        entry.count <= entry.end - entry.offset, entry.firstLine >= 1, entry.firstLine <= nextLine
      else { return false }
      end = entry.end
    }
    return true
  }
}

extension SequenceChecker {
  /// The largest number in a line that can be counted up from.
  private static let largest = UInt64(Int64.max)

  fileprivate var isPlausible: Bool {
    let largest = Self.largest
    return expected <= largest && end.map { $0.steps <= largest } ?? true && hasPlausibleRuns
      && gaps.allSatisfy { $0.gap.from <= $0.gap.through && $0.gap.through < expected }
      && isAscending(gaps.map(\.position)) && isAscending(marks.map(\.position))
      && isAscending(breaks.map(\.position))
  }

  /// `true` if the step numbers ascend from run to run and fit below the next expected number.
  private var hasPlausibleRuns: Bool {
    guard runs.first.map({ $0.position == 0 }) ?? (position == 0) else { return false }
    var ends = runs.dropFirst().map { ($0.position, $0.number) }
    ends.append((position, expected))
    return zip(runs, ends).allSatisfy { run, end in
      guard run.position < end.0, run.number < end.1 else { return false }
      return UInt64(end.0 - run.position) <= end.1 - run.number
    }
  }

  private func isAscending(_ positions: [Int]) -> Bool {
    positions.allSatisfy { (0...position).contains($0) }
      && zip(positions, positions.dropFirst()).allSatisfy { $0 <= $1 }
  }
}
