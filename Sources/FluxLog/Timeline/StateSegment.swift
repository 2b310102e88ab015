/// The states of one store from a base on, as long as patches lead from one to the next.
///
/// Holds one draft that is moved over the patches in both directions: applying one costs what it
/// changes, and so does taking it back, by the notes that applying it left. The state as one text
/// is made where it is asked for. On the way such texts are kept now and then, from which the draft
/// can begin anew: so no move is over many patches twice, and the more a draft has changed, the
/// longer it takes to make a text of it.
struct StateSegment: Sendable {
  private struct Edit {
    let position: Int
    let operations: JSON
    /// How to take the patch back; empty while it is not applied.
    var journal: [Draft.Undo] = []
    /// The draft's limits before the patch.
    var limits = Limits()
  }

  private struct Limits {
    var size = 0
    var nodes = 0
    var copied = 0

    init() {}

    init(_ draft: Draft) {
      size = draft.sizeBound
      nodes = draft.nodeBound
      copied = draft.copiedBytes
    }
  }

  /// A state as one text, and how many patches lead to it.
  private struct Checkpoint {
    let applied: Int
    let state: JSON
  }

  let base: StateBase
  /// Nil for an absent store, which no patch applies to.
  private var draft: Draft?
  private var edits: [Edit] = []
  private var applied = 0
  /// What the draft began with: patches can be taken back as far as that.
  private var origin: Checkpoint?
  /// In order; the first is the base.
  private var checkpoints: [Checkpoint] = []
  /// The patches up to this position are in `edits`.
  private var readThrough: Int
  /// The patch that does not apply, where there is one, and why.
  private var failed: (edit: Int, reason: String)?
  /// The last few states that were asked for, the newest last.
  private var recent: [Checkpoint] = []
  /// How many patches were applied to this draft; those taken back left something behind in it.
  private var wear = 0
  /// Roughly, in memory.
  private(set) var byteCount: Int

  /// Four: a step's state before and after, and the two that a comparison is made with.
  private static let recentCount = 4
  /// A text of a state that 256 patches changed takes a third longer than one of an untouched one;
  /// more texts than that would fill the memory (0.4 MB for one of 142 KB) and save little.
  private static let checkpointDistance = 256
  /// To begin anew costs about as much as so many patches.
  private static let restartCost = 32
  private static let mostWear = 4096

  init(base: StateBase, initial: JSON?) {
    self.base = base
    readThrough = base.position
    byteCount = 1024 + (initial?.footprint ?? 0)
    guard let initial else { return }
    let start = Checkpoint(applied: 0, state: initial)
    checkpoints.append(start)
    restart(from: start)
  }

  /// The state after the step at a position.
  mutating func state(
    of store: String, at position: Int, in log: LogFile
  ) throws(LogError) -> StoreState {
    if case .hidden = base { return .unknown }
    guard try move(to: position, store, log) else { return .unknown }
    return current().map { .present($0) } ?? .absent
  }

  /// What is at a pointer in the state after the step at a position; the rest of the state is not
  /// put together for it.
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

  /// Why the store's patch at a position does not apply; nil where it does.
  mutating func failure(
    of store: String, at position: Int, in log: LogFile
  ) throws(LogError) -> String? {
    if case .hidden = base { return nil }
    guard try !move(to: position, store, log), let failed,
      edits[failed.edit].position == position
    else { return nil }
    return failed.reason
  }

  /// The state that the draft is at; nil where the store is absent.
  private mutating func current() -> JSON? {
    guard let draft else { return nil }
    if let origin, origin.applied == applied { return origin.state }
    if let place = recent.lastIndex(where: { $0.applied == applied }) {
      let found = recent.remove(at: place)
      recent.append(found)
      return found.state
    }
    let state = draft.json()
    if recent.count == Self.recentCount { byteCount -= recent.removeFirst().state.footprint }
    recent.append(Checkpoint(applied: applied, state: state))
    byteCount += state.footprint
    return state
  }

  // MARK: Moving

  /// Moves the draft to a position; false where a patch on the way does not apply.
  private mutating func move(
    to position: Int, _ store: String, _ log: LogFile
  ) throws(LogError) -> Bool {
    if position > readThrough { try read(through: position, store, log) }
    let target = editCount(through: position)
    if let failed, failed.edit < target { return false }
    approach(target)
    let lastCheckpoint = target - target % Self.checkpointDistance
    while applied > target { takeBack() }
    while applied < target {
      guard apply() else { return false }
      if applied == lastCheckpoint { addCheckpoint() }
    }
    return true
  }

  /// Begins anew where that is the shorter way.
  private mutating func approach(_ target: Int) {
    guard let start = checkpoints.last(where: { $0.applied <= target }), let origin else { return }
    let isReachable = target >= origin.applied && wear <= Self.mostWear
    let distance = abs(target - applied)
    if !isReachable || distance > target - start.applied + Self.restartCost {
      restart(from: start)
    }
  }

  private mutating func restart(from checkpoint: Checkpoint) {
    if let origin {
      for place in origin.applied..<applied { edits[place].journal = [] }
    }
    origin = checkpoint
    draft = Draft(checkpoint.state)
    applied = checkpoint.applied
    wear = 0
  }

  /// Keeps the state that the draft is at, and begins anew with it.
  private mutating func addCheckpoint() {
    guard let origin, applied - origin.applied >= Self.checkpointDistance, let state = current()
    else { return }
    let checkpoint = Checkpoint(applied: applied, state: state)
    let place = checkpoints.lastIndex { $0.applied <= applied } ?? 0
    if checkpoints[place].applied != applied {
      checkpoints.insert(checkpoint, at: place + 1)
      byteCount += state.footprint
    }
    restart(from: checkpoint)
  }

  private mutating func read(
    through position: Int, _ store: String, _ log: LogFile
  ) throws(LogError) {
    let places = try log.places(patching: store, in: readThrough + 1..<position + 1)
    let patches = try log.patches(of: store, at: places)
    for (place, operations) in zip(places, patches) {
      edits.append(Edit(position: place.position, operations: operations))
      byteCount += 160 + operations.footprint
    }
    readThrough = position
  }

  /// The number of patches up to a position.
  private func editCount(through position: Int) -> Int {
    var low = 0
    var high = edits.count
    while low < high {
      let middle = (low + high) / 2
      if edits[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Applies the next patch; false where that is not possible.
  private mutating func apply() -> Bool {
    guard let limits = draft.map(Limits.init) else {
      failed = (applied, "there is no state before it")
      return false
    }
    do throws(PatchError) {
      try draft?.apply(operations: edits[applied].operations)
    } catch {
      failed = (applied, error.message)
      return false
    }
    edits[applied].limits = limits
    edits[applied].journal = draft?.takeJournal() ?? []
    applied += 1
    wear += 1
    return true
  }

  private mutating func takeBack() {
    applied -= 1
    draft?.undo(edits[applied].journal)
    edits[applied].journal = []
    let limits = edits[applied].limits
    draft?.sizeBound = limits.size
    draft?.nodeBound = limits.nodes
    draft?.copiedBytes = limits.copied
  }
}

extension Draft {
  /// The notes of how to take back the patch that was applied last.
  fileprivate mutating func takeJournal() -> [Undo] {
    defer { journal = [] }
    return journal
  }

  /// Takes back the patch that left these notes; it has to be the last one that is applied.
  fileprivate mutating func undo(_ notes: [Undo]) {
    journal = notes
    undoAll()
  }
}

extension JSON {
  /// Roughly the memory that a value takes: its text, and a node of sixteen bytes for each value.
  fileprivate var footprint: Int { byteCount + 16 * nodeCount }
}
