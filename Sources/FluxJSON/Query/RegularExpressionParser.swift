/// Parses the grammar of RFC 9485, section 4, into a syntax tree.
struct RegularExpressionParser {
  indirect enum Node: Equatable {
    case empty
    case atom(Atom)
    case start
    case end
    case sequence([Node])
    case choice([Node])
    /// `most` is nil if there is no upper bound.
    case repetition(Node, least: Int, most: Int?)
  }

  typealias Atom = RegularExpression.Atom
  typealias SyntaxError = RegularExpression.SyntaxError

  private let scalars: [Unicode.Scalar]
  private var offset = 0
  private var depth = 0

  init(_ pattern: String) {
    scalars = Array(pattern.unicodeScalars)
  }

  mutating func parse() throws(SyntaxError) -> Node {
    let node = try choice()
    guard offset == scalars.count else { throw .syntax }
    return node
  }

  private var current: Unicode.Scalar? {
    offset < scalars.count ? scalars[offset] : nil
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    offset += 1
    return true
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws(SyntaxError) {
    guard take(scalar) else { throw .syntax }
  }

  private mutating func choice() throws(SyntaxError) -> Node {
    guard depth < RegularExpression.depthLimit else { throw .tooDeep }
    depth += 1
    defer { depth -= 1 }
    var branches = [try branch()]
    while take("|") {
      branches.append(try branch())
    }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func branch() throws(SyntaxError) -> Node {
    var pieces: [Node] = []
    while let scalar = current, scalar != "|", scalar != ")" {
      pieces.append(try quantified(atom()))
    }
    return pieces.isEmpty ? .empty : .sequence(pieces)
  }

  private mutating func quantified(_ node: Node) throws(SyntaxError) -> Node {
    if take("*") { return .repetition(node, least: 0, most: nil) }
    if take("+") { return .repetition(node, least: 1, most: nil) }
    if take("?") { return .repetition(node, least: 0, most: 1) }
    guard take("{") else { return node }
    let least = try count()
    var most: Int? = least
    if take(",") {
      most = current == "}" ? nil : try count()
    }
    try expect("}")
    if let most, most < least { throw .syntax }
    return .repetition(node, least: least, most: most)
  }

  /// Parses a repetition count.
  private mutating func count() throws(SyntaxError) -> Int {
    var value = 0
    let start = offset
    while let digit = current, ("0"..."9").contains(digit) {
      value = min(value * 10 + Int(digit.value - 48), RegularExpression.programLimit + 1)
      offset += 1
    }
    guard offset > start else { throw .syntax }
    return value
  }

  private mutating func atom() throws(SyntaxError) -> Node {
    guard let scalar = current else { throw .syntax }
    switch scalar {
    case "(":
      offset += 1
      let group = try choice()
      try expect(")")
      return group
    case "[": return .atom(try characterClass())
    case "\\": return .atom(try escape())
    case ".":
      offset += 1
      return .atom(.anyButLineEnd)
    case "^", "$":
      offset += 1
      return scalar == "^" ? .start : .end
    case "*", "+", "?", ")", "]", "{", "|", "}": throw .syntax
    default:
      offset += 1
      return .atom(.scalar(scalar))
    }
  }

  private mutating func escape() throws(SyntaxError) -> Atom {
    try expect("\\")
    let complement = current == "P"
    guard take("p") || take("P") else { return .scalar(try escapedScalar()) }
    try expect("{")
    var name = ""
    while let letter = current, letter != "}", name.count < 3 {
      name.unicodeScalars.append(letter)
      offset += 1
    }
    guard let category = UnicodeCategory(name: name) else { throw .syntax }
    try expect("}")
    return .category(category, negated: complement)
  }

  private mutating func escapedScalar() throws(SyntaxError) -> Unicode.Scalar {
    guard let scalar = current else { throw .syntax }
    switch scalar {
    case "n": offset += 1; return "\n"
    case "r": offset += 1; return "\r"
    case "t": offset += 1; return "\t"
    case "("..."+", "-", ".", "?", "["..."^", "{"..."}": offset += 1; return scalar
    default: throw .syntax
    }
  }

  private mutating func characterClass() throws(SyntaxError) -> Atom {
    try expect("[")
    let negated = take("^")
    var members: [Atom] = []
    if take("-") { members.append(.scalar("-")) }
    while let scalar = current, scalar != "]", scalar != "-" {
      members.append(try classMember())
    }
    if take("-") { members.append(.scalar("-")) }
    try expect("]")
    guard !members.isEmpty else { throw .syntax }
    return .oneOf(members, negated: negated)
  }

  private mutating func classMember() throws(SyntaxError) -> Atom {
    let first = try classScalar()
    guard case .scalar(let low) = first, current == "-" else { return first }
    guard offset + 1 < scalars.count, scalars[offset + 1] != "]" else { return first }
    offset += 1
    guard case .scalar(let high) = try classScalar(), low <= high else { throw .syntax }
    return .range(low...high)
  }

  private mutating func classScalar() throws(SyntaxError) -> Atom {
    guard let scalar = current else { throw .syntax }
    switch scalar {
    case "\\": return try escape()
    case "-", "[", "]": throw .syntax
    default:
      offset += 1
      return .scalar(scalar)
    }
  }
}

/// A Unicode general category, or a group of them, as in `\p{…}` (RFC 9485, section 3).
struct UnicodeCategory: Sendable, Equatable {
  /// The one or two letters of the category.
  let name: String

  /// Creates the category with this name; nil if RFC 9485 does not define it.
  init?(name: String) {
    guard let group = name.first, let details = UnicodeCategory.details[group] else { return nil }
    let rest = name.dropFirst()
    guard rest.isEmpty || (rest.count == 1 && details.contains(rest)) else { return nil }
    self.name = name
  }

  /// The second letters that are valid in each group.
  private static let details: [Character: String] = [
    "L": "lmotu", "M": "cen", "N": "dlo", "P": "cdefios", "Z": "lps", "S": "ckmo", "C": "cfno",
  ]

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory.shortName.hasPrefix(name)
  }
}

extension Unicode.GeneralCategory {
  fileprivate var shortName: String {
    switch self {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: "Cn"
    }
  }
}
