import FluxJSON

/// The states of one store from a base on, up to the next base.
///
/// Has one draft that moves over the patches in both directions. Applying a patch costs what it
/// changes, and so does reverting it with the undo marks. A state is serialized when it is asked
/// for. Some serialized states are kept as checkpoints, from which the draft can restart. They
/// shorten long moves, and keep serializing fast, which slows down with the number of changes in a
/// draft.
struct StateSegment: Sendable {
  /// A patch that was read.
  struct Edit {
    let position: Int
    /// The index of the run that contains it.
    let run: Int
    /// The place of its operations on the tape of the run.
    let operations: Range<Int>
  }

  /// A serialized state, and the number of patches that lead to it.
  struct Checkpoint {
    let applied: Int
    let state: JSON
  }

  let base: StateBase
  /// `nil` for an absent store, to which no patch applies.
  var draft: Draft?
  var runs: [PatchRun] = []
  var edits: [Edit] = []
  /// The number of patches that the draft has applied.
  var applied = 0
  /// The start of the draft; patches can be reverted up to here.
  var origin: Checkpoint?
  /// The undo mark of each patch since the origin.
  var marks: [Draft.Mark] = []
  /// In ascending order; the first one is the base.
  var checkpoints: [Checkpoint] = []
  /// `edits` contains the patches up to this position.
  var readThrough: Int
  /// The patch that does not apply, if there is one, and the reason.
  var failed: (edit: Int, reason: String)?
  /// The first state that was asked for, if it is not the base.
  var leap: (position: Int, state: JSON)?
  /// The states that were asked for most recently, the newest last.
  private var recent: [Checkpoint] = []
  /// The number of patches ever applied to this draft; reverted ones leave data in it.
  var appliedPatchCount = 0
  /// The approximate memory size.
  var byteCount: Int

  /// Four: the states before and after a step, and the two states of a comparison.
  private static let recentCount = 4

  init(base: StateBase, initial: JSON?) {
    self.base = base
    readThrough = base.position
    byteCount = 1024 + (initial?.footprint ?? 0)
    guard let initial else { return }
    let start = Checkpoint(applied: 0, state: initial)
    checkpoints.append(start)
    restart(from: start)
  }

  /// Returns the state after the step at a position.
  mutating func state(
    of store: String, at position: Int, in log: LogFile
  ) throws(LogError) -> StoreState {
    if case .hidden = base { return .unknown }
    if let state = try leap(to: position, store, log) { return .present(state) }
    guard try move(to: position, store, log) else { return .unknown }
    return current().map { .present($0) } ?? .absent
  }

  /// Returns the value at a pointer in the state after the step at a position, without serializing
  /// the rest of the state.
  mutating func value(
    at pointer: Pointer, of store: String, at position: Int, in log: LogFile
  ) throws(LogError) -> StoreState {
    if case .hidden = base { return .unknown }
    guard try move(to: position, store, log) else { return .unknown }
    guard let draft else { return .absent }
    do throws(PointerError) {
      return .present(try draft.value(at: pointer))
    } catch {
      return .absent
    }
  }

  /// Returns the reason why the store's patch at a position does not apply; `nil` if it applies.
  mutating func failure(
    of store: String, at position: Int, in log: LogFile
  ) throws(LogError) -> String? {
    if case .hidden = base { return nil }
    guard try !move(to: position, store, log), let failed,
      edits[failed.edit].position == position
    else { return nil }
    return failed.reason
  }

  /// Returns the current state of the draft; `nil` if the store is absent.
  mutating func current() -> JSON? {
    guard let draft else { return nil }
    if let checkpoint = checkpoint(atOrBefore: applied), checkpoint.applied == applied {
      return checkpoint.state
    }
    if let place = recent.lastIndex(where: { $0.applied == applied }) {
      let found = recent.remove(at: place)
      recent.append(found)
      return found.state
    }
    let state = draft.json()
    remember(Checkpoint(applied: applied, state: state))
    return state
  }

  mutating func remember(_ found: Checkpoint) {
    byteCount += found.state.footprint
    if keep(found) { return }
    if recent.count == Self.recentCount { byteCount -= recent.removeFirst().state.footprint }
    recent.append(found)
  }
}
