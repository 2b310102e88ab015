import Foundation

/// The process's standard input and output, taken over from the app to keep its own input and output out of
/// the protocol.
package struct StandardStreams {
  package let input: Descriptor
  package let output: Descriptor

  package init(input: Descriptor, output: Descriptor) {
    (self.input, self.output) = (input, output)
  }

  /// Takes the streams over; from then on, the app prints to standard error and reads an empty input.
  ///
  /// - Returns: The streams; nil if the process has none.
  package static func take() -> StandardStreams? {
    let input: Descriptor
    let output: Descriptor
    do {
      // Child processes of the app do not inherit them: they would keep the streams open.
      input = try Descriptor(duplicating: STDIN_FILENO)
      output = try Descriptor(duplicating: STDOUT_FILENO)
      output.disableBrokenPipeSignal()
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
    flushStandardOutputAtEachLine()
    return StandardStreams(input: input, output: output)
  }

  /// Opens each standard stream that the process was started without, so that no other file gets its number.
  ///
  /// Reading from the input and writing to the others still fails.
  package static func reserve() {
    let streams = [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    for (number, mode) in streams where fcntl(number, F_GETFD) < 0 {
      // The system gives the lowest free number, and those below are open.
      _ = unsafe open("/dev/null", mode)
    }
  }
}
