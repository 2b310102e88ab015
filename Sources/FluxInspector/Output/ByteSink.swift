/// Takes bytes and hands them on in pieces, so that what is long is never held whole.
public struct ByteSink {
  /// Large enough that handing on costs nothing beside making the bytes.
  private static let pieceSize = 1 << 16

  private var buffer: [UInt8] = []
  private let write: ([UInt8]) throws -> Void

  /// How many bytes were taken.
  public private(set) var byteCount = 0

  /// Makes a sink.
  ///
  /// - Parameter write: Gets the bytes; what it throws ends the output.
  public init(_ write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  mutating func append(_ byte: UInt8) {
    buffer.append(byte)
    byteCount += 1
  }

  mutating func append(_ bytes: some Collection<UInt8>) {
    buffer.append(contentsOf: bytes)
    byteCount += bytes.count
  }

  /// Hands on what was taken, once it is enough.
  mutating func drain() throws {
    if buffer.count >= Self.pieceSize { try flush() }
  }

  /// Hands on all that was taken.
  public mutating func flush() throws {
    guard !buffer.isEmpty else { return }
    try write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
