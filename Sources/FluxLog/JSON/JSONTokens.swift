import CTokens

/// The places of the tokens of a text, found one piece of it after the other.
///
/// A token is a bracket, a comma, a colon, a quote, or the first byte of anything else that is
/// outside of strings. After the last one follows the place of the text's last byte, several times,
/// so that whoever takes tokens need not ask whether there is one, and can read where it stands.
@safe
struct JSONTokens {
  private let places: UnsafeMutableBufferPointer<UInt32>

  /// A kilobyte of places: as much as the standard library puts on the stack without asking how
  /// much of that there is.
  private static let capacity = 256
  /// How many tokens there are at least after a search.
  static let supply = 8

  /// Calls `body` with room for tokens, which is gone when it returns.
  @inline(__always)
  static func withRoom<R>(_ body: (JSONTokens) -> R) -> R {
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: capacity) { memory in
      body(unsafe JSONTokens(places: memory))
    }
  }

  /// The place in the text of a token among those that were found last.
  @inline(__always)
  subscript(_ index: Int) -> Int {
    // Without a check, which would be one for every few instructions of the parser: it takes at
    // most `supply` tokens between two times that it asks whether there are as many.
    assert(0 <= index && index < Self.capacity)
    return Int(unsafe places[index])
  }

  /// Moves the tokens that were not taken to the front, and adds those of the next piece of the text.
  ///
  /// False where the piece has a fault, or the text has no more pieces. There are at least as many
  /// new ones as may be left of them next time.
  @inline(never)
  func refill(from first: Int, of bytes: JSONBytes, _ piece: inout Piece) -> Bool {
    let left = piece.count - first
    precondition(first >= 0 && piece.count <= Self.capacity && 0 <= left && left < Self.supply)
    guard !piece.isLast(of: bytes) else { return false }
    for index in 0..<left { unsafe places[index] = unsafe places[first &+ index] }
    let text = unsafe bytes.slice(0, bytes.count).baseAddress
    let hadEscapes = piece.search.has_escapes
    piece.search.has_escapes = false
    var count = left
    repeat {
      // What may be left, and too few new ones, and those after the end leave room for 64 bytes.
      let next = unsafe places.baseAddress.map { unsafe $0 + count }
      let room = Self.capacity - Self.supply - count
      unsafe count += flux_find_tokens(text, bytes.count, &piece.search, next, room)
      // A string may be longer than a piece.
    } while count - left < Self.supply && !piece.isLast(of: bytes) && !piece.search.has_fault
    guard !piece.search.has_fault else { return false }
    piece.mayHaveEscapes = hadEscapes || piece.search.has_escapes
    piece.count = piece.isLast(of: bytes) ? fillUp(count, with: bytes.count - 1) : count
    return true
  }

  private func fillUp(_ count: Int, with last: Int) -> Int {
    precondition(count + Self.supply <= Self.capacity)
    for index in count..<(count + Self.supply) { unsafe places[index] = UInt32(clamping: last) }
    return count + Self.supply
  }
}

extension JSONTokens {
  /// The part of a text whose tokens were found last.
  struct Piece {
    fileprivate var search = flux_token_search()
    /// How many tokens there are, those after the text's end included.
    fileprivate(set) var count = 0
    /// Whether there is a backslash in it or in the piece before, in which a string may have begun.
    fileprivate(set) var mayHaveEscapes = false

    /// Whether the text ends there.
    fileprivate func isLast(of bytes: JSONBytes) -> Bool { search.position >= bytes.count }

    /// Whether a text is at its end, not within a string or a character, when so many tokens were
    /// taken that the last one is the first after it.
    func isEnd(of bytes: JSONBytes, after taken: Int) -> Bool {
      isLast(of: bytes) && taken == count - JSONTokens.supply + 1
        && search.in_string == 0 && search.pending == 0
    }
  }
}
