import FluxJSON

/// A cache of rebuilt states with a limit in bytes; removes the least recently used first.
struct TimelineCache: Sendable {
  private struct Key: Hashable {
    let store: BytewiseName
    let base: StateBase
  }

  private struct Entry {
    var segment: StateSegment
    var lastUse: UInt64
  }

  /// The last base that was found for a store, and the positions that it is known to cover.
  private struct Reach {
    let base: StateBase
    let from: Int
    var through: Int
  }

  private var entries: [Key: Entry] = [:]
  private var reaches: [BytewiseName: Reach] = [:]
  private var lastStep: (position: Int, step: LogStep)?
  private var clock: UInt64 = 0
  private(set) var byteCount = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func removeAll() { self = TimelineCache(limit: limit) }

  mutating func withSegment<Result>(
    of store: String, at position: Int, in log: LogFile,
    _ body: (inout StateSegment) throws(LogError) -> Result
  ) throws(LogError) -> Result {
    let base = base(of: store, at: position, in: log)
    let key = Key(store: BytewiseName(store), base: base)
    var segment: StateSegment
    if let entry = entries.removeValue(forKey: key) {
      segment = entry.segment
      byteCount -= segment.byteCount
    } else {
      segment = try makeSegment(base, store, log)
    }
    clock += 1
    defer {
      byteCount += segment.byteCount
      entries[key] = Entry(segment: segment, lastUse: clock)
      if byteCount > limit { evict() }
    }
    return try body(&segment)
  }

  mutating func step(at position: Int, in log: LogFile) throws(LogError) -> LogStep {
    if let lastStep, lastStep.position == position { return lastStep.step }
    let step = try log.step(at: position)
    lastStep = (position, step)
    return step
  }

  private mutating func makeSegment(
    _ base: StateBase, _ store: String, _ log: LogFile
  ) throws(LogError) -> StateSegment {
    switch base {
    case .header:
      return StateSegment(base: base, initial: log.declaredStores[store]?.initial)
    case .written(let position):
      let states = try step(at: position, in: log).states
      return StateSegment(base: base, initial: states?[store])
    case .restored(let position):
      guard let states = log.restoredStates(before: position) else {
        return StateSegment(base: .hidden(position), initial: nil)
      }
      return StateSegment(base: base, initial: states[store])
    case .absentAfterGap, .hidden:
      return StateSegment(base: base, initial: nil)
    }
  }

  /// Removes the older half: searching for the oldest segment each time would cost more.
  private mutating func evict() {
    let uses = entries.values.map(\.lastUse).sorted()
    let middle = uses[uses.count / 2]
    // The segment in use is the newest and stays.
    for (key, entry) in entries where entry.lastUse <= middle && entry.lastUse < clock {
      byteCount -= entry.segment.byteCount
      entries[key] = nil
    }
  }

  /// Returns the base of a store, without searching back to it near the last position.
  private mutating func base(
    of store: String, at position: Int, in log: LogFile
  ) -> StateBase {
    let name = BytewiseName(store)
    if let reach = reaches[name], position >= reach.from,
      log.hasNoBase(of: store, in: min(reach.through, position) + 1..<position + 1)
    {
      reaches[name]?.through = max(reach.through, position)
      return reach.base
    }
    let base = log.stateBase(of: store, at: position)
    switch base {
    case .hidden, .restored: return base
    case .header, .written, .absentAfterGap: break
    }
    reaches[name] = Reach(base: base, from: base.position, through: position)
    return base
  }
}

extension LogFile {
  /// `true` if the range has no break, and no step that writes the store whole or removes it.
  fileprivate func hasNoBase(of store: String, in range: Range<Int>) -> Bool {
    range.isEmpty
      || continuesModel(in: range) && position(in: range) { $0.isBase(of: store) } == nil
  }
}
