import FluxLog
import FluxReplay

extension Session {
  /// The app that actions are dispatched to again; it may take as long to start as over a call.
  ///
  /// - Throws: ``CommandError`` of code `no-app` that says how to get one.
  func app() throws(CommandError) -> any ReplayApp {
    guard let app = services.app else {
      throw CommandError(
        .noApp, "this dispatches actions again, and for that it takes the app",
        hint: "start with --app PATH, the app's own executable, where that serves its stores; "
          + "or use the inspector that the app ships itself")
    }
    return app.waiting(toStart: replayTimeout)
  }

  /// How many seconds the app may take over a call; nil for as long as it likes.
  var replayTimeout: Double? { settings.timeout > 0 ? settings.timeout : nil }

  /// Begins a branch, and goes on to work on it.
  mutating func fork(at position: Int) throws -> OpenBranch {
    branches.add(
      try Branch(at: position, of: timeline, in: try app(), timeout: replayTimeout))
  }

  /// The branch that is worked on.
  func currentBranch() throws(CommandError) -> OpenBranch {
    guard let branch = branches.current else {
      throw CommandError(
        .notFound, "this is the recording, and no fork",
        hint: branches.all.isEmpty
          ? "'fork' begins one here" : "'forks' lists them, 'switch N' goes to one")
    }
    return branch
  }

  /// The branch of that number, or the one that is worked on where none is given.
  func branch(_ number: Int?) throws(CommandError) -> OpenBranch {
    guard let number else { return try currentBranch() }
    guard let branch = branches.branch(number) else {
      let numbers = branches.all.map { String($0.number) }
      throw CommandError(
        .notFound, "no fork \(number)",
        hint: numbers.isEmpty
          ? "'fork' begins one here" : "the forks are \(numbers.joined(separator: ", "))")
    }
    return branch
  }

  /// A move leads through the recording, so it ends the work on a branch, which stays.
  mutating func leaveBranch() {
    guard let branch = branches.current else { return }
    branches.select(nil)
    notes.append("left fork \(branch.number); 'switch \(branch.number)' goes back to it")
  }
}

extension Session {
  /// Where the session stands on a branch: its number, the step that it leaves the recording after, and
  /// how many steps it has of its own.
  public struct BranchPosition: Sendable, Equatable {
    /// The number of the branch.
    public let number: Int
    /// The number of the recorded step that it begins after; nil before a step 0.
    public let base: UInt64?
    /// How many steps it has.
    public let stepCount: Int
  }

  /// Where the session stands on a branch; nil where it looks at the recording.
  public var branchPosition: BranchPosition? {
    guard let summary = branches.current?.summary else { return nil }
    return BranchPosition(
      number: summary.number, base: stepNumber(at: summary.position), stepCount: summary.stepCount)
  }
}

extension CommandArguments {
  /// The number of a branch; nil where none is given.
  func branchNumber() throws(CommandError) -> Int? {
    guard let word = words.first else { return nil }
    guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(word) else {
      throw usage("expected the number of a fork, found \(word)")
    }
    return number
  }
}
