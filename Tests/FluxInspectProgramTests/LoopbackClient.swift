#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A connection of a test to a port of this machine.
final class LoopbackClient {
  private struct Failure: Error { let call: String }

  private let socket: Int32

  init(port: UInt16) throws {
    #if canImport(Darwin) || canImport(Musl)
      socket = SystemSocket.open(AF_INET, SOCK_STREAM, 0)
    #else
      socket = SystemSocket.open(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The address is a local that outlives the call.
    let result = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket, $0, size)
      }
    }
    guard result == 0 else { throw Failure(call: "connect") }
    // A server that does not answer must not hold up the tests.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    _ = unsafe setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(socket, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure(call: "write") }
      rest = rest.dropFirst(count)
    }
  }

  private func receive() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe read(socket, $0.baseAddress, $0.count)
    }
    return Array(bytes.prefix(max(0, count)))
  }

  /// Reads until the server closes the connection.
  func readAll() throws -> String {
    var bytes: [UInt8] = []
    while case let more = try receive(), !more.isEmpty { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads up to a text.
  func text(until end: String) throws -> String {
    var text = ""
    let deadline = ContinuousClock.now + .seconds(60)
    while !text.contains(end), ContinuousClock.now < deadline {
      let more = try receive()
      guard !more.isEmpty else { throw Failure(call: "read: \(text)") }
      text += String(decoding: more, as: UTF8.self)
    }
    return text
  }
}

/// The call of the system, whose name is that of a property.
private enum SystemSocket {
  static func open(_ domain: Int32, _ type: Int32, _ protocolNumber: Int32) -> Int32 {
    socket(domain, type, protocolNumber)
  }
}
