/// A value that an expression reads or makes: present or absent.
///
/// Small integers are most of what conditions compare, so they need not be JSON.
package enum QueryValue: Sendable, Equatable {
  case absent
  case integer(Int64)
  case json(JSON)

  /// Makes the value of a place; absent if there is none.
  package init(_ json: JSON?) {
    guard let json else {
      self = .absent
      return
    }
    self = json.shortInteger.map { .integer($0) } ?? .json(json)
  }

  /// The value; nil if there is none.
  package var json: JSON? {
    switch self {
    case .absent: nil
    case .integer(let integer): JSON(integerLiteral: integer)
    case .json(let json): json
    }
  }

  package static func == (left: Self, right: Self) -> Bool {
    if case .integer(let left) = left, case .integer(let right) = right { return left == right }
    return left.json == right.json
  }
}

extension JSON {
  /// The value of a number that is written as an integer of up to eighteen digits.
  fileprivate var shortInteger: Int64? {
    guard kind == .number else { return nil }
    return unsafe withBytes { unsafe Int64(shortDecimal: $0) }
  }
}
