/// Finds a short subsequence of which something still holds.
///
/// First the beginning is shortened as far as it goes; its last element is then needed, and is set aside
/// with those found before, which all come behind it; and again, until what is set aside suffices. For k
/// needed elements of n this takes about 2·k·log2(n) runs, where a needed one stays needed in all that is
/// tried. Where that is not so, more than needed may be left: so at last every single element is left out
/// on trial until none can be. That is the 1-minimality of delta debugging (Zeller, Hildebrandt:
/// "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 28, 2002), whose own search by ever finer
/// parts takes several times as many runs for a few needed elements that lie apart.
struct MinimalSubsequence {
  /// The shortest one so far, as ascending indices.
  private(set) var best: [Int]
  /// How many subsequences were tried.
  private(set) var runs = 0
  /// Whether no single element can be left out.
  private(set) var isMinimal = false

  private var known: [[Int]: Bool] = [:]
  private let test: ([Int]) throws -> Bool
  private let goesOn: (_ runs: Int, _ count: Int) -> Bool

  /// Thrown to end the search from inside, also by a test that could not be finished.
  struct Stopped: Error {}

  /// - Parameters:
  ///   - count: How many elements there are.
  ///   - goesOn: Asked before each run, with the runs so far and the length of the shortest one.
  ///   - test: Whether it holds of these elements.
  init(
    count: Int, goesOn: @escaping (_ runs: Int, _ count: Int) -> Bool = { _, _ in true },
    test: @escaping ([Int]) throws -> Bool
  ) {
    best = Array(0..<count)
    self.goesOn = goesOn
    self.test = test
  }

  /// Searches; returns false where it does not hold of all elements.
  mutating func search() throws -> Bool {
    do {
      guard try holds(best) else { return false }
      try setAside()
      try leaveOutSingly()
      isMinimal = true
    } catch is Stopped {
      // The best so far is what was asked for.
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

  /// Sets needed elements aside, from the last to the first.
  private mutating func setAside() throws {
    var beginning = best
    var needed: [Int] = []
    while try !holds(needed), !beginning.isEmpty {
      let count = try shortestBeginning(of: beginning, before: needed)
      needed.insert(beginning[count - 1], at: 0)
      beginning.removeSubrange((count - 1)...)
    }
  }

  /// The length of the shortest beginning which holds together with what is needed; it holds with the
  /// whole, and not without any.
  private mutating func shortestBeginning(
    of elements: [Int], before needed: [Int]
  ) throws -> Int {
    var (short, long) = (0, elements.count)
    // From the end in growing strides: where everything is needed, each element takes one run.
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
    // Whether any could be left out since the last one was tried first.
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
