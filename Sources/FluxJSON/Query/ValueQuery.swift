/// A question to a step's document that has a value: a path, a function call, or a logical expression.
public enum ValueQuery: Sendable, Equatable {
  /// The values that a path selects.
  case path(Path)
  /// The value of an expression.
  case expression(QueryExpression)

  /// Reads a path, a function call or a logical expression, in the inspector's dialect, in this order.
  ///
  /// A path in parentheses is an expression: it is true if the path selects something.
  ///
  /// - Throws: `QueryError` of the reading that got furthest, or that of a function call with a mistake.
  public init(_ text: String) throws(QueryError) {
    let failure: QueryError
    do throws(QueryError) {
      self = .path(try Path(text, dialect: .inspector))
      return
    } catch {
      failure = error
    }
    do throws(QueryError) {
      self = try ValueQuery.expression(in: text)
    } catch {
      // The error of a call is at its name, and a path ends at the parenthesis after the name.
      let endsAtCall = text.unicodeScalars.dropFirst(failure.column - 1).first == "("
      let isOfCall = endsAtCall && error.column < failure.column
      throw isOfCall || error.column > failure.column ? error : failure
    }
  }

  /// Reads a function call or a logical expression; `was(PATH)` alone is a path.
  private static func expression(in text: String) throws(QueryError) -> ValueQuery {
    var parser = QueryParser(text, dialect: .inspector)
    if let call = parser.wholeCall() {
      switch call {
      case .operand(let operand):
        return .expression(QueryExpression(.operand(operand), parser, text: parser.trimmed))
      case .query(let query):
        let path = Path(
          root: query.path.root, segments: query.path.segments, slotCount: parser.slotCount,
          text: parser.trimmed)
        return .path(path)
      case .condition, .literal: break
      }
    }
    return .expression(try QueryExpression(text))
  }

  /// The value in the states of all stores.
  ///
  /// - Parameter model: The states, as `{store: state}`.
  /// - Returns: The value; of a path that can select several values, an array of them; nil if there is none.
  /// - Throws: `QueryError` if the question asks for more work than any evaluation may take.
  package func value(in model: JSON) throws -> JSON? {
    let document = QueryDocument(members: [.init("state") { QueryDocument(model) }])
    switch self {
    case .expression(let expression): return try expression.value(in: document)
    case .path(let path):
      let values = try path.nodes(in: document).map(\.value)
      guard !path.isSingular else { return values.first }
      return JSON(array: values)
    }
  }

  /// The expression with the value of the query; nil for a path that can select several values.
  package var expression: QueryExpression? {
    switch self {
    case .path(let path): QueryExpression(path)
    case .expression(let expression): expression
    }
  }

  /// The source text, without surrounding blanks.
  public var text: String {
    switch self {
    case .path(let path): path.text
    case .expression(let expression): expression.text
    }
  }

  /// The parts of the document that the question reads.
  public var footprint: Footprint {
    switch self {
    case .path(let path): path.footprint
    case .expression(let expression): expression.footprint
    }
  }
}
