import Synchronization

/// The owner of a parsed text, which every ``JSON`` value of that text keeps alive.
///
/// `@unchecked Sendable`: the text and the tape never change after `init`, and a mutex protects the
/// name tables.
@usableFromInline package final class JSONDocument: @unchecked Sendable {
  @usableFromInline let text: [UInt8]
  @usableFromInline let tape: JSONTapeBuffer
  /// The sorted names of wide objects, each created when the object is first searched.
  private let names = Mutex<[Int: [Int]]>([:])

  /// The number of members up to which a linear search is faster than a binary search.
  static let walkedWidth = 16

  /// Adopts a text that was assembled from parsed texts, and its tape.
  package init(assembled text: [UInt8], tape: consuming JSONTapeBuffer) {
    self.text = text
    self.tape = tape
  }

  /// Calls `body` with the tape, which is valid until `body` returns.
  @inlinable @inline(__always)
  package func withTape<R, E>(_ body: (JSONTape) throws(E) -> R) throws(E) -> R {
    try unsafe text.withUnsafeBufferPointer { (bytes) throws(E) -> R in
      try body(tape.tape(over: unsafe JSONBytes(UnsafeRawBufferPointer(bytes))))
    }
  }

  /// Returns the place of a member's value, the last one if the name is repeated.
  func find(_ name: String, in object: Int) -> Int? {
    var name = name
    return name.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      return withTape { tape in
        guard tape[object].storedCount > Self.walkedWidth else {
          return unsafe tape.findByWalking(object, bytes)
        }
        return unsafe tape.find(bytes, in: sortedNames(object, tape))
      }
    }
  }

  private func sortedNames(_ object: Int, _ tape: JSONTape) -> [Int] {
    names.withLock { tables in
      if let table = tables[object] { return table }
      let table = tape.sortedNames(object)
      tables[object] = table
      return table
    }
  }
}
