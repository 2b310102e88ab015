import FluxCore
import FluxJSON
import FluxLog

/// The parts of states and actions to redact.
///
/// A redacted value never reaches the file, the ring of actions in flight, or the memory of the
/// last written values. A token such as `"<redacted 5f0c2a9e71b3d844>"` replaces it. Within one
/// log, equal values have equal tokens. Tokens of different logs differ, because each log has a new
/// random key, which is not stored. `null` stays `null`.
///
/// Redaction is by location. If a secret is in several places, list all of them. An action carries
/// a secret before any state contains it, so list the action's payload too:
/// `["session/*": ["/token"]]`, or `["*": ["/token"]]` for every action. Actions inside a `Batch`
/// are redacted like any other action.
///
/// The messages of rejections and the marks are free text. In them, the token also replaces every
/// secret of at least four bytes that the log has seen. Names of stores, effects, types and members
/// are not redacted. If the keys of a map are secret, redact the whole map.
public struct Redaction: Sendable {
  /// The locations of values in the model, as JSON Pointers that begin with the store.
  ///
  /// `*` matches any member or element: `/session/token`, `/users/*/password`.
  public var states: [String]
  /// The locations of values in payloads, as JSON Pointers by action type.
  ///
  /// In a pointer, `*` matches any member or element. In a type, it matches any sequence of
  /// characters: `["session/login": ["/password"]]`.
  public var actions: [String: [String]]

  /// Creates a redaction.
  ///
  /// - Parameters:
  ///   - states: Pointers into the model that begin with the store.
  ///   - actions: Pointers into the payload, by action type.
  public init(states: [String] = [], actions: [String: [String]] = [:]) {
    self.states = states
    self.actions = actions
  }

  var isEmpty: Bool { states.isEmpty && actions.isEmpty }
}

/// Replaces values with tokens, as specified by a ``Redaction``.
struct Redactor: Sendable {
  /// The tokens of a pointer.
  private typealias Pattern = [String]

  private let states: [Pattern]
  private let actions: [(types: Glob, payload: [Pattern])]
  private let key: (UInt64, UInt64)
  private let known = KnownSecrets()

  /// Creates a redactor with a new random key.
  ///
  /// - Throws: `PointerError` if a pointer is malformed.
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

  /// The rewriter of values and texts for a log writer.
  var rewriter: ValueRewriter {
    ValueRewriter({ role, json in try rewrite(role, json) }, text: { known.redact($0) })
  }

  /// Returns a value with its secrets redacted.
  func rewrite(_ role: ValueRewriter.Role, _ value: JSON) throws -> JSON {
    switch role {
    case .state(let store):
      return try rewrite(value, Self.descend(states, into: store))
    case .action:
      guard value["type"]?.string != nil else { return value }
      return try rewrite(value, patterns(ofAction: value))
    }
  }

  /// Returns the patterns for an action and, if it is a batch, for its actions.
  private func patterns(ofAction action: JSON) -> [Pattern] {
    guard let type = action["type"]?.string else { return [] }
    var patterns = actions.filter { $0.types.matches(type) }.flatMap(\.payload)
    patterns += self.patterns(ofOuterCases: type)
    if type == Batch.kind, let inner = action["payload"]?["actions"], inner.kind == .array {
      for (index, action) in inner.elements.enumerated() {
        patterns += self.patterns(ofAction: action).map { ["actions", String(index)] + $0 }
      }
    }
    return patterns.map { ["payload"] + $0 }
  }

  /// Returns the patterns of the outer cases of a type, which lead through the cases of nested enums.
  ///
  /// For `app/home/login`, `/_0/login/password` of `app/home` leads to `/password`. The payload does not say
  /// whether the nested value has a place of its own there, so both places are redacted.
  private func patterns(ofOuterCases type: String) -> [Pattern] {
    let parts = type.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 2 else { return [] }
    var found: [Pattern] = []
    for count in 2..<min(parts.count, NestedCase.limit) {
      let outer = parts.prefix(count).joined(separator: "/")
      for rule in actions where rule.types.matches(outer) {
        for pattern in rule.payload {
          found += Self.descend(pattern[...], intoCases: parts.dropFirst(count))
        }
      }
    }
    return found
  }

  /// Returns the places in the payload of the innermost case.
  private static func descend(
    _ pattern: ArraySlice<String>, intoCases cases: ArraySlice<String>
  ) -> [Pattern] {
    guard let name = cases.first, let member = pattern.first else { return [Array(pattern)] }
    let rest = pattern.dropFirst()
    // The pattern ends before the nested case, so all that the case has is secret.
    guard let inner = rest.first else { return member.hasPrefix("_") ? [[]] : [[member]] }
    guard inner == name || inner == "*" else { return [] }
    let deeper = descend(rest.dropFirst(), intoCases: cases.dropFirst())
    return deeper + deeper.map { [member] + $0 }
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

  /// Returns the rest of each pattern that matches a member with this name.
  private static func descend(_ patterns: [Pattern], into name: String) -> [Pattern] {
    patterns.compactMap { pattern in
      guard let first = pattern.first, first == name || first == "*" else { return nil }
      return Array(pattern.dropFirst())
    }
  }

  /// Remembers the texts of a secret, to redact them in messages and marks.
  private func remember(_ value: JSON) {
    switch value.kind {
    case .null, .bool: break
    case .number: known.remember(value.text, token: token(of: value))
    case .string: known.remember(value.string ?? "", token: token(of: value))
    case .array: for element in value.elements { remember(element) }
    case .object: for member in value.members { remember(member.value) }
    }
  }

  /// Returns a token that equal values share and that reveals nothing without the key.
  ///
  /// The standard library's hash is SipHash-1-3, a keyed function. The log's own key is hashed
  /// first, so two logs of one process have different tokens.
  private func token(of value: JSON) -> String {
    var hasher = Hasher()
    hasher.combine(key.0)
    hasher.combine(key.1)
    hasher.combine(value.canonical().text)
    let hash = String(UInt(bitPattern: hasher.finalize()), radix: 16)
    return "<redacted \(String(repeating: "0", count: max(0, 16 - hash.count)))\(hash)>"
  }
}

/// The texts of redacted values, which are also removed from the app's messages and marks.
///
/// They are kept in memory only. When there are more than ``limit``, the half that was not seen for
/// the longest time is dropped.
final class KnownSecrets: @unchecked Sendable {
  // Sendable: the variables are guarded by `lock`.
  private struct Entry {
    let token: String
    var lastMet: UInt64
  }

  static let limit = 4_096
  /// The minimum length in bytes; shorter secrets look like ordinary words and numbers.
  static let shortest = 4

  private let lock = Lock()
  // Secrets are replaced byte for byte, so canonically equivalent strings are different secrets.
  private var entries: [BytewiseName: Entry] = [:]
  private var meetings: UInt64 = 0

  func remember(_ text: String, token: @autoclosure () -> String) {
    guard text.utf8.count >= Self.shortest else { return }
    let text = BytewiseName(text)
    lock.withLock {
      meetings += 1
      guard entries[text] == nil else {
        entries[text]?.lastMet = meetings
        return
      }
      entries[text] = Entry(token: token(), lastMet: meetings)
      if entries.count > Self.limit { forgetHalf() }
    }
  }

  private func forgetHalf() {
    let times = entries.values.map(\.lastMet).sorted()
    let median = times[times.count / 2]
    entries = entries.filter { $0.value.lastMet >= median }
  }

  /// Returns a text with a token in place of each secret.
  ///
  /// This includes secrets that are escaped as in JSON or in a debug description.
  func redact(_ text: String) -> String {
    // Longer secrets first: a shorter one may be part of a longer one.
    let known = lock.withLock {
      entries.map { (Array($0.key.text.utf8), $0.key.text, $0.value.token) }
    }
    .sorted { $0.0.count > $1.0.count }
    var bytes = Array(text.utf8)
    for (secret, text, token) in known {
      bytes.replaceAll(secret, with: token.utf8)
      for escaped in Self.escapedForms(of: text) where escaped != secret {
        bytes.replaceAll(escaped, with: token.utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the escaped forms that a text can have between quotes.
  private static func escapedForms(of text: String) -> [[UInt8]] {
    [JSON(stringLiteral: text).text, text.debugDescription].map {
      Array($0.utf8.dropFirst().dropLast())
    }
  }
}

extension [UInt8] {
  /// Replaces every occurrence of a text, byte for byte.
  ///
  /// Comparing characters would miss a text that a combining accent follows.
  fileprivate mutating func replaceAll(_ text: [UInt8], with token: String.UTF8View) {
    guard let first = text.first, count >= text.count else { return }
    var place = startIndex
    while let found = self[place...].firstIndex(of: first), count - found >= text.count {
      guard self[found..<found + text.count].elementsEqual(text) else {
        place = found + 1
        continue
      }
      replaceSubrange(found..<found + text.count, with: token)
      place = found + token.count
    }
  }
}
