public import FluxJSON

/// Selects steps by a glob for the action type, by an expression, or by a text.
public enum StepFilter: Sendable, Equatable {
  /// The action's type matches the glob.
  case glob(Glob)
  /// The expression holds for the step's document.
  case expression(QueryExpression)
  /// The text is in the action: in its type, or in a string of its payload. The expression says the same.
  case text(String, QueryExpression)

  /// Parses a filter.
  ///
  /// The text is an expression if it contains a blank or an operator, bracket or quote of the
  /// expression syntax. Otherwise, it is a glob.
  ///
  /// - Throws: `QueryError` if the text is an invalid expression.
  public init(_ text: String) throws(QueryError) {
    if text.unicodeScalars.contains(where: StepFilter.marks.contains) {
      self = .expression(try QueryExpression(text))
    } else {
      self = .glob(Glob(text))
    }
  }

  fileprivate static let marks: Set<Unicode.Scalar> = [
    "(", ")", "[", "]", "=", "<", ">", "!", "&", "|", "@", "$", "'", "\"", " ", "\t", "\n", "\r",
  ]
}

extension StepFilter {
  /// Returns what is in the quotes around a whole text; nil if there are none.
  package static func unquoted(_ text: String) -> String? {
    guard let quote = text.first, quote == "'" || quote == "\"", text.count > 2, text.last == quote
    else { return nil }
    let inner = text.dropFirst().dropLast()
    return inner.contains(quote) ? nil : String(inner)
  }

  /// Returns what a text quotes if it can only be a text itself, such as an email address; nil if it has no quotes, or if an
  /// expression or a glob is in them.
  fileprivate static func quotedText(_ text: String) -> String? {
    guard let inner = unquoted(text) else { return nil }
    do throws(QueryError) {
      _ = try StepFilter(inner)
      return nil
    } catch {
      return inner
    }
  }

  /// Selects the steps whose actions have a text in their types or in a string of their payloads.
  ///
  /// Upper and lower case are the same.
  ///
  /// - Throws: `QueryError` if the text is too long for an expression.
  static func containing(_ text: String) throws(QueryError) -> StepFilter {
    var pattern = ""
    for scalar in text.unicodeScalars {
      let cases = Set([scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping])
        .filter { $0.unicodeScalars.count == 1 }.sorted()
      if cases.count == 2 {
        pattern += "[\(cases.joined())]"
      } else if scalar == "$" {
        // An anchor, which has no escape.
        pattern += "[$]"
      } else {
        if "()*+-.?[\\]^{|}".unicodeScalars.contains(scalar) { pattern += "\\" }
        pattern.unicodeScalars.append(scalar)
      }
    }
    let literal = JSON(stringLiteral: pattern).description
    return .text(text, try QueryExpression("$.action..[?search(@, \(literal))]"))
  }
}

extension Timeline {
  /// Reads a filter as people type it into a search: an expression, a glob, or a text.
  ///
  /// The type of an action selects that type, also in quotes, or with blanks and brackets where it is no expression. Any
  /// other word, and words that are no expression, are a text to look for.
  ///
  /// - Throws: `QueryError` if the text is an invalid expression.
  public func filter(_ text: String) throws(QueryError) -> StepFilter {
    do throws(QueryError) {
      let filter = try StepFilter(text)
      guard case .glob(let glob) = filter, let literal = glob.literal, !hasAction(ofType: literal)
      else { return filter }
    } catch {
      let quoted = StepFilter.quotedText(text)
      // Some apps have types such as `[Auth] Login`.
      if hasAction(ofType: quoted ?? text) { return .glob(Glob(quoted ?? text)) }
      if let quoted { return try .containing(quoted) }
      // Only words with blanks between them may be a text: every other mark belongs to an expression.
      guard !text.unicodeScalars.contains(where: { StepFilter.marks.contains($0) && $0 != " " })
      else { throw error }
    }
    return try .containing(text)
  }

  /// Returns `true` if an action of the log has exactly this type, as far as the index reaches.
  package func hasAction(ofType type: String) -> Bool {
    log.position(in: 0..<log.count, typeWhere: { $0 == type }) != nil
  }
}
