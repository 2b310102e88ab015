import FluxLog

/// Replaces values by tokens, as a ``Redaction`` asks.
struct Redactor: Sendable {
  /// The tokens of a pointer.
  private typealias Pattern = [String]

  private let states: [Pattern]
  private let actions: [(types: Glob, payload: [Pattern])]
  private let key: (UInt64, UInt64)

  /// - Throws: `PointerError` where a pointer is none.
  init(_ redaction: Redaction) throws(PointerError) {
    states = try Self.patterns(redaction.states)
    var actions: [(types: Glob, payload: [Pattern])] = []
    for (type, pointers) in redaction.actions {
      actions.append((Glob(type), try Self.patterns(pointers)))
    }
    self.actions = actions
    key = (.random(in: .min ... .max), .random(in: .min ... .max))
  }

  private static func patterns(_ pointers: [String]) throws(PointerError) -> [Pattern] {
    var patterns: [Pattern] = []
    for pointer in pointers { patterns.append(try Pointer(pointer).tokens) }
    return patterns
  }

  /// What a writer is told to change values with.
  var rewriter: ValueRewriter { ValueRewriter { role, json in try rewrite(role, json) } }

  /// The value without what is redacted.
  func rewrite(_ role: ValueRewriter.Role, _ value: JSON) throws -> JSON {
    switch role {
    case .state(let store):
      return try rewrite(value, Self.descend(states, into: store))
    case .action:
      guard let type = value["type"]?.string else { return value }
      let payload = actions.filter { $0.types.matches(type) }.flatMap(\.payload)
      return try rewrite(value, payload.map { ["payload"] + $0 })
    }
  }

  private func rewrite(_ value: JSON, _ patterns: [Pattern]) throws -> JSON {
    guard !patterns.isEmpty else { return value }
    var writer = JSONWriter()
    write(value, patterns, to: &writer)
    return try writer.json()
  }

  private func write(_ value: JSON, _ patterns: [Pattern], to writer: inout JSONWriter) {
    if patterns.contains([]), !value.isNull { return writer.string(token(of: value)) }
    switch value.kind {
    case _ where patterns.isEmpty: writer.raw(value)
    case .object:
      writer.beginObject()
      for member in value.members {
        writer.name(member.name)
        write(member.value, Self.descend(patterns, into: member.name), to: &writer)
      }
      writer.endObject()
    case .array:
      writer.beginArray()
      for (index, element) in value.elements.enumerated() {
        write(element, Self.descend(patterns, into: String(index)), to: &writer)
      }
      writer.endArray()
    case .null, .bool, .number, .string: writer.raw(value)
    }
  }

  /// What is left of the patterns behind a member of this name.
  private static func descend(_ patterns: [Pattern], into name: String) -> [Pattern] {
    patterns.compactMap { pattern in
      guard let first = pattern.first, first == name || first == "*" else { return nil }
      return Array(pattern.dropFirst())
    }
  }

  /// A token that equal values share, and that says nothing about them to whoever lacks the key.
  ///
  /// The standard library's hash is SipHash-1-3, a keyed function; the log's own key goes in first, so
  /// that tokens of two logs of one process differ.
  private func token(of value: JSON) -> String {
    var hasher = Hasher()
    hasher.combine(key.0)
    hasher.combine(key.1)
    hasher.combine(value.canonical().text)
    let hash = String(UInt(bitPattern: hasher.finalize()), radix: 16)
    return "<redacted \(String(repeating: "0", count: max(0, 16 - hash.count)))\(hash)>"
  }
}
