// The storage of a column in a sidecar; writing and reading are side by side.

extension NumberColumn {
  /// The bytes per number; a column of equal numbers has width 0 and is stored as one number of
  /// four bytes.
  static let widths: [UInt8] = [0, 1, 2, 4]

  static func byteCount(width: UInt8, count: Int) -> Int {
    width == 0 ? 4 : Int(width) * count
  }

  init(
    _ reader: inout SidecarReader, width: UInt8, count: Int
  ) throws(SidecarReader.Mismatch) {
    switch width {
    case 0: self = .same(try reader.number(UInt32.self), count: count)
    case 1: self = .bytes(try reader.numbers(UInt8.self, count: count))
    case 2: self = .shorts(try reader.numbers(UInt16.self, count: count))
    default: self = .words(try reader.numbers(UInt32.self, count: count))
    }
  }

  var width: UInt8 {
    switch self {
    case .same: 0
    case .bytes: 1
    case .shorts: 2
    case .words: 4
    }
  }

  func write(to writer: inout SidecarWriter) {
    switch self {
    case .same(let number, _): writer.put(number)
    case .bytes(let numbers): writer.put(numbers)
    case .shorts(let numbers): writer.put(numbers)
    case .words(let numbers): writer.put(numbers)
    }
  }

  /// The bytes of the stored column.
  var stored: [UInt8] {
    var writer = SidecarWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// `true` if all numbers are less than a limit.
  func isBelow(_ limit: Int) -> Bool {
    range.map { Int($0.upperBound) < limit } ?? true
  }
}
