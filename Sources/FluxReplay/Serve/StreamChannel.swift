import FluxLog
import FluxSystem

/// The other side at the end of two streams, which are read and written by one thread.
final class StreamChannel: HostChannel {
  private let input: Descriptor
  private let output: Descriptor
  private var splitter = LineSplitter()
  /// Lines that came in while a request was being answered.
  private var waiting: [[UInt8]] = []
  /// Nobody is there any more to read what is sent.
  private var isBroken = false
  private var isAtEnd = false

  init(input: Descriptor, output: Descriptor) {
    self.input = input
    self.output = output
  }

  /// Waits for the next line; nil once the other side has gone.
  func nextLine() -> [UInt8]? {
    while !isBroken {
      if !waiting.isEmpty { return waiting.removeFirst() }
      guard !isAtEnd else { return nil }
      receive()
    }
    return nil
  }

  /// Reads once, and waits until there is something where nothing is.
  private func receive() {
    switch input.receive() {
    case .bytes(let bytes):
      splitter.append(bytes)
      while let line = splitter.next() { take(line) }
    case .nothing:
      // Whoever started the host may have given it a stream that does not wait.
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
        // What is wrong with the line is said when its turn comes.
        return false
      }
    }
  }
}
