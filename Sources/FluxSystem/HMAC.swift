/// HMAC-SHA256 (RFC 2104) with one key: codes that only those who know the key can compute.
package struct HMAC: Sendable {
  /// The hash after the key's block of the inner and of the outer hash.
  private var inner = SHA256()
  private var outer = SHA256()

  /// Makes the codes of a key; a key of more than 64 bytes stands for its hash.
  package init(key: [UInt8]) {
    var block = key.count > SHA256.blockSize ? SHA256.sum(key) : key
    block += [UInt8](repeating: 0, count: SHA256.blockSize - block.count)
    inner.append(block.map { $0 ^ 0x36 }[...])
    outer.append(block.map { $0 ^ 0x5C }[...])
  }

  /// Returns the 32 bytes of the code of a message, which is given in parts.
  package func code(of parts: ArraySlice<UInt8>...) -> [UInt8] {
    var (inner, outer) = (inner, outer)
    for part in parts { inner.append(part) }
    outer.append(inner.sum[...])
    return outer.sum
  }
}
