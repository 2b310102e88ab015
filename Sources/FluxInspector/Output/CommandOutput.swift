/// What one command line gives.
public struct CommandOutput: Sendable {
  /// The command line, without blanks around it.
  public let command: String
  /// The number of the step that the session stands at afterwards; nil before a step 0.
  public let position: UInt64?
  /// What the command answers, or why it failed.
  package let outcome: Result<any Answer, CommandError>
  /// What else is to be said: remarks that are no results.
  public let notes: [String]
  /// Where the command ends the session: the code to end with.
  public let endsSessionWith: Int32?

  /// Why the command failed; nil where it did not.
  public var error: CommandError? {
    if case .failure(let error) = outcome { error } else { nil }
  }

  /// The code that a batch of this one command exits with.
  public var exitCode: Int32 {
    switch outcome {
    case .success(let answer): endsSessionWith ?? answer.exitCode
    case .failure(let error): error.exitCode
    }
  }
}
