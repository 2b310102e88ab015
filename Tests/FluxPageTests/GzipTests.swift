import CZlib
import TestFixtures
import Testing

@testable import FluxPage

@Suite struct GzipTests {
  @Test("what was compressed is there again", arguments: 0..<40)
  func roundTrip(_ purpose: Int) throws {
    var random = RandomJSON(purpose)
    var bytes: [UInt8] = []
    let size = [0, 1, 2, 3, 100, 5_000, 70_000, 200_000][purpose % 8]
    let letters = 1 + random.below(255)
    while bytes.count < size {
      if !bytes.isEmpty, random.chance(2) {
        let start = random.below(bytes.count)
        let length = min(random.below(600), bytes.count - start)
        bytes += bytes[start..<start + length]
      } else {
        bytes += (0..<random.below(50)).map { _ in UInt8(random.below(letters)) }
      }
    }
    let file = GzipFile(bytes).bytes
    #expect(gunzip(file) == bytes)
    #expect(GzipFile(bytes).bytes == file)
  }

  @Test("a text that repeats gets small")
  func small() {
    let bytes = Array(String(repeating: "{\"n\":1,\"type\":\"todo/add\"}\n", count: 10_000).utf8)
    #expect(GzipFile(bytes).bytes.count < 2_000)
  }
}

/// Decompresses gzip with one call of zlib; nil if it is damaged.
func gunzip(_ bytes: [UInt8]) -> [UInt8]? {
  // The last four bytes are the size.
  let size = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  var (input, output) = (bytes, [UInt8](repeating: 0, count: size + 1))
  var stream = unsafe z_stream()
  let opening = unsafe inflateInit2_(
    &stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  guard opening == Z_OK else { return nil }
  defer { unsafe inflateEnd(&stream) }
  let status = unsafe input.withUnsafeMutableBufferPointer { input in
    unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = UInt32(input.count)
      unsafe stream.next_out = output.baseAddress
      unsafe stream.avail_out = UInt32(output.count)
      return unsafe inflate(&stream, Z_FINISH)
    }
  }
  guard status == Z_STREAM_END, unsafe stream.avail_in == 0, unsafe stream.avail_out == 1 else {
    return nil
  }
  return Array(output.dropLast())
}
