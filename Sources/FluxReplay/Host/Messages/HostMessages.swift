import FluxLog

// What the requests and answers of the protocol carry, both directions side by side.

/// `initialize`: `{"protocol","client"?}`.
struct Greeting: Equatable {
  var version = HostProtocol.version
  var client: String?

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("protocol", version)
    writer.member("client", client)
    writer.endObject()
  }

  init(client: String?) { self.client = client }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the greeting")
    version = try message.string("protocol")
    client = try message.optionalString("client")
  }
}

/// The answer to `initialize`: `{"protocol","app":{…},"capabilities"?:{"verify"?}}`.
struct Welcome: Equatable {
  var version = HostProtocol.version
  var app: AppDescription
  /// Whether the host can verify a whole log by itself.
  var verifies: Bool

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("protocol", version)
    writer.member("app", app.json)
    writer.name("capabilities")
    writer.beginObject()
    if verifies {
      writer.name("verify")
      writer.bool(true)
    }
    writer.endObject()
    writer.endObject()
  }

  init(app: AppDescription, verifies: Bool) {
    self.app = app
    self.verifies = verifies
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the answer to initialize")
    version = try message.string("protocol")
    app = try AppDescription(try message.object("app"))
    let capabilities = try message.optionalObject("capabilities") ?? [:]
    verifies =
      try Message(capabilities, called: "the capabilities").optionalBool("verify") ?? false
  }
}

/// `session/states`, `session/end`, and the answer to `session/start`: `{"session"}`.
struct SessionReference: Equatable {
  var session: UInt64

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.endObject()
  }

  init(_ session: UInt64) { self.session = session }

  init(_ json: JSON) throws(MalformedMessage) {
    session = try Message(json, called: "the reference to a session").integer("session")
  }
}

/// `session/dispatch`: `{"session","actions":[…]}`.
struct DispatchRequest: Equatable {
  var session: UInt64
  var actions: ArraySlice<ReplayAction>

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.name("actions")
    writer.beginArray()
    for action in actions { action.write(to: &writer) }
    writer.endArray()
    writer.endObject()
  }

  init(session: UInt64, actions: ArraySlice<ReplayAction>) {
    self.session = session
    self.actions = actions
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the request to dispatch")
    session = try message.integer("session")
    actions = []
    for action in try message.array("actions").elements {
      actions.append(try ReplayAction(action))
    }
  }
}

/// The answer to `session/dispatch`: `{"steps":[…]}`.
struct DispatchAnswer: Equatable {
  var steps: [ReplayedStep] = []

  init(_ json: JSON) throws(MalformedMessage) {
    for step in try Message(json, called: "the answer to dispatch").array("steps").elements {
      steps.append(try ReplayedStep(step))
    }
  }
}

/// The answer to `session/states`: `{"states":{store: state}}`.
struct StatesAnswer: Equatable {
  var states: [String: JSON]

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("states")
    writer.beginObject()
    for (store, state) in states.sorted(by: { $0.key < $1.key }) { writer.member(store, state) }
    writer.endObject()
    writer.endObject()
  }

  init(_ states: [String: JSON]) { self.states = states }

  init(_ json: JSON) throws(MalformedMessage) {
    let members = try Message(json, called: "the states").object("states").members
    states = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }
}

/// `session/upcast`: `{"session","states":[{"store","state"}]}`.
struct UpcastRequest: Equatable {
  var session: UInt64
  var states: [RecordedState] = []

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.name("states")
    writer.beginArray()
    for state in states {
      writer.beginObject()
      writer.member("store", state.store)
      writer.member("state", state.state)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  init(session: UInt64, states: [RecordedState]) {
    self.session = session
    self.states = states
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the request to upcast")
    session = try message.integer("session")
    for state in try message.array("states").elements {
      let store = try Message(state, called: "a state to upcast").string("store")
      guard let value = state["state"] else {
        throw MalformedMessage(
          subject: "a state to upcast", member: "state", expected: "a value", found: nil)
      }
      states.append(RecordedState(store: store, state: value))
    }
  }
}

/// The answer to `session/upcast`: `{"states":[…]}`, as many and in the same order.
struct UpcastAnswer: Equatable {
  var states: [JSON]

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("states")
    writer.beginArray()
    for state in states { writer.raw(state) }
    writer.endArray()
    writer.endObject()
  }

  init(_ states: [JSON]) { self.states = states }

  init(_ json: JSON) throws(MalformedMessage) {
    states = Array(try Message(json, called: "the answer to upcast").array("states").elements)
  }
}

/// The notification `progress`: `{"request","step","of"?}`.
struct Progress: Equatable {
  /// The id of the request that goes on.
  var request: JSON
  /// The step that has run last.
  var step: UInt64
  /// The last step of all, where it is known.
  var last: UInt64?

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("request", request)
    writer.member("step", step)
    writer.member("of", last)
    writer.endObject()
  }

  init(request: JSON, step: UInt64, last: UInt64? = nil) {
    self.request = request
    self.step = step
    self.last = last
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the progress")
    request = json["request"] ?? .null
    step = try message.integer("step")
    last = try message.optionalInteger("of")
  }
}
