/// A request that only reads.
enum ReadCommand: String, CaseIterable {
  case threads, stackTrace, scopes, variables, source, modules, exceptionInfo, dataBreakpointInfo
  case evaluate, locations

  /// Answers a request.
  ///
  /// - Throws: ``RequestError``, and errors of the log and of queries.
  func answer(_ request: Request, _ reader: Reader, _ connection: ClientConnection) throws {
    func respond<Arguments: Decodable>(_ answer: (Arguments) throws -> some Encodable) throws {
      connection.respond(to: request, try answer(request.decoded(Arguments.self)))
    }
    switch self {
    case .threads: connection.respond(to: request, ThreadsBody(threads: reader.threads))
    case .stackTrace: try respond(reader.stack)
    case .scopes: try respond(reader.scopes)
    case .variables: try respond(reader.variables)
    case .source: try respond(reader.content)
    case .modules: try respond(reader.modules)
    case .exceptionInfo: try respond(reader.exception)
    case .dataBreakpointInfo: try respond(reader.dataBreakpoint)
    case .evaluate: try respond(reader.evaluate)
    case .locations: try respond(reader.location)
    }
  }
}
