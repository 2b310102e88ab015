import FluxJSON

/// A problem of one line and its byte offset in the line.
struct LineFault: Error, Equatable, Sendable {
  let problem: LineProblem
  /// The offset from the start of the line, counted from 0.
  let byte: Int
}

extension LineFault {
  /// Makes the fault of a line that was not read because it is longer than `limit` bytes.
  init(tooLongFor limit: Int) {
    self.init(problem: .notJSON(JSONError(byte: limit, reason: .tooLong)), byte: limit)
  }
}
