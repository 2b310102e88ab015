/// A question that has an answer at each step of a log.
///
/// A ``Scan`` asks it in two ways that agree: along a pass over many steps, and of one step after another. The first is fast,
/// and may give up where anything is special. The second knows what every step means.
package protocol StepQuestion: Sendable {
  associatedtype Answer: Sendable

  /// Returns the answers along some steps in one pass, each with the position from which on it holds; `nil` if a pass cannot
  /// tell.
  ///
  /// The first one is that of the first step, and each differs from the one before it. Several threads call this.
  func answers(in piece: Range<Int>) -> [(position: Int, answer: Answer)]?

  /// Returns the answer at a step.
  ///
  /// - Parameters:
  ///   - position: The position of the step.
  ///   - check: Called from time to time. An error ends the evaluation.
  /// - Returns: The answer; `nil` if it is unknown.
  /// - Throws: ``LogError`` if a line cannot be read, the errors of the question, and any error of `check`.
  func answer(at position: Int, check: @escaping () throws -> Void) throws -> Answer?

  /// Returns the nearest position in a range whose step can have another answer than the step before it, as far as the index
  /// knows.
  func candidate(in range: Range<Int>, _ direction: SearchDirection) -> Int?
}

/// Steps that are next to each other and have the same answer.
package struct AnswerRun<Answer: Sendable> {
  package let positions: Range<Int>
  /// The answer; `nil` if it is unknown.
  package let answer: Answer?
  /// `true` if the first step has another answer than the step before it; `nil` if that is not known.
  package let isChange: Bool?
}
