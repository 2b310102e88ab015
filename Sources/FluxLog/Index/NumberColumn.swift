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

  /// Calls `number` twice for each index.
  @inline(__always)
  init(count: Int, number: (Int) -> UInt32) {
    var smallest = UInt32.max
    var largest: UInt32 = 0
    for index in 0..<count {
      let number = number(index)
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
      for index in 0..<count {
        unsafe numbers.initializeElement(
          at: index, to: Number(truncatingIfNeeded: number(index)))
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

  subscript(_ index: Int) -> UInt32 {
    switch self {
    case .same(let number, _): number
    case .bytes(let numbers): UInt32(numbers[index])
    case .shorts(let numbers): UInt32(numbers[index])
    case .words(let numbers): numbers[index]
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
