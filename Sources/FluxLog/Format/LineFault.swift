/// A problem of one line, with its place in the line.
struct LineFault: Error, Equatable, Sendable {
  let problem: LineProblem
  /// Counted from 0 at the start of the line.
  let byte: Int
}

extension LineFault {
  /// Says that a line is longer than so many bytes, and was not read.
  init(tooLongFor limit: Int) {
    self.init(problem: .notJSON(JSONError(byte: limit, reason: .tooLong)), byte: limit)
  }
}
