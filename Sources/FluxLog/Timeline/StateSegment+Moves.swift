import FluxJSON

extension StateSegment {
  /// Serializing a state takes a third longer after 256 patches than after none.
  ///
  /// More frequent checkpoints would take much memory, 0.4 MB for each state of 142 KB, and save
  /// little.
  private static let checkpointDistance = 256
  /// Restarting costs about as much as applying this many patches.
  private static let restartCost = 32
  /// A draft keeps data of patches that were reverted, so it is replaced after this many patches.
  private static let maximumAppliedPatchCount = 4096

  /// Moves the draft to a position; returns `false` if a patch on the way does not apply.
  mutating func move(
    to position: Int, _ store: String, _ log: LogFile
  ) throws(LogError) -> Bool {
    if position > readThrough { try read(through: position, store, log) }
    let target = editCount(through: position)
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

  mutating func restart(from checkpoint: Checkpoint) {
    origin = checkpoint
    draft = Draft(checkpoint.state)
    applied = checkpoint.applied
    marks.removeAll(keepingCapacity: true)
    appliedPatchCount = 0
  }

  // MARK: Checkpoints

  /// Returns the last checkpoint with at most this many patches.
  func checkpoint(atOrBefore applied: Int) -> Checkpoint? {
    checkpoints.last { $0.applied <= applied }
  }

  /// Keeps a state as a checkpoint if there is none near it; returns `true` if it was kept.
  mutating func keep(_ state: Checkpoint) -> Bool {
    let next = checkpoints.firstIndex { $0.applied >= state.applied } ?? checkpoints.count
    let isFree = checkpoints[max(0, next - 1)..<min(next + 1, checkpoints.count)].allSatisfy {
      abs($0.applied - state.applied) >= Self.checkpointDistance
    }
    if isFree { checkpoints.insert(state, at: next) }
    return isFree
  }

  /// Restarts from the current state of the draft.
  private mutating func addCheckpoint() {
    guard let state = current() else { return }
    restart(from: Checkpoint(applied: applied, state: state))
  }

  // MARK: Patches

  private mutating func read(
    through position: Int, _ store: String, _ log: LogFile
  ) throws(LogError) {
    let places = try log.places(patching: store, in: readThrough + 1..<position + 1)
    let found = try log.patches(of: store, at: places)
    edits.reserveCapacity(edits.count + places.count)
    var place = places.startIndex
    for run in found {
      for operations in run.patches {
        edits.append(
          Edit(position: places[place].position, run: runs.count, operations: operations))
        place += 1
      }
      runs.append(run)
      byteCount += run.byteCount
    }
    readThrough = position
  }

  /// Returns the number of patches up to a position.
  private func editCount(through position: Int) -> Int {
    var low = 0
    var high = edits.count
    while low < high {
      let middle = (low + high) / 2
      if edits[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Applies the next patch; returns `false` if it does not apply.
  private mutating func apply() -> Bool {
    guard let mark = draft?.mark else {
      failed = (applied, "the store has no state before this step")
      return false
    }
    let edit = edits[applied]
    do throws(PatchError) {
      try draft?.apply(edit.operations, of: runs[edit.run].document)
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
