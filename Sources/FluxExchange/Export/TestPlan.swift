import FluxInspector
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
  /// The expression that the test expects to be false after the last action: it is true because of a bug.
  let bug: QueryExpression?
  let expectations: [Expectation]
  let calls: [Call]
  /// The modules that the expressions of the actions need, and those of the stores.
  let modules: [String]
  /// The recorded start; nil if the test does the same without it, and without the times of the actions.
  private(set) var start: SessionStart?
  /// `true` if the actions draw the random numbers of the steps that they repeat.
  private(set) var keepsRandomSteps = false
  /// `true` if the test fails in the app as it is now; nil if there is no app to try it.
  private(set) var fails: Bool?
  /// The remarks on what the test does in the app as it is now.
  private(set) var notes: [String] = []

  /// Plans a test that expects values of queries as they are in the states that the actions lead to, or a bug to be gone.
  ///
  /// The app writes the actions as Swift, and tries the test; nil if there is none. A bug is an expression to be false.
  ///
  /// - Throws: `QueryError` if a query takes too long, `ReplayFailure` if the app is cancelled.
  init(
    _ reproduction: Reproduction, expecting queries: [ValueQuery], not bug: QueryExpression? = nil,
    in app: (any ReplayApp)?
  ) throws {
    self.reproduction = reproduction
    self.bug = bug
    expectations = try queries.map {
      Expectation(query: $0, value: try $0.value(in: reproduction.states))
    }
    let actions = reproduction.rootActions
    let (sources, modules) = try app.map { try Self.sources(of: actions, in: $0) } ?? ([], [])
    self.modules = modules
    calls = actions.enumerated().map { index, action in
      Call(action: action, source: index < sources.count ? sources[index] : nil)
    }
    var recorded = reproduction.start
    recorded.mode = .simulate
    guard let app else {
      (start, keepsRandomSteps) = (recorded, true)
      return
    }
    // Each trial has more of the recording than the one before it; the first that does the same is the test.
    start = nil
    var trial = try self.trial(of: calls, in: app)
    if try departure(of: trial) != nil {
      start = recorded
      trial = try self.trial(of: calls, in: app)
    }
    if try departure(of: trial) != nil {
      keepsRandomSteps = true
      trial = try self.trial(of: calls, in: app)
    }
    try judge(trial)
    try checkThatItCanFail(in: app)
  }

  /// `true` if the app can write an action as Swift.
  var isTyped: Bool { calls.contains { $0.source != nil } }

  private static func sources(
    of actions: [ReplayAction], in app: any ReplayApp
  ) throws(ReplayFailure) -> (sources: [String?], modules: [String]) {
    do {
      let told = try app.toldSource(of: actions.map(\.action))
      let sources = told.sources.map { text in
        // The text of another program becomes source: it must be one line on which everything shows.
        text.flatMap { $0.unicodeScalars.allSatisfy(\.isPrintable) ? $0 : nil }
      }
      return (sources, told.modules ?? [])
    } catch {
      guard error.reason != .cancelled else { throw error }
      return ([], [])
    }
  }

  // MARK: Trials

  /// Runs actions as the test does.
  private func trial(
    of calls: some Sequence<Call>, in app: any ReplayApp
  ) throws(ReplayFailure) -> Trial {
    try Trial(
      calls.map { given($0.action) }, in: app,
      from: start ?? SessionStart(mode: .simulate, seed: 0, created: LogInstant(microseconds: 0)))
  }

  /// Returns an action with what the test keeps of it.
  func given(_ action: ReplayAction) -> ReplayAction {
    var given = action
    if start == nil { (given.time, given.followUpTimes) = (LogTime(microseconds: 0), nil) }
    if given.followUpTimes == [] { given.followUpTimes = nil }
    if !keepsRandomSteps { given.randomStep = nil }
    return given
  }

  /// Returns the first difference of a trial from what the actions led to in the recording; nil if there is none.
  private func departure(of trial: Trial) throws -> String? {
    if let failure = trial.failure { return failure }
    if let bug {
      return try trial.history.stepCount(where: bug) == nil ? "\(bug.text) is false" : nil
    }
    if let rejection = reproduction.rejection, trial.outcome != .rejected(rejection) {
      return "the last action has a different outcome"
    }
    let model = trial.model
    for expectation in expectations {
      let value = try expectation.query.value(in: model)
      guard value != expectation.value else { continue }
      return "\(expectation.query.text) is \(value?.excerpt(100) ?? "missing")"
    }
    return nil
  }

  /// Notes what the test does in the app as it is now.
  private mutating func judge(_ trial: Trial) throws {
    let departure = try departure(of: trial)
    // A test of a bug passes where the bug is gone.
    fails = trial.failure != nil || (departure == nil) == (bug != nil)
    guard let departure else { return }
    if fails == true {
      notes.append("with the app as it is now, the test fails: \(departure)")
    } else {
      notes.append("with the app as it is now, the test passes already: \(departure)")
    }
  }

  /// Runs fewer actions, and notes that the test does not depend on them.
  private mutating func checkThatItCanFail(in app: any ReplayApp) throws {
    func isReached(by calls: some Sequence<Call>) throws -> Bool {
      let trial = try trial(of: calls, in: app)
      return try trial.failure == nil && departure(of: trial) == nil
    }
    guard fails == (bug != nil), !calls.isEmpty else { return }
    if try isReached(by: []) {
      let whatever = "whatever the actions do"
      notes.append(
        bug.map { "\($0.text) is true at the start, so the test fails \(whatever)" }
          ?? "the expected values are those of the start, so the test passes \(whatever); "
          + "--because EXPR tests that a bug is gone")
    } else if bug == nil, calls.count > 1, try isReached(by: calls.dropLast()) {
      let type = calls[calls.count - 1].action.action["type"]?.string ?? ""
      notes.append("the test passes without its last action, \(type), too")
    }
  }
}

/// The actions of a test, dispatched in fresh stores.
private struct Trial {
  private(set) var history: ForkHistory
  private(set) var model: JSON
  /// The outcome of the last action; nil without actions.
  private(set) var outcome: ReplayedStep.Outcome?
  /// The reason why the actions did not run to the end.
  private(set) var failure: String?

  /// Runs the actions; a failure of the app is a result.
  ///
  /// - Throws: `ReplayFailure` if the app is cancelled.
  init(
    _ actions: [ReplayAction], in app: any ReplayApp, from start: SessionStart
  ) throws(ReplayFailure) {
    history = ForkHistory(beginningIn: [:], first: start.next)
    model = .null
    do {
      let session = try app.start(start)
      defer { session.end() }
      history = ForkHistory(beginningIn: try session.states(), first: start.next)
      let steps = try session.dispatch(actions)
      history.append(steps, of: actions)
      model = JSON(object: try session.states().ordered.map { ($0.key, $0.value) })
      outcome = steps.last { $0.cause == nil }?.outcome
      for step in steps {
        if case .undecodable(let why) = step.outcome {
          failure = "the app cannot decode an action: \(why)"
        }
      }
    } catch {
      guard error.reason != .cancelled else { throw error }
      failure = error.description
    }
  }
}

extension TestPlan {
  /// More places than this are told by the whole states of their stores.
  private static let mostPlaces = 8
  /// The length of an array up to which a test lists its elements; of a longer one, it expects the length.
  private static let mostElements = 50

  /// The queries for what a step changed, with their places after it.
  static func queries(for difference: FluxInspector.Difference, in model: JSON) throws
    -> [ValueQuery]
  {
    var texts: [String] = []
    func add(_ text: String) { if !texts.contains(exactly: text) { texts.append(text) } }
    for entry in difference.readable {
      switch entry {
      case .value(let value): add(try text(for: value.path, isRemoved: value.new == nil, in: model))
      case .element(let element):
        switch element.kind {
        case .added:
          let place = Pointer(tokens: element.array.tokens + [String(element.to ?? 0)])
          add(try text(for: place, isRemoved: false, in: model))
        case .removed, .moved: add(try keys(of: element.array, by: element.member, in: model))
        case .changed: break
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

  /// The query for the keys of all elements of an array, in order: the length alone would not tell which one was removed.
  private static func keys(of array: Pointer, by member: String, in model: JSON) throws -> String {
    let text = try shorthand(of: array, in: model)
    guard let location = try location(of: array, in: model),
      try isShort(ValueQuery(text).value(in: model))
    else { return "length(\(text))" }
    let element = Location(location.elements + [.index(0)])
    let key = Location(element.elements + [.name(member)]).shorthand
    return "\(text)[*]\(key.dropFirst(element.shorthand.count))"
  }

  /// `true` if a test can list the elements of an array; of an empty one, the length says everything.
  private static func isShort(_ array: JSON?) -> Bool {
    array.map { (1...mostElements).contains($0.count) } ?? false
  }

  /// The query for a place; of a removed element, that for its array.
  private static func text(for place: Pointer, isRemoved: Bool, in model: JSON) throws -> String {
    guard isRemoved else { return try shorthand(of: place, in: model) }
    let parent = Pointer(tokens: place.tokens.dropLast())
    // A feature that is gone has no place around it but the model.
    guard !parent.tokens.isEmpty else {
      return Location([.name("state"), .name(place.tokens.last ?? "")]).shorthand
    }
    let parentText = try shorthand(of: parent, in: model)
    let around = try ValueQuery(parentText).value(in: model)
    guard around?.kind != .array else {
      return isShort(around) ? parentText : "length(\(parentText))"
    }
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
