import FluxCore
import FluxHost
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxRecorder

/// An app in this process that is recorded and serves clients, in a folder of its own.
struct AttachedApp {
  let folder: TemporaryFolder
  let dispatcher: Dispatcher
  let recorder: Recorder
  let host: AppHost

  init(
    _ stores: [any Store] = [TallyStore(), Lamp()], app: (any ReplayApp)? = nil,
    connectsTo inspector: String? = nil, listensOn port: UInt16? = nil, token: String? = nil,
    allows: Set<AppHost.Permission> = .all,
    keeping modelCount: Int = 1000, user: uid_t = geteuid(),
    _ change: (inout Recorder.Options) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    dispatcher = Dispatcher(stores, seed: 7)
    var options = Recorder.Options()
    options.app = .init(name: "Tally", version: "1.0")
    change(&options)
    recorder = Recorder(to: folder.url("tally.jsonl"), options: options)
    dispatcher.use(recorder)
    host = AppHost(
      recorder, app: app, dispatcher: dispatcher, connectsTo: inspector, listensOn: port,
      token: token, allows: allows, keeping: modelCount,
      in: [Self.sockets(folder)],
      user: user)
    #expect(host.failure == nil)
  }

  /// A short path: those of sockets are limited.
  private static func sockets(_ folder: TemporaryFolder) -> LiveFolder {
    LiveFolder(path: folder.path("s"))
  }

  var sockets: LiveFolder { Self.sockets(folder) }

  /// Attaches a client.
  func attach(_ events: LiveEvents = LiveEvents()) throws -> LiveConnection {
    let socket = try #require(try sockets.sockets().first)
    return try #require(
      try LiveConnection.connect(to: socket, tell: { events.append($0) }))
  }

  /// Attaches a client to the port of the app.
  func connect(_ token: AccessToken, through port: UInt16? = nil) throws -> LiveConnection {
    let port = try #require(port ?? host.port)
    return try LiveConnection.connect(to: NetworkAddress(port: port), token)
  }

  /// The states that the log has after a step.
  func recordedStates(after step: UInt64) throws -> StoreDictionary<JSON> {
    try recorder.flush()
    let timeline = Timeline(try LogFile.open(recorder.url.path))
    let position = try #require(timeline.positions.first { timeline.number(at: $0) == step })
    return try timeline.model(at: position).states.compactMapValues { $0.json }
  }

  /// The lines of the log, without what differs from run to run.
  func lines() throws -> [String] {
    try recorder.flush()
    return try folder.text(of: "tally.jsonl").split(separator: "\n").dropFirst().map { line in
      line.replacing(#/,"sum":".{8}"/#, with: "").replacing(#/"t":[0-9.]+,/#, with: "")
        .replacing(#/,"at":"[^"]+"/#, with: "")
    }.map(String.init)
  }
}

/// The events that a client was told, in order.
final class LiveEvents: Sendable {
  private let events = Monitor<[LiveNotification]>([])

  func append(_ event: LiveNotification) {
    events.withLock { $0.append(event) }
    events.signal()
  }

  var all: [LiveNotification] { events.withLock { $0 } }

  /// Waits until the events fulfil a condition; records an issue if they never do.
  @discardableResult
  func wait(
    _ comment: Comment = "the events arrive", _ isFulfilled: ([LiveNotification]) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [LiveNotification] {
    let found = events.waitUntil(milliseconds: 60_000, isFulfilled) { $0 }
    #expect(isFulfilled(found), comment, sourceLocation: sourceLocation)
    return found
  }

  /// The steps of all events, and the number of those that were dropped.
  static func steps(_ events: [LiveNotification]) -> (told: [LiveStep], dropped: UInt64) {
    var told: [LiveStep] = []
    var dropped: UInt64 = 0
    for case .steps(let steps, let count) in events {
      told += steps
      dropped += count
    }
    return (told, dropped)
  }
}
