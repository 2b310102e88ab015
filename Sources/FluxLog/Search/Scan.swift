import Dispatch
import FluxSystem
import Foundation

/// Asks a question of the steps of a range, in the order of a direction.
///
/// Few steps are asked one by one, and so are those where a pass cannot tell. The index knows which steps can have another
/// answer; the others are not read. If many are left, passes over pieces of the range share the cores. The pieces grow as
/// long as they take little time, so that the first answers come at once and a caller can stop.
package struct Scan<Question: StepQuestion> {
  package typealias Run = AnswerRun<Question.Answer>

  private let question: Question
  private let range: Range<Int>
  private let direction: SearchDirection
  /// The steps at the start that are asked one by one; so few are not worth a pass.
  private let smallestPass: Int

  /// The largest piece whose steps are asked one by one if a pass cannot tell.
  private static var smallestPiece: Int { 512 }
  private static var largestPiece: Int { 1 << 16 }
  /// The steps in which to look for the next one with another answer.
  private static var stretch: Int { 4096 }
  private static var patience: Duration { .milliseconds(50) }

  /// Prepares a scan; `smallestPass` is the number of steps that are not worth a pass.
  ///
  /// It is 0 if a pass costs no more than a step. If it is the number of all steps, they are asked one by one.
  package init(
    _ question: Question, _ range: Range<Int>, _ direction: SearchDirection, smallestPass: Int = 64
  ) {
    (self.question, self.range, self.direction) = (question, range, direction)
    self.smallestPass = smallestPass
  }

  /// Calls `visit` with the answers, until it returns `false`.
  ///
  /// - Parameters:
  ///   - check: Called often with the positions that are left. An error ends the scan.
  ///   - goesOn: Called often with the positions that are left; returns `false` to stop.
  ///   - visit: Receives runs of steps, in the order of the direction.
  /// - Returns: The positions that are left after the first one of the last run; `nil` if the scan is complete.
  /// - Throws: The errors of the question, and any error of the closures.
  package func run(
    check: @escaping (_ rest: Range<Int>) throws -> Void,
    goesOn: (_ rest: Range<Int>) throws -> Bool = { _ in true }, _ visit: (Run) throws -> Bool
  ) throws -> Range<Int>? {
    var rest = range
    var plain = direction.beginning(of: range, count: smallestPass)
    var size = Self.smallestPiece
    while !rest.isEmpty {
      try check(rest)
      guard try goesOn(rest) else { return rest }
      let asked = plain.clamped(to: rest)
      guard asked.isEmpty, isWorthPass(rest) else {
        let part = direction.beginning(of: asked.isEmpty ? rest : asked, count: Self.stretch)
        let run = try run(in: part) { [rest] in try check(rest) }
        guard try visit(run) else {
          return direction.rest(of: rest, beyond: run.positions.lowerBound)
        }
        rest = direction.rest(of: rest, beyond: run.positions)
        continue
      }
      for (piece, answers) in pass(over: rest, &size) {
        guard let answers else {
          plain = piece
          break
        }
        for rank in answers.indices {
          let run = run(rank, of: answers, in: piece)
          guard try visit(run) else {
            return direction.rest(of: rest, beyond: run.positions.lowerBound)
          }
        }
        rest = direction.rest(of: rest, beyond: piece)
      }
    }
    return nil
  }

  // MARK: One by one

  /// Returns the first run of a range.
  private func run(in range: Range<Int>, _ check: @escaping () throws -> Void) throws -> Run {
    let start: Int
    let end: Int
    switch direction {
    case .forwards:
      start = range.lowerBound
      end = question.candidate(in: start + 1..<range.upperBound, direction) ?? range.upperBound
    case .backwards:
      start = question.candidate(in: range, direction) ?? range.lowerBound
      end = range.upperBound
    }
    let isStart = question.candidate(in: start..<start + 1, direction) != nil
    return Run(
      positions: start..<end, answer: try question.answer(at: start, check: check),
      isChange: isStart ? nil : false)
  }

  // MARK: Passes

  /// `false` if few steps have another answer, so a pass over all the others would be wasted.
  private func isWorthPass(_ range: Range<Int>) -> Bool {
    guard range.count > smallestPass else { return false }
    let near = direction.beginning(of: range, count: max(1, smallestPass))
    return question.candidate(in: near, direction) != nil
  }

  /// Returns the next pieces of a range with their answers; none to be asked again, for smaller pieces.
  private func pass(
    over rest: Range<Int>, _ size: inout Int
  ) -> [(piece: Range<Int>, answers: [(position: Int, answer: Question.Answer)]?)] {
    let began = ContinuousClock.now
    var pieces: [Range<Int>] = []
    var left = rest
    while pieces.count < max(1, ProcessInfo.processInfo.activeProcessorCount), !left.isEmpty {
      let piece = direction.beginning(of: left, count: size)
      pieces.append(piece)
      left = direction.rest(of: left, beyond: piece)
    }
    let answers = Monitor<[Int: [(position: Int, answer: Question.Answer)]]>([:])
    DispatchQueue.concurrentPerform(iterations: pieces.count) { [question, pieces] index in
      guard let found = question.answers(in: pieces[index]) else { return }
      answers.withLock { $0[index] = found }
    }
    let found = answers.withLock { $0 }
    let known = pieces.indices.prefix { found[$0] != nil || pieces[$0].count <= Self.smallestPiece }
    if known.count < pieces.count {
      size = Self.smallestPiece
    } else if ContinuousClock.now - began < Self.patience {
      size = min(4 * size, Self.largestPiece)
    }
    return known.map { (pieces[$0], found[$0]) }
  }

  /// Returns a run of the answers of a piece; rank 0 is the first one in the order of the direction.
  private func run(
    _ rank: Int, of answers: [(position: Int, answer: Question.Answer)], in piece: Range<Int>
  ) -> Run {
    let index = direction == .forwards ? rank : answers.count - 1 - rank
    let end = index + 1 < answers.count ? answers[index + 1].position : piece.upperBound
    return Run(
      positions: answers[index].position..<end, answer: answers[index].answer,
      isChange: index == 0 ? nil : true)
  }
}
