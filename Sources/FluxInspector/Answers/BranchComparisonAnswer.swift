import FluxLog
import FluxReplay

/// A branch beside the recording:
/// `{"fork","first"?:{"step","recorded","changes"},"recorded":9,"changes":[…]}`.
///
/// `first` is the first step that comes to other states, with the step that it was recorded as;
/// `changes` turn the last recorded states that have a counterpart, those of step `recorded`, into the
/// states that the branch has come to.
struct BranchComparisonAnswer: Answer {
  let fork: Int
  let comparison: BranchComparison

  /// A difference is what was asked for, and no match.
  var exitCode: Int32 { comparison.isSame ? 0 : 1 }

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("fork")
    json.writer.int(fork)
    try writeMembers(to: &json)
    json.writer.endObject()
  }

  func writeMembers(to json: inout JSONOutput) throws {
    if let first = comparison.first {
      json.writer.name("first")
      json.writer.beginObject()
      json.writer.name("step")
      json.writer.uint(first.step)
      json.writer.name("recorded")
      json.writer.uint(first.recordedStep)
      try json.changes(first.changes)
      json.writer.endObject()
    }
    json.writer.name("recorded")
    json.writer.uint(comparison.lastRecordedStep)
    try json.changes(comparison.final)
  }

  func write(to text: inout TextOutput) throws {
    guard !comparison.isSame else {
      return try text.line(
        "fork \(fork) comes to the recorded states, up to those of step "
          + "\(comparison.lastRecordedStep)", .heading)
    }
    if let first = comparison.first {
      let recorded =
        first.step == first.recordedStep ? "" : ", which repeats step \(first.recordedStep)"
      try text.line("fork \(fork) first differs at step \(first.step)\(recorded)", .heading)
      for change in first.changes { try text.change(ModelChange(change)) }
    }
    let nothing = comparison.final.isEmpty ? ": nothing differs" : ""
    try text.line(
      "at the end, against step \(comparison.lastRecordedStep)\(nothing)", .heading)
    for change in comparison.final { try text.change(ModelChange(change)) }
  }
}

/// What dispatching steps again has led to: the members of a comparison, and the `steps`.
struct RedispatchAnswer: Answer {
  let steps: [BranchStep]
  let comparison: BranchComparisonAnswer

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("fork")
    json.writer.int(comparison.fork)
    try json.steps(steps)
    try comparison.writeMembers(to: &json)
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    for step in steps { try text.step(step) }
    try comparison.write(to: &text)
  }
}

extension JSONOutput {
  fileprivate mutating func changes(_ changes: [ValueChange]) throws {
    writer.name("changes")
    writer.beginArray()
    for change in changes {
      writer.change(ModelChange(change))
      try drain()
    }
    writer.endArray()
  }
}
