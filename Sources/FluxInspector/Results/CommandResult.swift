/// The value that a call of a ``Session`` returns and a command writes.
///
/// Its JSON is what `LogEncoder(order: .declaration)` makes of it. It holds no session, so it can be kept, sent
/// to another thread and compared with later results.
public protocol CommandResult: Encodable, Sendable {
  /// The exit code of a batch of this one command: 0, or 1 if nothing matched or something differs.
  var exitCode: Int32 { get }

  /// Remarks about how the result came to be, which are no part of it.
  var notes: [Note] { get }
}

extension CommandResult {
  /// Success.
  public var exitCode: Int32 { 0 }

  /// No remarks.
  public var notes: [Note] { [] }
}

/// A result without content: the command did what it says.
public struct Done: CommandResult {
  package init() {}
}

/// The limits of a long task, and the way to cancel it.
public struct Work: Sendable {
  /// The largest number of rows; nil for all of them.
  public var limit: Int?
  /// The time at which the task stops between two rows; nil for no deadline.
  public var deadline: ContinuousClock.Instant?
  /// Returns `true` to end the task with ``CommandError/Code/cancelled``; called often.
  public var isCancelled: @Sendable () -> Bool
  /// Called now and then with the state of the task.
  public var progress: @Sendable (Progress) -> Void

  /// Describes a task that nothing limits.
  public init(
    limit: Int? = nil, deadline: ContinuousClock.Instant? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) {
    self.limit = limit
    self.deadline = deadline
    self.isCancelled = isCancelled
    self.progress = progress
  }

  func check() throws(CommandError) {
    if isCancelled() { throw .cancelled }
  }

  /// Reports the progress of an activity, and ends a cancelled task.
  package func reporting(_ activity: String) -> @Sendable (_ done: Int, _ total: Int) throws -> Void
  {
    { [self] done, total in
      try check()
      progress(Progress(activity: activity, done: done, total: total))
    }
  }
}

/// The progress of a command.
public struct Progress: Sendable, Equatable {
  /// The activity, such as `indexing` or `searching`.
  public let activity: String
  /// The amount of work that is done.
  public let done: Int
  /// The whole amount of work.
  public let total: Int

  /// Describes the state of a task.
  public init(activity: String, done: Int, total: Int) {
    (self.activity, self.done, self.total) = (activity, done, total)
  }
}
