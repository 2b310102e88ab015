import FluxReplay
import FluxSystem

// The arguments of requests, with the members that the adapter uses. Names are those of the protocol.

struct InitializeArguments: Decodable {
  var linesStartAt1: Bool?
  var columnsStartAt1: Bool?
  var pathFormat: String?
  var supportsVariablePaging: Bool?
  var supportsProgressReporting: Bool?
}

/// `launch` opens a log; `attach` follows one that is still being written, or that of a running app.
struct LaunchArguments: Decodable {
  /// The log, as `launch` names it.
  var program: String?
  /// The log, as `attach` names it.
  var log: String?
  /// The running app, as `attach` names it: its name, or the number of its process.
  var process: String?
  /// The address on which the adapter listens for an app that connects, as `attach` names it: a port, or host and port.
  var listen: AddressArgument?
  /// The address of an app that listens, as `attach` names it.
  var connect: AddressArgument?
  /// The file that keeps the token of ``listen`` or ``connect``.
  var tokenFile: String?
  /// The bundle identifier of the sandboxed Mac app that ``process`` names.
  var container: String?
  /// `false` if a running app does not show where the recording stands.
  var show: Bool?
  /// The app's executable.
  var app: String?
  /// The folders to look for source files in.
  var sourceRoots: [String]?
  /// The folders of modules, if their files are not found otherwise.
  var sourceMap: [String: String]?
  var stopOnEntry: Bool?
}

/// `4711`, `"4711"` or `"mac.local:4711"`.
struct AddressArgument: Decodable, Equatable {
  let address: NetworkAddress

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      address = NetworkAddress(port: try container.decode(UInt16.self))
      return
    } catch DecodingError.typeMismatch {
      // A text, or a mistake that decoding a text reports.
    }
    let text = try container.decode(String.self)
    guard let address = NetworkAddress(text, defaultHost: NetworkAddress.loopback) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text) is not an address; expected HOST:PORT or a port")
    }
    self.address = address
  }
}

extension LaunchArguments {
  /// The running app to attach to; nil if there is none.
  var runningApp: AppAddress? {
    if let listen { return .listening(on: listen.address, tokenFile: tokenFile) }
    if let connect { return .at(connect.address, tokenFile: tokenFile) }
    return process.map { .local($0, container: container) }
  }
}

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

struct DataBreakpointInfoArguments: Decodable {
  var variablesReference: Int?
  var name: String
  var frameId: Int?
}

struct BreakpointLocationsArguments: Decodable {
  var source: SourceArgument
  var line: Int
  var endLine: Int?
}

struct ThreadArguments: Decodable { var threadId: Int }

struct FrameArguments: Decodable { var frameId: Int }

struct GotoArguments: Decodable {
  var threadId: Int
  var targetId: Int
}

struct GotoTargetsArguments: Decodable {
  var source: SourceArgument
  var line: Int
}

struct StackTraceArguments: Decodable {
  var threadId: Int
  var startFrame: Int?
  var levels: Int?
}

struct VariablesArguments: Decodable {
  var variablesReference: Int
  var filter: String?
  var start: Int?
  var count: Int?
}

struct LocationsArguments: Decodable { var locationReference: Int }

struct SetVariableArguments: Decodable {
  var variablesReference: Int
  var name: String
  var value: String
}

struct EvaluateArguments: Decodable {
  var expression: String
  var frameId: Int?
  var context: String?
}

struct CompletionsArguments: Decodable {
  var frameId: Int?
  var text: String
  var column: Int
  var line: Int?
}

struct SourceContentArguments: Decodable {
  var source: SourceArgument?
  var sourceReference: Int
}

struct ModulesArguments: Decodable {
  var startModule: Int?
  var moduleCount: Int?
}

struct CancelArguments: Decodable {
  var requestId: Int?
  var progressId: String?
}
