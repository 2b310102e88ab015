import FluxSystem
import TestFixtures
import Testing

@Suite struct DescriptorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeStream() throws -> (reading: Descriptor, writing: Descriptor) {
    let ends = try #require(makeStreamPair())
    return (Descriptor(ends.reading), Descriptor(ends.writing))
  }

  /// Makes a stream whose ends are closed by setting them to nil.
  private func makeClosableStream() throws -> (reading: Descriptor?, writing: Descriptor?) {
    let ends = try #require(makeStreamPair())
    return (Descriptor(ends.reading), Descriptor(ends.writing))
  }

  private func open(_ name: String, _ flags: Int32 = O_RDWR | O_CREAT) throws -> Descriptor {
    try Descriptor(opening: folder.path(name), flags)
  }

  /// Reads up to 8 bytes from a file.
  private func read(_ file: Descriptor, at offset: Int) throws -> String {
    var bytes = [UInt8](repeating: 0, count: 8)
    let count = try unsafe bytes.withUnsafeMutableBytes {
      try unsafe file.read(into: $0, at: offset)
    }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  // MARK: Files

  @Test("a file that cannot be opened says why")
  func missing() {
    let error = #expect(throws: SystemError.self) { try open("missing", O_RDONLY) }
    #expect(error == SystemError("open", code: ENOENT))
  }

  @Test("a new file belongs to the user alone, and an open one stays as it is")
  func permissions() throws {
    _ = try open("new")
    #expect(try folder.permissions(of: "new") == 0o600)
    _ = try Descriptor(openingOrCreating: folder.path("other"), O_RDWR)
    #expect(try folder.permissions(of: "other") == 0o600)
    #expect(unsafe chmod(folder.path("other"), 0o640) == 0)
    _ = try Descriptor(openingOrCreating: folder.path("other"), O_RDWR)
    #expect(try folder.permissions(of: "other") == 0o640)
  }

  @Test("a file is neither opened nor created at the end of a link")
  func links() throws {
    try folder.write("", to: "victim")
    for name in ["victim", "nothing"] {
      #expect(unsafe symlink(name, folder.path("to-\(name)")) == 0)
      #expect(throws: SystemError("open", code: ELOOP)) {
        try Descriptor(openingOrCreating: folder.path("to-\(name)"), O_RDWR)
      }
    }
    #expect(try folder.names() == ["to-nothing", "to-victim", "victim"])
  }

  @Test("a read fills the buffer, and is shorter only at the end of the file")
  func reading() throws {
    try folder.write("0123456789", to: "digits")
    let file = try open("digits", O_RDONLY)
    #expect(try read(file, at: 0) == "01234567")
    #expect(try read(file, at: 7) == "789")
    #expect(try read(file, at: 10) == "")
    #expect(try read(file, at: 99) == "")
    #expect(throws: SystemError("read", code: EINVAL)) { try read(file, at: -1) }
  }

  @Test("a write appends, a truncation shortens, and both are in the file")
  func writing() throws {
    let file = try open("text", O_RDWR | O_CREAT | O_APPEND)
    let first = file.write(Array("hello, ".utf8))
    #expect(first.written == 7 && first.failure == nil)
    #expect(file.write(Array("world".utf8)).written == 5)
    #expect(try folder.text(of: "text") == "hello, world")
    try file.truncate(to: 5)
    try file.synchronize()
    #expect(try file.status().size == 5)
    #expect(try folder.text(of: "text") == "hello")
    try Descriptor(opening: folder.path(""), O_RDONLY).synchronizeFolder()
  }

  @Test("a write that fails says how much was written")
  func failedWrite() throws {
    try folder.write("", to: "text")
    let file = try open("text", O_RDONLY)
    let result = file.write([1, 2, 3])
    #expect(result.written == 0)
    #expect(result.failure == SystemError("write to", code: EBADF))
    #expect(file.write([]).failure == nil)
    #expect(throws: SystemError("shorten", code: EINVAL)) { try file.truncate(to: 0) }
  }

  @Test("one descriptor at a time has a file's lock")
  func locking() throws {
    var first: Descriptor? = try open("log")
    let second = try open("log")
    #expect(try first?.lock() == true)
    #expect(try second.lock() == false)
    first?.unlock()
    #expect(try second.lock())
    #expect(try first?.lock() == false)
    second.unlock()
    #expect(try first?.lock() == true)
    // Closing drops the lock.
    first = nil
    #expect(try second.lock())
  }

  @Test("a duplicate is another descriptor of the same file, which child processes do not inherit")
  func duplicating() throws {
    let file = try open("log")
    let duplicate = try Descriptor(duplicating: file.number)
    #expect(duplicate.number > 2 && duplicate.number != file.number)
    #expect(try duplicate.status().place == file.status().place)
    #expect(fcntl(duplicate.number, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC != 0)
    #expect(throws: SystemError("duplicate", code: EBADF)) { try Descriptor(duplicating: -1) }
  }

  // MARK: Streams

  @Test("a stream gives what is there, then nothing, and the end after its writer is released")
  func receiving() throws {
    var stream = try makeClosableStream()
    let reading = try #require(stream.reading)
    reading.setNonBlocking()
    guard case .nothing = reading.receive() else {
      Issue.record("an empty stream gave something")
      return
    }
    #expect(!reading.isReadable)
    #expect(stream.writing?.send([1, 2, 3]) == 3)
    #expect(reading.isReadable)
    guard case .bytes([1, 2, 3]) = reading.receive() else {
      Issue.record("the bytes did not arrive")
      return
    }
    stream.writing = nil
    #expect(reading.isReadable)
    reading.waitForHangUp()
    guard case .end = reading.receive() else {
      Issue.record("the stream did not end")
      return
    }
  }

  @Test("a full stream takes nothing more, and waits until somebody reads")
  func full() throws {
    let (reading, writing) = try makeStream()
    writing.setNonBlocking()
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    var sent = 0
    while let count = writing.send(bytes[...]), count > 0 { sent += count }
    #expect(sent > 0)
    #expect(writing.send(bytes[...]) == 0)
    #expect(!Descriptor.wait(reading: [], writing: writing, milliseconds: 0))
    var received = 0
    while received < sent, case .bytes(let more) = reading.receive() { received += more.count }
    #expect(received == sent)
    #expect(Descriptor.wait(reading: [reading], writing: writing, milliseconds: -1))
    #expect(writing.send(bytes[...]) ?? 0 > 0)
  }

  @Test("sending to a stream without a reader ends neither the program nor in an endless wait")
  func gone() throws {
    var stream = try makeClosableStream()
    let writing = try #require(stream.writing)
    #expect(try stream.reading?.status().isRegular == false)
    stream.reading = nil
    try #require(writing.send([1]) == nil)
    writing.waitForHangUp()
  }
}
