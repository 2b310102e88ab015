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

/// Serves an app that an inspector has started, over standard input and output.
package enum SpawnedHost {
  /// `true` if the environment variable of ``AppProtocol`` asks this process to serve.
  package static var isRequested: Bool {
    // Each recorder asks, so this reads one variable, and not all.
    unsafe getenv(AppProtocol.variable).map { unsafe String(cString: $0) }
      == AppProtocol.standardStreams
  }

  /// Serves until the other side ends, and exits the process.
  ///
  /// The app's code runs on this thread.
  /// From here on, the app prints to standard error, and its standard input is empty.
  package static func serve(_ app: any ReplayApp) -> Never {
    // Child processes must not serve. No other thread runs yet that could read the environment.
    unsafe unsetenv(AppProtocol.variable)
    unsafe unsetenv(AppProtocol.simulatorVariable)
    guard let streams = StandardStreams.take() else {
      refuse("the replay host has no standard input and output; start it with both")
    }
    do throws(SystemError) {
      try serve(app, streams)
    } catch {
      refuse("the replay host \(error.text(about: "itself"))")
    }
    exit(0)
  }

  private static func refuse(_ why: String) -> Never {
    FileHandle.standardError.write(Data("\(why)\n".utf8))
    exit(2)
  }

  /// Serves until the other side ends; the host then has `grace` seconds to complete its requests.
  ///
  /// A reducer may not return, and no signal of the terminal reaches the host's own process group.
  static func serve(
    _ app: any ReplayApp, _ streams: StandardStreams, grace: TimeInterval = 10
  ) throws(SystemError) {
    let queue = JobQueue("replay", hasThread: true)
    let part = ReplayPart(app, on: queue, isSpawned: true)
    let loop = ServerLoop(
      AppServer([part]) { Welcome(app: try app.describe(), verifies: true) }, try Waker(),
      isSpawned: true)
    // A write that waited would keep the thread from seeing that the parent is gone, if another process keeps the
    // output open and reads nothing.
    streams.output.setNonBlocking()
    loop.add(streams.input, streams.output) { bytes -> Int? in
      var deadline: ContinuousClock.Instant?
      while let count = streams.output.send(bytes) {
        if count > 0 { return count }
        Descriptor.wait(reading: [], writing: streams.output, milliseconds: 250)
        guard streams.input.hasHungUp else { continue }
        let end = deadline ?? .now + .seconds(grace)
        if end <= .now { return nil }
        deadline = end
      }
      return nil
    }
    let thread = Thread {
      loop.run()
      Thread.sleep(forTimeInterval: grace)
      // Not `exit`, which waits for locks of other threads.
      _exit(1)
    }
    thread.name = "replay host"
    thread.start()
    queue.run()
  }
}
