import FluxJSON

extension ReflectionWalk {
  func reflect(_ value: Any, _ type: KnownType, _ depth: Int) throws {
    if type.facts.hasMirror { isPure = false }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum: try payload(beginCase(value, mirror, type), depth)
    case .optional: try optional(mirror, depth)
    case .collection, .set: try collection(mirror, depth)
    case .dictionary: try dictionary(mirror, depth)
    case nil where !type.facts.hasMirror:
      isPure = false
      try note("$opaque", type.facts.name)
    case .struct where !type.facts.hasMirror: try structure(mirror, type, depth)
    default: try object(mirror, type, depth)
    }
  }

  private func collection(_ mirror: Mirror, _ depth: Int) throws {
    text.beginArray(entrySize: mirror.displayStyle == .set ? 1 : 0)
    for child in mirror.children where try !element(child.value, depth) { break }
    try text.endArray()
  }

  private func dictionary(_ mirror: Mirror, _ depth: Int) throws {
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
  }

  private func optional(_ mirror: Mirror, _ depth: Int) throws {
    guard let wrapped = mirror.children.first else { return text.null() }
    try writeOrNull(wrapped.value, depth + 1)
  }

  /// The associated values of a case.
  private enum Payload {
    case none
    case value(Any)
    case values(Mirror, KnownType)
  }

  /// Writes a value of an enum up to its associated values.
  private func beginCase(_ value: Any, _ mirror: Mirror, _ type: KnownType) throws -> Payload {
    if writeRawValue(value, mirror, type) { return .none }
    guard let payload = mirror.children.first, let name = payload.label else {
      try bareCase(value, type)
      return .none
    }
    text.beginObject()
    text.member(name)
    return tuple(payload.value).map { .values($0, known(payload.value)) } ?? .value(payload.value)
  }

  private func payload(_ payload: Payload, _ depth: Int) throws {
    switch payload {
    case .none: return
    case .values(let mirror, let type): try object(mirror, type, depth)
    case .value(let value):
      text.beginObject()
      try member("_0", value, depth)
      try text.endObject()
    }
    try text.endObject()
  }

  private func writeRawValue(_ value: Any, _ mirror: Mirror, _ type: KnownType) -> Bool {
    guard type.facts.hasRawValue, let raw = (value as? any RawRepresentable)?.encodableRawValue,
      text.encode(raw)
    else { return false }
    if !mirror.children.isEmpty { isPure = false }
    return true
  }

  private func bareCase(_ value: Any, _ type: KnownType) throws {
    if type.facts.describesItself {
      isPure = false
      return try note("$case", String(describing: value))
    }
    text.beginObject()
    text.member("\(value)")
    text.beginObject()
    try text.endObject()
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
    let mirrors = appMirrors(mirror)
    let isObserved = isObserved(mirrors, type)
    var names = MemberNames(
      areUnique: mirrors.count == 1 && !type.facts.hasMirror && !isObserved)
    text.beginObject()
    for mirror in mirrors {
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

  /// Returns the mirrors of an object's classes that are not the system's, the outermost class first.
  private func appMirrors(_ mirror: Mirror) -> [Mirror] {
    var mirrors = [mirror]
    while let outer = mirrors.last?.superclassMirror, !ReflectedType.isSystem(outer.subjectType) {
      mirrors.append(outer)
    }
    return mirrors.reversed()
  }

  private func structure(_ mirror: Mirror, _ type: KnownType, _ depth: Int) throws {
    let names = memberNames(of: mirror, type)
    text.beginObject()
    var index = 0
    for child in mirror.children {
      if index < names.count, let name = names[index] { try member(name, child.value, depth) }
      index += 1
    }
    try text.endObject()
  }

  /// Returns the names of a struct's members by their places; nil for a member that is left out.
  private func memberNames(of mirror: Mirror, _ type: KnownType) -> [String?] {
    if let names = type.facts.names { return names }
    let isObserved = isObserved([mirror], type)
    let names = mirror.children.enumerated().map { index, child in
      MemberNames.name(child.label, at: index, isObserved: isObserved)
    }
    type.facts.names = names
    return names
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
    if let isObserved = type.facts.isObserved { return isObserved }
    let isObserved =
      !type.facts.hasMirror
      && mirrors.contains { $0.children.contains { $0.label == MemberNames.registrar } }
    type.facts.isObserved = isObserved
    return isObserved
  }
}

extension RawRepresentable {
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
