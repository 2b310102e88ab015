import CZlib

/// Decompresses a gzip file (RFC 1952) with zlib, in bounded memory: one member or several, and zeros after them.
struct GzipReader {
  /// The bytes that a gzip file begins with.
  static let magic: [UInt8] = [0x1F, 0x8B]

  private let nextPart: () throws -> [UInt8]
  private var output = [UInt8](repeating: 0, count: 1 << 17)

  /// - Parameter nextPart: Returns the next bytes of the file; none at the end.
  init(_ nextPart: @escaping () throws -> [UInt8]) { self.nextPart = nextPart }

  /// Decompresses the file; `write` receives the output, part by part.
  ///
  /// - Throws: ``CompressionFault``, and the errors of both closures.
  mutating func run(_ write: (ArraySlice<UInt8>) throws -> Void) throws {
    // zlib compares the address of the stream in each call, which that of a variable need not keep.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer { unsafe stream.deallocate() }
    // Fifteen bits are the largest window, and sixteen more ask for the frame of gzip.
    let opening = unsafe inflateInit2_(
      stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard opening == Z_OK else { throw CompressionFault.noMemory }
    defer { unsafe inflateEnd(stream) }
    var isInMember = true
    while case let part = try nextPart(), !part.isEmpty {
      var rest = part[...]
      while !rest.isEmpty {
        if !isInMember {
          // Tapes and some programs fill the last block with zeros.
          rest = rest.drop { $0 == 0 }
          guard let next = rest.first else { break }
          guard next == Self.magic[0] else {
            throw CompressionFault.damaged("other bytes follow the end")
          }
          unsafe inflateReset(stream)
          isInMember = true
        }
        isInMember = unsafe try inflate(&rest, stream, write)
      }
    }
    guard !isInMember else { throw CompressionFault.truncated }
  }

  /// Decompresses bytes of a member up to its end, or all; returns `false` if the member ended.
  private mutating func inflate(
    _ rest: inout ArraySlice<UInt8>, _ stream: UnsafeMutablePointer<z_stream>,
    _ write: (ArraySlice<UInt8>) throws -> Void
  ) throws -> Bool {
    var isFull = false
    repeat {
      var status = Z_OK
      // zlib counts in 32 bits. Both arrays outlive the call, which only reads the first.
      let input = rest.prefix(1 << 30)
      let (read, written) = unsafe input.withUnsafeBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: input.baseAddress)
          unsafe stream.pointee.avail_in = UInt32(input.count)
          unsafe stream.pointee.next_out = output.baseAddress
          unsafe stream.pointee.avail_out = UInt32(output.count)
          status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
          return unsafe (
            input.count - Int(stream.pointee.avail_in),
            output.count - Int(stream.pointee.avail_out)
          )
        }
      }
      rest = rest.dropFirst(read)
      if written > 0 { try write(output[..<written]) }
      switch status {
      case Z_STREAM_END: return false
      // zlib has no input left, which the next part has, or this was the end of its output.
      case Z_OK, Z_BUF_ERROR: isFull = written == output.count
      case Z_MEM_ERROR: throw CompressionFault.noMemory
      default:
        let problem = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
        throw CompressionFault.damaged(problem ?? "zlib status \(status)")
      }
    } while !rest.isEmpty || isFull
    return true
  }
}

/// The reason why compressed data cannot be read.
enum CompressionFault: Error, Equatable {
  case truncated
  /// The problem, in the words of zlib.
  case damaged(String)
  case noMemory

  var message: String {
    switch self {
    case .truncated: "the compressed data is truncated"
    case .damaged(let problem): "the compressed data is damaged: \(problem)"
    case .noMemory: "there is no memory to decompress it"
    }
  }
}
