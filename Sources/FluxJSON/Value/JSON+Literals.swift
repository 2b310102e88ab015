// Literals are written as text and then parsed. They are rare in code, and a second representation
// would cost every read a branch. Parsing a literal fails only if it nests too deeply.
extension JSON {
  /// Creates a value from the text that `write` produces.
  ///
  /// - Precondition: The text is one complete value, nested at most ``JSON/maximumDepth`` levels
  ///   deep.
  package init(writing write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    write(&writer)
    do {
      self = try writer.json()
    } catch {
      preconditionFailure("the literal is not a JSON value: \(error)")
    }
  }
}

// `nil` is not a literal for `null`: `condition ? value : nil` would mean `null` instead of no
// value.
extension JSON {
  /// The literal `null`.
  public static let null = JSON(writing: { $0.null() })
}

extension JSON: ExpressibleByBooleanLiteral {
  /// Creates a Boolean value.
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
  /// - Precondition: It is nested at most ``JSON/maximumDepth`` levels deep.
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
  /// - Precondition: It is nested at most ``JSON/maximumDepth`` levels deep.
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
