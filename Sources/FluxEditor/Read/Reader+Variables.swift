import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

// The variables of scopes and values.
extension Reader {
  /// The members of a value above this number are shown in groups.
  private static let largestGroup = 1000

  func variables(_ arguments: VariablesArguments) throws -> VariablesBody {
    let variables: [Variable]
    switch try container(arguments.variablesReference) {
    case .action(let place): variables = page(try action(at: place), arguments)
    case .changes(let place): variables = page(try changes(at: place), arguments)
    case .change(let place, let index):
      variables = page(try change(index, at: place), arguments)
    case .finding(let place): variables = page(divergence(at: place), arguments)
    case .store(let place, let store):
      variables = try members(of: store.text, at: place, arguments)
    case .value(let place, let root, let elements):
      let value = try value(at: place, root, elements)
      variables = try members(
        of: value, place, root, elements, range: 0..<value.count, arguments)
    case .group(let place, let root, let elements, let range):
      let value = try value(at: place, root, elements)
      variables = try members(of: value, place, root, elements, range: range, arguments)
    }
    return VariablesBody(variables: variables)
  }

  /// Finds what a reference of the client stands for.
  func container(_ reference: Int) throws(RequestError) -> Handles.Container {
    guard let container = handles.container(reference) else {
      throw RequestError("there are no variables \(reference)")
    }
    return container
  }

  private func page(_ variables: [Variable], _ arguments: VariablesArguments) -> [Variable] {
    guard arguments.filter != "indexed" else { return [] }
    let start = max(0, arguments.start ?? 0)
    let count = arguments.count.flatMap { $0 > 0 ? $0 : nil } ?? .max
    return Array(variables.dropFirst(start).prefix(count))
  }

  /// The value of a container.
  ///
  /// - Throws: ``RequestError`` if it is gone, as after a fork was dropped.
  func value(
    at place: Place, _ root: Handles.Root, _ elements: [Location.Element]
  ) throws -> JSON {
    let session = try at(place)
    let value: JSON?
    switch root {
    case .document: value = try document(session, at: elements)
    case .change(let index, let isNew):
      let changes = try changes(of: session)
      guard changes.indices.contains(index) else { throw RequestError("the change is gone") }
      value = (isNew ? changes[index].new : changes[index].old)?.value(at: elements)
    case .finding(let isReplayed):
      guard case .divergence(let divergence)? = finding(at: place) else {
        throw RequestError("the divergence is gone")
      }
      value = (isReplayed ? divergence.replayed : divergence.recorded)?.value(at: elements)
    case .evaluated(let number): value = handles.evaluated(number)?.value(at: elements)
    }
    guard let value else { throw RequestError("the value is gone; evaluate it again") }
    return value
  }

  /// The value at a place of the step's document; nil if there is none.
  private func document(_ session: Session, at elements: [Location.Element]) throws -> JSON? {
    if elements.count > 1, elements[0] == .name("state"), case .name(let store) = elements[1] {
      return try session.currentState(of: store)?.value(at: elements.dropFirst(2))
    }
    let path = try Path(Location(elements).normalizedPath)
    return try path.nodes(in: session.document, check: session.check).first?.value
  }

  private func changes(of session: Session) throws -> [StateChange] {
    try session.currentStep() == nil ? [] : session.difference().changes
  }

  // MARK: Scopes

  /// The members of a step, and those of its action.
  private func action(at place: Place) throws -> [Variable] {
    let session = try at(place)
    guard let step = try session.currentStep() else { return [] }
    var variables: [Variable] = []
    func add(_ name: String, _ value: JSON?, _ elements: [Location.Element]) {
      guard let value else { return }
      variables.append(variable(name, value, place, .document, elements))
    }
    func add(_ name: String, _ text: String?) {
      add(name, text.map { JSON(stringLiteral: $0) }, [.name(name)])
    }
    for member in step.action.members {
      add(member.name, member.value, [.name("action"), .name(member.name)])
    }
    add("n", JSON(writing: { $0.uint(step.number) }), [.name("n")])
    add("t", step.time.json, [.name("t")])
    add("target", step.target)
    add("cause", step.cause.map { cause in JSON(writing: { $0.uint(cause) }) }, [.name("cause")])
    add("effect", step.effect)
    add("from", step.from)
    add("effects", step.effects.json, [.name("effects")])
    add("at", step.source)
    for name in ["took", "reflected", "x", "rejected"] where place.fork == nil || name == "rejected"
    {
      add(name, try document(session, at: [.name(name)]), [.name(name)])
    }
    return variables
  }

  private func changes(at place: Place) throws -> [Variable] {
    try changes(of: at(place)).enumerated().map { index, change in
      let texts = [change.old, change.new].map { $0.map(ValueText.short) ?? "nothing" }
      return Variable(
        name: Self.location(of: change).shorthand, value: "\(texts[0]) -> \(texts[1])",
        type: change.operation.rawValue, presentationHint: .readOnly,
        evaluateName: Self.location(of: change).shorthand,
        variablesReference: handles.number(of: .change(place, index)))
    }
  }

  /// The place of a change in the document of its step.
  private static func location(of change: StateChange) -> Location {
    do throws(PointerError) {
      let tokens = try Pointer(change.path).tokens
      // Tokens do not tell indices from names; a number is nearly always an index.
      let elements = tokens.dropFirst().map { token in
        Int(token).map(Location.Element.index) ?? .name(token)
      }
      return Location([.name("state"), .name(change.store)] + elements)
    } catch {
      return Location([.name("state"), .name(change.store)])
    }
  }

  private func change(_ index: Int, at place: Place) throws -> [Variable] {
    let changes = try changes(of: at(place))
    guard changes.indices.contains(index) else { throw RequestError("the change is gone") }
    return [("old", changes[index].old, false), ("new", changes[index].new, true)].compactMap {
      name, value, isNew in
      value.map { variable(name, $0, place, .change(index, isNew: isNew), []) }
    }
  }

  private func divergence(at place: Place) -> [Variable] {
    switch finding(at: place) {
    case nil: return []
    case .failure(let failure): return [text("failure", failure.description)]
    case .divergence(let divergence):
      var variables = [text("kind", divergence.kind.rawValue)]
      if let store = divergence.store { variables.append(text("store", store)) }
      if let path = divergence.path { variables.append(text("path", path.description)) }
      if let value = divergence.recorded {
        variables.append(variable("recorded", value, place, .finding(isReplayed: false), []))
      }
      if let value = divergence.replayed {
        variables.append(variable("replayed", value, place, .finding(isReplayed: true), []))
      }
      if let reason = divergence.reason { variables.append(text("reason", reason)) }
      return variables
    }
  }

  private func text(_ name: String, _ value: String) -> Variable {
    Variable(
      name: name, value: JSON(stringLiteral: value).text, type: "string",
      presentationHint: .readOnly)
  }

  /// The members of a store's state; a state without members is one variable.
  private func members(
    of store: String, at place: Place, _ arguments: VariablesArguments
  ) throws -> [Variable] {
    let elements: [Location.Element] = [.name("state"), .name(store)]
    guard let state = try at(place).currentState(of: store) else { return [] }
    guard state.kind == .object || state.kind == .array else {
      return page([variable(store, state, place, .document, elements)], arguments)
    }
    return try members(of: state, place, .document, elements, range: 0..<state.count, arguments)
  }

  // MARK: Values

  /// The members in a range of a value, or groups of them if there are many.
  private func members(
    of value: JSON, _ place: Place, _ root: Handles.Root, _ elements: [Location.Element],
    range: Range<Int>, _ arguments: VariablesArguments
  ) throws -> [Variable] {
    let isIndexed = value.kind == .array
    if let filter = arguments.filter, filter != (isIndexed ? "indexed" : "named") { return [] }
    let count = arguments.count.flatMap { $0 > 0 ? $0 : nil }
    let isPaged = isIndexed && count != nil && (count ?? 0) <= Self.largestGroup
    if range.count > Self.largestGroup, !isPaged {
      // Groups are neither named nor indexed members.
      var unfiltered = arguments
      unfiltered.filter = nil
      return page(groups(of: value, place, root, elements, range), unfiltered)
    }
    let start = range.lowerBound + min(max(0, arguments.start ?? 0), range.count)
    let end = min(range.upperBound, start + min(count ?? .max, range.count))
    return value.parts.dropFirst(start).prefix(end - start).map { part in
      variable(part.step.token, part.value, place, root, elements + [part.step])
    }
  }

  private func groups(
    of value: JSON, _ place: Place, _ root: Handles.Root, _ elements: [Location.Element],
    _ range: Range<Int>
  ) -> [Variable] {
    var size = Self.largestGroup
    while range.count / size > Self.largestGroup { size *= Self.largestGroup }
    return stride(from: range.lowerBound, to: range.upperBound, by: size).map { start in
      let part = start..<min(start + size, range.upperBound)
      return Variable(
        name: "\(part.lowerBound)…\(part.upperBound - 1)", value: "\(part.count) members",
        presentationHint: .readOnly,
        variablesReference: handles.number(of: .group(place, root, elements, part)))
    }
  }

  func variable(
    _ name: String, _ value: JSON, _ place: Place, _ root: Handles.Root,
    _ elements: [Location.Element]
  ) -> Variable {
    let children = children(of: value, in: .value(place, root, elements))
    let isState = root == .document && elements.first == .name("state")
    return Variable(
      name: name, value: ValueText.text(of: value), type: ValueText.type(of: value),
      presentationHint: isState && hasApp ? nil : .readOnly,
      evaluateName: root == .document ? Location(elements).shorthand : nil,
      variablesReference: children.reference,
      namedVariables: children.named, indexedVariables: children.indexed,
      valueLocationReference: isState && place.fork == nil
        ? handles.number(of: .value(place, root, elements)) : nil)
  }

  /// The reference with which the client asks for the members of a value, 0 if it has none, and the numbers of members
  /// that the client gets, nil if it must not page by itself.
  func children(
    of value: JSON, in container: @autoclosure () -> Handles.Container
  ) -> (reference: Int, named: Int?, indexed: Int?) {
    guard value.count > 0 else { return (0, nil, nil) }
    let isSmall = value.count <= Self.largestGroup
    let reference = handles.number(of: container())
    return value.kind == .array
      ? (reference, nil, isSmall || format.pagesVariables ? value.count : nil)
      : (reference, isSmall ? value.count : nil, nil)
  }
}

extension JSON {
  /// The value that names and indices lead to; nil if there is none.
  fileprivate func value(at elements: some Sequence<Location.Element>) -> JSON? {
    elements.reduce(Optional(self)) { value, element in
      switch element {
      case .name(let name): value?[name]
      case .index(let index): value?[index]
      }
    }
  }
}

extension PresentationHint {
  static let readOnly = PresentationHint(attributes: ["readOnly"])
}

/// The text of a value in a view.
enum ValueText {
  /// The bytes of a container that a preview shows whole.
  private static let preview = 200
  /// The bytes of any value that is shown whole: a client keeps all texts that it shows.
  private static let largest = 1 << 16

  /// Strings, numbers and words as JSON text; containers as the beginning of it.
  static func text(of value: JSON) -> String {
    value.kind == .array || value.kind == .object ? short(value) : long(value)
  }

  /// The text, cut off where it is too long for any view.
  static func long(_ value: JSON) -> String {
    value.byteCount > largest ? value.excerpt(largest / 2) : value.text
  }

  /// The text, cut off after some characters.
  static func short(_ value: JSON) -> String {
    value.byteCount > preview ? value.excerpt(preview / 2) : value.text
  }

  static func type(of value: JSON) -> String {
    value.kind == .bool ? "boolean" : "\(value.kind)"
  }
}
