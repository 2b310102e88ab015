import FluxCommands
import FluxInspector
import Testing

@testable import FluxSubcommands

@Suite("Color choice")
struct ColorChoiceTests {
  @Test(
    "asks the command line, NO_COLOR, CLICOLOR_FORCE, CLICOLOR and the terminal, in this order",
    arguments: [
      (.always, ["NO_COLOR": "1"], false, true), (.never, ["CLICOLOR_FORCE": "1"], true, false),
      (.auto, ["TERM": "xterm"], true, true), (.auto, ["TERM": "xterm"], false, false),
      (.auto, [:], true, false), (.auto, ["TERM": ""], true, false),
      (.auto, ["TERM": "dumb"], true, false),
      (.auto, ["TERM": "xterm", "NO_COLOR": "1"], true, false),
      (.auto, ["TERM": "xterm", "NO_COLOR": ""], true, true),
      (.auto, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], true, false),
      (.auto, ["CLICOLOR_FORCE": "1", "CLICOLOR": "0"], false, true),
      (.auto, ["CLICOLOR_FORCE": "0"], false, false), (.auto, ["CLICOLOR_FORCE": ""], false, false),
      (.auto, ["TERM": "xterm", "CLICOLOR": "0"], true, false),
      (.auto, ["TERM": "xterm", "CLICOLOR": "1"], true, true),
      (.auto, ["TERM": "xterm", "CLICOLOR": "1"], false, false),
    ] as [(Settings.Color, [String: String], Bool, Bool)])
  func chooses(
    _ choice: Settings.Color, _ environment: [String: String], _ isTerminal: Bool, _ expected: Bool
  ) {
    #expect(choice.isUsed(environment: environment, isTerminal: isTerminal) == expected)
  }
}
