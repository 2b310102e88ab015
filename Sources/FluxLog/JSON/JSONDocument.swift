import Synchronization

/// Owns a parsed text: what every ``JSON`` of it keeps alive.
///
/// `@unchecked Sendable`: text and tape are never written after `init`; the name tables are
/// behind a mutex.
final class JSONDocument: @unchecked Sendable {
  private let text: [UInt8]
  private let tape: JSONTapeBuffer
  /// Sorted names of wide objects, each made when the object is first searched.
  private let names = Mutex<[Int: [UInt32]]>([:])

  /// Objects up to this width are searched by walking, which is faster there than bisection.
  static let walkedWidth = 16

  init(parsing text: [UInt8]) throws(JSONError) {
    // States have a value or a name about every eight bytes; too few nodes only means growth.
    var buffer = JSONTapeBuffer(capacity: min(text.count, JSON.maximumByteCount) / 8 + 16)
    try unsafe text.withUnsafeBufferPointer { (bytes) throws(JSONError) in
      let bytes = unsafe JSONBytes(UnsafeRawBufferPointer(bytes))
      try JSONParser.parse(bytes, into: &buffer)
    }
    tape = buffer
    self.text = text
  }

  /// Takes over a text that was put together from parsed ones, and the tape that goes with it.
  init(assembled text: [UInt8], tape: consuming JSONTapeBuffer) {
    self.text = text
    self.tape = tape
  }

  /// Calls `body` with the tape, which is valid until it returns.
  @inline(__always)
  func withTape<R, E>(_ body: (JSONTape) throws(E) -> R) throws(E) -> R {
    try unsafe text.withUnsafeBufferPointer { (bytes) throws(E) -> R in
      try body(tape.tape(over: unsafe JSONBytes(UnsafeRawBufferPointer(bytes))))
    }
  }

  /// The place of the value of an object's member; of repeated names, the last one's.
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

  private func sortedNames(_ object: Int, _ tape: JSONTape) -> [UInt32] {
    names.withLock { tables in
      if let table = tables[object] { return table }
      let table = tape.sortedNames(object)
      tables[object] = table
      return table
    }
  }
}
