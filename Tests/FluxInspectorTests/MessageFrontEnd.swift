import FluxInspector
import FluxJSON
import FluxReplay

/// A front end for programs: answers typed requests with lines of JSON, in memory.
struct MessageFrontEnd {
  enum Request {
    case open(step: UInt64)
    case state(store: String)
    case changes
    case writes(of: Path)
    case replay
  }

  private var session: Session
  private(set) var lines: [String] = []
  /// The suggestions of the last replay.
  private(set) var suggestions: [NextStep] = []

  init(_ session: Session) {
    self.session = session
  }

  /// Calls the session, and sends its result as a line.
  mutating func receive(_ request: Request) throws {
    do {
      switch request {
      case .open(let step): try send(session.move(to: .step(step)))
      case .state(let store): try send(session.state(of: store))
      case .changes: try send(session.difference())
      case .writes(let path): try send(session.blame(path, all: true))
      case .replay:
        let result = try session.verify()
        suggestions = result.report.divergences.flatMap(\.next)
        try send(result.report.verdict.rawValue)
        try send(suggestions.map(\.title))
      }
    } catch let error as CommandError {
      try send(["error": error.message])
    }
  }

  private mutating func send(_ result: some Encodable) throws {
    let bytes = try LogEncoder(order: .declaration).bytes(of: result)
    lines.append(String(decoding: bytes, as: UTF8.self))
  }
}

extension NextStep {
  /// The words of a button.
  var title: String {
    switch self {
    case .open(let step): "Open step \(step)"
    case .showDifference: "Compare"
    case .blame(let path): "Find the writes of \(path)"
    default: "More"
    }
  }
}
