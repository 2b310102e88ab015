/// How often work is repeated.
package struct Sampling: Sendable {
  /// The number of samples, where the time allows.
  let samples: Int
  /// The aim for the time of one sample: shorter work is repeated within it.
  let sampleSeconds: Double
  /// The time after which no further sample is taken.
  let mostSeconds: Double

  package static let thorough = Sampling(samples: 25, sampleSeconds: 0.02, mostSeconds: 4)
  package static let quick = Sampling(samples: 9, sampleSeconds: 0.01, mostSeconds: 0.5)

  /// Measures all works in turns, so that each meets the same weather on the machine.
  ///
  /// The runs that find out how often to repeat a work warm it up, and do not count.
  ///
  /// - Returns: For each work its values in the unit, three at least of each that can be repeated.
  func measure(_ works: [Work], in unit: Unit) throws -> [[Double]] {
    let runs = try works.map { try calibrate($0) }
    var values = try works.map { try ownValues(of: $0, in: unit) }
    let start = ContinuousClock.now
    for sample in 0..<samples {
      let spent = (ContinuousClock.now - start) / .seconds(1)
      if sample >= 3, spent > mostSeconds * Double(works.count) { break }
      for (index, work) in works.enumerated() {
        guard case .repeated(let body) = work.kind else { continue }
        let seconds = try Stopwatch.seconds { try body(runs[index]) }
        values[index].append(
          unit.value(seconds: seconds / Double(runs[index]), amount: work.amount))
      }
    }
    return values
  }

  private func calibrate(_ work: Work) throws -> Int {
    guard case .repeated(let body) = work.kind else { return 0 }
    var runs = 1
    while try Stopwatch.seconds({ try body(runs) }) < sampleSeconds, runs < 1 << 24 { runs *= 2 }
    return runs
  }

  private func ownValues(of work: Work, in unit: Unit) throws -> [Double] {
    switch work.kind {
    case .repeated: []
    case .timed(let body): try body().map { unit.value(seconds: $0, amount: work.amount) }
    case .counted(let body): try body()
    }
  }
}
