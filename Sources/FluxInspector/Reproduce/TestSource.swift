import FluxLog
import FluxReplay

/// A Swift Testing test that comes to a state again.
struct TestSource {
  let reproduction: Reproduction
  /// The module that has the app's stores.
  let module: String
  /// The factory of the stores, or an expression that is one.
  let stores: String
  /// The app's name in logs, for the name of the suite.
  let app: String?

  /// The text of the file.
  var text: String {
    let step = reproduction.step
    let suite = "\(SwiftText.identifier(app ?? "") ?? "Recording")Step\(step)Tests"
    let type = SwiftText.isPlain(reproduction.type) ? ", \(reproduction.type)," : ""
    return """
      // swift-format-ignore-file
      // Written by flux-inspect: recorded actions are dispatched in fresh stores, and have to lead to the
      // recorded states.
      import FluxLog
      import FluxRecorder
      import FluxReplay
      import Testing

      @testable import \(module)

      @Suite struct \(suite) {
        @Test("The actions up to step \(step)\(type) lead to the recorded states")
        func reproduces() throws {
          let start = \(SwiftText.literal(JSON(writing: reproduction.start.write).text))
          let actions = \(SwiftText.literal(lines: actions, indent: "      "))
          let expected: StoreDictionary<JSON> = [\(expected)]

          let session = try Replayer(stores: \(stores)).app.start(SessionStart(JSON.parse(start)))
          defer { session.end() }
          let steps = try session.dispatch(
            actions.split(separator: "\\n").map { try ReplayAction(JSON.parse(String($0))) })
          #expect(steps.last?.verdict == \(verdict))
          #expect(try session.states() == expected)
        }
      }

      """
  }

  private var actions: [String] {
    reproduction.actions.map { JSON(writing: $0.write).text }
  }

  private var expected: String {
    guard reproduction.states.count > 0 else { return ":" }
    let members = reproduction.states.members.map { member in
      "      \(SwiftText.literal(member.name)): "
        + "try JSON.parse(\(SwiftText.literal(member.value.text))),\n"
    }
    return "\n\(members.joined())    "
  }

  private var verdict: String {
    guard let rejection = reproduction.rejection else { return ".accepted" }
    let store = rejection.store.map { ", store: \(SwiftText.literal($0))" } ?? ""
    return ".rejected(LogRejection(reason: \(SwiftText.literal(rejection.reason)), "
      + "message: \(SwiftText.literal(rejection.message))\(store)))"
  }
}
