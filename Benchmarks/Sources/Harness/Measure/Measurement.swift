/// A work while it is measured.
struct Measurement {
  /// What a round took, and how long it lasted with what it had to prepare.
  struct Round {
    let laps: [Lap]
    let seconds: Double
  }

  private let run: () throws -> [Lap]
  private let unit: Unit
  private let amount: Double
  /// Nil where there is nothing to repeat.
  private var rounds: Rounds?
  private var counted: [Double] = []

  /// Prepares a work: finds out how often it has to be run for a round, or counts what there is to count.
  init(_ work: Work, of unit: Unit, _ sampling: Sampling) throws {
    self.unit = unit
    amount = work.amount
    switch work.kind {
    case .repeated(let body):
      let runs = try Self.runs(of: body, lasting: sampling.sampleSeconds)
      run = {
        let lap = try Stopwatch.lap { try body(runs) }
        return [
          Lap(seconds: lap.seconds / Double(runs), faults: lap.faults.map { $0 / Double(runs) })
        ]
      }
      rounds = Rounds(
        .init(regular: sampling.samples, fewest: 3, mostSeconds: sampling.mostSeconds))
    case .timed(let count, let body):
      run = body
      rounds = Rounds(.init(regular: count, fewest: count, mostSeconds: sampling.mostSeconds))
    case .counted(let body):
      run = { [] }
      counted = try body()
    }
  }

  /// The shortest power of two that lasts as long.
  private static func runs(
    of body: (Int) throws -> Void, lasting seconds: Double
  ) throws -> Int {
    var runs = 1
    while try Stopwatch.seconds({ try body(runs) }) < seconds, runs < 1 << 24 { runs *= 2 }
    return runs
  }

  var isDone: Bool { rounds?.isDone ?? true }

  func round() throws -> Round {
    var laps: [Lap] = []
    let seconds = try Stopwatch.seconds { laps = try run() }
    return Round(laps: laps, seconds: seconds)
  }

  mutating func take(_ round: Round, load: Double) {
    rounds?.add(
      round.laps.map { unit.value(seconds: $0.seconds, amount: amount) },
      faults: round.laps.compactMap { lap in lap.faults.map { $0 / unit.operations(amount) } },
      seconds: round.seconds, load: load)
  }

  func outcome(whole: Double) -> Sampling.Outcome {
    Sampling.Outcome(values: rounds?.values ?? counted, rounds: rounds?.summary(whole: whole))
  }
}
