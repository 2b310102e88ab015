import FluxInspector
import FluxJSON
import FluxLog

// Requests about values by name, and about the recording as a whole.
extension Reader {
  // MARK: Evaluating

  /// The value of a path, a function call or an expression in the frame.
  func evaluate(_ arguments: EvaluateArguments) throws -> EvaluateBody {
    try evaluate(
      arguments.expression, at: place(ofFrame: arguments.frameId),
      isWhole: arguments.context == "clipboard")
  }

  func evaluate(_ text: String, at place: Place, isWhole: Bool = false) throws -> EvaluateBody {
    let query: ValueQuery
    do {
      query = try ValueQuery(text)
    } catch {
      throw RequestError(error.message)
    }
    let (value, location) = try value(of: query, at: place)
    let children = children(
      of: value,
      in: location.map { .value(place, .document, $0.elements) }
        ?? .value(place, handles.keep(value), []))
    return EvaluateBody(
      result: isWhole ? value.pretty() : ValueText.text(of: value),
      type: ValueText.type(of: value), variablesReference: children.reference,
      namedVariables: children.named, indexedVariables: children.indexed)
  }

  /// The value of a question: one value, or the array of those that a path selects.
  ///
  /// - Returns: The value, and its location if it is a place of the document.
  private func value(
    of query: ValueQuery, at place: Place
  ) throws -> (value: JSON, location: Location?) {
    let session = try at(place)
    switch query {
    case .expression(let expression): return (try session.value(of: expression).value, nil)
    case .path(let path):
      let values = try session.values(at: path).values
      if path.isSingular, let only = values.first { return (only.value, only.location) }
      return (JSON(array: values.map(\.value)), nil)
    }
  }

  /// The text of a log point's message at a step, after the name of the step: many messages of a move look the same.
  func text(of message: LogMessage, at place: Place) throws -> String {
    let title = try title(of: at(place))
    return try message.parts.reduce(into: "\(title): ") { result, part in
      switch part {
      case .text(let text): result += text
      case .value(let text, let query):
        do {
          result += ValueText.long(try value(of: query, at: place).value)
        } catch let error as CommandError where error.code == .cancelled {
          throw error
        } catch {
          // A value that is not there must not end the search.
          result += "{\(text): nothing}"
        }
      }
    }
  }

  // MARK: Data breakpoints

  /// The path of a variable, which a data breakpoint watches; nil for what no step writes.
  func dataBreakpoint(_ arguments: DataBreakpointInfoArguments) throws -> DataBreakpointInfoBody {
    guard let path = try path(of: arguments) else {
      return DataBreakpointInfoBody(
        dataId: Nullable(nil), description: "\(arguments.name) is not a part of a state",
        accessTypes: nil)
    }
    return DataBreakpointInfoBody(dataId: Nullable(path), description: path, accessTypes: ["write"])
  }

  private func path(of arguments: DataBreakpointInfoArguments) throws -> String? {
    guard let reference = arguments.variablesReference, reference > 0 else {
      do {
        return try ValueQuery(arguments.name).text
      } catch {
        return nil
      }
    }
    guard
      let elements = try elements(of: arguments.name, in: container(reference))?.elements,
      elements.first == .name("state")
    else { return nil }
    return Location(elements).shorthand
  }

  /// The place of a variable in the document; nil for one that is not a part of it.
  func elements(
    of name: String, in container: Handles.Container
  ) throws -> (place: Place, elements: [Location.Element])? {
    let (place, elements): (Place, [Location.Element])
    switch container {
    case .store(let at, let store):
      (place, elements) = (at, [.name("state"), .name(store.text)])
      let state = try self.at(at).currentState(of: store.text)
      if let state, state.kind != .object, state.kind != .array, name == store.text {
        return (place, elements)
      }
    case .value(let at, .document, let path), .group(let at, .document, let path, _):
      (place, elements) = (at, path)
    case .action, .changes, .change, .finding, .value, .group: return nil
    }
    let parent = try value(at: place, .document, elements)
    if parent.kind == .array {
      guard let index = Int(name), parent[index] != nil else { return nil }
      return (place, elements + [.index(index)])
    }
    return parent[name] == nil ? nil : (place, elements + [.name(name)])
  }

  // MARK: The recording

  func modules(_ arguments: ModulesArguments) throws -> ModulesBody {
    let stores = try at(place(ofThread: Place.recordingThread)).stores().stores
    let modules = stores.map { store in
      let bytes = store.byteCount.map { ", \($0) bytes" } ?? ""
      let origin = store.isReflected == true ? ", recorded by reflection" : ""
      return Module(
        id: store.name, name: store.name, symbolStatus: store.state.rawValue + bytes + origin,
        version: store.type)
    }
    let start = max(0, arguments.startModule ?? 0)
    let count = arguments.moduleCount.flatMap { $0 > 0 ? $0 : nil } ?? .max
    return ModulesBody(
      modules: Array(modules.dropFirst(start).prefix(count)), totalModules: modules.count)
  }

  func exception(_ arguments: ThreadArguments) throws -> ExceptionInfoBody {
    _ = try place(ofThread: arguments.threadId)
    guard let exception = exceptions[arguments.threadId] else {
      throw RequestError("thread \(arguments.threadId) has not stopped at an exception")
    }
    return ExceptionInfoBody(
      exceptionId: exception.kind.rawValue, description: exception.description,
      details: .init(message: exception.message, typeName: exception.kind.rawValue))
  }
}
