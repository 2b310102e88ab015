import FluxLog

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One end of a stream, closed with the last reference to it.
final class Descriptor: Sendable {
  let number: Int32

  /// Takes over a descriptor that is open.
  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// What came of an attempt to read.
  enum Received {
    case bytes([UInt8])
    /// Nothing is there yet, and the stream is one that does not wait.
    case nothing
    /// The other side has closed the stream, or it cannot be read any more.
    case end
  }

  /// Reads what is there, at most 64 KB at a time.
  func receive() -> Received {
    let capacity = 65_536
    var isEnd = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      // The buffer has room for `capacity` bytes, and is initialized up to what the system wrote.
      let result = Self.retrying { unsafe read(number, buffer.baseAddress, capacity) }
      count = max(0, result)
      isEnd = result == 0 || result < 0 && errno != EAGAIN
    }
    if isEnd { return .end }
    return bytes.isEmpty ? .nothing : .bytes(bytes)
  }

  /// Writes as much as the stream takes; nil where nobody reads it any more.
  ///
  /// A stream without a reader is an answer here, and no signal.
  func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    holdingBack(SIGPIPE) {
      unsafe bytes.withUnsafeBytes { buffer in
        // `buffer` is valid for its count, and the system reads no more than that.
        let result = Self.retrying { unsafe write(number, buffer.baseAddress, buffer.count) }
        if result >= 0 { return result }
        return errno == EAGAIN ? 0 : nil
      }
    }
  }

  /// Makes reads and writes return at once where they would have to wait.
  func setNonBlocking() {
    // Cannot fail for a descriptor that is open.
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }

  /// Waits until one of the streams can be read or written, or for that many milliseconds.
  static func wait(reading: [Descriptor], writing: Descriptor?, milliseconds: Int32) {
    var descriptors = reading.map {
      pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0)
    }
    if let writing {
      descriptors.append(pollfd(fd: writing.number, events: Int16(POLLOUT), revents: 0))
    }
    // Whatever it says, each stream is tried afterwards.
    _ = unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds)
  }

  /// Whether there is something to read, or the other side has closed the stream.
  var isReadable: Bool {
    var descriptor = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&descriptor, 1, 0) > 0
  }

  /// Waits until the other side has closed the stream; returns at once where that cannot be told.
  func waitForHangUp() {
    while true {
      // Without events that are asked for, only a hang-up is told. Some systems never do so: for them
      // the time is there, and the next turn.
      var descriptor = pollfd(fd: number, events: 0, revents: 0)
      let count = unsafe poll(&descriptor, 1, -1)
      if count > 0 || count < 0 && errno != EINTR { return }
    }
  }

  /// Calls the system again where a signal came in between.
  private static func retrying(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      guard result < 0, errno == EINTR else { return result }
    }
  }
}
