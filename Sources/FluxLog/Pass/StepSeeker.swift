import FluxJSON
import FluxSystem

/// Finds steps by their numbers in a log that is not indexed, by halving the file.
///
/// The numbers of the steps must grow, as they do in a log without damage.
package struct StepSeeker {
  /// The path of the log.
  package var path: String { file.path }
  /// The number of the first step.
  package let first: UInt64

  private let file: OpenFile
  private let steps: Range<Int>

  /// The bytes to read at a time.
  private static let windowSize = 1 << 16

  /// Prepares a search in a log after a pass over it.
  package init(_ pass: StepPass) {
    file = pass.file
    first = pass.header.first
    steps = pass.range
  }

  /// Returns a step and the place of its line; `nil` if the log has no step with this number.
  ///
  /// - Throws: ``LogError`` if the file cannot be read.
  package func step(_ number: UInt64) throws(LogError) -> (step: LogStep, start: Int)? {
    // The step begins in this range, which begins with a line.
    var range = steps
    while range.count > Self.windowSize {
      let middle = range.lowerBound + range.count / 2
      // A range that ends within a line may have no other line in its second half.
      let start = try lineStart(from: middle)
      guard start < range.upperBound,
        let found = try firstStep(in: start..<range.upperBound), found.step.number <= number
      else {
        range = range.lowerBound..<middle
        continue
      }
      if found.step.number == number { return found }
      range = found.start..<range.upperBound
    }
    var start = range.lowerBound
    while let found = try firstStep(in: start..<steps.upperBound), found.step.number <= number {
      if found.step.number == number { return found }
      start = try lineStart(from: found.start + 1)
    }
    return nil
  }

  /// Returns the number of the line that begins at a place, counted from 1.
  ///
  /// - Throws: ``LogError`` if the file cannot be read.
  package func lineNumber(at place: Int) throws(LogError) -> Int {
    var count = 1
    var start = 0
    while start < place {
      let bytes = try file.bytes(at: start, count: min(1 << 20, place - start))
      guard !bytes.isEmpty else { break }
      for byte in bytes where byte == UInt8(ascii: "\n") { count += 1 }
      start += bytes.count
    }
    return count
  }

  /// Returns the first step line that begins in a range, which begins with a line.
  private func firstStep(in range: Range<Int>) throws(LogError) -> (step: LogStep, start: Int)? {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = try lineStart(from: start + 1)
      if end - start <= MemoryLimit.standard.lineByteCount,
        let step = Self.step(try file.bytes(at: start, count: end - start))
      {
        return (step, start)
      }
      start = end
    }
    return nil
  }

  private static func step(_ line: [UInt8]) -> LogStep? {
    var line = line[...]
    while line.last == UInt8(ascii: "\n") || line.last == UInt8(ascii: "\r") { line.removeLast() }
    do throws(LineFault) {
      guard case .step(let step) = try LogLine(Array(line)) else { return nil }
      return step
    } catch {
      return nil
    }
  }

  /// Returns the start of the first line that begins at a place or after it; the end if there is none.
  private func lineStart(from place: Int) throws(LogError) -> Int {
    guard place > steps.lowerBound, place < steps.upperBound else {
      return min(max(place, steps.lowerBound), steps.upperBound)
    }
    let newline = try file.newline(in: place - 1..<steps.upperBound, by: 1 << 12)
    return newline.map { $0 + 1 } ?? steps.upperBound
  }
}
