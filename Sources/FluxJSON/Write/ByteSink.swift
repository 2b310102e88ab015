/// Collects bytes and passes them on in pieces, so long output is never held whole.
public struct ByteSink {
  /// The size of a piece; a failure before the first one leaves no trace in the output.
  package static let pieceSize = 1 << 16

  private var buffer: [UInt8] = []
  private let write: ([UInt8]) throws -> Void

  package private(set) var byteCount = 0
  package private(set) var hasBegun = false

  /// Makes a sink.
  ///
  /// - Parameter write: Receives the pieces; its errors end the output.
  public init(_ write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  package mutating func append(_ byte: UInt8) {
    buffer.append(byte)
    byteCount += 1
  }

  package mutating func append(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    byteCount += bytes.count
  }

  package mutating func append(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    byteCount += text.utf8.count
  }

  /// Passes on what was collected, if it is enough for a piece.
  package mutating func drain() throws {
    if buffer.count >= Self.pieceSize { try flush() }
  }

  /// Passes on all that was collected.
  ///
  /// - Throws: The errors of the closure, each as a ``SinkFailure``.
  package mutating func flush() throws {
    guard !buffer.isEmpty else { return }
    hasBegun = true
    do {
      try write(buffer)
    } catch {
      throw SinkFailure(cause: error)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Drops what was not passed on yet.
  package mutating func discard() {
    byteCount -= buffer.count
    buffer.removeAll(keepingCapacity: true)
  }
}

/// An error of the receiver of bytes, as opposed to one of the result that is being written.
package struct SinkFailure: Error {
  package let cause: any Error

  package init(cause: any Error) { self.cause = cause }

  package static func unwrapping<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as SinkFailure {
      throw failure.cause
    }
  }
}
