/// The rounds of one work: which of them count, and whether more are needed.
///
/// A round counts where the control saw a whole core before and after it. Others are repeated while the limits allow; what
/// a round came to has no say in that. Where no round counts, all do, and the figure is marked.
struct Rounds {
  /// How many rounds there are.
  struct Limits: Equatable {
    /// The rounds that are taken where the time allows.
    let regular: Int
    /// The rounds that are taken however long they last.
    let fewest: Int
    /// The seconds after which no further regular round is taken, and those that repeating may last, with the waiting.
    let mostSeconds: Double

    /// How many rounds may be repeated for each regular one.
    static let mostRepeated = 8
  }

  private struct Round {
    let values: [Double]
    let faults: [Double]
    let load: Double

    var isQuiet: Bool { load < Control.mostQuiet }
  }

  let limits: Limits
  private var rounds: [Round] = []
  private var regular = 0
  private var seconds = (regular: 0.0, repeated: 0.0)

  init(_ limits: Limits) { self.limits = limits }

  /// Takes in a round.
  ///
  /// - Parameters:
  ///   - values: What it came to, in the figure's unit.
  ///   - faults: The fresh pages of each of its operations, where they were counted.
  ///   - seconds: How long it lasted, with what it had to prepare.
  ///   - load: What the control showed, the worse of before and after.
  mutating func add(_ values: [Double], faults: [Double] = [], seconds: Double, load: Double) {
    if isRegularDone {
      self.seconds.repeated += seconds
    } else {
      self.seconds.regular += seconds
      regular += 1
    }
    rounds.append(Round(values: values, faults: faults, load: load))
  }

  /// How many seconds a repeated round may still wait for a whole core; 0 for one that is not repeated.
  var patience: Double { isRegularDone ? max(0, limits.mostSeconds - seconds.repeated) : 0 }

  /// Takes in how long a round waited.
  mutating func wait(_ seconds: Double) { self.seconds.repeated += seconds }

  /// Whether no more rounds are to be taken.
  var isDone: Bool {
    guard isRegularDone else { return false }
    let repeated = rounds.count - regular
    return rounds.count(where: \.isQuiet) >= regular || seconds.repeated >= limits.mostSeconds
      || repeated >= regular * Limits.mostRepeated
  }

  /// What the rounds that count came to.
  var values: [Double] { counting.flatMap(\.values) }

  /// What is told of the rounds; there has to be one at least.
  ///
  /// - Parameter whole: What the control reads of a whole core.
  /// - Returns: The control's load, how many were repeated, and the fresh pages of an operation.
  func summary(whole: Double) -> RoundSummary {
    let faults = counting.flatMap(\.faults)
    return RoundSummary(
      load: Series(counting.map(\.load)).median, whole: whole,
      isShared: !rounds.contains(where: \.isQuiet), repeated: rounds.count - regular,
      faults: faults.isEmpty ? nil : faults.reduce(0, +) / Double(faults.count))
  }

  private var isRegularDone: Bool {
    regular >= limits.regular
      || regular >= limits.fewest && seconds.regular >= limits.mostSeconds
  }

  private var counting: [Round] {
    let quiet = rounds.filter(\.isQuiet)
    return quiet.isEmpty ? rounds : quiet
  }
}
