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
    let bound = unsafe Int(deflateBound(stream, UInt(content.count)))
    bytes = unsafe Array(unsafeUninitializedCapacity: bound) { output, count in
      unsafe content.withUnsafeBufferPointer { content in
        // The content outlives the calls, which only read it. They move both places on.
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: content.baseAddress)
        unsafe stream.pointee.next_out = output.baseAddress
        var status = Z_OK
        // There is room for all of the output, but zlib counts what one call takes in 32 bits.
        while status == Z_OK {
          let rest = unsafe content.count - Int(stream.pointee.total_in)
          unsafe stream.pointee.avail_in = UInt32(clamping: rest)
          unsafe stream.pointee.avail_out = UInt32(
            clamping: output.count - Int(stream.pointee.total_out))
          status = unsafe deflate(stream, rest > UInt32.max ? Z_NO_FLUSH : Z_FINISH)
        }
        precondition(status == Z_STREAM_END, "zlib cannot compress: \(status)")
      }
      count = unsafe Int(stream.pointee.total_out)
    }
  }
}
