// The values of the protocol that answers and events contain. Names are those of the protocol.

struct ExceptionFilter: Encodable {
  let filter: String
  let label: String
  let description: String
}

struct Capabilities: Encodable {
  var supportsConfigurationDoneRequest: Bool?
  var supportsFunctionBreakpoints: Bool?
  var supportsConditionalBreakpoints: Bool?
  var supportsHitConditionalBreakpoints: Bool?
  var supportsEvaluateForHovers: Bool?
  var exceptionBreakpointFilters: [ExceptionFilter]?
  var supportsStepBack: Bool?
  var supportsSetVariable: Bool?
  var supportsRestartFrame: Bool?
  var supportsGotoTargetsRequest: Bool?
  var supportsCompletionsRequest: Bool?
  var completionTriggerCharacters: [String]?
  var supportsModulesRequest: Bool?
  var supportsExceptionInfoRequest: Bool?
  var supportsDelayedStackTraceLoading: Bool?
  var supportsLoadedSourcesRequest: Bool?
  var supportsLogPoints: Bool?
  var supportsTerminateRequest: Bool?
  var supportsDataBreakpoints: Bool?
  var supportsCancelRequest: Bool?
  var supportsBreakpointLocationsRequest: Bool?
  var supportsClipboardContext: Bool?

  /// Everything that every recording offers.
  static let all = Capabilities(
    supportsConfigurationDoneRequest: true, supportsFunctionBreakpoints: true,
    supportsConditionalBreakpoints: true, supportsHitConditionalBreakpoints: true,
    supportsEvaluateForHovers: true,
    exceptionBreakpointFilters: ExceptionKind.allCases.map(\.filter), supportsStepBack: true,
    supportsGotoTargetsRequest: true, supportsCompletionsRequest: true,
    completionTriggerCharacters: [".", "/", " "], supportsModulesRequest: true,
    supportsExceptionInfoRequest: true, supportsDelayedStackTraceLoading: true,
    supportsLoadedSourcesRequest: true, supportsLogPoints: true, supportsTerminateRequest: true,
    supportsDataBreakpoints: true, supportsCancelRequest: true,
    supportsBreakpointLocationsRequest: true, supportsClipboardContext: true)

  /// The capabilities that only a session with the app has.
  static let withApp = Capabilities(supportsSetVariable: true, supportsRestartFrame: true)
}

/// The events that a recording can stop at as at an exception.
enum ExceptionKind: String, Sendable, CaseIterable {
  case rejected, gap, damaged, divergence

  var filter: ExceptionFilter {
    switch self {
    case .rejected:
      ExceptionFilter(
        filter: rawValue, label: "Rejected steps",
        description: "Stops at each step that did not commit")
    case .gap:
      ExceptionFilter(
        filter: rawValue, label: "Gaps",
        description: "Stops at the first step after lines that are missing or damaged")
    case .damaged:
      ExceptionFilter(
        filter: rawValue, label: "Damage",
        description: "Stops at the first step after damaged lines")
    case .divergence:
      ExceptionFilter(
        filter: rawValue, label: "Divergences",
        description: "Stops at each step whose replay differs from the recording; needs the app")
    }
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
  let source: Source?
  let line: Int
  let column: Int
  let canRestart: Bool?
  let presentationHint: String?
}

struct Scope: Encodable {
  let name: String
  let presentationHint: String?
  let variablesReference: Int
  let namedVariables: Int?
  let indexedVariables: Int?
  let expensive: Bool
}

struct PresentationHint: Encodable { let attributes: [String] }

struct Variable: Encodable {
  let name: String
  let value: String
  let type: String?
  let presentationHint: PresentationHint?
  let evaluateName: String?
  let variablesReference: Int
  let namedVariables: Int?
  let indexedVariables: Int?
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
