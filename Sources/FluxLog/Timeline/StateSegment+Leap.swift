extension StateSegment {
  /// To apply fewer patches than that takes no longer.
  private static let leastLeap = 32

  /// The state at the first position that a segment is asked for, where patches that replace values
  /// lead to it; nil where others do, and at every other position.
  ///
  /// Who jumps into a segment waits for one state: of a log of states of 142 KB, this takes half as
  /// long as to read all patches and to apply them. Those are needed by who goes on from there.
  mutating func leap(
    to position: Int, _ store: String, _ log: LogFile
  ) throws(LogError) -> JSON? {
    if let leap {
      if leap.position == position { return leap.state }
      self.leap = nil
      return nil
    }
    guard readThrough == base.position, position - readThrough >= Self.leastLeap,
      let start = checkpoints.first
    else { return nil }
    let places = try log.places(patching: store, in: readThrough + 1..<position + 1)
    guard places.count >= Self.leastLeap,
      let state = try log.overlaid(start.state, of: store, at: places)
    else { return nil }
    leap = (position, state)
    remember(Checkpoint(applied: places.count, state: state))
    return state
  }
}
