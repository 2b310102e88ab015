import Harness
import Testing

@Suite struct ReportComparisonTests {
  @Test(
    "a change counts where it is larger than 3 % and than both spreads together",
    arguments: [
      (Unit.microseconds, [100.0], [102.0], ReportComparison.Verdict.same),
      (.microseconds, [100], [110], .worse),
      (.microseconds, [100], [90], .better),
      (.gigabytesPerSecond, [100], [110], .better),
      (.gigabytesPerSecond, [100], [90], .worse),
      (.microseconds, [90, 100, 110], [108], .same),
      (.microseconds, [0], [0], .same),
      (.microseconds, [0], [1], .worse),
    ])
  func verdict(
    unit: Unit, before: [Double], after: [Double], verdict: ReportComparison.Verdict
  ) {
    func report(_ values: [Double]) -> Report {
      Examples.report([
        Row(
          name: "a", input: "", unit: unit, series: Series(values), rivals: [], target: nil,
          limit: nil)
      ])
    }
    let lines = ReportComparison(report(before), report(after)).lines
    #expect(lines.map(\.verdict) == [verdict])
  }

  @Test("figures that had other shares of their cores are not compared")
  func loads() {
    func report(_ value: Double, load: Double, isShared: Bool) -> Report {
      Examples.report([
        Row(
          name: "a", input: "", unit: .microseconds, series: Series([value]), rivals: [],
          target: nil, limit: nil,
          rounds: RoundSummary(
            load: load, whole: 1, isShared: isShared, repeated: 0, faults: nil))
      ])
    }
    #expect(
      ReportComparison(
        report(100, load: 1, isShared: false), report(150, load: 1.3, isShared: true)
      ).table.text == """
        figure  unit  before  after   change                  loads
        a       us       100    150  +50.0 %  NOT COMPARABLE  1, 1.30 shared

        """)
    let alike = ReportComparison(
      report(100, load: 1.3, isShared: true), report(150, load: 1.3, isShared: true))
    #expect(alike.lines.map(\.verdict) == [.worse])
  }

  @Test("figures that only one of two commits has are told")
  func ends() {
    let comparison = ReportComparison(
      Examples.report([Examples.parse, Examples.encode]),
      Examples.report([Examples.encode, Examples.read]))
    #expect(
      comparison.table.text == """
        figure       unit  before  after  change           loads
        json/encode  us       500    500  +0.0 %           1.31 shared, 1.31 shared
        open/read    ns              120          added
        json/parse   GB/s    1.50                 removed

        """)
  }
}
