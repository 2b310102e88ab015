/// Text for people: answers are results, notes and errors are diagnostics.
struct TextFormat: OutputFormat {
  let palette: Palette
  let diagnosticsPalette: Palette

  func write(_ output: CommandOutput, to results: ByteSink, diagnostics: ByteSink) throws {
    if case .success(let answer) = output.outcome {
      var text = TextOutput(results, palette: palette)
      try answer.write(to: &text)
      try text.flush()
    }
    var text = TextOutput(diagnostics, palette: diagnosticsPalette)
    try text.diagnose(output)
    try text.flush()
  }
}

extension TextOutput {
  /// Writes notes, and why a command failed.
  mutating func diagnose(_ output: CommandOutput) throws {
    for note in output.notes {
      write("note: ", .heading)
      try line(note)
    }
    guard case .failure(let error) = output.outcome else { return }
    write("error: ", .error)
    try lines(error.message)
    guard let hint = error.hint else { return }
    write("hint: ", .heading)
    try lines(hint)
  }
}
