import FluxSystem
import Foundation

/// The process's standard input and output, taken over from the app to keep its own input and output out of
/// the protocol.
struct StandardStreams {
  let input: Descriptor
  let output: Descriptor

  /// Takes the streams over; from then on, the app prints to standard error and reads an empty input.
  ///
  /// - Returns: The streams; nil if the process has none.
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
    flushStandardOutputAtEachLine()
    return StandardStreams(input: input, output: output)
  }
}

extension HostServer {
  /// `true` if the environment variable of ``HostProtocol`` asks this process to serve.
  public static var isRequested: Bool {
    ProcessInfo.processInfo.environment[HostProtocol.variable] == HostProtocol.standardStreams
  }

  /// Serves over standard input and output until the other side ends, and exits the process.
  ///
  /// From here on, the app prints to standard error, and its standard input is empty.
  public func serveStandardStreams() -> Never {
    // Child processes must not serve. No other thread runs yet that could read the environment.
    unsafe unsetenv(HostProtocol.variable)
    guard let streams = StandardStreams.take() else {
      FileHandle.standardError.write(
        Data("the replay host has no standard input and output; start it with both\n".utf8))
      exit(2)
    }
    ParentExitMonitor(streams.input).start()
    let channel = StreamChannel(input: streams.input, output: streams.output)
    while let line = channel.nextLine(), answer(line, channel) {}
    exit(0)
  }
}

/// Exits a host whose parent has gone while a step runs forever.
///
/// A host notices the end of its input when it reads. In an endless reducer it would not, and no signal of
/// the terminal reaches its own process group.
struct ParentExitMonitor {
  /// The time that a host has to complete its current step and write the answer.
  private static let grace: TimeInterval = 10

  private let input: Descriptor

  init(_ input: Descriptor) { self.input = input }

  func start() {
    let thread = Thread { [input] in
      input.waitForHangUp()
      Thread.sleep(forTimeInterval: Self.grace)
      // Not `exit`, which waits for locks of other threads.
      _exit(1)
    }
    thread.name = "replay host parent monitor"
    thread.start()
  }
}
