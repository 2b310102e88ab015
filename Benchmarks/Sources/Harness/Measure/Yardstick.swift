import Foundation

/// A piece of fixed work that is measured in the same rounds as a figure, so that a target does not measure the machine.
///
/// A target such as "at most 110 ns" is met on one machine and missed on another, with nothing changed. "At most 90
/// multiplications" says the same of both. Each figure takes the yardstick whose ratio between two machines was closest
/// to its own: multiplications for everything but a `write` and a search through bytes.
package enum Yardstick: String, Codable, CaseIterable, Sendable {
  /// A multiplication that needs the product of the one before: what a core does between two accesses to memory.
  case multiplication
  /// A search through 4 KB in the cache for a byte that they do not contain, with `memchr`.
  case scan
  /// A `write` of 4 KB to a file.
  case write

  /// The name with which a target counts, in the plural.
  var plural: String {
    switch self {
    case .multiplication: "multiplications"
    case .scan: "scans of 4 KB"
    case .write: "writes of 4 KB"
    }
  }

  /// The bytes that one operation goes through.
  static let byteCount = 4_096

  /// Returns the work in the form in which a figure of the unit measures it: operations, or bytes for a speed in bytes.
  ///
  /// - Parameter unit: The unit of the figure.
  /// - Returns: The work.
  /// - Throws: An error of the file system if there is no file to write to.
  func work(in unit: Unit) throws -> Work {
    let count = 256
    let amount = unit == .gigabytesPerSecond ? count * Self.byteCount : count
    switch self {
    case .multiplication:
      var loop = ControlLoop()
      return .repeated(amount: amount) {
        loop.wait(count)
        return loop.checksum
      }
    case .scan:
      var bytes = [UInt8](repeating: 1, count: Self.byteCount)
      return .repeated(amount: amount) {
        (0..<count).count { index in
          // Without a change, the compiler would search once for all.
          bytes[index] = 1
          return Self.contains(2, in: bytes)
        }
      }
    case .write:
      let file = try ScratchFile()
      let bytes = [UInt8](repeating: 1, count: Self.byteCount)
      return .repeated(amount: amount) {
        try file.rewind()
        for _ in 0..<count { try file.write(bytes) }
      }
    }
  }

  @inline(never)
  private static func contains(_ byte: Int32, in bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe memchr($0, byte, bytes.count) != nil } ?? false
    }
  }
}

/// A temporary file without a name, which disappears with the process.
private final class ScratchFile {
  private let descriptor: Int32

  init() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "yardstick-\(UUID())").path
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
    }
    unsafe unlink(path)
  }

  deinit { close(descriptor) }

  func rewind() throws {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  func write(_ bytes: [UInt8]) throws {
    let written = unsafe bytes.withUnsafeBytes {
      #if canImport(Darwin)
        unsafe Darwin.write(descriptor, $0.baseAddress, $0.count)
      #else
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      #endif
    }
    guard written == bytes.count else { throw CocoaError(.fileWriteUnknown) }
  }
}
