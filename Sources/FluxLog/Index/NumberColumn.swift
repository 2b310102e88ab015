/// One small number for each step of a block, in as few bytes as the largest number needs.
///
/// A column of equal numbers stores one number.
enum NumberColumn: Sendable, Equatable {
  case same(UInt32, count: Int)
  case bytes([UInt8])
  case shorts([UInt16])
  case words([UInt32])

  init(_ numbers: [UInt32]) {
    self.init(count: numbers.count) { numbers[$0] }
  }

  /// Calls `number` twice for each place.
  @inline(__always)
  init(count: Int, number: (Int) -> UInt32) {
    var smallest = UInt32.max
    var largest: UInt32 = 0
    for place in 0..<count {
      let number = number(place)
      smallest = min(smallest, number)
      largest = max(largest, number)
    }
    if smallest >= largest {
      self = .same(largest, count: count)
    } else if largest <= UInt8.max {
      self = .bytes(Self.array(count, number))
    } else if largest <= UInt16.max {
      self = .shorts(Self.array(count, number))
    } else {
      self = .words(Self.array(count, number))
    }
  }

  @inline(__always)
  private static func array<Number: FixedWidthInteger>(
    _ count: Int, _ number: (Int) -> UInt32
  ) -> [Number] {
    unsafe Array(unsafeUninitializedCapacity: count) { numbers, filled in
      // All `count` elements of the capacity are initialized.
      for place in 0..<count {
        unsafe numbers.initializeElement(
          at: place, to: Number(truncatingIfNeeded: number(place)))
      }
      filled = count
    }
  }

  var count: Int {
    switch self {
    case .same(_, let count): count
    case .bytes(let numbers): numbers.count
    case .shorts(let numbers): numbers.count
    case .words(let numbers): numbers.count
    }
  }

  subscript(_ place: Int) -> UInt32 {
    switch self {
    case .same(let number, _): number
    case .bytes(let numbers): UInt32(numbers[place])
    case .shorts(let numbers): UInt32(numbers[place])
    case .words(let numbers): numbers[place]
    }
  }

  var numbers: [UInt32] { numbers(in: 0..<count) }

  func numbers(in range: Range<Int>) -> [UInt32] {
    switch self {
    case .same(let number, _): Array(repeating: number, count: range.count)
    case .bytes(let numbers): numbers[range].map { UInt32($0) }
    case .shorts(let numbers): numbers[range].map { UInt32($0) }
    case .words(let numbers): Array(numbers[range])
    }
  }

  var range: ClosedRange<UInt32>? {
    guard count > 0 else { return nil }
    return switch self {
    case .same(let number, _): number...number
    case .bytes(let numbers): Self.range(of: numbers)
    case .shorts(let numbers): Self.range(of: numbers)
    case .words(let numbers): Self.range(of: numbers)
    }
  }

  private static func range<Number: FixedWidthInteger & UnsignedInteger>(
    of numbers: [Number]
  ) -> ClosedRange<UInt32> {
    let smallest = numbers.reduce(Number.max) { min($0, $1) }
    let largest = numbers.reduce(smallest) { max($0, $1) }
    return UInt32(smallest)...UInt32(largest)
  }

  /// Not an `Int`, which has 32 bits on some watches.
  func sum(in range: Range<Int>) -> Int64 {
    switch self {
    case .same(let number, _): Int64(number) * Int64(range.count)
    case .bytes(let numbers): numbers[range].reduce(0) { $0 &+ Int64($1) }
    case .shorts(let numbers): numbers[range].reduce(0) { $0 &+ Int64($1) }
    case .words(let numbers): numbers[range].reduce(0) { $0 &+ Int64($1) }
    }
  }
}

// MARK: In a sidecar

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

  var stored: [UInt8] {
    var writer = SidecarWriter()
    write(to: &writer)
    return writer.bytes
  }

  func isBelow(_ limit: Int) -> Bool {
    range.map { $0.upperBound < limit } ?? true
  }
}
