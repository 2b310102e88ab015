import Foundation
import Synchronization

/// A piece of fixed work that is measured in the same rounds as a figure, so that a target does not measure the machine.
///
/// A target such as "at most 110 ns" is met on one machine and missed on another, with nothing changed. "At most 90
/// multiplications" says the same of both. Each figure takes the yardstick that does mostly what its own work does.
package enum Yardstick: String, Codable, CaseIterable, Sendable {
  /// A multiplication that needs the product of the one before: what a core does between two accesses to memory.
  case multiplication
  /// A copy of 4 KB that are in the cache.
  case copy
  /// A search through 4 KB in the cache for a byte that they do not contain, with `memchr`.
  case scan
  /// An allocation of 64 bytes, and its release.
  case allocation
  /// Taking and releasing a lock that nobody else wants.
  case lock
  /// A `write` of 4 KB to a file.
  case write

  /// The name with which a target counts, in the plural.
  var plural: String {
    switch self {
    case .multiplication: "multiplications"
    case .copy: "copies of 4 KB"
    case .scan: "scans of 4 KB"
    case .allocation: "allocations"
    case .lock: "locks"
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
    case .copy:
      let source = [UInt8](repeating: 1, count: Self.byteCount)
      var target = source
      return .repeated(amount: amount) {
        for _ in 0..<count { Self.copy(source, to: &target) }
        return target[0]
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
    case .allocation:
      return .repeated(amount: amount) {
        (0..<count).reduce(0 as UInt) { sum, _ in sum &+ Self.allocate(64) }
      }
    case .lock:
      let box = Locked()
      return .repeated(amount: amount) {
        for _ in 0..<count { box.value.withLock { $0 &+= 1 } }
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

  private final class Locked: Sendable {
    let value = Mutex(0)
  }

  @inline(never)
  private static func copy(_ source: [UInt8], to target: inout [UInt8]) {
    unsafe source.withUnsafeBytes { source in
      unsafe target.withUnsafeMutableBytes { unsafe $0.copyMemory(from: source) }
    }
  }

  @inline(never)
  private static func contains(_ byte: Int32, in bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe memchr($0, byte, bytes.count) != nil } ?? false
    }
  }

  /// Returns the address, because the compiler leaves out an allocation that nobody can see.
  @inline(never)
  private static func allocate(_ count: Int) -> UInt {
    let memory = unsafe malloc(count)
    unsafe memory?.storeBytes(of: 1, as: UInt8.self)
    defer { unsafe free(memory) }
    return UInt(bitPattern: memory)
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
