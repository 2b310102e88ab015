import FluxLog

/// The few actions that lead to something: `{"kept":[3,9,17],"of":120,"runs":64,"fork":1}`, with
/// `"minimal":false` where the search was ended before; without `fork` where it does not hold at all.
struct ShrinkAnswer: Answer {
  /// The numbers of the recorded steps whose actions are left.
  let kept: [UInt64]
  let actions: Int
  let runs: Int
  var isMinimal = true
  /// The branch that they make; nil where it does not hold after all actions.
  let fork: Int?

  /// Nothing was found where it does not hold after all.
  var exitCode: Int32 { fork == nil ? 1 : 0 }

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("kept")
    json.writer.beginArray()
    for number in kept { json.writer.uint(number) }
    json.writer.endArray()
    json.writer.name("of")
    json.writer.int(actions)
    json.writer.name("runs")
    json.writer.int(runs)
    if !isMinimal {
      json.writer.name("minimal")
      json.writer.bool(false)
    }
    if let fork {
      json.writer.name("fork")
      json.writer.int(fork)
    }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    guard let fork else {
      return try text.line(
        "it does not hold after the \(actions.counted("action")) up to here, dispatched again")
    }
    let numbers = kept.isEmpty ? "" : ": \(kept.map(String.init).joined(separator: ", "))"
    try text.line(
      "\(kept.count) of \(actions.counted("action")) left after \(runs.counted("run"))\(numbers)",
      .heading)
    try text.line("fork \(fork) is made of them\(isMinimal ? "; none can be left out" : "")")
  }
}
