import Harness
import Testing

@Suite struct PairedComparisonTests {
  private func rows(_ values: [(name: String, value: Double, load: Double)]) -> [Row] {
    values.map { name, value, load in
      Row(
        name: name, input: "", unit: .microseconds, series: Series([value]), rivals: [],
        target: nil, limit: nil,
        rounds: RoundSummary(
          load: load, whole: 1, isShared: load > 1, repeated: 0, faults: nil))
    }
  }

  @Test("only pairs with the same share of the cores count")
  func pairs() {
    let comparison = PairedComparison([
      (
        rows([("faster", 100, 1), ("chance", 100, 1), ("shared", 100, 1)]),
        rows([("faster", 50, 1), ("chance", 101, 1), ("shared", 200, 1.5), ("new", 1, 1)])
      ),
      (
        // Both shared: slower, and by as much.
        rows([("faster", 150, 1.5), ("chance", 100, 1), ("shared", 150, 1.2)]),
        rows([("faster", 75, 1.5), ("chance", 99, 1), ("shared", 100, 1), ("new", 1, 1)])
      ),
      (
        rows([("faster", 100, 1), ("chance", 100, 1)]),
        rows([("faster", 90, 1.5), ("chance", 140, 1.5), ("new", 1, 1)])
      ),
    ])
    #expect(
      comparison.table.text == """
        figure  unit  before  after   change  spread   pairs
        faster  us       150     75  -50.0 %  ±0.0 %  2 of 3  better
        chance  us       100    101   +1.0 %  ±1.0 %  2 of 3
        shared  us                                    0 of 2  NOT COMPARABLE

        """)
  }
}
