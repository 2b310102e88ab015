import FluxJSON
import FluxLog

/// A rule that every recording of an app has to keep.
///
/// ```
/// rule gated: after session/login until session/logout never cart/clear if length(cart.lines) > 0
/// ```
/// docs/rules.md describes the language.
public struct Rule: Sendable, Equatable {
  /// The name of the rule.
  public let name: String
  /// The rule without its name, as it was written.
  public let text: String
  /// The line of the rule in its file, counted from 1.
  public let line: Int

  let scope: Scope
  let pattern: Pattern

  /// The part of a trace in which a rule has to hold.
  ///
  /// The steps that open and close it are not in it.
  enum Scope: Sendable, Equatable {
    case globally
    case before(Condition)
    case after(Condition, until: Condition?)
    case between(Condition, Condition)
  }

  /// The requirement in a scope.
  enum Pattern: Sendable, Equatable {
    case always(Condition)
    case never(Condition)
    case eventually(Condition)
    case precedes(Condition, Condition)
    case atMost(Int64, Condition)
    case leads(Condition, to: Condition, within: Deadline?)
    case neverMoves(Path, Direction)
  }

  /// The direction in which a number must not change.
  enum Direction: Sendable {
    case up
    case down
  }

  /// The time in which an answer has to come.
  enum Deadline: Sendable, Equatable {
    case microseconds(UInt64)
    case steps(UInt64)
  }

  /// A question about a step or a model.
  struct Condition: Sendable, Equatable {
    /// The action types; `nil` if the condition is asked of models.
    var glob: Glob?
    /// `true` to ask rejected steps, `false` to ask accepted ones.
    var isRejected = false
    /// The expression that has to hold as well.
    var expression: QueryExpression?

    /// `true` if the answer depends only on the states, and not on the step that led to them.
    var readsStatesOnly: Bool { glob == nil && expression?.footprint.readsStatesOnly == true }
  }
}

/// The rules in a file.
public struct RuleSet: Sendable, Equatable {
  /// The rules, in the order of their lines.
  public let rules: [Rule]

  /// Parses rules, one a line.
  ///
  /// Blank lines and lines that begin with `#` are skipped.
  ///
  /// - Parameters:
  ///   - text: The lines.
  ///   - file: The name of the file for errors.
  /// - Throws: ``RuleError`` with the line and the column of the first mistake.
  public init(_ text: String, file: String = "rules") throws(RuleError) {
    var rules: [Rule] = []
    // Some editors write a byte order mark.
    let text =
      text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      var parser = RuleParser(String(line), number: index + 1, file: file)
      guard let rule = try parser.rule() else { continue }
      if let first = rules.first(where: { $0.name == rule.name }) {
        throw parser.failure(
          "line \(first.line) already has a rule '\(rule.name)'", at: parser.nameStart)
      }
      rules.append(rule)
    }
    self.rules = rules
  }
}

/// A mistake in a rule.
public struct RuleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name of the file.
  public let file: String
  /// The line in the file, counted from 1.
  public let line: Int
  /// The column of the mistake, in Unicode scalars, counted from 1.
  public let column: Int
  /// The text of the line.
  public let text: String
  /// The problem, as a sentence without a full stop.
  public let reason: String
  /// A suggestion that fixes the problem; `nil` if there is none.
  public let hint: String?

  /// The problem with its place, the line, and a caret under the column.
  public var message: String {
    let shown = text.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }.joined()
    let caret = String(repeating: " ", count: column - 1) + "^"
    return "\(file):\(line):\(column): \(reason)\n  \(shown)\n  \(caret)"
  }

  /// The message and the hint.
  public var description: String { message + (hint.map { "\n\($0)" } ?? "") }
}
