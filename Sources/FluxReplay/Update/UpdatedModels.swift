import FluxJSON
import FluxLog

/// The model of an updated recording after the last step that was written, and the earlier ones to which the app goes back.
///
/// A gap that names a step stands for the new model after that step, so each replay begins in the model as it is written.
struct UpdatedModels {
  /// The present stores, by the app's names, with tokens in the redacted places.
  private(set) var current: StoreDictionary<JSON>
  /// The models to which the app goes back later, by the positions of the steps that led to them.
  private var earlier: [Int: StoreDictionary<JSON>] = [:]
  /// The positions of those steps.
  private let named: Set<Int>
  /// Writes the steps.
  let rewriter: LogRewriter
  /// `true` if the next accepted step is the first one after the app went back.
  private var awaitsWholeModel = false

  /// Begins in the initial states of the updated recording.
  init(
    beginningIn initial: StoreDictionary<JSON>, of log: LogFile, writtenTo rewriter: LogRewriter
  ) {
    self.rewriter = rewriter
    named = Set(log.breaks.compactMap { log.restoredPosition(before: $0.position) })
    current = initial
    keep(after: Timeline.start)
  }

  /// Keeps the model after the step at a position if the app goes back to it.
  mutating func keep(after position: Int) {
    if named.contains(position) { earlier[position] = current }
  }

  /// Goes back to the new model after the step at a position or, if a gap lists its states, to those.
  mutating func goBack(to position: Int?, _ listed: () throws -> StoreDictionary<JSON>) rethrows {
    current = try position.flatMap { earlier[$0] } ?? listed()
    awaitsWholeModel = true
  }

  /// Writes the next step, the first accepted one after a gap, with the whole model.
  mutating func write(
    model: StoreDictionary<JSON>, effects: [StoreEffects]? = nil
  ) throws(LogError) {
    (current, awaitsWholeModel) = (model, false)
    try rewriter.write(model: model, effects: effects)
  }

  /// Writes the next step, which was accepted, with its changes.
  mutating func write(
    _ changes: [ReplayedStep.Change], effects: [StoreEffects]? = nil
  ) throws(LogError) {
    for change in changes { current[change.store] = change.state }
    guard !awaitsWholeModel else { return try write(model: current, effects: effects) }
    try rewriter.write(
      changes.map { StepRecord.Change(store: $0.store, json: $0.state) }, effects: effects)
  }
}
