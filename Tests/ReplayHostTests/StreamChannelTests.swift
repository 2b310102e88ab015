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
}
