import FluxEditor
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

/// A client of the protocol, in this process, which checks every message against the schema.
final class DebugClient {
  /// A message of the adapter, or the end of its stream.
  enum ClientError: Error { case closed, timedOut(String), refused(String) }

  let socket: Descriptor
  private var seq = 0
  private var bytes: [UInt8] = []
  /// All messages of the adapter that were not asked for yet, in order.
  private(set) var waiting: [JSON] = []
  /// Every message of the adapter, in order.
  private(set) var all: [JSON] = []
  /// How the adapter has ended; nil while it runs.
  let adapterEnd: Monitor<DebugAdapter.End?>

  init(
    app: (@Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> any ReplayApp)? = nil,
    attach: (@Sendable (_ app: AppAddress) throws -> any LiveApp)? = nil,
    open: @escaping @Sendable (String) throws -> LogFile = { try LogFile.open($0) }
  ) throws {
    let pair = try #require(makeStreamPair())
    socket = Descriptor(pair.writing)
    let other = Descriptor(pair.reading)
    let end = Monitor<DebugAdapter.End?>(nil)
    adapterEnd = end
    var adapterWorld = AdapterWorld(
      open: open, app: { _, isCancelled in try app?(isCancelled) ?? NoApp() })
    if let attach {
      adapterWorld.attach = { app, _, _ in
        AttachedApp(try attach(app)) { "note: the copy is kept" }
      }
    }
    let world = adapterWorld
    Thread {
      let result = DebugAdapter(ClientConnection(reading: other, writing: other), world).run()
      end.withLock { $0 = result }
      end.signal()
    }.start()
  }

  /// Waits until the adapter has ended; returns how, or nil after five seconds.
  func waitForEnd() -> DebugAdapter.End? {
    adapterEnd.waitUntil(milliseconds: 5000, { $0 != nil }) { $0 }
  }

  // MARK: Sending

  func send(bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty, let count = socket.send(rest) { rest = rest.dropFirst(count) }
  }

  /// Sends a request without waiting; returns its number.
  @discardableResult
  func send(_ command: String, _ arguments: JSON? = nil) throws -> Int {
    seq += 1
    let number = seq
    let message = JSON(writing: { writer in
      writer.beginObject()
      writer.name("seq")
      writer.int(number)
      writer.member("type", "request")
      writer.member("command", command)
      writer.member("arguments", arguments)
      writer.endObject()
    })
    try ProtocolSchema.check(message, as: command.capitalizedFirst + "Request")
    let text = Array(message.text.utf8)
    send(bytes: Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text)
    return number
  }

  /// Sends a request, and returns the body of its answer.
  @discardableResult
  func ask(_ command: String, _ arguments: JSON? = nil) throws -> JSON {
    let number = try send(command, arguments)
    let answer = try response(to: number)
    guard answer["success"]?.bool == true else {
      throw ClientError.refused(answer["message"]?.string ?? "")
    }
    return answer["body"] ?? .null
  }

  /// Sends a request that fails; returns the message.
  func refusal(_ command: String, _ arguments: JSON? = nil) throws -> String {
    do {
      let body = try ask(command, arguments)
      return "answered with \(body)"
    } catch ClientError.refused(let message) {
      return message
    }
  }

  // MARK: Receiving

  func response(to number: Int) throws -> JSON {
    try next("the answer to \(number)") { $0["request_seq"]?.number?.int64 == Int64(number) }
  }

  /// Waits for an event; returns its body.
  @discardableResult
  func event(_ name: String) throws -> JSON {
    try next("the event \(name)") { $0["event"]?.string == name }["body"] ?? .null
  }

  /// The texts of the outputs that came so far.
  var output: [String] {
    all.filter { $0["event"]?.string == "output" }.compactMap { $0["body"]?["output"]?.string }
  }

  private func next(_ what: String, where isMeant: (JSON) -> Bool) throws -> JSON {
    while true {
      if let place = waiting.firstIndex(where: isMeant) { return waiting.remove(at: place) }
      try receive(what)
    }
  }

  private func receive(_ what: String) throws {
    guard Descriptor.wait(reading: [socket], writing: nil, milliseconds: 20_000) else {
      throw ClientError.timedOut(what)
    }
    guard case .bytes(let more) = socket.receive() else { throw ClientError.closed }
    bytes += more
    while let message = try takeMessage() {
      try ProtocolSchema.check(answer: message)
      waiting.append(message)
      all.append(message)
    }
  }

  private func takeMessage() throws -> JSON? {
    let separator = Array("\r\n\r\n".utf8)
    guard let end = bytes.firstRange(of: separator) else { return nil }
    let header = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    let length = try #require(Int(header.dropFirst("Content-Length: ".count)))
    guard bytes.count - end.upperBound >= length else { return nil }
    let message = try JSON.parse(Array(bytes[end.upperBound..<end.upperBound + length]))
    bytes.removeSubrange(..<(end.upperBound + length))
    return message
  }

  // MARK: Sessions

  /// Launches a log, and waits for the first stop.
  @discardableResult
  func launch(_ arguments: JSON, initialize: JSON? = nil) throws -> JSON {
    try ask("initialize", initialize ?? ["adapterID": "flux", "supportsVariablePaging": true])
    try event("initialized")
    try ask("launch", arguments)
    try ask("configurationDone")
    return try event("stopped")
  }

  /// Moves a thread; returns the reason of the stop and the name of the first frame.
  func move(_ command: String, thread: Int = 1, _ more: JSON? = nil) throws -> String {
    let arguments = JSON(writing: { writer in
      writer.beginObject()
      writer.name("threadId")
      writer.int(thread)
      for member in more?.members.map(\.self) ?? [] { writer.member(member.name, member.value) }
      writer.endObject()
    })
    try ask(command, arguments)
    return try stop(thread)
  }

  /// Waits for a stop; returns its reason and the name of the first frame.
  func stop(_ thread: Int = 1) throws -> String {
    let reason = try event("stopped")["reason"]?.string ?? ""
    return "\(reason): \(try frames(thread).first?["name"]?.string ?? "")"
  }

  func frames(_ thread: Int = 1) throws -> [JSON] {
    let body = try ask("stackTrace", ["threadId": JSON(integerLiteral: Int64(thread))])
    return body["stackFrames"].map { Array($0.elements) } ?? []
  }

  /// The variables of a scope of the first frame, or of a value in it: `name = value`.
  func variables(_ scope: String, thread: Int = 1) throws -> [String] {
    try list(try reference(of: scope, thread: thread))
  }

  func reference(of scope: String, thread: Int = 1) throws -> JSON {
    let frame = try #require(try frames(thread).first?["id"])
    let scopes = try ask("scopes", ["frameId": frame])["scopes"]
    let found = scopes?.elements.first { $0["name"]?.string == scope }
    return try #require(found?["variablesReference"])
  }

  func list(_ reference: JSON) throws -> [String] {
    let body = try ask("variables", ["variablesReference": reference])
    return body["variables"]?.elements.map {
      "\($0["name"]?.string ?? "") = \($0["value"]?.string ?? "")"
    } ?? []
  }
}

/// An app that cannot be run.
private struct NoApp: ReplayApp {
  func describe() throws(ReplayFailure) -> AppDescription {
    throw ReplayFailure(.cannotStart(why: "there is none"))
  }

  func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    throw ReplayFailure(.cannotStart(why: "there is none"))
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
