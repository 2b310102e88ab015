import FluxSystem

/// The file of the actions in flight: a header, and room for records that are overwritten in place.
///
/// A program that shortens a mapped file ends every process that touches the missing pages. So only
/// its owner can open the file for writing, and only after changing its mode; rotation tools skip its
/// name, which begins with a dot; and the writing thread examines it again and again. A file that is
/// written with system calls has no such danger.
///
/// `@unchecked Sendable`: the memory is only touched under the ring's lock. `@safe`: it is mapped as
/// long as the object lives.
@safe
final class RingFile: @unchecked Sendable {
  /// The state in which another program left the file.
  enum Condition: Equatable {
    case sound
    /// It is shorter, or begins with something else.
    case cut
    /// It has no name any more.
    case removed
  }

  let identity: FileIdentity
  let byteCount: Int
  /// The mapped file; `nil` if records are written with system calls.
  private let memory: UnsafeMutableRawBufferPointer?
  private let file: OpenFile
  private let header: [UInt8]

  /// The smallest ring.
  static let leastByteCount = 4096

  /// Creates the file, which must not exist, with room on the disk for all its bytes.
  ///
  /// `identity` is that of the log, which ties the ring to it. `content` has the bytes of an earlier file of that size. After
  /// an error, there is no file at the path.
  init(
    path: String, byteCount: Int, identity: UInt32, access: LogWriter.Options.Ring = .automatic,
    content: [UInt8]? = nil
  ) throws(LogError) {
    let size = max(Self.leastByteCount, byteCount / 8 * 8)
    let file = try OpenFile(creatingRing: path)
    self.file = file
    self.byteCount = size
    header = InFlightRecord.ringHeader(identity: identity)
    do throws(LogError) {
      self.identity = try file.identity()
      try file.allocate(size)
      try file.write(content ?? header, at: 0)
      unsafe memory = access.isMapped(file) ? try Self.map(file, size) : nil
      // Now only root, or somebody who changes the mode, can cut it.
      try file.setPermissions(0o400)
    } catch {
      unsafe unlink(path)
      throw error
    }
  }

  private static func map(
    _ file: OpenFile, _ size: Int
  ) throws(LogError) -> UnsafeMutableRawBufferPointer {
    let address = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw LogError(SystemError(lastOf: "map"), path: file.path)
    }
    return unsafe UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  deinit {
    if let memory = unsafe memory { unsafe munmap(memory.baseAddress, memory.count) }
  }

  /// Writes a record, or a part of one, through the memory or with a system call.
  func write(_ record: [UInt8], at offset: Int) throws(LogError) {
    guard let memory = unsafe memory else { return try file.write(record, at: offset) }
    // The range is checked, so nothing is written beyond the mapped file.
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[offset..<offset + record.count])
      .copyBytes(from: record)
  }

  /// Looks for changes by other programs, without touching the mapped memory.
  func condition() throws(LogError) -> Condition {
    let status = try file.status()
    guard status.isLinked else { return .removed }
    guard status.size == byteCount else { return .cut }
    return try file.bytes(at: 0, count: header.count) == header ? .sound : .cut
  }

  /// Empties a cut file and gives it its size again; the mapped memory then belongs to it as before.
  func restore() throws(LogError) {
    try file.truncate(to: 0)
    try file.allocate(byteCount)
    try file.write(header, at: 0)
  }

  /// Returns all bytes of a file that is not cut; `nil` if it is.
  func content() throws(LogError) -> [UInt8]? {
    let bytes = try file.bytes(at: 0, count: byteCount)
    return bytes.count == byteCount && bytes.starts(with: header) ? bytes : nil
  }
}

extension OpenFile {
  /// Reserves the blocks of a file of a fixed size.
  fileprivate func allocate(_ byteCount: Int) throws(LogError) {
    try attempt { (file) throws(SystemError) in try file.allocate(byteCount) }
  }

  fileprivate func write(_ bytes: [UInt8], at offset: Int) throws(LogError) {
    try attempt { (file) throws(SystemError) in try file.write(bytes, at: offset) }
  }

  fileprivate func setPermissions(_ permissions: mode_t) throws(LogError) {
    try attempt { (file) throws(SystemError) in try file.setPermissions(permissions) }
  }
}

extension LogWriter.Options.Ring {
  /// `true` if the ring is mapped into memory, given its file.
  fileprivate func isMapped(_ file: OpenFile) -> Bool {
    switch self {
    case .mapped: true
    case .written: false
    case .automatic: file.volume == .local
    }
  }
}
