/// A logical expression (RFC 9535, section 2.3.5): something that holds or does not.
indirect enum Condition: Sendable, Equatable {
  case any([Condition])
  case all([Condition])
  case not(Condition)
  case comparison(Operand, Comparison, Operand)
  /// The query selects at least one node.
  case exists(Query)
  case match(text: Operand, pattern: Pattern, whole: Bool)
  /// The query selects other nodes, or other values, than it did before the step.
  case changed(now: Query, before: Query)
}

/// How two values are compared.
enum Comparison: String, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
}

/// Something that has one value, or none.
indirect enum Operand: Sendable, Equatable {
  case literal(JSON)
  /// A singular query.
  case query(Query)
  case length(Operand)
  case count(Query)
  case value(Query)
}

/// A query inside an expression.
struct Query: Sendable, Equatable {
  let path: Path
  /// Where the answer of an absolute query is kept, which is the same for all the nodes that a
  /// filter looks at.
  ///
  /// Nil for a query that depends on the node.
  let slot: Int?
}

/// The second argument of `match` and `search`.
enum Pattern: Sendable, Equatable {
  /// A literal, compiled once; nil where it is not an I-Regexp, which matches nothing.
  case compiled(RegularExpression?)
  /// To be compiled from the value that the operand has.
  case computed(Operand)
}
