import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// A test with typed actions, as far as the app can write them, and the values that it expects.
struct TestPlan {
  /// A value that the test expects.
  struct Expectation {
    let query: ValueQuery
    /// The value; nil if there should be none.
    let value: JSON?
  }

  /// An action of the test.
  struct Call {
    let action: ReplayAction
    /// The Swift expression of the action; nil if the app has none for it.
    let source: String?
  }

  let reproduction: Reproduction
  let expectations: [Expectation]
  let calls: [Call]
  /// The recorded start; nil if the test passes without it, and without the times of the actions.
  private(set) var start: SessionStart?
  /// The reason why the test fails in the app as it is now; nil if it passes, or if there is no app to try it.
  private(set) var problem: String?

  /// Plans a test that expects values of queries as they are in the states that the actions lead to.
  ///
  /// - Parameters:
  ///   - reproduction: The way to the states.
  ///   - queries: The values to expect.
  ///   - app: Writes the actions as Swift, and tries the test; nil if there is none.
  /// - Throws: `QueryError` if a query takes too long, `ReplayFailure` if the app is cancelled.
  init(
    _ reproduction: Reproduction, expecting queries: [ValueQuery], in app: (any ReplayApp)?
  ) throws {
    self.reproduction = reproduction
    expectations = try queries.map {
      Expectation(query: $0, value: try $0.value(in: reproduction.states))
    }
    let actions = reproduction.rootActions
    let sources = try app.map { try Self.sources(of: actions, in: $0) } ?? []
    calls = actions.enumerated().map { index, action in
      Call(action: action, source: index < sources.count ? sources[index] : nil)
    }
    var recorded = reproduction.start
    recorded.mode = .simulate
    start = recorded
    guard let app else { return }
    let bare = SessionStart(mode: .simulate, seed: 0, created: LogInstant(microseconds: 0))
    if try difference(in: app, from: bare, keepsTimes: false) == nil {
      start = nil
    } else {
      problem = try difference(in: app, from: recorded, keepsTimes: true)
    }
  }

  /// `true` if the app can write an action as Swift.
  var isTyped: Bool { calls.contains { $0.source != nil } }

  private static func sources(
    of actions: [ReplayAction], in app: any ReplayApp
  ) throws(ReplayFailure) -> [String?] {
    do {
      return try app.source(of: actions.map(\.action)).map { text in
        // The text of another program becomes source: it must be one line on which everything shows.
        text.flatMap { $0.unicodeScalars.allSatisfy(\.isPrintable) ? $0 : nil }
      }
    } catch {
      guard error.reason != .cancelled else { throw error }
      return []
    }
  }

  /// Dispatches the actions, and returns the first difference from what the test expects.
  private func difference(
    in app: any ReplayApp, from start: SessionStart, keepsTimes: Bool
  ) throws -> String? {
    let actions = calls.map { call in
      ReplayAction(
        time: keepsTimes ? call.action.time : start.time, action: call.action.action,
        target: call.action.target)
    }
    do {
      let session = try app.start(start)
      defer { session.end() }
      let steps = try session.dispatch(actions)
      if let rejection = reproduction.rejection, steps.last?.verdict != .rejected(rejection) {
        return "the last action has a different outcome"
      }
      let model = JSON(object: try session.states())
      for expectation in expectations {
        let value = try expectation.query.value(in: model)
        guard value != expectation.value else { continue }
        return "\(expectation.query.text) is \(value?.text.shortened ?? "missing")"
      }
      return nil
    } catch let failure as ReplayFailure {
      guard failure.reason != .cancelled else { throw failure }
      return failure.description
    }
  }
}

extension TestPlan {
  /// More places than this are told by the whole states of their stores.
  private static let mostPlaces = 8

  /// The queries for what a step changed, with their places after it.
  static func queries(for difference: Difference, in model: JSON) throws -> [ValueQuery] {
    var texts: [String] = []
    func add(_ text: String) { if !texts.contains(text) { texts.append(text) } }
    for entry in difference.readable {
      switch entry {
      case .value(let value): add(try text(for: value.path, isRemoved: value.new == nil, in: model))
      case .element(let element):
        let place = Pointer(
          tokens: element.array.tokens + [String(element.to ?? element.from ?? 0)])
        if element.kind == .moved {
          let key = Pointer(tokens: place.tokens + [element.member])
          add(try text(for: key, isRemoved: false, in: model))
        } else if element.kind != .changed {
          add(try text(for: place, isRemoved: element.kind == .removed, in: model))
        }
        for change in element.changes {
          add(try text(for: change.path, isRemoved: change.new == nil, in: model))
        }
      }
    }
    if texts.count > mostPlaces {
      texts = []
      for change in difference.changes {
        add(try text(for: Pointer(tokens: [change.store]), isRemoved: change.new == nil, in: model))
      }
    }
    return try texts.map { text throws(QueryError) in try ValueQuery(text) }
  }

  /// The query for a place; of a removed element, that for the length of its array.
  private static func text(for place: Pointer, isRemoved: Bool, in model: JSON) throws -> String {
    guard isRemoved else { return try shorthand(of: place, in: model) }
    let parent = Pointer(tokens: place.tokens.dropLast())
    // A feature that is gone has no place around it but the model.
    guard !parent.tokens.isEmpty else {
      return Location([.name("state"), .name(place.tokens.last ?? "")]).shorthand
    }
    let parentText = try shorthand(of: parent, in: model)
    let isElement = try ValueQuery(parentText).value(in: model)?.kind == .array
    guard !isElement else { return "length(\(parentText))" }
    return try location(of: parent, in: model).map { parent in
      Location(parent.elements + [.name(place.tokens.last ?? "")]).shorthand
    } ?? place.description
  }

  /// The place in the document of a step; nil if there is nothing.
  private static func location(of place: Pointer, in model: JSON) throws -> Location? {
    let document = QueryDocument(members: [.init("state") { QueryDocument(model) }])
    return try Path(place.description, dialect: .inspector).nodes(in: document).first?.location
  }

  /// A place as people write it: `todos.items[1].done`.
  private static func shorthand(of place: Pointer, in model: JSON) throws -> String {
    try location(of: place, in: model)?.shorthand ?? place.description
  }
}
