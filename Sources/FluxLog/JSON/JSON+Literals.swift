// A literal is written as text and parsed: values are rare in code, and a second representation
// would cost every read a branch. A literal cannot fail to parse, unless it nests too deep.
extension JSON {
  /// Makes a value of what is written.
  ///
  /// - Precondition: That is one whole value, and nests at most ``JSON/maximumDepth`` deep.
  package init(writing write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    write(&writer)
    do {
      self = try writer.json()
    } catch {
      preconditionFailure("the literal is no JSON value: \(error)")
    }
  }
}

// Not by `nil`: `condition ? value : nil` would be `null`, where everybody means no value at all.
extension JSON {
  /// The literal `null`.
  public static let null = JSON(writing: { $0.null() })
}

extension JSON: ExpressibleByBooleanLiteral {
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self.init { $0.bool(value) } }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self.init { $0.int(value) } }
}

extension JSON: ExpressibleByFloatLiteral {
  /// Creates a number.
  public init(floatLiteral value: Double) { self.init { $0.double(value) } }
}

extension JSON: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) { self.init { $0.string(value) } }
}

extension JSON: ExpressibleByArrayLiteral {
  /// Creates an array.
  ///
  /// - Precondition: It nests at most ``JSON/maximumDepth`` deep.
  public init(arrayLiteral elements: JSON...) {
    self.init { writer in
      writer.beginArray()
      for element in elements { writer.raw(element) }
      writer.endArray()
    }
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Creates an object with its members in the order of the literal.
  ///
  /// - Precondition: It nests at most ``JSON/maximumDepth`` deep.
  public init(dictionaryLiteral members: (String, JSON)...) {
    self.init { writer in
      writer.beginObject()
      for (name, value) in members {
        writer.name(name)
        writer.raw(value)
      }
      writer.endObject()
    }
  }
}
