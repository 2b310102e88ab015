import FluxJSON

// The arguments of requests, with the members that the adapter uses, each with the body of its answer. Names are those of the
// protocol.

// MARK: Breakpoints

struct SourceArgument: Codable, Sendable, Hashable {
  var name: String?
  var path: String?
  var sourceReference: Int?
}

struct SourceBreakpoint: Decodable, Sendable, Equatable {
  var line: Int
  var condition: String?
  var hitCondition: String?
  var logMessage: String?
}

struct SetBreakpointsArguments: Decodable {
  var source: SourceArgument
  var breakpoints: [SourceBreakpoint]?
  /// The old form of the same.
  var lines: [Int]?
}

struct SetFunctionBreakpointsArguments: Decodable {
  struct Breakpoint: Decodable, Sendable {
    var name: String
    var condition: String?
    var hitCondition: String?
  }

  var breakpoints: [Breakpoint]
}

struct SetDataBreakpointsArguments: Decodable {
  struct Breakpoint: Decodable, Sendable {
    var dataId: String
    var condition: String?
    var hitCondition: String?
  }

  var breakpoints: [Breakpoint]
}

struct SetExceptionBreakpointsArguments: Decodable {
  struct Option: Decodable, Sendable { var filterId: String }

  var filters: [String]
  var filterOptions: [Option]?
}

struct BreakpointsBody: Encodable { let breakpoints: [Breakpoint] }

struct DataBreakpointInfoArguments: Decodable {
  var variablesReference: Int?
  var name: String
  var frameId: Int?
}

struct DataBreakpointInfoBody: Encodable {
  /// The identifier; null if there is none, because the protocol requires the member.
  let dataId: Nullable<String>
  let description: String
  let accessTypes: [String]?
}

struct BreakpointLocationsArguments: Decodable {
  var source: SourceArgument
  var line: Int
  var endLine: Int?
}

struct BreakpointLocationsBody: Encodable { let breakpoints: [BreakpointLocation] }

// MARK: Threads and their frames

struct ThreadArguments: Decodable { var threadId: Int }

struct ThreadsBody: Encodable { let threads: [ThreadValue] }

struct StackTraceArguments: Decodable {
  var threadId: Int
  var startFrame: Int?
  var levels: Int?
}

struct StackTraceBody: Encodable {
  let stackFrames: [StackFrame]
  let totalFrames: Int
}

struct FrameArguments: Decodable { var frameId: Int }

struct ScopesBody: Encodable { let scopes: [Scope] }

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

// MARK: Values

struct VariablesArguments: Decodable {
  var variablesReference: Int
  var filter: String?
  var start: Int?
  var count: Int?
}

struct VariablesBody: Encodable { let variables: [Variable] }

struct LocationsArguments: Decodable { var locationReference: Int }

struct LocationsBody: Encodable {
  let source: Source
  let line: Int
}

struct SetVariableArguments: Decodable {
  var variablesReference: Int
  var name: String
  var value: String
}

struct SetVariableBody: Encodable {
  let value: String
  let type: String
  let variablesReference: Int
  let namedVariables: Int?
  let indexedVariables: Int?
}

struct EvaluateArguments: Decodable {
  var expression: String
  var frameId: Int?
  var context: String?
}

struct EvaluateBody: Encodable {
  let result: String
  var type: String?
  var variablesReference = 0
  var namedVariables: Int?
  var indexedVariables: Int?
}

struct CompletionsArguments: Decodable {
  var frameId: Int?
  var text: String
  var column: Int
  var line: Int?
}

struct CompletionsBody: Encodable { let targets: [CompletionItem] }

// MARK: Source files and modules

struct SourceContentArguments: Decodable {
  var source: SourceArgument?
  var sourceReference: Int
}

struct SourceBody: Encodable {
  let content: String
  let mimeType: String
}

struct LoadedSourcesBody: Encodable { let sources: [Source] }

struct ModulesArguments: Decodable {
  var startModule: Int?
  var moduleCount: Int?
}

struct ModulesBody: Encodable {
  let modules: [Module]
  let totalModules: Int
}

// MARK: Moves

struct GotoTargetsArguments: Decodable {
  var source: SourceArgument
  var line: Int
}

struct GotoTargetsBody: Encodable { let targets: [GotoTarget] }

struct GotoArguments: Decodable { var targetId: Int }

struct ContinueBody: Encodable { let allThreadsContinued = false }

struct CancelArguments: Decodable {
  var requestId: Int?
  var progressId: String?
}
