/// An option of a command.
package struct CommandOption: Sendable, Equatable {
  /// The option as it is written: `--all`, `-r`.
  package let name: String
  /// What stands for its value in the help; nil where it takes none.
  package let value: String?
  /// What it does, as one line without a full stop.
  package let summary: String

  /// What completes its value.
  package let completion: CompletionKind?

  /// Whether its value is taken as it stands, quotes included, as JSON has to be.
  package let isRaw: Bool

  /// Makes an option.
  package init(
    _ name: String, value: String? = nil, _ summary: String, completion: CompletionKind? = nil,
    isRaw: Bool = false
  ) {
    self.isRaw = isRaw
    self.completion = completion
    self.name = name
    self.value = value
    self.summary = summary
  }
}
