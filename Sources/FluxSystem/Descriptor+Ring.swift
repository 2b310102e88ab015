import CPlatform

// Files of a fixed size, whose bytes are overwritten in place.

extension Descriptor {
  /// Gives a file that size and reserves all its blocks, so that later writes find room.
  package func allocate(_ byteCount: Int) throws(SystemError) {
    guard byteCount <= flux_file_size_limit() else { throw SystemError("allocate", code: EFBIG) }
    #if canImport(Darwin)
      try writeZeros(byteCount)
    #else
      var code = EINTR
      while code == EINTR { code = posix_fallocate(number, 0, off_t(byteCount)) }
      switch code {
      case 0: return
      case EOPNOTSUPP, EINVAL, ENOSYS: try writeZeros(byteCount)
      default: throw SystemError("allocate", code: code)
      }
    #endif
  }

  /// Reserves the blocks of a file that has none; the zeros are on the way to the disk afterwards.
  private func writeZeros(_ byteCount: Int) throws(SystemError) {
    let start = try status().size
    try write(Array(repeating: 0, count: max(0, byteCount - start)), at: start)
  }

  /// Writes all bytes at a place in the file.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let room = try room(for: bytes.count - written, at: offset + written)
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let part = unsafe UnsafeRawBufferPointer(rebasing: buffer[written..<written + room])
        // `part` is valid for its count, and the system reads no more than that.
        return retrying {
          unsafe pwrite(number, part.baseAddress, part.count, off_t(offset + written))
        }
      }
      guard count > 0 else { throw SystemError(lastOf: "write") }
      written += count
    }
  }

  /// Sets the permission bits of the file.
  package func setPermissions(_ permissions: mode_t) throws(SystemError) {
    guard retrying({ fchmod(number, permissions) }) == 0 else {
      throw SystemError(lastOf: "set the permissions of")
    }
  }
}
