#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Makes a stream within this process; what is written to `writing` can be read from `reading`.
///
/// The processes that other tests start at the same time do not inherit it: they would keep its ends open. That is why
/// it is a pair of sockets: on Linux, nothing can come between making the pair and marking it.
///
/// - Returns: The numbers of the two descriptors, which the caller closes; nil if the system has none left.
public func makeStreamPair() -> (reading: Int32, writing: Int32)? {
  #if canImport(Glibc)
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  #elseif canImport(Musl)
    let type = SOCK_STREAM | SOCK_CLOEXEC
  #else
    let type = SOCK_STREAM
  #endif
  var ends: [Int32] = [-1, -1]
  // The array has room for the two numbers that the call writes.
  guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}
