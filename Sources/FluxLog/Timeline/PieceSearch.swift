import Dispatch
import FluxJSON
import FluxSystem
import Foundation

/// Asks the same question about piece after piece of a range, several pieces at a time.
///
/// The pieces grow as long as they take little time, so that the first answers come at once and a caller can stop the
/// search. A piece without an answer is asked for again in small pieces, until only the steps that are the problem lack an
/// answer.
struct PieceSearch<Answer: Sendable> {
  /// The largest piece of which the caller examines each step if it has no answer.
  static var smallestPiece: Int { 512 }
  private static var largestPiece: Int { 1 << 16 }
  private static var patience: Duration { .milliseconds(50) }

  private let direction: SearchDirection
  private let ask: @Sendable (Range<Int>) -> Answer?
  private var size = smallestPiece

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - direction: The order of the pieces.
  ///   - ask: Returns the answer for a piece, or `nil` if there is none; called by several threads.
  init(_ direction: SearchDirection, _ ask: @escaping @Sendable (Range<Int>) -> Answer?) {
    self.direction = direction
    self.ask = ask
  }

  /// Returns the next pieces of a range with their answers; at least one, unless all have to be asked for again.
  mutating func next(in rest: Range<Int>) -> [(piece: Range<Int>, answer: Answer?)] {
    let began = ContinuousClock.now
    let pieces = self.pieces(of: rest)
    let answers = Monitor<[Int: Answer]>([:])
    DispatchQueue.concurrentPerform(iterations: pieces.count) { [ask] index in
      guard let answer = ask(pieces[index]) else { return }
      answers.withLock { $0[index] = answer }
    }
    let found = answers.withLock { $0 }
    var result: [(piece: Range<Int>, answer: Answer?)] = []
    for (index, piece) in pieces.enumerated() {
      if found[index] == nil, piece.count > Self.smallestPiece {
        size = Self.smallestPiece
        return result
      }
      result.append((piece, found[index]))
    }
    if ContinuousClock.now - began < Self.patience { size = min(4 * size, Self.largestPiece) }
    return result
  }

  private func pieces(of rest: Range<Int>) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var rest = rest
    for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) where !rest.isEmpty {
      let piece = direction.beginning(of: rest, count: size)
      pieces.append(piece)
      rest = direction.rest(of: rest, beyondPiece: piece)
    }
    return pieces
  }
}

extension SearchDirection {
  /// Returns the first positions of a range.
  func beginning(of range: Range<Int>, count: Int) -> Range<Int> {
    self == .forwards ? range.prefix(count) : range.suffix(count)
  }

  /// Returns the part of a range that is beyond a piece of it.
  func rest(of range: Range<Int>, beyondPiece piece: Range<Int>) -> Range<Int> {
    self == .forwards ? piece.upperBound..<range.upperBound : range.lowerBound..<piece.lowerBound
  }
}

/// The search for the steps for which an expression holds.
struct ExpressionSearch {
  private let timeline: Timeline
  private let expression: QueryExpression
  private let direction: SearchDirection
  /// The number of steps whose result is unknown, because a state that decides is unknown.
  private(set) var unknownSteps = 0

  init(_ expression: QueryExpression, in timeline: Timeline, _ direction: SearchDirection) {
    (self.timeline, self.expression, self.direction) = (timeline, expression, direction)
  }

  /// Calls `visit` with each step of a range for which the expression holds, until it returns `false`.
  ///
  /// - Parameters:
  ///   - range: The positions to search.
  ///   - check: Called often with the number of steps that were passed. An error ends the search.
  ///   - visit: Receives the positions in the order of the search.
  /// - Throws: ``LogError`` if a line cannot be read, `QueryError` if the expression is too expensive, and any error of
  ///   `check`.
  mutating func run(
    _ range: Range<Int>, check: @escaping (Int) throws -> Void, _ visit: (Int) -> Bool
  ) throws {
    var search = PieceSearch(direction) { [timeline, expression] piece in
      timeline.matches(of: expression, in: piece)
    }
    var rest = range
    // A step near the start is found without a pass.
    let near = direction.beginning(of: rest, count: 64)
    guard try examine(near, in: range, check, visit) else { return }
    rest = direction.rest(of: rest, beyondPiece: near)
    while !rest.isEmpty {
      try check(range.count - rest.count)
      for (piece, matches) in search.next(in: rest) {
        if let matches {
          for position in direction == .forwards ? matches : matches.reversed() {
            guard visit(position) else { return }
          }
        } else {
          guard try examine(piece, in: range, check, visit) else { return }
        }
        rest = direction.rest(of: rest, beyondPiece: piece)
      }
    }
  }

  /// Asks about each step of a piece; returns `false` to stop.
  private mutating func examine(
    _ piece: Range<Int>, in range: Range<Int>, _ check: @escaping (Int) throws -> Void,
    _ visit: (Int) -> Bool
  ) throws -> Bool {
    var probe = StepProbe(.expression(expression), in: timeline)
    defer { unknownSteps += probe.unknownSteps }
    var rest = piece
    while !rest.isEmpty {
      let passed =
        direction == .forwards
        ? rest.lowerBound - range.lowerBound : range.upperBound - rest.upperBound
      let found = try probe.next(in: rest, direction) { try check(passed + $0) }
      guard let found else { return true }
      guard visit(found) else { return false }
      rest = direction.rest(of: rest, beyond: found)
    }
    return true
  }
}
