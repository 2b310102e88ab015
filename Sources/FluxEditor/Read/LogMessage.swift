import FluxJSON

/// The message of a log point, with values of the step in place of what stands in braces.
struct LogMessage {
  enum Part {
    case text(String)
    /// A value, with the text that asks for it.
    case value(String, ValueQuery)
  }

  private(set) var parts: [Part] = []

  /// Parses a message such as `{cart.total} after {$.action.type}`; a brace that is never closed is text.
  ///
  /// - Throws: ``RequestError`` if braces contain no path and no expression.
  init(_ template: String) throws(RequestError) {
    var rest = template[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let text = String(rest[rest.index(after: open)..<close])
      parts.append(.text(String(rest[..<open])))
      do throws(QueryError) {
        parts.append(.value(text, try ValueQuery(text)))
      } catch {
        throw RequestError("{\(text)} of the log message: \(error.message)")
      }
      rest = rest[rest.index(after: close)...]
    }
    parts.append(.text(String(rest)))
  }
}
