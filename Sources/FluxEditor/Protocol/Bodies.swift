import FluxJSON

// The bodies of answers and events. Names are those of the protocol.

struct ThreadsBody: Encodable { let threads: [ThreadValue] }

struct StackTraceBody: Encodable {
  let stackFrames: [StackFrame]
  let totalFrames: Int
}

struct ScopesBody: Encodable { let scopes: [Scope] }

struct VariablesBody: Encodable { let variables: [Variable] }

struct LocationsBody: Encodable {
  let source: Source
  let line: Int
}

struct BreakpointsBody: Encodable { let breakpoints: [Breakpoint] }

struct BreakpointLocationsBody: Encodable { let breakpoints: [BreakpointLocation] }

struct SetVariableBody: Encodable {
  let value: String
  let type: String
  let variablesReference: Int
  let namedVariables: Int?
  let indexedVariables: Int?
}

struct EvaluateBody: Encodable {
  let result: String
  var type: String?
  var variablesReference = 0
  var namedVariables: Int?
  var indexedVariables: Int?
}

struct DataBreakpointInfoBody: Encodable {
  /// The identifier; null if there is none, because the protocol requires the member.
  let dataId: Nullable<String>
  let description: String
  let accessTypes: [String]?
}

struct SourceBody: Encodable {
  let content: String
  let mimeType: String
}

struct LoadedSourcesBody: Encodable { let sources: [Source] }

struct ModulesBody: Encodable {
  let modules: [Module]
  let totalModules: Int
}

struct GotoTargetsBody: Encodable { let targets: [GotoTarget] }

struct CompletionsBody: Encodable { let targets: [CompletionItem] }

struct ContinueBody: Encodable { let allThreadsContinued = false }

struct ExceptionInfoBody: Encodable {
  struct Details: Encodable {
    let message: String
    let typeName: String
  }

  let exceptionId: String
  let description: String
  let breakMode = "always"
  let details: Details
}

// MARK: Events

/// The end of a move.
struct StoppedBody: Encodable, Sendable {
  let reason: String
  var description: String?
  var threadId: Int
  var text: String?
  var hitBreakpointIds: [Int]?
  let allThreadsStopped = false
}

struct ThreadBody: Encodable {
  let reason: String
  let threadId: Int
}

struct OutputBody: Encodable {
  let category: String
  let output: String
  var source: Source?
  var line: Int?
}

struct BreakpointBody: Encodable {
  let reason: String
  let breakpoint: Breakpoint
}

struct CapabilitiesBody: Encodable { let capabilities: Capabilities }

struct ProgressStartBody: Encodable {
  let progressId: String
  let title: String
  let requestId: Int?
  let cancellable = true
  let percentage: Double?
}

struct ProgressUpdateBody: Encodable {
  let progressId: String
  let message: String
  let percentage: Double?
}

struct ProgressEndBody: Encodable { let progressId: String }
