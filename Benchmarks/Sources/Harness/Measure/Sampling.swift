/// How often work is repeated.
package struct Sampling: Sendable {
  /// The number of samples, where the time allows.
  let samples: Int
  /// The aim for the time of one sample: shorter work is repeated within it.
  ///
  /// Some milliseconds: of longer ones, a neighbour has come and gone in the midst of too many, where the control does
  /// not see it.
  let sampleSeconds: Double
  /// The time after which no further sample of a work is taken, and which repeating rounds may take.
  let mostSeconds: Double

  package static let thorough = Sampling(samples: 50, sampleSeconds: 0.008, mostSeconds: 4)
  package static let quick = Sampling(samples: 20, sampleSeconds: 0.004, mostSeconds: 0.5)

  /// What was measured of a work.
  struct Outcome {
    let values: [Double]
    /// Nil where what is measured is not a time, and no core has to do with it.
    let rounds: RoundSummary?
  }

  /// Measures all works in turns, so that each meets the same weather on the machine, and again where the control shows
  /// that a core was shared.
  ///
  /// The runs that find out how often to repeat a work warm it up, and do not count.
  ///
  /// - Parameters:
  ///   - works: The figure's own work, and those of its rivals.
  ///   - unit: What they are counted in.
  ///   - cores: Which cores they need.
  ///   - control: Tells what there was of them.
  /// - Returns: For each work its values in the unit, three at least of each that can be repeated.
  /// - Throws: What the works throw.
  func measure(
    _ works: [Work], in unit: Unit, on cores: Cores, _ control: Control
  ) throws -> [Outcome] {
    var measurements = try works.map { try Measurement($0, of: unit, self) }
    var before: Double?
    while measurements.contains(where: { !$0.isDone }) {
      for index in measurements.indices where !measurements[index].isDone {
        let first = measurements[index].wait(
          from: before ?? control.load(of: cores), for: cores, control)
        before = first
        guard !measurements[index].isDone else { continue }
        let round = try measurements[index].round()
        let last = control.load(of: cores)
        measurements[index].take(round, load: max(first, last))
        before = last
      }
    }
    return measurements.map { $0.outcome(whole: control.whole) }
  }
}
