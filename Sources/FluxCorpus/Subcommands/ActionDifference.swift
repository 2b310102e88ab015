import FluxInspector
import FluxJSON
import FluxLog

/// One action that differs between two logs, by position.
///
/// Actions are the same if their types and the values of their payloads are. `SequenceAlignment` pairs them up;
/// between two pairs, steps with the same type are one changed action. This takes a number for each step. If more
/// than 256 steps differ, it takes about a hundred bytes for each step between the first and the last of them.
enum ActionDifference: Equatable {
  /// Only the left log has it.
  case removed(Int)
  /// Only the right log has it.
  case added(Int)
  /// Both have an action of that type, with different payloads.
  case changed(Int, Int)

  /// The differences in the steps without a partner at the beginning of a stretch.
  static func differences(
    in stretch: SequenceAlignment.Stretch, _ left: Session, _ right: Session
  ) -> [ActionDifference] {
    var differences: [ActionDifference] = []
    let (start, newStart) = (stretch.old.lowerBound, stretch.new.lowerBound)
    let types = SequenceAlignment(
      left.typeKeys(in: stretch.old), right.typeKeys(in: stretch.new))
    for part in types.stretches {
      differences += part.old.map { .removed(start + $0) }
      differences += part.new.map { .added(newStart + $0) }
      differences += (0..<part.count).map { offset in
        .changed(start + part.old.upperBound + offset, newStart + part.new.upperBound + offset)
      }
    }
    return differences
  }
}

extension Session {
  /// A number for each step, the same for the same type and payload.
  func actionKeys() throws -> [UInt64] {
    var keys: [UInt64] = []
    keys.reserveCapacity(log.count)
    let report = work.reporting("reading")
    for position in 0..<log.count {
      if position % 1024 == 0 { try report(position, log.count) }
      let step = try log.step(at: position)
      keys.append(Self.key(step.type, step.payload))
    }
    return keys
  }

  fileprivate func typeKeys(in range: Range<Int>) -> [UInt64] {
    range.map { Self.key(log.type(at: $0) ?? "", nil) }
  }

  /// Each process has another seed, so nobody can make a log whose actions collide.
  private static func key(_ type: String, _ payload: JSON?) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(BytewiseName(type))
    hasher.combine(payload)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
