/// The argument of a query: a JSON value, or an object whose members are computed lazily.
///
/// Some members of a step's document are expensive, above all its states. A query computes only the
/// members that its path names. ``QueryExpression/footprint`` lists them in advance.
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

  /// Returns the value at a place that can be read without the document around it.
  package typealias Reader = (_ place: SinglePlace) throws -> QueryValue

  enum Content {
    case json(JSON)
    case members([Member], changes: Changes?)
  }

  let content: Content
  /// Reads single values; nil to read them in the members.
  private(set) var reader: Reader?

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

  /// Returns the document with a way to read single values without the members around them.
  package func reading(_ reader: @escaping Reader) -> QueryDocument {
    var document = self
    document.reader = reader
    return document
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
    case .json(let json): json.isContainer
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

  /// Follows a selector of a singular query.
  ///
  /// - Returns: The name or index that it leads to, and the child there; nil if there is none.
  func follow(
    _ selector: Path.Selector
  ) throws -> (element: Location.Element, child: QueryDocument?) {
    let array: JSON? = if case .json(let json) = content, json.kind == .array { json } else { nil }
    switch selector {
    case .name(let name): return (.name(name), try member(name))
    case .index(let index):
      let place = index < 0 ? (array?.count ?? 0) + index : index
      guard place >= 0 else { return (.name(String(index)), nil) }
      return (.index(place), array?[place].map(QueryDocument.init))
    case .token(let token):
      guard let array else { return (.name(token), try member(token)) }
      guard let index = Int(arrayIndex: token.utf8) else { return (.name(token), nil) }
      return (.index(index), array[index].map(QueryDocument.init))
    case .wildcard, .slice, .filter: preconditionFailure("the selector is of several nodes")
    }
  }

  /// The number of elements of an array; nil for another value.
  var elementCount: Int? {
    guard case .json(let json) = content, json.kind == .array else { return nil }
    return json.count
  }

  var names: [String] {
    switch content {
    case .json(let json): json.members.map(\.name)
    case .members(let members, _): members.map(\.name)
    }
  }
}

/// An error that may mean that a value of a document is unknown.
package protocol UnknownValueError: Error {
  /// `true` if a value is unknown; `false` if the evaluation failed for another reason.
  var isUnknownValue: Bool { get }
}
