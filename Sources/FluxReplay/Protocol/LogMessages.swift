package import FluxJSON
package import FluxLog
import Foundation

// The parameters of `log/segment` are a place, see ``SegmentPlace``.

extension Message {
  /// Reads the member `crc`.
  func checksum() throws(MalformedMessage) -> UInt32 {
    guard let crc = UInt32(exactly: try required("crc", .integer)) else {
      throw wrong("crc", "a number of 32 bits")
    }
    return crc
  }
}

extension SegmentPlace {
  package init(_ message: Message) throws(MalformedMessage) {
    self.init(
      log: try message.required("log", .string), first: try message.required("first", .integer))
    let offset = try message.required("offset", .integer)
    guard let offset = Int(exactly: offset) else { throw message.wrong("offset", "a file offset") }
    (self.offset, crc) = (offset, try message.checksum())
  }

  /// Reads the place in the answer to a request, if it has one.
  package init?(inAnswer answer: JSON) throws(MalformedMessage) {
    guard let place = answer["place"] else { return nil }
    try self.init(Message(place, called: "the place in the log"))
  }
}

/// `log/follow`, `log/launch`, `log/launches` and `log/inflight`: `{"place"?,"log"?}`.
package struct LogRequest: Sendable, Equatable, Encodable {
  /// The place after the last line that the client has.
  package var place: SegmentPlace?
  package var log: String?

  package init(place: SegmentPlace? = nil, log: String? = nil) {
    (self.place, self.log) = (place, log)
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the request for a log")
    if let place = try message.optional("place", .object) {
      self.place = try SegmentPlace(Message(place, called: "the place"))
    }
    log = try message.optional("log", .string)
  }
}

/// The answer to `log/follow` and `log/launch`: `{"place","end"}`.
package struct LogFollowed: Sendable, Equatable, Encodable {
  /// The place from which the text continues.
  package var place: SegmentPlace
  /// The place after the last line that there was.
  package var end: SegmentPlace

  package init(place: SegmentPlace, end: SegmentPlace) { (self.place, self.end) = (place, end) }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the answer to the request for a log")
    place = try SegmentPlace(Message(try message.required("place", .object), called: "the place"))
    end = try SegmentPlace(Message(try message.required("end", .object), called: "the end"))
  }
}

/// `log/text`: `{"at","text"|"base64"}`, the next bytes of the segment.
package struct LogText: Sendable, Equatable, Encodable {
  private enum CodingKeys: CodingKey { case at, text, base64 }

  /// The bytes of a message at most.
  package static let largestByteCount = 256 << 10

  /// The offset of the first byte in the segment.
  package var at: Int
  package var bytes: [UInt8]

  package init(at: Int, _ bytes: [UInt8]) { (self.at, self.bytes) = (at, bytes) }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the text of a log")
    guard let at = Int(exactly: try message.required("at", .integer)) else {
      throw message.wrong("at", "a file offset")
    }
    self.at = at
    if let text = try message.optional("text", .string) {
      bytes = Array(text.utf8)
    } else {
      let encoded = try message.required("base64", .string)
      guard let data = Data(base64Encoded: encoded) else {
        throw message.wrong("base64", "bytes in base64")
      }
      bytes = Array(data)
    }
    guard 1...Self.largestByteCount ~= bytes.count else {
      throw MalformedMessage(
        subject: "the text of a log", member: nil,
        expected: "1 to \(Self.largestByteCount) bytes",
        found: JSON(stringLiteral: "\(bytes.count) bytes"))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(at, forKey: .at)
    // A cut through a character, and a damaged line, are not text.
    if let text = String(validating: bytes, as: UTF8.self) {
      try members.encode(text, forKey: .text)
    } else {
      try members.encode(Data(bytes).base64EncodedString(), forKey: .base64)
    }
  }
}

/// `log/ended`: `{"log","closed"?,"why"?}`, the last message about a log.
package struct LogEnded: Sendable, Equatable, Encodable {
  package var log: String
  /// `true` if the log was closed; otherwise its app has crashed, or is still running.
  package var closed: Bool?
  /// The reason why the log cannot be read on; nil if there is no more of it.
  package var why: String?

  package init(log: String, closed: Bool? = nil, why: String? = nil) {
    (self.log, self.closed, self.why) = (log, closed, why)
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the end of a log")
    log = try message.required("log", .string)
    closed = try message.optional("closed", .bool)
    why = try message.optional("why", .string)
  }
}

/// One of the launches in the answer to `log/launches`, the newest one last: `{"log","created"?,"first","bytes","recording"?}`.
package struct LogLaunch: Sendable, Equatable, Encodable {
  package var log: String
  package var created: String?
  /// The first step that the app still has.
  package var first: UInt64
  /// The bytes of all segments.
  package var bytes: UInt64
  /// `true` if the app records it now.
  package var recording: Bool?
}

extension LogLaunch {
  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "a launch")
    log = try message.required("log", .string)
    created = try message.optional("created", .string)
    first = try message.required("first", .integer)
    bytes = try message.required("bytes", .integer)
    recording = try message.optional("recording", .bool)
  }
}

/// The answer to `log/inflight`: `{"actions":[{"n","t","action"?,"type"?,"committed"?,"dropped"?,…}]}`.
///
/// The members of the origin are those of a step's line.
package struct InFlightList: Encodable {
  private enum CodingKeys: CodingKey { case actions }

  private enum ActionKeys: CodingKey {
    case n, t, action, type, committed, dropped, target, cause, effect, from
  }

  package var actions: [InFlightAction]

  package init(_ actions: [InFlightAction]) { self.actions = actions }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the actions in flight")
    actions = try message.list("actions", InFlightAction.init)
  }

  package func encode(to encoder: any Encoder) throws {
    var list = encoder.container(keyedBy: CodingKeys.self)
    var entries = list.nestedUnkeyedContainer(forKey: .actions)
    // A message has a limit. What is above it keeps its type, like an action that found no room in the ring.
    var left = AppProtocol.messageByteCount / 2
    for entry in actions {
      var members = entries.nestedContainer(keyedBy: ActionKeys.self)
      try members.encode(entry.number, forKey: .n)
      try members.encode(entry.time, forKey: .t)
      let byteCount = entry.action?.text.utf8.count ?? 0
      if let action = entry.action, byteCount <= left {
        try members.encode(action, forKey: .action)
      } else {
        try members.encodeIfPresent(entry.type, forKey: .type)
      }
      left -= min(left, byteCount)
      if entry.isCommitted { try members.encode(true, forKey: .committed) }
      if entry.isDropped { try members.encode(true, forKey: .dropped) }
      try members.encodeIfPresent(entry.origin.target, forKey: .target)
      try members.encodeIfPresent(entry.origin.cause, forKey: .cause)
      try members.encodeIfPresent(entry.origin.effect, forKey: .effect)
      try members.encodeIfPresent(entry.origin.from, forKey: .from)
    }
  }
}

extension InFlightAction {
  fileprivate init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "an action in flight")
    let action = try message.optional("action", .object)
    let type = try message.optional("type", .string)
    self.init(
      number: try message.required("n", .integer), time: try message.required("t", .time),
      type: action?["type"]?.string ?? type, action: action,
      isCommitted: try message.optional("committed", .bool) ?? false,
      isDropped: try message.optional("dropped", .bool) ?? false,
      origin: ActionOrigin(
        target: try message.optional("target", .string),
        cause: try message.optional("cause", .integer),
        effect: try message.optional("effect", .string),
        from: try message.optional("from", .string)))
  }
}

extension RPCError {
  /// The reason why a client cannot follow from a place.
  package enum LogProblem: String {
    /// The app records another log.
    case otherLog
    /// The app no longer has the log.
    case unknownLog
    /// The log has other lines before the place.
    case otherLines
  }

  package static func log(_ problem: LogProblem, _ message: String) -> RPCError {
    RPCError(.failed, message, data: ["kind": JSON(stringLiteral: problem.rawValue)])
  }

  package var logProblem: LogProblem? {
    data?["kind"]?.string.flatMap(LogProblem.init)
  }
}
