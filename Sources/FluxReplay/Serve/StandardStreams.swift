import FluxJSON
import FluxLog
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
    ParentExitMonitor(input: streams.input).start()
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
  let input: Descriptor
  /// The time in seconds that a host has to complete its current step and write the answer.
  var grace: TimeInterval = 10

  func start() {
    let thread = Thread { [input, grace] in
      input.waitForHangUp()
      Thread.sleep(forTimeInterval: grace)
      // Not `exit`, which waits for locks of other threads.
      _exit(1)
    }
    thread.name = "replay host parent monitor"
    thread.start()
  }
}

/// A channel over two streams, which one thread reads and writes.
final class StreamChannel: HostChannel {
  private let input: Descriptor
  private let output: Descriptor
  private var splitter = LineSplitter()
  /// Lines that arrived during a request.
  private var waiting: [[UInt8]] = []
  /// `true` if nobody reads the output any more.
  private var isBroken = false
  private var isAtEnd = false

  init(input: Descriptor, output: Descriptor) {
    self.input = input
    self.output = output
  }

  /// Waits for the next line; nil once the other side has closed the stream.
  func nextLine() -> [UInt8]? {
    while !isBroken {
      if !waiting.isEmpty { return waiting.removeFirst() }
      guard !isAtEnd else { return nil }
      receive()
    }
    return nil
  }

  /// Reads once, or waits until there is something to read.
  private func receive() {
    switch input.receive() {
    case .bytes(let bytes):
      splitter.append(bytes)
      while let line = splitter.next() { take(line) }
    case .nothing:
      // The host may have inherited a non-blocking stream.
      Descriptor.wait(reading: [input], writing: nil, milliseconds: -1)
    case .end:
      isAtEnd = true
      take(splitter.remainder())
    }
  }

  private func take(_ line: [UInt8]) {
    let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
    if !isBlank { waiting.append(line) }
  }

  func send(_ line: [UInt8]) {
    var rest = line[...]
    while !rest.isEmpty, !isBroken {
      guard let count = output.send(rest) else {
        isBroken = true
        return
      }
      rest = rest.dropFirst(count)
      if count == 0 { Descriptor.wait(reading: [], writing: output, milliseconds: -1) }
    }
  }

  func isCancelled(_ request: JSON) -> Bool {
    while !isAtEnd, input.isReadable { receive() }
    if isBroken || isAtEnd { return true }
    return waiting.contains { line in
      do {
        guard
          case .notification(HostProtocol.Notification.cancel.rawValue, let params) =
            try RPCMessage(line)
        else { return false }
        return params["request"] == request
      } catch {
        // The server reports a malformed line when it reads it.
        return false
      }
    }
  }
}
