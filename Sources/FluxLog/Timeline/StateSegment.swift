/// The states of one store from a base on, as long as patches lead from one to the next.
///
/// Holds one draft that is moved over the patches in both directions: applying one costs what it
/// changes, and so does taking it back, by the notes that applying it left. The state as one text
/// is made where it is asked for. Some of these texts are kept as checkpoints, from which the
/// draft can begin anew: so no move is over many patches twice, and the more a draft has changed,
/// the longer it takes to make a text of it.
struct StateSegment: Sendable {
  /// A patch that was read.
  struct Edit {
    let position: Int
    /// Among the runs.
    let run: Int
    /// Where its operations stand on the run's tape.
    let operations: Range<Int>
  }

  /// A state as one text, and how many patches lead to it.
  struct Checkpoint {
    let applied: Int
    let state: JSON
  }

  let base: StateBase
  /// Nil for an absent store, which no patch applies to.
  var draft: Draft?
  var runs: [PatchRun] = []
  var edits: [Edit] = []
  /// How many patches the draft has gone through.
  var applied = 0
  /// What the draft began with: patches can be taken back as far as that.
  var origin: Checkpoint?
  /// What the draft was before each patch since the origin.
  var marks: [Draft.Mark] = []
  /// In order; the first is the base.
  var checkpoints: [Checkpoint] = []
  /// The patches up to this position are in `edits`.
  var readThrough: Int
  /// The patch that does not apply, where there is one, and why.
  var failed: (edit: Int, reason: String)?
  /// The state that the segment was begun with, where that is not the base's.
  var leap: (position: Int, state: JSON)?
  /// The last few states that were asked for, the newest last.
  private var recent: [Checkpoint] = []
  /// How many patches were applied to this draft; those taken back left something behind in it.
  var wear = 0
  /// Roughly, in memory.
  var byteCount: Int

  /// Four: a step's state before and after, and the two that a comparison is made with.
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

  /// The state after the step at a position.
  mutating func state(
    of store: String, at position: Int, in log: LogFile
  ) throws(LogError) -> StoreState {
    if case .hidden = base { return .unknown }
    if let state = try leap(to: position, store, log) { return .present(state) }
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
