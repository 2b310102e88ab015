/// The rules by which breaks and steps make the states of a model known or unknown.
///
/// They are those of docs/log-format.md, "Other lines" and "Unwritten states", and contain no state. A pass, a replay and
/// the check of a log move them from step to step, and keep the states themselves. A ``Timeline`` gets them at any step
/// from ``LogFile/rules(after:)``.
package struct ModelRules: Sendable, Equatable {
  /// The effect of a step on the known state of a store.
  package enum Effect: Sendable {
    /// The step contains the state.
    case whole
    /// The step patches the last written state.
    case patch
    /// The store is absent from here on.
    case absent
    /// The state changed and is unknown until the next write; patches still apply to the last written state.
    case unwritten
    /// The state is unknown until the store is next written whole.
    case hidden
  }

  /// The kind of the last break; `nil` if there is none.
  private(set) var lastBreak: LogBreak.Kind?
  /// `true` if the next accepted step replaces the whole model.
  package private(set) var awaitsWholeModel = false
  /// The break between the current step and the model before it; `nil` if the step continues the model.
  ///
  /// After a gap, this includes the rejected steps before the first accepted one.
  private(set) var interruption: LogBreak.Kind?
  /// `true` if the current step is the first accepted one after a gap, which replaces the whole model.
  package private(set) var replacesModel = false
  private var isRejected = true
  /// A break after the current step.
  private var next: LogBreak.Kind?

  /// Makes the rules at the start of a log.
  package init() {}

  /// `true` if the states before the current step are unknown, because steps are missing there.
  ///
  /// A comparison for people then uses the last known states, and says so. A check that must not err treats the states
  /// as unknown.
  package var hidesBefore: Bool { interruption != nil && interruption != .restored }

  /// Takes a break: all states are unknown, unless the app went back to a model that the log contains.
  package mutating func interrupt(_ kind: LogBreak.Kind) {
    (lastBreak, next) = (kind, kind)
    awaitsWholeModel = kind.endsWithWholeModel
  }

  /// Takes the next step.
  package mutating func begin(isRejected: Bool) {
    if next != nil || !awaitsWholeModel { interruption = next }
    next = nil
    self.isRejected = isRejected
    replacesModel = awaitsWholeModel && !isRejected
    if replacesModel { awaitsWholeModel = false }
  }

  /// Returns the effect of the current step on a store; `nil` if it has none.
  ///
  /// The step writes the store in the way `kind`, which is `nil` if the step does not list it.
  package func effect(of kind: WriteKind?) -> Effect? {
    guard !isRejected else { return nil }
    return switch kind {
    case .whole: .whole
    case .removal: .absent
    case .patch: replacesModel ? .hidden : .patch
    case .unwritten: replacesModel ? .hidden : .unwritten
    case nil: replacesModel ? .absent : nil
    }
  }

  /// Returns the problem of a write of the current step; `nil` if it fits the model.
  ///
  /// A patch that fits can still fail to apply.
  package func problem(of kind: WriteKind, to store: String, isAbsent: Bool) -> LineProblem? {
    switch kind {
    case .removal where isAbsent: .removalOfAbsentFeature(store)
    case .patch where replacesModel:
      .patchDoesNotApply(
        store: store, reason: "the first step after a gap has to write the store whole")
    case .unwritten where replacesModel: .unwrittenAfterGap(store)
    case .whole, .patch, .removal, .unwritten: nil
    }
  }

  /// Returns `true` if the current step changed a store; `nil` if that is unknown.
  ///
  /// A step changed the stores that its line lists. One that replaces the whole model changed those that differ from the
  /// states before it, and those that it writes in error.
  func isChanged<Failure: Error>(
    _ kind: WriteKind?, from before: () throws(Failure) -> StoreState,
    to after: () throws(Failure) -> StoreState
  ) throws(Failure) -> Bool? {
    guard !isRejected else { return false }
    guard replacesModel else {
      guard kind == nil, lastBreak == .imported else { return kind != nil }
      // The step may have changed a store that is hidden since the import, and its line does not say so.
      return try after().isKnown ? false : nil
    }
    let after = try after()
    guard after.isKnown else { return kind != nil }
    let before = try before()
    return before.isKnown ? before != after : nil
  }
}
