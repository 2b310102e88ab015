import FluxJSON
import Foundation

/// The text of a value that was read by reflection.
struct ReflectedText {
  let bytes: [UInt8]
  /// `true` if nothing was left out, no object was met, and no code of the app was asked for a text or a mirror.
  ///
  /// Then the text depends on the bits of the value only.
  let isPure: Bool
  /// `true` if a part of the value was left out because of a limit.
  let isCut: Bool
}

/// One walk over a value that need not be `Encodable`, which writes the value's text.
///
/// The form is that of `LogEncoder` as far as it goes: adding `Codable` to a type later changes few texts. Stored
/// members are read, and no computed ones. Class instances are read during the walk, on the calling thread.
///
/// A walk is bounded, whatever the mirrors of the app return: it visits a limited number of values, 64 inside each
/// other, and iterates over children without counting them.
final class ReflectionWalk {
  private let text: DirectEncoding
  /// The number of values that may still be visited.
  private var rest: Int
  private var types: [ObjectIdentifier: KnownType] = [:]
  /// The objects around the current value, with the number of objects and arrays around each.
  private var path: [(object: ObjectIdentifier, depth: Int)] = []
  private var isPure = true
  private var isCut = false
  private var search = ObjectSearch()

  /// The maximum number of values inside each other.
  ///
  /// Without optimization, a level takes 4 to 5 KB of the stack, and a thread of an app may have 512 KB.
  private static let deepest = 64

  /// The facts about a type that hold for one walk.
  private final class KnownType {
    let facts: ReflectedType
    /// The type, if its values encode themselves on this thread: a conformance may be isolated to an actor.
    let encodable: (any Encodable.Type)?
    /// `true` if the text of an encoded value may depend on an object.
    let mayHoldObjects: Bool
    /// `true` if an object has a registrar of observations; nil before one was seen.
    var isObserved: Bool?
    /// The names of a struct's members, so that they are made once; nil before a value was seen.
    var names: [String?]?

    init(_ type: Any.Type, _ value: Any, _ search: inout ObjectSearch) {
      facts = ReflectedType.of(type)
      // Casting the value, and not its type, asks for the actor.
      let encodes = facts.kind == .other && value is any Encodable
      encodable = encodes ? type as? any Encodable.Type : nil
      mayHoldObjects =
        encodable != nil && !search.isPlain(type)
        && (search.finds(in: value) || !search.isPlain(type))
    }
  }

  private init(_ text: DirectEncoding, limit: Int) {
    self.text = text
    rest = max(1, limit)
  }

  /// Reads a value, and at most `limit` values in it.
  ///
  /// - Throws: `EncodingError` if a value kept its encoder, and used it after its own end.
  static func text(of value: Any, limit: Int) throws -> ReflectedText {
    var (isPure, isCut) = (true, false)
    let bytes = try DirectEncoding.bytes { text in
      let walk = ReflectionWalk(text, limit: limit)
      try walk.writeOrNull(value, 0)
      (isPure, isCut) = (walk.isPure && !walk.isCut, walk.isCut)
    }
    return ReflectedText(bytes: bytes, isPure: isPure, isCut: isCut)
  }

  /// Returns the value in optionals; nil if it is absent.
  static func present(_ value: Any) -> Any? {
    guard let optional = value as? any ReflectedOptional else { return value }
    return optional.wrapped.flatMap(present)
  }

  private func known(_ value: Any) -> KnownType {
    let type = Swift.type(of: value)
    if let known = types[ObjectIdentifier(type)] { return known }
    let known = KnownType(type, value, &search)
    types[ObjectIdentifier(type)] = known
    return known
  }

  /// Returns the value in optionals, wrappers and `AnyHashable`; nil if it is absent.
  private func unwrapped(_ value: Any) -> (value: Any, type: KnownType)? {
    var value = value
    for _ in 0..<Self.deepest {
      let type = known(value)
      switch type.facts.kind {
      case .optional:
        guard let wrapped = (value as? any ReflectedOptional)?.wrapped else { return nil }
        value = wrapped
      case .wrapper:
        // Its getter may read anything.
        isPure = false
        guard let wrapper = value as? any RecordedWrapper else { return nil }
        value = wrapper.recordedValue
      case .hashable:
        guard let hashable = value as? AnyHashable else { return nil }
        value = hashable.base
      default: return (value, type)
      }
    }
    isCut = true
    return nil
  }

  // MARK: Values

  private func writeOrNull(_ value: Any, _ depth: Int) throws {
    if depth < Self.deepest, writeScalar(value) { return }
    guard let (value, type) = unwrapped(value) else {
      noteAbsent()
      return text.null()
    }
    try write(value, type, depth)
  }

  private func write(_ value: Any, _ type: KnownType, _ depth: Int) throws {
    guard rest > 0, depth < Self.deepest else {
      isCut = true
      return try note("$opaque", type.facts.name)
    }
    rest -= 1
    switch type.facts.kind {
    case .opaque:
      // It may hold an object, which must not be kept alive.
      isPure = false
      try note("$opaque", type.facts.name)
    case .systemError: try systemError(value)
    case .keyPath: try keyPath(value, type)
    case .instance: try instance(value, type, depth)
    case .elements: try elements(value, depth)
    case .entries: try entries(value, depth)
    case .attributedText:
      text.string(String((value as? AttributedString ?? AttributedString()).characters))
    case .other, .optional, .wrapper, .hashable: try other(value, type, depth)
    }
  }

  private func other(_ value: Any, _ type: KnownType, _ depth: Int) throws {
    if let encodable = type.encodable {
      if type.mayHoldObjects { isPure = false }
      if encode(value, as: encodable) { return }
    } else if type.facts.isText, let value = value as? any LosslessStringConvertible {
      isPure = false
      return text.string(value.description)
    }
    try reflect(value, type, depth)
  }

  private func encode<T: Encodable>(_ value: Any, as type: T.Type) -> Bool {
    guard let value = value as? T else { return false }
    return text.encode(value)
  }

  /// Writes an object with one member, in place of a value that reflection does not show.
  private func note(_ name: String, _ text: String) throws {
    self.text.beginObject()
    self.text.member(name)
    self.text.string(text)
    try self.text.endObject()
  }

  /// Writes a key path as in Swift, which tells the actions of bindings apart: `\Search.query`.
  private func keyPath(_ value: Any, _ type: KnownType) throws {
    isPure = false
    let path = String(reflecting: value)
    // If a part has no name in the binary, the text contains an address, which differs between runs.
    let isNamed = !path.contains("0x") && !path.contains("<offset")
    try isNamed ? note("$keyPath", path) : note("$opaque", type.facts.name)
  }

  /// Writes what identifies an error of the system; the rest of it may hold objects.
  private func systemError(_ value: Any) throws {
    isPure = false
    guard let error = value as? NSError else { return text.null() }
    text.beginObject()
    text.member("domain")
    text.string(error.domain)
    text.member("code")
    text.integer(error.code)
    try text.endObject()
  }

  private func instance(_ value: Any, _ type: KnownType, _ depth: Int) throws {
    isPure = false
    let object = ObjectIdentifier(value as AnyObject)
    if let outer = path.last(where: { $0.object == object }) {
      return try note("$cycle", text.pointer(toDepth: outer.depth))
    }
    path.append((object, text.depth))
    defer { path.removeLast() }
    try reflect(value, type, depth)
  }

  private static func isScalar(_ value: Any) -> Bool {
    let type = Swift.type(of: value)
    return type == String.self || type == Int.self || type == Bool.self || type == Double.self
  }

  /// Writes a value of one of the most frequent types, without looking that up.
  private func writeScalar(_ value: Any) -> Bool {
    guard rest > 0 else { return false }
    let type = Swift.type(of: value)
    if type == String.self, let value = value as? String {
      text.string(value)
    } else if type == Int.self, let value = value as? Int {
      text.integer(value)
    } else if type == Bool.self, let value = value as? Bool {
      text.bool(value)
    } else if type == Double.self, let value = value as? Double {
      text.number(value)
    } else {
      return false
    }
    rest -= 1
    return true
  }

  /// Counts a value that is not there: a collection may contain such values without an end.
  private func noteAbsent() { rest = max(0, rest - 1) }

  // MARK: Collections

  private func elements(_ value: Any, _ depth: Int) throws {
    guard let elements = value as? any ReflectedElements else { return text.null() }
    text.beginArray(entrySize: Swift.type(of: elements).entrySize)
    try elements.forEachElement { try element($0, depth) }
    try text.endArray()
  }

  /// Writes an element; returns `false` if it is the last one within the limit.
  private func element(_ value: Any, _ depth: Int) throws -> Bool {
    let hasRest = rest > 0
    if !hasRest { isCut = true }
    text.element()
    try writeOrNull(value, depth + 1)
    return hasRest
  }

  private func entries(_ value: Any, _ depth: Int) throws {
    guard let entries = value as? any ReflectedEntries else { return text.null() }
    guard entries.hasNames else {
      text.beginArray(entrySize: 2)
      try entries.forEachEntry { _, key, value in
        _ = try element(key, depth)
        return try element(value, depth)
      }
      return try text.endArray()
    }
    text.beginObject()
    try entries.forEachEntry { name, _, value in
      let hasRest = rest > 0
      if !hasRest { isCut = true }
      text.member(name ?? "")
      try writeOrNull(value, depth + 1)
      return hasRest
    }
    try text.endObject()
  }

  // MARK: Mirrors

  private func reflect(_ value: Any, _ type: KnownType, _ depth: Int) throws {
    if type.facts.hasMirror { isPure = false }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum: try enumeration(value, mirror, type, depth)
    case .optional:
      guard let wrapped = mirror.children.first else { return text.null() }
      try writeOrNull(wrapped.value, depth + 1)
    case .collection, .set:
      text.beginArray(entrySize: mirror.displayStyle == .set ? 1 : 0)
      for child in mirror.children where try !element(child.value, depth) { break }
      try text.endArray()
    case .dictionary:
      text.beginArray(entrySize: 2)
      for child in mirror.children {
        let entry = Array(Mirror(reflecting: child.value).children.prefix(2))
        guard entry.count == 2 else {
          noteAbsent()
          if rest > 0 { continue }
          isCut = true
          break
        }
        _ = try element(entry[0].value, depth)
        guard try element(entry[1].value, depth) else { break }
      }
      try text.endArray()
    case nil where !type.facts.hasMirror:
      isPure = false
      try note("$opaque", type.facts.name)
    default: try object(mirror, type, depth)
    }
  }

  private func enumeration(
    _ value: Any, _ mirror: Mirror, _ type: KnownType, _ depth: Int
  ) throws {
    if type.facts.hasRawValue, let raw = (value as? any RawRepresentable)?.encodableRawValue,
      text.encode(raw)
    {
      if !mirror.children.isEmpty { isPure = false }
      return
    }
    guard let payload = mirror.children.first, let name = payload.label else {
      if type.facts.describesItself {
        isPure = false
        return try note("$case", String(describing: value))
      }
      text.beginObject()
      text.member("\(value)")
      text.beginObject()
      try text.endObject()
      return try text.endObject()
    }
    text.beginObject()
    text.member(name)
    if let values = tuple(payload.value) {
      try object(values, known(payload.value), depth)
    } else {
      text.beginObject()
      try member("_0", payload.value, depth)
      try text.endObject()
    }
    try text.endObject()
  }

  /// Returns the mirror of several associated values, or of one with a label; nil for another payload.
  private func tuple(_ payload: Any) -> Mirror? {
    let type = known(payload)
    guard type.facts.kind == .other, type.encodable == nil else { return nil }
    let mirror = Mirror(reflecting: payload)
    return mirror.displayStyle == .tuple && !type.facts.hasMirror ? mirror : nil
  }

  private func object(_ mirror: Mirror, _ type: KnownType, _ depth: Int) throws {
    if mirror.displayStyle == .struct, !type.facts.hasMirror {
      return try structure(mirror, type, depth)
    }
    var mirrors = [mirror]
    while let outer = mirrors.last?.superclassMirror, !ReflectedType.isSystem(outer.subjectType) {
      mirrors.append(outer)
    }
    let isObserved = isObserved(mirrors, type)
    var names = MemberNames(areUnique: mirrors.count == 1 && !type.facts.hasMirror)
    text.beginObject()
    for mirror in mirrors.reversed() {
      for (index, child) in mirror.children.enumerated() {
        let hasRest = rest > 0
        if let name = MemberNames.name(child.label, at: index, isObserved: isObserved) {
          try member(names.unique(name), child.value, depth)
        }
        // The members of a mirror that the app makes may have no end.
        if !hasRest, type.facts.hasMirror {
          isCut = true
          break
        }
      }
    }
    try text.endObject()
  }

  private func structure(_ mirror: Mirror, _ type: KnownType, _ depth: Int) throws {
    let isObserved = isObserved([mirror], type)
    let names =
      type.names
      ?? mirror.children.enumerated().map { index, child in
        MemberNames.name(child.label, at: index, isObserved: isObserved)
      }
    type.names = names
    text.beginObject()
    var index = 0
    for child in mirror.children {
      if index < names.count, let name = names[index] { try member(name, child.value, depth) }
      index += 1
    }
    try text.endObject()
  }

  private func member(_ name: String, _ value: Any, _ depth: Int) throws {
    if rest > 0, depth < Self.deepest - 1, Self.isScalar(value) {
      text.member(name)
      _ = writeScalar(value)
      return
    }
    guard let (value, type) = unwrapped(value) else { return noteAbsent() }
    text.member(name)
    try write(value, type, depth + 1)
  }

  private func isObserved(_ mirrors: [Mirror], _ type: KnownType) -> Bool {
    if let isObserved = type.isObserved { return isObserved }
    let isObserved =
      !type.facts.hasMirror
      && mirrors.contains { $0.children.contains { $0.label == MemberNames.registrar } }
    type.isObserved = isObserved
    return isObserved
  }
}

extension RawRepresentable {
  /// The raw value, if it can be encoded.
  fileprivate var encodableRawValue: (any Encodable)? { rawValue as? any Encodable }
}

/// The names of an object's members.
struct MemberNames {
  static let registrar = "_$observationRegistrar"
  private static let lazyPrefix = "$__lazy_storage_$_"

  /// The names that were given, each with the next number for its repetition; nil if none can be repeated.
  private var given: [String: Int]?

  init(areUnique: Bool) { given = areUnique ? nil : [:] }

  /// Returns the name of a member by the label of its storage; nil if it is left out.
  static func name(_ label: String?, at index: Int, isObserved: Bool) -> String? {
    guard let label, !label.hasPrefix(".") else { return "_\(index)" }
    if label.hasPrefix(lazyPrefix) { return String(label.dropFirst(lazyPrefix.count)) }
    guard isObserved, label.hasPrefix("_") else { return label }
    if label == registrar { return nil }
    return label.hasPrefix("_$") ? label : String(label.dropFirst())
  }

  /// Returns the name with a number if a member has it already.
  mutating func unique(_ name: String) -> String {
    guard given != nil else { return name }
    guard var number = given?[name] else {
      given?[name] = 2
      return name
    }
    var unique: String
    repeat {
      unique = "\(name)_\(number)"
      number += 1
    } while given?[unique] != nil
    given?[name] = number
    given?[unique] = 2
    return unique
  }
}
