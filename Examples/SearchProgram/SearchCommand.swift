import ExampleProgram
import SearchExample

/// Searches a few words; rejects keywords of one letter, which would match too many.
struct WordList: SearchEngine {
  struct TooShort: Error, CustomStringConvertible {
    let description = "the keyword is too short"
  }

  func results(for keyword: String) throws -> [String] {
    guard keyword.count > 1 else { throw TooShort() }
    return ["flux", "fluxion", "reflux", "redux"].filter { $0.contains(keyword) }
  }
}

/// Parses a line: `open`, `find flux`, `discard`, `close`.
@Sendable func readSearchCommand(_ line: String) -> TerminalProgram.Command {
  var words = Words(line)
  switch words.next() {
  case "open": return .dispatch(Search.Action.setup)
  case "find": return .dispatch(Search.Action.begin(keyword: words.next()))
  case "discard": return .dispatch(Search.Action.discard)
  case "close": return .dispatch(Search.Action.close)
  default: return .unknown(usage: "open, find KEYWORD, discard, close")
  }
}
