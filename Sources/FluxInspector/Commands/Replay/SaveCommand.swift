import FluxLog
import FluxReplay
import Foundation

/// The command `save FILE`.
struct SaveCommand: Command {
  let name = "save"
  let group = CommandGroup.replay
  let synopsis = "save FILE"
  let summary = "write the branch as a log of its own"
  let help = """
    The log begins in the states that the fork begins in, and verifies like any other. A file that \
    is there already is not overwritten.
    """
  let examples = ["save without-7.jsonl"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.file]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let path = arguments.words.first else { throw arguments.usage("a file is missing") }
    let branch = try session.currentBranch()
    do {
      let count = try branch.use { branch in
        try branch.save(to: path, log: UUID().uuidString.lowercased())
        return branch.steps.count
      }
      return SaveAnswer(path: path, stepCount: count)
    } catch let error as LogError {
      guard case .exists = error.reason else { throw CommandError(.file, error.message) }
      throw CommandError(
        .file, "\(error.path): there is a file already, and it is not overwritten",
        hint: "save the fork under another name, or move that file away")
    }
  }
}
