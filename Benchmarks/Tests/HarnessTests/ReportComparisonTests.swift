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

  @Test("figures that only one of two commits has are told")
  func ends() {
    let comparison = ReportComparison(
      Examples.report([Examples.parse, Examples.encode]),
      Examples.report([Examples.encode, Examples.read]))
    #expect(
      comparison.table.text == """
        figure       unit  before  after  change
        json/encode  us       500    500  +0.0 %
        open/read    ns              120          added
        json/parse   GB/s    1.50                 removed

        """)
  }
}
