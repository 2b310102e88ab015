/// A step line that is to be read: its position, and the bytes of the file among which it is.
struct StepPlace {
  var position: Int
  var bytes: Range<Int>
}

extension LogFile {
  /// The places of the steps in a range that write a store by a patch.
  func places(patching store: String, in range: Range<Int>) throws(LogError) -> [StepPlace] {
    let index = indexing.index
    let shapes = names.shapes { $0.kind(of: store) == .patch }
    guard !shapes.isEmpty, !range.isEmpty, var block = index.place(of: range.lowerBound)?.block
    else { return [] }
    var places: [StepPlace] = []
    while block < index.blocks.count, index.blockPositions[block] < range.upperBound {
      let start = index.blockPositions[block]
      let lines = try index.blocks[block].block()
      for position in range.clamped(to: start..<start + lines.count)
      where shapes.contains(lines.shapes[position - start]) {
        places.append(
          StepPlace(position: position, bytes: lines.bytes(ofStep: position - start)))
      }
      block += 1
    }
    return places
  }

  /// Reads the patches of a store in these steps, as their texts are.
  ///
  /// Steps that are near each other in the file are read at once, and of their lines only the
  /// patches are parsed, all of them as one text: a seek goes over a thousand of them.
  ///
  /// - Throws: ``LogError`` where a line is not what its sum promised.
  func patches(of store: String, at places: [StepPlace]) throws(LogError) -> [JSON] {
    var patches: [JSON] = []
    patches.reserveCapacity(places.count)
    var start = 0
    while start < places.count {
      var end = start + 1
      while end < places.count, places[end].isNear(places[start], after: places[end - 1]) {
        end += 1
      }
      try append(patchesOf: store, at: places[start..<end], to: &patches)
      start = end
    }
    return patches
  }

  private func append(
    patchesOf store: String, at places: ArraySlice<StepPlace>, to patches: inout [JSON]
  ) throws(LogError) {
    if let fast = try quickPatches(of: store, at: places) {
      patches.append(contentsOf: fast)
      return
    }
    // Some line is not as writers write it: each is read with all checks.
    for place in places {
      guard let patch = try step(at: place.position).patches?[store] else {
        let finding = Finding(
          problem: .missingMember("patches.\(store)"),
          line: try lineNumber(at: place.position) ?? 0,
          step: number(at: place.position))
        throw LogError(path: path, reason: .damaged(finding))
      }
      patches.append(patch)
    }
  }

  /// The patches, where all lines are as writers write them.
  private func quickPatches(
    of store: String, at places: ArraySlice<StepPlace>
  ) throws(LogError) -> JSON.Elements? {
    guard let first = places.first, let last = places.last else { return nil }
    let range = first.bytes.lowerBound..<last.bytes.upperBound
    let bytes = try file.bytes(at: range.lowerBound, count: range.count)
    guard bytes.count == range.count else { return nil }
    var text: [UInt8] = [UInt8(ascii: "[")]
    text.reserveCapacity(bytes.count)
    let name = Array(store.utf8)
    let isWhole = unsafe bytes.span.bytes.withUnsafeBytes { bytes in
      let lines = unsafe StepLines(bytes)
      for place in places {
        let start = place.bytes.lowerBound - range.lowerBound
        let limit = place.bytes.upperBound - range.lowerBound
        guard let patch = lines.patch(of: name, in: start..<limit) else { return false }
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
        unsafe text.append(contentsOf: bytes[patch])
      }
      return true
    }
    guard isWhole else { return nil }
    text.append(UInt8(ascii: "]"))
    do throws(JSONError) {
      let patches = try JSON.parse(text).elements
      return patches.count == places.count ? patches : nil
    } catch {
      return nil
    }
  }
}

extension StepPlace {
  /// Reading a page or two that nobody needs is cheaper than another call of the system; a
  /// megabyte at once is enough.
  fileprivate func isNear(_ first: StepPlace, after previous: StepPlace) -> Bool {
    bytes.lowerBound - previous.bytes.upperBound < 1 << 13
      && bytes.upperBound - first.bytes.lowerBound < 1 << 20
  }
}
