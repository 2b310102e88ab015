import FluxReplay
import Synchronization

/// A branch that a session works on, and the number that it goes by there.
///
/// `@unchecked Sendable`: a `Branch` is for one thread at a time. It is private, is reached only while the
/// lock is held, and cannot leave a call of ``use(_:)``, whose result has to be `Sendable`, as a `Branch`
/// is not.
final class OpenBranch: @unchecked Sendable {
  /// Numbers begin with 1 and are never used again.
  let number: Int
  private let branch: Branch
  private let lock = Mutex(())

  /// Takes over a branch, which nobody else uses from then on.
  init(number: Int, _ branch: Branch) {
    self.number = number
    self.branch = branch
  }

  /// Does something with the branch.
  func use<Result: Sendable>(_ body: (Branch) throws -> Result) rethrows -> Result {
    try lock.withLock { _ in try body(branch) }
  }

  /// What there is to say of the branch.
  var summary: BranchSummary {
    use { branch in
      BranchSummary(number: number, position: branch.position, stepCount: branch.steps.count)
    }
  }
}

/// A branch in numbers.
struct BranchSummary: Sendable, Equatable {
  let number: Int
  /// The position that it leaves the recording at, as ``Timeline`` counts.
  let position: Int
  /// How many steps it has of its own.
  let stepCount: Int
}
