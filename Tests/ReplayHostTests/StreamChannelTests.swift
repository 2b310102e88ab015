import CXNU
import FluxJSON
import FluxLog
import FluxSystem
import Foundation
import Testing

@testable import FluxReplay

@Suite struct StreamChannelTests {
  private let toHost = Pipe()
  private let fromHost = Pipe()

  /// A channel over duplicates, so that each side closes its own.
  private func channel() throws -> StreamChannel {
    let input = dup(toHost.fileHandleForReading.fileDescriptor)
    let output = dup(fromHost.fileHandleForWriting.fileDescriptor)
    try #require(input >= 0 && output >= 0)
    try toHost.fileHandleForReading.close()
    try fromHost.fileHandleForWriting.close()
    return StreamChannel(input: Descriptor(input), output: Descriptor(output))
  }

  private func write(_ text: String) { toHost.fileHandleForWriting.write(Data(text.utf8)) }

  @Test("lines are read one by one without blank ones, and the last one needs no line end")
  func lines() throws {
    let channel = try channel()
    write("one\n\r\n \ntwo\nthree")
    try toHost.fileHandleForWriting.close()
    var lines: [String] = []
    while let line = channel.nextLine() { lines.append(String(decoding: line, as: UTF8.self)) }
    #expect(lines == ["one", "two", "three"])
  }

  @Test("a waiting cancellation of the same request is found")
  func cancellation() throws {
    let channel = try channel()
    #expect(!channel.isCancelled(7))
    write(#"{"jsonrpc":"2.0","id":8,"method":"initialize"}"# + "\nnonsense\n")
    write(#"{"jsonrpc":"2.0","method":"cancel","params":{"request":6}}"# + "\n")
    #expect(!channel.isCancelled(7))
    write(#"{"jsonrpc":"2.0","method":"cancel","params":{"request":7}}"# + "\n")
    #expect(channel.isCancelled(7))
    #expect(channel.nextLine()?.count == 46)
  }

  @Test("a closed stream cancels everything, and nothing is written to it")
  func gone() throws {
    let channel = try channel()
    try fromHost.fileHandleForReading.close()
    channel.send(Array("an answer\n".utf8))
    #expect(channel.isCancelled(1))
    #expect(channel.nextLine() == nil)
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
      ParentExitMonitor(input: parent.reading, grace: 0).start()
      _ = parent.writing?.send(Array("a request\n".utf8)[...])
      parent.writing = nil
      while true { pause() }
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
      let channel = StreamChannel(input: streams.input, output: streams.output)
      channel.send(Array("an answer\n".utf8))
      exit(channel.nextLine() == nil ? 0 : 2)
    }
  }
}
