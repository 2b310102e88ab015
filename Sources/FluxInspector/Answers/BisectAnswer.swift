import FluxLog

/// Where a search by halves ended: `{"step","monotone"}`.
struct BisectAnswer: Answer {
  /// The move to the step; nil where the expression does not hold at the end of the log.
  let move: MoveAnswer?
  /// False where a look contradicts that the expression turned true once and stayed so.
  let isMonotone: Bool

  var exitCode: Int32 { move == nil ? 1 : 0 }

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("step")
    if let move { json.writer.stepNumber(move.number) } else { json.writer.null() }
    json.writer.name("monotone")
    json.writer.bool(isMonotone)
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    try move?.write(to: &text)
    if move == nil { try text.line("it does not hold at the end of the log") }
    if !isMonotone {
      try text.line("not monotone: it holds at the start and not at the end", .error)
    }
  }
}
