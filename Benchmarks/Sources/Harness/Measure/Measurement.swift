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

  /// Waits until a round that is repeated can begin with whole cores, or until its time is over.
  ///
  /// - Parameters:
  ///   - load: What the control showed last.
  ///   - cores: Which cores the work needs.
  ///   - control: Tells what there is of them.
  /// - Returns: What the control shows at the end.
  mutating func wait(from load: Double, for cores: Cores, _ control: Control) -> Double {
    guard let patience = rounds?.patience, patience > 0 else { return load }
    var load = load
    let waited = Stopwatch.seconds {
      let clock = ContinuousClock()
      let end = clock.now + .seconds(patience)
      while load >= Control.mostQuiet, clock.now < end { load = control.load(of: cores) }
    }
    rounds?.wait(waited)
    return load
  }

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
