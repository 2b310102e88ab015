import Testing

@testable import Harness

@Suite struct MeasuringTests {
  /// Reads each of the loads once, and the last one from there on.
  private func control(_ loads: [Double] = [1]) -> Control {
    var left = loads[...]
    return Control(whole: 1, first: 0) { _ in
      left.count > 1 ? left.removeFirst() : left[left.startIndex]
    }
  }

  @Test("a figure is measured beside those rivals that are here")
  func rivals() throws {
    let suite = Suite(
      "suite",
      [
        Figure("size", in: .bytesPerStep, target: .timesRival(2)) {
          Contest(
            .counted { [10, 12, 11] }, on: "input",
            beside: [
              Rival("absent", absent: "not installed"), Rival("large", .counted { [33] }),
            ])
        }
      ])
    #expect(
      try suite.measure(suite.figures[0], .quick, control())
        == Row(
          name: "suite/size", input: "input", unit: .bytesPerStep, series: Series([11, 10, 12]),
          rivals: [
            .init(name: "absent", series: nil, absence: "not installed"),
            .init(name: "large", series: Series([33]), absence: nil),
          ], target: .timesRival(2), limit: nil))
  }

  @Test("times become the figure's unit")
  func units() throws {
    let amounts: [(Unit, Int, Double)] = [
      (.nanoseconds, 2, 1e9), (.microseconds, 1, 2e6), (.milliseconds, 4, 500),
      (.gigabytesPerSecond, 4_000_000_000, 2), (.stepsPerSecond, 10, 5),
    ]
    for (unit, amount, value) in amounts {
      let figure = Figure("figure", in: unit) {
        Contest(.timed(amount: amount) { [Lap(seconds: 2)] })
      }
      #expect(
        try Suite("suite", [figure]).measure(figure, .quick, control()).series.median == value)
    }
  }

  @Test("short work is repeated, at least three samples of it are taken")
  func repeating() throws {
    var runs = 0
    let figure = Figure("figure", in: .nanoseconds) { Contest(.repeated { runs += 1 }) }
    let row = try Suite("suite", [figure]).measure(figure, .quick, control())
    #expect(row.series.count >= 3)
    #expect(runs > row.series.count)
  }

  @Test("a round with a shared core before or after it is made again, for that work only")
  func repeatedRounds() throws {
    var (own, theirs) = (0.0, 0.0)
    let figure = Figure("figure", in: .milliseconds) {
      Contest(
        .timed(rounds: 2) {
          own += 1
          return [Lap(seconds: own, faults: own)]
        },
        beside: [
          Rival(
            "rival",
            .timed {
              theirs += 1
              return [Lap(seconds: theirs)]
            })
        ])
    }
    // Before all; after the figure's round, the rival's, and the figure's second; while that waits, and after it.
    let row = try Suite("suite", [figure]).measure(
      figure, .quick, control([1, 1, 1, 1.2, 1.3, 1.2, 1]))
    #expect(own == 3)
    #expect(theirs == 1)
    #expect(row.series == Series([1_000, 3_000]))
    #expect(
      row.rounds == RoundSummary(load: 1, whole: 1, isShared: false, repeated: 1, faults: 2))
  }

  @Test("where no round had a whole core, the figure is of shared ones, and marked")
  func sharedRounds() throws {
    let figure = Figure("figure", in: .milliseconds) {
      Contest(.timed(rounds: 2) { [Lap(seconds: 1)] })
    }
    let impatient = Sampling(samples: 9, sampleSeconds: 0, mostSeconds: 0)
    let row = try Suite("suite", [figure]).measure(figure, impatient, control([1.5]))
    #expect(row.series == Series([1_000, 1_000]))
    #expect(
      row.rounds == RoundSummary(load: 1.5, whole: 1, isShared: true, repeated: 0, faults: nil))
  }

  @Test(
    "fresh pages are those of a step where steps are counted, otherwise of a run",
    arguments: [(Unit.microseconds, 3.0), (.gigabytesPerSecond, 12), (.stepsPerSecond, 3)])
  func faults(unit: Unit, faults: Double) throws {
    let figure = Figure("figure", in: unit) {
      Contest(.timed(amount: 4) { [Lap(seconds: 1, faults: 12)] })
    }
    let row = try Suite("suite", [figure]).measure(figure, .quick, control())
    #expect(row.rounds?.faults == faults)
  }

  @Test(
    "figures are found by parts of their names",
    arguments: [
      ("", ["one", "two"]), ("TWO", ["two"]), ("suite/", ["one", "two"]), ("three", []),
    ])
  func filter(text: String, names: [String]) {
    let figures = ["one", "two"].map { name in
      Figure(name, in: .percent) { Contest(.counted { [1] }) }
    }
    let suite = Suite("suite", figures)
    #expect(suite.filtered(by: text).figures.map(\.name) == names)
    #expect(suite.only(names.map { "suite/\($0)" }).figures.map(\.name) == names)
  }

  @Test(
    "a target is met or missed, or there is nothing to compare with",
    arguments: [
      (Target.atMost(11), [], true as Bool?), (.atMost(10), [], false),
      (.timesRival(3), [33], true), (.timesRival(4), [33], false), (.timesRival(1), [], nil),
    ])
  func targets(target: Target, theirs: [Double], isMet: Bool?) {
    let rivals =
      theirs.isEmpty ? [] : [Row.Rival(name: "rival", series: Series(theirs), absence: nil)]
    let row = Row(
      name: "figure", input: "", unit: .microseconds, series: Series([11]), rivals: rivals,
      target: target, limit: nil)
    #expect(row.isMet == isMet)
  }

  @Test(
    "a cost counts the operations of a yardstick, of times as of speeds",
    arguments: [
      (Unit.microseconds, 12.0, 3.0, 4.0), (.stepsPerSecond, 2, 10, 5),
      (.gigabytesPerSecond, 2, 10, 5),
    ])
  func costs(unit: Unit, own: Double, yardstick: Double, cost: Double) throws {
    let row = Row(
      name: "figure", input: "", unit: unit, series: Series([own]), rivals: [],
      yardstick: .init(name: "scans of 4 KB", series: Series([yardstick]), absence: nil),
      target: .atMost(cost, .scan), limit: .atMost(cost * 0.9, .scan))
    let found = try #require(row.cost)
    #expect(abs(found - cost) < 1e-9)
    #expect(row.isMet == true)
    #expect(row.reachesLimit == false)
  }

  @Test("every yardstick is measured with its figure", arguments: Yardstick.allCases)
  func yardsticks(yardstick: Yardstick) throws {
    let figure = Figure(
      "figure", in: .nanoseconds, target: .atMost(1_000_000_000, yardstick)
    ) {
      Contest(.timed { [Lap(seconds: 1e-6, faults: 0)] })
    }
    let row = try Suite("suite", [figure]).measure(figure, .quick, control())
    #expect(row.yardstick?.name == yardstick.plural)
    #expect((row.yardstick?.series?.median ?? 0) > 0)
    #expect(row.isMet == true)
  }
}
