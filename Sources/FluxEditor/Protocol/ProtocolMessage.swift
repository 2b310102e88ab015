import FluxInspector
import FluxJSON
import FluxLog

/// A request of a client.
struct Request: Sendable {
  /// The number that the client gave it; some clients begin with 0.
  let seq: Int
  /// The name of the request.
  let command: String
  /// Its arguments; an empty object if there are none.
  let arguments: JSON

  /// Reads a message.
  ///
  /// - Returns: The request; nil for a message of another type, which this adapter never asked for.
  /// - Throws: ``MessageFraming/Malformed`` if it is no message of the protocol.
  static func reading(_ bytes: [UInt8]) throws(MessageFraming.Malformed) -> Request? {
    let message: JSON
    do throws(JSONError) {
      message = try JSON.parse(bytes)
    } catch {
      throw MessageFraming.Malformed(message: "a message is not JSON: \(error.message)")
    }
    guard message.kind == .object else {
      throw MessageFraming.Malformed(message: "a message is not an object")
    }
    switch message["type"]?.string {
    case "request": break
    case "response", "event": return nil
    default: throw MessageFraming.Malformed(message: "a message has no type")
    }
    guard let seq = message["seq"]?.number?.int64, let command = message["command"]?.string else {
      throw MessageFraming.Malformed(message: "a request has no seq or no command")
    }
    let arguments = message["arguments"].flatMap { $0.isNull ? nil : $0 }
    return Request(seq: Int(clamping: seq), command: command, arguments: arguments ?? [:])
  }

  /// Decodes the arguments.
  ///
  /// - Throws: ``RequestError`` that names the member that is missing or wrong.
  func decoded<Arguments: Decodable>(_ type: Arguments.Type) throws(RequestError) -> Arguments {
    do {
      return try LogDecoder().decode(type, from: arguments)
    } catch let error as DecodingError {
      throw RequestError("\(command): \(error.summary)")
    } catch {
      throw RequestError("\(command): \(error)")
    }
  }
}

extension DecodingError {
  /// The place and the problem in one line.
  fileprivate var summary: String {
    switch self {
    case .keyNotFound(let key, let context):
      "\(Self.path(context.codingPath + [key])) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      "\(Self.path(context.codingPath)): \(context.debugDescription)"
    @unknown default: "\(self)"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.isEmpty ? "arguments" : keys.dotted
  }
}

/// The reason why a request failed, in the words that the client shows.
struct RequestError: Error, Equatable {
  let message: String
  /// `true` if the client itself cancelled the request.
  let isCancelled: Bool

  init(_ message: String, isCancelled: Bool = false) {
    (self.message, self.isCancelled) = (message, isCancelled)
  }

  /// Turns an error of a call into one for the client; there is no session before the launch.
  init(_ error: any Error, in session: Session?) {
    if let error = error as? RequestError {
      self = error
    } else if let session {
      let error = CommandError(error, in: session)
      self = error.code == .cancelled ? .cancelled : RequestError(error.description)
    } else if let error = error as? CommandError {
      self.init(error.description)
    } else {
      self.init((error as? LogError)?.message ?? "\(error)")
    }
  }

  /// The error of a request that was cancelled, in the word of the protocol.
  static let cancelled = RequestError("cancelled", isCancelled: true)
}

/// An answer to a request.
struct Response<Body: Encodable>: Encodable {
  let seq: Int
  let type = "response"
  let request_seq: Int
  let success: Bool
  let command: String
  let message: String?
  let body: Body?
}

/// The body of an answer that has none.
struct NoBody: Encodable {}

/// The body of an answer to a request that failed.
struct ErrorBody: Encodable {
  struct Message: Encodable {
    let id: Int
    let format: String
    let showUser: Bool
  }

  let error: Message

  init(_ error: RequestError) {
    self.error = Message(id: 1, format: error.message, showUser: !error.isCancelled)
  }
}

/// A message that nobody asked for.
struct Event<Body: Encodable>: Encodable {
  let seq: Int
  let type = "event"
  let event: String
  let body: Body?
}
