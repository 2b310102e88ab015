import CXNU
import Counter
import FluxJSON
import FluxLog
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxRecorder

@Suite(.waiting) struct SpawnedHostTests {
  private let toHost = Pipe()
  private let fromHost = Pipe()

  /// Serves a counter over the pipes, whose own ends this closes; returns what it answered.
  private func answers(_ requests: String, isCut: Bool = false) throws -> [Substring] {
    let input = dup(toHost.fileHandleForReading.fileDescriptor)
    let output = dup(fromHost.fileHandleForWriting.fileDescriptor)
    try #require(input >= 0 && output >= 0)
    try toHost.fileHandleForReading.close()
    try fromHost.fileHandleForWriting.close()
    if isCut { try fromHost.fileHandleForReading.close() }
    toHost.fileHandleForWriting.write(Data(requests.utf8))
    try toHost.fileHandleForWriting.close()
    // The streams are closed with the last reference.
    do {
      let streams = StandardStreams(input: Descriptor(input), output: Descriptor(output))
      try SpawnedHost.serve(CounterApp(), streams, grace: 3600)
    }
    guard !isCut else { return [] }
    var bytes: [UInt8] = []
    let reading = fromHost.fileHandleForReading.fileDescriptor
    #expect(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
    let stream = try Descriptor(duplicating: reading)
    while case .bytes(let more) = stream.receive() { bytes += more }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  private static let initialize =
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":"2.0"}}"#

  @Test(
    "blank lines are ignored, the last line needs no line end, and the end of the input cuts off no answer"
  )
  func lines() throws {
    let answers = try answers(
      "\n\r\n \n" + Self.initialize + "\n"
        + #"{"jsonrpc":"2.0","id":2,"method":"session/states","params":{"session":3}}"#)
    #expect(answers.count == 2)
    #expect(answers.last?.contains("there is no session 3") == true)
  }

  @Test("the end of the output ends a host")
  func gone() throws {
    #expect(try answers(Self.initialize + "\n", isCut: true) == [])
  }

  @Test(
    "on XNU, too, a host in an endless step ends after its parent, which left a request behind",
    .enabled(if: xnu_can_simulate()))
  func parentExit() async {
    await #expect(processExitsWith: .exitCode(1)) {
      xnu_simulate()
      // Ends a process that waits for ever.
      alarm(60)
      var parent: (reading: Descriptor, writing: Descriptor?) = try Descriptor.pipe(
        isWrittenHere: true)
      let output = try Descriptor.pipe(isWrittenHere: true)
      let start =
        #"{"jsonrpc":"2.0","id":2,"method":"session/start","params":{"mode":"replay","#
        + #""seed":"0000000000000001","created":"2026-11-20T12:00:00Z","next":1,"t":0}}"#
      let hang =
        #"{"jsonrpc":"2.0","id":3,"method":"session/dispatch","params":{"session":1,"#
        + #""actions":[{"n":1,"t":0,"action":{"type":"counter/hang"}}]}}"#
      let requests = [Self.initialize, start, hang, Self.initialize].map { $0 + "\n" }.joined()
      _ = parent.writing?.send(Array(requests.utf8)[...])
      parent.writing = nil
      try SpawnedHost.serve(
        CounterApp(), StandardStreams(input: parent.reading, output: output.writing), grace: 0)
    }
  }

  @Test("a host whose parent is gone ends, also if others keep its output open and read nothing")
  func unreadOutput() async {
    await #expect(processExitsWith: .exitCode(0)) {
      // Ends a process that waits for ever.
      alarm(60)
      var parent: (reading: Descriptor, writing: Descriptor?) = try Descriptor.pipe(
        isWrittenHere: true)
      let output = try Descriptor.pipe(isWrittenHere: true)
      output.writing.setNonBlocking()
      while let count = output.writing.send([UInt8](repeating: 10, count: 4096)[...]), count > 0 {}
      let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\n"
      _ = parent.writing?.send(Array(ping.utf8)[...])
      parent.writing = nil
      try SpawnedHost.serve(
        CounterApp(), StandardStreams(input: parent.reading, output: output.writing), grace: 1)
      withExtendedLifetime(output.reading) {}
      exit(0)
    }
  }

  @Test(
    "on XNU, too, an answer that nobody reads ends no host", .enabled(if: xnu_can_simulate()))
  func brokenOutput() async {
    await #expect(processExitsWith: .exitCode(0)) {
      xnu_simulate()
      let output = Pipe()
      #expect(dup2(output.fileHandleForWriting.fileDescriptor, STDOUT_FILENO) == STDOUT_FILENO)
      try output.fileHandleForWriting.close()
      let input = Pipe()
      #expect(dup2(input.fileHandleForReading.fileDescriptor, STDIN_FILENO) == STDIN_FILENO)
      try output.fileHandleForReading.close()
      let streams = try #require(StandardStreams.take())
      input.fileHandleForWriting.write(Data((Self.initialize + "\n").utf8))
      try SpawnedHost.serve(CounterApp(), streams, grace: 3600)
      exit(0)
    }
  }

  @Test("a host that was started without standard streams ends with a code, and not with a trap")
  func noStreams() async {
    await #expect(processExitsWith: .exitCode(2)) {
      for number in STDIN_FILENO...STDERR_FILENO { close(number) }
      SpawnedHost.serve(CounterApp())
    }
  }
}
