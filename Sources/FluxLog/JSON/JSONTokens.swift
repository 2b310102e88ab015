import CTokens

/// The places of the tokens of a text, found one piece of it after the other.
///
/// A token is a bracket, a comma, a colon, a quote, or the first byte of anything else that is
/// outside of strings. After the last one follow places after the text's end, so that whoever
/// takes tokens need not ask whether there is one.
@safe
struct JSONTokens: ~Copyable {
  private let places: UnsafeMutablePointer<UInt32>
  private let capacity: Int

  /// As many pieces of 64 bytes as are searched together: enough to do that seldom, few enough
  /// that the places stay in the cache.
  private static let strides = 16
  /// How many tokens there are at least after a search.
  static let supply = 8

  @inline(__always)
  init(textSize: Int) {
    let most = min(textSize &+ flux_token_stride, Self.strides &* flux_token_stride)
    capacity = most &+ 2 &* Self.supply &+ flux_token_group
    unsafe places = .allocate(capacity: capacity)
  }

  @inline(__always)
  deinit { unsafe places.deallocate() }

  /// The place in the text of a token among those that were found last.
  @inline(__always)
  subscript(_ index: Int) -> Int {
    // Without a check, which would be one for every few instructions of the parser: it takes at
    // most `supply` tokens between two times that it asks whether there are as many.
    assert(0 <= index && index < capacity)
    return Int(unsafe places[index])
  }

  /// Moves the tokens that were not taken to the front, adds those of the next piece of the text,
  /// and returns how many there are; nil where the piece has a fault.
  @inline(never)
  borrowing func refill(
    from first: Int, to end: Int, of bytes: JSONBytes, _ search: inout flux_token_search
  ) -> Int? {
    precondition(0 <= first && first <= end && end <= capacity && end - first <= Self.supply)
    unsafe places.update(from: places + first, count: end - first)
    var count = end - first
    let text = unsafe bytes.slice(0, bytes.count).baseAddress
    // The room is for the rest of the last piece, a whole one or all of a short text, and a group.
    repeat {
      let room = capacity &- Self.supply &- count
      unsafe count += flux_find_tokens(text, bytes.count, &search, places + count, room)
      // A string may be longer than a piece.
    } while count < Self.supply && !search.isAtEnd(of: bytes) && !search.has_fault
    guard !search.has_fault else { return nil }
    return search.isAtEnd(of: bytes) ? fillUp(count, with: bytes.count) : count
  }

  private borrowing func fillUp(_ count: Int, with end: Int) -> Int {
    precondition(count &+ Self.supply <= capacity)
    for index in count..<(count &+ Self.supply) { unsafe places[index] = UInt32(clamping: end) }
    return count &+ Self.supply
  }
}

extension flux_token_search {
  /// Whether the whole text was searched.
  fileprivate func isAtEnd(of bytes: JSONBytes) -> Bool { position >= bytes.count }

  /// Whether that was so, and the text does not end within a string or a character.
  func isComplete(_ bytes: JSONBytes) -> Bool {
    isAtEnd(of: bytes) && in_string == 0 && pending == 0
  }
}
