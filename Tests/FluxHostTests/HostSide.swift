import FluxJSON
import FluxReplay
import FluxSystem
import TestFixtures
import Testing

@testable import FluxHost

/// A connection to a host that is this test: it writes the answers and reads the requests.
///
/// Answers are written before the connection asks for them, so nothing waits and no thread is needed.
final class HostSide {
  let connection: HostConnection
  let process: HostProcess
  private var input: Descriptor?
  private var output: Descriptor?
  private let errors: Descriptor

  init(
    messageByteCount: Int = 1000, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let (hostInput, appInput) = try Self.makeStream()
    let (appOutput, hostOutput) = try Self.makeStream()
    let (appErrors, hostErrors) = try Self.makeStream()
    (input, output, errors) = (hostInput, hostOutput, hostErrors)
    hostInput.setNonBlocking()
    process = HostProcess(identifier: nil, input: appInput, output: appOutput, errors: appErrors)
    connection = HostConnection(
      process, name: "shop", messageByteCount: messageByteCount, isCancelled: isCancelled)
  }

  private static func makeStream() throws -> (reading: Descriptor, writing: Descriptor) {
    let ends = try #require(makeStreamPair())
    return (Descriptor(ends.reading), Descriptor(ends.writing))
  }

  /// Writes to the connection.
  func write(_ text: String) {
    #expect(output?.write(Array(text.utf8)).written == text.utf8.count)
  }

  /// Reports the progress of a request.
  func report(step: UInt64, of request: Int = 1) {
    let params = #"{"request":\#(request),"step":\#(step)}"#
    write(#"{"jsonrpc":"2.0","method":"progress","params":\#(params)}"# + "\n")
  }

  /// Writes to standard error.
  func complain(_ text: String) {
    #expect(errors.write(Array(text.utf8)).failure == nil)
  }

  func closeInput() { input = nil }

  func closeOutput() { output = nil }

  /// Everything that the connection has sent since the last call.
  func requests() -> String {
    var bytes: [UInt8] = []
    while case .bytes(let more) = input?.receive() { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `true` if the connection has closed the host's input, which is how it stops a host.
  var isStopped: Bool { process.input == nil }

  /// Asks for the states of session 7, as if that ran some steps.
  func ask(
    limit: Double? = nil, steps: Int = 10, onProgress: (UInt64) -> Bool = { _ in true }
  ) throws -> JSON {
    try connection.ask(
      .states, limit: limit, steps: steps, onProgress: { onProgress($0.step) },
      params: ["session": 7] as JSON)
  }

  /// The request that ``ask(limit:steps:onProgress:)`` sends.
  static func request(_ id: Int) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"session/states","params":{"session":7}}"# + "\n"
  }
}
