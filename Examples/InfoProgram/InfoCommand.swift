import ExampleProgram
import InfoExample

/// A service that fails every second request.
actor UnsteadyService: InfoService {
  struct OutOfReach: Error, CustomStringConvertible {
    let description = "the service is out of reach"
  }

  private var calls = 0

  func sections() throws -> [InfoSection] {
    calls += 1
    guard calls % 2 == 1 else { throw OutOfReach() }
    return [
      InfoSection(title: "About", rows: ["one store", "one service"]),
      InfoSection(title: "Calls", rows: ["\(calls)"]),
    ]
  }
}

/// Parses a line; the only command is `fetch`.
@Sendable func readInfoCommand(_ line: String) -> TerminalProgram.Command {
  line == "fetch" ? .dispatch(InfoAction.fetch) : .unknown(usage: "fetch")
}
