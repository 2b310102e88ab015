/// One problem of a log, and its place.
public struct Finding: Error, Equatable, Sendable, CustomStringConvertible {
  /// The problem.
  public let problem: LineProblem
  /// The line, counted from 1.
  public let line: Int
  /// The number of the step that the line holds or would hold; `nil` if it is unknown.
  public let step: UInt64?
  /// The byte offset in the line, counted from 0.
  public let byte: Int

  /// Makes a finding.
  public init(problem: LineProblem, line: Int, step: UInt64? = nil, byte: Int = 0) {
    self.problem = problem
    self.line = line
    self.step = step
    self.byte = byte
  }

  /// The place and the problem: `line 7, step 6, byte 81: the sum is …`.
  public var description: String {
    let step = step.map { ", step \($0)" } ?? ""
    return "line \(line)\(step), byte \(byte): \(problem.message)"
  }
}

/// A problem of one line and its byte offset in the line.
struct LineFault: Error, Equatable, Sendable {
  let problem: LineProblem
  /// The offset from the start of the line, counted from 0.
  let byte: Int
}

extension LineFault {
  /// The fault of a line of which only the beginning is read.
  init(lineTooLong byteCount: Int?, limit: Int) {
    self.init(problem: .lineTooLong(byteCount: byteCount, limit: limit), byte: limit)
  }
}
