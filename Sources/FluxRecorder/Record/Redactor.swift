import FluxCore
import FluxLog

/// Replaces values by tokens, as a ``Redaction`` asks.
struct Redactor: Sendable {
  /// The tokens of a pointer.
  private typealias Pattern = [String]

  private let states: [Pattern]
  private let actions: [(types: Glob, payload: [Pattern])]
  private let key: (UInt64, UInt64)
  private let known = KnownSecrets()

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

  /// What a writer is told to change values and texts with.
  var rewriter: ValueRewriter {
    ValueRewriter({ role, json in try rewrite(role, json) }, text: { known.redact($0) })
  }

  /// The value without what is redacted.
  func rewrite(_ role: ValueRewriter.Role, _ value: JSON) throws -> JSON {
    switch role {
    case .state(let store):
      return try rewrite(value, Self.descend(states, into: store))
    case .action:
      guard value["type"]?.string != nil else { return value }
      return try rewrite(value, patterns(ofAction: value))
    }
  }

  /// The patterns of an action, and of those that a batch consists of.
  private func patterns(ofAction action: JSON) -> [Pattern] {
    guard let type = action["type"]?.string else { return [] }
    var patterns = actions.filter { $0.types.matches(type) }.flatMap(\.payload)
    if type == Batch.kind, let inner = action["payload"]?["actions"], inner.kind == .array {
      for (index, action) in inner.elements.enumerated() {
        patterns += self.patterns(ofAction: action).map { ["actions", String(index)] + $0 }
      }
    }
    return patterns.map { ["payload"] + $0 }
  }

  private func rewrite(_ value: JSON, _ patterns: [Pattern]) throws -> JSON {
    guard !patterns.isEmpty else { return value }
    var writer = JSONWriter()
    write(value, patterns, to: &writer)
    return try writer.json()
  }

  private func write(_ value: JSON, _ patterns: [Pattern], to writer: inout JSONWriter) {
    if patterns.contains([]), !value.isNull {
      remember(value)
      return writer.string(token(of: value))
    }
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

  /// Remembers the texts of a secret, for when the app says them in its own words.
  private func remember(_ value: JSON) {
    switch value.kind {
    case .null, .bool: break
    case .number: known.remember(value.text, token: token(of: value))
    case .string: known.remember(value.string ?? "", token: token(of: value))
    case .array: for element in value.elements { remember(element) }
    case .object: for member in value.members { remember(member.value) }
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
