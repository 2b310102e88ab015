/// What one command line gives.
public struct CommandOutput: Sendable {
  /// The command line, without blanks around it.
  public let command: String
  /// The number of the step that the session stands at afterwards; nil before a step 0.
  public let position: UInt64?
  /// What the command answers, or why it failed.
  package let outcome: Result<any Answer, CommandError>
  /// What else is to be said: remarks that are no results.
  public var notes: [String] = []
  /// How the command ends the session; nil where it goes on.
  public var ending: Ending?

  /// Why the command failed; nil where it did not.
  public var error: CommandError? {
    if case .failure(let error) = outcome { error } else { nil }
  }

  /// The code that a batch of this one command exits with.
  public var exitCode: Int32 {
    if case .code(let code) = ending { return code }
    return switch outcome {
    case .success(let answer): answer.exitCode
    case .failure(let error): error.exitCode
    }
  }
}
