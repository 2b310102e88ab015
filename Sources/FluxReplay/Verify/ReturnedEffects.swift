import FluxLog

/// The effects that must have been started, because recorded steps came back from them.
///
/// A recorded step that names an effect proves that its cause started it. Logs before version 1.1 have no other record
/// of effects.
struct ReturnedEffects {
  private var names: [UInt64: [String]] = [:]
  /// The number of steps that came back from an effect.
  private(set) var steps = 0
  /// The number of those steps whose causes are not replayed.
  private(set) var stepsWithoutCause = 0

  /// Finds the effects from which the steps of a range came back, given the stretches of it that are replayed.
  ///
  /// Damaged steps end the search, as they end the replay.
  init(_ log: LogFile, _ range: Range<Int>, stretches: [Range<Int>]) throws(LogError) {
    var rest = range
    while let position = log.position(in: rest, shapeWhere: { $0.hasCause }) {
      rest = position + 1..<range.upperBound
      let found = try LogError.unlessDamaged { () throws(LogError) in try log.step(at: position) }
      guard let step = found else { return }
      guard let cause = step.cause, let effect = step.effect else { continue }
      steps += 1
      guard let origin = log.position(of: cause),
        stretches.contains(where: { $0.contains(origin) })
      else {
        stepsWithoutCause += 1
        continue
      }
      if !names[cause, default: []].contains(exactly: effect) {
        names[cause, default: []].append(effect)
      }
    }
  }

  /// The names of the effects that a step must have started, in the order in which they came back.
  func started(by step: UInt64) -> [String] { names[step] ?? [] }
}
