import FluxJSON

/// The states of one store from a base on, up to the next base.
///
/// Has one draft that moves over the patches in both directions. Applying a patch costs what it
/// changes, and so does reverting it with the undo marks. A state is serialized when it is asked
/// for. Some serialized states are kept as checkpoints, from which the draft can restart. They
/// shorten long moves, and keep serializing fast, which slows down with the number of changes in a
/// draft.
struct StateSegment: Sendable {
  private struct Edit {
    let position: Int
    let patch: JSON
  }

  /// A serialized state, and the number of patches that lead to it.
  private struct Checkpoint {
    let applied: Int
    let state: JSON
  }

  private let base: StateBase
  /// `nil` for an absent store, to which no patch applies.
  private var draft: Draft?
  private var edits: [Edit] = []
  private var applied = 0
  /// The start of the draft; patches can be reverted up to here.
  private var origin: Checkpoint?
  /// The undo mark of each patch since the origin.
  private var marks: [Draft.Mark] = []
  /// In ascending order; the first one is the base.
  private var checkpoints: [Checkpoint] = []
  /// `edits` contains the patches up to this position.
  private var readThrough: Int
  /// The patch that does not apply, if there is one, and the reason.
  private var failed: (edit: Int, reason: String)?
  /// The first state that was asked for, if it is not the base.
  private var leap: (position: Int, state: JSON)?
  /// The states that were asked for most recently, the newest last.
  private var recent: [Checkpoint] = []
  /// The number of patches ever applied to this draft; reverted ones leave data in it.
  private var appliedPatchCount = 0
  private(set) var byteCount: Int

  // Serializing a state takes a third longer after 256 patches than after none. A checkpoint of
  // 142 KB takes 0.4 MB.
  private static let checkpointDistance = 256
  /// Restarting costs about as much as applying this many patches.
  private static let restartCost = 32
  /// A draft keeps data of patches that were reverted, so it is replaced after this many patches.
  private static let maximumAppliedPatchCount = 4096
  /// Applying fewer patches than this takes no longer.
  private static let minimumLeap = 32
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

  mutating func state(
    of store: String, at position: Int, in log: LogFile
  ) throws(LogError) -> StoreState {
    if case .hidden = base { return .unknown }
    if case .restored = base { return checkpoints.first.map { .present($0.state) } ?? .absent }
    if let state = try leap(to: position, store, log) { return .present(state) }
    guard try move(to: position, store, log) else { return .unknown }
    return current().map { .present($0) } ?? .absent
  }

  /// Returns the value at a place in the state after the step at a position, without serializing
  /// the rest of the state.
  mutating func value(
    at place: SinglePlace, of store: String, at position: Int, in log: LogFile
  ) throws(LogError) -> StoreState {
    if place.pointer == .root { return try state(of: store, at: position, in: log) }
    if case .hidden = base { return .unknown }
    if let state = try leap(to: position, store, log) {
      return StoreState.present(state).value(at: place)
    }
    guard try move(to: position, store, log) else { return .unknown }
    guard let draft else { return .absent }
    return draft.value(at: place).map { .present($0) } ?? .absent
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

  private mutating func current() -> JSON? {
    guard let draft else { return nil }
    if let checkpoint = checkpoint(atOrBefore: applied), checkpoint.applied == applied {
      return checkpoint.state
    }
    if let index = recent.lastIndex(where: { $0.applied == applied }) {
      let found = recent.remove(at: index)
      recent.append(found)
      return found.state
    }
    let state = draft.json()
    remember(Checkpoint(applied: applied, state: state))
    return state
  }

  private mutating func remember(_ found: Checkpoint) {
    byteCount += found.state.footprint
    if keep(found) { return }
    if recent.count == Self.recentCount { byteCount -= recent.removeFirst().state.footprint }
    recent.append(found)
  }

  // MARK: Moves

  /// Returns the state at the first position that a segment is asked for; `nil` if the patches up
  /// to it do more than replace values, and at every other position.
  ///
  /// For states of 142 KB, this takes half as long as reading and applying all patches, which are
  /// read when the caller moves on from there.
  private mutating func leap(
    to position: Int, _ store: String, _ log: LogFile
  ) throws(LogError) -> JSON? {
    if let leap {
      if leap.position == position { return leap.state }
      self.leap = nil
      return nil
    }
    guard readThrough == base.position, position - readThrough >= Self.minimumLeap,
      let start = checkpoints.first
    else { return nil }
    let steps = log.steps(patching: store, in: readThrough + 1..<position + 1)
    guard steps.count >= Self.minimumLeap,
      let state = try log.overlaid(start.state, of: store, at: steps)
    else { return nil }
    leap = (position, state)
    remember(Checkpoint(applied: steps.count, state: state))
    return state
  }

  /// Moves the draft to a position; returns `false` if a patch on the way does not apply.
  private mutating func move(
    to position: Int, _ store: String, _ log: LogFile
  ) throws(LogError) -> Bool {
    if position > readThrough { try read(through: position, store, log) }
    let target = edits.partitioningIndex { $0.position > position }
    if let failed, failed.edit < target { return false }
    // Someone who moves in small steps will pass here again, and checkpoints help. After a jump,
    // they only cost time.
    let walks = abs(target - applied) <= Self.restartCost
    approach(target, walks: walks)
    let distance = walks ? Self.checkpointDistance : Self.maximumAppliedPatchCount / 2
    while applied > target { takeBack() }
    while applied < target {
      guard apply() else { return false }
      if marks.count >= distance || draft?.isCrowded == true { addCheckpoint() }
    }
    return true
  }

  /// Restarts from a checkpoint if that is shorter, or if it makes the next moves shorter.
  private mutating func approach(_ target: Int, walks: Bool) {
    guard let start = checkpoint(atOrBefore: target), let origin else { return }
    let isReachable = target >= origin.applied && appliedPatchCount <= Self.maximumAppliedPatchCount
    let isShorter = abs(target - applied) > target - start.applied + Self.restartCost
    // Moving back after a jump: restart to get checkpoints on the way.
    let isFarOut = walks && target < applied && marks.count > 2 * Self.checkpointDistance
    if !isReachable || isShorter || isFarOut { restart(from: start) }
  }

  private mutating func restart(from checkpoint: Checkpoint) {
    origin = checkpoint
    draft = Draft(checkpoint.state, maximumDepth: JSON.maximumStateDepth)
    applied = checkpoint.applied
    marks.removeAll(keepingCapacity: true)
    appliedPatchCount = 0
  }

  // MARK: Checkpoints

  private func checkpoint(atOrBefore applied: Int) -> Checkpoint? {
    checkpoints.last { $0.applied <= applied }
  }

  /// Keeps a state as a checkpoint if there is none near it; returns `true` if it was kept.
  private mutating func keep(_ state: Checkpoint) -> Bool {
    let next = checkpoints.firstIndex { $0.applied >= state.applied } ?? checkpoints.count
    let isFree = checkpoints[max(0, next - 1)..<min(next + 1, checkpoints.count)].allSatisfy {
      abs($0.applied - state.applied) >= Self.checkpointDistance
    }
    if isFree { checkpoints.insert(state, at: next) }
    return isFree
  }

  private mutating func addCheckpoint() {
    guard let state = current() else { return }
    restart(from: Checkpoint(applied: applied, state: state))
  }

  // MARK: Patches

  private mutating func read(
    through position: Int, _ store: String, _ log: LogFile
  ) throws(LogError) {
    let steps = log.steps(patching: store, in: readThrough + 1..<position + 1)
    for (step, patch) in zip(steps, try log.patches(of: store, at: steps)) {
      edits.append(Edit(position: step.position, patch: patch))
      byteCount += 160 + patch.footprint
    }
    readThrough = position
  }

  private mutating func apply() -> Bool {
    guard let mark = draft?.mark else {
      failed = (applied, "the store has no state before this step")
      return false
    }
    let patch = edits[applied].patch
    do throws(PatchError) {
      try draft?.apply(patch.place + 1..<Int(patch.node.next), of: patch.document)
    } catch {
      failed = (applied, error.message)
      return false
    }
    marks.append(mark)
    applied += 1
    appliedPatchCount += 1
    return true
  }

  private mutating func takeBack() {
    guard let mark = marks.popLast() else { preconditionFailure("a draft is before its origin") }
    applied -= 1
    draft?.rewind(to: mark)
  }
}

extension JSON {
  /// The approximate memory size of a value: its text, and sixteen bytes for each node.
  var footprint: Int { byteCount + 16 * nodeCount }
}
