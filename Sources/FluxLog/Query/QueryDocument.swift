/// What a query is asked of: a JSON value, or an object whose members are made when they are
/// first needed.
///
/// A step's document has members that cost work, its states above all. A query reads only those
/// that its path names; ``StepExpression/footprint`` says beforehand which.
public struct QueryDocument {
  /// A member of an object that is made on demand.
  public struct Member {
    /// The name of the member.
    public let name: String
    /// Makes the value, nil where the member is absent.
    ///
    /// It may be called more than once.
    public let value: () throws -> QueryDocument?

    /// Makes a member from its name and from what makes its value.
    public init(_ name: String, value: @escaping () throws -> QueryDocument?) {
      self.name = name
      self.value = value
    }
  }

  enum Content {
    case json(JSON)
    case members([Member])
  }

  let content: Content

  /// Makes a document of a value.
  public init(_ json: JSON) {
    content = .json(json)
  }

  /// Makes a document of an object with these members; their names must differ.
  public init(members: [Member]) {
    content = .members(members)
  }

  /// The document as one value, for which every member is made.
  public func json() throws -> JSON {
    switch content {
    case .json(let json): return json
    case .members(let members):
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

  /// Whether there may be values inside of this one.
  var isContainer: Bool {
    switch content {
    case .members: true
    case .json(let json): json.kind == .array || json.kind == .object
    }
  }

  func member(_ name: String) throws -> QueryDocument? {
    switch content {
    case .json(let json): return json[name].map(QueryDocument.init)
    case .members(let members):
      // Bytes and not characters: "é" written with one scalar is another name than with two.
      return try members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value()
    }
  }

  func element(_ index: Int) -> QueryDocument? {
    guard case .json(let json) = content else { return nil }
    let place = index < 0 ? json.count + index : index
    return json[place].map(QueryDocument.init)
  }

  /// What a reference token of a JSON Pointer leads to.
  func child(token: String) throws -> QueryDocument? {
    guard case .json(let json) = content, json.kind == .array else { return try member(token) }
    return ArrayIndex(token: token).flatMap { json[$0.value] }.map(QueryDocument.init)
  }
}
