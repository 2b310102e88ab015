import FluxJSON
import FluxLog
import FluxSystem

/// A channel over two streams, which one thread reads and writes.
final class StreamChannel: HostChannel {
  private let input: Descriptor
  private let output: Descriptor
  private var splitter = LineSplitter()
  /// Lines that arrived during a request.
  private var waiting: [[UInt8]] = []
  /// `true` if nobody reads the output any more.
  private var isBroken = false
  private var isAtEnd = false

  init(input: Descriptor, output: Descriptor) {
    self.input = input
    self.output = output
  }

  /// Waits for the next line; nil once the other side has closed the stream.
  func nextLine() -> [UInt8]? {
    while !isBroken {
      if !waiting.isEmpty { return waiting.removeFirst() }
      guard !isAtEnd else { return nil }
      receive()
    }
    return nil
  }

  /// Reads once, or waits until there is something to read.
  private func receive() {
    switch input.receive() {
    case .bytes(let bytes):
      splitter.append(bytes)
      while let line = splitter.next() { take(line) }
    case .nothing:
      // The host may have inherited a non-blocking stream.
      Descriptor.wait(reading: [input], writing: nil, milliseconds: -1)
    case .end:
      isAtEnd = true
      take(splitter.remainder())
    }
  }

  private func take(_ line: [UInt8]) {
    let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
    if !isBlank { waiting.append(line) }
  }

  func send(_ line: [UInt8]) {
    var rest = line[...]
    while !rest.isEmpty, !isBroken {
      guard let count = output.send(rest) else {
        isBroken = true
        return
      }
      rest = rest.dropFirst(count)
      if count == 0 { Descriptor.wait(reading: [], writing: output, milliseconds: -1) }
    }
  }

  func isCancelled(_ request: JSON) -> Bool {
    while !isAtEnd, input.isReadable { receive() }
    if isBroken || isAtEnd { return true }
    return waiting.contains { line in
      do {
        guard
          case .notification(HostProtocol.Notification.cancel.rawValue, let params) =
            try RPCMessage(line)
        else { return false }
        return params["request"] == request
      } catch {
        // The server reports a malformed line when it reads it.
        return false
      }
    }
  }
}
