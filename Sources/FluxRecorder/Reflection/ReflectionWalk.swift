import FluxJSON
import FluxSystem
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
/// A walk is bounded, whatever the mirrors of the app return: it visits a limited number of values, at most 128 inside
/// each other, and iterates over children without counting them.
final class ReflectionWalk {
  let text: DirectEncoding
  /// The number of values that may still be visited.
  private(set) var rest: Int
  private var types: [ObjectIdentifier: KnownType] = [:]
  /// The objects around the current value, with the number of objects and arrays around each.
  private var path: [(object: ObjectIdentifier, depth: Int)] = []
  var isPure = true
  var isCut = false
  private var search = ObjectSearch()
  private lazy var stack = ThreadStack()

  /// The maximum number of values inside each other.
  static let deepest = 128

  /// The facts about a type that hold for one walk.
  final class KnownType {
    /// The facts about the type, which are kept for the next walks whenever a value shows one.
    var facts: ReflectedType { didSet { facts.keep(for: type) } }
    private let type: Any.Type
    /// The type, if its values encode themselves on this thread: a conformance may be isolated to an actor.
    let encodable: (any Encodable.Type)?
    /// `true` if the text of an encoded value may depend on an object.
    let mayHoldObjects: Bool

    init(_ type: Any.Type, _ value: Any, _ search: inout ObjectSearch) {
      self.type = type
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

  func known(_ value: Any) -> KnownType {
    let type = Swift.type(of: value)
    if let known = types[ObjectIdentifier(type)] { return known }
    let known = KnownType(type, value, &search)
    types[ObjectIdentifier(type)] = known
    return known
  }

  /// Returns the value in optionals, wrappers and `AnyHashable`; nil if it is absent.
  func unwrapped(_ value: Any) -> (value: Any, type: KnownType)? {
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
        // The conformance may be isolated to another actor than this thread's.
        guard let wrapper = value as? any RecordedWrapper else { return (value, type) }
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

  /// Returns `true` if a value at a depth may be read.
  ///
  /// Without optimization, a level takes about 3 KB of the stack, more with Thread Sanitizer, and a thread of an app may
  /// have 512 KB, of which the app has used a part. So one of eight levels asks for room for the next ones and for the
  /// code of the app that they call. Functions that nest leave to others what ends before the next level, because a
  /// function keeps room for all its branches.
  private func mayNest(_ depth: Int) -> Bool {
    if depth < 16 { return true }
    return depth < Self.deepest && (depth % 8 != 0 || stack.rest > 128 << 10)
  }

  // MARK: Values

  func writeOrNull(_ value: Any, _ depth: Int) throws {
    if depth < Self.deepest, writeScalar(value) { return }
    guard let (value, type) = unwrapped(value) else {
      noteAbsent()
      return text.null()
    }
    try write(value, type, depth)
  }

  func write(_ value: Any, _ type: KnownType, _ depth: Int) throws {
    guard rest > 0, mayNest(depth) else {
      isCut = true
      return try note("$opaque", type.facts.name)
    }
    rest -= 1
    switch type.facts.kind {
    case .opaque:
      // It may hold an object, which must not be kept alive.
      isPure = false
      try note("$opaque", type.facts.name)
    case .systemObject: try systemObject(value, type, depth)
    case .systemError: try systemError(value)
    case .keyPath: try keyPath(value, type)
    case .instance:
      isPure = false
      guard try enter(value, type) else { return }
      defer { path.removeLast() }
      try reflect(value, type, depth)
    case .elements: try elements(value, depth)
    case .entries: try entries(value, depth)
    case .text: systemText(value)
    case .other, .optional, .wrapper, .hashable:
      if !writeItself(value, type) { try reflect(value, type, depth) }
    }
  }

  /// Writes a value by its own conformance; returns `false` if it has none, or if that one fails.
  private func writeItself(_ value: Any, _ type: KnownType) -> Bool {
    if let encodable = type.encodable {
      if type.mayHoldObjects { isPure = false }
      return encode(value, as: encodable)
    }
    guard type.facts.isText, let value = value as? any LosslessStringConvertible else {
      return false
    }
    isPure = false
    text.string(value.description)
    return true
  }

  /// Writes an `AttributedString` or a `StaticString`.
  private func systemText(_ value: Any) {
    text.string(
      (value as? AttributedString).map { String($0.characters) } ?? String(describing: value))
  }

  private func encode<T: Encodable>(_ value: Any, as type: T.Type) -> Bool {
    guard let value = value as? T else { return false }
    return text.encode(value)
  }

  /// Writes an object with one member, in place of a value that reflection does not show.
  func note(_ name: String, _ text: String) throws {
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

  /// Appends an object to the path; returns `false` if a note was written in its place.
  private func enter(_ value: Any, _ type: KnownType) throws -> Bool {
    guard !isActor(value, type) else {
      try note("$opaque", type.facts.name)
      return false
    }
    let object = ObjectIdentifier(value as AnyObject)
    if let outer = path.last(where: { $0.object == object }) {
      try note("$cycle", text.pointer(toDepth: outer.depth))
      return false
    }
    path.append((object, text.depth))
    return true
  }

  /// Returns `true` for a distributed actor, whose protocol would link another library into every app.
  ///
  /// Only the label of its first member is looked at: the other members of a remote actor have no values.
  private func isActor(_ object: Any, _ type: KnownType) -> Bool {
    if let isActor = type.facts.isActor { return isActor }
    let isActor =
      !type.facts.hasMirror && Mirror(reflecting: object).children.first?.label == "$defaultActor"
    type.facts.isActor = isActor
    return isActor
  }

  static func isScalar(_ value: Any) -> Bool {
    let type = Swift.type(of: value)
    return type == String.self || type == Int.self || type == Bool.self || type == Double.self
  }

  /// Writes a value of one of the most frequent types, without looking that up.
  func writeScalar(_ value: Any) -> Bool {
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
  func noteAbsent() { rest = max(0, rest - 1) }

  // MARK: Collections

  private func elements(_ value: Any, _ depth: Int) throws {
    guard let elements = value as? any ReflectedElements else { return text.null() }
    text.beginArray(entrySize: Swift.type(of: elements).entrySize)
    try elements.forEachElement { try element($0, depth) }
    try text.endArray()
  }

  /// Writes an element, or a member if it has a name; returns `false` if it is the last one within the limit.
  func element(_ value: Any, _ depth: Int, named name: String? = nil) throws -> Bool {
    let hasRest = rest > 0
    if !hasRest { isCut = true }
    if let name { text.member(name) } else { text.element() }
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
    try entries.forEachEntry { name, _, value in try element(value, depth, named: name ?? "") }
    try text.endObject()
  }
}
