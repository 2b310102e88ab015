/// A condition on how often a breakpoint was hit: `N` or `==N`, `>N`, `>=N`, `%N`.
///
/// Hits count from the first step of the log, so a step is the same hit whichever way a move comes.
enum HitCondition: Sendable, Equatable {
  case equal(Int)
  case above(Int)
  case atLeast(Int)
  case multiple(of: Int)

  /// Reads a condition.
  ///
  /// - Throws: ``RequestError`` if it is in another form.
  init(_ text: String) throws(RequestError) {
    let compact = text.filter { !$0.isWhitespace }
    let digits = compact.drop { !("0"..."9").contains($0) }
    guard let number = Int(digits), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw Self.invalid(text)
    }
    switch compact.dropLast(digits.count) {
    case "", "==": self = .equal(number)
    case ">": self = .above(number)
    case ">=": self = .atLeast(number)
    case "%" where number > 0: self = .multiple(of: number)
    default: throw Self.invalid(text)
    }
  }

  private static func invalid(_ text: String) -> RequestError {
    RequestError("\"\(text)\" is not a hit condition; write 3, ==3, >3, >=3 or %3")
  }

  /// Returns `true` for a hit that counts, the first of the log being 1.
  func holds(for hit: Int) -> Bool {
    switch self {
    case .equal(let number): hit == number
    case .above(let number): hit > number
    case .atLeast(let number): hit >= number
    case .multiple(let number): hit.isMultiple(of: number)
    }
  }

  /// Those of all hits that count.
  func filter(_ hits: [Int]) -> [Int] {
    zip(1..., hits).filter { holds(for: $0.0) }.map(\.1)
  }
}
