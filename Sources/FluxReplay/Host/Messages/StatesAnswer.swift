import FluxLog

/// The answer to `session/states`: `{"states":{store: state}}`.
struct StatesAnswer: Equatable {
  var states: StoreDictionary<JSON>

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("states")
    writer.beginObject()
    for (store, state) in states.ordered { writer.member(store, state) }
    writer.endObject()
    writer.endObject()
  }

  init(_ states: StoreDictionary<JSON>) { self.states = states }

  init(_ json: JSON) throws(MalformedMessage) {
    let members = try Message(json, called: "the states").object("states").members
    states = StoreDictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }
}
