/// A question to a step's document that has a value: a path, a function call, or a logical expression.
public enum ValueQuery: Sendable, Equatable {
  /// The values that a path selects.
  case path(Path)
  /// The value of an expression.
  case expression(ValueExpression)

  /// Reads a path, a function call or a logical expression, in the inspector's dialect, in this order.
  ///
  /// A path in parentheses is an expression: it is true if the path selects something.
  ///
  /// - Throws: `QueryError` of the reading that got furthest.
  public init(_ text: String) throws(QueryError) {
    let failure: QueryError
    do throws(QueryError) {
      self = .path(try Path(text, dialect: .inspector))
      return
    } catch {
      failure = error
    }
    do throws(QueryError) {
      self = try ValueExpression.parsed(text)
    } catch {
      throw error.column > failure.column ? error : failure
    }
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
      return JSON(writing: { writer in
        writer.beginArray()
        for value in values { writer.raw(value) }
        writer.endArray()
      })
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

/// A function call, such as `length(todos.items)`, or a logical expression, whose value is `true` or `false`.
public struct ValueExpression: Sendable, Equatable {
  enum Content: Sendable, Equatable {
    case operand(Operand)
    case condition(Condition)
  }

  let content: Content
  /// The number of answers of absolute queries that an evaluation keeps.
  private let slotCount: Int

  /// The source text, without surrounding blanks.
  public let text: String

  /// Reads a function call or a logical expression; `was(PATH)` alone is a path.
  fileprivate static func parsed(_ text: String) throws(QueryError) -> ValueQuery {
    var parser = QueryParser(text, dialect: .inspector)
    if let call = parser.wholeCall() {
      switch call {
      case .operand(let operand):
        return .expression(ValueExpression(content: .operand(operand), parser))
      case .query(let query):
        let path = Path(
          root: query.path.root, segments: query.path.segments, slotCount: parser.slotCount,
          text: parser.trimmed)
        return .path(path)
      case .condition, .literal: break
      }
    }
    parser = QueryParser(text, dialect: .inspector)
    let condition = try parser.wholeCondition()
    return .expression(ValueExpression(content: .condition(condition), parser))
  }

  private init(content: Content, _ parser: QueryParser) {
    self.content = content
    text = parser.trimmed
    slotCount = parser.slotCount
  }

  /// Evaluates the expression.
  ///
  /// The evaluation calls `check` from time to time. An error that it throws ends the evaluation.
  ///
  /// - Returns: The value; nil if a function has none, such as the length of a number.
  /// - Throws: Any error of `check` or of a member of the document; `QueryError` if the expression asks for more work
  ///   than any evaluation may take.
  public func value(
    in document: QueryDocument, check: @escaping () throws -> Void = {}
  ) throws -> JSON? {
    var evaluator = QueryEvaluator(document, slotCount: slotCount, text: text, check: check)
    return switch content {
    case .operand(let operand): try evaluator.value(operand, current: document)
    case .condition(let condition):
      try evaluator.holds(condition, current: document) ? true : false
    }
  }

  /// The paths of the expression that start at the document and can select one value only.
  package var singularPaths: [Path] {
    let queries =
      switch content {
      case .operand(let operand): operand.queries
      case .condition(let condition): condition.queries
      }
    return queries.map(\.path).filter { $0.root == .document && $0.isSingular }
  }

  /// The parts of the document that the expression reads.
  public var footprint: Footprint {
    switch content {
    case .operand(let operand): operand.footprint
    case .condition(let condition): condition.footprint
    }
  }
}
