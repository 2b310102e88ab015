/// The states of one store from a base on, as long as patches lead from one to the next.
///
/// Holds one draft that is moved over the patches in both directions: applying one costs what it
/// changes, and so does taking it back, by the notes that applying it left. The state as one text
/// is made where it is asked for.
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
  }

  let base: StateBase
  private let initial: JSON?
  private var draft: Draft?
  private var edits: [Edit] = []
  private var applied = 0
  /// The patches up to this position are in `edits`.
  private var readThrough: Int
  /// The patch that does not apply, where there is one.
  private var failed: (edit: Int, error: PatchError?)?
  /// The last few states that were asked for, the newest last, by the number of patches applied.
  private var recent: [(applied: Int, state: JSON)] = []
  /// How many patches were applied to this draft; those taken back left something behind in it.
  private var wear = 0
  /// Roughly, in memory.
  private(set) var byteCount: Int

  /// Four: a step's state before and after, and the two that a comparison is made with.
  private static let recentCount = 4

  init(base: StateBase, initial: JSON?) {
    self.base = base
    self.initial = initial
    readThrough = base.position
    draft = initial.map { Draft($0) }
    byteCount = 1024 + (initial?.footprint ?? 0)
  }

  /// The state after the step at a position.
  mutating func state(
    of store: String, at position: Int, in log: LogFile
  ) throws(LogError) -> StoreState {
    if case .hidden = base { return .unknown }
    guard try move(to: position, store, log) else { return .unknown }
    guard draft != nil else { return .absent }
    return .present(current())
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
    return failed.error?.message ?? "there is no state before it"
  }

  private mutating func current() -> JSON {
    if let place = recent.lastIndex(where: { $0.applied == applied }) {
      let found = recent.remove(at: place)
      recent.append(found)
      return found.state
    }
    guard applied > 0, let draft else {
      guard let initial else { preconditionFailure("an absent store has no state") }
      return initial
    }
    let state = draft.json()
    if recent.count == Self.recentCount { byteCount -= recent.removeFirst().state.footprint }
    recent.append((applied, state))
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
    if wear > 4 * edits.count + 1024 { renew() }
    while applied > target { takeBack() }
    while applied < target {
      guard apply() else { return false }
    }
    return true
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
    guard draft != nil else {
      failed = (applied, nil)
      return false
    }
    let limits = draft.map {
      Limits(size: $0.sizeBound, nodes: $0.nodeBound, copied: $0.copiedBytes)
    }
    do throws(PatchError) {
      try draft?.apply(operations: edits[applied].operations)
    } catch {
      failed = (applied, error)
      return false
    }
    edits[applied].limits = limits ?? Limits()
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

  /// Begins again with the base: what patches brought that were taken back is let go.
  private mutating func renew() {
    for place in 0..<applied { edits[place].journal = [] }
    draft = initial.map { Draft($0) }
    applied = 0
    wear = 0
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
