/// A state in which values have been replaced, one step after the other.
///
/// Most patches of a log replace one value. To be at a step far from the last whole state, such
/// patches need not be applied: it is enough to know which value stands last in each place, and to
/// copy what is between them. Whatever else a patch does ends this, and they are applied.
struct StateOverlay {
  private let base: JSON
  /// For each value of the base, what became of it, by its place from the base's own on.
  private var marks: [UInt32]
  /// The values that patches brought, as the text of an array; before each a comma.
  private var text: [UInt8] = []
  /// Where they stand in it, and in how many containers they are put.
  private var values: [(text: Range<Int>, depth: Int)] = []
  /// The places of the elements of arrays that were looked into, and the last one of these.
  private var arrays: [Int: [UInt32]] = [:]
  private var lastArray: (place: Int, elements: [UInt32]) = (-1, [])

  /// The mark of a container in which a value was replaced; that of a value is its number, from 1.
  private static let holdsReplaced = UInt32.max

  /// Begins with a whole state; nil where an object in it names a member twice.
  init?(_ base: JSON) {
    guard !base.hasDuplicateNames else { return nil }
    self.base = base
    marks = Array(repeating: 0, count: base.nodeCount)
  }

  /// Takes in a patch as writers write it; false where it is another one, after which the overlay
  /// is of no use any more.
  mutating func take(_ patch: Range<Int>, of bytes: JSONBytes) -> Bool {
    guard let replacement = Replacement(patch, of: bytes), values.count < Int(UInt32.max) - 1,
      let target = mark(pathOf: replacement, in: bytes)
    else { return false }
    text.append(text.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
    let start = text.count
    unsafe text.append(
      contentsOf: bytes.slice(replacement.value.lowerBound, replacement.value.upperBound))
    values.append((start..<text.count, target.depth))
    marks[target.place - base.place] = UInt32(values.count)
    return true
  }

  /// The state with all that was taken in; nil where a patch did not bring one value.
  consuming func state() -> JSON? {
    guard !values.isEmpty else { return base }
    text.append(UInt8(ascii: "]"))
    guard let document = parsed(text) else { return nil }
    return document.withTape { new -> JSON? in
      guard let places = places(on: new) else { return nil }
      return base.document.withTape { old in
        var assembler = OverlayAssembler(base.place, old, new)
        var place = base.place
        while place < base.place + marks.count {
          switch marks[place - base.place] {
          case 0: place += 1
          case Self.holdsReplaced:
            assembler.enter(place)
            place += 1
          case let number:
            assembler.replace(place, with: places[Int(number) - 1])
            place = Int(old[place].next)
          }
        }
        return assembler.assembled()
      }
    }
  }

  private func parsed(_ text: [UInt8]) -> JSONDocument? {
    do throws(JSONError) {
      return try JSONDocument(parsing: text)
    } catch {
      // Which patch is wrong, applying them will tell.
      return nil
    }
  }

  /// The places of the values that patches brought; nil where they are not one each, name a member
  /// twice, or may nest too deep.
  private func places(on tape: JSONTape) -> [Int]? {
    guard !tape[0].has(JSONNode.holdsRepeat) else { return nil }
    var places: [Int] = []
    places.reserveCapacity(values.count)
    var place = 1
    for value in values {
      guard place < tape.count else { return nil }
      let node = tape[place]
      // What has no more nodes than levels are left is not deeper.
      guard Int(node.start) == value.text.lowerBound, Int(node.end) == value.text.upperBound,
        Int(node.next) - place <= JSON.maximumDepth - value.depth
      else { return nil }
      places.append(place)
      place = Int(node.next)
    }
    return place == tape.count ? places : nil
  }

  // MARK: Pointers

  /// Finds the value that is replaced, and marks the containers that it is in.
  private mutating func mark(
    pathOf replacement: Replacement, in bytes: JSONBytes
  ) -> (place: Int, depth: Int)? {
    let path = unsafe JSONBytes(
      bytes.slice(replacement.path.lowerBound, replacement.path.upperBound))
    var tokens = PointerTokens(path)
    guard tokens.fault == nil else { return nil }
    let document = base.document
    return document.withTape { tape in
      var place = base.place
      var depth = 0
      while let token = tokens.next() {
        let mark = marks[place - base.place]
        guard mark == 0 || mark == Self.holdsReplaced,
          let child = child(token, of: place, on: tape)
        else { return nil }
        marks[place - base.place] = Self.holdsReplaced
        place = child
        depth += 1
      }
      return depth > 0 ? (place, depth) : nil
    }
  }

  private mutating func child(
    _ token: PointerToken, of parent: Int, on tape: JSONTape
  ) -> Int? {
    switch tape[parent].kind {
    case .array:
      guard !token.isEnd, let index = token.index?.value else { return nil }
      if lastArray.place != parent { lastArray = (parent, elements(of: parent, on: tape)) }
      return index < lastArray.elements.count ? Int(lastArray.elements[index]) : nil
    case .object: return tape.member(token, of: parent)
    case .null, .bool, .number, .string: return nil
    }
  }

  private mutating func elements(of array: Int, on tape: JSONTape) -> [UInt32] {
    if let known = arrays[array] { return known }
    var elements: [UInt32] = []
    elements.reserveCapacity(Int(tape[array].storedCount))
    var place = array + 1
    while place < Int(tape[array].next) {
      elements.append(UInt32(truncatingIfNeeded: place))
      place = Int(tape[place].next)
    }
    arrays[array] = elements
    return elements
  }
}

/// A patch of one operation that replaces a value: where its pointer and its value stand.
private struct Replacement {
  let path: Range<Int>
  let value: Range<Int>

  /// Reads `[{"op":"replace","path":…,"value":…}]`, without looking into the value.
  init?(_ patch: Range<Int>, of bytes: JSONBytes) {
    let start = patch.lowerBound + Self.head.utf8CodeUnitCount
    guard bytes.has(Self.head, at: patch.lowerBound) else { return nil }
    let end = start + bytes.distanceToQuoteOrBackslash(from: start, limit: patch.upperBound)
    let valueStart = end + Self.middle.utf8CodeUnitCount
    let valueEnd = patch.upperBound - Self.tail.utf8CodeUnitCount
    guard bytes.has(Self.middle, at: end), valueStart < valueEnd, bytes.has(Self.tail, at: valueEnd)
    else { return nil }
    path = start..<end
    value = valueStart..<valueEnd
  }

  private static var head: StaticString { #"[{"op":"replace","path":""# }
  private static var middle: StaticString { #"","value":"# }
  private static var tail: StaticString { "}]" }
}

extension JSONBytes {
  /// Whether a word stands at a place.
  fileprivate func has(_ word: StaticString, at place: Int) -> Bool {
    let end = place + word.utf8CodeUnitCount
    guard place >= 0, end <= count else { return false }
    return word.withUTF8Buffer { unsafe slice(place, end).equals(UnsafeRawBufferPointer($0)) }
  }
}
