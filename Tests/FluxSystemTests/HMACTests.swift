import Testing

@testable import FluxSystem

/// The vectors of RFC 4231.
@Suite struct HMACTests {
  @Test(
    "codes are those of RFC 4231",
    arguments: [
      (
        [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        Array(1...25), [UInt8](repeating: 0xCD, count: 50),
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
      ),
      (
        [UInt8](repeating: 0xAA, count: 131),
        Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
      (
        [UInt8](repeating: 0xAA, count: 131),
        Array(
          ("This is a test using a larger than block-size key and a larger than block-size data. "
            + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
      ),
    ])
  func codes(_ key: [UInt8], _ message: [UInt8], _ code: String) {
    let hmac = HMAC(key: key)
    #expect(Hexadecimal.text(hmac.code(of: message[...])[...]) == code)
    // In parts, and a second time with the same key.
    let middle = message.count / 2
    #expect(Hexadecimal.text(hmac.code(of: message[..<middle], message[middle...])[...]) == code)
  }

  @Test("hexadecimal digits of either case are read, and nothing else")
  func hexadecimal() {
    func bytes(_ text: String) -> [UInt8]? { Hexadecimal.bytes(Array(text.utf8)[...]) }
    #expect(bytes("00ff7Fa0") == [0, 0xFF, 0x7F, 0xA0])
    #expect(bytes("") == [])
    for text in ["0", "0g", "g0", " 0", "0x10", "١٢"] { #expect(bytes(text) == nil, "\(text)") }
  }
}

@Suite struct NetworkAddressTests {
  @Test(
    "an address is a host and a port",
    arguments: [
      ("127.0.0.1:4711", "127.0.0.1", 4711, "127.0.0.1:4711"),
      ("mac.local:1", "mac.local", 1, "mac.local:1"), ("[::1]:65535", "::1", 65535, "[::1]:65535"),
      ("4711", "127.0.0.1", 4711, "127.0.0.1:4711"), ("0.0.0.0:0", "0.0.0.0", 0, "0.0.0.0:0"),
    ])
  func address(_ text: String, _ host: String, _ port: UInt16, _ description: String) {
    let address = NetworkAddress(text, defaultHost: NetworkAddress.loopback)
    #expect(address == NetworkAddress(host: host, port: port))
    #expect(address?.description == description)
  }

  @Test(
    "other texts are none",
    arguments: ["", ":", "host:", ":1", "host:65536", "host:-1", "::1:80", "a b"])
  func malformed(_ text: String) {
    #expect(NetworkAddress(text, defaultHost: NetworkAddress.loopback) == nil)
    #expect(NetworkAddress("4711") == nil)
  }
}
