/// The index of the step lines that begin in one stretch of the file.
///
/// Two to three bytes a step where types and shapes are few: no line's text is kept.
struct IndexBlock: Sendable, Equatable {
  /// Lines of other kinds, or without use, that stand before a step of the block.
  struct Skip: Sendable, Equatable {
    /// The step's place in the block.
    var step: Int
    /// How many such lines there are before it in the block.
    var lines: Int
  }

  /// Where the stretch begins in the file.
  var offset: Int
  /// Where the last line that begins in the stretch ends.
  var end: Int
  /// The line that the stretch begins with, counted from 1.
  var firstLine = 0
  /// Where each step's line begins, from `offset` on.
  var starts: LineStarts
  /// The number of each step's type.
  var types: NumberColumn
  /// The number of each step's shape.
  var shapes: NumberColumn
  /// In ascending order.
  var skips: [Skip]

  var count: Int { starts.count }

  /// The bytes of the file among which a step's line is: it may be followed by other lines.
  func bytes(ofStep step: Int) -> Range<Int> {
    let start = offset + starts[step]
    return start..<(step + 1 < count ? start + Int(starts.distances[step]) : end)
  }

  /// Calls `body` for each step of a range with the number of its shape and the bytes of the file
  /// among which its line is.
  func eachStep(in steps: Range<Int>, _ body: (_ step: Int, _ shape: UInt32, Range<Int>) -> Void) {
    guard let first = steps.first else { return }
    let shapes = shapes.numbers(in: steps)
    // After the last line of the block there is no other.
    let distances = starts.distances.numbers(in: first..<min(steps.upperBound, count - 1))
    var start = offset + starts[first]
    for step in steps {
      let next = step + 1 < count ? start + Int(distances[step - first]) : end
      body(step, shapes[step - first], start..<next)
      start = next
    }
  }

  /// The number of a step's line, counted from 1.
  func line(ofStep step: Int) -> Int {
    var low = 0
    var high = skips.count
    while low < high {
      let middle = (low + high) / 2
      if skips[middle].step <= step { low = middle + 1 } else { high = middle }
    }
    return firstLine + step + (low > 0 ? skips[low - 1].lines : 0)
  }

  /// Takes out steps that turned out to be of no use; their lines are skipped.
  mutating func remove(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    starts = starts.removing(range)
    types = types.removing(range)
    shapes = shapes.removing(range)
    var lines = 0
    var added = false
    var result: [Skip] = []
    for skip in skips {
      if skip.step > range.lowerBound, !added {
        result.append(Skip(step: range.lowerBound, lines: lines + range.count))
        added = true
      }
      lines = skip.lines
      let step =
        skip.step <= range.lowerBound ? skip.step : max(range.lowerBound, skip.step - range.count)
      result.append(Skip(step: step, lines: lines + (added ? range.count : 0)))
    }
    if !added { result.append(Skip(step: range.lowerBound, lines: lines + range.count)) }
    skips = result
  }
}

extension NumberColumn {
  fileprivate func removing(_ range: Range<Int>) -> NumberColumn {
    var numbers = numbers
    numbers.removeSubrange(range)
    return NumberColumn(numbers)
  }
}

extension LineStarts {
  fileprivate func removing(_ range: Range<Int>) -> LineStarts {
    var starts = all
    starts.removeSubrange(range)
    return LineStarts(starts)
  }
}
