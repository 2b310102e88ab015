import FluxLog
import FluxSystem
import Foundation
import Synchronization

extension HostProcess {
  /// Starts a program.
  ///
  /// - Throws: Why it cannot be started.
  static func start(
    _ executable: String, arguments: [String], environment: [String: String]
  ) throws(StartError) -> HostProcess {
    if let obstacle = obstacle(executable) { throw StartError(why: obstacle) }
    let words = [executable] + arguments
    let environment = inherited(environment)
    return try starting.withLock { _ throws(StartError) in
      let (childInput, input) = try pipe()
      let (output, childOutput) = try pipe()
      let (errors, childErrors) = try pipe()
      let identifier = try spawn(
        executable, words, environment, [childInput, childOutput, childErrors])
      return HostProcess(identifier: identifier, input: input, output: output, errors: errors)
    }
  }

  /// Says why a program cannot be started.
  struct StartError: Error {
    let why: String
  }

  /// What is in the way of starting a file, in better words than the system's.
  private static func obstacle(_ path: String) -> String? {
    let problem: String
    do throws(SystemError) {
      if let status = try FileStatus(path: path) {
        // The path is valid for the call.
        if !status.isFolder, unsafe access(path, X_OK) == 0 { return nil }
        problem = status.isFolder ? "it is a folder" : "it is not executable"
      } else {
        problem = "there is no such file"
      }
    } catch {
      problem = systemMessage(error.code)
    }
    return "\(problem); expected the executable of an app"
  }

  /// Held from the first pipe until the process runs: another one that is started meanwhile would
  /// inherit the pipes, and this one's input would not end before that one ends.
  private static let starting = Mutex<Void>(())

  /// Both ends of a pipe, neither of them one of the first three descriptors, which the child gets anew.
  private static func pipe() throws(StartError) -> (reading: Descriptor, writing: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { throw noPipe(errno) }
    let (reading, writing) = (Descriptor(ends[0]), Descriptor(ends[1]))
    do throws(SystemError) {
      return (
        try Descriptor(duplicating: reading.number), try Descriptor(duplicating: writing.number)
      )
    } catch {
      throw noPipe(error.code)
    }
  }

  private static func noPipe(_ code: Int32) -> StartError {
    StartError(why: "there is no pipe for it: \(systemMessage(code))")
  }

  /// This process's environment with changes, as `NAME=value`.
  private static func inherited(_ changes: [String: String]) -> [String] {
    ProcessInfo.processInfo.environment.merging(changes) { $1 }
      .sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// How often an executable is tried that somebody is writing, 10 milliseconds apart: a linker that is
  /// about to end, or a process that was started meanwhile and has not let go of the file yet.
  private static let busyTries = 100

  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String], _ streams: [Descriptor]
  ) throws(StartError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    // Both live on this stack until they are destroyed, and all calls use them in place.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in streams.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, stream.number, Int32(number))
    }
    // A process group of its own, and signals as they are for a program that a shell starts.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT, SIGTERM] {
      unsafe sigaddset(&signals, signal)
    }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var identifier: pid_t = 0
    var code: Int32 = 0
    for _ in 0..<busyTries {
      code = unsafe withCStrings(arguments) { arguments in
        unsafe withCStrings(environment) { environment in
          unsafe posix_spawn(&identifier, path, &actions, &attributes, arguments, environment)
        }
      }
      guard code == ETXTBSY else { break }
      Descriptor.wait(reading: [], writing: nil, milliseconds: 10)
    }
    guard code == 0 else {
      throw StartError(why: "\(systemMessage(code)); expected the executable of an app")
    }
    return identifier
  }

  /// Calls `body` with the strings as C has them, ended by a null; they are valid until it returns.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    // A null for memory that could not be had ends the list early, which the system understands.
    let copies = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies)
  }
}

/// Calls the C library's function, whose name the method above hides.
private func systemPipe(_ ends: inout [Int32]) -> Int32 {
  // The array has room for the two numbers that the call writes.
  unsafe pipe(&ends)
}
