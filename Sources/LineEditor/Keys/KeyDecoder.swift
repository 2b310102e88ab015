/// Tells the keys apart in the bytes that a terminal sends.
///
/// Escape is both a key and the start of the sequences of other keys (ECMA-48, and xterm's
/// modifiers), and only time tells which: when no more bytes follow within some milliseconds, what
/// there is has to mean itself, which is what ``flush()`` decides.
package struct KeyDecoder {
  private var bytes: [UInt8] = []

  package init() {}

  /// Whether bytes wait for more.
  package var isPending: Bool { !bytes.isEmpty }

  /// Takes a byte; returns the keys that are now complete.
  package mutating func feed(_ byte: UInt8) -> [KeyPress] {
    bytes.append(byte)
    return take(isFinal: false)
  }

  /// Takes what waits for what it is, as nothing follows it.
  package mutating func flush() -> [KeyPress] {
    take(isFinal: true)
  }

  private mutating func take(isFinal: Bool) -> [KeyPress] {
    var presses: [KeyPress] = []
    while let (key, count) = KeySequence(bytes[...], isFinal: isFinal).key {
      presses.append(KeyPress(key: key, bytes: Array(bytes.prefix(count))))
      bytes.removeFirst(count)
    }
    return presses
  }
}
