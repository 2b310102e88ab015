import FluxCore
import FluxJSON

/// The cases in the type of an action whose associated value is an enum too: `home/row/toggle`.
///
/// Swift encodes `.home(.row(id: 3, .toggle))` as `{"home":{"_0":{"row":{"id":3,"_1":{"toggle":{}}}}}}`. In a log, the
/// cases become a part of the type, and the payload is that of the innermost case. Associated values next to an
/// enum stay, and the enum's place has the payload of its case: `{"id":3,"_1":{}}`.
struct CasePath {
  /// The names of the cases, separated by slashes.
  let path: String
  let payload: JSON

  /// The types and cases without nested ones, so that their actions are inspected once.
  private static let plain = LockedCache<TypedCase, Bool>(limit: 4096)

  private struct TypedCase: Hashable {
    let type: ObjectIdentifier
    let name: String
  }

  /// Returns the path of an enum's value; nil if the path has one case, or the encoding is not the one that Swift
  /// synthesizes.
  ///
  /// If the value is read by reflection, its associated value may be an existential, such as `any Action`, which is an
  /// enum in one action and not in the next one.
  init?(
    _ value: Any, caseName: String, payload: UnsafeRawBufferPointer, isReflected: Bool = false
  ) {
    let type = TypedCase(type: ObjectIdentifier(Swift.type(of: value)), name: caseName)
    if !isReflected, Self.plain[type] == true { return nil }
    guard NestedCase(of: value) != nil else {
      if !isReflected { Self.plain.insert(true, for: type) }
      return nil
    }
    do {
      let json = try JSON.parse(unsafe Array(payload))
      guard let nested = try Self.nested(in: value, json, depth: 1) else { return nil }
      path = ([caseName] + nested.names).joined(separator: "/")
      self.payload = nested.payload
    } catch {
      // The writer of the log reports what is not JSON.
      return nil
    }
  }

  private static func nested(
    in value: Any, _ payload: JSON, depth: Int
  ) throws -> (names: [String], payload: JSON)? {
    guard depth < NestedCase.limit, let nested = NestedCase(of: value),
      let text = payload[nested.member], text.kind == .object, text.count == 1,
      let inner = text.members.first(where: { _ in true }), isPlain(inner.name)
    else { return nil }
    let deeper = try Self.nested(in: nested.value, inner.value, depth: depth + 1)
    let rest = deeper?.payload ?? inner.value
    return (
      [inner.name] + (deeper?.names ?? []),
      nested.member == "_0" && payload.count == 1
        ? rest : try payload.replacing(nested.member, with: rest)
    )
  }

  /// `true` if a name can be a part of a path.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0 > 0x1F && $0 != 0x22 && $0 != 0x2F && $0 != 0x5C }
  }
}

// MARK: Reading

extension CasePath {
  /// The maximum number of encodings that are tried for one action.
  private static let attempts = 64

  /// Decodes an enum from the path of its cases and the payload of the innermost one.
  ///
  /// A path does not say which associated value has the rest of it: the encodings that it can stand for are
  /// tried in turn, at most 64 of them. Swift's synthesized decoding accepts one of them only.
  ///
  /// - Throws: The error of the encoding that could be decoded the furthest, with its place in the payload.
  static func decode<A: Decodable>(
    _ type: A.Type, path: String, payload: JSON, by decoder: LogDecoder
  ) throws -> A {
    do {
      return try decoder.decode(type, from: JSON(dictionaryLiteral: (path, payload)))
    } catch DecodingError.typeMismatch(let found, let context)
      where context.codingPath.isEmpty && path.utf8.contains(UInt8(ascii: "/"))
    {
      let names = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
        .map(String.init)
      var failure: any Error = DecodingError.typeMismatch(found, context)
      guard names.count <= NestedCase.limit else { throw failure }
      var rest = attempts
      var furthest = -1
      for encoding in try CaseEncoding.all(names[...], payload, &rest) {
        do {
          return try decoder.decode(type, from: encoding.json)
        } catch {
          let reached = (error as? DecodingError)?.context?.codingPath.count ?? 0
          guard reached > furthest else { continue }
          (furthest, failure) = (reached, encoding.placed(error))
        }
      }
      throw failure
    }
  }
}

/// An encoding that a path of cases and a payload can stand for.
private struct CaseEncoding {
  /// A key on the way to the innermost case.
  private struct Step {
    let key: String
    let part: Part

    enum Part {
      case name
      /// The associated value with the next case, if the payload is that of the next case.
      case added
      /// The associated value with the next case, among other ones.
      case member
    }
  }

  private(set) var json: JSON
  /// `true` if the whole payload is redacted.
  let isPayloadHidden: Bool
  /// The way to the payload of the innermost case.
  private var steps: [Step]

  /// Returns the encodings of a path, as long as there is `rest`.
  static func all(
    _ names: ArraySlice<String>, _ payload: JSON, _ rest: inout Int
  ) throws -> [CaseEncoding] {
    guard let name = names.first, rest > 0 else { return [] }
    let first = Step(key: name, part: .name)
    guard names.count > 1 else {
      rest -= 1
      let json = JSON(dictionaryLiteral: (name, payload))
      return [
        CaseEncoding(json: json, isPayloadHidden: payload.isRedactionToken, steps: [first])
      ]
    }
    func outer(_ inner: CaseEncoding, _ json: JSON, _ member: Step) -> CaseEncoding {
      CaseEncoding(
        json: JSON(dictionaryLiteral: (name, json)), isPayloadHidden: payload.isRedactionToken,
        steps: [first, member] + inner.steps)
    }
    var found = try all(names.dropFirst(), payload, &rest).map { inner in
      outer(inner, ["_0": inner.json], Step(key: "_0", part: .added))
    }
    guard payload.kind == .object else { return found }
    for member in payload.members
    where member.value.kind == .object || member.value.isRedactionToken {
      found += try all(names.dropFirst(), member.value, &rest).map { inner in
        let json = try payload.replacing(member.name, with: inner.json)
        return outer(inner, json, Step(key: member.name, part: .member))
      }
    }
    return found
  }

  /// Returns a decoder's error whose coding path has only the first case and what is in the payload.
  ///
  /// An inner case that no action has is reported as the whole path would be, which has no place. Without the payload,
  /// nothing says which associated value has that case.
  func placed(_ error: any Error) -> any Error {
    guard let error = error as? DecodingError, let path = error.context?.codingPath,
      let name = path.first
    else { return error }
    let known = zip(path, steps).prefix { $0.stringValue == $1.key }
    if case .typeMismatch = error, known.count == path.count, path.count < steps.count,
      steps[path.count].part == .name, !isPayloadHidden
    {
      return error.with(codingPath: [])
    }
    let members = known.filter { $1.part == .member }.map(\.0)
    return error.with(codingPath: [name] + members + path.dropFirst(known.count))
  }
}

extension DecodingError {
  fileprivate func with(codingPath: [any CodingKey]) -> DecodingError {
    func moved(_ context: Context) -> Context {
      Context(
        codingPath: codingPath, debugDescription: context.debugDescription,
        underlyingError: context.underlyingError)
    }
    return switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, moved(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, moved(context))
    case .keyNotFound(let key, let context): .keyNotFound(key, moved(context))
    case .dataCorrupted(let context): .dataCorrupted(moved(context))
    @unknown default: self
    }
  }
}
