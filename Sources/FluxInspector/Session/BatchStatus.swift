/// The code that a batch of commands exits with, and whether it goes on.
public struct BatchStatus: Sendable {
  /// Whether commands go on after one that failed.
  public let keepsGoing: Bool
  /// The code so far.
  public private(set) var exitCode: Int32 = 0
  /// Whether a command failed, or ended the session.
  public private(set) var isOver = false

  /// Begins a batch.
  public init(keepsGoing: Bool) { self.keepsGoing = keepsGoing }

  /// Takes in what a command gives.
  ///
  /// A batch stops at the first command that fails, and exits with its code; one that keeps going
  /// exits with the largest code. That nothing matches is no failure, but a code.
  public mutating func add(_ output: CommandOutput) {
    if case .code(let code) = output.ending {
      (exitCode, isOver) = (code, true)
      return
    }
    let isFailure = output.error != nil
    isOver =
      isOver || output.ending != nil || (isFailure && !keepsGoing)
      || output.error?.code == .cancelled
    if keepsGoing {
      exitCode = max(exitCode, output.exitCode)
    } else if isFailure || exitCode == 0 {
      exitCode = output.exitCode
    }
  }
}
