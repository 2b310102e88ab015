import FluxSystem
import Foundation

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

extension HostServer {
  /// Whether this process was started to serve: by the environment variable of ``HostProtocol``.
  public static var isRequested: Bool {
    ProcessInfo.processInfo.environment[HostProtocol.variable] == HostProtocol.standardStreams
  }

  /// Serves over standard input and output until the other side has had enough, and ends the process.
  ///
  /// What the app prints goes to standard error from here on, and its standard input is empty.
  public func serveStandardStreams() -> Never {
    // Processes that the app starts are not asked to serve.
    // No other thread runs yet that could be reading the environment.
    unsafe unsetenv(HostProtocol.variable)
    guard let streams = StandardStreams.take() else {
      FileHandle.standardError.write(
        Data("the replay host has no standard input and output; start it with both\n".utf8))
      exit(2)
    }
    LonelinessWatch(streams.input).begin()
    let channel = StreamChannel(input: streams.input, output: streams.output)
    while let line = channel.nextLine(), answer(line, channel) {}
    exit(0)
  }
}

/// Ends a host whose other side has gone while it was at a step that never ends.
///
/// A host that reads notices by itself; one that is caught in a reducer would run on for ever, as it is
/// in a process group of its own and hears of nothing.
struct LonelinessWatch {
  /// How long a host may go on with what it is at: enough to end a step and write what there is.
  private static let grace: TimeInterval = 10

  private let input: Descriptor

  init(_ input: Descriptor) { self.input = input }

  func begin() {
    let thread = Thread { [input] in
      input.waitForHangUp()
      Thread.sleep(forTimeInterval: Self.grace)
      // Not `exit`, which waits for what other threads have locked.
      _exit(1)
    }
    thread.name = "replay host watch"
    thread.start()
  }
}
