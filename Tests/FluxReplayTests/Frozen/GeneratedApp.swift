import FluxJSON
import FluxLog
import FluxReplay
import Synchronization

/// An app in this process whose actions say what happens, and whose reducers have faults that a test chooses.
///
/// Its stores are `cart`, `list` and the feature `search`. A state is a flat object.
struct GeneratedApp: ReplayApp {
  /// A way in which the app behaves otherwise than when the log was recorded, from step `first` on.
  struct Fault: Sendable {
    enum Kind: CaseIterable {
      case value, member, lostMember, factor, rejects, accepts, reason, message, undecodable
      case noFollowUp, otherFollowUp, moreFollowUps, noEffect, otherEffect, effectOrder
      case exits, fewerSteps, noSecret, fewerSecrets, alternates, environment, ignoresCards, drift
    }

    var kind: Kind
    var first: UInt64
    /// `true` if only step `first` has the fault.
    var isOnce: Bool

    func applies(to step: UInt64) -> Bool { isOnce ? step == first : step >= first }
  }

  /// A fault of the states in which a session starts.
  enum Start { case sound, unfit, unfitToken, dropsMember }

  static let stores = ["cart", "list", "search"]

  var description = AppDescription(
    stores: [
      .init(name: "cart"), .init(name: "list"), .init(name: "search", isFeature: true),
    ],
    actionTypes: ["app"], tells: [.effects, .cancels, .messages])
  var faults: [Fault] = []
  var start = Start.sound
  /// `true` if it can run in another environment, as an app in another process can.
  var hasEnvironments = false
  var environment = 0
  /// The number of sessions: each start of a reducer with the fault `alternates` has another state.
  let sessions = Counter()

  final class Counter: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
      count.withLock {
        $0 += 1; return $0
      }
    }
  }

  func describe() -> AppDescription { description }

  func elsewhere(at instant: LogInstant) -> (any ReplayApp)? {
    guard hasEnvironments else { return nil }
    var other = self
    other.environment = 1
    return other
  }

  func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    try Session(self, start)
  }

  /// The name that a store of the log has in the app.
  func name(_ store: String) -> String { description.storeAliases[store] ?? store }

  static func initial(_ store: String) -> [String: JSON]? {
    switch store {
    case "cart", "basket": ["count": 0, "text": "empty"]
    case "list": ["count": 1]
    default: nil
    }
  }

  /// The current form of a state.
  static func upcast(_ state: [String: JSON]) -> [String: JSON] {
    var state = state
    if let title = state.removeValue(forKey: "text") { state["title"] = title }
    return state
  }
}

extension GeneratedApp {
  final class Session: ReplaySession {
    private let app: GeneratedApp
    private let start: SessionStart
    private let ordinal: Int
    private(set) var current: [String: [String: JSON]] = [:]
    private var next: UInt64
    private var isOver = false

    init(_ app: GeneratedApp, _ start: SessionStart) throws(ReplayFailure) {
      (self.app, self.start) = (app, start)
      ordinal = app.sessions.next()
      next = start.next
      var problems: [ReplayFailure.StateProblem] = []
      for store in app.description.stores {
        current[store.name] =
          start.states == nil || !store.isFeature
          ? GeneratedApp.initial(store.name) : nil
      }
      for (store, json) in start.states?.ordered ?? [] {
        let hasToken = json["card"]?.string?.hasPrefix("<redacted ") ?? false
        if app.start == .unfit, json["count"]?.number?.int64 ?? 0 > 40 {
          problems.append(.init(store: store, why: "count is above 40"))
        } else if app.start == .unfitToken, hasToken {
          problems.append(.init(store: store, why: "card is no number", redacted: "/card"))
        }
        var state = Dictionary(uniqueKeysWithValues: json.members.map { ($0.name, $0.value) })
        if app.description.upcastStores.contains(store) { state = GeneratedApp.upcast(state) }
        if app.start == .dropsMember { state["at"] = nil }
        current[app.name(store)] = state
      }
      guard problems.isEmpty else { throw ReplayFailure(.statesNotRestorable(problems)) }
    }

    func end() { isOver = true }

    func states() throws(ReplayFailure) -> StoreDictionary<JSON> {
      guard !isOver else { throw ReplayFailure(.ended) }
      var states: StoreDictionary<JSON> = [:]
      for (store, state) in current { states[store] = JSON(object: state) }
      return states
    }

    func upcast(_ states: [RecordedState]) -> [JSON] {
      states.map { recorded in
        JSON(
          object: GeneratedApp.upcast(
            Dictionary(uniqueKeysWithValues: recorded.state.members.map { ($0.name, $0.value) })))
      }
    }

    func dispatch(_ actions: [ReplayAction]) throws(ReplayFailure) -> [ReplayedStep] {
      guard !isOver else { throw ReplayFailure(.ended) }
      var steps: [ReplayedStep] = []
      for action in actions {
        let number = start.mode == .replay ? action.number ?? next : next
        if has(.exits, number) {
          var failure = ReplayFailure(
            .exited(.status(3)), step: number, action: action.action["type"]?.string)
          failure.completed = steps
          throw failure
        }
        var queue = [(action: action, cause: UInt64?.none)]
        while !queue.isEmpty {
          let (action, cause) = queue.removeFirst()
          let number = start.mode == .replay ? action.number ?? next : next
          next = number + 1
          var step = run(action, number)
          if let cause {
            (step.cause, step.action, step.target) = (cause, action.action, action.target)
          }
          steps.append(step)
          if start.mode == .simulate {
            queue += step.followUps.map { followUp in
              (
                ReplayAction(time: action.time, action: followUp.action, target: followUp.target),
                number
              )
            }
          }
        }
      }
      if let last = steps.last, has(.fewerSteps, last.number) { steps.removeLast() }
      return steps
    }

    private func has(_ kind: Fault.Kind, _ number: UInt64) -> Bool {
      app.faults.contains { $0.kind == kind && $0.applies(to: number) }
    }

    private struct Refusal: Error { let rejection: LogRejection }

    private func run(_ given: ReplayAction, _ number: UInt64) -> ReplayedStep {
      var step = ReplayedStep(number: number, time: given.time)
      let action = given.action
      let payload = action["payload"]
      if has(.undecodable, number) {
        step.outcome = .undecodable("there is no such case")
        if payload?["card"]?.isRedactionToken == true { step.redacted = "/card" }
        return step
      }
      if has(.noSecret, number), action["type"] == "app/secret" { step.needsSecret = true }
      var draft = current
      do throws(Refusal) {
        try reduce(action, given, &draft, &step)
        spoil(action, &draft, &step)
        if has(.rejects, number) {
          throw Refusal(
            rejection: LogRejection(reason: "refused", message: "closed", store: app.name("cart")))
        }
      } catch {
        var rejection = error.rejection
        if has(.reason, number) { rejection.reason = "impossible" }
        if has(.message, number) { rejection.message += "!" }
        step.followUps = []
        (step.effects, step.storeEffects) = ([], nil)
        if has(.accepts, number) { return step }
        step.outcome = .rejected(rejection)
        return step
      }
      for store in app.description.stores.map(\.name) where draft[store] != current[store] {
        step.changes.append(.init(store: store, state: draft[store].map { JSON(object: $0) }))
      }
      current = draft
      return step
    }

    private func reduce(
      _ action: JSON, _ given: ReplayAction, _ draft: inout [String: [String: JSON]],
      _ step: inout ReplayedStep
    ) throws(Refusal) {
      let payload = action["payload"]
      let store = app.name(payload?["store"]?.string ?? "cart")
      guard app.description.stores.contains(where: { $0.name == store }),
        given.target.map({ app.name($0) == store }) ?? true
      else { throw refusal("unhandled", "no store handles it", nil) }
      guard action["type"] == "app/open" || draft[store] != nil else {
        throw refusal("impossible", "\(store) is absent", store)
      }
      switch action["type"]?.string {
      case "app/set": draft[store]?[payload?["member"]?.string ?? "a"] = payload?["value"] ?? .null
      case "app/add":
        let factor: Int64 = has(.factor, step.number) ? 2 : 1
        let count = draft[store]?["count"]?.number?.int64 ?? 0
        let sum = count + (payload?["amount"]?.number?.int64 ?? 1) * factor
        if sum > 90 { throw refusal("refused", "\(store) is full: \(count)", store) }
        draft[store]?["count"] = JSON(integerLiteral: sum)
        let drift = has(.drift, step.number) ? 1e-13 : 0
        draft[store]?["share"] = JSON(floatLiteral: Double(sum) / 3 + drift)
        // Shows at another place that an earlier step differed.
        if sum % 4 == 0 { draft[store]?["quarter"] = JSON(integerLiteral: sum / 4) }
      case "app/stamp":
        draft[store]?["at"] = JSON(integerLiteral: Int64(clamping: step.time.microseconds))
        let dice = JSON(integerLiteral: Int64((start.seed ^ step.number &* 0x9E37_79B9) % 60))
        var throwing: [String: JSON] = [
          "dice": dice, "step": JSON(integerLiteral: Int64(step.number)),
        ]
        if has(.member, step.number) { throwing["added"] = "new" }
        draft[store]?["throw"] = JSON(object: throwing)
      case "app/chain":
        for followUp in payload?["actions"]?.elements.map(\.self) ?? [] {
          step.followUps.append(.init(action: followUp, target: payload?["to"]?.string))
        }
        draft[store]?["chained"] = true
      case "app/fetch":
        var effects = StoreEffects(store: store)
        if payload?["again"] != nil { effects.cancel("fetch") }
        effects.start("fetch")
        step.effects = ["fetch"]
        step.storeEffects = [effects]
      case "app/open": draft[store] = ["text": "open"]
      case "app/close": draft[store] = nil
      case "app/secret":
        if given.secrets.isEmpty, start.mode == .replay { step.needsSecret = true }
        if has(.fewerSecrets, step.number) { step.unusedSecrets = given.secrets.count }
        draft[store]?["token"] = JSON(
          stringLiteral: given.secrets.first ?? "token-\(step.number)")
      case "app/pay":
        let card = payload?["card"] ?? ""
        draft[store]?["card"] = card
        draft[store]?["paid"] = JSON(
          booleanLiteral: has(.ignoresCards, step.number) || (card.string?.utf8.count ?? 0) < 20)
      case "app/refuse":
        throw refusal("refused", "no: \(draft[store]?["text"]?.string ?? "")", store)
      default: throw refusal("unhandled", "no store handles it", nil)
      }
    }

    private func refusal(_ reason: String, _ message: String, _ store: String?) -> Refusal {
      Refusal(rejection: LogRejection(reason: reason, message: message, store: store))
    }

    /// Applies the faults of accepted steps.
    private func spoil(
      _ action: JSON, _ draft: inout [String: [String: JSON]], _ step: inout ReplayedStep
    ) {
      let number = step.number
      let cart = app.name("cart")
      if has(.value, number) { draft[cart]?["count"] = JSON(integerLiteral: Int64(number)) }
      if has(.lostMember, number) { draft["list"]?["share"] = nil }
      if has(.alternates, number) {
        draft[cart]?["noise"] = JSON(integerLiteral: Int64(ordinal % 2))
      }
      if has(.environment, number) {
        draft["list"]?["home"] = JSON(stringLiteral: "/home/\(app.environment)")
      }
      if has(.noFollowUp, number), !step.followUps.isEmpty { step.followUps.removeFirst() }
      if has(.otherFollowUp, number), !step.followUps.isEmpty {
        step.followUps[0].action = ["type": "app/stamp", "payload": ["store": "list"]]
      }
      // A stamp follows an addition, and nothing follows a stamp.
      if has(.moreFollowUps, number), action["type"] == "app/add" {
        step.followUps.append(.init(action: ["type": "app/stamp", "payload": ["store": "list"]]))
      }
      if has(.noEffect, number) { (step.effects, step.storeEffects) = ([], nil) }
      if has(.otherEffect, number), !step.effects.isEmpty {
        (step.effects, step.storeEffects) = (["load"], [.init(store: cart, names: ["load"])])
      }
      if has(.effectOrder, number) {
        step.storeEffects = step.storeEffects?.map {
          .init(store: $0.store, names: $0.names.reversed())
        }
      }
    }
  }
}

extension JSON {
  /// An object with members in the order of their names.
  init(object: [String: JSON]) {
    self.init(writing: { writer in
      writer.beginObject()
      for (name, value) in object.sorted(by: { $0.key < $1.key }) {
        writer.name(name)
        writer.raw(value)
      }
      writer.endObject()
    })
  }
}
