package import FluxLog

/// Finds a minimal set of a recording's actions that reaches a condition.
///
/// Dispatches subsequences of the actions in fresh stores until no single action can be left out. Follow-ups
/// are not dispatched separately: the steps dispatch their own.
package struct Shrinker: Sendable {
  private let range: Range<Int>
  private let timeline: Timeline
  private let app: any ReplayApp

  /// Creates a shrinker of the steps at positions; the search begins in the model before them.
  ///
  /// The app must not have gone back to another model in between.
  package init(_ range: Range<Int>, of timeline: Timeline, in app: any ReplayApp) {
    self.range = range.clamped(to: 0..<max(0, timeline.log.count))
    self.timeline = timeline
    self.app = app
  }

  /// Finds a short subsequence of the actions that reaches the condition.
  ///
  /// A subsequence that ends or stalls the app's process counts as one that does not reach the condition. If
  /// all actions together do that, the search fails.
  ///
  /// `goesOn` is called before each run with the number of runs and the length of the shortest subsequence. `false` ends
  /// the search with that subsequence, and so does ``ReplayFailure/Reason/cancelled``. `holds` returns `true` if a fork
  /// has reached the condition.
  ///
  /// - Returns: The shortest subsequence; nil if all actions together do not reach the condition.
  /// - Throws: The errors of ``Fork`` and `holds`; ``ReplayFailure/Reason/cancelled`` if the search ended
  ///   before its first run was complete.
  package func run(
    goesOn: @escaping (_ runs: Int, _ count: Int) -> Bool = { _, _ in true },
    holds: @escaping (Fork) throws -> Bool
  ) throws -> ShrinkResult? {
    let steps = try RedispatchedSteps(range, of: timeline.log, in: app.describe())
    let actions = try steps.positions.map { position in
      let step = try timeline.log.step(at: position)
      return ForkAction(
        step, replacement: nil, followUpTimes: steps.followUpTimes(after: step.number))
    }
    var shortest: (count: Int, fork: Fork)?
    var search = MinimalSubsequence(count: actions.count, goesOn: goesOn) { kept in
      let isPart = kept.count < actions.count
      guard let fork = try attempt(kept.map { actions[$0] }, of: steps, isPart: isPart, holds)
      else {
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
    _ actions: [ForkAction], of steps: RedispatchedSteps, isPart: Bool,
    _ holds: (Fork) throws -> Bool
  ) throws -> Fork? {
    do {
      let fork = try Fork(before: range.lowerBound, of: timeline, in: app)
      defer { fork.end() }
      guard try reaches(fork, actions, isPart: isPart) else { return nil }
      fork.repeatFollowUps(steps)
      return try holds(fork) ? fork : nil
    } catch let failure as ReplayFailure where failure.reason == .cancelled {
      throw MinimalSubsequence.Stopped()
    }
  }

  /// Dispatches the actions; returns `false` if the app fails on a part of them.
  private func reaches(_ fork: Fork, _ actions: [ForkAction], isPart: Bool) throws -> Bool {
    do {
      try fork.run(each: actions) { $0 }
      return true
    } catch let failure as ReplayFailure {
      switch failure.reason {
      case .exited where isPart && app.restarts, .timedOut where isPart && app.restarts:
        return false
      default: throw failure
      }
    }
  }
}

/// The result of shrinking a recording.
package struct ShrinkResult {
  /// The numbers of the remaining recorded steps, in order.
  package let kept: [UInt64]
  /// The number of actions before shrinking.
  package let actions: Int
  /// The number of subsequences that were tried.
  package let runs: Int
  /// `true` if no single action can be left out; `false` if the search was cut short.
  package let isMinimal: Bool
  /// The fork with the remaining actions, from the states before the first one.
  package let fork: Fork
}

/// Finds a short subsequence that still passes a test.
///
/// The search shortens the prefix as far as possible. The prefix's last element is then needed, and is set
/// aside with the needed elements found before, which all come after it. This repeats until the elements set
/// aside pass on their own. For k needed elements of n this takes about 2·k·log2(n) runs, provided that a
/// needed element stays needed in every trial. Otherwise too many elements may be left, so the search finally
/// leaves out every single element on trial until none can be left out. That is the 1-minimality of delta
/// debugging (Zeller, Hildebrandt: "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 28, 2002).
/// Its own search with ever finer parts takes several times as many runs for a few needed elements that lie
/// apart.
struct MinimalSubsequence {
  /// The shortest one so far, as ascending indices.
  private(set) var best: [Int]
  /// The number of subsequences that were tried.
  private(set) var runs = 0
  /// `true` if no single element can be left out.
  private(set) var isMinimal = false

  private var known: [[Int]: Bool] = [:]
  private let test: ([Int]) throws -> Bool
  private let goesOn: (_ runs: Int, _ count: Int) -> Bool

  /// Thrown to end the search, also by a test that could not finish.
  struct Stopped: Error {}

  /// Begins a search in `count` elements for those that `test` passes.
  ///
  /// `goesOn` is called before each run with the number of runs and the length of the shortest subsequence; `false` ends
  /// the search.
  init(
    count: Int, goesOn: @escaping (_ runs: Int, _ count: Int) -> Bool = { _, _ in true },
    test: @escaping ([Int]) throws -> Bool
  ) {
    best = Array(0..<count)
    self.goesOn = goesOn
    self.test = test
  }

  /// Searches; returns `false` if all elements together do not pass.
  mutating func search() throws -> Bool {
    do {
      guard try holds(best) else { return false }
      try setAside()
      try leaveOutSingly()
      isMinimal = true
    } catch is Stopped {
      // The best subsequence so far is the result.
    }
    return true
  }

  private mutating func holds(_ indices: [Int]) throws -> Bool {
    if let known = known[indices] { return known }
    guard goesOn(runs, best.count) else { throw Stopped() }
    runs += 1
    let holds = try test(indices)
    known[indices] = holds
    if holds, indices.count < best.count { best = indices }
    return holds
  }

  /// Sets the needed elements aside, from the last to the first.
  private mutating func setAside() throws {
    var beginning = best
    var needed: [Int] = []
    while try !holds(needed), !beginning.isEmpty {
      let count = try shortestBeginning(of: beginning, before: needed)
      needed.insert(beginning[count - 1], at: 0)
      beginning.removeSubrange((count - 1)...)
    }
  }

  /// Returns the length of the shortest prefix that passes together with the needed elements.
  ///
  /// The whole prefix passes, and the empty one does not.
  private mutating func shortestBeginning(
    of elements: [Int], before needed: [Int]
  ) throws -> Int {
    var (short, long) = (0, elements.count)
    // From the end in growing strides: if everything is needed, each element takes one run.
    var stride = 1
    while long - stride > short, try holds(elements.prefix(long - stride) + needed) {
      long -= stride
      stride *= 2
    }
    short = max(short, long - stride)
    while long - short > 1 {
      let middle = (short + long) / 2
      if try holds(elements.prefix(middle) + needed) { long = middle } else { short = middle }
    }
    return long
  }

  /// Leaves out single elements until none can be left out.
  private mutating func leaveOutSingly() throws {
    var place = best.count - 1
    // `true` if an element was left out in the current pass.
    var wasShortened = false
    while place >= 0 || wasShortened {
      if place < 0 {
        place = best.count - 1
        wasShortened = false
        continue
      }
      var shorter = best
      shorter.remove(at: place)
      if try holds(shorter) { wasShortened = true }
      place -= 1
    }
  }
}
