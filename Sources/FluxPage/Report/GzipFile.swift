import CZlib

/// Bytes that zlib compressed as a gzip file (RFC 1952), without a time and a name.
///
/// The same bytes have the same result in each run with the same build of zlib.
struct GzipFile {
  let bytes: [UInt8]

  init(_ content: [UInt8]) {
    // zlib compares the address of the stream in each call, which that of a variable need not keep.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer { unsafe stream.deallocate() }
    // Fifteen bits are the largest window, and sixteen more ask for the frame of gzip.
    let opening = unsafe deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    // It fails only without memory, and then an array of Swift traps as well.
    precondition(opening == Z_OK, "zlib cannot compress: \(opening)")
    defer { unsafe deflateEnd(stream) }
    bytes = unsafe content.withUnsafeBufferPointer { content in
      unsafe Self.deflated(content, stream)
    }
  }

  private static func deflated(
    _ content: UnsafeBufferPointer<UInt8>, _ stream: UnsafeMutablePointer<z_stream>
  ) -> [UInt8] {
    var output: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    var rest = unsafe content[...]
    var status = Z_OK
    while status != Z_STREAM_END {
      // zlib counts in 32 bits. The content outlives the call, which only reads it.
      let input = unsafe UnsafeBufferPointer(rebasing: rest.prefix(1 << 30))
      let isLast = unsafe input.count == rest.count
      unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(input.count)
      let count = unsafe part.withUnsafeMutableBufferPointer { part in
        unsafe stream.pointee.next_out = part.baseAddress
        unsafe stream.pointee.avail_out = UInt32(part.count)
        status = unsafe deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
        return unsafe part.count - Int(stream.pointee.avail_out)
      }
      // There is always input or the end, and room for output.
      precondition(status == Z_OK || status == Z_STREAM_END, "zlib cannot compress: \(status)")
      unsafe rest = unsafe rest.dropFirst(input.count - Int(stream.pointee.avail_in))
      output += part[..<count]
    }
    return output
  }
}
