/// A problem of one line, with its place in the line.
struct LineFault: Error, Equatable, Sendable {
  let problem: LineProblem
  /// Counted from 0 at the start of the line.
  let byte: Int
}
