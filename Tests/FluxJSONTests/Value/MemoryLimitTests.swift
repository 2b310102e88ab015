import Testing

@testable import FluxJSON

@Suite struct MemoryLimitTests {
  @Test(
    "The environment sets the limit in megabytes",
    arguments: [
      (nil, "64 MB"), ("", "64 MB"), ("many", "64 MB"), ("1", "1 MB"), ("512", "512 MB"),
      ("0", "1 MB"), ("-1", "1 MB"), ("9223372036854775807", "1048576 MB"),
    ] as [(String?, String)])
  func environment(_ value: String?, _ expected: String) {
    #expect(
      MemoryLimit(environment: ["FLUX_MEMORY_LIMIT": value].compactMapValues(\.self)).description
        == expected)
  }

  @Test("The limits of lines, unpacked logs and scripts follow from it")
  func others() {
    let usual = MemoryLimit(environment: [:])
    #expect(usual.lineByteCount == 256 << 20)
    #expect(usual.unpackedByteCount == 4 << 30)
    #expect(usual.commandFileByteCount == 4 << 20)
    let largest = MemoryLimit(byteCount: .max)
    #expect(largest.lineByteCount == JSON.maximumByteCount)
    #expect(largest.unpackedByteCount == .max)
  }
}
