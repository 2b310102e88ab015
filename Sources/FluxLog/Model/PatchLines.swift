import FluxJSON

struct StepPlace {
  var position: Int
  var bytes: Range<Int>
}

extension LogFile {
  func places(patching store: String, in range: Range<Int>) -> [StepPlace] {
    let index = indexing.index
    let shapes = names.shapes { $0.kind(of: store) == .patch }
    guard !shapes.isEmpty, !range.isEmpty, var block = index.place(of: range.lowerBound)?.block
    else { return [] }
    var places: [StepPlace] = []
    while block < index.blocks.count, index.blockPositions[block] < range.upperBound {
      let start = index.blockPositions[block]
      let lines = index.blocks[block]
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

  /// Reads the patches of a store at these steps, in order, and parses nothing else of most lines.
  func patches(of store: String, at places: [StepPlace]) throws(LogError) -> [JSON] {
    var patches: [JSON] = []
    patches.reserveCapacity(places.count)
    for near in places.runs {
      var quick: [JSON?] = []
      _ = try forEachLine(of: store, at: near) { finder, line in
        quick.append(
          line.flatMap { line in finder.patch(in: line).flatMap { parsed($0, of: line) } })
        return true
      }
      for (offset, place) in near.enumerated() {
        if offset < quick.count, let patch = quick[offset] {
          patches.append(patch)
        } else {
          // The line is not as writers write it, and needs all checks.
          patches.append(try patch(of: store, at: place))
        }
      }
    }
    return patches
  }

  /// Returns the state after these steps; `nil` unless all patches replace one value each, as
  /// writers write it.
  func overlaid(
    _ base: JSON, of store: String, at places: [StepPlace]
  ) throws(LogError) -> JSON? {
    try base.document.withTape { (tape) throws(LogError) in
      guard var overlay = Overlay(base, on: tape) else { return nil }
      for near in places.runs {
        let isWhole = try forEachLine(of: store, at: near) { finder, line in
          guard let line, let replacement = finder.replacement(in: line) else { return false }
          return overlay.replace(at: replacement.path, with: replacement.value, of: line.bytes)
        }
        guard isWhole else { return nil }
      }
      return overlay.json()
    }
  }

  private func patch(of store: String, at place: StepPlace) throws(LogError) -> JSON {
    if let patch = try step(at: place.position).patches?[store] { return patch }
    throw LogError(
      path: path, LineFault(problem: .missingMember("patches.\(store)"), byte: 0),
      line: lineNumber(at: place.position) ?? 0, step: number(at: place.position))
  }

  private func parsed(_ patch: Range<Int>, of line: StepLine) -> JSON? {
    do throws(JSONError) {
      return try unsafe JSON.parse([UInt8](line.bytes.slice(patch.lowerBound, patch.upperBound)))
    } catch {
      // Reading the whole line finds out what is wrong with it.
      return nil
    }
  }

  /// Calls `body` with the lines of steps that are near each other, `nil` for one that is not as writers write it, until
  /// it returns `false`.
  private func forEachLine(
    of store: String, at places: ArraySlice<StepPlace>,
    _ body: (inout PatchFinder, StepLine?) -> Bool
  ) throws(LogError) -> Bool {
    guard let first = places.first, let last = places.last else { return true }
    let range = first.bytes.lowerBound..<last.bytes.upperBound
    // Other lines of any length may follow the last step.
    guard range.count <= 1 << 26 else { return false }
    let bytes = try file.bytes(at: range.lowerBound, count: range.count)
    guard bytes.count == range.count else { return false }
    return unsafe bytes.withUnsafeBytes { bytes in
      var finder = PatchFinder(store)
      let view = unsafe JSONBytes(bytes)
      return places.allSatisfy { place in
        let start = place.bytes.lowerBound - range.lowerBound
        let line = start..<place.bytes.upperBound - range.lowerBound
        return body(&finder, StepLine(view, firstOf: line))
      }
    }
  }
}

extension [StepPlace] {
  /// The places in groups to be read together.
  ///
  /// Reading one or two unneeded pages is cheaper than another system call.
  fileprivate var runs: [ArraySlice<StepPlace>] {
    var runs: [ArraySlice<StepPlace>] = []
    var start = startIndex
    while start < endIndex {
      var end = start + 1
      while end < endIndex, self[end].bytes.lowerBound - self[end - 1].bytes.upperBound < 1 << 13,
        self[end].bytes.upperBound - self[start].bytes.lowerBound < 1 << 20
      {
        end += 1
      }
      runs.append(self[start..<end])
      start = end
    }
    return runs
  }
}
