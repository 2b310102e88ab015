package import FluxJSON
package import FluxLog

/// `initialize`: `{"protocol","client"?}`.
package struct Greeting: Equatable {
  package var version = HostProtocol.version
  package var client: String?

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("protocol", version)
    writer.member("client", client)
    writer.endObject()
  }

  package init(client: String?) { self.client = client }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the greeting")
    version = try message.string("protocol")
    client = try message.optionalString("client")
  }
}

/// The answer to `initialize`: `{"protocol","app":{…},"capabilities"?:{"verify"?}}`.
package struct Welcome: Equatable {
  package var version = HostProtocol.version
  package var app: AppDescription
  /// `true` if the host can verify a whole log.
  package var verifies: Bool

  package func write(to writer: inout JSONWriter) {
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

  package init(app: AppDescription, verifies: Bool) {
    self.app = app
    self.verifies = verifies
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the answer to initialize")
    version = try message.string("protocol")
    app = try AppDescription(try message.object("app"))
    let capabilities = try message.optionalObject("capabilities") ?? [:]
    verifies =
      try Message(capabilities, called: "the capabilities").optionalBool("verify") ?? false
  }
}

/// `session/states`, `session/end`, and the answer to `session/start`: `{"session"}`.
package struct SessionReference: Equatable {
  package var session: UInt64

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.endObject()
  }

  package init(_ session: UInt64) { self.session = session }

  package init(_ json: JSON) throws(MalformedMessage) {
    session = try Message(json, called: "the reference to a session").integer("session")
  }
}

/// The answer to `session/states`: `{"states":{store: state}}`.
package struct StatesAnswer: Equatable {
  package var states: StoreDictionary<JSON>

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("states")
    writer.beginObject()
    for (store, state) in states.ordered { writer.member(store, state) }
    writer.endObject()
    writer.endObject()
  }

  package init(_ states: StoreDictionary<JSON>) { self.states = states }

  package init(_ json: JSON) throws(MalformedMessage) {
    let members = try Message(json, called: "the states").object("states").members
    states = StoreDictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }
}

/// `session/upcast`: `{"session","states":[{"store","state"}]}`.
package struct UpcastRequest: Equatable {
  package var session: UInt64
  package var states: [RecordedState] = []

  package func write(to writer: inout JSONWriter) {
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

  package init(session: UInt64, states: [RecordedState]) {
    self.session = session
    self.states = states
  }

  package init(_ json: JSON) throws(MalformedMessage) {
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

/// The answer to `session/upcast`: `{"states":[…]}`, one for each state of the request, in the same order.
package struct UpcastAnswer: Equatable {
  package var states: [JSON]

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("states")
    writer.beginArray()
    for state in states { writer.raw(state) }
    writer.endArray()
    writer.endObject()
  }

  package init(_ states: [JSON]) { self.states = states }

  package init(_ json: JSON) throws(MalformedMessage) {
    states = Array(try Message(json, called: "the answer to upcast").array("states").elements)
  }
}

/// `session/dispatch`: `{"session","actions":[…]}`.
package struct DispatchRequest: Equatable {
  package var session: UInt64
  package var actions: ArraySlice<ReplayAction>

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.name("actions")
    writer.beginArray()
    for action in actions { action.write(to: &writer) }
    writer.endArray()
    writer.endObject()
  }

  package init(session: UInt64, actions: ArraySlice<ReplayAction>) {
    self.session = session
    self.actions = actions
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the request to dispatch")
    session = try message.integer("session")
    actions = []
    for action in try message.array("actions").elements {
      actions.append(try ReplayAction(action))
    }
  }
}

/// The answer to `session/dispatch`: `{"steps":[…]}`.
package struct DispatchAnswer: Equatable {
  package var steps: [ReplayedStep] = []

  package init(_ json: JSON) throws(MalformedMessage) {
    for step in try Message(json, called: "the answer to dispatch").array("steps").elements {
      steps.append(try ReplayedStep(step))
    }
  }
}

/// The notification `progress`: `{"request","step","of"?}`.
package struct Progress: Equatable {
  /// The id of the running request.
  package var request: JSON
  /// The last completed step.
  package var step: UInt64
  /// The last step of the request; nil if that is unknown.
  package var last: UInt64?

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("request", request)
    writer.member("step", step)
    writer.member("of", last)
    writer.endObject()
  }

  package init(request: JSON, step: UInt64, last: UInt64? = nil) {
    self.request = request
    self.step = step
    self.last = last
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the progress")
    request = json["request"] ?? .null
    step = try message.integer("step")
    last = try message.optionalInteger("of")
  }
}
