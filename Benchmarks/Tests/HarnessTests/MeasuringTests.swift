import Harness
import Testing

@Suite struct MeasuringTests {
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
      try suite.measure(suite.figures[0], .quick)
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
      let figure = Figure("figure", in: unit) { Contest(.timed(amount: amount) { [2] }) }
      #expect(try Suite("suite", [figure]).measure(figure, .quick).series.median == value)
    }
  }

  @Test("short work is repeated, at least three samples of it are taken")
  func repeating() throws {
    var runs = 0
    let figure = Figure("figure", in: .nanoseconds) { Contest(.repeated { runs += 1 }) }
    let row = try Suite("suite", [figure]).measure(figure, .quick)
    #expect(row.series.count >= 3)
    #expect(runs > row.series.count)
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
    #expect(Suite("suite", figures).filtered(by: text).figures.map(\.name) == names)
  }

  @Test(
    "a target is met or missed, or there is nothing to compare with",
    arguments: [
      (Target.atMost(11), [], true as Bool?), (.atMost(10), [], false), (.atLeast(11), [], true),
      (.atLeast(12), [], false), (.timesRival(3), [33], true), (.timesRival(4), [33], false),
      (.timesRival(1), [], nil),
    ])
  func targets(target: Target, theirs: [Double], isMet: Bool?) {
    let rivals =
      theirs.isEmpty ? [] : [Row.Rival(name: "rival", series: Series(theirs), absence: nil)]
    let row = Row(
      name: "figure", input: "", unit: .microseconds, series: Series([11]), rivals: rivals,
      target: target, limit: nil)
    #expect(row.isMet == isMet)
  }
}
