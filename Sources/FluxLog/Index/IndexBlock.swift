/// The index of the step lines that start in one piece of the file.
///
/// Takes two to three bytes per step if there are few types and shapes. Contains no text of the
/// lines.
struct IndexBlock: Sendable, Equatable {
  /// Lines before a step of the block that are not usable steps.
  struct Skip: Sendable, Equatable {
    /// The place of the step in the block.
    var step: Int
    /// The number of such lines before the step in the block.
    var lines: Int
  }

  /// The offset of the piece in the file.
  var offset: Int
  /// The end of the last line that starts in the piece.
  var end: Int
  /// The number of the piece's first line, counted from 1.
  var firstLine = 0
  /// The start of each step's line, relative to `offset`.
  var starts: LineStarts
  /// The type number of each step.
  var types: NumberColumn
  /// The shape number of each step.
  var shapes: NumberColumn
  /// In ascending order.
  var skips: [Skip]

  var count: Int { starts.count }

  /// Returns the bytes of the file that contain a step's line; other lines may follow it.
  func bytes(ofStep step: Int) -> Range<Int> {
    let start = offset + starts[step]
    return start..<(step + 1 < count ? start + Int(starts.distances[step]) : end)
  }

  /// Calls `body` for each step in a range with its shape number and the bytes of the file that
  /// contain its line.
  func forEachStep(in steps: Range<Int>, _ body: (_ step: Int, _ shape: UInt32, Range<Int>) -> Void)
  {
    guard let first = steps.first else { return }
    let shapes = shapes.numbers(in: steps)
    // The last line of the block has no next line.
    let distances = starts.distances.numbers(in: first..<min(steps.upperBound, count - 1))
    var start = offset + starts[first]
    for step in steps {
      let next = step + 1 < count ? start + Int(distances[step - first]) : end
      body(step, shapes[step - first], start..<next)
      start = next
    }
  }

  /// Returns the line number of a step, counted from 1.
  func line(ofStep step: Int) -> Int {
    var low = 0
    var high = skips.count
    while low < high {
      let middle = (low + high) / 2
      if skips[middle].step <= step { low = middle + 1 } else { high = middle }
    }
    return firstLine + step + (low > 0 ? skips[low - 1].lines : 0)
  }

  /// Removes unusable steps; their lines are counted as skipped.
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
