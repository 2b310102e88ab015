import Foundation

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
