import FluxJSON
import FluxSubcommands
import LineEditor

/// The lines that a user types at a prompt.
protocol LineInput: AnyObject {
  /// Texts of other threads, shown above the prompt.
  var notices: NoticeBoard { get }

  /// `true` if an empty line repeats a move: the user pressed Enter, and that can only be meant for this program.
  var repeatsEmptyLine: Bool { get }

  /// `true` if the last line is one of a paste.
  var isPasted: Bool { get }

  /// Reads a line; `prompt` is called again whenever the prompt may have changed.
  ///
  /// - Throws: `LostOutput` and `FileError` if the terminal cannot be used.
  func readLine(_ prompt: @escaping () -> Prompt) throws -> LineResult

  /// Adds a line to those that a user can get back.
  func remember(_ line: String)
}

extension LineEditor: LineInput {
  var repeatsEmptyLine: Bool { lineOrigin == .typed }
  var isPasted: Bool { lineOrigin == .pasted }
}

/// Lines of a terminal that can only print, as `TERM=dumb` says, such as a shell in Emacs.
///
/// It has a prompt and no keys. Enter alone repeats nothing, because such terminals send empty lines on their own.
final class PlainPrompt: LineInput {
  let notices = NoticeBoard()
  let repeatsEmptyLine = false
  let isPasted = false
  private let reader = PlainReader(standardInput: "standard input")

  func readLine(_ prompt: @escaping () -> Prompt) throws -> LineResult {
    let notes = notices.takeTexts().map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
    try StandardStream.output.write(notes.joined() + prompt().printed)
    let result = try reader.readLine()
    if case .line = result { return result }
    try StandardStream.output.write("\n")
    return result
  }

  func remember(_ line: String) {}
}

extension PlainReader {
  /// Creates a reader of the commands on standard input; errors call it `name`.
  convenience init(standardInput name: String) {
    self.init(
      descriptor: 0, name: name, limit: MemoryLimit.standard.commandFileByteCount,
      advice: MemoryLimit.advice)
  }
}
