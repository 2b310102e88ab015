import FluxInspector
import FluxJSON
import FluxLog

/// The steps of two logs that belong together: those with the same action, in the same order.
///
/// Actions are the same if their types and the values of their payloads are. `SequenceAlignment` pairs them up;
/// between two pairs, steps with the same type are one changed action. This takes a number for each step. If more
/// than 256 steps differ, it takes about a hundred bytes for each step between the first and the last of them.
struct LogAlignment {
  /// A run of steps with the same actions in both logs, and the steps before it.
  struct Stretch {
    /// The positions of steps without a partner.
    let left: Range<Int>
    let right: Range<Int>
    /// The number of steps with the same actions that follow.
    let count: Int
  }

  /// From the first step to the last; only the last stretch may have no run behind it.
  let stretches: [Stretch]
  let differences: [ActionDifference]

  init(_ left: Session, _ right: Session) throws {
    let aligned = SequenceAlignment(try left.actionKeys(), try right.actionKeys())
    var stretches: [Stretch] = []
    var differences: [ActionDifference] = []
    var (i, j) = (0, 0)
    let end = (old: left.log.count, new: right.log.count, count: 0)
    for run in aligned.runs + [SequenceAlignment.Run(old: end.old, new: end.new, count: 0)] {
      let stretch = Stretch(left: i..<run.old, right: j..<run.new, count: run.count)
      differences += ActionDifference.differences(in: stretch, left, right)
      stretches.append(stretch)
      (i, j) = (run.old + run.count, run.new + run.count)
    }
    self.stretches = stretches
    self.differences = differences
  }
}

/// One action that differs between two logs, by position.
enum ActionDifference: Equatable {
  /// Only the left log has it.
  case removed(Int)
  /// Only the right log has it.
  case added(Int)
  /// Both have an action of that type, with different payloads.
  case changed(Int, Int)

  fileprivate static func differences(
    in stretch: LogAlignment.Stretch, _ left: Session, _ right: Session
  ) -> [ActionDifference] {
    var differences: [ActionDifference] = []
    var (i, j) = (stretch.left.lowerBound, stretch.right.lowerBound)
    func skip(to end: (Int, Int)) {
      differences += (i..<end.0).map { .removed($0) } + (j..<end.1).map { .added($0) }
      (i, j) = end
    }
    let types = SequenceAlignment(
      left.typeKeys(in: stretch.left), right.typeKeys(in: stretch.right))
    for run in types.runs {
      skip(to: (stretch.left.lowerBound + run.old, stretch.right.lowerBound + run.new))
      for _ in 0..<run.count {
        differences.append(.changed(i, j))
        (i, j) = (i + 1, j + 1)
      }
    }
    skip(to: (stretch.left.upperBound, stretch.right.upperBound))
    return differences
  }
}

extension Session {
  /// A number for each step, the same for the same type and payload.
  fileprivate func actionKeys() throws -> [UInt64] {
    var keys: [UInt64] = []
    keys.reserveCapacity(log.count)
    let report = reporting("reading")
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
