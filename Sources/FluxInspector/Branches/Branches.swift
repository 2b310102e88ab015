import FluxReplay

/// The branches of a session.
struct Branches: Sendable {
  /// In the order of their numbers.
  private(set) var all: [OpenBranch] = []
  /// The one that is worked on; nil for the recording.
  private(set) var current: OpenBranch?
  private var lastNumber = 0

  /// Adds a branch, and goes on to work on it.
  mutating func add(_ branch: Branch) -> OpenBranch {
    lastNumber += 1
    let open = OpenBranch(number: lastNumber, branch)
    all.append(open)
    current = open
    return open
  }

  /// The branch of a number; nil where there is none.
  func branch(_ number: Int) -> OpenBranch? { all.first { $0.number == number } }

  /// Goes to a branch; nil leads back to the recording.
  mutating func select(_ branch: OpenBranch?) { current = branch }

  /// Lets a branch go; where it was the one that is worked on, that is the recording then.
  mutating func remove(_ branch: OpenBranch) {
    all.removeAll { $0 === branch }
    if current === branch { current = nil }
  }
}
