import FluxJSON

/// A state with values replaced by the patches of one step after another.
///
/// Reaching a step far from the last whole state does not require applying patches that only
/// replace values. Any other patch ends the use of an overlay; then all patches are applied.
///
/// A view: valid while the tape of the state is open.
struct StateOverlay {
  private let base: JSONTape
  private var overlay: Overlay
  /// The replacement values as the text of an array; a bracket or a comma precedes each.
  private var text: [UInt8] = []
  private var ends: [Int] = []

  /// Starts with a whole state whose tape is open; `nil` if an object in it has two members with
  /// the same name.
  init?(_ base: JSON, on tape: JSONTape) {
    guard let overlay = Overlay(base) else { return nil }
    self.overlay = overlay
    self.base = tape
  }

  /// Adds a replacement; returns `false` if patches have to be applied instead of the overlay.
  mutating func take(_ replacement: ReplaceOperation, of bytes: JSONBytes) -> Bool {
    guard overlay.replace(at: replacement.path, of: bytes, on: base) else { return false }
    let value = replacement.value
    text.append(text.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
    unsafe text.append(contentsOf: bytes.slice(value.lowerBound, value.upperBound))
    ends.append(text.count)
    return true
  }

  /// Returns the state with all replacements; `nil` if a patch did not bring exactly one value.
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
      // Applying the patches finds out which one is wrong.
      return nil
    }
  }

  /// Returns the places of the replacement values; `nil` if they are not one value each, have a
  /// duplicate name, or may nest too deeply.
  private func places(on tape: JSONTape) -> [Int]? {
    guard !tape[0].has(JSONNode.holdsRepeat) else { return nil }
    var places: [Int] = []
    places.reserveCapacity(ends.count)
    var place = 1
    var start = 1
    for end in ends {
      guard place < tape.count else { return nil }
      let node = tape[place]
      // A value cannot nest deeper than it has nodes.
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
