import FluxCore
import FluxJSON
import FluxLog
import FluxReplay

/// Replaces values with tokens, as specified by a ``Redaction``.
struct Redactor: ValueRewriter {
  /// The facts that are found while a value is written.
  private struct Notes {
    /// `true` if a `History` was written.
    var hasHistory = false
    /// The places that got a value whose token the log had not met; `nil` if nobody asks.
    var newPlaces: [String]?
    /// The name of the rewritten state.
    var store = ""
  }

  private let states: RedactedPlaces
  private let circumstances: RedactedPlaces
  private let actions: [(types: Glob, places: RedactedPlaces)]
  /// The places in a payload that no pointer leads to.
  private let otherPlaces: RedactedPlaces
  private let isAllowList: Bool
  let changesValues: Bool
  private let keepsTexts: Bool
  private let key: (UInt64, UInt64)
  /// The secrets that pointers lead to; tokens replace them in payloads, too.
  private var listed = KnownSecrets()
  /// All secrets; tokens replace them in messages and marks.
  private var all: KnownSecrets
  /// `true` if a text becomes a token as soon as a secret was forgotten, which it may contain.
  private var hidesDoubtfulTexts = false
  private let usage = PointerUsage()
  private let met = SeenTokens()
  /// Reports the place of a value that can be computed from the log, and the step that made it.
  private let onRecomputable: @Sendable (_ place: String, _ step: UInt64) -> Void

  /// Creates a redactor with a new random key.
  init(
    _ redaction: Redaction,
    onRecomputable: @escaping @Sendable (_ place: String, _ step: UInt64) -> Void = { _, _ in }
  ) throws(PointerError) {
    self.onRecomputable = onRecomputable
    let allowed = redaction.allowed
    isAllowList = allowed != nil
    changesValues = !redaction.isEmpty
    keepsTexts = allowed?.keepsTexts ?? true
    all = allowed == nil ? listed : KnownSecrets()
    states = try RedactedPlaces(
      redaction.states, only: allowed?.states,
      first: usage.add(redaction.states + (allowed?.states ?? [])))
    let constants = redaction.circumstances + (allowed?.circumstances ?? [])
    circumstances = try RedactedPlaces(
      redaction.circumstances, only: allowed?.circumstances,
      first: usage.add(constants.map { "circumstances \($0)" }))
    let nothingAllowed: [String]? = allowed == nil ? nil : []
    otherPlaces = try RedactedPlaces([], only: nothingAllowed)
    var actions: [(types: Glob, places: RedactedPlaces)] = []
    for (type, pointers) in redaction.actions.sorted(by: { $0.key < $1.key }) {
      let first = usage.add(pointers.map { "\(type) \($0)" })
      let places = try RedactedPlaces(pointers, only: nothingAllowed, first: first)
      actions.append((Glob(type), places))
    }
    for (type, pointers) in (allowed?.actions ?? [:]).sorted(by: { $0.key < $1.key }) {
      let first = usage.add(pointers.map { "\(type) \($0)" })
      actions.append((Glob(type), try RedactedPlaces([], only: pointers, first: first)))
    }
    self.actions = actions
    key = (.random(in: .min ... .max), .random(in: .min ... .max))
  }

  /// The number of secrets that a redactor for others remembers.
  private static let otherSecretCount = 1 << 16

  /// Returns a redactor with the same tokens for values that leave the app in other ways than the log.
  ///
  /// It replaces the secrets of this one, too, and remembers its own apart from them, so that it makes this one forget
  /// none. When one of the two has forgotten a secret, texts that may have a copy of it become tokens as a whole.
  func forOthers(secretCount: Int = Self.otherSecretCount) -> Redactor {
    var redactor = self
    redactor.listed = KnownSecrets(limit: secretCount, and: listed)
    redactor.all =
      all === listed ? redactor.listed : KnownSecrets(limit: secretCount, and: all)
    redactor.hidesDoubtfulTexts = true
    return redactor
  }

  /// Returns a text with tokens in place of secrets.
  private func redact(_ text: String, _ secrets: KnownSecrets) -> String {
    if hidesDoubtfulTexts, !text.isEmpty, secrets.hasForgotten {
      return token(of: JSON(stringLiteral: text))
    }
    return secrets.redact(text)
  }

  var unmatched: [String] { usage.unmatched }

  // An app that has secrets may have them in any state.
  func seesEveryState(_ store: String) -> Bool {
    SecretCoding.isInUse || !states.descending(into: store).isEmpty
  }

  /// The `userInfo` with which the values of type `Secret` become tokens.
  var userInfo: [CodingUserInfoKey: any Sendable] {
    let maker: SecretTokenMaker = { value in
      let json = try LogEncoder(userInfo: [.revealing: true]).encode(value)
      remember(json, isListed: true)
      return token(of: json)
    }
    return [.secretToken: maker]
  }

  func rewrite(_ text: String) -> String {
    keepsTexts ? redact(text, all) : token(of: JSON(stringLiteral: text))
  }

  func rewrite(_ role: ValueRole, _ value: JSON, drawnIn step: UInt64? = nil) throws -> JSON {
    switch role {
    case .state(let store):
      var places: [String]? = step.map { _ in [] }
      let result = try rewrite(state: value, of: store, newPlaces: &places)
      if let step {
        for place in places ?? [] where met.report(place) { onRecomputable(place, step) }
      }
      return result
    case .action: return try rewrite(action: value)
    }
  }

  /// Encodes the circumstances of a recording, with their secrets redacted.
  ///
  /// - Throws: `EncodingError` if one cannot be encoded.
  func rewrite(circumstances values: [String: any Encodable & Sendable]) throws -> [String: JSON] {
    try values.reduce(into: [:]) { encoded, member in
      let value = try LogEncoder().encode(member.value)
      let places = circumstances.descending(into: member.key)
      guard !places.isEmpty else { return encoded[member.key] = value }
      var (writer, notes) = (JSONWriter(), Notes())
      write(value, places, replacesTexts: false, to: &writer, &notes)
      encoded[member.key] = try writer.json()
    }
  }

  /// Returns a state with its secrets redacted, and adds the places of new ones unless `newPlaces` is nil.
  private func rewrite(
    state: JSON, of store: String, newPlaces: inout [String]?
  ) throws -> JSON {
    let places = states.descending(into: store)
    guard !places.isEmpty else { return state }
    var (writer, notes) = (JSONWriter(), Notes(newPlaces: newPlaces, store: store))
    write(state, places, replacesTexts: false, to: &writer, &notes)
    newPlaces = notes.newPlaces
    if notes.hasHistory, !listed.isEmpty {
      // Now all secrets of the state are known. Another value of the history may have a copy.
      (writer, notes) = (JSONWriter(), Notes())
      write(state, places, replacesTexts: false, to: &writer, &notes)
    }
    return try writer.json()
  }

  // MARK: Actions

  private func rewrite(action: JSON) throws -> JSON {
    guard let type = action["type"]?.string else { return action }
    let isUntouched = type != Batch.kind && places(inPayloadOf: type).isEmpty
    if isUntouched, listed.isEmpty { return action }
    var (writer, notes) = (JSONWriter(), Notes())
    write(action: action, otherPlaces, replacesTexts: isUntouched, to: &writer, &notes)
    if !isUntouched, !listed.isEmpty {
      // Now all secrets of the action are known. Another member may contain a copy.
      writer = JSONWriter()
      write(action: action, otherPlaces, replacesTexts: true, to: &writer, &notes)
    }
    return try writer.json()
  }

  private func places(inPayloadOf type: String) -> RedactedPlaces {
    let own = actions.lazy.filter { $0.types.matches(type) }.reduce(otherPlaces) {
      $0.union($1.places)
    }
    // A pointer of `app/home` also leads into the nested action `app/home/login`.
    let parts = type.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
      .map(String.init)
    guard parts.count > 2, !actions.isEmpty else { return own }
    return (2..<min(parts.count, NestedCase.limit)).reduce(own) { places, count in
      let outer = parts.prefix(count).joined(separator: "/")
      let cases = parts.dropFirst(count)
      return actions.lazy.filter { $0.types.matches(outer) }.reduce(places) {
        $0.union($1.places.descending(intoCases: cases))
      }
    }
  }

  /// Writes an action; `places` are those of the batch around it.
  private func write(
    action: JSON, _ places: RedactedPlaces, replacesTexts: Bool, to writer: inout JSONWriter,
    _ notes: inout Notes
  ) {
    guard let type = action["type"]?.string else {
      return write(action, places, replacesTexts: replacesTexts, to: &writer, &notes)
    }
    writer.rewrite(action) { member, writer in
      let inside = places.descending(into: member.step.token)
      switch member.step.token {
      case "type": writer.raw(member.value)
      case "payload":
        let payload = self.places(inPayloadOf: type).union(inside)
        if type == Batch.kind, !payload.isListed, member.value["actions"]?.kind == .array {
          write(batch: member.value, payload, replacesTexts: replacesTexts, to: &writer, &notes)
        } else {
          write(member.value, payload, replacesTexts: replacesTexts, to: &writer, &notes)
        }
      default: write(member.value, inside, replacesTexts: replacesTexts, to: &writer, &notes)
      }
    }
  }

  /// Writes the payload of a batch, whose actions are redacted by their own types.
  private func write(
    batch: JSON, _ places: RedactedPlaces, replacesTexts: Bool, to writer: inout JSONWriter,
    _ notes: inout Notes
  ) {
    usage.note(places.matches)
    writer.rewrite(batch) { member, writer in
      let inside = places.descending(into: member.step.token)
      switch member.step.token {
      case "actions" where member.value.kind == .array && !inside.isListed:
        writer.rewrite(member.value) { action, writer in
          let places = inside.descending(into: action.step.token)
          write(action: action.value, places, replacesTexts: replacesTexts, to: &writer, &notes)
        }
      case "label" where isAllowList && keepsTexts && !inside.isListed:
        writer.string(redact(member.value.string ?? "", all))
      default: write(member.value, inside, replacesTexts: replacesTexts, to: &writer, &notes)
      }
    }
  }

  // MARK: Values

  /// Writes a value; `replacesTexts` to replace copies of known secrets in strings, too.
  private func write(
    _ value: JSON, _ places: RedactedPlaces, replacesTexts: Bool, to writer: inout JSONWriter,
    _ notes: inout Notes
  ) {
    if places.isEmpty, !replacesTexts { return writer.raw(value) }
    usage.note(places.matches)
    if places.isSecret(value.kind) {
      // A value of type `Secret` already is a token.
      if value.isRedactionToken { return writer.raw(value) }
      remember(value, isListed: places.isListed)
      let token = token(of: value)
      if met.insert(token), notes.newPlaces != nil {
        let place = places.matches.first.map { usage.name($0) }
        notes.newPlaces?.append(place ?? "/\(notes.store)")
      }
      return writer.string(token)
    }
    // An undone value must not show what the present one hides.
    let isHistory = value.isHistory
    if isHistory { notes.hasHistory = true }
    let replacesTexts = replacesTexts || isHistory
    switch value.kind {
    case .object, .array:
      writer.rewrite(value) { part, writer in
        let inside = places.descending(into: part.step.token, of: value)
        write(part.value, inside, replacesTexts: replacesTexts, to: &writer, &notes)
      }
    case .string where replacesTexts:
      let text = value.string ?? ""
      let redacted = redact(text, listed)
      if redacted.utf8.elementsEqual(text.utf8) {
        writer.raw(value)
      } else {
        writer.string(redacted)
      }
    case .null, .bool, .number, .string: writer.raw(value)
    }
  }

  /// Remembers the texts of a secret, to redact them in other texts.
  private func remember(_ value: JSON, isListed: Bool) {
    guard isListed || keepsTexts else { return }
    switch value.kind {
    case .null, .bool: break
    case .number: remember(value.text, of: value, isListed)
    case .string: remember(value.string ?? "", of: value, isListed)
    case .array, .object:
      for part in value.parts { remember(part.value, isListed: isListed) }
    }
  }

  private func remember(_ text: String, of value: JSON, _ isListed: Bool) {
    all.remember(text, token: token(of: value))
    if isListed, isAllowList { listed.remember(text, token: token(of: value)) }
  }

  /// Returns a token that equal values share and that reveals nothing without the key.
  ///
  /// The standard library's hash is SipHash-1-3, a keyed function. The log's own key is hashed
  /// first, so two logs of one process have different tokens. A hash has 32 bits on some watches, so
  /// a token consists of two.
  private func token(of value: JSON) -> String {
    let text = BytewiseName(value.canonical().text)
    let halves = [0, 1].map { half in
      var hasher = Hasher()
      hasher.combine(key.0)
      hasher.combine(key.1)
      hasher.combine(half)
      hasher.combine(text)
      return UInt64(UInt32(truncatingIfNeeded: hasher.finalize()))
    }
    return RedactionToken.token(halves[0] << 32 | halves[1])
  }
}
