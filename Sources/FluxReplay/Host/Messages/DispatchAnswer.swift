import FluxLog

/// The answer to `session/dispatch`: `{"steps":[…]}`.
struct DispatchAnswer: Equatable {
  var steps: [ReplayedStep] = []

  init(_ json: JSON) throws(MalformedMessage) {
    for step in try Message(json, called: "the answer to dispatch").array("steps").elements {
      steps.append(try ReplayedStep(step))
    }
  }
}
