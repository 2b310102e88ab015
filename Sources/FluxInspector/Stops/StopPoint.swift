import FluxLog

/// A point at which moves stop, in both directions.
struct StopPoint: Sendable {
  /// The kinds of points.
  enum Kind: Sendable {
    /// A step whose action type matches.
    case breakpoint(Glob)
    /// A step that changes what a path selects.
    case watchpoint(Path)
    /// A step that was rejected.
    case rejection
    /// The first step after a gap or after damage.
    case gap
    /// A step whose replay differs from the record.
    case divergence
  }

  /// Numbers begin with 1 and are never used again.
  let number: Int
  let kind: Kind
  /// What has to hold as well.
  let condition: StepExpression?
  /// Whether it is deleted when it is reached.
  let isTemporary: Bool
  var isEnabled = true
  /// How often it was reached.
  var hits = 0
}

extension StopPoint {
  /// The kind in a word, as programs read it.
  var kindName: String {
    switch kind {
    case .breakpoint: "breakpoint"
    case .watchpoint: "watchpoint"
    case .rejection, .gap, .divergence: "catchpoint"
    }
  }

  /// What it stops at, as it was written.
  var subject: String {
    switch kind {
    case .breakpoint(let glob): glob.description
    case .watchpoint(let path): path.text
    case .rejection: "rejected"
    case .gap: "gap"
    case .divergence: "divergence"
    }
  }

  /// The reason that a move gives which stops here.
  var stopReason: String {
    if case .watchpoint = kind { "watchpoint" } else { "breakpoint" }
  }
}
