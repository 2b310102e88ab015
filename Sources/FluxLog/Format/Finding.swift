/// One thing that is wrong with a log, and where.
public struct Finding: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let problem: LineProblem
  /// The line, counted from 1.
  public let line: Int
  /// The number of the step that the line holds, or would hold, where that is known.
  public let step: UInt64?
  /// The offset in the line, counted from 0.
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
