import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import Harness
import Inputs

/// What an attached client that watches adds to a recorded dispatch; without a client, a host adds nothing.
struct AttachedCost {
  let url: URL

  private static let burst = 400
  private static let bursts = 400

  /// Returns the mean cost of a dispatch with a client less what it costs without one.
  func lap() throws -> Lap {
    var options = Recorder.Options()
    options.log.durability = .buffered
    options.log.existing = .replace
    let recorder = Recorder(to: url, options: options)
    let dispatcher = Dispatcher([TodoStore(count: 2, seed: 1)])
    dispatcher.use(recorder)
    let plain = try cost(of: dispatcher, recorder)
    let host = AppHost(recorder, dispatcher: dispatcher)
    let client = try WatchingClient()
    let watched = try cost(of: dispatcher, recorder)
    client.end()
    host.stop()
    try recorder.close()
    return Lap(seconds: watched - plain)
  }

  private func cost(of dispatcher: Dispatcher, _ recorder: Recorder) throws -> Double {
    var times: [Double] = []
    for _ in 0..<Self.bursts {
      let lap = Stopwatch.lap {
        for step in 0..<Self.burst { dispatcher.dispatch(TodoAction.toggle(id: step % 2)) }
      }
      try recorder.flush()
      times.append(lap.seconds)
    }
    return Series(times).median / Double(Self.burst)
  }
}

/// A client in a process of its own, which reads whatever the host of this process sends.
private final class WatchingClient {
  private let process = Process()

  private static let script = """
    import glob, json, os, socket, sys, tempfile
    folders = [os.environ.get("XDG_RUNTIME_DIR", "") + "/flux-inspect",
               f"{tempfile.gettempdir()}/flux-inspect-{os.geteuid()}"]
    sockets = [path for folder in folders for path in glob.glob(f"{folder}/{sys.argv[1]}*.sock")]
    client = socket.socket(socket.AF_UNIX)
    client.connect(max(sockets, key=os.path.getmtime))
    for method, params in [("initialize", {"protocol": "2.0"}), ("live/watch", {})]:
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        client.sendall(json.dumps(request).encode() + b"\\n")
        client.recv(65536)
    print("watching", flush=True)
    while client.recv(65536):
        pass
    """

  init() throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", Self.script, String(ProcessInfo.processInfo.processIdentifier),
    ]
    process.standardOutput = output
    try process.run()
    guard try output.fileHandleForReading.read(upToCount: 8) != nil else {
      throw CocoaError(.executableLoad)
    }
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }
}

/// The cost of a running app that somebody watches.
func attachedFigures(_ conditions: Conditions) -> [Figure] {
  [
    Figure(
      "added to a dispatch, with an attached client, mean", in: .nanoseconds, on: .all,
      target: .atMost(1_000)
    ) {
      let cost = AttachedCost(url: conditions.scratch("attached.jsonl"))
      return Contest(
        .timed(rounds: conditions.scale(5, quick: 3)) { [try cost.lap()] }, on: "two todos")
    }
  ]
}
