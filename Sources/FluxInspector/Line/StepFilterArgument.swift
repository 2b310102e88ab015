import FluxLog

/// The arguments of the commands that ask for steps: `GLOB|EXPR [in RANGE]`.
struct StepFilterArgument {
  /// The option that makes an expression of what would be a glob.
  static let forcesExpression = CommandOption("-x", "take the argument for an expression")

  let filter: StepFilter
  /// Nil for the whole log.
  let range: RangeText?

  init(_ arguments: CommandArguments) throws(CommandError) {
    let line = LineScanner(arguments.text)
    let words = line.words(in: line.scalars.indices)
    var text = arguments.text
    if words.count >= 2, line.text(words[words.count - 2]) == "in" {
      range = try arguments.range(line.unquoted(words[words.count - 1]))
      text = line.text(0..<words[words.count - 2].lowerBound)
    } else {
      range = nil
    }
    guard !text.isEmpty else { throw arguments.usage("a glob or an expression is missing") }
    filter =
      arguments.has(Self.forcesExpression.name)
      ? .expression(try arguments.expression(text)) : try arguments.filter(text)
  }
}
