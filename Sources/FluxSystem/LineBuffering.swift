// A file of its own, since only here is the C library imported with @preconcurrency: it declares `stdout` as a variable,
// though it never changes.
#if canImport(Darwin)
  @unsafe @preconcurrency import Darwin
#elseif canImport(Musl)
  @unsafe @preconcurrency import Musl
#else
  @unsafe @preconcurrency import Glibc
#endif

/// Makes the C library write its standard output at the end of every line.
///
/// A full buffer would take the last lines before a crash along, which often tell why.
package func flushStandardOutputAtEachLine() {
  // The call changes the C library's own stream, which lives as long as the process.
  unsafe setvbuf(stdout, nil, _IOLBF, 0)
}
