import CXNU
import FluxSystem
import Foundation
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
    #expect(result.failure == SystemError("write", code: EBADF))
    #expect(file.write([]).failure == nil)
    #expect(throws: SystemError("shorten", code: EINVAL)) { try file.truncate(to: 0) }
  }

  @Test(
    "a limit on the size of files is an error, and raises no signal",
    arguments: [O_WRONLY | O_CREAT | O_APPEND, O_WRONLY | O_CREAT])
  func sizeLimit(_ flags: Int32) async throws {
    try folder.write("0123456789", to: "log")
    await #expect(processExitsWith: .success) {
      [path = folder.path("log") as String, flags = flags as Int32] in
      #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      #else
        let resource = RLIMIT_FSIZE
      #endif
      var limit = rlimit(rlim_cur: 15, rlim_max: 15)
      // The call reads the local.
      #expect(unsafe setrlimit(resource, &limit) == 0)
      let file = try Descriptor(opening: path, flags)
      let part = flags & O_APPEND == 0 ? 15 : 5
      let written = file.write([UInt8](repeating: 120, count: 20))
      #expect(written.written == part)
      #expect(written.failure == SystemError("write", code: EFBIG))
      #expect(file.write([120]).failure == SystemError("write", code: EFBIG))
      #expect(try file.status().size == 15)
      let ring = try Descriptor(opening: path, O_RDWR)
      try ring.write([121], at: 14)
      #expect(throws: SystemError("write", code: EFBIG)) { try ring.write([121, 121], at: 14) }
      #expect(throws: SystemError("write", code: EFBIG)) { try ring.write([121], at: 15) }
      try ring.allocate(15)
      #expect(throws: SystemError("allocate", code: EFBIG)) { try ring.allocate(16) }
      let pipe = try Descriptor.pipe(isWrittenHere: true)
      #expect(pipe.writing.write([UInt8](repeating: 120, count: 20)).written == 20)
    }
  }

  @Test(
    "on Apple's systems, a volume without F_FULLFSYNC is synchronized, and a failing disk is an error",
    arguments: [
      (0, 0, 0, 0), (ENOTSUP, 0, 0, 1), (EINVAL, 0, 0, 1), (ENOTTY, EIO, EIO, 1), (EIO, 0, EIO, 0),
      (ENOSPC, 0, ENOSPC, 0), (EDQUOT, 0, EDQUOT, 0), (EINTR, 0, EINTR, 0),
    ] as [(Int32, Int32, Int32, Int32)])
  func fullSync(_ full: Int32, _ plain: Int32, _ expected: Int32, _ plainCount: Int32) {
    let ending = xnu_synchronize(full, plain)
    #expect(ending.result == (expected == 0 ? 0 : -1))
    #expect(ending.error == expected)
    #expect(ending.plain_count == plainCount)
  }

  @Test("one descriptor at a time has a file's lock")
  func locking() throws {
    var first: Descriptor? = try open("log")
    let second = try open("log")
    #expect(try first?.lock() == true)
    #expect(try second.lock() == false)
    #expect(try second.isLocked())
    first?.unlock()
    // Asking leaves no lock behind.
    #expect(try first?.isLocked() == false)
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
    #expect(try duplicate.status().identity == file.status().identity)
    #expect(fcntl(duplicate.number, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC != 0)
    #expect(throws: SystemError("duplicate", code: EBADF)) { try Descriptor(duplicating: -1) }
  }

  @Test("a process that was started without standard streams gets no file, pipe or socket as one")
  func noStandardStreams() async throws {
    await #expect(processExitsWith: .success) { [path = folder.path("") as String] in
      for number in STDIN_FILENO...STDERR_FILENO { close(number) }
      let file = try Descriptor(opening: path + "log", O_RDWR | O_CREAT)
      let other = try Descriptor(openingOrCreating: path + "other", O_RDWR)
      let pipe = try Descriptor.pipe(isWrittenHere: true)
      let listener = try LocalListener(path: path + "socket")
      let client = try Descriptor.connecting(toLocal: path + "socket")
      let accepted = try #require(try listener.accept())
      let network = try NetworkListener(NetworkAddress(port: 0))
      let streams = [
        file, other, pipe.reading, pipe.writing, listener.socket, client, accepted, network.socket,
      ]
      for stream in streams {
        #expect(stream.number > STDERR_FILENO)
        #expect(fcntl(stream.number, F_GETFD) & FD_CLOEXEC != 0)
      }
      for number in STDIN_FILENO...STDERR_FILENO { #expect(fcntl(number, F_GETFD) < 0) }
    }
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

  @Test("a write waits for a full stream, also if another process has set it not to block")
  func sharedStream() throws {
    var stream = try makeClosableStream()
    let reading = try #require(stream.reading)
    stream.writing?.setNonBlocking()
    let bytes = (0..<1 << 21).map { UInt8(truncatingIfNeeded: $0) }
    let result = Monitor<(written: Int, failure: SystemError?)?>(nil)
    Thread { [writing = stream.writing] in
      let ending = writing?.write(bytes)
      result.withLock { $0 = ending }
    }.start()
    stream.writing = nil
    var received: [UInt8] = []
    while case .bytes(let more) = reading.receive() { received += more }
    #expect(received == bytes)
    let ending = result.withLock { $0 }
    #expect(ending?.written == bytes.count && ending?.failure == nil)
  }

  @Test("more than a stream holds is sent as it is read, and received until the end")
  func all() throws {
    var stream = try makeClosableStream()
    let reading = try #require(stream.reading)
    stream.writing?.setNonBlocking()
    let bytes = (0..<1 << 21).map { UInt8(truncatingIfNeeded: $0) }
    let isSent = Monitor<Bool?>(nil)
    Thread { [writing = stream.writing] in
      let result = writing?.sendAll(bytes)
      isSent.withLock { $0 = result }
    }.start()
    stream.writing = nil
    var received: [UInt8] = []
    while let more = reading.receive(until: { false }) { received += more }
    #expect(received == bytes)
    isSent.waitUntil(milliseconds: 10_000, { $0 != nil }) { #expect($0 == true) }
  }

  @Test("a wait for bytes ends when `until` returns true, and sending all fails without a reader")
  func given() throws {
    var stream = try makeClosableStream()
    #expect(stream.reading?.receive(until: { true }) == nil)
    stream.reading = nil
    #expect(stream.writing?.sendAll([1]) == false)
  }

  @Test("a stream that cannot be read has an error, and not only an end")
  func unreadable() throws {
    let stream = try Descriptor(opening: folder.path(""), O_RDONLY)
    #expect(throws: SystemError("read", code: EISDIR)) { try stream.read(until: { true }) }
    #expect(stream.receive(until: { true }) == nil)
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

  @Test(
    "on XNU, too, nothing that is sent to a closed pipe or socket ends the program",
    .enabled(if: xnu_can_simulate()))
  func brokenOnXNU() async {
    await #expect(processExitsWith: .success) {
      xnu_simulate()
      var pipe: (reading: Descriptor?, writing: Descriptor) = try Descriptor.pipe(
        isWrittenHere: true)
      let duplicate = try Descriptor(duplicating: pipe.writing.number)
      pipe.reading = nil
      for end in [pipe.writing, duplicate] { #expect(end.send([1]) == nil) }

      let folder = try TemporaryFolder()
      let listener = try LocalListener(path: folder.path("s"))
      var client: Descriptor? = try Descriptor.connecting(toLocal: listener.path)
      client = nil
      // It has left before it is accepted.
      let left = try #require(try listener.accept())
      #expect(left.send([1]) == nil)
      client = try Descriptor.connecting(toLocal: listener.path)
      var server = try listener.accept()
      #expect(server != nil)
      server = nil
      #expect(client?.send([1]) == nil)
    }
  }

  @Test(
    "a pipe that another program writes to sends it the signal", .enabled(if: xnu_can_simulate()))
  func signalOnXNU() async {
    await #expect(processExitsWith: .signal(SIGPIPE)) {
      xnu_simulate()
      var pipe: (reading: Descriptor?, writing: Descriptor) = try Descriptor.pipe(
        isWrittenHere: false)
      pipe.reading = nil
      _ = pipe.writing.send([1])
      while true { pause() }
    }
  }

  @Test("bytes that nobody reads do not hide that the other side has closed the stream")
  func unreadHangUp() throws {
    var stream: (reading: Descriptor, writing: Descriptor?) = try Descriptor.pipe(
      isWrittenHere: true)
    #expect(stream.writing?.send([1, 2, 3]) == 3)
    stream.writing = nil
    stream.reading.waitForHangUp()
    guard case .bytes([1, 2, 3]) = stream.reading.receive() else {
      Issue.record("the bytes were read")
      return
    }
  }

  @Test("on XNU, too, the end of a stream is noticed", .enabled(if: xnu_can_simulate()))
  func hangUpOnXNU() async {
    await #expect(processExitsWith: .success) {
      xnu_simulate()
      // Ends a process that waits for ever.
      alarm(60)
      var stream: (reading: Descriptor, writing: Descriptor?) = try Descriptor.pipe(
        isWrittenHere: true)
      stream.writing = nil
      stream.reading.waitForHangUp()
    }
  }
}
