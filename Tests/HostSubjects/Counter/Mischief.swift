import FluxJSON
import Foundation

/// Actions whose reducers misbehave.
enum Mischief: String {
  case trap = "counter/trap"
  case abort = "counter/abort"
  case exit = "counter/exit"
  case hang = "counter/hang"
  /// Hangs, with a child process that hangs as well and has written its process number to a file.
  case hangWithChild = "counter/hang-with-child"
  /// Traps if a file exists, and removes it.
  case trapOnce = "counter/trap-once"
  case print = "counter/print"
  /// Writes more to standard error than fits into a pipe.
  case complain = "counter/complain"
  /// Reads from standard input, which carries the protocol.
  case read = "counter/read"
  /// Closes every stream except standard error, and continues.
  case fallSilent = "counter/fall-silent"
  case sleep = "counter/sleep"
  /// Writes a line of its own into the protocol, several times if the payload has `times`.
  case garble = "counter/garble"

  func perform(_ payload: JSON?) {
    let path = payload?["file"]?.string ?? ""
    switch self {
    case .trap: preconditionFailure("the counter is broken")
    case .abort: Foundation.abort()
    case .exit: Foundation.exit(7)
    case .hang: Self.hang()
    case .hangWithChild:
      Self.startChild(writingNumberTo: path)
      Self.hang()
    case .trapOnce:
      // The path is a string that outlives the call.
      if unsafe unlink(path) == 0 { preconditionFailure("the counter is broken for once") }
    case .print: Swift.print("the counter prints")
    case .complain:
      let line = Data((String(repeating: "x", count: 99) + "\n").utf8)
      for _ in 0..<2000 { FileHandle.standardError.write(line) }
    case .read: precondition(readLine() == nil, "the counter has read the protocol")
    case .fallSilent:
      for descriptor in Self.descriptors { close(descriptor) }
      Self.hang()
    case .sleep: usleep(300_000)
    case .garble:
      let times = Int(payload?["times"]?.number?.int64 ?? 1)
      let line = Array(
        (String(repeating: payload?["line"]?.string ?? "", count: times) + "\n").utf8)
      for descriptor in Self.descriptors { Self.write(line, to: descriptor) }
    }
  }

  /// Writes all bytes, however little the stream takes at a time; nothing to one that is not open for writing.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // The bytes outlive the call.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count >= 0 || errno == EAGAIN else { return }
      if count > 0 { rest = rest.dropFirst(count) } else { usleep(1000) }
    }
  }

  /// The descriptors after the standard ones, which include the protocol's.
  private static let descriptors = 3..<Int32(64)

  /// Starts a process that hangs, in the process group of this one: Foundation's `Process` gives it another.
  private static func startChild(writingNumberTo path: String) {
    var process: pid_t = 0
    #if !os(tvOS) && !os(watchOS)
      var words: [UnsafeMutablePointer<CChar>?] = unsafe [
        strdup("/bin/sleep"), strdup("1000"), nil,
      ]
      defer { unsafe words.forEach { unsafe free($0) } }
      // The words end with nil and outlive the call, which copies them.
      let failure = unsafe posix_spawn(&process, "/bin/sleep", nil, nil, &words, nil)
      precondition(failure == 0, "the counter cannot start a process")
    #endif
    let isWritten = FileManager.default.createFile(
      atPath: path, contents: Data("\(process)\n".utf8))
    precondition(isWritten, "the counter cannot write \(path)")
  }

  private static func hang() {
    while true { usleep(10_000) }
  }
}
