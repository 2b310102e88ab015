import FluxLog

/// One JSON document for each command, in the envelope that programs expect:
/// `{"command","ok","position","result"}`, or `"error"` with `"code"`, `"message"` and `"hint"`.
struct JSONFormat: OutputFormat {
  let style: JSONLayout.Style
  let diagnosticsPalette: Palette

  func write(_ output: CommandOutput, to results: ByteSink, diagnostics: ByteSink) throws {
    var json = JSONOutput(results, style)
    json.writer.beginObject()
    json.writer.member("command", output.command)
    json.writer.name("ok")
    json.writer.bool(output.error == nil)
    json.writer.name("position")
    json.writer.stepNumber(output.position)
    switch output.outcome {
    case .success(let answer):
      json.writer.name("result")
      try answer.write(to: &json)
    case .failure(let error):
      json.writer.name("error")
      json.writer.error(error)
    }
    json.writer.endObject()
    try json.finish()
    var text = TextOutput(diagnostics, palette: diagnosticsPalette)
    for note in output.notes { try text.line("note: \(note)") }
    try text.flush()
  }
}

extension JSONWriter {
  /// Writes the number of a step; nil stands for the one before a step 0.
  mutating func stepNumber(_ number: UInt64?) {
    if let number { uint(number) } else { int(-1) }
  }

  fileprivate mutating func error(_ error: CommandError) {
    beginObject()
    member("code", error.code.rawValue)
    member("message", error.message)
    if let hint = error.hint { member("hint", hint) }
    endObject()
  }
}
