import FluxJSON

extension StateSegment {
  /// Applying fewer patches than this takes no longer.
  private static let minimumLeap = 32

  /// Returns the state at the first position that a segment is asked for, if the patches up to it
  /// only replace values.
  ///
  /// Returns `nil` if they do more, and at every other position.
  ///
  /// The first state after a jump should be fast. For states of 142 KB, this takes half as long as
  /// reading and applying all patches. Those are read when the caller moves on from there.
  mutating func leap(
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
    let places = try log.places(patching: store, in: readThrough + 1..<position + 1)
    guard places.count >= Self.minimumLeap,
      let state = try log.overlaid(start.state, of: store, at: places)
    else { return nil }
    leap = (position, state)
    remember(Checkpoint(applied: places.count, state: state))
    return state
  }
}
