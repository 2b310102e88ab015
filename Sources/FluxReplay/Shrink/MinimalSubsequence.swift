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

  /// - Parameters:
  ///   - count: The number of elements.
  ///   - goesOn: Called before each run with the number of runs and the length of the shortest subsequence;
  ///     `false` ends the search.
  ///   - test: Returns `true` if these elements pass.
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
