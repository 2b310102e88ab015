import Foundation

/// An inspector in a separate process, attached to the host of this one.
final class InspectingClient {
  /// The work of the inspector.
  enum Work: String {
    /// It receives an announcement of each step.
    case watches
    /// It receives the announcements and the bytes of the log.
    case follows
    /// It does the same, and dispatches actions to fresh stores without a pause.
    case replays
  }

  private let process = Process()

  private static let script = #"""
    import glob, json, os, socket, sys, tempfile, threading
    folders = [os.environ.get("XDG_RUNTIME_DIR", "") + "/flux-inspect",
               f"{tempfile.gettempdir()}/flux-inspect-{os.geteuid()}"]
    sockets = [path for folder in folders for path in glob.glob(f"{folder}/{sys.argv[1]}*.sock")]

    def connect():
        client = socket.socket(socket.AF_UNIX)
        client.connect(max(sockets, key=os.path.getmtime))
        return client.makefile("rwb")

    def ask(stream, method, params):
        stream.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
        stream.flush()
        while True:
            line = stream.readline()
            if not line:
                os._exit(0)
            answer = json.loads(line)
            if "id" in answer:
                assert "result" in answer, answer
                return answer["result"]

    def replay():
        try:
            replay_without_end()
        finally:
            os._exit(1)

    def replay_without_end():
        stream = connect()
        ask(stream, "initialize", {"protocol": "2.0"})
        actions = [{"t": 0, "action": {"type": "todo/toggle", "payload": {"id": number % 2}}} for number in range(500)]
        while True:
            start = {"mode": "simulate", "seed": "0" * 16, "created": "2026-11-20T12:00:00.000000Z", "next": 1, "t": 0}
            session = ask(stream, "session/start", start)["session"]
            steps = ask(stream, "session/dispatch", {"session": session, "actions": actions})["steps"]
            assert len(steps) == len(actions) and all("undecodable" not in step for step in steps), steps[0]
            ask(stream, "session/end", {"session": session})
            begun.set()

    begun = threading.Event()
    stream = connect()
    ask(stream, "initialize", {"protocol": "2.0"})
    ask(stream, "live/watch", {})
    if sys.argv[2] != "watches":
        ask(stream, "log/follow", {})
    if sys.argv[2] == "replays":
        threading.Thread(target=replay, daemon=True).start()
        begun.wait()
    print("attached", flush=True)
    while stream.read1(65536):
        pass
    """#

  init(_ work: Work) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", Self.script, String(ProcessInfo.processInfo.processIdentifier),
      work.rawValue,
    ]
    process.standardOutput = output
    try process.run()
    guard try output.fileHandleForReading.read(upToCount: 8)?.isEmpty == false else {
      throw CocoaError(.executableLoad)
    }
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }
}
