import FluxJSON

/// A step that patches a store, and the bytes that begin with its line.
struct PatchingStep {
  var position: Int
  var bytes: Range<Int>
}

extension LogFile {
  func steps(patching store: String, in range: Range<Int>) -> [PatchingStep] {
    let index = indexing.index
    let shapes = names.shapes { $0.kind(of: store) == .patch }
    guard !shapes.isEmpty, !range.isEmpty, var block = index.location(of: range.lowerBound)?.block
    else { return [] }
    var found: [PatchingStep] = []
    while block < index.blocks.count, index.blockPositions[block] < range.upperBound {
      let start = index.blockPositions[block]
      let lines = index.blocks[block]
      let steps = range.clamped(to: start..<start + lines.count)
      lines.forEachStep(in: steps.lowerBound - start..<steps.upperBound - start) {
        step, shape, bytes in
        guard shapes.contains(shape) else { return }
        found.append(PatchingStep(position: start + step, bytes: bytes))
      }
      block += 1
    }
    return found
  }

  /// Reads the patches of a store at these steps, in order, and parses nothing else of most lines.
  func patches(of store: String, at steps: [PatchingStep]) throws(LogError) -> [JSON] {
    var patches: [JSON] = []
    patches.reserveCapacity(steps.count)
    for near in steps.runs {
      var quick: [JSON?] = []
      _ = try forEachLine(of: store, at: near) { finder, line in
        // If a patch is no JSON, reading the whole line finds out what is wrong with it.
        quick.append(
          line.flatMap { line in
            finder.patch(in: line).flatMap { patch in
              unsafe JSON(ifValid: [UInt8](line.bytes.slice(patch.lowerBound, patch.upperBound)))
            }
          })
        return true
      }
      for (index, step) in near.enumerated() {
        if index < quick.count, let patch = quick[index] {
          patches.append(patch)
        } else {
          // The line is not as writers write it, and needs all checks.
          patches.append(try patch(of: store, at: step.position))
        }
      }
    }
    return patches
  }

  /// Returns the state after these steps; `nil` unless all patches replace one value each, as
  /// writers write it.
  func overlaid(
    _ base: JSON, of store: String, at steps: [PatchingStep]
  ) throws(LogError) -> JSON? {
    try base.document.withTape { (tape) throws(LogError) in
      guard var overlay = Overlay(base, on: tape, maximumDepth: JSON.maximumStateDepth) else {
        return nil
      }
      for near in steps.runs {
        let isWhole = try forEachLine(of: store, at: near) { finder, line in
          guard let line, let replacement = finder.replacement(in: line) else { return false }
          return overlay.replace(at: replacement.path, with: replacement.value, of: line.bytes)
        }
        guard isWhole else { return nil }
      }
      return overlay.json()
    }
  }

  private func patch(of store: String, at position: Int) throws(LogError) -> JSON {
    if let patch = try step(at: position).patches?[store] { return patch }
    throw damage(
      LineFault(problem: .missingMember("patches.\(store)"), byte: 0), at: position)
  }

  /// Calls `body` with the lines of steps that are near each other, `nil` for one that is not as writers write it, until
  /// it returns `false`.
  private func forEachLine(
    of store: String, at steps: ArraySlice<PatchingStep>,
    _ body: (inout PatchFinder, StepLine?) -> Bool
  ) throws(LogError) -> Bool {
    guard let first = steps.first, let last = steps.last else { return true }
    let range = first.bytes.lowerBound..<last.bytes.upperBound
    // Other lines of any length may follow the last step.
    guard range.count <= 1 << 26 else { return false }
    let bytes = try file.bytes(at: range.lowerBound, count: range.count)
    guard bytes.count == range.count else { return false }
    return unsafe bytes.withUnsafeBytes { bytes in
      var finder = PatchFinder(store)
      let view = unsafe JSONBytes(bytes)
      return steps.allSatisfy { step in
        let start = step.bytes.lowerBound - range.lowerBound
        let line = start..<step.bytes.upperBound - range.lowerBound
        return body(&finder, StepLine(view, firstOf: line))
      }
    }
  }
}

extension [PatchingStep] {
  /// The steps in groups to be read together.
  ///
  /// Reading one or two unneeded pages is cheaper than another system call.
  fileprivate var runs: [ArraySlice<PatchingStep>] {
    var runs: [ArraySlice<PatchingStep>] = []
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
