import FluxSystem

// The C library's `stdin` and `stdout` are variables, though they never change.
#if canImport(Darwin)
  @unsafe @preconcurrency import Darwin
#elseif canImport(Musl)
  @unsafe @preconcurrency import Musl
#else
  @unsafe @preconcurrency import Glibc
#endif

/// Standard input and output, taken away from the app so that nothing which it prints or reads gets
/// into the protocol.
struct StandardStreams {
  let input: Descriptor
  let output: Descriptor

  /// Takes them: from then on what the app prints goes to standard error, and it reads an empty input.
  ///
  /// - Returns: The streams; nil where the process has none.
  static func take() -> StandardStreams? {
    let input: Descriptor
    let output: Descriptor
    do {
      // Child processes of the app do not inherit them: they would keep the streams open.
      input = try Descriptor(duplicating: STDIN_FILENO)
      output = try Descriptor(duplicating: STDOUT_FILENO)
    } catch {
      return nil
    }
    let nothing = unsafe open("/dev/null", O_RDONLY)
    if nothing >= 0 {
      dup2(nothing, STDIN_FILENO)
      close(nothing)
    } else {
      close(STDIN_FILENO)
    }
    dup2(STDERR_FILENO, STDOUT_FILENO)
    // The last that an app prints before it crashes tells why; kept back for a full block, it is lost.
    // The call changes the C library's own stream, which lives as long as the process.
    unsafe setvbuf(stdout, nil, _IOLBF, 0)
    return StandardStreams(input: input, output: output)
  }
}
