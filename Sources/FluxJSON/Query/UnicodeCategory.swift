/// A Unicode general category, or a group of them, as in `\p{…}` (RFC 9485, section 3).
struct UnicodeCategory: Sendable, Equatable {
  /// The one or two letters of the category.
  ///
  /// `L` contains every kind of letter, and `Lu` only uppercase letters.
  let name: String

  /// Creates the category with this name; nil if RFC 9485 does not define it.
  ///
  /// RFC 9485 omits `Cs`.
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

  /// Returns `true` if the scalar is in this category.
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory.shortName.hasPrefix(name)
  }
}

extension Unicode.GeneralCategory {
  /// The category's two-letter abbreviation in the Unicode Standard.
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
