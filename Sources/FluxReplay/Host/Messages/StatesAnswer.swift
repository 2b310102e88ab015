import FluxLog

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
