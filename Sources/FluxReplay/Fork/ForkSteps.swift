import FluxJSON
import FluxLog

/// The steps of a fork, in order.
///
/// A session has many steps that differ only in their actions and times, so the collection stores what they have in
/// common once, and actions as text. It creates a ``ForkStep`` when it is read.
public struct ForkSteps: RandomAccessCollection, Sendable {
  private struct Row {
    var time: LogTime
    /// The end of the action's text.
    var actionEnd: Int
    var cause: UInt64
    var repeats: UInt64
    /// The index of the step's traits.
    var traits: UInt32
    var hasCause: Bool
    var hasRepeats: Bool
  }

  /// The parts that many steps have in common.
  private struct Traits: Equatable {
    let target: String?
    let effect: String?
    let from: String?
    let rejection: LogRejection?
    let changed: [String]
    let effects: [String]
    let storeEffects: [StoreEffects]

    init(_ step: ForkStep) {
      (target, effect, from) = (step.target, step.effect, step.from)
      (rejection, changed) = (step.rejection, step.changed)
      (effects, storeEffects) = (step.effects, step.storeEffects)
    }
  }

  private let first: UInt64
  private var rows: [Row] = []
  private var actions: [UInt8] = []
  private var traits: [Traits] = []
  private var orphans: Set<Int> = []
  /// `true` if a step repeats a recorded one.
  private(set) var repeatsRecording = false

  init(first: UInt64) { self.first = first }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of steps.
  public var endIndex: Int { rows.count }

  /// The step at an index.
  public subscript(index: Int) -> ForkStep {
    let row = rows[index]
    let traits = traits[Int(row.traits)]
    let start = index > 0 ? rows[index - 1].actionEnd : 0
    return ForkStep(
      number: number(at: index), time: row.time,
      action: JSON(ofValid: actions[start..<row.actionEnd]), target: traits.target,
      cause: row.hasCause ? row.cause : nil, effect: traits.effect, from: traits.from,
      rejection: traits.rejection, changed: traits.changed, effects: traits.effects,
      storeEffects: traits.storeEffects, repeats: repeats(at: index),
      isOrphan: orphans.contains(index))
  }

  /// The number of the step at an index; the action is not read.
  func number(at index: Int) -> UInt64 { first + UInt64(index) }

  /// The recorded step that a step repeats.
  func repeats(at index: Int) -> UInt64? {
    rows[index].hasRepeats ? rows[index].repeats : nil
  }

  /// The step that caused a step.
  func cause(at index: Int) -> UInt64? {
    rows[index].hasCause ? rows[index].cause : nil
  }

  /// The stores that a step changed.
  func changed(at index: Int) -> [String] { traits[Int(rows[index].traits)].changed }

  /// `true` if a step did not commit.
  func isRejected(at index: Int) -> Bool { traits[Int(rows[index].traits)].rejection != nil }

  /// Marks a step that would not have happened.
  mutating func setOrphan(at index: Int) { orphans.insert(index) }

  /// The recorded steps that the orphans repeat, in order.
  public var recordedOrphans: [UInt64] { orphans.sorted().compactMap { repeats(at: $0) } }

  /// The time of the last step.
  var lastTime: LogTime? { rows.last?.time }

  /// Adds a step, whose number is one more than that of the last one.
  mutating func append(_ step: ForkStep) {
    unsafe step.action.withBytes { unsafe actions.append(contentsOf: $0) }
    rows.append(
      Row(
        time: step.time, actionEnd: actions.count, cause: step.cause ?? 0, repeats: 0,
        traits: index(of: Traits(step)), hasCause: step.cause != nil, hasRepeats: false))
    setRepeats(step.repeats, at: rows.count - 1)
  }

  /// The number of traits to search: apps have few kinds of steps, but each message of a rejection is one.
  private static let reach = 32

  private mutating func index(of step: Traits) -> UInt32 {
    if let known = traits.suffix(Self.reach).lastIndex(of: step) { return UInt32(known) }
    traits.append(step)
    return UInt32(traits.count - 1)
  }

  mutating func setRepeats(_ number: UInt64?, at index: Int) {
    rows[index].repeats = number ?? 0
    rows[index].hasRepeats = number != nil
    if number != nil { repeatsRecording = true }
  }
}
