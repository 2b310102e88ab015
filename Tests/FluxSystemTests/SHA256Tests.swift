import TestFixtures
import Testing

@testable import FluxSystem

@Suite struct SHA256Tests {
  @Test(
    "sums are those of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
      (
        String(repeating: "a", count: 55),
        "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"
      ),
      (
        String(repeating: "a", count: 56),
        "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"
      ),
      (
        String(repeating: "a", count: 64),
        "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
      ),
      (
        String(repeating: "a", count: 119),
        "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"
      ),
    ])
  func sums(_ text: String, _ sum: String) {
    let digits = SHA256.sum(Array(text.utf8)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #expect(digits.joined() == sum)
  }

  @Test("a message that arrives in parts has the hash of the whole")
  func parts() {
    var generator = SeededGenerator()
    for length in [0, 1, 55, 63, 64, 65, 127, 128, 129, 1000, 5000] {
      let message = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      var hash = SHA256()
      var rest = message[...]
      while !rest.isEmpty {
        let part = rest.prefix(Int.random(in: 0...150, using: &generator))
        hash.append(part)
        rest = rest.dropFirst(part.count)
      }
      #expect(hash.sum == SHA256.sum(message), "\(length) bytes")
    }
  }
}
