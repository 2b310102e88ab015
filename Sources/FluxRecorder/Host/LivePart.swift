import FluxCore
import FluxJSON
import FluxLog
import FluxReplay

/// The part `live`: shows models in the running app, sets it to them, and dispatches actions.
final class LivePart: AppPart, @unchecked Sendable {
  // Sendable: only the jobs of `queue` use the variables.

  let name = AppProtocol.Part.live
  let queue = JobQueue("flux.live")
  private let dispatcher: Dispatcher
  private let recorder: Recorder
  private let models: KeptModels
  private let events: LiveQueue
  private let log: LogPart?
  private var clients: [AppClient] = []
  /// The client whose model the app's views show, and the event that has told of it.
  private var presented: (by: AppClient, event: LiveNotification)?
  /// Removes the tap from the dispatcher, which has it while a client is attached.
  private var removeTap: (@Sendable () -> Void)?

  init(
    _ dispatcher: Dispatcher, _ recorder: Recorder, _ models: KeptModels, _ events: LiveQueue,
    _ log: LogPart? = nil
  ) {
    (self.dispatcher, self.recorder) = (dispatcher, recorder)
    (self.models, self.events, self.log) = (models, events, log)
  }

  func join(_ client: AppClient) {
    if clients.isEmpty {
      let tap = LiveTap(queue: events, models: models, recorder: recorder)
      removeTap = dispatcher.install(tap)
    }
    clients.append(client)
  }

  func leave(_ client: AppClient) {
    clients.removeAll { $0 === client }
    if presented?.by === client { resume() }
    guard clients.isEmpty else { return }
    removeTap?()
    removeTap = nil
    // The steps that still wait have models, too.
    events.append(.released)
  }

  private func resume() {
    dispatcher.endPresenting()
    guard presented != nil else { return }
    presented = nil
    events.append(.happened(.resumed))
  }

  func answer(_ request: AppRequest) throws -> any Encodable {
    switch try LiveRequest(request.method, request.params) {
    case .watch:
      // The client has missed it; for the others, nothing changes.
      if let presented { events.append(.happened(presented.event)) }
    case .present(let position, let ignoresActions):
      let model = if let position { try model(at: position) } else { dispatcher.model }
      try dispatcher.present(model, whilePresenting: ignoresActions ? .ignoring : .dispatching)
      let event = LiveNotification.presenting(
        step: position?.step, ignoresActions: ignoresActions)
      presented = (request.client, event)
      events.append(.happened(event))
    case .resume: resume()
    case .restore(let position):
      if let place = position.states?.firstRedactedPlace {
        throw RPCError(
          .failed,
          "the log has no value for \(place), which is redacted, and the app no longer has the model after step "
            + "\(position.step); it can be shown, but not restored")
      }
      // The gap is in the file afterwards.
      try dispatcher.resume(in: try model(at: position))
      resume()
      // The place in the log after the gap, for a client that follows it.
      return log?.place(for: request.client).map { ["place": $0] } ?? [:]
    case .dispatch(let action, let target):
      var answer = try dispatch(action, to: target)
      answer.place = log?.place(for: request.client)
      return answer
    }
    return [:] as JSON
  }

  func deliver(_ send: @escaping @Sendable () -> Void) { events.append(.answered(send)) }

  // MARK: Models

  private func model(at position: LivePosition) throws(RPCError) -> Model {
    if let model = models.model(after: position.step) { return model }
    guard let recorded = position.states else { throw .forgotten(step: position.step) }
    let states = RestoredStates(recorded, Evolution())
    let model = dispatcher.model(of: states)
    // The states of other stores would be left out without a word.
    let stores = Set(model.stores.map { BytewiseName($0.rawValue) })
    let unknown = recorded.ordered.map(\.key).filter { !stores.contains(BytewiseName($0)) }
    var problems = states.problems
    for index in problems.indices { problems[index].why = redacted(problems[index].why) }
    problems += unknown.map { .init(store: $0, why: "it has no store of that name") }
    guard problems.isEmpty else { throw RPCError(ReplayFailure(.statesNotRestorable(problems))) }
    return model
  }

  /// Returns a text of the app's code as the recorder would write it; such a text may contain any of the app's values.
  private func redacted(_ text: String) -> String {
    do throws(LogError) {
      // Texts that may have a copy of a forgotten secret become tokens.
      return try recorder.recording().redactor.forOthers().rewrite(text)
    } catch {
      return "the reason cannot be redacted, because nothing was recorded"
    }
  }

  // MARK: Dispatching

  private func dispatch(_ json: JSON, to target: String?) throws(RPCError) -> LiveDispatched {
    if let place = json.firstRedactedPlace {
      throw .undecodable("the value at \(Pointer(tokens: place)) of the action is redacted")
    }
    let action: any Action
    do {
      action = try ActionCoder(types: dispatcher.actionTypes).decode(json)
    } catch {
      throw .undecodable(error.replacingTexts(by: redacted).description)
    }
    let outcome = dispatcher.dispatch(action, to: target.map { StoreID($0) })
    do {
      // The client reads the steps in the log.
      try recorder.flush()
    } catch {
      // The recorder has reported that it records no more; the action was dispatched all the same.
    }
    return LiveDispatched(
      verdict: outcome.result.name, step: outcome.step,
      last: outcome.step.map { max($0, events.lastStep) })
  }
}

extension Outcome.Result {
  /// The result in one word, as clients and profilers get it.
  var name: String {
    switch self {
    case .changed: "changed"
    case .unchanged: "unchanged"
    case .rejected: "rejected"
    case .queued: "queued"
    case .ignored: "ignored"
    }
  }
}

extension JSON {
  /// The place of the first token of a redacted value; nil if there is none.
  fileprivate var firstRedactedPlace: [String]? {
    for part in parts {
      if let place = part.value.firstRedactedPlace { return [part.step.token] + place }
    }
    return isRedactionToken ? [] : nil
  }
}

extension StoreDictionary<JSON> {
  /// The place of the first token of a redacted value, from the model; nil if there is none.
  fileprivate var firstRedactedPlace: Pointer? {
    for (store, state) in ordered {
      if let place = state.firstRedactedPlace { return Pointer(tokens: [store] + place) }
    }
    return nil
  }
}
