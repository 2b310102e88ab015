import FluxJSON
import FluxLog

/// Finds the steps that results name, and their causes, in the segments of a recording.
struct RuleEvidence {
  /// A segment that was passed over, and is not kept open.
  private struct Segment {
    let path: String
    let numbers: ClosedRange<UInt64>

    func has(_ number: UInt64?) -> Bool { number.map(numbers.contains) ?? false }
  }

  /// The path of the first segment.
  private var first: String?
  /// The segments that have steps, in order.
  private var segments: [Segment] = []
  /// The paths of the segments after the first one, by the number before their first step.
  private var laterStarts: [Int64: String] = [:]
  /// The last segment, which is still open.
  private var last: LogFile?
  private let check: () throws -> Void
  private let open: (_ path: String) throws -> LogFile

  /// Prepares to find steps.
  ///
  /// - Parameters:
  ///   - check: Called while a segment is indexed once more. An error ends that.
  ///   - open: Opens a segment again.
  init(check: @escaping () throws -> Void, open: @escaping (_ path: String) throws -> LogFile) {
    (self.check, self.open) = (check, open)
  }

  /// Adds the next segment, whose index is complete.
  mutating func add(_ log: LogFile) {
    if first != nil { laterStarts[Int64(clamping: log.header.first) - 1] = log.path }
    first = first ?? log.path
    last = log
    guard let first = log.number(at: 0), let last = log.number(at: log.count - 1) else { return }
    segments.append(Segment(path: log.path, numbers: first...last))
  }

  /// Adds the segment, the line and the chain of causes to results that have a step.
  ///
  /// Causes precede what they lead to, so each segment is opened once, the last one first.
  ///
  /// A segment that cannot be read any more, because another process removed it for example, leaves the verdicts as they
  /// are; see ``RuleResult/unreadable``.
  ///
  /// - Throws: Any error of `check`.
  func add(to results: inout [RuleResult]) throws {
    var wanted = results.map { $0.step.flatMap(UInt64.init(exactly:)) }
    for segment in segments.reversed() where wanted.contains(where: segment.has) {
      let isLater = first?.hasSameBytes(as: segment.path) == false
      do {
        let isLast = last?.path.hasSameBytes(as: segment.path) == true
        let opened = try (isLast ? last : nil) ?? open(segment.path)
        try opened.waitForIndex(check: check)
        for place in results.indices {
          wanted[place] = try results[place].follow(wanted[place], in: opened, isLater: isLater)
        }
      } catch let error as LogError {
        for place in results.indices where segment.has(wanted[place]) {
          if results[place].chain.isEmpty {
            results[place].segment = segment.path
            results[place].isInLaterSegment = isLater
          }
          results[place].unreadable = error
          wanted[place] = nil
        }
      }
    }
    try addStarts(to: &results)
  }

  /// Names the segments whose initial states violate rules, and finds what is misspelled in those rules.
  private func addStarts(to results: inout [RuleResult]) throws {
    guard let first else { return }
    var places: [BytewiseName: [Int]] = [:]
    for place in results.indices where results[place].isViolatedAtStart {
      let later = results[place].step.flatMap { laterStarts[$0] }
      if let later { (results[place].segment, results[place].isInLaterSegment) = (later, true) }
      places[BytewiseName(later ?? first), default: []].append(place)
    }
    for (path, places) in places {
      do {
        let isLast = last?.path.hasSameBytes(as: path.text) == true
        let log = try isLast ? last : open(path.text)
        try log?.waitForIndex(check: check)
        for place in places { results[place].findMissingPaths(in: log, at: Timeline.start) }
      } catch is LogError {
        // The segment was removed meanwhile, which leaves the verdicts as they are.
      }
    }
  }
}

extension RuleResult {
  /// The largest number of steps in a chain of causes: an action of a timer can lead to the next one, in every step of a log.
  static let longestChain = 1000

  /// Adds steps of a log to the chain, from the step with a number on; returns the number of the first that the log lacks.
  fileprivate mutating func follow(
    _ number: UInt64?, in log: LogFile, isLater: Bool
  ) throws(LogError) -> UInt64? {
    var next = number
    while let number = next, let position = log.position(of: number) {
      guard chain.count < Self.longestChain else {
        isChainCut = true
        return nil
      }
      let step = try log.step(at: position)
      if chain.isEmpty {
        (segment, line) = (log.path, log.lineNumber(at: position))
        isInLaterSegment = isLater
        findMissingPaths(in: log, at: position)
      }
      chain.append(Link(number: step.number, type: step.type))
      next = step.earlierCause
    }
    return next
  }

  /// `true` if the step of the violation has neither a line nor a segment that could not be read.
  fileprivate var isViolatedAtStart: Bool {
    verdict == .violated && step != nil && chain.isEmpty && unreadable == nil
  }

  /// Finds the paths of a violated rule that select nothing at a position, and are similar to one that does.
  fileprivate mutating func findMissingPaths(in log: LogFile?, at position: Int) {
    guard let log, verdict == .violated else { return }
    let document = Timeline(log).document(at: position)
    do {
      for path in RuleAutomaton(rule).singularPaths {
        guard let miss = try path.miss(in: document), let nearest = miss.nearest else { continue }
        let missing = MissingPath(path: miss.place.shorthand, suggestion: nearest.shorthand)
        if !missingPaths.contains(missing) { missingPaths.append(missing) }
      }
    } catch {
      // A state that is unknown here gives no hint, and the verdict stands without it.
    }
  }
}
