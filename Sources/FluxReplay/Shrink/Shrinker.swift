public import FluxJSON
public import FluxLog

/// Finds a minimal set of a recording's actions that reaches a condition.
///
/// Dispatches subsequences of the actions in fresh stores until no single action can be left out. Follow-ups
/// are not dispatched separately: the steps dispatch their own.
///
/// ```swift
/// let shrinker = Shrinker(0..<1000, of: timeline, in: app)
/// let result = try shrinker.run { fork in fork.model["cart"]?["items"]?.count == 0 }
/// print(result.kept)  // the numbers of the steps
/// ```
public struct Shrinker: Sendable {
  private let range: Range<Int>
  private let timeline: Timeline
  private let app: any ReplayApp
  private let timeout: Double?

  /// Creates a shrinker.
  ///
  /// - Parameters:
  ///   - range: The positions of the steps to shrink; the search begins in the states before them.
  ///   - timeline: The recording.
  ///   - app: The source of fresh stores.
  ///   - timeout: The limit for each call of the app in seconds; nil for no limit.
  public init(
    _ range: Range<Int>, of timeline: Timeline, in app: any ReplayApp, timeout: Double? = nil
  ) {
    self.range = range.clamped(to: 0..<max(0, timeline.log.count))
    self.timeline = timeline
    self.app = app
    self.timeout = timeout
  }

  /// Searches.
  ///
  /// A subsequence that ends or stalls the app's process counts as one that does not reach the condition. If
  /// all actions together do that, the search fails.
  ///
  /// - Parameters:
  ///   - goesOn: Called before each run with the number of runs and the length of the shortest subsequence.
  ///     `false` ends the search with that subsequence, and so does ``ReplayFailure/Reason/cancelled``.
  ///   - holds: Returns `true` if a fork has reached the condition.
  /// - Returns: The shortest subsequence; nil if all actions together do not reach the condition.
  /// - Throws: The errors of ``Fork`` and `holds`; ``ReplayFailure/Reason/cancelled`` if the search ended
  ///   before its first run was complete.
  public func run(
    goesOn: @escaping (_ runs: Int, _ count: Int) -> Bool = { _, _ in true },
    holds: @escaping (Fork) throws -> Bool
  ) throws -> ShrinkResult? {
    let positions = try RedispatchedSteps(range, of: timeline.log).positions
    var actions: [ForkAction] = []
    for position in positions {
      actions.append(ForkAction(try timeline.log.step(at: position), replacement: nil))
    }
    var shortest: (count: Int, fork: Fork)?
    var search = MinimalSubsequence(count: actions.count, goesOn: goesOn) { [actions] kept in
      let isPart = kept.count < actions.count
      guard let fork = try attempt(kept.map { actions[$0] }, isPart: isPart, holds) else {
        return false
      }
      if kept.count < shortest?.count ?? .max { shortest = (kept.count, fork) }
      return true
    }
    guard try search.search() else { return nil }
    // Kept from its run: a stopped app could not repeat it.
    guard let fork = shortest?.fork else { throw ReplayFailure(.cancelled) }
    return ShrinkResult(
      kept: search.best.compactMap { actions[$0].repeats }, actions: actions.count,
      runs: search.runs, isMinimal: search.isMinimal, fork: fork)
  }

  /// Runs the actions on a fresh fork; returns the fork if it reaches the condition, with its session
  /// ended.
  private func attempt(
    _ actions: [ForkAction], isPart: Bool, _ holds: (Fork) throws -> Bool
  ) throws -> Fork? {
    do {
      let fork = try makeFork()
      defer { fork.end() }
      return try reaches(fork, actions, isPart: isPart) && holds(fork) ? fork : nil
    } catch let failure as ReplayFailure where failure.reason == .cancelled {
      throw MinimalSubsequence.Stopped()
    }
  }

  private func makeFork() throws -> Fork {
    try Fork(at: range.lowerBound - 1, of: timeline, in: app, timeout: timeout)
  }

  /// Dispatches the actions; returns `false` if the app fails on a part of them.
  private func reaches(
    _ fork: Fork, _ actions: [ForkAction], isPart: Bool
  ) throws(ReplayFailure) -> Bool {
    do {
      try fork.run(actions)
      return true
    } catch {
      switch error.reason {
      case .exited where isPart, .timedOut where isPart: return false
      default: throw error
      }
    }
  }
}

/// The result of shrinking a recording.
public struct ShrinkResult {
  /// The numbers of the remaining recorded steps, in order.
  public let kept: [UInt64]
  /// The number of actions before shrinking.
  public let actions: Int
  /// The number of subsequences that were tried.
  public let runs: Int
  /// `true` if no single action can be left out; `false` if the search was cut short.
  public let isMinimal: Bool
  /// The fork with the remaining actions, from the states before the first one.
  public let fork: Fork

  /// The result as JSON: `{"kept":[3,9,17],"of":120,"runs":64}`, with `"minimal":false` if the search was cut
  /// short.
  public var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.name("kept")
      writer.beginArray()
      for number in kept { writer.uint(number) }
      writer.endArray()
      writer.member("of", UInt64(actions))
      writer.member("runs", UInt64(runs))
      if !isMinimal {
        writer.name("minimal")
        writer.bool(false)
      }
      writer.endObject()
    })
  }
}
