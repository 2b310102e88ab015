#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The strings as C takes lists of them, for the length of a call.
func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  // Each copy lives until the call is over; the list ends with a null.
  var copies = unsafe strings.map { unsafe strdup($0) }
  unsafe copies.append(nil)
  defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
  return unsafe body(copies)
}
