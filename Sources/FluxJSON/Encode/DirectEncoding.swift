/// A text that its caller writes piece by piece, by the rules of ``LogEncoder``.
///
/// Reflection writes states in this way: it knows the members of a value, but no `encode(to:)`. Values that encode
/// themselves write into the same text. Each begun object and array must be ended, innermost first.
package struct DirectEncoding {
  private let session: EncodingSession

  /// Returns the text that `body` writes: exactly one value.
  package static func bytes(_ body: (DirectEncoding) throws -> Void) rethrows -> [UInt8] {
    var session = SpareSessions.take()
    defer { SpareSessions.give(&session) }
    unsafe session.state.keepsOrder = false
    session.containers.begin()
    try body(DirectEncoding(session: session))
    return session.takeBytes()
  }

  /// The number of objects and arrays that are begun and not ended.
  package var depth: Int { unsafe session.state.levels.count }

  // MARK: Values

  /// Writes `null`.
  package func null() { unsafe session.state.buffer.append("null") }

  package func string(_ text: String) { unsafe session.state.append(text) }

  package func integer(_ number: Int) { unsafe session.state.buffer.appendNumber(Int64(number)) }

  /// Writes a number, or a string if it is not finite.
  package func number(_ number: Double) { unsafe session.state.buffer.appendNumber(number) }

  /// Writes a truth value.
  package func bool(_ bool: Bool) { unsafe session.state.append(bool) }

  /// Writes what a value encodes; writes nothing if it throws or misuses its encoder.
  ///
  /// - Returns: `true` if the value was written.
  package func encode<T: Encodable>(_ value: T) -> Bool {
    let mark = unsafe session.state.mark()
    do {
      try session.encodeNext(value)
      return true
    } catch {
      unsafe session.state.rollBack(to: mark)
      return false
    }
  }

  // MARK: Objects and arrays

  /// Begins an object, whose members ``endObject()`` sorts by name.
  package func beginObject() { begin(.object) }

  /// Begins a member of the innermost object; its value is written next.
  package func member(_ name: String) {
    var name = name
    name.withUTF8 { unsafe session.state.beginMember(UnsafeRawBufferPointer($0)) }
  }

  /// Ends the innermost object.
  ///
  /// - Throws: `EncodingError` if a value inside it used its encoder after its own end.
  package func endObject() throws { try end() }

  /// Begins an array.
  ///
  /// - Parameter entrySize: The number of elements that form one entry of an unordered collection, whose entries
  ///   ``endArray()`` sorts by their texts; 0 if the order has a meaning.
  package func beginArray(entrySize: UInt8 = 0) {
    begin(.array)
    unsafe session.state.levels[session.state.levels.count - 1].group = entrySize
  }

  /// Begins an element of the innermost array; its value is written next.
  package func element() { unsafe session.state.beginElement() }

  /// Ends the innermost array.
  ///
  /// - Throws: `EncodingError` if a value inside it used its encoder after its own end.
  package func endArray() throws { try end() }

  private func begin(_ kind: EncodingLevel.Kind) {
    /// The type of a value that does not encode itself.
    struct ReflectedValue: Encodable {}
    unsafe session.state.push(ReflectedValue.self)
    _ = unsafe session.state.open(kind)
  }

  private func end() throws { _ = try unsafe session.state.close() }

  // MARK: Places

  /// Returns the pointer to the object or array that is begun at a depth; an element of an unordered array is `-`.
  package func pointer(toDepth depth: Int) -> String {
    let tokens = (0..<min(depth, self.depth)).map { outer -> String in
      let level = unsafe session.state.levels[outer]
      guard level.kind == .array else { return unsafe session.state.lastKey(at: outer).stringValue }
      return level.group > 0 ? "-" : String(max(level.count - 1, 0))
    }
    return Pointer(tokens: tokens).description
  }
}
