import FluxReplay
import FluxSystem
import Foundation

/// Serves an app that an inspector has started, over standard input and output.
enum SpawnedHost {
  /// `true` if the environment variable of ``AppProtocol`` asks this process to serve.
  static var isRequested: Bool {
    // Each recorder asks, so this reads one variable, and not all.
    unsafe getenv(AppProtocol.variable).map { unsafe String(cString: $0) }
      == AppProtocol.standardStreams
  }

  /// Serves until the other side ends, and exits the process.
  ///
  /// The app's code runs on this thread.
  /// From here on, the app prints to standard error, and its standard input is empty.
  static func serve(_ app: any ReplayApp) -> Never {
    // Child processes must not serve. No other thread runs yet that could read the environment.
    unsafe unsetenv(AppProtocol.variable)
    unsafe unsetenv(AppProtocol.simulatorVariable)
    guard let streams = StandardStreams.take() else {
      refuse("has no standard input and output; start it with both")
    }
    do throws(SystemError) {
      try serve(app, streams)
    } catch {
      refuse(error.text(about: "itself"))
    }
    exit(0)
  }

  private static func refuse(_ why: String) -> Never {
    // Foundation would end the process with a trap if this fails; the exit code says enough.
    _ = Descriptor(STDERR_FILENO).write(Array("\(AppProtocol.refusal)\(why)\n".utf8))
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
    try startThread(named: "replay host") {
      loop.run()
      Thread.sleep(forTimeInterval: grace)
      // Not `exit`, which waits for locks of other threads.
      _exit(1)
    }
    queue.run()
  }
}
