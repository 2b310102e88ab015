#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What the system says of an error number: `No space left on device`.
package func systemMessage(_ code: Int32) -> String {
  // The string belongs to the C library and is copied at once.
  guard let text = unsafe strerror(code) else { return "error \(code)" }
  return unsafe String(cString: text)
}
