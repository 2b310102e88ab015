/// A request that only reads.
enum ReadCommand: String, CaseIterable {
  case threads, stackTrace, scopes, variables, source, modules, exceptionInfo, dataBreakpointInfo
  case evaluate, locations

  /// Answers a request.
  ///
  /// - Throws: ``RequestError``, and errors of the log and of queries.
  func answer(_ request: Request, _ reader: Reader, _ connection: ClientConnection) throws {
    func decoded<Arguments: Decodable>(_ type: Arguments.Type) throws -> Arguments {
      try request.decoded(type)
    }
    switch self {
    case .threads: connection.respond(to: request, ThreadsBody(threads: reader.threads))
    case .stackTrace:
      connection.respond(to: request, try reader.stack(decoded(StackTraceArguments.self)))
    case .scopes: connection.respond(to: request, try reader.scopes(decoded(FrameArguments.self)))
    case .variables:
      connection.respond(to: request, try reader.variables(decoded(VariablesArguments.self)))
    case .source:
      connection.respond(to: request, try reader.content(decoded(SourceContentArguments.self)))
    case .modules:
      connection.respond(to: request, try reader.modules(decoded(ModulesArguments.self)))
    case .exceptionInfo:
      connection.respond(to: request, try reader.exception(decoded(ThreadArguments.self)))
    case .dataBreakpointInfo:
      connection.respond(
        to: request, try reader.dataBreakpoint(decoded(DataBreakpointInfoArguments.self)))
    case .evaluate:
      connection.respond(to: request, try reader.evaluate(decoded(EvaluateArguments.self)))
    case .locations:
      connection.respond(to: request, try reader.location(decoded(LocationsArguments.self)))
    }
  }
}
