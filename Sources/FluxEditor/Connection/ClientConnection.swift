import FluxJSON
package import FluxSystem

/// The two streams to a client: requests come in, answers and events go out.
///
/// Safe to use from any thread; messages go out one after the other, and are numbered in this order.
package final class ClientConnection: Sendable {
  private struct State {
    var seq = 0
    var isLost = false
  }

  private let input: Descriptor
  private let output: Descriptor
  private let state = Monitor(State())

  /// Makes a connection of two streams, which may be one socket.
  package init(reading input: Descriptor, writing output: Descriptor) {
    (self.input, self.output) = (input, output)
  }

  /// Waits for bytes of the client; nil once it is gone.
  func receive() -> [UInt8]? { input.receive { state.withLock { $0.isLost } } }

  // MARK: Sending

  func respond(to request: Request, _ body: (some Encodable)? = NoBody?.none) {
    send { seq in
      Response(
        seq: seq, request_seq: request.seq, success: true, command: request.command, message: nil,
        body: body)
    }
  }

  func refuse(_ request: Request, _ error: RequestError) {
    send { seq in
      Response(
        seq: seq, request_seq: request.seq, success: false, command: request.command,
        message: error.message, body: ErrorBody(error))
    }
  }

  func tell(_ event: String, _ body: (some Encodable)? = NoBody?.none) {
    send { seq in Event(seq: seq, event: event, body: body) }
  }

  /// Shows a text in the client's console.
  func print(_ text: String, _ category: OutputCategory = .console) {
    tell("output", OutputBody(category: category.rawValue, output: text + "\n"))
  }

  private func send(_ message: (_ seq: Int) -> some Encodable) {
    state.withLock { state in
      state.seq += 1
      let bytes: [UInt8]
      do {
        bytes = try LogEncoder(order: .declaration).bytes(of: message(state.seq))
      } catch {
        // Only a value that nests too deeply for JSON; the client sees the gap in the numbers.
        return
      }
      guard !state.isLost else { return }
      state.isLost = !output.sendAll(MessageFraming.framed(bytes))
    }
  }
}

/// The kinds of text in a client's console.
enum OutputCategory: String {
  /// The text of commands and moves.
  case console
  /// The text of log points.
  case stdout
  /// The text of errors.
  case stderr
}
