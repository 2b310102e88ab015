import FluxLog
import FluxReplay
import Foundation

/// The command `save FILE`.
struct SaveCommand: Command {
  let name = "save"
  let group = CommandGroup.replay
  let synopsis = "save FILE [--force]"
  let summary = "write the branch as a log of its own"
  let help = """
    The log begins in the states that the fork begins in, and verifies like any other. A file that \
    is there already is only overwritten with --force.

    What the recording hides is hidden in the new log too: values at its redacted places, those of \
    actions where recorded ones of the same type have tokens, and the same texts wherever else they \
    come up.
    """
  let examples = ["save without-7.jsonl"]
  let options = [CommandOption("--force", "overwrite a file that is there already")]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.file]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let path = arguments.words.first else { throw arguments.usage("a file is missing") }
    let branch = try session.currentBranch()
    try session.services.files.protect(session.log.path, from: path)
    do {
      let count = try branch.use { branch in
        try branch.save(
          to: path, log: UUID().uuidString.lowercased(), replacesExisting: arguments.has("--force"))
        return branch.steps.count
      }
      return WrittenFileAnswer(.branch(steps: count), path: path)
    } catch let error as LogError where error.reason == .exists {
      throw CommandError.exists(path)
    } catch let error as LogError {
      throw CommandError(.file, error.message)
    }
  }
}
