/// The part of a log that an export contains.
///
/// An excerpt begins with an earlier step if the states before its first step are unknown, or if that
/// step follows up another one.
public enum LogExtent: Sendable, Hashable {
  /// Everything that is kept.
  case all
  /// The last steps, at least this number.
  case steps(Int)
  /// The steps of the time before the last step.
  case duration(Duration)

  /// The steps of the minutes before the last step; of all time if the number is infinite.
  public static func minutes(_ minutes: Double) -> LogExtent { seconds(minutes * 60) }

  /// The steps of the seconds before the last step; of all time if the number is infinite.
  ///
  /// A negative number and NaN count as 0, which is the last step.
  public static func seconds(_ seconds: Double) -> LogExtent {
    // No log is as long, and a `Duration` cannot have any number.
    seconds > 0 ? .duration(.seconds(min(seconds, 1e15))) : .duration(.zero)
  }
}

/// The result of an export.
public struct LogExcerpt: Sendable, Equatable {
  /// The number of the first step.
  public let first: UInt64
  /// The number of the last step.
  public let last: UInt64
  /// The number of step lines, which is less than `last - first + 1` if the log has gaps.
  public let steps: Int
  /// The size of the file in bytes.
  public let byteCount: Int
}

/// The place in the files of a recording at which an excerpt begins.
struct ExcerptStart {
  let file: Int
  /// The position of the first step; ``Timeline/start`` to begin with the line after the header.
  let position: Int

  /// Finds the place for an extent; `nil` if no step can begin an excerpt.
  ///
  /// An excerpt begins with a step that is no follow-up, and before which every state is known. This is
  /// the last such step at or before the wanted one, or the first one after it if there is none.
  ///
  /// - Parameters:
  ///   - extent: The wanted steps.
  ///   - files: The files, oldest first, which are complete and have a step together.
  ///   - end: The position of the last step of the excerpt in the last of the files.
  /// - Throws: ``LogError`` if a line cannot be read.
  init?(_ extent: LogExtent, in files: [Timeline], end: Int) throws(LogError) {
    let wanted = try Self.wanted(extent, in: files, end: end)
    func canBegin(_ file: Int, _ position: Int) throws(LogError) -> Bool {
      try Self.canBegin(files[file], at: position)
    }
    for file in (0...wanted.file).reversed() {
      let last = file == wanted.file ? wanted.position : files[file].end
      for position in (0...max(0, last)).reversed() where try canBegin(file, position) {
        self.init(file, at: position)
        return
      }
    }
    for file in wanted.file..<files.count {
      let last = file == files.count - 1 ? end : files[file].end
      let first = file == wanted.file ? wanted.position + 1 : 0
      for position in first..<max(first, last + 1) where try canBegin(file, position) {
        self.init(file, at: position)
        return
      }
    }
    return nil
  }

  /// Begins with a step; the first one of a file with the lines before it.
  private init(_ file: Int, at position: Int) {
    (self.file, self.position) = (file, position == 0 ? Timeline.start : position)
  }

  private static func canBegin(_ timeline: Timeline, at position: Int) throws(LogError) -> Bool {
    if timeline.log.count == 0 { return true }
    if try timeline.step(at: position).isInChain { return false }
    if position == 0 { return true }
    if timeline.baseline(of: position).afterGap { return false }
    return try timeline.model(before: position).unknownStores.isEmpty
  }

  /// Returns the first wanted step.
  private static func wanted(
    _ extent: LogExtent, in files: [Timeline], end: Int
  ) throws(LogError) -> (file: Int, position: Int) {
    switch extent {
    case .all: return (0, 0)
    case .steps(let count):
      var rest = max(1, count) - 1
      var (file, position) = (files.count - 1, end)
      while rest > position, file > 0 {
        rest -= position + 1
        file -= 1
        position = files[file].end
      }
      return (file, max(0, position - rest))
    case .duration(let duration):
      let time = try files[files.count - 1].step(at: end).time
      let length = UInt64(min(max(0, (duration / .microseconds(1)).rounded(.up)), 0x1p63))
      let start = LogTime(microseconds: time.microseconds - min(length, time.microseconds))
      guard start.microseconds > 0 else { return (0, 0) }
      let before = LogTime(microseconds: start.microseconds - 1)
      for file in files.indices.reversed() {
        if let position = try files[file].log.position(atOrBefore: before) {
          // The wanted step may be the first one of the next file.
          guard position >= files[file].end, file < files.count - 1 else {
            return (file, min(position + 1, files[file].end))
          }
          return (file + 1, 0)
        }
      }
      return (0, 0)
    }
  }
}

extension LogStep {
  /// `true` if the step follows up a recent step or was observed in it.
  fileprivate var isInChain: Bool { cause != nil && effect == nil }
}
