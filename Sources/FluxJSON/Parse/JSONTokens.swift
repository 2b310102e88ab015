import CTokens

/// The offsets of a text's tokens, found one window of the text at a time.
///
/// A token is a bracket, a comma, a colon, a quote, or the first byte of anything else outside
/// strings. The offset of the text's last byte follows the last token several times. The parser can
/// therefore read a token without checking that there is one.
@safe
struct JSONTokens {
  private let places: UnsafeMutableBufferPointer<UInt32>

  /// One kilobyte of offsets.
  ///
  /// The standard library allocates that much on the stack without checking how much stack is left.
  private static let capacity = 256
  /// The minimum number of available tokens after a search.
  static let supply = 8

  @inline(__always)
  static func withRoom<R>(_ body: (JSONTokens) -> R) -> R {
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: capacity) { memory in
      body(unsafe JSONTokens(places: memory))
    }
  }

  /// The offset in the text of one of the current tokens.
  @inline(__always)
  subscript(_ index: Int) -> Int {
    // Unchecked, because the parser has only a few instructions per token. It takes at most
    // `supply` tokens before it checks again that as many are available.
    assert(0 <= index && index < Self.capacity)
    return Int(unsafe places[index])
  }

  /// Moves the remaining tokens to the front and appends those of the next window.
  @inline(never)
  func refill(from first: Int, of bytes: JSONBytes, _ window: inout Window) -> Bool {
    let left = window.count - first
    precondition(first >= 0 && window.count <= Self.capacity && 0 <= left && left < Self.supply)
    guard !window.isLast(of: bytes) else { return false }
    for index in 0..<left { unsafe places[index] = unsafe places[first &+ index] }
    let text = unsafe bytes.slice(0, bytes.count).baseAddress
    let hadEscapes = window.search.has_escapes
    window.search.has_escapes = false
    var count = left
    repeat {
      // The remaining tokens, too few new ones and the fillers at the end still leave room for 64
      // bytes.
      let next = unsafe places.baseAddress.map { unsafe $0 + count }
      let room = Self.capacity - Self.supply - count
      unsafe count += flux_find_tokens(text, bytes.count, &window.search, next, room)
      // Search again if a string was longer than the window.
    } while count - left < Self.supply && !window.isLast(of: bytes) && !window.search.has_fault
    guard !window.search.has_fault else { return false }
    window.mayHaveEscapes = hadEscapes || window.search.has_escapes
    window.count = window.isLast(of: bytes) ? fillUp(count, with: bytes.count - 1) : count
    return true
  }

  private func fillUp(_ count: Int, with last: Int) -> Int {
    precondition(count + Self.supply <= Self.capacity)
    for index in count..<(count + Self.supply) { unsafe places[index] = UInt32(clamping: last) }
    return count + Self.supply
  }
}

extension JSONTokens {
  struct Window {
    fileprivate var search = flux_token_search()
    /// The number of tokens, including the fillers after the end of the text.
    fileprivate(set) var count = 0
    /// `true` if this window or the one before, in which a string may have begun, has a backslash.
    fileprivate(set) var mayHaveEscapes = false

    fileprivate func isLast(of bytes: JSONBytes) -> Bool { search.position >= bytes.count }

    /// Returns `true` if the text ends outside strings and characters after `taken` tokens.
    func isEnd(of bytes: JSONBytes, after taken: Int) -> Bool {
      isLast(of: bytes) && taken == count - JSONTokens.supply + 1
        && search.in_string == 0 && search.pending == 0
    }
  }
}
