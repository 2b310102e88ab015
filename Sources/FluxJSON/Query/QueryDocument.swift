/// The argument of a query: a JSON value, or an object whose members are computed lazily.
///
/// Some members of a step's document are expensive, above all its states. A query computes only the
/// members that its path names. `StepExpression.footprint` in FluxLog lists them in advance.
public struct QueryDocument {
  /// A lazily computed member of an object.
  public struct Member {
    /// The name of the member.
    public let name: String
    /// Computes the value; returns nil if the member is absent.
    ///
    /// The evaluator may call it more than once.
    public let value: () throws -> QueryDocument?

    /// Creates a member from a name and a closure that computes its value.
    public init(_ name: String, value: @escaping () throws -> QueryDocument?) {
      self.name = name
      self.value = value
    }
  }

  /// Returns `true` if the step of the document changed a store.
  ///
  /// Throws if that is unknown.
  public typealias Changes = (_ store: String) throws -> Bool

  enum Content {
    case json(JSON)
    case members([Member], changes: Changes?)
  }

  let content: Content

  /// Creates a document from a JSON value.
  public init(_ json: JSON) {
    content = .json(json)
  }

  /// Creates a document from the members of an object.
  ///
  /// The names of the members must be unique.
  ///
  /// - Parameters:
  ///   - members: The members, in order.
  ///   - changes: Tells the function `changed` which stores a step changed; nil if the document is not that of a step.
  public init(members: [Member], changes: Changes? = nil) {
    content = .members(members, changes: changes)
  }

  /// Returns the document as one JSON value, which computes every member.
  public func json() throws -> JSON {
    switch content {
    case .json(let json): return json
    case .members(let members, _):
      var writer = JSONWriter()
      writer.beginObject()
      for member in members {
        guard let value = try member.value() else { continue }
        writer.name(member.name)
        writer.raw(try value.json())
      }
      writer.endObject()
      return try writer.json()
    }
  }

  var isContainer: Bool {
    switch content {
    case .members: true
    case .json(let json): json.kind == .array || json.kind == .object
    }
  }

  func member(_ name: String) throws -> QueryDocument? {
    switch content {
    case .json(let json): return json[name].map(QueryDocument.init)
    case .members(let members, _):
      // Compare UTF-8 bytes: `String` equality would treat canonically equivalent names as equal.
      return try members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value()
    }
  }

  /// Returns `false` if the step of the document did not change a store.
  func mayChange(_ store: String) throws -> Bool {
    guard case .members(_, let changes?) = content else { return true }
    return try changes(store)
  }

  func element(_ index: Int) -> QueryDocument? {
    guard case .json(let json) = content else { return nil }
    let place = index < 0 ? json.count + index : index
    return json[place].map(QueryDocument.init)
  }

  /// Returns the child that a reference token of a JSON Pointer selects.
  func child(token: String) throws -> QueryDocument? {
    guard case .json(let json) = content, json.kind == .array else { return try member(token) }
    return ArrayIndex(token: token).flatMap { json[$0.value] }.map(QueryDocument.init)
  }
}
