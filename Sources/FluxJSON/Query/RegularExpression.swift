/// An interoperable regular expression (I-Regexp, RFC 9485) over Unicode scalars.
///
/// The pattern compiles to a Thompson automaton, whose threads run in parallel. There is no
/// backtracking: a match takes at most `pattern × text` steps for every pattern.
///
/// `^` and `$` match the start and the end of the text. The mapping to other dialects in RFC 9485,
/// section 5, has these anchors, and the compliance suite of RFC 9535 expects them.
struct RegularExpression: Sendable, Equatable {
  /// The maximum number of instructions in a compiled pattern.
  ///
  /// The compiler unrolls repetitions. Without a limit, `(a{1000}){1000}` would compile to a
  /// million instructions.
  static let programLimit = 20_000

  /// The maximum nesting depth of groups.
  static let depthLimit = 100

  /// The reason that a pattern does not compile.
  struct SyntaxError: Error, Equatable {
    enum Reason: Equatable { case syntax, tooLarge, tooDeep }
    let reason: Reason
    /// The offset of the error in the pattern, in Unicode scalars.
    ///
    /// It is 0 if the compiled pattern is too large.
    let offset: Int
  }

  /// The set of scalars that one atom of a pattern matches.
  enum Atom: Sendable, Equatable {
    case scalar(Unicode.Scalar)
    /// `.`: any scalar except a line feed and a carriage return.
    case anyButLineEnd
    indirect case oneOf([Atom], negated: Bool)
    case range(ClosedRange<Unicode.Scalar>)
    case category(UnicodeCategory, negated: Bool)

    /// Returns `true` if the scalar is in the set.
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

  /// An instruction of the automaton.
  ///
  /// Addresses are indices into the program.
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
