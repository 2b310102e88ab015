/// The beginning of a path at the end of a text: what is there of it, and the name that is being
/// written.
struct PathFragment: Equatable {
  /// How a member or an element follows what is before it.
  enum Separator: Equatable {
    /// `.name`, or the name of a store at the beginning of the path.
    case dot
    /// `[0]`, `['name']`
    case bracket
    /// `/token`, of a JSON Pointer.
    case slash
  }

  /// The whole fragment.
  let text: String
  /// The path up to the last separator; empty where it is a store that is being written.
  let base: String
  let separator: Separator
  /// The name or the index as far as it is there, without the quote before it.
  let partial: String

  /// Functions that an expression may begin an operand with, as they are completed.
  static let functions = [
    "changed(", "count(", "length(", "match(", "search(", "value(", "was(",
  ]

  /// Finds the fragment at the end of a text: what follows the last sign that no path has in it.
  init(endOf text: String) {
    var scalars = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    // Within brackets that are still open, a path may begin after any sign of an expression.
    for scalar in text.unicodeScalars {
      if quote == nil, Self.ends.contains(scalar) {
        scalars.removeAll()
        continue
      }
      scalars.append(scalar)
      if scalar == quote {
        quote = nil
      } else if quote == nil, scalar == "'" || scalar == "\"" {
        quote = scalar
      }
    }
    let fragment = String(scalars)
    self.text = fragment
    if fragment.hasPrefix("/") {
      separator = .slash
      let slash = fragment.lastIndex(of: "/") ?? fragment.startIndex
      base = String(fragment[..<slash])
      partial = String(fragment[fragment.index(after: slash)...])
      return
    }
    guard let place = fragment.lastIndex(where: { $0 == "." || $0 == "[" }) else {
      (base, separator, partial) = ("", .dot, fragment)
      return
    }
    separator = fragment[place] == "." ? .dot : .bracket
    base = String(fragment[..<place])
    var rest = fragment[fragment.index(after: place)...]
    if separator == .bracket, rest.first == "'" || rest.first == "\"" { rest.removeFirst() }
    partial = String(rest)
  }

  /// What a path cannot have in it, but for quotes.
  private static let ends: Set<Unicode.Scalar> = [
    " ", "\t", "(", ",", "!", "=", "<", ">", "&", "|", "?",
  ]
}
