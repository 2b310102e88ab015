import Dispatch
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

  /// Returns the nth position of a range.
  func position(_ place: Int, in range: Range<Int>) -> Int {
    self == .forwards ? range.lowerBound + place : range.upperBound - 1 - place
  }

  /// Returns the part of a range that is beyond a piece of it.
  func rest(of range: Range<Int>, beyondPiece piece: Range<Int>) -> Range<Int> {
    self == .forwards ? piece.upperBound..<range.upperBound : range.lowerBound..<piece.lowerBound
  }
}
