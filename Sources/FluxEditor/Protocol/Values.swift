// The values of the protocol that answers and events contain. Names are those of the protocol.

struct ExceptionFilter: Encodable {
  let filter: String
  let label: String
  let description: String
}

/// Everything that every recording offers.
struct Capabilities: Encodable {
  let supportsConfigurationDoneRequest = true
  let supportsFunctionBreakpoints = true
  let supportsConditionalBreakpoints = true
  let supportsHitConditionalBreakpoints = true
  let supportsEvaluateForHovers = true
  let exceptionBreakpointFilters = ExceptionKind.allCases.map(\.filter)
  let supportsStepBack = true
  let supportsGotoTargetsRequest = true
  let supportsCompletionsRequest = true
  let completionTriggerCharacters = [".", "/", " "]
  let supportsModulesRequest = true
  let supportsExceptionInfoRequest = true
  let supportsDelayedStackTraceLoading = true
  let supportsLoadedSourcesRequest = true
  let supportsLogPoints = true
  let supportsTerminateRequest = true
  let supportsDataBreakpoints = true
  let supportsCancelRequest = true
  let supportsBreakpointLocationsRequest = true
  let supportsClipboardContext = true
}

/// The capabilities that only a session with the app has.
struct AppCapabilities: Encodable {
  let supportsSetVariable = true
  let supportsRestartFrame = true
}

/// The events that a recording can stop at as at an exception.
enum ExceptionKind: String, Sendable, CaseIterable {
  case rejected, gap, damaged, divergence

  var filter: ExceptionFilter {
    let (label, description) =
      switch self {
      case .rejected: ("Rejected steps", "Stops at each step that did not commit")
      case .gap: ("Gaps", "Stops at the first step after lines that are missing or damaged")
      case .damaged: ("Damage", "Stops at the first step after damaged lines")
      case .divergence:
        ("Divergences", "Stops at each step whose replay differs from the recording; needs the app")
      }
    return ExceptionFilter(filter: rawValue, label: label, description: description)
  }
}

struct Source: Encodable, Sendable, Hashable {
  let name: String
  let path: String
  var sourceReference: Int?
  var presentationHint: String?
  var origin: String?
}

struct StackFrame: Encodable {
  let id: Int
  let name: String
  var source: Source?
  let line: Int
  let column: Int
  var canRestart: Bool?
  var presentationHint: String?
}

struct Scope: Encodable {
  let name: String
  let presentationHint: String?
  let variablesReference: Int
  let indexedVariables: Int?
  let expensive = false
}

struct PresentationHint: Encodable { let attributes: [String] }

struct Variable: Encodable {
  let name: String
  let value: String
  var type: String?
  let presentationHint: PresentationHint?
  var evaluateName: String?
  var variablesReference = 0
  var namedVariables: Int?
  var indexedVariables: Int?
  /// The reference for `locations`; nil if no step can have written the value.
  var valueLocationReference: Int?
}

/// The state of a breakpoint, as the adapter reports it.
struct Breakpoint: Encodable, Equatable {
  let id: Int
  var verified: Bool
  var message: String?
  var source: SourceArgument?
  var line: Int?
}

struct ThreadValue: Encodable {
  let id: Int
  let name: String
}

struct Module: Encodable {
  let id: String
  let name: String
  let symbolStatus: String
  let version: String?
}

struct GotoTarget: Encodable {
  let id: Int
  let label: String
  let line: Int
}

struct BreakpointLocation: Encodable { let line: Int }

struct CompletionItem: Encodable {
  let label: String
  let start: Int
  let length: Int
}
