/// A state with the values of patches in their places, one step after the other.
///
/// To be at a step far from the last whole state, patches that replace values need not be applied.
/// Whatever else a patch does ends this, and they are applied.
///
/// A view: it is valid as long as the state's tape is open.
struct StateOverlay {
  private let base: JSONTape
  private var overlay: Overlay
  /// The values that patches brought, as the text of an array; before each a bracket or a comma.
  private var text: [UInt8] = []
  /// Where each of them ends in it.
  private var ends: [Int] = []

  /// Begins with a whole state, whose tape is open; nil where an object in it names a member twice.
  init?(_ base: JSON, on tape: JSONTape) {
    guard let overlay = Overlay(base) else { return nil }
    self.overlay = overlay
    self.base = tape
  }

  /// Takes in a replacement; false where that is for patches to be applied, after which this is of
  /// no use any more.
  mutating func take(_ replacement: Replacement, of bytes: JSONBytes) -> Bool {
    guard overlay.replace(at: replacement.path, of: bytes, on: base) else { return false }
    let value = replacement.value
    text.append(text.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
    unsafe text.append(contentsOf: bytes.slice(value.lowerBound, value.upperBound))
    ends.append(text.count)
    return true
  }

  /// The state with all that was taken in; nil where a patch did not bring one value.
  consuming func state() -> JSON? {
    if text.isEmpty { text.append(UInt8(ascii: "[")) }
    text.append(UInt8(ascii: "]"))
    guard let document = parsed(text) else { return nil }
    return document.withTape { tape -> JSON? in
      guard let places = places(on: tape) else { return nil }
      return overlay.assembled(bytes: tape.bytes.count, nodes: tape.count, on: base) {
        $0.replace($1, with: places[$2], on: tape)
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
    places.reserveCapacity(ends.count)
    var place = 1
    var start = 1
    for end in ends {
      guard place < tape.count else { return nil }
      let node = tape[place]
      // What has no more nodes than levels are left is not deeper.
      guard Int(node.start) == start, Int(node.end) == end,
        Int(node.next) - place <= JSON.maximumDepth - overlay.depth
      else { return nil }
      places.append(place)
      place = Int(node.next)
      start = end + 1
    }
    return place == tape.count ? places : nil
  }
}
