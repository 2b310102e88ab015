/// An interoperable regular expression (I-Regexp, RFC 9485) over Unicode scalars.
///
/// It is compiled into the program of a Thompson automaton and run by stepping all its threads
/// at once, so a match takes at most `pattern × text` steps whatever the pattern: there is no
/// backtracking that could blow up.
///
/// `^` and `$` mean the start and the end of the text, as the mapping to other dialects in
/// section 5 has it and the compliance suite of RFC 9535 expects.
struct RegularExpression: Sendable, Equatable {
  /// The most instructions that a pattern may compile to.
  ///
  /// Repetitions are unrolled, so a pattern such as `(a{1000}){1000}` would otherwise ask for a
  /// million of them.
  static let programLimit = 20_000

  /// How deep the groups of a pattern may nest.
  static let depthLimit = 100

  /// What makes a text no I-Regexp.
  struct SyntaxError: Error, Equatable {
    enum Reason: Equatable { case syntax, tooLarge, tooDeep }
    let reason: Reason
    /// The offset in Unicode scalars at which the pattern stops making sense.
    let offset: Int
  }

  /// A set of scalars: what one atom of a pattern matches.
  enum Atom: Sendable, Equatable {
    case scalar(Unicode.Scalar)
    /// `.`: anything but a line feed and a carriage return.
    case anyButLineEnd
    indirect case oneOf([Atom], negated: Bool)
    case range(ClosedRange<Unicode.Scalar>)
    case category(UnicodeCategory, negated: Bool)

    /// Says whether the scalar is in the set.
    func contains(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .scalar(let own): own == scalar
      case .anyButLineEnd: scalar != "\n" && scalar != "\r"
      case .oneOf(let atoms, let negated):
        atoms.contains { $0.contains(scalar) } != negated
      case .range(let range): range.contains(scalar)
      case .category(let category, let negated): category.contains(scalar) != negated
      }
    }
  }

  /// One instruction of the automaton; addresses are indices into the program.
  enum Instruction: Sendable, Equatable {
    case consume(Atom)
    case split(Int, Int)
    case jump(Int)
    case start
    case end
    case accept
  }

  let program: [Instruction]

  /// Compiles a pattern.
  init(_ pattern: String) throws(SyntaxError) {
    var parser = RegularExpressionParser(pattern)
    var compiler = RegularExpressionCompiler()
    try compiler.emit(parser.parse())
    program = try compiler.finished()
  }
}
