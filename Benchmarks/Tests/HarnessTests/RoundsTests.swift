import Testing

@testable import Harness

@Suite struct RoundsTests {
  /// Rounds of a second, of the values 1, 2, 3 and so on, as many as are asked for, with the loads in turns.
  private func rounds(_ limits: Rounds.Limits, loads: [Double]) -> Rounds {
    var rounds = Rounds(limits)
    var number = 0
    while !rounds.isDone, number < 100 {
      let load = loads[number % loads.count]
      number += 1
      rounds.add([Double(number)], seconds: 1, load: load)
    }
    return rounds
  }

  @Test(
    "rounds with a shared core are repeated, and only they, until the time or the number is used up",
    arguments: [
      // Whole cores: nothing is repeated, and the time ends the rounds, after the fewest.
      (3, 1, 9, [1, 1.01, 1.029], [1, 2, 3], 0, false),
      (9, 2, 1.5, [1], [1, 2], 0, false),
      (9, 4, 1.5, [1], [1, 2, 3, 4], 0, false),
      // The second and the fifth are shared: so many others are made.
      (4, 1, 9, [1, 1.2, 1], [1, 3, 4, 6], 2, false),
      // Time for two repeated rounds, of which none is quiet.
      (4, 4, 2, [1.2, 1.2, 1, 1.03], [3], 2, false),
      // Always shared: all are taken, and eight times as many at most.
      (2, 2, 2, [1.2], [1, 2, 3, 4], 2, true),
      (1, 1, 99, [1.2], [1, 2, 3, 4, 5, 6, 7, 8, 9], 8, true),
    ] as [(Int, Int, Double, [Double], [Double], Int, Bool)])
  func policy(
    regular: Int, fewest: Int, mostSeconds: Double, loads: [Double], values: [Double],
    repeated: Int, isShared: Bool
  ) {
    let rounds = rounds(
      .init(regular: regular, fewest: fewest, mostSeconds: mostSeconds), loads: loads)
    #expect(rounds.values == values)
    let summary = rounds.summary(whole: 1)
    #expect(summary.repeated == repeated)
    #expect(summary.isShared == isShared)
  }

  @Test("repeated rounds wait for a whole core, for as long as repeating may last")
  func patience() {
    var rounds = Rounds(.init(regular: 1, fewest: 1, mostSeconds: 4))
    #expect(rounds.patience == 0)
    rounds.add([1], seconds: 9, load: 1.2)
    #expect(rounds.patience == 4)
    rounds.wait(1)
    rounds.add([2], seconds: 2, load: 1.2)
    #expect(rounds.patience == 1)
    #expect(!rounds.isDone)
    rounds.wait(1.5)
    #expect(rounds.patience == 0)
    #expect(rounds.isDone)
  }

  @Test("what a round came to has no say in whether it counts", arguments: [0.001, 7, 1_000])
  func values(value: Double) {
    var rounds = Rounds(.init(regular: 3, fewest: 3, mostSeconds: 1))
    for (number, load) in [1, 1.2, 1].enumerated() {
      rounds.add([number == 1 ? 7 : value], seconds: 0, load: load)
    }
    #expect(!rounds.isDone)
    #expect(rounds.values == [value, value])
  }

  @Test("what is told is of the rounds that count")
  func summary() {
    var rounds = Rounds(.init(regular: 3, fewest: 3, mostSeconds: 1))
    rounds.add([1, 2], faults: [8, 4], seconds: 1, load: 1)
    rounds.add([3, 4], faults: [1_000, 1_000], seconds: 1, load: 1.3)
    rounds.add([5, 6], faults: [], seconds: 1, load: 1.02)
    #expect(
      rounds.summary(whole: 0.95)
        == RoundSummary(load: 1.02, whole: 0.95, isShared: false, repeated: 0, faults: 6))
  }

  @Test(
    "figures are alike where the control read the same, whatever was known of a whole core",
    arguments: [(1, 1, 1.02, 1, true), (1, 1, 1.04, 1, false), (1, 1.25, 1.25, 1, true)])
  func likeness(load: Double, whole: Double, other: Double, otherWhole: Double, isLike: Bool) {
    func summary(_ load: Double, _ whole: Double) -> RoundSummary {
      RoundSummary(load: load, whole: whole, isShared: false, repeated: 0, faults: nil)
    }
    #expect(summary(load, whole).isLike(summary(other, otherWhole)) == isLike)
    #expect(summary(other, otherWhole).isLike(summary(load, whole)) == isLike)
  }
}
