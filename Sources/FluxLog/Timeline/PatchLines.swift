import FluxJSON

/// The position of a step, and the bytes of the file that contain its line.
struct StepPlace {
  var position: Int
  var bytes: Range<Int>
}

extension LogFile {
  /// Returns the places of the steps in a range that patch a store.
  func places(patching store: String, in range: Range<Int>) throws(LogError) -> [StepPlace] {
    let index = indexing.index
    let shapes = names.shapes { $0.kind(of: store) == .patch }
    guard !shapes.isEmpty, !range.isEmpty, var block = index.place(of: range.lowerBound)?.block
    else { return [] }
    var places: [StepPlace] = []
    while block < index.blocks.count, index.blockPositions[block] < range.upperBound {
      let start = index.blockPositions[block]
      let lines = try index.blocks[block].block()
      let steps = range.clamped(to: start..<start + lines.count)
      lines.forEachStep(in: steps.lowerBound - start..<steps.upperBound - start) {
        step, shape, bytes in
        guard shapes.contains(shape) else { return }
        places.append(StepPlace(position: start + step, bytes: bytes))
      }
      block += 1
    }
    return places
  }

  /// Reads the patches of a store at these steps, in order.
  ///
  /// Reads steps that are near each other together, and parses only their patches, all as one text:
  /// a seek reads a thousand of them.
  ///
  /// - Throws: ``LogError`` if a line is invalid in spite of a correct sum.
  func patches(of store: String, at places: [StepPlace]) throws(LogError) -> [PatchRun] {
    var runs: [PatchRun] = []
    for near in places.runs {
      if let run = try quickPatches(of: store, at: near) {
        runs.append(run)
      } else {
        // At least one line is not as writers write it and needs all checks. The others are read
        // one by one, so that the result for a step does not depend on the steps that are read with
        // it.
        for place in near.indices {
          if let alone = try quickPatches(of: store, at: near[place...place]) {
            runs.append(alone)
          } else {
            runs.append(PatchRun(try patch(of: store, at: near[place])))
          }
        }
      }
    }
    return runs
  }

  /// Returns the state after these steps if their patches only replace values.
  ///
  /// Returns `nil` if a patch does anything else, or is not as writers write it.
  func overlaid(
    _ base: JSON, of store: String, at places: [StepPlace]
  ) throws(LogError) -> JSON? {
    try base.document.withTape { (tape) throws(LogError) in
      guard var overlay = StateOverlay(base, on: tape) else { return nil }
      for near in places.runs {
        let isWhole = try forEachLine(of: store, at: near) { lines, bytes, line in
          guard let replacement = lines.replacement(in: line) else { return false }
          return overlay.take(replacement, of: bytes)
        }
        guard isWhole else { return nil }
      }
      return overlay.state()
    }
  }

  private func patch(of store: String, at place: StepPlace) throws(LogError) -> JSON {
    if let patch = try step(at: place.position).patches?[store] { return patch }
    let finding = Finding(
      problem: .missingMember("patches.\(store)"),
      line: try lineNumber(at: place.position) ?? 0,
      step: number(at: place.position))
    throw LogError(path: path, reason: .damaged(finding))
  }

  /// Returns the patches if all lines are as writers write them.
  private func quickPatches(
    of store: String, at places: ArraySlice<StepPlace>
  ) throws(LogError) -> PatchRun? {
    // One array of all operations, to be parsed at once.
    var text: [UInt8] = [UInt8(ascii: "[")]
    var ends: [Int] = []
    ends.reserveCapacity(places.count)
    let isWhole = try forEachLine(of: store, at: places) { lines, bytes, line in
      guard let patch = lines.patch(in: line),
        patch.count >= 2, bytes[patch.lowerBound] == UInt8(ascii: "["),
        bytes[patch.upperBound - 1] == UInt8(ascii: "]")
      else { return false }
      // Without its brackets. The brackets inside are balanced, so each operation belongs to one
      // patch.
      let operations = patch.dropFirst().dropLast()
      if text.count > 1, !operations.isEmpty { text.append(UInt8(ascii: ",")) }
      unsafe text.append(contentsOf: bytes.slice(operations.lowerBound, operations.upperBound))
      ends.append(text.count)
      return true
    }
    guard isWhole else { return nil }
    text.append(UInt8(ascii: "]"))
    do throws(JSONError) {
      return PatchRun(try JSON.parse(text), ends: ends)
    } catch {
      return nil
    }
  }

  /// Reads steps that are near each other, and calls `body` with the place of each line.
  ///
  /// Stops and returns `false` when `body` does.
  private func forEachLine(
    of store: String, at places: ArraySlice<StepPlace>,
    _ body: (inout StepLines, JSONBytes, Range<Int>) -> Bool
  ) throws(LogError) -> Bool {
    guard let first = places.first, let last = places.last else { return true }
    let range = first.bytes.lowerBound..<last.bytes.upperBound
    // Other lines of any length may follow the last step.
    guard range.count <= 1 << 26 else { return false }
    let bytes = try file.bytes(at: range.lowerBound, count: range.count)
    guard bytes.count == range.count else { return false }
    return unsafe bytes.span.bytes.withUnsafeBytes { bytes in
      var lines = unsafe StepLines(bytes, patching: store)
      let view = unsafe JSONBytes(bytes)
      return places.allSatisfy { place in
        let start = place.bytes.lowerBound - range.lowerBound
        return body(&lines, view, start..<place.bytes.upperBound - range.lowerBound)
      }
    }
  }
}

extension [StepPlace] {
  /// The places in groups that are near each other, to be read together.
  fileprivate var runs: [ArraySlice<StepPlace>] {
    var runs: [ArraySlice<StepPlace>] = []
    var start = startIndex
    while start < endIndex {
      var end = start + 1
      while end < endIndex, self[end].isNear(self[start], after: self[end - 1]) { end += 1 }
      runs.append(self[start..<end])
      start = end
    }
    return runs
  }
}

extension StepPlace {
  /// Reading one or two unneeded pages is cheaper than another system call.
  ///
  /// Reads are limited to a megabyte.
  fileprivate func isNear(_ first: StepPlace, after previous: StepPlace) -> Bool {
    bytes.lowerBound - previous.bytes.upperBound < 1 << 13
      && bytes.upperBound - first.bytes.lowerBound < 1 << 20
  }
}
