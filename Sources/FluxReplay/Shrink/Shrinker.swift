public import FluxLog

/// Finds the few actions of a recording that lead to something.
///
/// Subsequences of the actions are dispatched in fresh stores until one is found of which no single action
/// can be left out. Follow-ups are made anew and go with the step that asks for them.
///
/// ```swift
/// let shrinker = Shrinker(0..<1000, of: timeline, in: app)
/// let result = try shrinker.run { branch in branch.model["cart"]?["items"]?.count == 0 }
/// print(result.kept)  // the numbers of the steps
/// ```
public struct Shrinker: Sendable {
  private let range: Range<Int>
  private let timeline: Timeline
  private let app: any ReplayApp
  private let timeout: Double?

  /// Makes a shrinker.
  ///
  /// - Parameters:
  ///   - range: The positions of the steps whose actions are tried; it begins in the states before them.
  ///   - timeline: The recording.
  ///   - app: Where the fresh stores come from.
  ///   - timeout: How many seconds the app may take over one call; nil for as long as it likes.
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
  /// A subsequence that ends or stalls the app's process is taken for one of which it does not hold; where all
  /// of the actions do that together, there is nothing to search.
  ///
  /// - Parameters:
  ///   - goesOn: Asked before each run, with the runs so far and the length of the shortest subsequence;
  ///     false ends the search with that one, and so does an app that was stopped by
  ///     ``ReplayFailure/Reason/cancelled``.
  ///   - holds: Whether what is looked for holds at the end of a branch.
  /// - Returns: The shortest subsequence that was found; nil where it does not hold after all actions.
  /// - Throws: As ``Branch`` does, and what `holds` throws; ``ReplayFailure/Reason/cancelled`` where the
  ///   search was ended before the first run was over.
  public func run(
    goesOn: @escaping (_ runs: Int, _ count: Int) -> Bool = { _, _ in true },
    holds: @escaping (Branch) throws -> Bool
  ) throws -> ShrinkResult? {
    let positions = try RedispatchedSteps(range, of: timeline.log).positions
    var actions: [BranchAction] = []
    for position in positions {
      actions.append(BranchAction(try timeline.log.step(at: position), replacement: nil))
    }
    var shortest: (count: Int, branch: Branch)?
    var search = MinimalSubsequence(count: actions.count, goesOn: goesOn) { [actions] kept in
      let isPart = kept.count < actions.count
      guard let branch = try attempt(kept.map { actions[$0] }, isPart: isPart, holds) else {
        return false
      }
      if kept.count < shortest?.count ?? .max { shortest = (kept.count, branch) }
      return true
    }
    guard try search.search() else { return nil }
    // Kept from its run: an app that was stopped could not make it again.
    guard let branch = shortest?.branch else { throw ReplayFailure(.cancelled) }
    return ShrinkResult(
      kept: search.best.compactMap { actions[$0].repeats }, actions: actions.count,
      runs: search.runs, isMinimal: search.isMinimal, branch: branch)
  }

  /// The branch that actions make, where it holds of that; its session is over.
  private func attempt(
    _ actions: [BranchAction], isPart: Bool, _ holds: (Branch) throws -> Bool
  ) throws -> Branch? {
    do {
      let branch = try makeBranch()
      defer { branch.end() }
      return try reaches(branch, actions, isPart: isPart) && holds(branch) ? branch : nil
    } catch let failure as ReplayFailure where failure.reason == .cancelled {
      throw MinimalSubsequence.Stopped()
    }
  }

  private func makeBranch() throws -> Branch {
    try Branch(at: range.lowerBound - 1, of: timeline, in: app, timeout: timeout)
  }

  /// Dispatches the actions; false where the app does not come to the end of a part of them.
  private func reaches(
    _ branch: Branch, _ actions: [BranchAction], isPart: Bool
  ) throws(ReplayFailure) -> Bool {
    do {
      try branch.run(actions)
      return true
    } catch {
      switch error.reason {
      case .exited where isPart, .timedOut where isPart: return false
      default: throw error
      }
    }
  }
}

/// What shrinking a recording has come to.
public struct ShrinkResult {
  /// The numbers of the recorded steps whose actions are left, in order.
  public let kept: [UInt64]
  /// How many actions there were.
  public let actions: Int
  /// How many subsequences were tried.
  public let runs: Int
  /// Whether no single action can be left out; false where the search was ended before.
  public let isMinimal: Bool
  /// The branch that the actions make, from the states before the first one.
  public let branch: Branch

  /// The result as the inspector prints it: `{"kept":[3,9,17],"of":120,"runs":64}`, with
  /// `"minimal":false` where the search was ended before.
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
